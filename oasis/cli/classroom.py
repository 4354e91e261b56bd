"""`oasis classroom`: the teacher's side of a class, and work to take along."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli import students
from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    OutputOption,
    account,
    number_option,
    private_stream,
    read_text_of,
)
from oasis.cli.doors import OLD_PASSPHRASE, PASSPHRASE, ask, check_begun, desk_of, name_of, opened_register
from oasis.cli.history import history
from oasis.cli.narration import narrate
from oasis.cli.render import clipped, minute, print_columns, print_json, print_line, print_text
from oasis.ground.files import new_file
from tactics.errors import InputError, check_choice
from tactics.printer import COQ

if TYPE_CHECKING:
    from oasis.classroom.register.register import Register
    from oasis.classroom.register.results import Find

app = typer.Typer()
app.add_typer(students.app, name="students")
app.command()(history)

StudentOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A student's name; the one of your account on this machine if not given."),
]


@app.command()
def passphrase(db: DatabaseOption = DATABASE) -> None:
    """Set or change the passphrase that opens the teacher's view of a class.

    It is asked for twice. Scripts put it into OASIS_PASSPHRASE, and the one until now into OASIS_OLD_PASSPHRASE.
    """
    from oasis.classroom.admission import (
        Origin,
        open_classroom,
        open_register,
        set_teacher_passphrase,
        who_worked_before,
    )
    from oasis.classroom.people.passphrases import SHORTEST, check_new

    origin, old = Origin.of_account(account()), None
    if db.exists():
        with open_classroom(db, create=False) as store:
            old = ask("Passphrase until now: ", OLD_PASSPHRASE) if store.teacher() else None
            if old is not None:
                open_register(store, old, origin)  # a wrong one is told before a new one is typed twice
    new = ask(f"New passphrase of the teacher, at least {SHORTEST} characters: ", PASSPHRASE, twice=True)
    check_new(new)  # before a file is made
    with open_classroom(db) as store:
        set_teacher_passphrase(store, new, old=old, origin=origin)
        there = "" if old is not None else who_worked_before(store, db)
    narrate(f"The teacher's view of {db} opens with this passphrase from now on.")
    if there:
        narrate(there)


@app.command()
def results(
    by: Annotated[
        str,
        typer.Option(
            help="student: who has done what; class: a line for each student; problem: how each went, and what went "
            "wrong."
        ),
    ] = ("student"),
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a spreadsheet to this new file instead; - for standard output."),
    ] = None,
    gradebook: Annotated[
        str | None,
        typer.Option(
            "--for",
            help="moodle or canvas: write the table that its gradebook imports, with a column for each --lesson; to "
            "standard output unless --csv is given.",
        ),
    ] = None,
    lesson: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="A lesson, to see also what nobody has begun, and when it is due; repeatable."
        ),
    ] = None,
    group: Annotated[str | None, typer.Option(help="Of one group of the class alone.")] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show students the points of the exams among these lessons.")
    ] = False,
    seconds: Annotated[float, number_option("How long to look for wrong moves at each problem.", "[0, ∞)")] = 5.0,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show what a class has done; the teacher's passphrase is asked for (or taken from OASIS_PASSPHRASE).

    Without --lesson, what nobody has begun is not there, and the rest is due when it was at the time of work.
    """
    from oasis.classroom.lessons.following import read_lessons
    from oasis.classroom.register.gradebook import GRADEBOOKS, gradebook_csv
    from oasis.classroom.register.results import results_csv, results_json
    from oasis.classroom.spreadsheet import MARK

    check_choice("--by", by, ("student", "class", "problem"))
    if gradebook is not None:
        check_choice("--for", gradebook, GRADEBOOKS)
        csv = csv or Path("-")
    asked = read_lessons(lesson or ())
    exams = [each for each in asked if each.is_exam]
    if show and not exams:
        raise InputError("--show is said of an exam; name its file, as in --lesson exam.toml --show.")
    spreadsheet = new_file(csv) if csv is not None and str(csv) != "-" else nullcontext(sys.stdout)
    with spreadsheet as stream, opened_register(db, asked) as register:
        find = partial(register.mistakes, seconds=seconds)
        if group is not None:
            register.narrow(group)
        for exam in exams:
            if told := register.told_of_terms(exam):
                narrate(told)
            if show:
                register.show_results(exam)
                narrate(f"The students see the points of {exam.title} from now on.")
        if not asked and not gradebook:
            narrate(
                "No lesson given: what nobody has begun is left out, and due dates are old; --lesson FILE adds one."
            )
        if csv is not None:
            text, remarks = gradebook_csv(register, gradebook) if gradebook else (results_csv(register, by, find), [])
            for remark in remarks:
                narrate(remark)
            is_file = str(csv) != "-"  # else for another program, which needs no mark of Excel's
            stream.write(text if is_file else text.removeprefix(MARK))
            if is_file:
                narrate(f"The results are in {csv}.")
        elif as_json:
            print_json(results_json(register, by, find))
        elif by == "student":
            _print_students(register)
        elif by == "class":
            _print_class(register)
        else:
            _print_problems(register, find)


