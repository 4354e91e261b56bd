"""What the teacher argues is right, claim by claim, and what others claim is told right from wrong."""

import pytest
from hypothesis import given

from oasis.ground.limits import Limit
from oasis.teacher.arguments import answered, argued, checked
from oasis.teacher.deciding.decide import holds
from oasis.teacher.deciding.intuit import Intuit
from tactics.goal import State
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.rules import apply, first_safe, legal_moves, premises, wanted
from tactics.sequent import parse_state
from tests.strategies import Walk, walks

ORACLE = Intuit()
CHOICE: State = parse_state("p, (q -> r) -> q, s -> t |- p \\/ (q \\/ ~q)")


def test_each_move_that_can_lose_is_argued_for_or_against() -> None:
    assert argued(CHOICE[0], ORACLE) == (
        "left: p is at hand, as H.\n"
        "right: q \\/ ~ q cannot be proved: countermodel 0 {p}, 1 above 0 {p q}.\n"
        "imply4 H0: q -> r cannot be proved: countermodel 0 {p q}.\n"
    )
    assert argued(apply(CHOICE, legal_moves(CHOICE[0])[0])[0], ORACLE) == "assumption loses nothing.\n"


@given(walks())
def test_all_claims_of_the_teacher_are_right_and_say_which_moves_lose(walk: Walk) -> None:
    for goal in {goal for state in walk.states for goal in state}:
        said = argued(goal, ORACLE, UNICODE)
        found = checked(goal, f"I think.\n{said}So there.", ORACLE)
        assert "".join(f"{each.claim}\n" for each in found) == said
        assert all(each.is_right for each in found)
        moves, can = legal_moves(goal), holds(goal, ORACLE)
        keeps = [all(holds(left, ORACLE) for left in premises(goal, move)) for move in moves]
        safe = checked(goal, "".join(f"{move} loses nothing.\n" for move in moves), ORACLE)
        assert [each.is_right for each in safe] == [not can or kept for kept in keeps]
        if first_safe(moves) is None and can:
            assert [each.provable for each in found] == keeps


@given(walks())
def test_an_answer_is_a_claim_that_is_right_exactly_if_the_answer_is(walk: Walk) -> None:
    for goal in {goal for state in walk.states for goal in state}:
        asked = {each for move in legal_moves(goal) if (each := wanted(goal, move)) is not None} | {goal.conclusion}
        yes, no, perhaps = (answered(goal, dict.fromkeys(asked, p), ORACLE, UNICODE) for p in (0.75, 0.25, 0.5))
        assert {parse(each.formula or "") for each in yes} == asked and not perhaps
        assert {(each.provable, each.probability) for each in yes} == {(True, 0.75)}
        assert [each.is_right for each in yes] == [each.is_right is False for each in no]
        assert yes[0].is_right == holds(goal, ORACLE)
        assert {each.is_right for each in answered(goal, dict.fromkeys(asked, 1.0), Intuit(Limit(-1)))} == {None}


RIGHT = [
    *("left: p can be proved.", "p -> p can be proved.", "s cannot be proved."),
    "s cannot be proved: countermodel 0 {p q}.",
    "imply4 H0: q -> r cannot be proved: countermodel 0 {p}, 1 above 0 {p q}.",
]
WRONG = [
    *(each.replace(*("cannot", "can") if "cannot" in each else ("can", "cannot")) for each in RIGHT),
    *("left: q cannot be proved.", "intro: p can be proved.", "split loses nothing.", "p cannot be proved."),
    *("q is at hand, as H.", "p is at hand, as H7.", "q cannot be proved: countermodel 0 {q}."),
    *("q cannot be proved: countermodel 1 {}.", "s cannot be proved: countermodel 0 {p q}, 1 above 2 {}, 2 {}."),
    *("s cannot be proved: countermodel none.", "s cannot be proved: countermodel 0 {p q 1}."),
]
UNREAD = ["So p can be proved.", "It can be proved.", "This loses nothing.", "case: p can be proved."]


@pytest.mark.parametrize(("said", "is_right"), [(RIGHT, True), (WRONG, False), (UNREAD, None)])
def test_claims_are_told_apart_and_what_is_none_is_passed_over(said: list[str], is_right: bool | None) -> None:
    found = checked(CHOICE[0], "\n".join(["I would go left.\np\ncan be proved. (a: b.", *said]), ORACLE)
    assert [(each.claim, each.is_right) for each in found] == [(claim, is_right) for claim in said]
