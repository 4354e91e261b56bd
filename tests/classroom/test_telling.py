"""What a student is told never says whether a lemma has a proof before that was paid for: light, hints and words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from curricula.course import course
from oasis.classroom.desk.progress import course_exercises
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF, NOTHING_LOST, Light
from oasis.teacher.hints import LEVELS, Teacher
from tactics.goal import Goal
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script

STATES = 40
"""That are looked at of each lemma of the course; there are too many of some."""
SMALL = [each for each in course_exercises() if each.place != f"course/{course()[-1].name}"]
"""The lemmas of the course but for the last world's."""
STUCK = ["There is no proof from here, and no move applies."]
ADVISER = Adviser(60)


def after(lemma: str, script: str, terms: Terms | None = None) -> Attempt:
    return Attempt(parse(lemma), list(parse_script(script)), terms=terms or Terms(light=False))


@cache
def walked(exercise: Exercise) -> tuple[Attempt, ...]:
    """Attempts at an exercise that stand at different states which are not done, those near the beginning first."""
    return tuple(_walked(exercise))


def _walked(exercise: Exercise) -> Iterator[Attempt]:
    found: dict[tuple[Goal, ...], Attempt] = {}
    pending = [Attempt(exercise.formula, terms=exercise.terms)]
    while pending and len(found) < STATES:
        attempt = pending.pop(0)
        if attempt.proved or attempt.state in found:
            continue
        found[attempt.state] = attempt
        for offer in attempt.offers():
            further = attempt.copy()
            further.make(offer.move)
            pending.append(further)
    yield from found.values()


@pytest.fixture(scope="module")
def teacher() -> Teacher:
    return Teacher()


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_the_light_is_dark_where_a_move_has_lost_the_proof_and_where_none_applies(
    exercise: Exercise, teacher: Teacher
) -> None:
    has_proof = teacher.provable(Attempt(exercise.formula).state)
    for attempt in walked(exercise):
        is_lost = has_proof and not teacher.provable(attempt.state)
        assert ADVISER.light(attempt) is (Light.DARK if is_lost or attempt.is_stuck else Light.ON)


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_a_first_hint_says_no_more_than_the_light(exercise: Exercise) -> None:
    for attempt in walked(exercise):
        answer, light = ADVISER.judge(attempt), ADVISER.light(attempt)
        assert answer is not None and answer.light is light
        if light is Light.ON:
            assert answer.sentences() == [NOTHING_LOST]
            assert (answer.hint, answer.loss, answer.countermodel) == (None, None, None)
        elif attempt.is_stuck:
            assert answer.sentences() == STUCK
            assert answer.hint is None and answer.loss is None and answer.countermodel is not None
        else:
            assert answer.hint is not None and answer.hint.step
            assert answer.sentences()[0].startswith("There is no proof from here since move ")


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_what_costs_nothing_says_nothing_but_which_move_applies(exercise: Exercise) -> None:
    for attempt in walked(exercise):
        if attempt.only_move is None:
            continue
        for level in LEVELS:
            answer = ADVISER.answer(attempt, level)
            assert answer is not None
            said, _ = answer.sentences()
            assert said.startswith("Only one move applies here: ")


def test_of_the_only_move_no_more_is_told_than_the_hints_of_the_exercise_say() -> None:
    def told(script: str, hints: int) -> str:
        answer = ADVISER.answer(after("p /\\ q -> p", script, Terms(light=False, hints=hints)), 1)
        assert answer is not None
        *said, _ = answer.sentences()
        return " ".join(said)

    assert told("", 1) == "Only one move applies here."
    assert told("", 2) == "Only one move applies here. Look at the conclusion."
    assert told("intro", 2) == "Only one move applies here. Look at H."
    assert told("intro", 3) == "Only one move applies here, by destruct_and."
    assert told("intro", 4) == "Only one move applies here: destruct_and H."


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_who_was_told_that_there_is_a_proof_is_not_asked_whether_there_is_one(exercise: Exercise) -> None:
    for attempt in walked(exercise):
        claimed = attempt.copy()
        claimed.claim(right=False)
        for level in LEVELS:
            answer = ADVISER.judge(claimed, level)
            assert answer is not None and IS_THERE_A_PROOF not in answer.sentences()


def test_who_is_stuck_is_told_the_same_whether_there_is_a_proof_or_not() -> None:
    lost, hopeless = after("p -> p \\/ q", "intro; right"), after("p -> q", "intro")
    for attempt in (lost, hopeless):
        answer = ADVISER.answer(attempt, 1)
        assert answer is not None and answer.countermodel is not None
        assert (answer.sentences(), answer.countermodel.sequent()) == (STUCK, "p |- q")


def test_a_second_hint_is_about_the_way_or_whether_there_is_one() -> None:
    def told(lemma: str, script: str, level: int, terms: Terms | None = None) -> list[str]:
        answer = ADVISER.answer(after(lemma, script, terms), level)
        assert answer is not None
        return answer.sentences()

    def maybe(where: str) -> list[str]:
        return [IS_THERE_A_PROOF, f"If there is one, look at {where}."]

    assert told("p \\/ q -> q \\/ p", "intro", 2) == maybe("H")
    assert told("(p -> q) -> p -> q", "intro; intro", 2) == [
        "Only one move applies here: apply H.",
        "That only one move applies does not mean that it leads to a proof.",
    ]
    assert told("p \\/ q", "", 2) == told("p \\/ q", "", 2, Terms(light=False, hints=2)) == maybe("the conclusion")
    assert told("p \\/ q", "left", 2) == [*STUCK, IS_THERE_A_PROOF]
    assert told("p \\/ q -> p", "intro; destruct_or H; assumption", 2) == [*STUCK, IS_THERE_A_PROOF]
    assert told("p \\/ q", "", 3) == told("p \\/ q", "left", 4) == [NO_PROOF]


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_a_second_hint_does_not_say_whether_a_lemma_has_a_proof_where_nothing_is_lost(exercise: Exercise) -> None:
    for attempt in walked(exercise):
        answer = ADVISER.judge(attempt, 2)
        assert answer is not None
        if answer.light is Light.ON:
            said, where = answer.sentences()
            names = ["the conclusion", *(name for name, _ in attempt.state[0].hypotheses)]
            assert (said, where in [f"If there is one, look at {name}." for name in names]) == (IS_THERE_A_PROOF, True)
            assert answer.hint is None


def test_with_some_tactics_alone_what_is_said_is_said_of_them() -> None:
    without = Terms(light=False, rules=tuple(rule for rule in RULES if rule != "right"))
    adviser = Adviser(60, without.only)
    attempt = after("p \\/ q -> q \\/ p", "intro", without)
    assert adviser.light(attempt) is Light.ON
    answer = adviser.answer(attempt, 3)
    assert answer is not None
    assert answer.sentences() == ["This lemma has a proof, but none with these tactics."]
    attempt = after("p -> q \\/ p", "intro; left", without)
    answer = adviser.answer(attempt, 1)
    assert answer is not None
    assert answer.sentences() == ["There is no proof from here with these tactics, and no move applies."]


def test_without_time_nothing_is_said() -> None:
    hard = Attempt(parse("((a -> b) -> c) -> (a <-> b) \\/ c \\/ (a -> c)"))
    adviser = Adviser(1e-9)
    assert adviser.light(hard) is None
    assert adviser.answer(hard, 2) is None
