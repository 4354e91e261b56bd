"""One key goes through all values of a setting and comes back, past those that do not go with the others."""

from __future__ import annotations

from itertools import pairwise

import pytest

from oasis.classroom.agent.switches import SWITCHES, switched
from oasis.student.settings import Settings
from tactics.errors import InputError


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_goes_through_its_values_in_order_and_back(name: str) -> None:
    before = Settings()
    place = SWITCHES[name].index(getattr(before, name))
    expected = [*SWITCHES[name][place:], *SWITCHES[name][:place], SWITCHES[name][place]]
    went = [before]
    for _ in SWITCHES[name]:
        went.append(switched(went[-1], name))
    assert [getattr(each, name) for each in went] == expected
    assert went[-1] == before
    for each, following in pairwise(went):
        assert switched(following, name, back=True) == each


def test_what_does_not_go_together_is_left_out() -> None:
    by_goal = Settings(learner="and-or-q", actions="blind")
    assert switched(by_goal, "actions").actions == "legal"
    assert switched(Settings(learner="dyna-q", actions="simplify"), "learner").learner == "uniform"
    assert not switched(Settings(actions="blind", forget_errors=True), "actions").forget_errors


def test_a_value_between_the_switch_positions_goes_to_the_first() -> None:
    assert switched(Settings(epsilon="0.5..0.1"), "epsilon").epsilon == SWITCHES["epsilon"][0]


def test_what_is_no_switch_is_refused() -> None:
    with pytest.raises(InputError, match="A switch is one of learner, epsilon"):
        switched(Settings(), "gamma")
