"""`oasis lesson`: lessons for a class, written, checked, and seen as a student will see them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    FormatOption,
    JsonOption,
    LemmaArgument,
    narrate_reading,
    number_option,
    read_notation,
    read_text_of,
    seconds_option,
    seed_option,
)
from oasis.cli.exits import EXIT_REJECTED
from oasis.cli.narration import narrate
from oasis.cli.progress import counted
from oasis.cli.render import print_columns, print_countermodel, print_json, print_line, print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.classroom.lessons.checking import Checked
    from oasis.classroom.lessons.drafting import Draft
    from oasis.classroom.lessons.lesson import Lesson
    from tactics.printer import Notation

app = typer.Typer()
LessonArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A lesson, in TOML.")]


@app.command()
def new(file: Annotated[Path, typer.Argument(metavar="FILE", help="What to call it, as in week_1.toml.")]) -> None:
    """Write a lesson to begin with, full of remarks; a file that is there is not touched."""
    from oasis.classroom.lessons.lesson import write_lesson

    write_lesson(file)
    narrate(
        f"{file} is written; work on it is kept under its name, {file.stem}. Change what is in it as you like, and "
        f"then: oasis lesson check {file}"
    )


@app.command("from")
def from_sheet(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A sheet: Coq, Lean, Isabelle, LaTeX, Markdown, a list, or - for stdin."),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="What to call the lesson, as in week.toml.")
    ] = None,
    seconds: Annotated[float, seconds_option("How long each exercise may take.")] = 10.0,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Make a lesson of a sheet of exercises; without -o only say what there is in it.

    Exercises that have a proof are in the lesson; those that have none stand in it as remarks, and are told with a
    countermodel each. What can be read in two ways, is not propositional or cannot be read is told with its place.
    """
    from curricula.sheet import read_sheet
    from oasis.classroom.lessons.drafting import drafting
    from oasis.classroom.lessons.lesson import write_lesson
    from oasis.ground.files import check_new

    written_in = read_notation(notation)
    if output is not None:
        check_new(output)
    path = Path("stdin" if file == "-" else file)
    source = "standard input" if file == "-" else file
    sheet = read_sheet(read_text_of(file), source, stem=path.stem, ending=path.suffix)
    *_, draft = counted(drafting(sheet, seconds), len(sheet.lemmas), lambda draft: "exercises")
    is_written = output is not None and bool(draft.exercises)
    if output is not None and is_written:
        write_lesson(output, draft.toml(output.stem))
    if as_json:
        print_json({"lesson": str(output) if is_written else None, **draft.to_json(written_in)})
    else:
        _print_draft(draft, written_in)
    if is_written:
        narrate(f"{output} is written; what students will see: oasis lesson preview {output}")
    elif not draft.exercises:
        narrate("Nothing is written, as there is no exercise that has a proof.")
        raise typer.Exit(EXIT_REJECTED)
    else:
        narrate("Nothing is written; -o week.toml writes the lesson.")


