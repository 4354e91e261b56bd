"""How far a student has come in the course: which worlds are open, and what of each is done.

It follows from the student's results alone, and a lemma counts wherever it was done. The course itself is data of
`curricula.course`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from curricula import Lemma, resolve_lemma
from curricula.course import course
from oasis.classroom.desk.record import PROVED, REFUTED, ProblemKey, Result, formula_key
from oasis.classroom.proving.exercise import Exercise
from tactics.errors import InputError, did_you_mean

MAY_BE_LEFT: Final = 2
"""How many lemmas of a world may be left undone and the next world is open nevertheless."""


class LemmaProgress(NamedTuple):
    """A lemma of the course.

    Attributes:
        lemma: which one; its `shortest` is the number of moves in a shortest proof, if that is known.
        result: what the student has made of it in all places together; None if nothing.
    """

    lemma: Lemma
    result: Result | None

    @property
    def is_done(self) -> bool:
        """Whether it was proved, or rightly said to have no proof."""
        return self.result is not None and bool(self.result.outcome)


class WorldProgress(NamedTuple):
    """A world of the course.

    Attributes:
        name: one word.
        title: what a person reads.
        about: what it is about, in a sentence or two.
        rules: that are used in it for the first time.
        entries: its lemmas in their order.
        is_open: whether the student may work in it; within an open world everything is open.
    """

    name: str
    title: str
    about: str
    rules: tuple[str, ...]
    entries: tuple[LemmaProgress, ...]
    is_open: bool

    @property
    def done(self) -> int:
        """How many lemmas are done."""
        return sum(entry.is_done for entry in self.entries)

    @property
    def opens_next(self) -> bool:
        """Whether enough is done for the next world to be open."""
        return self.done >= len(self.entries) - MAY_BE_LEFT


def progress(results: Mapping[ProblemKey, Result]) -> tuple[WorldProgress, ...]:
    """The worlds of the course in their order.

    Args:
        results: of one student, as `oasis.classroom.desk.desk.Desk.results` gives them.
    """
    by_lemma: dict[tuple[str, bytes], list[Result]] = {}
    for (_, name, key), result in results.items():
        by_lemma.setdefault((name, key), []).append(result)
    worlds: list[WorldProgress] = []
    for name, title, about, rules, lemmas in course():
        is_open = not worlds or worlds[-1].opens_next
        entries = tuple(LemmaProgress(_lemma(each), _together(by_lemma.get((each, _key(each)), ()))) for each in lemmas)
        worlds.append(WorldProgress(name, title, about, rules, entries, is_open))
    return tuple(worlds)


def exercise(name: str) -> Exercise:
    """The lemma of this name as an exercise of its world. Raises InputError if the course has no such lemma."""
    known = {each.name: each for each in course_exercises()}
    if name not in known:
        advice = did_you_mean(name, list(known), "see oasis curricula show course for what it has.")
        raise InputError(f"The course has no lemma called {name}; {advice}")
    return known[name]


def exercises(world: str) -> tuple[Exercise, ...]:
    """The exercises of a world, by its name, in their order."""
    place = f"course/{world}"
    return tuple(each for each in course_exercises() if each.place == place)


def present(results: Mapping[ProblemKey, Result]) -> tuple[Exercise, ...]:
    """The exercises of the first open world in which something is left to do; of the last if nothing is."""
    worlds = progress(results)
    left = (world for world in worlds if world.is_open and world.done < len(world.entries))
    return exercises(next(left, worlds[-1]).name)


def course_exercises() -> tuple[Exercise, ...]:
    """All exercises of the course in their order."""
    return tuple(Exercise.of(_lemma(name), f"course/{world.name}") for world in course() for name in world.lemmas)


@cache
def _lemma(name: str) -> Lemma:
    return resolve_lemma(name)


@cache
def _key(name: str) -> bytes:
    return formula_key(_lemma(name).formula)


def _together(results: Sequence[Result]) -> Result | None:
    """The results in several places as one; the best counts."""
    if not results:
        return None
    best = max(results, key=lambda result: (bool(result.outcome), result.points))
    outcomes = {result.outcome for result in results}
    return Result(
        outcome=next((outcome for outcome in (PROVED, REFUTED) if outcome in outcomes), ""),
        moves=min((result.moves for result in results if result.moves), default=0),
        helped=best.helped,
        points=best.points,
        attempts=sum(result.attempts for result in results),
        seconds=sum(result.seconds for result in results),
    )
