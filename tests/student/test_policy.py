"""The ε-greedy policy against the formula of thesis 4.2.1, and tables as policies."""

from collections import Counter
from math import log, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import LEGAL
from oasis.student.memory import Action, Memory, Observation
from oasis.student.policy import Tabular, epsilon_greedy
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import legal_moves
from tests.student.pupils import empty_memory

DRAWS = 20_000
values_of_actions = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.5000001, 100.0]), min_size=1, max_size=8)


def facing(values: list[float]) -> tuple[Memory, Observation]:
    """Return a memory with these values, and a state that offers one action for each, the last pair first."""
    memory = empty_memory()
    memory.values = list(values)
    actions = [Action(Move(f"move {pair}"), pair) for pair in reversed(range(len(values)))]
    return memory, Observation((), tuple(action.move for action in actions), actions)


def probability(values: list[float], pair: int, epsilon: float) -> float:
    """Return ε/|A(s)|, plus for each best action an equal share of 1-ε."""
    by_chance = epsilon / len(values)
    return by_chance + ((1 - epsilon) / values.count(max(values)) if values[pair] == max(values) else 0)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4, 1.0])
@pytest.mark.parametrize(
    "values",
    [[0.0], [0.0, 1.0, -1.0], [0.5, 0.5, -1.0, 0.25], [0.0] * 5, [-1.0, -2.0], [0.3, 0.1 + 0.2, 0.0]],
    ids=["one action", "one best", "two best", "all the same", "all bad", "best by a rounding error"],
)
def test_actions_are_chosen_as_often_as_the_formula_says(values: list[float], epsilon: float) -> None:
    memory, observation = facing(values)
    policy = epsilon_greedy(memory, epsilon, SplitMix64.seeded(1))
    chosen = Counter(policy(observation).pair for _ in range(DRAWS))
    for pair in range(len(values)):
        expected = probability(values, pair, epsilon)
        # Five standard deviations of a share of so many draws.
        assert chosen[pair] / DRAWS == pytest.approx(expected, abs=5 * sqrt(expected * (1 - expected) / DRAWS) + 1e-12)


class Table:
    """Values of two moves in every state."""

    def __init__(self, q_values: dict[Move, float]) -> None:
        self.known = q_values

    def q_values(self, state: State) -> dict[Move, float]:
        return self.known


CHOICE = initial(parse("p \\/ q"))
LEFT, RIGHT = legal_moves(CHOICE[0])


@pytest.mark.parametrize(
    ("values", "options", "shares"),
    [
        ({LEFT: 0.0, RIGHT: 0.0}, {}, [0.5, 0.5]),
        ({LEFT: 0.1, RIGHT: 0.0}, {}, [1.0, 0.0]),
        ({LEFT: 0.1, RIGHT: 0.0}, {"epsilon": 0.4}, [0.8, 0.2]),
        ({LEFT: 0.0, RIGHT: log(3)}, {"temperature": 1.0}, [0.25, 0.75]),
        ({RIGHT: -1.0}, {}, [0.0, 1.0]),
        ({}, {}, [0.0, 0.0]),
    ],
    ids=["ties are shared", "greedy", "epsilon-greedy", "softmax", "given up", "all given up"],
)
def test_a_table_is_a_policy(values: dict[Move, float], options: dict[str, Any], shares: list[float]) -> None:
    policy = Tabular(Table(values), LEGAL, **options)
    (found,) = policy.probabilities([CHOICE])
    assert found == pytest.approx(shares)
    assert policy.values(CHOICE) is None


def test_values_of_goals_are_told_within_their_range() -> None:
    policy = Tabular(Table({LEFT: 0.3, RIGHT: 1.5}), LEGAL, of_goals=True)
    values = policy.values(CHOICE)
    assert values is not None and values.tolist() == [1.0]
    assert policy.probabilities([()])[0].tolist() == []


def test_lots_among_equals_are_drawn_by_odds_and_nothing_else_is_changed() -> None:
    memory, goal = empty_memory(), initial(parse("p \\/ (p -> p)"))
    observation, prior = memory.observe(goal), Prior({Scope("or", "any", "right"): 3.0})
    assert observation.offered == (LEFT, RIGHT)

    def chosen(epsilon: float) -> Counter[Move]:
        policy = epsilon_greedy(memory, epsilon, SplitMix64.seeded(5), prior)
        return Counter(policy(observation).move for _ in range(DRAWS))

    assert chosen(0.0)[RIGHT] / DRAWS == pytest.approx(0.75, abs=0.02)
    assert chosen(1.0)[RIGHT] / DRAWS == pytest.approx(0.5, abs=0.02)  # who explores tries everything
    memory.values[observation.actions[0].pair] = 1e-9
    assert chosen(0.0)[LEFT] == DRAWS  # what is known outweighs any odds


@given(values_of_actions, st.data())
def test_actions_outside_of_a_are_never_chosen(values: list[float], data: st.DataObject) -> None:
    memory, observation = facing([*values, 1000.0])
    observation.actions = [action for action in observation.actions if action.pair < len(values)]
    seed = data.draw(st.integers(0, 2**32))
    policy = epsilon_greedy(memory, 0.4, SplitMix64.seeded(seed))
    assert all(policy(observation).pair < len(values) for _ in range(20))
