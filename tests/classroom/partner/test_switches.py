"""One key goes through all values of a setting and comes back, past those that do not go with the others."""

from __future__ import annotations

import pytest

from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.switches import KEPT_THROUGH, SWITCHES, called, switched
from oasis.student.settings import Settings
from tactics.errors import InputError
from tests.classroom.partner.agents import AND_COMM


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_goes_through_its_values_in_order_and_back(name: str) -> None:
    before = Settings()
    values = SWITCHES[name].values
    place = values.index(getattr(before, name))
    expected = [*values[place:], *values[:place], values[place]]
    went = [before]
    for _ in values:
        went.append(switched(went[-1], name))
    assert [getattr(each, name) for each in went] == expected
    assert went[-1] == before


def test_what_does_not_go_together_is_left_out() -> None:
    by_goal = Settings(learner="and-or-q", actions="blind")
    assert switched(by_goal, "actions").actions == "legal"
    names = SWITCHES["learner"].values
    following = (*names[names.index("dyna-q") + 1 :], *names)
    of_moves = next(name for name in following if name != "and-or-q")
    assert switched(Settings(learner="dyna-q", actions="simplify"), "learner").learner == of_moves
    assert not switched(Settings(actions="blind", forget_errors=True), "actions").forget_errors


def test_a_value_between_the_switch_positions_goes_to_the_first() -> None:
    assert switched(Settings(epsilon="0.5..0.1"), "epsilon").epsilon == SWITCHES["epsilon"].values[0]


def test_what_is_no_switch_is_refused() -> None:
    with pytest.raises(InputError, match="A switch is one of learner, epsilon"):
        switched(Settings(), "seed")


def test_a_setting_that_keeps_what_was_learned_is_known_before_it_is_switched() -> None:
    for name in SWITCHES:
        agent = Agent(AND_COMM, Settings())
        agent.practise(3)
        said = agent.change(**{name: getattr(switched(agent.settings, name), name)})
        assert (agent.knows.episodes == 3) == (name in KEPT_THROUGH), name
        assert called(name) in said
