"""What the teacher argues is right, claim by claim, and what others claim is told right from wrong."""

import pytest
from hypothesis import given

from oasis.teacher.arguments import argued, checked
from oasis.teacher.deciding.decide import holds
from oasis.teacher.deciding.intuit import Intuit
from tactics.goal import State
from tactics.printer import UNICODE
from tactics.rules import apply, first_safe, legal_moves, premises
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
        assert "".join(f"{claim}\n" for claim, _ in found) == said
        assert all(is_right for _, is_right in found)
        moves = legal_moves(goal)
        if first_safe(moves) is None and holds(goal, ORACLE):
            keeps = [all(holds(left, ORACLE) for left in premises(goal, move)) for move in moves]
            assert ["cannot" not in claim for claim, _ in found] == keeps


@pytest.mark.parametrize(
    "claim",
    [
        "left: p can be proved.",
        "p -> p can be proved.",
        "s cannot be proved.",
        "s cannot be proved: countermodel 0 {p q}.",
        "imply4 H0: q -> r cannot be proved: countermodel 0 {p}, 1 above 0 {p q}.",
    ],
)
def test_a_claim_is_right_whoever_makes_it(claim: str) -> None:
    assert checked(CHOICE[0], claim, ORACLE) == [(claim, True)]
    wrong = claim.replace("cannot", "can") if "cannot" in claim else claim.replace("can ", "cannot ")
    assert checked(CHOICE[0], wrong, ORACLE) == [(wrong, False)]


@pytest.mark.parametrize(
    "claim",
    [
        *("left: q cannot be proved.", "intro: p can be proved.", "split loses nothing.", "left loses nothing."),
        *("q is at hand, as H.", "p is at hand, as H7.", "p p can be proved.", "nothing H H loses nothing."),
        *("q cannot be proved: countermodel 0 {q}.", "q cannot be proved: countermodel 1 {}.", "p cannot be proved."),
        *("s cannot be proved: countermodel 0 {p q}, 1 above 2 {}, 2 {}.", "s cannot be proved: countermodel none."),
        "s cannot be proved: countermodel 0 {p q 1}.",
    ],
)
def test_a_wrong_claim_is_told_from_a_right_one(claim: str) -> None:
    assert all(not is_right for _, is_right in checked(CHOICE[0], claim, ORACLE))


def test_what_is_no_claim_is_passed_over() -> None:
    assert checked(CHOICE[0], "I would go left.\np\ncan be proved. (a: b.", ORACLE) == []
