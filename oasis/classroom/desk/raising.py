"""What a student has taught their companion: the proofs that they found, as they are kept with their work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from curricula.source import read_file
from oasis.classroom.desk.record import is_unvouched, kept_terms
from oasis.classroom.desk.work import read_work
from oasis.classroom.partner.companion import Companion, Shown
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import Terms
from oasis.store import KeptEvent
from tactics.formula import Formula
from tactics.parser import parse

if TYPE_CHECKING:
    from oasis.classroom.desk.desk import Desk


def lessons(desk: Desk) -> tuple[Shown, ...]:
    """Return the proofs that a student found, the oldest first; not what a file brought that nobody answers for."""
    attempts = (
        (parse(kept.formula), kept_terms(kept), events)
        for kept, events in desk.work()
        if kept.moves and not is_unvouched(kept)
    )
    return tuple(shown(attempts))


def companion(file: str) -> Companion:
    """Return the companion of a student whose work `oasis classroom export` wrote to a file.

    Raises InputError, also for a file that is no such work.
    """
    work = read_work(read_file(Path(file)))
    return Companion(shown((each.exercise.formula, each.terms, each.events) for each in work.records))


def shown(attempts: Iterable[tuple[Formula, Terms, Sequence[KeptEvent]]]) -> Iterator[Shown]:
    """Yield the last proof of each attempt that has one, as a lesson; an attempt is its formula, terms and events.

    What somebody else's moves were taken over for is not the student's own, and left out.
    """
    for formula, terms, events in attempts:
        attempt, proof = Attempt(formula, terms=terms), None
        for event in events:
            attempt.happen([Event(event.kind, event.what)])
            if attempt.proved:
                proof = attempt.made
        if proof is not None and all(event.kind != "given" for event in events):
            yield Shown(formula, tuple(proof))
