"""The parts of a partner: its curve, its pace, its plan and its switches."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.curve import Curve
from oasis.classroom.partner.pace import Pace
from oasis.classroom.partner.plan import Difference, Planned, difference
from oasis.classroom.partner.switches import KEPT_THROUGH, SWITCHES, called, switched
from oasis.exam import Exam
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.goal import Move
from tactics.script import parse_script
from tests.classroom.partner.agents import AND_COMM

LENGTHS = st.lists(st.sampled_from([0, 0, 1, 2, 5, 9]), max_size=100)


@given(LENGTHS, st.sampled_from([1, 2, 4, 7, 200]), st.sampled_from([1, 3, 10, 1000]))
def test_every_stretch_says_what_its_episodes_say(lengths: list[int], kept: int, most: int) -> None:
    curve = Curve(kept)
    for moves in lengths:
        curve.add(moves)
    points = curve.points(most)
    assert curve.episodes == len(lengths)
    assert len(points.last) <= most and curve.width * max(kept, 2) < 2 * max(len(lengths), kept, 2) + 4
    first = 0
    for last, proved, mean, shortest in zip(points.last, points.proved, points.mean, points.shortest, strict=True):
        proofs = [moves for moves in lengths[first:last] if moves]
        assert proved == len(proofs) / (last - first)
        assert shortest == min(proofs, default=0)
        assert np.isnan(mean) if not proofs else mean == sum(proofs) / len(proofs)
        first = last
    assert first == len(lengths)


def test_examinations_get_rarer_and_proofs_shown_are_no_episodes() -> None:
    curve = Curve()
    for _ in range(5000):
        curve.add(7)
        if curve.exam_is_due:
            curve.add_exam(Exam(3, (6, 4) if curve.episodes % 2 else (6,), None))
    curve.add_shown(5)
    points = curve.points()
    assert list(points.exams[:5]) == [1, 2, 3, 4, 5]
    assert 100 < len(points.exams) < 200 and set(points.greedy) == {0, 6}
    assert (list(points.shown), list(points.shown_moves)) == ([5000], [5])
    assert curve.episodes == 5000


# When the next step is due.


def test_steps_are_due_at_the_speed_that_was_set_and_a_single_one_at_once() -> None:
    assert Pace().due() == inf
    pace = Pace(speed=4, episodes=1)
    pace.step(100.0)
    assert pace.due() == 100.25
    pace.speed = inf
    assert pace.is_full and pace.due() == 100.0
    single = Pace(speed=1, last=5.0, steps=1)
    assert single.due() == -inf
    single.step(6.0)
    assert single.due() == inf


def test_when_all_episodes_are_played_or_it_is_stopped_none_is_due() -> None:
    pace = Pace(episodes=2)
    pace.end()
    assert pace.due() < inf
    pace.end()
    assert pace.due() == inf
    pace.end()
    assert pace.episodes == 0
    endless = Pace(episodes=inf)
    endless.end()
    assert endless.is_full
    endless.stop()
    assert endless.due() == inf


def test_where_there_is_no_step_to_make_none_is_due_unless_it_comes_to_an_end() -> None:
    pace = Pace(episodes=inf, steps=1)
    pace.end_without_step()
    assert pace.due() == inf and pace.episodes == 0
    pace = Pace(episodes=2)
    pace.end_without_step()
    assert pace.episodes == 2


# Where two plans part: at another choice first of all, else at another figure, else nowhere.


def plan(script: str, *figures: float) -> list[Planned]:
    return [Planned(move, (move,), ("Q", figure)) for move, figure in zip(parse_script(script), figures, strict=True)]


@pytest.mark.parametrize(
    ("one", "other", "parted"),
    [
        (("intro; split; left", 0.5, 0.6, 0.7), ("intro; split; right", 0.1, 0.6, 0.7), ("intro; split", True, False)),
        (("intro", 0.5), ("intro; left", 0.5, 0.6), ("intro", True, False)),
        (("",), ("intro", 0.5), ("", True, False)),
        (("intro; split", 0.5001, 0.6), ("intro; split", 0.5, 0.8), ("intro", False, True)),
        (("intro; split", 0.5, 0.6), ("intro; split", 0.5, 0.6), ("intro; split", False, False)),
        (("",), ("",), ("", False, False)),
    ],
)
def test_plans_part_at_another_choice_or_figure(
    one: tuple[Any, ...], other: tuple[Any, ...], parted: tuple[str, bool, bool]
) -> None:
    script, of_choice, of_value = parted
    assert difference(plan(*one), plan(*other)) == Difference(parse_script(script), of_choice, of_value)


def test_a_step_of_several_moves_leads_past_all_of_them() -> None:
    moves = parse_script("intro; split")
    step = Planned(Move("simplify"), moves, ("Q", 0.5))
    assert difference([step, *plan("left", 0.1)], [step, *plan("right", 0.1)]).script == moves


# One key goes through all values of a setting and comes back, past those that do not go with the others.


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
    assert switched(Settings(epsilon="0.5..0.1"), "epsilon").epsilon == SWITCHES["epsilon"].values[0]
    with pytest.raises(InputError, match="A switch is one of learner, epsilon"):
        switched(Settings(), "seed")


def test_a_setting_that_keeps_what_was_learned_is_known_before_it_is_switched() -> None:
    for name in SWITCHES:
        agent = Agent(AND_COMM, Settings())
        agent.practise(3)
        said = agent.change(**{name: getattr(switched(agent.settings, name), name)})
        assert (agent.knows.episodes == 3) == (name in KEPT_THROUGH), name
        assert called(name) in said
