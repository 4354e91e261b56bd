"""What a student is told of signs, moves and points, and never whether a lemma has a proof before that was paid for."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import pytest
from hypothesis import given

from curricula.course import course
from oasis.classroom.desk.progress import course_exercises
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.effects import reason, refusal, would_leave
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.signs import brackets, card
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF, NOTHING_LOST, Light
from oasis.classroom.proving.words import cost, slip, worth
from oasis.teacher.hints import LEVELS, Teacher
from tactics.goal import Goal, Move
from tactics.parser import parse
from tactics.printer import COQ, UNICODE, brief, show
from tactics.rules import RULES, legal_moves, premises
from tactics.script import parse_script
from tactics.sequent import parse_state
from tests.strategies import goals


def test_the_card_has_each_sign_of_a_notation_with_an_example_that_can_be_typed() -> None:
    assert [sign.sign for sign in card(UNICODE)] == ["⊢", "∧", "∨", "→", "¬", "↔", "⊥"]
    for sign, typed in zip(card(UNICODE), card(), strict=True):
        assert sign.sign in sign.example
        assert sign.typed == typed.sign
        if sign.sign == UNICODE.turnstile:
            assert parse_state(sign.example) == parse_state(typed.example)
        else:
            assert show(parse(typed.example), UNICODE) == sign.example
    assert all(text.isascii() for sign in card(COQ) for text in sign) and brackets().isascii()


def test_what_binds_tighter_is_said_as_it_is_read() -> None:
    said = brackets(UNICODE)
    assert "→ groups to the right: p → q → r is p → (q → r)." in said
    assert parse("p → q → r") is parse("p → (q → r)")
    order = [said.index(sign) for sign in "¬∧∨→"]
    assert order == sorted(order)
    assert parse("¬p ∧ q ∨ r → s") is parse("(((¬p) ∧ q) ∨ r) → s")


# What is said of a move before it is made, and of one that does not apply.


AIM = "Get it there first, or work elsewhere."
OTHER = "Choose another formula or tactic."


@pytest.mark.parametrize(
    ("sequent", "move", "told"),
    [
        ("|- p -> q", "intro", "intro leaves: ⊢ q with H : p."),
        ("p |- q /\\ r", "split", "split leaves: ⊢ q; then ⊢ r."),
        ("p \\/ q |- r", "destruct_or H", "destruct_or H leaves: ⊢ r with H : p; then ⊢ r with H : q."),
        ("p -> q |- r", "imply1 H", "apply H leaves if p is among the hypotheses: ⊢ r with H : q."),
        ("p |- q", "assumption", "assumption closes this goal if q is among the hypotheses."),
        ("p |- q", "split", "split: It fails if the conclusion is no conjunction."),
    ],
)
def test_what_a_move_would_leave_is_told_by_its_formula_alone(sequent: str, move: str, told: str) -> None:
    (goal,), (made,) = parse_state(sequent), parse_script(move)
    assert would_leave(goal, made, UNICODE) == told


def test_why_nested_makes_two_goals_is_said_of_its_formulas() -> None:
    (goal,) = parse_state("(p -> q) -> r, p \\/ q |- r")
    nested, cases = parse_script("imply4 H; destruct_or H0")
    assert reason(goal, nested, UNICODE) == "H gives r only once p → q is proved."
    assert reason(goal, cases, UNICODE) == ""


@given(goals())
def test_what_is_told_is_what_is_left(goal: Goal) -> None:
    for move in legal_moves(goal):
        told = would_leave(goal, move)
        assert all(f"|- {brief(after.conclusion)}" in told for after in premises(goal, move))


@pytest.mark.parametrize(
    ("sequent", "move", "told"),
    [
        ("p -> q |- r", "imply1 H", "apply H does not apply: H leads from p to q, and p is not there yet."),
        ("p |- q", "split", f"split does not apply: the conclusion is q, and not of the form A ∧ B. {OTHER}"),
        ("p |- q", "imply4 H", f"nested H does not apply: H is p, and not of the form (C → D) → B. {OTHER}"),
    ],
)
def test_why_a_move_does_not_apply_is_said_with_what_to_do(sequent: str, move: str, told: str) -> None:
    (goal,), (made,) = parse_state(sequent), parse_script(move)
    attempt = Attempt(goal.conclusion)
    attempt.states[-1] = (goal,)
    with pytest.raises(Refused) as refused:
        attempt.make(made)
    assert refusal(goal, refused.value, UNICODE) == told


# What is said of points, in the same words everywhere.


def attempt(terms: Terms | None = None) -> Attempt:
    """One with two hints, a wrong claim and a slip."""
    begun = Attempt(parse("p \\/ q -> q \\/ p"), terms=terms or Terms())
    begun.make(Move("intro"))
    begun.take_hint()
    begun.take_hint()
    begun.claim(right=False)
    with pytest.raises(Refused):
        begun.make(Move("split"))
    return begun


def test_what_points_were_lost_for_is_told_and_what_was_before_is_told_apart() -> None:
    begun = attempt()
    now = worth(5, begun, begun.helped, begun.slips, listed=False)
    assert now == "5 of 10 points: two hints, a wrong claim, a slip"
    more = worth(1, begun, begun.helped + 1, begun.slips + 2, listed=True)
    assert more == "1 of 10 points: two hints, a wrong claim, earlier help, three slips, the list"


def test_where_nothing_was_lost_nothing_is_told_and_what_others_have_done_is() -> None:
    assert worth(10, Attempt(parse("p -> p")), 0, 0, listed=False) == "10 of 10 points"
    due = datetime(2020, 12, 1, 18).astimezone()
    late = worth(9, Attempt(parse("p -> p")), 0, 2, listed=False, late=due)
    assert late == "9 of 10 points: two slips; late, as it was due 2020-12-01 18:00"
    begun = Attempt(parse("p -> p -> p"))
    begun.take_over((Move("intro"), Move("intro")))
    assert worth(8, begun, begun.helped, begun.slips, listed=False) == "8 of 10 points: two moves of somebody else's"


def test_costs_are_told_before_they_are_taken() -> None:
    assert (cost(1), cost(3), cost(0)) == ("a point", "three points", "nothing")
    assert cost(0, is_done=True) == "nothing, as this lemma is done"
    assert slip(0, 1) == "That is a slip; every second one costs a point."
    assert slip(1, 1) == "That is a slip, and every second one costs a point: this one does."
    assert slip(0, 0) == "That is a slip, which costs nothing any more."


# What a student is told never says whether a lemma has a proof before that was paid for: light, hints and words.


STATES = 40
"""That are looked at of each lemma of the course; there are too many of some."""
SMALL = [each for each in course_exercises() if each.place != f"course/{course()[-1].name}"]
"""The lemmas of the course but for the last world's."""
STUCK = ["There is no proof from here, and no move applies."]
ADVISER = Adviser(60)


