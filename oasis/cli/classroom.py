"""`oasis classroom`: the teacher's side of a class, and work to take along."""

from __future__ import annotations

import os
import sys
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    OutputOption,
    account,
    output_stream,
    read_stdin,
)

if TYPE_CHECKING:
    from oasis.classroom.desk import Desk
    from oasis.classroom.mistakes import Mistakes
    from oasis.classroom.register import Register
    from oasis.store import Store

app = typer.Typer(help="A class: results for its teacher, and work to take along.", no_args_is_help=True)

StudentOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A student's name; the one of your account on this machine if not given."),
]
PASSPHRASE, OLD_PASSPHRASE = "OASIS_PASSPHRASE", "OASIS_OLD_PASSPHRASE"


@app.command()
def passphrase(db: DatabaseOption = DATABASE) -> None:
    """Set or change the passphrase that opens the teacher's view of a class.

    It is asked for twice. Scripts put it into OASIS_PASSPHRASE, and the one until now into OASIS_OLD_PASSPHRASE.
    """
    from oasis.classroom.admission import open_classroom, set_teacher_passphrase

    with open_classroom(db) as store:
        old = _ask("Passphrase until now: ", OLD_PASSPHRASE) if store.teacher() else None
        set_teacher_passphrase(store, _ask("New passphrase of the teacher: ", PASSPHRASE, twice=True), old=old)
    print(f"The teacher's view of {db} opens with this passphrase from now on.", file=sys.stderr)


@app.command()
def results(
    by: Annotated[
        str, typer.Option(help="student: who has done what; problem: how each went, and what went wrong.")
    ] = ("student"),
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a spreadsheet instead; - for standard output.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long to look for wrong moves at each problem.")] = 5.0,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show what a class has done; the teacher's passphrase is asked for (or taken from OASIS_PASSPHRASE)."""
    from oasis.classroom.admission import open_classroom, open_register
    from oasis.cli.render import print_json
    from tactics.errors import InputError, check_choice

    check_choice("--by", by, ("student", "problem"))
    if seconds < 0:
        raise InputError("--seconds must be at least 0.")
    with open_classroom(db, create=False) as store:
        register = open_register(store, _ask("Passphrase of the teacher: ", PASSPHRASE) if store.teacher() else "")
        if csv is not None:
            text = register.student_csv() if by == "student" else register.problem_csv(seconds)
            with output_stream(None if str(csv) == "-" else csv) as stream:
                stream.write(text)
        elif as_json:
            print_json(_content(register, by, seconds))
        elif by == "student":
            _print_students(register)
        else:
            _print_problems(register, seconds)


@app.command()
def export(student: StudentOption = None, output: OutputOption = None, db: DatabaseOption = DATABASE) -> None:
    """Write a student's work, to take it along or to keep it."""
    from oasis.classroom.admission import open_classroom
    from oasis.classroom.work import export_work

    with open_classroom(db, create=False) as store:
        text = export_work(_desk(store, student, create=False))
    with output_stream(output) as stream:
        stream.write(text)


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What was exported, or - for standard input.")],
    student: StudentOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Read a student's work; what is here already is neither lost nor doubled."""
    from oasis.classroom.admission import open_classroom, proper_name
    from oasis.classroom.work import import_work, read_work

    text = _read(file)
    with open_classroom(db) as store:
        read_work(text, proper_name(account() if student is None else student))  # a bad file makes no student
        imported = import_work(_desk(store, student, create=True), text)
    print(f"Attempts imported: {imported.new:,}; here already: {imported.known:,}.", file=sys.stderr)


def _desk(store: Store, student: str | None, *, create: bool) -> Desk:
    """The desk of the student who is named, or of the one whose account this is."""
    from oasis.classroom.admission import admit, needs_passphrase

    user = account()
    name = user if student is None else student
    given = _ask(f"Passphrase of {name}: ", PASSPHRASE) if needs_passphrase(store, name, user) else None
    return admit(store, name, passphrase=given, account=user, create=create)


def _ask(question: str, variable: str, *, twice: bool = False) -> str:
    """A passphrase from a variable of the environment, or typed unseen."""
    from tactics.errors import InputError

    if variable in os.environ:
        return os.environ[variable]
    if not sys.stdin.isatty():
        raise InputError(f"A passphrase is asked for on a terminal; without one, put it into {variable}.")
    typed = getpass(question)
    if twice and getpass("Once more: ") != typed:
        raise InputError("The two are not the same; nothing was changed, so begin again.")
    return typed


def _read(file: str) -> str:
    """The text of a file, which must be in UTF-8."""
    from tactics.errors import InputError

    if file == "-":
        return read_stdin()
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not text in UTF-8; name what `oasis classroom export` wrote.") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}); name another file.") from None


def _content(register: Register, by: str, seconds: float) -> dict[str, Any]:
    """The results as JSON has them."""
    if by == "student":
        return {
            "whereabouts": [each._asdict() for each in register.whereabouts()],
            "marks": [mark._asdict() for mark in register.marks()],
        }
    problems = []
    for problem in register.problems():
        mistakes = register.mistakes(problem, seconds)
        wrong = [
            {"move": str(each.move), "sentence": each.sentence(), "times": each.times, "students": each.students}
            for each in mistakes.moves
        ]
        problems.append({**problem._asdict(), "wrong_moves": wrong, "attempts_searched": mistakes.seen})
    return {"problems": problems}


def _print_students(register: Register) -> None:
    from oasis.cli.render import print_table

    print_table(
        ["student", "place", "lemma", "outcome", "moves", "points", "attempts", "hints", "refused", "time", "due"],
        [
            [
                mark.student,
                mark.place,
                mark.lemma,
                mark.outcome or "begun",
                "" if mark.moves is None else str(mark.moves),
                str(mark.points),
                str(mark.attempts),
                str(mark.hints),
                str(mark.refused),
                _minutes(mark.seconds),
                mark.punctual,
            ]
            for mark in register.marks()
        ],
        numeric={"moves", "points", "attempts", "hints", "refused", "time"},
    )


def _print_problems(register: Register, seconds: float) -> None:
    """Each problem as soon as it is looked into."""
    for problem in register.problems():
        place = f"{problem.place}: " if problem.place else ""
        print(f"{place}{problem.lemma}  {problem.formula}")
        median = "" if problem.median_seconds is None else f", half of them within {_minutes(problem.median_seconds)}"
        late = f", {problem.late} late" if problem.late else ""
        print(f"  done by {problem.done} of {problem.begun}{late}{median}")
        print(f"  attempts {problem.attempts}, hints {problem.hints}, wrong claims {problem.wrong_claims}")
        for line in _wrong(register.mistakes(problem, seconds)):
            print(f"  {line}", flush=True)


def _wrong(mistakes: Mistakes) -> list[str]:
    """The commonest wrong moves, and how much of the attempts was looked at if not all."""
    said = [f"{each.students} × {each.sentence()}" for each in mistakes.moves[:3]]
    if mistakes.seen < mistakes.attempts or mistakes.unknown:
        said.append(f"looked at {mistakes.seen} of {mistakes.attempts} attempts; {mistakes.unknown} moves undecided")
    return said


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"
