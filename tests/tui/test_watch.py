"""Watch: two agents on the lemma before the student."""

from __future__ import annotations

from pathlib import Path

import pytest

from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.parser import parse
from tests.tui.agents import agents_are_here, report, rests, room, until
from tests.tui.rooms import ASCII, SIZES, classroom, opened, overflowing, press, shown

pytestmark = pytest.mark.slow

FULL_SPEED = ("plus", "plus")


async def test_both_play_when_they_are_told_and_are_on_one_curve(tmp_path: Path) -> None:
    app = classroom(tmp_path, "SYJ203.2")
    async with opened(app, SIZES["wide"]) as pilot:
        await press(pilot, "W", *FULL_SPEED, "H")
        await agents_are_here(pilot, app)
        for agent in (0, 1):
            await rests(pilot, app, 100, agent)
            assert report(app, agent).knows.episodes == 100
        text = shown(app)
        assert "A: q-learning" in text and "B: sarsa" in text
        assert text.count("100 episodes") == 2
        await until(pilot, lambda: ". A tries o A greedy , B tries x B greedy" in shown(app))


async def test_at_full_speed_nothing_is_shown_that_nobody_could_read(tmp_path: Path) -> None:
    app = classroom(tmp_path, "SYJ203.2")
    async with opened(app, SIZES["wide"]) as pilot:
        await press(pilot, "W", *FULL_SPEED, "g")
        await until(pilot, lambda: shown(app).count("It is too fast to be seen") == 2)
        await press(pilot, "minus")
        await until(pilot, lambda: "too fast" not in shown(app))


async def test_settings_are_switched_of_the_marked_one(tmp_path: Path) -> None:
    app = classroom(tmp_path, "A -> A")
    async with opened(app) as pilot:
        await press(pilot, "W")
        await agents_are_here(pilot, app)
        await press(pilot, "E")
        await until(pilot, lambda: report(app, 0).settings.epsilon == 0.8)
        await press(pilot, "tab", "l")
        await until(pilot, lambda: report(app, 1).settings.learner == "q-learning")
        assert report(app, 0).settings.learner == "q-learning"
        assert report(app, 1).settings.epsilon == 0.4
        await press(pilot, "tab", "R")
        await until(pilot, lambda: report(app, 0).settings.reward == "standard")
        assert report(app, 1).settings.reward == "terminating"


async def test_what_they_believe_is_shown_when_it_is_asked_for(tmp_path: Path) -> None:
    app = classroom(tmp_path, "A -> A")
    async with opened(app) as pilot:
        await press(pilot, "W")
        await agents_are_here(pilot, app)
        await press(pilot, "t")
        assert shown(app).count("q asks what it makes of that") == 2
        await press(pilot, "q")
        assert shown(app).count("tried takes") == 2
        await press(pilot, "q")
        assert "tried takes" not in shown(app)


async def test_where_the_terms_say_so_there_are_no_agents(tmp_path: Path) -> None:
    app = classroom(tmp_path, "A -> A")
    async with opened(app) as pilot:
        app.seat.take(Exercise("x", parse("A -> A"), "strict", Terms(agent="hidden")))
        await press(pilot, "W", "space", "l", "tab", "q", "t")
        assert room(app).companions == []
        assert shown(app).count("there is no agent") == 2


@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES)
async def test_everything_fits_and_ascii_is_nothing_else(tmp_path: Path, size: str, look: str) -> None:
    app = classroom(tmp_path, "SYJ203.3", **({"look": ASCII} if look == "ascii" else {}))
    async with opened(app, SIZES[size]) as pilot:
        await press(pilot, "W", *FULL_SPEED, "H")
        await agents_are_here(pilot, app)
        for agent in (0, 1):
            await rests(pilot, app, 100, agent)
        for keys in ("q",), ("t",), ("question_mark",):
            await press(pilot, *keys)
            assert overflowing(app) == []
            assert look == "unicode" or shown(app).isascii(), [c for c in shown(app) if not c.isascii()]
