"""`oasis classroom students`: the list of a class, for its teacher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, read_text_of
from oasis.cli.doors import opened_register
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.classroom.people.roll import Listed, Ticket

app = typer.Typer(
    help="The list of the class; the teacher's passphrase is asked for (or taken from OASIS_PASSPHRASE).",
    no_args_is_help=True,
)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A student on the list.")]


@app.command("list")
def list_students(
    everybody: Annotated[bool, typer.Option("--all", help="Also those who left.")] = False,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show who is in the class, since when, and whether a passphrase is asked for."""
    from oasis.cli.render import print_json

    with opened_register(db) as register:
        students = register.roll.students()
    left = 0 if everybody else sum(student.left is not None for student in students)
    if left:
        students = [student for student in students if student.left is None]
    if as_json:
        print_json({"students": [student._asdict() for student in students]})
    else:
        _print_list(students)
    if left:
        gone = "1 student left and is" if left == 1 else f"{left:,} students left and are"
        narrate(f"{gone} not shown; --all shows who left, too.")


@app.command()
def add(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Whom to add.")] = None,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="A list of names, one a line; - for standard input.")
    ] = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Add students, each with a passphrase; names and passphrases are printed as CSV, to be handed out.

    Either all are added or nobody is. Two students of one name are told apart as in Ada Lovelace and Ada Lovelace 2.
    """
    from oasis.classroom.people.names import names_in

    with opened_register(db) as register:
        tickets = register.roll.add([*(names or []), *(names_in(read_text_of(file)) if file is not None else [])])
    _print_tickets(tickets)
    count = "1 student is" if len(tickets) == 1 else f"{len(tickets):,} students are"
    narrate(f"{count} new on the list; a passphrase is shown only this once, so hand them out.")


@app.command()
def passphrase(name: NameArgument, db: DatabaseOption = DATABASE) -> None:
    """Give a student who has forgotten the passphrase another one, which is printed as CSV."""
    with opened_register(db) as register:
        ticket = register.roll.reset(name)
    _print_tickets([ticket])
    narrate(f"{ticket.name} comes in with it from now on; it is shown only this once, so pass it on.")


@app.command()
def rename(
    name: NameArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name as it should be.")],
    db: DatabaseOption = DATABASE,
) -> None:
    """Correct a name; all work stays the student's, and in lessons with letters of one's own these stay the same."""
    with opened_register(db) as register:
        new = register.roll.rename(name, new)
    narrate(f"{name} is {new} from now on, and signs in with that name.")


@app.command()
def dismiss(name: NameArgument, db: DatabaseOption = DATABASE) -> None:
    """Take a student off the list, who is not let in any more; all work is kept for when they come back.

    Who is in at the moment can go on until they leave the classroom.
    """
    with opened_register(db) as register:
        name = register.roll.dismiss(name)
    narrate(
        f"{name} is off the list and is not let in any more; who is in at the moment can go on until they leave the "
        "classroom. All work is kept."
    )


@app.command()
def readmit(name: NameArgument, db: DatabaseOption = DATABASE) -> None:
    """Have a student back who was taken off the list, with all work and the passphrase of before."""
    with opened_register(db) as register:
        name = register.roll.readmit(name)
    narrate(f"{name} is on the list, with all work.")


def _print_list(students: Sequence[Listed]) -> None:
    from oasis.cli.render import print_table

    print_table(
        ["student", "joined", "left", "account", "passphrase"],
        [
            [
                student.name,
                student.joined[:10],
                (student.left or "")[:10],
                student.account or "",
                "yes" if student.has_passphrase else "no",
            ]
            for student in students
        ],
    )


def _print_tickets(tickets: Sequence[Ticket]) -> None:
    from oasis.classroom.people.roll import tickets_csv

    print(tickets_csv(tickets), end="")
