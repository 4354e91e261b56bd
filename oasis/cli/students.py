"""`oasis classroom students`: the list of a class, for its teacher."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    OutputOption,
    private_stream,
    read_content_of,
    read_text_of,
)
from oasis.cli.doors import opened_register
from oasis.cli.narration import narrate
from oasis.cli.render import print_columns, print_json
from oasis.ground.files import new_file
from oasis.ground.plural import conjunction, counted
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oasis.classroom.people.roll import Listed, Ticket
    from oasis.classroom.register.register import Register

app = typer.Typer(
    help="The list of the class; the teacher's passphrase is asked for (or taken from OASIS_PASSPHRASE).",
    no_args_is_help=True,
)
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="A student on the list; of a part of a name you are asked who is meant.")
]
_DETAILS = {"account on this machine": "account", "number": "number", "e-mail": "email", "group": "group"}
"""Columns of the list that are left out where they are empty."""
PassphrasesOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write names and passphrases to this new file; nothing is overwritten."),
]


@app.command("list")
def list_students(
    everybody: Annotated[bool, typer.Option("--all", help="Also those who left.")] = False,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show who is in the class, since when, and whether a passphrase is asked for."""
    with opened_register(db) as register:
        students = register.roll.students()
    left = 0 if everybody else sum(student.left is not None for student in students)
    if left:
        students = [student for student in students if student.left is None]
    if as_json:
        print_json({"students": [student.as_row() for student in students]})
    else:
        _print_list(students)
    if left:
        gone = "1 student left and is" if left == 1 else f"{left:,} students left and are"
        narrate(f"{gone} not shown; --all shows who left, too.")


