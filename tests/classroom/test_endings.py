"""What is said when something ends: what was best about an attempt, and what a world has brought."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curricula.course import World, course
from oasis.classroom.desk.endings import best, world_end
from oasis.classroom.desk.progress import MAY_BE_LEFT, exercises
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import ProblemKey, problem_key
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script

POINTING = Terms(moves="point")


def after(script: str, lemma: str = "p -> p", **given: int | bool) -> Attempt:
    attempt = Attempt(parse(lemma), list(parse_script(script)), terms=POINTING)
    return replace(attempt, **given)  # type: ignore[arg-type]


def test_what_was_best_is_told() -> None:
    assert best(after("intro; assumption"), 2) == "Without help, without a slip, and no proof is shorter."
    assert best(after("intro; assumption"), 1) == best(after("intro; assumption"), None) == "Without help or a slip."
    assert best(after("intro; assumption", listed=True), 2) == "No proof is shorter."
    assert best(after("intro; assumption", given=1), 1).startswith("It is proved")


def test_who_has_found_the_way_back_is_told_so() -> None:
    attempt = after("")
    with pytest.raises(Refused):
        attempt.make(Move("split"))
    for move in parse_script("intro; assumption"):
        attempt.make(move)
    assert attempt.slips == 1
    assert best(attempt, 2) == "You found the way back yourself. No proof is shorter."


def test_of_what_has_no_proof_it_is_told_whether_it_was_seen_at_once() -> None:
    assert best(after("", "p", refuted=True), None) == "You saw it without making a move."
    assert best(after("intro", "p -> q", refuted=True), None) == "You saw it without help."
    assert best(after("", "p", refuted=True, wrong_claims=1), None).startswith("It is settled")


def done(tasks: tuple[Exercise, ...], points: int = 9) -> dict[ProblemKey, Result]:
    return {problem_key(task): Result("proved", 5, 1, points, 1, 60.0, course_points=points) for task in tasks}


@pytest.mark.parametrize("world", course(), ids=lambda world: world.name)
def test_a_world_ends_when_the_next_opens_and_when_all_is_done_and_not_between(world: World) -> None:
    tasks, name = exercises(world.name), world.title
    for count in range(1, len(tasks) + 1):
        told = world_end(done(tasks[:count]), tasks[count - 1], was_done=False)
        assert bool(told) == (len(tasks) - count in (0, MAY_BE_LEFT))
        assert world_end(done(tasks[:count]), tasks[count - 1], was_done=True) == []
    assert told[0] == f"All {len(tasks)} lemmas of {name} are done: {9 * len(tasks)} of {10 * len(tasks)} points."


def test_it_is_told_what_was_learned_and_what_opens() -> None:
    tasks = exercises("arrows")
    points, learned, opens = world_end(done(tasks[:-2], 10), tasks[3], was_done=False)
    count = len(tasks) - 2
    assert points == f"{count} of the {len(tasks)} lemmas of If and then are done: {10 * count} of {10 * count} points."
    assert learned == "New tactics that you know by now: intro, assumption, apply, nested."
    assert opens.startswith("Both is open: A conjunction gives two things")
    last = exercises("ladders")
    assert world_end(done(last), last[0], was_done=False)[-1] == "That was the last world of the course."


def test_lessons_and_single_lemmas_have_no_such_end() -> None:
    task = Exercise("p -> p", parse("p -> p"), "week 1")
    assert world_end(done((task,)), task, was_done=False) == []
