"""Together: a student and a partner on the same lemma, by keys alone and by clicks alone."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import cast

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import spoken
from tactics.script import replay
from tests.tui.partners import partners_are_here, report, rests, room, until
from tests.tui.rooms import ASCII, SIZES, classroom, make, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.widgets.learning import Learning
from tui.widgets.partner_card import PartnerCard
from tui.widgets.said import Said

pytestmark = pytest.mark.slow

OR_COMM = "p \\/ q -> q \\/ p"
PROOF = ("intro", "destruct_or H", "right", "assumption", "left", "assumption")
FULL_SPEED = ("plus", "plus")


def attempt(app: Classroom) -> Attempt:
    assert app.session.seat.attempt is not None
    return app.session.seat.attempt


def on_card(app: Classroom) -> str:
    return app.screen.query_one(PartnerCard).render().plain.replace("\n", " ")


def said(app: Classroom) -> str:
    return app.screen.query_one(Said).text.replace("\n", " ")


def word_of(app: Classroom, action: str) -> Offset:
    """Where a word stands on which a click does something."""
    for line, strip in enumerate(app.screen._compositor.render_strips()):
        across = 0
        for segment in strip:
            if segment.style and segment.style.meta.get("@click") == action:
                return Offset(across, line)
            across += segment.cell_length
    raise AssertionError(f"no word does {action}:\n{shown(app)}")


async def click(pilot: Pilot[None], action: str) -> None:
    """Click on the word that does something."""
    await settle(pilot)
    await pilot.click(offset=word_of(cast("Classroom", pilot.app), action))
    await settle(pilot)


async def test_a_step_is_one_move_of_the_agent_and_shows_what_comes_next(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        await press(pilot, "space")
        await until(pilot, lambda: len(report(app).script) == 1 and report(app).intends is not None)
        assert "Where it stands: one move" in shown(app)
        assert "Oasis says" in shown(app) and "Teacher" not in shown(app), "in a class that is a person"
        intends = report(app).intends
        assert intends is not None and f"next {spoken(intends)}" in shown(app)
        assert attempt(app).made == []


async def test_beliefs_are_hidden_until_they_are_asked_for_and_then_stay_best_first(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, *PROOF)
        await press(pilot, "a")
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, "0")
        assert "q asks what it makes of your state" in shown(app)
        assert "tried takes" not in shown(app)
        await press(pilot, "q")
        await until(pilot, lambda: "tried takes" in shown(app))
        assert report(app).looked_at == attempt(app).state
        told = report(app).opinion
        assert told is not None and len(told.voices) == 1
        values, visits, shares = (column.figures for column in told.voices[0].columns)
        for move, value, visited, share in zip(told.moves, values, visits, shares, strict=True):
            *_, row = [line for line in shown(app).splitlines() if f" {move} " in line[40:]]
            assert f"{value:.3f}" in row and f"{share:.0%}" in row and f" {visited} " in row
        rows = [line for line in shown(app).splitlines() if re.search(r" -?\d\.\d{3} +\d+ +\d+%", line[40:])]
        shares_shown = [int(re.findall(r"(\d+)%", row)[-1]) for row in rows]
        assert shares_shown == sorted(shares_shown, reverse=True) and len(set(shares_shown)) > 1
        await press(pilot, "1")
        await until(pilot, lambda: report(app).looked_at == attempt(app).state)
        assert "tried takes" in shown(app)
        await press(pilot, "u")
        events = [event.kind for _, events in app.session.seat.desk.work() for event in events]
        assert events.count("asked") == 3  # once for each state in which it was to be seen
        await press(pilot, "q")
        assert "q asks what it makes of your state" in shown(app) and "tried takes" not in shown(app)
        await until(pilot, lambda: report(app).looked_at is None)


async def test_where_the_terms_say_so_beliefs_are_shown_in_every_state(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.session.seat.take(Exercise("or_comm", parse(OR_COMM), "open", Terms(agent="shown")))
        await press(pilot, "T")
        await until(pilot, lambda: "It is new here" in shown(app))
        await press(pilot, "0")
        await until(pilot, lambda: "destruct_or H" in shown(app)[shown(app).index("What it makes") :])
        assert "asked" not in kinds(app), "who is new has nothing to give away"
        await press(pilot, *FULL_SPEED, "H")
        await until(pilot, lambda: report(app).knows.episodes >= 100)
        await until(pilot, lambda: kinds(app).count("asked") == 1)


def kinds(app: Classroom) -> list[str]:
    """What has happened in the attempts of the student."""
    return [event.kind for _, events in app.session.seat.desk.work() for event in events]


async def test_where_the_terms_say_so_there_is_no_agent(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.session.seat.take(Exercise("or_comm", parse(OR_COMM), "strict", Terms(agent="hidden")))
        await press(pilot, "T", "q", "space", "g", "V", "Y", "d", "l", "t")
        await make(pilot, *PROOF)
        assert room(app).companions == []
        assert "there is no partner" in on_card(app)
        assert attempt(app).proved and attempt(app).given == 0


@pytest.mark.some_variants(4)
@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("l", "learner", "sarsa-lambda"),
        ("E", "epsilon", 0.8),
        ("K", "alpha", 1.0),
        ("G", "gamma", 0.95),
        ("O", "initial_value", 0.5),
        ("R", "reward", "standard"),
        ("S", "state_space", "name"),
        ("A", "actions", "blind"),
    ],
)
async def test_every_setting_is_one_key_away_and_what_is_lost_is_said_first(
    tmp_path: Path, key: str, field: str, value: object
) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, key)
        keeps = key in "EK"
        if not keeps:
            assert f"becomes {value}, and all that it learned in 100 episodes is lost. {key} again" in said(app)
            assert getattr(report(app).settings, field) != value and report(app).knows.episodes == 100
            await press(pilot, key)
        await until(pilot, lambda: getattr(report(app).settings, field) == value)
        await until(pilot, lambda: ("keeps what it has learned" if keeps else "begins anew") in on_card(app))
        assert (f"{value:g}" if isinstance(value, float) else str(value)) in on_card(app)
        assert report(app).knows.episodes == (100 if keeps else 0)


async def test_what_would_be_lost_is_asked_again_once_something_else_was_said(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", *FULL_SPEED, "o")
        await partners_are_here(pilot, app)
        await rests(pilot, app, 1)
        await press(pilot, "l", "R", "d", "l")
        assert report(app).settings.learner == "q-learning" and "l again does it" in said(app)


@pytest.mark.some_days
async def test_everything_of_a_partner_goes_by_mouse_alone(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, *PROOF)
        await press(pilot, "a")
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        await click(pilot, "screen.step")
        await until(pilot, lambda: len(report(app).script) == 1)
        await click(pilot, "screen.faster")
        await click(pilot, "screen.faster")
        await click(pilot, "screen.episode")
        await rests(pilot, app, 1)
        await click(pilot, "screen.hundred")
        await rests(pilot, app, 101)
        await click(pilot, "screen.play")
        await until(pilot, lambda: report(app).playing)
        await click(pilot, "screen.play")
        await until(pilot, lambda: not report(app).playing)
        await click(pilot, "screen.beliefs")
        await until(pilot, lambda: "tried takes" in shown(app))
        await click(pilot, "screen.why_it")
        await until(pilot, lambda: "none is larger" in said(app))
        await click(pilot, "screen.panel")  # back to the card, whose room the reason has taken
        assert "tried takes" in shown(app)
        await click(pilot, "screen.switch('epsilon', 0)")
        await until(pilot, lambda: report(app).settings.epsilon == 0.8)
        await click(pilot, "screen.switch('gamma', 0)")
        await click(pilot, "screen.switch('gamma', 0)")
        await until(pilot, lambda: report(app).settings.gamma == 0.95)
        await click(pilot, "screen.hand_over")
        await click(pilot, "screen.panel")
        await click(pilot, "screen.partner")
        await until(pilot, lambda: room(app).companions[0].kind == "escalating")


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
        await make(pilot, *PROOF)
        await partners_are_here(pilot, app)
        await until(pilot, lambda: report(app).knows.helped == 1)
        assert "times; the first move is worth 0.59 now." in on_card(app)
        exam = report(app).knows.exam
        await press(pilot, "q")
        await until(pilot, lambda: "What it makes of the beginning" in shown(app) and "0.590" in shown(app))
        await press(pilot, "t", "t")  # to the curve, which has all the room
        await press(pilot, "d")
        await until(pilot, lambda: report(app).knows.helped == 2)
        assert " once more, " in shown(app) and " in all;" in " ".join(shown(app).split())
        assert exam is not None and exam.of_median_play == 6
        assert report(app).knows.episodes == 0


async def test_the_curve_shows_the_students_proof_and_the_shortest_once_there_is_one(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", *FULL_SPEED, "H")
        await partners_are_here(pilot, app)
        await rests(pilot, app, 100)
        await press(pilot, "t", "t")
        await settle(pilot)
        assert not any(name in curve(app) for name in ("episodes", "greedy", "best", "you"))
        await make(pilot, *PROOF)
        await until(pilot, lambda: all(name in curve(app) for name in ("episodes", "greedy", "best", "you")))


def curve(app: Classroom) -> str:
    """What is drawn in the panel of the learning curve, below its title."""
    region = app.screen.query_one(Learning).region
    return "\n".join(line[region.x : region.right] for line in shown(app).splitlines()[region.y + 1 : region.bottom])


async def test_a_student_goes_on_from_where_the_agent_stands_at_a_cost(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "V")
        assert "let it make a move first" in said(app)
        await partners_are_here(pilot, app)
        await press(pilot, "space")
        await until(pilot, lambda: len(report(app).script) == 1)
        await press(pilot, "V")
        assert "V again takes over one move of the agent, each at the cost of a hint" in said(app)
        assert attempt(app).made == []
        await press(pilot, "V")
        assert attempt(app).made == [Move("intro")] and attempt(app).given == 1
        assert attempt(app).helped == 1


async def test_the_agent_goes_on_from_where_the_student_stands(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        await press(pilot, "0", "1", "Y")
        await until(pilot, lambda: report(app).script == attempt(app).script)
        assert "Where it stands: 2 moves" in shown(app)
        await press(pilot, *FULL_SPEED, "o")
        await until(pilot, lambda: report(app).knows.helped == 1 and not report(app).playing)
        assert report(app).script[:2] == attempt(app).script
        assert replay(attempt(app).formula, report(app).script)[-1] == report(app).state
        assert attempt(app).given == 0


@pytest.mark.some_days
async def test_it_plays_until_it_is_stopped_and_rests_when_the_student_leaves(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", *FULL_SPEED)
        await partners_are_here(pilot, app)
        await press(pilot, "g")
        await until(pilot, lambda: report(app).knows.episodes > 1000)
        assert "playing, full speed" in shown(app)
        await press(pilot, "g")
        await until(pilot, lambda: not report(app).playing)
        await press(pilot, "g")
        await until(pilot, lambda: report(app).playing)
        companion = room(app).companions[0]
        episodes = report(app).knows.episodes
        await press(pilot, "question_mark")
        await until(pilot, lambda: companion.report is not None and companion.report.knows.episodes > episodes + 1000)
        await press(pilot, "escape")
        assert companion.is_playing
        await press(pilot, "P")
        await until(pilot, lambda: not companion.is_playing)
        await press(pilot, "T")
        assert room(app).companions == [companion]
        assert "resting, full speed" in shown(app)


async def test_another_lemma_has_another_agent_and_the_first_one_ends(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        (first,) = room(app).companions
        app.session.seat.take(Exercise("other", parse("A -> A")))
        await press(pilot, "P", "T")
        (second,) = room(app).companions
        assert second is not first and not first.is_gone
        await until(pilot, lambda: first.pid is None)
        await partners_are_here(pilot, app)
        assert report(app).state[0].conclusion == parse("A -> A")


async def test_when_the_agent_dies_a_sentence_says_so_and_a_key_starts_another(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "l")
        await partners_are_here(pilot, app)
        (companion,) = room(app).companions
        assert companion.pid is not None
        os.kill(companion.pid, signal.SIGKILL)
        await until(pilot, lambda: "ended from outside" in on_card(app))
        await press(pilot, "0")
        assert attempt(app).made == [Move("intro")] and companion.is_gone
        await press(pilot, "space")
        await until(pilot, lambda: not companion.is_gone and companion.report is not None)
        assert report(app).settings.learner == "sarsa-lambda"


async def test_the_key_that_turns_panels_is_named_once_the_window_is_too_low_for_all(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, (120, 40)) as pilot:
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        assert "t Turn" not in shown(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "t Turn" in shown(app))


@pytest.mark.some_days
@pytest.mark.some_variants(2)
@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES)
async def test_everything_fits_and_ascii_is_nothing_else(tmp_path: Path, size: str, look: str) -> None:
    app = classroom(tmp_path, "SYJ203.3", **({"look": ASCII} if look == "ascii" else {}))
    async with opened(app, SIZES[size]) as pilot:
        await press(pilot, "T", *FULL_SPEED, "H")
        await partners_are_here(pilot, app)
        await rests(pilot, app, 100)
        for keys in ("0", "q"), ("t",), ("t",), ("question_mark",):
            await press(pilot, *keys)
            await settle(pilot)
            assert overflowing(app) == []
            assert look == "unicode" or shown(app).isascii(), [c for c in shown(app) if not c.isascii()]
