"""Together: a student and an agent on the same lemma, by keys alone."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import replay
from tests.tui.agents import agents_are_here, report, rests, room, until
from tests.tui.rooms import ASCII, SIZES, classroom, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.widgets.agent_card import AgentCard
from tui.widgets.said import Said

pytestmark = pytest.mark.slow

OR_COMM = "p \\/ q -> q \\/ p"
PROOF = ("1", "3", "2", "1", "1", "1")
"""intro, destruct_or H, right, assumption, left, assumption."""
FULL_SPEED = ("plus", "plus")


def attempt(app: Classroom) -> Attempt:
    assert app.seat.attempt is not None
    return app.seat.attempt


def on_card(app: Classroom) -> str:
    return str(app.screen.query_one(AgentCard).content)


async def test_a_step_is_one_move_of_the_agent_and_shows_what_comes_next(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await agents_are_here(pilot, app)
        await press(pilot, "space")
        await until(pilot, lambda: len(report(app).script) == 1 and report(app).intends is not None)
        assert "Where it stands: one move" in shown(app)
        assert f"next {report(app).intends}" in shown(app)
        assert attempt(app).made == []


async def test_beliefs_are_hidden_until_they_are_asked_for_and_again_after_the_next_move(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await agents_are_here(pilot, app)
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, "1")
        assert "q asks what it makes of your state" in shown(app)
        assert "tried takes" not in shown(app)
        await press(pilot, "q")
        await until(pilot, lambda: "tried takes" in shown(app))
        assert report(app).looked_at == attempt(app).state
        for belief in report(app).beliefs.actions:  # type: ignore[union-attr]
            *_, row = [line for line in shown(app).splitlines() if f" {belief.move} " in line[40:]]
            assert f"{belief.value:.3f}" in row and f"{belief.share:.0%}" in row and str(belief.visits) in row
        await press(pilot, "3")
        assert "q asks what it makes of your state" in shown(app)
        await until(pilot, lambda: report(app).looked_at is None)


async def test_where_the_terms_say_so_beliefs_are_shown_in_every_state(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.seat.take(Exercise("or_comm", parse(OR_COMM), "open", Terms(agent="shown")))
        await press(pilot, "T")
        await until(pilot, lambda: "It is new here" in shown(app))
        await press(pilot, "1")
        await until(pilot, lambda: "destruct_or H" in shown(app)[shown(app).index("What it makes") :])


async def test_where_the_terms_say_so_there_is_no_agent(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.seat.take(Exercise("or_comm", parse(OR_COMM), "strict", Terms(agent="hidden")))
        await press(pilot, "T", "q", "space", "g", "V", "Y", "d", "l", "t", *PROOF)
        assert room(app).companions == []
        assert "there is no agent" in shown(app)
        assert attempt(app).proved and attempt(app).given == 0


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("l", "learner", "sarsa-lambda"),
        ("E", "epsilon", 0.8),
        ("R", "reward", "standard"),
        ("S", "state_space", "name"),
        ("A", "actions", "blind"),
    ],
)
async def test_every_setting_is_one_key_away(tmp_path: Path, key: str, field: str, value: object) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await agents_are_here(pilot, app)
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, key)
        await until(pilot, lambda: getattr(report(app).settings, field) == value)
        assert str(value) in shown(app)
        assert ("keeps what it has learned" if key == "E" else "begins anew") in on_card(app)
        assert report(app).knows.episodes == (100 if key == "E" else 0)


async def test_keys_pressed_in_quick_succession_all_count(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await pilot.press("l", "l", "l")
        await until(pilot, lambda: app.screen.is_attached and report_is_here(app))
        await until(pilot, lambda: report(app).settings.learner == "dyna-q")


def report_is_here(app: Classroom) -> bool:
    return room(app).companions[0].report is not None


async def test_it_learns_from_the_students_proof_and_from_showing_it_again(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "d")
        assert app.screen.query_one(Said).text == "The agent can learn from your proof when it is finished."
        await press(pilot, *PROOF)
        await until(pilot, lambda: report(app).knows.helped == 1)
        assert "It has learned from your proof of 6 moves." in on_card(app)
        assert "Proved in 6 moves." in shown(app)
        for shown_again in range(2, 7):
            await press(pilot, "d")
            await until(pilot, lambda times=shown_again: report(app).knows.helped == times)  # type: ignore[misc]
        assert report(app).knows.exam.of_median_play == 6
        assert report(app).knows.episodes == 0


async def test_the_curve_shows_the_students_proof_and_the_shortest_once_there_is_one(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", *FULL_SPEED, "H")
        await agents_are_here(pilot, app)
        await rests(pilot, app, 100)
        await press(pilot, "t", "t")
        await until(pilot, lambda: ". tries o greedy" in shown(app))
        assert "best" not in shown(app)[shown(app).index(". tries") :]
        await press(pilot, *PROOF)
        await until(pilot, lambda: "- you = best" in shown(app))


async def test_a_student_goes_on_from_where_the_agent_stands_at_a_cost(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "V")
        assert "let it make a move first" in shown(app)
        await agents_are_here(pilot, app)
        await press(pilot, "space")
        await until(pilot, lambda: len(report(app).script) == 1)
        await press(pilot, "V")
        assert attempt(app).made == [Move("intro")] and attempt(app).given == 1
        assert attempt(app).helped == 1


async def test_the_agent_goes_on_from_where_the_student_stands(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await agents_are_here(pilot, app)
        await press(pilot, "1", "3", "Y")
        await until(pilot, lambda: report(app).script == attempt(app).script)
        assert "Where it stands: 2 moves" in shown(app)
        await press(pilot, *FULL_SPEED, "o")
        await until(pilot, lambda: report(app).knows.helped == 1 and not report(app).playing)
        assert report(app).script[:2] == attempt(app).script
        assert replay(attempt(app).formula, report(app).script)[-1] == report(app).state
        assert attempt(app).given == 0


async def test_it_plays_until_it_is_stopped_and_rests_when_the_student_leaves(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", *FULL_SPEED)
        await agents_are_here(pilot, app)
        await press(pilot, "g")
        await until(pilot, lambda: report(app).knows.episodes > 1000)
        assert "playing, full speed" in shown(app)
        await press(pilot, "g")
        await until(pilot, lambda: not report(app).playing)
        await press(pilot, "g")
        await until(pilot, lambda: report(app).playing)
        companion = room(app).companions[0]
        await press(pilot, "P")
        await until(pilot, lambda: not companion.is_playing)
        await press(pilot, "T")
        assert room(app).companions == [companion]
        assert "resting, full speed" in shown(app)


async def test_another_lemma_has_another_agent_and_the_first_one_ends(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await agents_are_here(pilot, app)
        (first,) = room(app).companions
        app.seat.take(Exercise("other", parse("A -> A")))
        await press(pilot, "P", "T")
        (second,) = room(app).companions
        assert second is not first and not first.is_gone
        await until(pilot, lambda: first.pid is None)
        await agents_are_here(pilot, app)
        assert report(app).state[0].conclusion == parse("A -> A")


async def test_when_the_agent_dies_a_sentence_says_so_and_a_key_starts_another(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "l")
        await agents_are_here(pilot, app)
        (companion,) = room(app).companions
        assert companion.pid is not None
        os.kill(companion.pid, signal.SIGKILL)
        await until(pilot, lambda: "ended from outside" in on_card(app))
        await press(pilot, "1")
        assert attempt(app).made == [Move("intro")] and companion.is_gone
        await press(pilot, "space")
        await until(pilot, lambda: not companion.is_gone and companion.report is not None)
        assert report(app).settings.learner == "sarsa-lambda"


@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES)
async def test_everything_fits_and_ascii_is_nothing_else(tmp_path: Path, size: str, look: str) -> None:
    app = classroom(tmp_path, "SYJ203.3", **({"look": ASCII} if look == "ascii" else {}))
    async with opened(app, SIZES[size]) as pilot:
        await press(pilot, "T", *FULL_SPEED, "H")
        await agents_are_here(pilot, app)
        await rests(pilot, app, 100)
        for keys in ("1", "q"), ("t",), ("t",), ("question_mark",):
            await press(pilot, *keys)
            await settle(pilot)
            assert overflowing(app) == []
            assert look == "unicode" or shown(app).isascii(), [c for c in shown(app) if not c.isascii()]