def _print_draft(draft: Draft, notation: Notation) -> None:
    """What came of a sheet in a sentence, and what there is to say of each statement that is no exercise."""
    from tactics.printer import brief

    print_text(draft.sentence)
    for told in draft.details:
        print()
        (print_line if "\n" in told else print_text)(told)
    for lemma, countermodel in draft.without_proof:
        print()
        title = f"{lemma.name}: {brief(lemma.formula, notation)} has no proof, and fails here:"
        print_countermodel(title, countermodel, notation)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="One lesson or all of a class, in TOML.")],
    seconds: Annotated[float, seconds_option("How long each exercise may take.")] = 10.0,
    too_long: Annotated[int, number_option("Moves of which a shortest proof may have no more.", "[1, ∞)")] = 30,
    notation: FormatOption = "coq",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Say which exercises cannot be done, or are too easy or too long, and how short their proofs can be.

    Of an exam it also says what stands in the course, or in another of these lessons, and who has extra time and is not
    on the list of the class. Exit code 0 if every exercise can be given, 1 if one cannot.
    """
    from oasis.classroom.lessons.checking import check as check_lesson
    from oasis.classroom.lessons.following import read_lessons
    from oasis.classroom.lessons.lesson import given_on

    written_in = read_notation(notation)
    lessons, has_error, contents = read_lessons(files), False, []
    narrate_reading([remark for lesson in lessons for remark in lesson.remarks])
    for lesson in lessons:
        checking = check_lesson(lesson, seconds, too_long, beside=lessons)
        found = list(counted(checking, len(lesson.exercises), lambda checked: checked.exercise.name))
        has_error = has_error or any(checked.has_error for checked in found)
        if as_json:
            exercises = [checked.to_json(written_in) for checked in found]
            held = {"held": lesson.held.to_json(), "remarks": _of_exam(lesson, db)} if lesson.is_exam else {}
            contents.append({"lesson": lesson.name, "exam": lesson.is_exam, **held, "exercises": exercises})
            continue
        if lesson is not lessons[0]:
            print()
        if len(lessons) > 1:
            print_text(f"{lesson.name}: {lesson.title}")
        _print_checked(found, written_in)
        print()
        if lesson.is_exam:
            print_text(" ".join(["An exam: while it is open, students have it alone.", *lesson.held.in_words()]))
            for remark in _of_exam(lesson, db):
                print_text(remark, "Remark on the exam: ")
        for sentence in given_on([checked.exercise for checked in found]):
            print_text(sentence)
    if as_json:
        print_json(contents[0] if len(contents) == 1 else {"lessons": contents})
    if has_error:
        raise typer.Exit(EXIT_REJECTED)


def _of_exam(lesson: Lesson, db: Path) -> list[str]:
    """What there is to say of how an exam is held; of a class that there is, also of its list."""
    from oasis.classroom.admission import names_on_list

    return lesson.held.remarks(names_on_list(db))


def _print_checked(found: Sequence[Checked], notation: Notation) -> None:
    """A table of the exercises, what there is to say of them, and why the errors among them have no proof."""
    from oasis.classroom.lessons.checking import said_of
    from tactics.printer import brief

    print_columns(
        found,
        {
            "exercise": lambda checked: checked.exercise.name,
            "formula": lambda checked: brief(checked.exercise.formula, notation),
            "verdict": "verdict",
            ">shortest": lambda checked: checked.optimum or "–",
        },
    )
    if pools := [(checked.exercise.name, each) for checked in found for each in checked.pool]:
        print()
        print_columns(
            pools,
            {
                "pool of": lambda row: row[0],
                "lemma": lambda row: row[1].variant.name,
                "formula": lambda row: brief(row[1].variant.formula, notation),
                "difficulty": lambda row: row[1].difficulty.sentence() if row[1].difficulty else row[1].reached,
            },
        )
    for mark, text in said_of(found):
        print_text(text, mark)
    for checked in found:
        if checked.has_error and checked.countermodel is not None:
            print()
            why = f"{checked.exercise.name} is not provable, and fails here:"
            print_countermodel(why, checked.countermodel, notation)


@app.command()
def variants(
    lemma: LemmaArgument,
    number: Annotated[int, number_option("How many lemmas there shall be with the given one.", "[2, 1000]")] = 5,
    seconds: Annotated[float, seconds_option("How long the search may take.")] = 60.0,
    seed: Annotated[int, seed_option("Of the mutations; another one finds others.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Find lemmas that are as hard as one, as an exercise with a pool to put into a lesson.

    As hard are lemmas with equally long shortest proofs, as many moves that lose, and the first of these after as many
    moves; or, without a proof, with equally large countermodels and as long ways to be stuck. Exit code 1 if fewer are
    found.
    """
    from oasis.classroom.lessons.searching import searching

    *_, found = counted(searching(lemma, number, seconds, seed), number, lambda found: "lemmas")
    if as_json:
        print_json(found.to_json())
    elif found.others:
        print(found.toml())
    said = f"{len(found.others) + 1} of {number} lemmas found among {found.tried:,} formulas"
    if len(found.others) + 1 < number:
        narrate(f"{said}: {found.reached}; try a larger --seconds, another --seed, or a larger lemma.")
        raise typer.Exit(EXIT_REJECTED)
    narrate(f"{said}; put them into a lesson, and check it.")


@app.command()
def preview(
    file: LessonArgument,
    student: Annotated[str, typer.Option(metavar="NAME", help="For whom; students may have their own letters.")] = "",
    notation: FormatOption = "unicode",
) -> None:
    """Print what a student will see: the exercises in their letters and the terms, without answers."""
    from oasis.classroom.lessons.exams import ALONE
    from oasis.classroom.lessons.lesson import Lesson, in_words, own_words, shared
    from oasis.classroom.lessons.pools import different
    from oasis.classroom.proving.exercise import is_named
    from tactics.printer import show

    written_in = read_notation(notation)
    lesson = Lesson.read(file)
    exercises = lesson.exercises_for(student)
    common = shared(exercises)
    pools = {entry.exercise.name: len(different(entry.pool)) for entry in lesson.exercises if entry.pool}
    exam = [ALONE, *lesson.held.in_words(student)] if lesson.is_exam else []
    for sentence in filter(None, [lesson.title, lesson.about, *exam, *in_words(common)]):
        print_text(sentence)
    print()
    for exercise in exercises:
        text = show(exercise.formula, written_in)
        print(f"{exercise.name}: {text}" if is_named(exercise) else text)
        if exercise.name in pools:
            print_text(f"or, by lot, another one of {pools[exercise.name]} lemmas of its pool", "    ")
        for sentence in own_words(exercise.terms, common):
            print_text(sentence, "    ")
    if lesson.letters == "own" and not student:
        narrate("Each student has other letters than these; --student NAME shows theirs.")
