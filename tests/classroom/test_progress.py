"""Progress in the course: what opens a world, what counts as done, what is said at an end, and who gets points."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve_lemma
from curricula.course import World, course
from oasis.classroom.desk.endings import best, world_end
from oasis.classroom.desk.progress import (
    MAY_BE_LEFT,
    as_exercise,
    called,
    course_exercises,
    exercise,
    exercises,
    present,
    progress,
    sayings,
)
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import ProblemKey, problem_key
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.exercise import POINTS, Exercise, Terms
from oasis.classroom.proving.pointing import moves_at, places
from oasis.teacher.hints import Teacher
from state_spaces.name import formula_key
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.rules import legal_moves
from tactics.script import parse_script

NAMES = [name for world in course() for name in world.lemmas]


def problem(name: str, place: str = "") -> ProblemKey:
    """Return the key of a lemma of the course in some place."""
    return place, name, formula_key(exercise(name).formula)


results = st.dictionaries(
    st.builds(problem, st.sampled_from(NAMES), st.sampled_from(["", "course/pairs", "week 1"])),
    st.builds(
        Result,
        outcome=st.sampled_from(["", "proved", "refuted"]),
        moves=st.integers(0, 40),
        helped=st.integers(0, 5),
        points=st.integers(0, 10),
        attempts=st.integers(0, 3),
        seconds=st.floats(0, 600),
    ),
)


def done(*names: str, place: str = "", outcome: str = "proved") -> dict[ProblemKey, Result]:
    return {problem(name, place): Result(outcome, 5, 0, 10, 1, 60.0) for name in names}


@given(results)
def test_a_world_is_open_if_all_but_two_before_are_done_or_if_reached(given_results: dict[ProblemKey, Result]) -> None:
    worlds = progress(given_results)
    assert [world.name for world in worlds] == [world.name for world in course()]
    done_names = {name for (_, name, _), result in given_results.items() if result.outcome}
    begun = [place for (place, _, _), result in given_results.items() if result.attempts]
    for before, world, known in zip((None, *worlds), worlds, course(), strict=False):
        assert [entry.lemma.name for entry in world.entries] == list(known.lemmas)
        assert world.done == len(done_names.intersection(known.lemmas))
        further = {f"course/{each.name}" for each in worlds[worlds.index(world) :]}
        was_reached = any(place in further for place in begun)
        is_next = before is None or len(before.entries) - before.done <= MAY_BE_LEFT
        assert world.is_open == (is_next or was_reached)


@given(results)
def test_the_best_of_all_places_counts(given_results: dict[ProblemKey, Result]) -> None:
    for entry in (entry for world in progress(given_results) for entry in world.entries):
        there = [result for (_, name, _), result in given_results.items() if name == entry.lemma.name]
        assert (entry.result is None) == (not there)
        if entry.result is not None:
            assert entry.is_done == any(result.outcome for result in there)
            assert entry.result.attempts == sum(result.attempts for result in there)
            assert entry.result.moves == min((result.moves for result in there if result.moves), default=0)


def test_another_formula_under_the_name_of_a_lemma_is_not_that_lemma() -> None:
    easier = formula_key(exercise("textbook/identity").formula)
    names = course()[0].lemmas
    claimed = {("", name, easier): Result("proved", 2, 0, 10, 1, 60.0) for name in names}
    assert progress(claimed)[0].done == names.count("textbook/identity")


def test_a_lemma_of_the_course_is_its_exercise_wherever_it_is_named() -> None:
    assert as_exercise(resolve_lemma("textbook/or_comm")) == exercise("textbook/or_comm")
    assert as_exercise(resolve_lemma("p -> p")).place == ""
    assert as_exercise(resolve_lemma("textbook/or_comm : p -> p")).place == ""


def test_a_non_theorem_is_done_when_it_is_rightly_refuted_and_nothing_before_it_is_over() -> None:
    world = next(world for world in progress(done("textbook/peirce", outcome="refuted")) if world.name == "nested")
    assert world.done == 1
    assert [entry.lemma.name for entry in world.entries if entry.is_done] == ["textbook/peirce"]
    worlds = progress({problem("textbook/identity"): Result("", 0, 1, 0, 2, 30.0)})
    assert worlds[0].entries[0].result is not None and not worlds[0].entries[0].is_done


def test_a_lemma_has_its_name_only_when_it_is_done() -> None:
    assert called("course/arrows", "choices/converse", is_done=False) == "If and then 4"
    assert called("course/arrows", "choices/converse", is_done=True) == "choices/converse"
    assert called("week 1", "choices/converse", is_done=False) == "choices/converse"
    assert called("course/arrows", "p -> p", is_done=False) == "p -> p"
    titles = {called(each.place, each.name, is_done=False) for each in course_exercises()}
    assert len(titles) == len(course_exercises())


def test_what_is_said_of_a_lemma_is_that_of_its_world_in_the_signs_of_a_notation() -> None:
    assert all(len(sayings(each.place, each.name)) == 2 for each in course_exercises())
    assert sayings("course/arrows", "choices/converse", UNICODE)[0].startswith("Where q holds and p does not, p → q is")
    assert sayings("week 1", "choices/converse") == sayings("course/pairs", "choices/converse") == ()


def test_what_is_not_in_the_course_is_refused_in_words() -> None:
    with pytest.raises(InputError, match=r"no lemma called textbook/and_com; did you mean textbook/and_comm\?"):
        exercise("textbook/and_com")
    with pytest.raises(InputError, match="see oasis curricula show course"):
        exercise("Riemann")


def test_a_student_goes_on_in_the_first_open_world_with_something_left_to_do() -> None:
    assert {each.place for each in present({})} == {"course/arrows"}
    arrows, others = course()[0].lemmas, [name for world in course()[1:] for name in world.lemmas]
    assert {each.place for each in present(done(*arrows))} == {"course/pairs"}
    assert {each.place for each in present(done(*arrows[1:]))} == {"course/arrows"}
    assert {each.place for each in present(done(*arrows, *others))} == {f"course/{course()[-1].name}"}


# What is said at an end: what was best about an attempt, and what a world has brought.

POINTING = Terms(moves="point")


def after(script: str, lemma: str = "p -> p", **given: int | bool) -> Attempt:
    attempt = Attempt(parse(lemma), list(parse_script(script)), terms=POINTING)
    return replace(attempt, **given)  # type: ignore[arg-type]


def test_the_best_of_an_attempt_is_told() -> None:
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


def reached(tasks: tuple[Exercise, ...], points: int = 9) -> dict[ProblemKey, Result]:
    return {problem_key(task): Result("proved", 5, 1, points, 1, 60.0, course_points=points) for task in tasks}


@pytest.mark.parametrize("world", course(), ids=lambda world: world.name)
def test_a_world_ends_when_the_next_opens_and_when_all_is_done_and_not_between(world: World) -> None:
    tasks, name = exercises(world.name), world.title
    for count in range(1, len(tasks) + 1):
        told = world_end(reached(tasks[:count]), tasks[count - 1], was_done=False)
        assert bool(told) == (len(tasks) - count in (0, MAY_BE_LEFT))
        assert world_end(reached(tasks[:count]), tasks[count - 1], was_done=True) == []
    assert told[0] == f"All {len(tasks)} lemmas of {name} are done: {9 * len(tasks)} of {10 * len(tasks)} points."


def test_it_is_told_what_was_learned_and_what_opens() -> None:
    tasks = exercises("arrows")
    points, learned, opens = world_end(reached(tasks[:-2], 10), tasks[3], was_done=False)
    count = len(tasks) - 2
    assert points == f"{count} of the {len(tasks)} lemmas of If and then are done: {10 * count} of {10 * count} points."
    assert learned == "New tactics that you know by now: intro, assumption, apply, nested."
    assert opens.startswith("Both is open: A conjunction gives two things")
    last = exercises("ladders")
    assert world_end(reached(last), last[0], was_done=False)[-1] == "That was the last world of the course."
    single = Exercise("p -> p", parse("p -> p"), "week 1")
    assert world_end(reached((single,)), single, was_done=False) == []


# The course played by those who think and by those who play by rote: only thinking is worth all points.

ADVISER: Final = Adviser(60)


@cache
def has_proof(formula: Formula) -> bool:
    """Return True if a formula has a proof."""
    return bool(ADVISER.has_proof(Attempt(formula)))


def claim(attempt: Attempt) -> None:
    """Say that there is no proof."""
    attempt.claim(right=not has_proof(attempt.formula))


def pointed_at(attempt: Attempt, order: str) -> list[Move]:
    """Return the moves that apply, in the order in which pointing finds them."""
    if attempt.proved:
        return []
    *hypotheses, conclusion = places(attempt.state[0])
    there = {
        "down": [*hypotheses, conclusion],
        "up": [conclusion, *reversed(hypotheses)],
        "conclusion first": [conclusion, *hypotheses],
    }[order]
    found = (move for place in there for move in moves_at(attempt.state[0], place, attempt.terms.rules))
    return [move for move in dict.fromkeys(found) if move in legal_moves(attempt.state[0])]


def think(attempt: Attempt) -> None:
    """Play a shortest proof, or say that there is none."""
    if not has_proof(attempt.formula):
        claim(attempt)
    teacher = Teacher()
    while not attempt.is_over:
        attempt.make(teacher.advice(attempt.state[0]).move)


def from_the_list(attempt: Attempt, *, place: int) -> None:
    """Have the moves listed, and take always the one at a place, as 0 for the first."""
    attempt.show_list()
    while offers := attempt.offers():
        attempt.make(offers[place].move)


def point(attempt: Attempt, *, order: str) -> None:
    """Point at one formula after the other until no move applies."""
    while following := pointed_at(attempt, order):
        attempt.make(following[0])


ORDERS: Final = ("down", "up", "conclusion first")
Player = Callable[[Attempt], None]
ROTE: Final[dict[str, Player]] = {
    "the first of the list": partial(from_the_list, place=0),
    "the last of the list": partial(from_the_list, place=-1),
    **{f"pointing, {order}": partial(point, order=order) for order in ORDERS},
}


def share(player: Player, played: Sequence[Exercise]) -> float:
    """Return the share of the points of some exercises that a player gets."""
    points = 0
    for task in played:
        attempt = Attempt(task.formula, terms=task.terms)
        player(attempt)
        points += attempt.points
    return points / POINTS / len(played)


@pytest.mark.slow
def test_who_thinks_gets_every_point() -> None:
    assert share(think, course_exercises()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("player", ROTE.values(), ids=ROTE)
def test_who_plays_by_rote_does_not_come_near_who_thinks(player: Player) -> None:
    assert 0 < share(player, exercises(course()[0].name)) <= 1 / 2
    assert share(player, course_exercises()) <= 0.7
    assert all(share(player, exercises(world.name)) < 1 for world in course())
