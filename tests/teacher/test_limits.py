"""Limits: when they are reached, and what restarting does."""

from __future__ import annotations

import time

import pytest

from oasis.teacher.limits import Limit, LimitReached


def test_seconds_count_from_the_restart_on() -> None:
    limit = Limit(0.2)
    time.sleep(0.15)
    limit.restart()
    time.sleep(0.1)
    limit.check()
    time.sleep(0.15)
    with pytest.raises(LimitReached, match=r"0\.2 seconds were not enough"):
        limit.check()


def test_a_limit_that_was_reached_stays_so() -> None:
    limit = Limit(0.0)
    time.sleep(0.01)
    with pytest.raises(LimitReached):
        limit.check()
    limit.restart()
    with pytest.raises(LimitReached):
        limit.check()


def test_without_numbers_there_is_no_limit() -> None:
    limit = Limit()
    limit.restart()
    limit.check()
