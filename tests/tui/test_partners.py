"""The partners who can sit beside a student in Together: one that learns, one that escalates, one that knows."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from oasis.classroom.partner.partners import PARTNERS
from oasis.classroom.proving.exercise import POINTS, Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tests.tui.partners import partners_are_here, report, rests, room, show_all, until
from tests.tui.rooms import ASCII, NARROW, SIZES, classroom, make, opened, overflowing, press, settle, shown
from tests.tui.test_together import FULL_SPEED, OR_COMM, PROOF, attempt, on_card, said
from tui.widgets.said import Said

pytestmark = pytest.mark.slow

ALL_HINTS = 3
"""Hints of one state that are told beside the light."""


@pytest.mark.some_days
async def test_exact_play_says_how_long_the_shortest_proof_is_and_costs_all_hints(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "B", "B")
        await partners_are_here(pilot, app)
        assert "Exact play: It knows the truth" in app.screen.query_one(Said).text
        assert "─Exact play─" in shown(app) and attempt(app).helped == 0
        await press(pilot, "0", "q")
        assert "The exact play may know it all: q again lets it, for 3 points." in said(app)
        assert attempt(app).helped == 0
        await press(pilot, "q")
        await until(pilot, lambda: "The shortest proof from here has 5" in shown(app))
        assert attempt(app).helped == ALL_HINTS
        assert f"worth {POINTS - ALL_HINTS} of {POINTS} points" in shown(app)
        await press(pilot, "q", "q", "X", *FULL_SPEED, "o")  # no other state is told for that
        await until(pilot, lambda: len(report(app).script) == 2)
        assert attempt(app).helped == ALL_HINTS and not report(app).playing
        await press(pilot, "1", "q")
        assert attempt(app).helped == ALL_HINTS and "q again" in said(app)
        await press(pilot, "q")
        assert attempt(app).helped == 2 * ALL_HINTS


@pytest.mark.some_days
async def test_who_watches_exact_play_pays_for_each_state(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "B", "B")
        await partners_are_here(pilot, app)
        await press(pilot, "space")
        assert "Only one move applies" in said(app) and not report(app).playing
        await press(pilot, "0", "space", "space")
        await until(pilot, lambda: len(report(app).script) == 2)
        assert "Where it stands: 2 moves" in shown(app) and "next" not in shown(app).split("Where it stands")[1]
        for key in ("space", "g", "o", "H"):
            await press(pilot, key)
            await partners_are_here(pilot, app)
            await until(pilot, lambda: len(report(app).script) == 2)
            assert attempt(app).helped == ALL_HINTS and not report(app).playing
        await make(pilot, "destruct_or H")
        await until(pilot, lambda: "Where it stands: not to be seen yet" in shown(app))
        await press(pilot, "g")
        assert "g again lets it, for 3 points" in said(app) and len(report(app).script) == 2
        await press(pilot, "g")
        await until(pilot, lambda: len(report(app).script) == 3)
        assert attempt(app).helped == 2 * ALL_HINTS


@pytest.mark.some_days
async def test_who_begins_again_no_longer_watches_what_was_paid_before(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "B", "B")
        await partners_are_here(pilot, app)
        await press(pilot, "0", "g", "g")
        await until(pilot, lambda: "Where it stands: 2 moves" in shown(app))
        await press(pilot, "a")
        await until(pilot, lambda: "Where it stands: not to be seen yet" in shown(app))
        assert attempt(app).helped == 0


@pytest.mark.some_days
async def test_an_agent_that_has_tried_is_no_oracle(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, SIZES["widest"]) as pilot:
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
        assert "stands at the beginning" in said(app) and attempt(app).given == 0
        await press(pilot, "0", "q", "space", "X")
        assert "X again lets it, for 3 points" in said(app) and attempt(app).helped == 0
        await press(pilot, "X")
        await until(pilot, lambda: "none is larger" in said(app) and "proved" in on_card(app))
        assert attempt(app).helped == ALL_HINTS
        await until(pilot, lambda: "tried takes" in shown(app))
        await make(pilot, "destruct_or H")
        await until(pilot, lambda: "tried takes" not in shown(app) and "proved" not in on_card(app))
        await make(pilot, *PROOF[2:])
        await until(pilot, lambda: "proved" in on_card(app) and "exam" in on_card(app))
        assert app.session.seat.desk.result.points == POINTS - ALL_HINTS


@pytest.mark.some_days
async def test_a_first_try_is_seen_once_whatever_is_switched_and_whoever_comes_back(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
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


@pytest.mark.some_days
async def test_who_may_not_be_told_is_not_told_by_a_partner(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.session.seat.take(Exercise("or_comm", parse(OR_COMM), "strict", Terms(hints=2)))
        await press(pilot, "T", "B")
        await partners_are_here(pilot, app)
        await press(pilot, "0")
        for key in ("q", "X", "space", "o", "H", "g"):
            await press(pilot, key)
            assert "nobody says what to do" in app.screen.query_one(Said).text
        assert attempt(app).helped == 0 and report(app).looked_at is None
        assert report(app).script == () and report(app).knows.episodes == 0


@pytest.mark.some_days
async def test_where_everything_is_shown_a_partner_is_free(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.session.seat.take(Exercise("or_comm", parse(OR_COMM), "open", Terms(agent="shown")))
        await press(pilot, "T", "B", "B", "0")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "The shortest proof from here has 5" in shown(app))
        assert attempt(app).helped == 0


async def test_the_escalating_student_shows_what_each_voice_says_and_who_would_move(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, SIZES["widest"]) as pilot:
        show_all(app)
        await press(pilot, "T", "B", "0")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "★ search: A proof in" in shown(app))
        told = report(app).opinion
        assert told is not None and [voice.name for voice in told.voices] == ["table", "search", "network"]
        assert told.mover == "search"
        assert " Q proof   net  left" in shown(app)
        assert "★ search: A proof in" in shown(app) and "  table: New here" in shown(app)
        *_, row = [line for line in shown(app).splitlines() if " destruct_or H " in line[100:]]
        assert "★" in row and "0.000" in row and " 5 " in row
        await press(pilot, "X")
        await until(pilot, lambda: "Its moves are about these formulas" in app.screen.query_one(Said).text)
        assert "% ▪" in shown(app) and "p ∨ q" in shown(app)
        await press(pilot, *FULL_SPEED, "H")
        await until(pilot, lambda: "★ table: Takes" in shown(app))
        assert "network" in on_card(app) and "episodes" in on_card(app)


@pytest.mark.some_days
async def test_on_a_low_screen_a_reason_has_the_room_that_it_needs_until_something_else_is_done(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
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


@pytest.mark.some_days
async def test_a_network_that_cannot_be_read_is_one_sentence_and_the_others_go_on(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, network=str(tmp_path / "none.safetensors"))
    async with opened(app, SIZES["widest"]) as pilot:
        await press(pilot, "T", "B", "0", "q", "q")
        await until(pilot, lambda: "network: There is no file" in shown(app))
        assert "★ search: A proof in 5" in shown(app)


@pytest.mark.some_days
async def test_each_partner_keeps_what_it_learned_while_another_sits_there(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
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
        assert "100 episodes" in on_card(app)
        assert len(set(pids)) == len(PARTNERS)
        app.session.seat.take(Exercise("other", parse("A -> A")))
        await press(pilot, "P", "T")
        await partners_are_here(pilot, app)
        assert [room(app).switched.kind, agent.pid] == ["agent", None]
        assert all(not _is_alive(pid) for pid in pids)


def _is_alive(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.some_days
async def test_a_partner_that_dies_is_one_sentence_and_a_key_starts_it_again(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "B", "B")
        await partners_are_here(pilot, app)
        (companion,) = room(app).companions
        assert companion.pid is not None
        os.kill(companion.pid, signal.SIGKILL)
        await until(pilot, lambda: "The exact play was ended from outside" in on_card(app))
        room(app).show_all()  # as a report from before does, whose turn comes late
        await settle(pilot)
        assert "The exact play was ended from outside" in on_card(app)
        await press(pilot, "0")
        assert attempt(app).made == [Move("intro")]
        await press(pilot, "X", "X")
        await until(pilot, lambda: not companion.is_gone and companion.report is not None)
        assert companion.kind == "exact"
        await until(pilot, lambda: "A shortest proof" in app.screen.query_one(Said).text)
        assert said(app).startswith("Exact play: ")


@pytest.mark.some_days
async def test_what_a_partner_cannot_switch_stays_also_when_it_is_started_again(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "B")
        await partners_are_here(pilot, app)
        await press(pilot, "A")
        assert "has no other moves on offer" in said(app)
        await press(pilot, "l")
        await until(pilot, lambda: report(app).settings.learner == "sarsa-lambda")
        (companion,) = room(app).companions
        assert companion.pid is not None
        os.kill(companion.pid, signal.SIGKILL)
        await until(pilot, lambda: "ended from outside" in on_card(app))
        await press(pilot, "plus")
        await until(pilot, lambda: not companion.is_gone and companion.report is not None)
        assert (report(app).settings.learner, report(app).settings.actions) == ("sarsa-lambda", "legal")
        await press(pilot, "B", "E")
        assert "has no other share of random moves" in said(app)


@pytest.mark.some_days
async def test_a_proof_is_shown_to_every_partner_that_is_there(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "T", "B")
        await make(pilot, *PROOF)
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "Its table has played your proof" in on_card(app))
        await press(pilot, "B")
        await partners_are_here(pilot, app)
        await press(pilot, "d")
        await until(pilot, lambda: "It has seen your proof of 6 moves." in on_card(app).replace("\n", " "))


@pytest.mark.some_days
@pytest.mark.some_variants(2)
@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES)
async def test_partners_fit_and_ascii_is_nothing_else(tmp_path: Path, size: str, look: str) -> None:
    app = classroom(tmp_path, "SYJ203.3", **({"look": ASCII} if look == "ascii" else {}))
    async with opened(app, SIZES[size]) as pilot:
        seat = app.session.seat
        seat.take(Exercise("SYJ203.3", seat.exercise.formula, "open", Terms(agent="shown")))  # so that all is free
        await press(pilot, "T", *FULL_SPEED)
        for _ in range(2):
            await press(pilot, "B")
            await partners_are_here(pilot, app)
            await press(pilot, "o")
            await until(pilot, lambda: report(app).knows.episodes > 0 and not report(app).playing)
            for keys in ("0", "X"), ("l",), ("t", "t"), ("question_mark",), ("escape",):
                await press(pilot, *keys)
                if keys != ("question_mark",):
                    await partners_are_here(pilot, app)
                assert overflowing(app) == []
                assert look == "unicode" or shown(app).isascii(), [c for c in shown(app) if not c.isascii()]


@pytest.mark.some_days
async def test_where_columns_do_not_fit_the_last_ones_are_left_out(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/and_assoc")
    async with opened(app, NARROW) as pilot:
        await press(pilot, "T", "B", "0", "q", "q")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: " Q proof" in shown(app))
        table = [line for line in shown(app).splitlines() if " Q proof" in line]
        assert table and all(" left" not in line for line in table)