@app.command()
def add(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Whom to add.")] = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A table of students (CSV or XLSX, of Moodle, of Canvas or your own), or a list of names, one a line; "
            "- for standard input.",
        ),
    ] = None,
    passphrases: PassphrasesOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether a table is read as it is meant.")] = False,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Add students, each with a passphrase; names and passphrases are printed as CSV, to be handed out.

    How the columns of a table are read, and what would be done, is shown before it is done; --json shows it to a
    program, which does it with --yes. Of a list those are added who are new. Either all new ones are added or nobody
    is. Two students of one name are told apart as in Ada Lovelace and Ada Lovelace 2, in a table by e-mail or number.
    """
    from oasis.classroom.people.tables import read_table

    table = None if file is None else read_table(read_content_of(file))
    does = yes or not as_json
    with _tickets_to(passphrases if does else None) as hand_out, opened_register(db) as register:
        plan = register.roll.plan(() if table is None else table.entries, names or ())
        shown = {**(table.as_json() if table else {}), **plan.as_json()}
        if not does:
            print_json(shown)
            return
        if table is not None and not table.is_plain and not as_json:
            for sentence in (table.sentence(), *plan.sentences()):
                narrate(sentence)
            if not yes:
                _ask_whether("Is that meant? Type y for yes", "Nobody was added")
        if plan.known and not (plan.new or plan.noted):
            raise InputError(f"Nobody was added.{_told_of_old(plan.known)}")
        tickets = register.roll.enter(plan)
        kept = "is shown here alone" if as_json and passphrases is None else hand_out(tickets)
    if as_json:
        print_json({**shown, "passphrases": dict(tickets) if passphrases is None else {}})
    old = _told_of_old(plan.known)
    if len(tickets) == 1:
        narrate(f"{tickets[0].name} is new on the list; the passphrase {kept}, so pass it on.{old}")
    elif tickets:
        count = f"{len(tickets):,} students are"
        narrate(f"{count} new on the list; each passphrase {kept}, so hand them out.{old}")
    else:
        narrate(f"Nobody is new; what the table says of {counted(len(plan.noted), 'student')} is noted.")


@app.command()
def passphrase(name: NameArgument, passphrases: PassphrasesOption = None, db: DatabaseOption = DATABASE) -> None:
    """Give a student who has forgotten the passphrase another one, which is printed as CSV."""
    with _tickets_to(passphrases) as hand_out, opened_register(db) as register:
        ticket = register.roll.reset(_meant(register, name))
        kept = hand_out([ticket])
    narrate(f"{ticket.name} comes in with it from now on; it {kept}, so pass it on.")


@app.command()
def rename(
    name: NameArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name as it should be.")],
    db: DatabaseOption = DATABASE,
) -> None:
    """Correct a name; all work stays the student's, and in lessons with letters of one's own these stay the same."""
    with opened_register(db) as register:
        name = _meant(register, name)
        new = register.roll.rename(name, new)
    narrate(f"{name} is {new} from now on, and signs in with that name.")


@app.command()
def group(
    group: Annotated[str, typer.Argument(metavar="GROUP", help="The group of the class; '' for none.")],
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Students on the list.")],
    db: DatabaseOption = DATABASE,
) -> None:
    """Put students into a group of the class, by which results are narrowed; each is in one at most."""
    with opened_register(db) as register:
        put = [register.roll.set_group(name, group) for name in [_meant(register, name) for name in names]]
    narrate(f"{conjunction(put)}: {group or 'in no group'}.")


@app.command()
def dismiss(name: NameArgument, db: DatabaseOption = DATABASE) -> None:
    """Take a student off the list, who is signed out and not let in any more; all work is kept."""
    with opened_register(db) as register:
        name = register.roll.dismiss(_meant(register, name))
    narrate(f"{name} is off the list, signed out of all tabs, and not let in any more. All work is kept.")


@app.command("sign-out")
def sign_out(name: NameArgument, db: DatabaseOption = DATABASE) -> None:
    """Sign a student out of all tabs and terminals, who has to sign in anew; all work is kept."""
    with opened_register(db) as register:
        name, tabs = register.roll.sign_out(_meant(register, name))
    narrate(f"{name} is signed out; {counted(tabs, 'tab')} had been open.")


@app.command()
def readmit(name: NameArgument, db: DatabaseOption = DATABASE) -> None:
    """Have a student back who was taken off the list, with all work and the passphrase of before."""
    with opened_register(db) as register:
        name = register.roll.readmit(_meant(register, name))
    narrate(f"{name} is on the list, with all work.")


@app.command("export")
def export_student(name: NameArgument, output: OutputOption = None, db: DatabaseOption = DATABASE) -> None:
    """Write all work of a student, to keep it or for another class; `import` reads it."""
    with opened_register(db) as register:
        text = register.copy(_meant(register, name))
    with private_stream(output) as stream:
        stream.write(text)


@app.command("import")
def import_student(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What was exported, or - for standard input.")],
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="The new student's name, if not the one in FILE."),
    ] = None,
    into: Annotated[
        str | None, typer.Option(metavar="NAME", help="A student on the list who gets the work, instead of a new one.")
    ] = None,
    vouch: Annotated[
        bool,
        typer.Option(
            "--vouch",
            help="You answer for this work: it counts as done when FILE says so, and in exams too. Without it, what is "
            "new counts as done now, and in exams not at all. Also for work that was brought in before.",
        ),
    ] = False,
    passphrases: PassphrasesOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Read the work of a student from elsewhere: for a new student, whose passphrase is printed, or with --into.

    What is new is marked as having come from a file; what the student has already is not doubled.
    """
    if into is not None and (name is not None or passphrases is not None):
        option = "--as" if name is not None else "--passphrases"
        raise InputError(f"{option} is for a new student and --into for one on the list; give one of them.")
    text = read_text_of(file)
    with _tickets_to(passphrases) as hand_out, opened_register(db) as register:
        into = None if into is None else _meant(register, into)
        imported, ticket = register.bring(text, name=name, into=into, vouched=vouch)
        if ticket is not None:
            hand_out([ticket])
    narrate(f"Attempts imported: {imported}.")
    if imported.new and not vouch:
        narrate("What is new counts as done now, and in an exam not at all; if you answer for it, add --vouch.")


