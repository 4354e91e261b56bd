"""`oasis classroom history`: what a student did, attempt by attempt and moment by moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, FormatOption, JsonOption, read_notation, seconds_option
from oasis.cli.doors import desk_of, opened_register
from oasis.cli.narration import narrate
from oasis.cli.render import clipped, print_json, print_line

if TYPE_CHECKING:
    from oasis.classroom.register.history import History, Verdict
    from oasis.classroom.register.marks import Marks
    from tactics.printer import Notation


def history(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A student, or one of their names if no other has it.")],
    lemma: Annotated[
        str | None, typer.Argument(metavar="LEMMA", help="A lemma by name; all attempts are listed if left out.")
    ] = None,
    own: Annotated[
        bool, typer.Option("--own", help="You are this student: your passphrase is asked for, if you have one.")
    ] = False,
    goals: Annotated[bool, typer.Option("--goals", help="Show what was to be proved after each moment.")] = False,
    notation: FormatOption = "coq",
    seconds: Annotated[
        float, seconds_option("How long it may take to find out whether one move lost the proof.")
    ] = 1.0,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show what a student did: a line for each attempt, or each moment of the attempts at a lemma.

    The teacher's passphrase is asked for (or taken from OASIS_PASSPHRASE). Which move lost the proof is told to a
    student once the lemma is done.
    """
    from oasis.classroom.proving.words import when
    from oasis.classroom.register.history import can_be_told, come_to

    written_in = read_notation(notation)
    with _marks(db, name, own) as marks:
        chosen = marks.of(name) if lemma is None else marks.at(name, lemma)
        tried = [marks.attempts(mark) for mark in chosen]
    told = [
        (f"attempt {number} of {len(attempts)}", each, each.verdicts(seconds) if is_told else iter(()))
        for attempts, is_told in [(attempts, not own or can_be_told(attempts)) for attempts in tried]
        for number, each in enumerate(attempts, 1)
    ]
    if as_json:
        content = [
            each.row() if lemma is None else each.to_json(verdicts, written_in if goals else None)
            for _, each, verdicts in told
        ]
        print_json({"student": next((mark.name for mark in chosen), name), "attempts": content})
        return
    for number, each, verdicts in told:
        print_line(f"{_where(each)}, {number}, {when(each.kept.started)}: {come_to(each.kept)}")
        if lemma is not None:
            _print_moments(each, verdicts, written_in, goals=goals)
    if not told:
        narrate("Nothing is begun yet.")


@contextmanager
def _marks(db: Path, name: str, own: bool) -> Iterator[Marks]:
    """Those of the class, for its teacher, or a student's own."""
    from oasis.classroom.admission import open_classroom
    from oasis.classroom.register.marks import Marks

    if not own:
        with opened_register(db) as register:
            yield register
        return
    with open_classroom(db, create=False) as store:
        yield Marks(store, student=desk_of(store, name, create=False).student)


def _where(found: History) -> str:
    return ": ".join(clipped(name) for name in (found.kept.place, found.kept.name) if name)


def _print_moments(found: History, verdicts: Iterator[Verdict], notation: Notation, *, goals: bool) -> None:
    """A line for each moment as soon as it is known whether it lost the proof, and how things stand at the end."""
    from oasis.classroom.proving.words import when
    from tactics.sequent import show_goal

    verdict: Verdict | None = None
    day = ""
    for moment in found.moments:
        verdict = next(verdicts, None)
        date, _, time = when(moment.at).partition(" ")
        at = time if date == day else f"{date} {time}"
        print_line(f"{moment.number:>3}. {at}{moment.told(verdict)}")
        day = date
        if goals or not moment.number:
            for goal in moment.state:
                print_line(f"     {show_goal(goal, notation)}")
        for text in found.notes_at(moment.number):
            print_line(f"     The teacher: {text}")
    if found.damage:
        print_line(f"     {found.damage}")
    if verdict is not None and not found.kept.outcome:
        print_line(f"     {verdict.sentence}")
