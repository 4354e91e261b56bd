"""The thesis's three rewards, by their table."""

from __future__ import annotations

import pytest

from oasis.rewards import REWARDS, Transition
from tactics.goal import State, initial
from tactics.parser import parse

FIRST, SECOND = initial(parse("p -> p")), initial(parse("p \\/ q"))


@pytest.mark.parametrize(
    ("before", "after", "stuck", "terminating", "standard", "standard_qed"),
    [
        (FIRST, SECOND, False, 0, 1, 1),
        (FIRST, FIRST, False, 0, -1, -1),
        (FIRST, (), False, 1, 1, 100),
        (FIRST, SECOND, True, -1, 1, 1),
        (FIRST, FIRST, True, -1, -1, -1),
    ],
    ids=["goes on", "error", "proved", "stuck", "stuck by giving up"],
)
def test_a_transition_is_rewarded_as_the_thesis_says(
    before: State, after: State, stuck: bool, terminating: float, standard: float, standard_qed: float
) -> None:
    transition = Transition(before, after, stuck)
    assert {name: reward(transition) for name, reward in REWARDS.items()} == {
        "terminating": terminating,
        "standard": standard,
        "standard-qed": standard_qed,
    }


def test_a_state_is_compared_by_what_it_shows() -> None:
    rebuilt = (*SECOND, *initial(parse("p -> p")))
    assert REWARDS["standard"](Transition(SECOND + FIRST, rebuilt, False)) == -1
    assert REWARDS["standard"](Transition(FIRST + SECOND, rebuilt, False)) == 1


def test_a_state_is_proved_when_no_goal_is_left() -> None:
    assert Transition(FIRST, (), False).proved
    assert not Transition(FIRST, SECOND, True).proved