def after(lemma: str, script: str, terms: Terms | None = None) -> Attempt:
    return Attempt(parse(lemma), list(parse_script(script)), terms=terms or Terms(light=False))


def walked(exercise: Exercise) -> Collection[Attempt]:
    """Attempts at an exercise that stand at different states which are not done, those near the beginning first."""
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
    return found.values()


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_light_and_hints_never_say_whether_there_is_a_proof(exercise: Exercise) -> None:
    teacher = Teacher()
    has_proof = teacher.provable(Attempt(exercise.formula).state)
    for attempt in walked(exercise):
        light, first, second = ADVISER.light(attempt), ADVISER.judge(attempt), ADVISER.judge(attempt, 2)
        assert first is not None and second is not None and first.light is light
        is_lost = has_proof and not teacher.provable(attempt.state)
        assert light is (Light.DARK if is_lost or attempt.is_stuck else Light.ON)
        if light is Light.ON:
            assert first.sentences() == [NOTHING_LOST]
            assert (first.hint, first.loss, first.countermodel, second.hint) == (None, None, None, None)
            said, where = second.sentences()
            names = ["the conclusion", *(name for name, _ in attempt.state[0].hypotheses)]
            assert (said, where in [f"If there is one, look at {name}." for name in names]) == (IS_THERE_A_PROOF, True)
        elif attempt.is_stuck:
            assert first.sentences() == STUCK
            assert first.hint is None and first.loss is None and first.countermodel is not None
        else:
            assert first.hint is not None and first.hint.step
            assert first.sentences()[0].startswith("There is no proof from here since move ")
        claimed = attempt.copy()
        claimed.claim(right=False)
        for level in LEVELS:
            answer = ADVISER.judge(claimed, level)
            assert answer is not None and IS_THERE_A_PROOF not in answer.sentences()
            if attempt.only_move is not None:
                answer = ADVISER.answer(attempt, level)
                assert answer is not None and answer.sentences()[0].startswith("Only one move applies here: ")


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
