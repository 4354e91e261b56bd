"""When the next step is due."""

from __future__ import annotations

from math import inf

from oasis.classroom.partner.pace import Pace


def test_without_being_told_no_step_is_due() -> None:
    assert Pace().due() == inf


def test_steps_follow_each_other_at_the_speed_that_was_set() -> None:
    pace = Pace(speed=4, episodes=1)
    pace.step(100.0)
    assert pace.due() == 100.25
    pace.speed = inf
    assert pace.is_full and pace.due() == 100.0


def test_a_single_step_is_due_at_once_and_then_none() -> None:
    pace = Pace(speed=1, last=5.0, steps=1)
    assert pace.due() == -inf
    pace.step(6.0)
    assert pace.due() == inf


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