@app.command()
def likeness(
    lesson: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A lesson, such as an exam, to look at it alone; repeatable."),
    ] = None,
    level: Annotated[
        float, number_option("How probable it may be at most that any pair is named by chance.", "(0, 1)")
    ] = 0.001,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show which students chose the same unusual moves more often than chance, with their moves side by side.

    It is no proof of copying; what it does not show is said with it.
    """
    from oasis.classroom.lessons.following import read_lessons
    from oasis.classroom.register.likeness import WHAT_IT_DOES_NOT_SHOW

    with opened_register(db, read_lessons(lesson or ())) as register:
        pairs = register.alike(level)
    if as_json:
        found = [pair.to_json(COQ) for pair in pairs]
        print_json({"level": level, "pairs": found, "what_it_does_not_show": WHAT_IT_DOES_NOT_SHOW})
        return
    for pair in pairs:
        print_text(pair.sentence())
        one, other = pair.names
        columns = {"lemma": "lemma", one: "one", "": "=", other: "other", "others like the first": "others"}
        print_columns([both.row() for both in pair.both], columns)
    if not pairs:
        print_text("No two students chose the same more often than chance.")
    print_text(WHAT_IT_DOES_NOT_SHOW)


@app.command()
def log(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """Show who changed what: the list, passphrases, work that was brought or answered for, results that were saved."""
    with opened_register(db) as register:
        changes = register.roll.changes()
    if as_json:
        print_json({"changes": [change._asdict() for change in changes]})
        return
    columns = {field: field for field in ("by", "student", "what", "more")}
    print_columns(changes, {"at": lambda change: minute(change.at), **columns})


@app.command()
def copy(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy, which must not be there yet.")],
    db: DatabaseOption = DATABASE,
) -> None:
    """Write a whole copy of the class, as a backup or for another machine, also while the classroom is open."""
    from oasis.store import Store

    check_begun(db)
    with Store(db, create=False) as store, new_file(file):  # the file is SQLite's to fill
        store.copy(file)
    narrate(f"All of {db} is in {file}.")


@app.command()
def export(student: StudentOption = None, output: OutputOption = None, db: DatabaseOption = DATABASE) -> None:
    """Write a student's work, to take it along or to keep it."""
    from oasis.classroom.admission import open_classroom
    from oasis.classroom.desk.work import export_work

    with open_classroom(db, create=False) as store:
        text = export_work(desk_of(store, student, create=False))
    with private_stream(output) as stream:
        stream.write(text)


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What was exported, or - for standard input.")],
    student: StudentOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Read a student's work; what is here already is neither lost nor doubled.

    What is new is marked as having come from a file, and counts as done now. In an exam it counts only if the teacher
    answers for it: see `oasis classroom students import --vouch`.
    """
    from oasis.classroom.admission import open_classroom
    from oasis.classroom.desk.work import UNVOUCHED, import_work, read_work
    from oasis.classroom.people.names import proper_name

    text = read_text_of(file)
    name = student or account()
    if db.exists():
        with open_classroom(db, create=False) as store:
            name = name_of(store, student)
    work = read_work(text, proper_name(name))  # a bad file makes neither a student nor a class
    with open_classroom(db) as store:
        imported = import_work(desk_of(store, name, create=True), work)
    narrate(f"Attempts imported: {imported}.")
    if imported.new:
        narrate(UNVOUCHED)


def _print_class(register: Register) -> None:
    from oasis.classroom.proving.words import clock, when
    from oasis.classroom.register.overview import altogether, class_rows, class_view

    students, _ = class_view(register)
    print_columns(
        class_rows(students),
        {
            "student": "student",
            "now": "standing",
            "at": lambda row: clipped(row["lemma"]),
            "last seen": lambda row: when(row["seen"]) if row["seen"] else "",
            ">done": lambda row: f"{row['done']}/{row['asked']}",
            ">late": lambda row: row["late"] or "",
            **{f">{count}": count for count in ("points", "attempts", "hints")},
            ">wrong claims": "wrong_claims",
            **({">imported": "imported"} if any(each.imported for each in students) else {}),
            ">time": lambda row: clock(row["seconds"]),
        },
    )
    print_text(altogether(students).sentence())


def _print_students(register: Register) -> None:
    from oasis.classroom.proving.words import clock

    marks = register.marks()
    print_columns(
        marks,
        {
            "student": "name",
            "place": lambda mark: clipped(mark.place),
            "lemma": lambda mark: clipped(mark.lemma),
            **({"variant": lambda mark: clipped(mark.variant)} if any(mark.variant for mark in marks) else {}),
            "outcome": lambda mark: mark.outcome or ("begun" if mark.attempts else ""),
            **{f">{count}": count for count in ("moves", "points", "attempts", "hints", "refused")},
            **({">imported": "imported"} if any(mark.imported for mark in marks) else {}),
            ">time": lambda mark: clock(mark.seconds),
            "due": "punctual_in_words",
        },
    )


def _print_problems(register: Register, find: Find) -> None:
    """Each problem as soon as it is looked into."""
    for problem in register.problems():
        place = f"{clipped(problem.place)}: " if problem.place else ""
        print_line(f"{place}{clipped(problem.lemma)}  {clipped(problem.formula, 80)}")
        for line in problem.sentences():
            print_line(f"  {line}")
        for line in find(problem).sentences():
            print_line(f"  {line}")