@app.command()
def erase(
    name: NameArgument,
    copy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="First write all their work to this file, as export does.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the name once more.")] = False,
    db: DatabaseOption = DATABASE,
) -> None:
    """Delete a student and all of their work for good; it cannot be had back, but from a copy.

    Nothing is left in the file of the class. Copies and spreadsheets that you wrote before are yours to delete.
    """
    with opened_register(db) as register:
        name = register.roll.find(name if yes else _meant(register, name)).name
        if copy is not None:
            with new_file(copy) as stream:
                stream.write(register.copy(name))
            narrate(f"The work of {name} is in {copy}.")
        if not yes:
            kept = "" if copy is not None else " No copy is kept: --copy FILE writes one first."
            narrate(f"This deletes {name} and all of their work for good.{kept}")
            if not sys.stdin.isatty():
                raise InputError("Nothing was deleted: without a terminal to ask on, say --yes.")
            if _answer("Type the name once more to delete them") != name:
                raise InputError("That is another name; nothing was deleted.")
        register.roll.erase(name)
    narrate(
        f"{name} and all of their work are deleted. Spreadsheets and copies that you wrote before, backups among them, "
        "are yours to delete."
    )


@app.command()
def sweep(db: DatabaseOption = DATABASE) -> None:
    """Rewrite the file of the class without traces of what was deleted; erase does it, unless the file was in use."""
    with opened_register(db) as register:
        register.roll.sweep()
    narrate(f"Nothing of what was deleted is left in {db}.")


def _meant(register: Register, name: str) -> str:
    """The name as it was typed, or after a question the name of the only one who can be meant by it.

    Without a terminal to ask on, only a whole name will do.
    """
    from oasis.classroom.people.names import meant, name_key, proper_name

    typed = proper_name(name)
    found = meant(typed, [each.name for each in register.roll.students()])
    if found is None or name_key(found) == name_key(typed) or not sys.stdin.isatty():
        return name
    _ask_whether(f"Is {found} meant? Type y for yes", "Nothing was done; type the whole name of whom you mean")
    return found


def _ask_whether(question: str, otherwise: str) -> None:
    """Raises InputError that says so unless it is answered by yes, which needs a terminal to ask on."""
    if not sys.stdin.isatty():
        raise InputError(f"{otherwise}: without a terminal to ask on, say --yes.")
    if _answer(question).casefold() not in ("y", "yes"):
        raise InputError(f"{otherwise}.")


def _answer(question: str) -> str:
    return str(typer.prompt(question, default="", show_default=False)).strip()


def _print_list(students: Sequence[Listed]) -> None:
    rows = [student.as_row() for student in students]
    known = {head: field for head, field in _DETAILS.items() if any(row[field] for row in rows)}
    print_columns(
        rows,
        {
            "student": "name",
            "joined": lambda row: row["joined"][:10],
            "left": lambda row: (row["left"] or "")[:10],
            **known,  # nobody has an account where all come in with a browser
            "passphrase": lambda row: "yes" if row["has_passphrase"] else "no",
        },
    )


@contextmanager
def _tickets_to(path: Path | None) -> Iterator[Callable[[Sequence[Ticket]], str]]:
    """Prints passphrases, or writes them to a file, which is made at once so that no passphrase is made up in vain.

    What is given says where each passphrase is now.
    """
    from oasis.classroom.people.roll import tickets_csv

    if path is None:
        yield _print_tickets
        return
    with new_file(path) as stream:

        def write(tickets: Sequence[Ticket]) -> str:
            try:
                stream.write(tickets_csv(tickets))
                stream.flush()
            except OSError as error:  # they are on the list by now, and their passphrases are kept nowhere
                narrate(f"{path} cannot be written ({error.strerror}), so the passphrases are printed.")
                return _print_tickets(tickets)
            return f"is in {path} and nowhere else"

        yield write


def _print_tickets(tickets: Sequence[Ticket]) -> str:
    from oasis.classroom.people.roll import tickets_csv
    from oasis.classroom.spreadsheet import MARK

    text = tickets_csv(tickets)
    sys.stdout.write(text.removeprefix(MARK) if sys.stdout.isatty() else text)
    return "is shown only this once"


def _told_of_old(count: int) -> str:
    """How many names of a list were known; nothing if none was."""
    return f" On the list already, and left as they are: {count:,}; `list --all` shows also who left." if count else ""
