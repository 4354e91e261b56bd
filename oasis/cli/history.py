"""`oasis classroom history`: what a student did, attempt by attempt and moment by moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, FormatOption, JsonOption, read_notation, seconds_option
from oasis.cli.doors import desk_of, opened_register
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.classroom.register.history import History, Moment, Verdict
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
    from oasis.cli.render import print_json, print_line

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
            _row(each) if lemma is None else _content(each, verdicts, written_in if goals else None)
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
    from oasis.cli.render import clipped

    return ": ".join(clipped(name) for name in (found.kept.place, found.kept.name) if name)


def _print_moments(found: History, verdicts: Iterator[Verdict], notation: Notation, *, goals: bool) -> None:
    """A line for each moment as soon as it is known whether it lost the proof, and how things stand at the end."""
    from oasis.classroom.proving.words import when
    from oasis.cli.render import print_line
    from tactics.sequent import show_goal

    verdict: Verdict | None = None
    day = ""
    for moment in found.moments:
        verdict = next(verdicts, None)
        date, _, time = when(moment.at).partition(" ")
        said = _line(moment, verdict)
        print_line(f"{moment.number:>3}. {time if date == day else f'{date} {time}'}{said}")
        day = date
        if goals or not moment.number:
            for goal in moment.state:
                print_line(f"     {show_goal(goal, notation)}")
    if found.damage:
        print_line(f"     {found.damage}")
    if verdict is not None and not found.kept.outcome:
        print_line(f"     {verdict.sentence}")


def _line(moment: Moment, verdict: Verdict | None) -> str:
    """What is said after the time."""
    from oasis.classroom.proving.words import clock

    later = f", {clock(moment.seconds)} later" if moment.number else ""
    if moment.is_after_break:
        later = f", after a break of {clock(moment.seconds)}"
    said = f"{later}: {moment.sentence}."
    if verdict is not None and verdict.lost:
        said += " This loses the proof."
    elif verdict is not None and verdict.provable is None:
        said += f" {verdict.sentence}"
    return said


def _row(found: History) -> dict[str, Any]:
    """An attempt as JSON has it."""
    return {name: value for name, value in found.kept._asdict().items() if name not in ("key", "terms")}


def _content(found: History, verdicts: Iterator[Verdict], goals_in: Notation | None) -> dict[str, Any]:
    """An attempt with its moments as JSON has it; goals if they are to be written."""
    from tactics.json_form import state_to_json
    from tactics.script import show_script

    moments = []
    for moment in found.moments:
        event, verdict = moment.event, next(verdicts, None)
        moments.append(
            {
                "number": moment.number,
                "at": moment.at,
                "seconds": moment.seconds,
                "kind": "" if event is None else event.kind,
                "what": "" if event is None else event.what,
                "sentence": moment.sentence,
                "script": show_script(moment.script),
                **({} if goals_in is None else state_to_json(moment.state, goals_in, sugar=True)),
                **({} if verdict is None else {"provable": verdict.provable, "lost": verdict.lost}),
            }
        )
    return {**_row(found), "moments": moments, "damage": found.damage}
