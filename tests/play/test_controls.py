"""The controls: what policies choose and prove that have learned nothing."""

import pytest
from hypothesis import given

from curricula.benchmark import benchmark
from oasis.neural.policies import policy_named
from oasis.play.committed import Choosing, choices, committed
from oasis.play.controls import Look, Shape, controls
from tactics.goal import Goal
from tactics.rules import legal_moves
from tactics.sequent import parse_state
from tests.strategies import goals


@pytest.mark.parametrize(
    ("goal", "moves"),
    [
        ("|- A \\/ B /\\ C", "right"),
        ("|- B /\\ C \\/ (A \\/ B)", "right"),
        ("|- (A -> A) \\/ (A \\/ B)", "left"),
        ("|- A \\/ False", "left, right"),
        ("H : (A -> B) -> C |- A \\/ B", "imply4 H"),
        ("H : (A -> B) -> C |- ~A \\/ B", "left, imply4 H"),
        ("H : A, H0 : A /\\ B |- (A -> A) \\/ A", "destruct_and H0"),
    ],
)
def test_shape_prefers_what_wants_an_implication_and_first_of_all_what_cannot_lose(goal: str, moves: str) -> None:
    state = parse_state(goal)
    shares, nothing = Shape().probabilities([state, ()])
    chosen = [str(move) for move, share in zip(legal_moves(state[0]), shares, strict=True) if share]
    assert (", ".join(chosen), shares.sum(), nothing.size) == (moves, 1, 0)


@given(goals())
def test_look_values_a_goal_by_the_choices_that_are_left_and_at_0_where_something_is_stuck(goal: Goal) -> None:
    (value,), left = Look().values([goal]), choices(goal)
    assert value == (0 if left is None else 0.9 ** len(left))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "proved"), [("ordinary", [57, 57, 80, 98, 98]), ("hard", [27, 35, 58, 87, 87])])
def test_each_control_proves_more_than_the_one_before(kind: str, proved: list[int]) -> None:
    lemmas = [lemma.formula for lemma in benchmark(f"propl-test-{kind}").lemmas[:100]]
    choosing, judging = Choosing(), Choosing(judge=True)
    asked = [*((name, choosing) for name in controls(choosing, ())), ("look", choosing), ("look", judging)]
    plays = [committed(policy_named(name, None), lemmas, how) for name, how in asked]
    assert [name for name, _ in asked[:3]] == ["uniform", "first", "shape"] and [*controls(judging, ())] == ["look"]
    assert [sum(play.proved for play in each) for each in plays] == proved
