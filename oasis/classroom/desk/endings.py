"""What is said when something comes to its end: what was best about an attempt, and what a world has brought.

Only words; where they stand is the business of screens.
"""

from __future__ import annotations

from collections.abc import Mapping

from oasis.classroom.desk.progress import MAY_BE_LEFT, WorldProgress, progress
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import ProblemKey
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import POINTS, Exercise
from tactics.rules import SPEAKING


def best(attempt: Attempt, shortest: int | None) -> str:
    """What was best about an attempt that is over, in a sentence.

    Args:
        attempt: which.
        shortest: how many moves a shortest proof has; None if that is not known, or there is none.
    """
    alone = not attempt.helped and not attempt.listed
    if attempt.refuted:
        return _of_a_refutation(attempt, alone)
    is_shortest = len(attempt.made) == shortest
    if alone and not attempt.slips:
        return "Without help, without a slip, and no proof is shorter." if is_shortest else "Without help or a slip."
    if alone:
        return "You found the way back yourself." + (" No proof is shorter." if is_shortest else "")
    return "No proof is shorter." if is_shortest else "It is proved, and the next one like it needs less help."


def _of_a_refutation(attempt: Attempt, alone: bool) -> str:
    if alone and not (attempt.made or attempt.undone):
        return "You saw it without making a move."
    return "You saw it without help." if alone else "It is settled, and the next one like it needs less help."


def world_end(results: Mapping[ProblemKey, Result], exercise: Exercise, *, was_done: bool) -> list[str]:
    """What a world has brought, if with this exercise it is done, or done so far that the next one opens.

    Args:
        results: of the student, this exercise among them.
        exercise: that has just been done.
        was_done: whether it had been done before.
    """
    worlds = progress(results)
    place = next((n for n, each in enumerate(worlds) if exercise.place == f"course/{each.name}"), None)
    if place is None or was_done:
        return []
    world, following = worlds[place], worlds[place + 1] if place + 1 < len(worlds) else None
    left = len(world.entries) - world.done
    if left not in (0, MAY_BE_LEFT):
        return []
    points = sum(entry.result.points for entry in world.entries if entry.result is not None)
    number = f"{world.done} of the" if left else "All"
    done = f"{number} {len(world.entries)} lemmas of {world.title} are done"
    told = [f"{done}: {points} of {world.done * POINTS} points.", _learned(world), _opened(following, left)]
    return list(filter(None, told))


def _learned(world: WorldProgress) -> str:
    """The tactics that were used in a world for the first time."""
    named = [SPEAKING.get(rule, rule) for rule in world.rules]
    return f"New tactics that you know by now: {', '.join(named)}." if named else ""


def _opened(following: WorldProgress | None, left: int) -> str:
    """What is open now, or comes next."""
    if following is None:
        return "" if left else "That was the last world of the course."
    return f"{following.title} is open: {following.about}" if left else f"{following.title} comes next."
