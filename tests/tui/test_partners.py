"""The partners who can sit beside a student in Together: one that learns, one that escalates, one that knows."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

from oasis.classroom.partner.partners import PARTNERS
from oasis.classroom.proving.exercise import POINTS, Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tests.tui.partners import FULL_SPEED, on_card, partners_are_here, report, rests, room, show_all, until
from tests.tui.rooms import (
    NARROW,
    OR_COMM,
    PROOF,
    SIZES,
    attempt,
    classroom,
    make,
    opened,
    overflowing,
    press,
    said,
    settle,
    shown,
    sitting,
)
from tui.app import Classroom
from tui.widgets.said import Said

pytestmark = pytest.mark.slow

ALL_HINTS = 3
"""Hints of one state that are told beside the light."""


def told(app: Classroom) -> str:
    """What is said, in one line."""
    return said(app).replace("\n", " ")


async def test_exact_play_costs_all_hints_of_each_state_and_who_begins_again_sees_nothing_of_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "T", "B", "B")
        await partners_are_here(pilot, app)
        assert "Exact play: It knows the truth" in told(app) and "─Exact play─" in shown(app)
        await press(pilot, "space")
        assert "Only one move applies" in told(app) and not report(app).playing
        await press(pilot, "0", "q")
        assert "The exact play may know it all: q again lets it, for 3 points." in told(app)
        assert attempt(app).helped == 0
        await press(pilot, "q")
        await until(pilot, lambda: "The shortest proof from here has 5" in shown(app))
        assert attempt(app).helped == ALL_HINTS
        assert f"worth {POINTS - ALL_HINTS} of {POINTS} points" in shown(app)
        for key in ("X", "space", "g", "o", "H"):  # no other state is told for that
            await press(pilot, key)
            await partners_are_here(pilot, app)
            assert attempt(app).helped == ALL_HINTS and not report(app).playing
        await until(pilot, lambda: "Where it stands: 2 moves" in shown(app))
        assert len(report(app).script) == 2 and "next" not in shown(app).split("Where it stands")[1]
        await make(pilot, "destruct_or H")
        await until(pilot, lambda: "Where it stands: not to be seen yet" in shown(app))
        await press(pilot, "g")
        assert "g again lets it, for 3 points" in told(app) and len(report(app).script) == 2
        await press(pilot, "g")
        await until(pilot, lambda: len(report(app).script) == 3 and "Where it stands: 3 moves" in shown(app))
        assert attempt(app).helped == 2 * ALL_HINTS
        await press(pilot, "a")
        await until(pilot, lambda: "Where it stands: not to be seen yet" in shown(app))
        assert attempt(app).helped == 0


async def test_an_agent_that_has_tried_is_no_oracle(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=SIZES["widest"]) as (app, pilot):
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        assert "A machine that tries moves at random and remembers what paid." in on_card(app)
        await press(pilot, "q", *FULL_SPEED)
        await until(pilot, lambda: "It is new here" in shown(app))  # who knows nothing tells that for nothing
        await press(pilot, "H")
        await rests(pilot, app, 100)
        assert report(app).knows.best is not None
        await until(pilot, lambda: "What came of them is shown when the lemma is done." in on_card(app))
        assert "q asks what it makes of your state" in shown(app) and "not to be seen yet" in shown(app)
        for hidden in ("proved", "best", "exam", "greedy", "tried takes"):
            assert hidden not in shown(app).split("─Agent─")[1]
        await press(pilot, "V")
        assert "stands at the beginning" in told(app) and attempt(app).given == 0
        await press(pilot, "0", "q", "space", "X")
        assert "X again lets it, for 3 points" in told(app) and attempt(app).helped == 0
        await press(pilot, "X")
        await until(pilot, lambda: "none is larger" in told(app) and "proved" in on_card(app))
        assert attempt(app).helped == ALL_HINTS
        await until(pilot, lambda: "tried takes" in shown(app))
        await make(pilot, "destruct_or H")
        await until(pilot, lambda: "tried takes" not in shown(app) and "proved" not in on_card(app))
        await make(pilot, *PROOF[2:])
        await until(pilot, lambda: "proved" in on_card(app) and "exam" in on_card(app))
        assert app.session.seat.desk.result.points == POINTS - ALL_HINTS


async def test_a_first_try_is_seen_once_whatever_is_switched_and_whoever_comes_back(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        exercise = app.session.seat.exercise
        await press(pilot, "T")
        await partners_are_here(pilot, app)
        await press(pilot, "space")
        await until(pilot, lambda: "Where it stands: one move" in shown(app))
        await press(pilot, "l", "space")  # it begins anew
        await until(pilot, lambda: len(report(app).script) == 0 and report(app).settings.learner != "q-learning")
        await until(pilot, lambda: "Where it stands: not to be seen yet" in shown(app))
        app.session.seat.take(Exercise("other", parse("A -> A")))
        await press(pilot, "P", "T")
        app.session.seat.take(exercise)
        await press(pilot, "P", "T")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "What came of them" in on_card(app))


@pytest.mark.parametrize("is_told", [False, True])
async def test_the_terms_say_whether_a_partner_tells_nothing_or_is_free(tmp_path: Path, is_told: bool) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        terms = Terms(agent="shown") if is_told else Terms(hints=2)
        app.session.seat.take(Exercise("or_comm", parse(OR_COMM), "open", terms))
        await press(pilot, "T", "B", *["B"] * is_told, "0")
        await partners_are_here(pilot, app)
        if is_told:
            await until(pilot, lambda: "The shortest proof from here has 5" in shown(app))
        for key in () if is_told else ("q", "X", "space", "o", "H", "g"):
            await press(pilot, key)
            assert "nobody says what to do" in app.screen.query_one(Said).text
            assert report(app).looked_at is None and report(app).script == () and report(app).knows.episodes == 0
        assert attempt(app).helped == 0


async def test_the_escalating_student_shows_what_each_voice_says_and_who_would_move(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=SIZES["widest"]) as (app, pilot):
        show_all(app)
        await press(pilot, "T", "B", "0")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "★ search: A proof in" in shown(app))
        opinion = report(app).opinion
        assert opinion is not None and [voice.name for voice in opinion.voices] == ["table", "search", "network"]
        assert opinion.mover == "search" and " Q proof   net  left" in shown(app)
        assert "  table: New here" in shown(app)
        *_, row = [line for line in shown(app).splitlines() if " destruct_or H " in line[100:]]
        assert "★" in row and "0.000" in row and " 5 " in row
        await press(pilot, "X")
        await until(pilot, lambda: "Its moves are about these formulas" in told(app))
        assert "% ▪" in shown(app) and "p ∨ q" in shown(app)
        await press(pilot, *FULL_SPEED, "H")
        await until(pilot, lambda: "★ table: Takes" in shown(app))
        assert "network" in on_card(app) and "episodes" in on_card(app)
        await pilot.resize_terminal(*NARROW)
        await press(pilot, "t")
        await until(pilot, lambda: " Q proof" in shown(app))
        table = [line for line in shown(app).splitlines() if " Q proof" in line]
        assert table and all(" left" not in line for line in table), "columns that do not fit are left out"


async def test_on_a_low_screen_a_reason_has_the_room_that_it_needs_until_something_else_is_done(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        show_all(app)
        await press(pilot, "T")
        assert not app.screen.query_one(Said).show_vertical_scrollbar
        await press(pilot, "B", "0")
        await partners_are_here(pilot, app)
        panels = app.screen.query_one("#panels")
        for key in ("t", "u"):
            assert panels.size.height > 2
            await press(pilot, "X")
            await until(pilot, lambda: "Its moves are about these formulas" in said(app))
            assert not panels.size.height and "% ▪" in shown(app) and overflowing(app) == []
            assert app.screen.query_one(Said).max_scroll_y == 0
            assert said(app).startswith("Escalating student, search: ")
            await press(pilot, key)
        assert panels.size.height > 2


async def test_a_network_that_cannot_be_had_is_one_sentence_and_the_others_go_on(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, network=str(tmp_path / "none.safetensors"))
    why = "There is no file" if find_spec("torch") else "Networks need torch"
    async with opened(app, SIZES["widest"]) as pilot:
        show_all(app)
        await press(pilot, "T", "B", "0", "q")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "It is coming." not in said_by_network(app))
        assert said_by_network(app).startswith(why)
        await until(pilot, lambda: f"network: {why[:17]}" in shown(app))
        assert "★ search: A proof in 5" in shown(app)


def said_by_network(app: Classroom) -> str:
    """What the voice of the network says, as far as it was reported; that it is coming before that."""
    opinion = report(app).opinion
    voices = () if opinion is None else opinion.voices
    return next((voice.sentence for voice in voices if voice.name == "network"), "It is coming.")


async def test_each_partner_keeps_what_it_learned_while_another_sits_there(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "T", *FULL_SPEED, "H")
        await partners_are_here(pilot, app)
        await rests(pilot, app, 100)
        (agent,) = room(app).companions
        pids = [agent.pid]
        for _ in range(2):
            await press(pilot, "B")
            await partners_are_here(pilot, app)
            pids.append(room(app).companions[0].pid)
        await press(pilot, "B")
        assert room(app).companions == [agent] and report(app).knows.episodes == 100
        assert "100 episodes" in on_card(app) and len(set(pids)) == len(PARTNERS)
        app.session.seat.take(Exercise("other", parse("A -> A")))
        await press(pilot, "P", "T")
        await partners_are_here(pilot, app)
        assert room(app).switched.kind == "agent" and agent.pid is None
        assert not any(map(_is_alive, pids))


def _is_alive(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_partner_that_dies_is_one_sentence_and_a_key_starts_it_again_with_its_settings(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):

        async def die() -> None:
            (companion,) = room(app).companions
            assert companion.pid is not None
            os.kill(companion.pid, signal.SIGKILL)
            await until(pilot, lambda: "ended from outside" in on_card(app))
            room(app).show_all()  # as a report from before does, whose turn comes late
            await settle(pilot)
            assert "ended from outside" in on_card(app) and companion.is_gone

        async def live(*keys: str) -> None:
            (companion,) = room(app).companions
            await press(pilot, *keys)
            await until(pilot, lambda: not companion.is_gone and companion.report is not None)

        await press(pilot, "T", "l")
        await partners_are_here(pilot, app)
        await die()
        await press(pilot, "0")
        assert attempt(app).made == [Move("intro")]
        await live("space")
        assert report(app).settings.learner == "sarsa-lambda"
        await press(pilot, "B")
        await partners_are_here(pilot, app)
        await press(pilot, "A")
        assert "has no other moves on offer" in told(app)
        await die()
        await live("plus")
        assert report(app).settings.actions == "legal", "what it cannot switch stays"
        await press(pilot, "B", "E")
        assert "has no other share of random moves" in told(app)
        await partners_are_here(pilot, app)
        await die()
        await live("X", "X")
        await until(pilot, lambda: "A shortest proof" in told(app))
        assert said(app).startswith("Exact play: ")
