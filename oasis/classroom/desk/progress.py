"""How far a student has come in the course: which worlds are open, and what of each is done.

It follows from the student's results alone, and a lemma counts wherever it was done. The course itself is data of
`curricula.course`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from curricula import Lemma, resolve_lemma
from curricula.course import course
from oasis.classroom.desk.reckoning import COURSE_TERMS, Result
from oasis.classroom.desk.record import PROVED, REFUTED, ProblemKey
from oasis.classroom.proving.exercise import COURSE, Exercise
from oasis.classroom.proving.rules import with_signs
from state_spaces.name import formula_key
from tactics.errors import InputError, did_you_mean
from tactics.printer import COQ, Notation

MAY_BE_LEFT: Final = 2
"""How many lemmas of a world may be left undone and the next world is open nevertheless."""

LIT: Final = 3
"""How many lemmas at the beginning of the course have a light, for who has never seen a proof lost."""


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
        is_open: whether the student may work in it, as enough is done of the one before, or something was begun here
            or further on, as it may be when a world before has got more lemmas; within it everything is open.
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
    begun = [place for (place, _, _), result in results.items() if result.attempts]
    reached = max((number for number, world in enumerate(course()) if f"{COURSE}{world.name}" in begun), default=0)
    worlds: list[WorldProgress] = []
    for number, world in enumerate(course()):
        is_open = number <= reached or worlds[-1].opens_next
        entries = tuple(
            LemmaProgress(_lemma(each), _together(by_lemma.get((each, _key(each)), ()))) for each in world.lemmas
        )
        worlds.append(WorldProgress(world.name, world.title, world.about, world.rules, entries, is_open))
    return tuple(worlds)


def exercise(name: str) -> Exercise:
    """The lemma of this name as an exercise of its world. Raises InputError if the course has no such lemma."""
    known = {each.name: each for each in course_exercises()}
    if name not in known:
        advice = did_you_mean(name, list(known), "see oasis curricula show course for what it has.")
        raise InputError(f"The course has no lemma called {name}; {advice}")
    return known[name]


def as_exercise(lemma: Lemma) -> Exercise:
    """A lemma as the exercise of the course that it is, or else as one of no place."""
    found = (each for each in course_exercises() if (each.name, each.formula) == (lemma.name, lemma.formula))
    return next(found, Exercise.of(lemma))


def exercises(world: str) -> tuple[Exercise, ...]:
    """The exercises of a world, by its name, in their order."""
    place = f"{COURSE}{world}"
    return tuple(each for each in course_exercises() if each.place == place)


def called(place: str, name: str, *, is_done: bool) -> str:
    """What a student reads as the name of an exercise.

    The names of the course's lemmas tell something of them, so until one is done it has the title of its world and its
    number there.

    Args:
        place: of the exercise.
        name: of its lemma.
        is_done: whether the student has done it.
    """
    world = next((each for each in course() if place == f"{COURSE}{each.name}"), None)
    if is_done or world is None or name not in world.notes:
        return name
    return f"{world.title} {world.lemmas.index(name) + 1}"


def sayings(place: str, name: str, notation: Notation = COQ) -> tuple[str, ...]:
    """What is said of a lemma of the course once it is done: why it holds or does not, and what it says or is good for.

    Nothing is said of exercises that are not the course's.
    """
    for world in course():
        if place == f"{COURSE}{world.name}" and name in world.notes:
            return tuple(with_signs(sentence, notation) for sentence in world.notes[name])
    return ()


def present(results: Mapping[ProblemKey, Result]) -> tuple[Exercise, ...]:
    """The exercises of the first open world in which something is left to do; of the last if nothing is."""
    worlds = progress(results)
    left = (world for world in worlds if world.is_open and world.done < len(world.entries))
    return exercises(next(left, worlds[-1]).name)


def course_exercises() -> tuple[Exercise, ...]:
    """All exercises of the course in their order."""
    named = [(world.name, name) for world in course() for name in world.lemmas]
    return tuple(
        Exercise.of(_lemma(name), f"{COURSE}{world}", replace(COURSE_TERMS, light=number < LIT))
        for number, (world, name) in enumerate(named)
    )


@cache
def _lemma(name: str) -> Lemma:
    return resolve_lemma(name)


@cache
def _key(name: str) -> bytes:
    return formula_key(_lemma(name).formula)


def _together(results: Sequence[Result]) -> Result | None:
    """The results in several places as one; the best counts, as the course counts it."""
    if not results:
        return None
    best = max(results, key=lambda result: (bool(result.outcome), result.course_points))
    outcomes = {result.outcome for result in results}
    return Result(
        outcome=next((outcome for outcome in (PROVED, REFUTED) if outcome in outcomes), ""),
        moves=min((result.moves for result in results if result.moves), default=0),
        helped=best.helped,
        points=best.course_points,
        attempts=sum(result.attempts for result in results),
        seconds=sum(result.seconds for result in results),
        slips=best.slips,
        listed=best.listed,
        course_points=best.course_points,
    )
