"""Together and Watch: partners that learn beside a student, or side by side, by keys alone and by clicks alone."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from curricula import resolve_lemma
from oasis.classroom.partner.plan import difference
from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import spoken
from tactics.script import replay
from tests.tui.partners import FULL_SPEED, click, on_card, partners_are_here, report, rests, room, show_all, until
from tests.tui.rooms import OR_COMM, PROOF, WIDE, attempt, make, press, said, shown, sitting, words
from tui.app import Classroom
from tui.widgets.learning import Learning
from tui.widgets.partner_card import PartnerCard
from tui.widgets.said import Said

pytestmark = pytest.mark.slow


def kinds(app: Classroom) -> list[str]:
    """What has happened in the attempts of the student."""
    return [event.kind for _, events in app.session.seat.desk.work() for event in events]


def has(app: Classroom, setting: str, value: object) -> bool:
    """Whether a setting of the partner has a value."""
    return bool(getattr(report(app).settings, setting) == value)


def curve(app: Classroom) -> str:
    """What is drawn in the panel of the learning curve, below its title."""
    region = app.screen.query_one(Learning).region
    return "\n".join(line[region.x : region.right] for line in shown(app).splitlines()[region.y + 1 : region.bottom])


async def test_a_step_is_one_move_and_each_goes_on_from_where_the_other_stands_the_student_at_a_cost(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "T", "V")
        assert "let it make a move first" in said(app)
        await partners_are_here(pilot, app)
        await press(pilot, "space")
        await until(pilot, lambda: len(report(app).script) == 1 and report(app).intends is not None)
        assert "Where it stands: one move" in shown(app) and attempt(app).made == []
        assert "Oasis says" in shown(app) and "Teacher" not in shown(app), "in a class that is a person"
        intends = report(app).intends
        assert intends is not None and f"next {spoken(intends)}" in shown(app)
        await press(pilot, "V")
        told = "V again takes over one move of the agent, each at the cost of a hint"
        assert told in said(app).replace("\n", " ") and attempt(app).made == []
        await press(pilot, "V")
        assert attempt(app).made == [Move("intro")] and attempt(app).given == attempt(app).helped == 1
        await press(pilot, "1", "Y")
        await until(pilot, lambda: report(app).script == attempt(app).script)
        assert "Where it stands: 2 moves" in shown(app)
        await press(pilot, *FULL_SPEED, "o")
        await until(pilot, lambda: report(app).knows.helped == 1 and not report(app).playing)
        assert report(app).script[:2] == attempt(app).script
        assert replay(attempt(app).formula, report(app).script)[-1] == report(app).state
        assert attempt(app).given == 1


async def test_beliefs_are_hidden_until_they_are_asked_for_and_then_stay_best_first(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await make(pilot, *PROOF)
        await press(pilot, "a", "T")
        await partners_are_here(pilot, app)
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, "0")
        assert "q asks what it makes of your state" in shown(app) and "tried takes" not in shown(app)
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
        assert kinds(app).count("asked") == 3, "once for each state in which it was to be seen"
        await press(pilot, "q")
        assert "q asks what it makes of your state" in shown(app) and "tried takes" not in shown(app)
        await until(pilot, lambda: report(app).looked_at is None)


async def test_the_terms_say_whether_beliefs_are_shown_in_every_state_or_there_is_no_partner(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        app.session.seat.take(Exercise("shown", parse(OR_COMM), "open", Terms(agent="shown")))
        await press(pilot, "T")
        await until(pilot, lambda: "It is new here" in shown(app))
        await press(pilot, "0")
        await until(pilot, lambda: "destruct_or H" in shown(app)[shown(app).index("What it makes") :])
        assert "asked" not in kinds(app), "who is new has nothing to give away"
        await press(pilot, *FULL_SPEED, "H")
        await until(pilot, lambda: report(app).knows.episodes >= 100)
        await until(pilot, lambda: kinds(app).count("asked") == 1)
        app.session.seat.take(Exercise("hidden", parse(OR_COMM), "strict", Terms(agent="hidden")))
        await press(pilot, "P", "T", "q", "space", "g", "V", "Y", "d", "l", "t")
        await make(pilot, *PROOF)
        assert room(app).companions == [] and "there is no partner" in on_card(app)
        assert attempt(app).proved and attempt(app).given == 0


async def test_every_setting_is_one_key_away_and_what_is_lost_is_said_first(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "T")
        await pilot.press("K", "K", "K")  # keys in quick succession all count
        await partners_are_here(pilot, app)
        await until(pilot, lambda: report(app).settings.alpha == 0.1)
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, "E")
        await until(pilot, lambda: report(app).settings.epsilon == 0.8)
        await until(pilot, lambda: "keeps what it has learned" in on_card(app))
        assert report(app).knows.episodes == 100
        await press(pilot, "l")
        lost = "becomes sarsa-lambda, and all that it learned in 100 episodes is lost. l again does it."
        assert lost in said(app).replace("\n", " ")
        await press(pilot, "R", "d", "l")
        assert lost in said(app).replace("\n", " "), "it is asked again once something else was said"
        assert report(app).settings.learner == "q-learning" and report(app).knows.episodes == 100
        await press(pilot, "l")
        await until(pilot, lambda: report(app).settings.learner == "sarsa-lambda" and "begins anew" in on_card(app))
        assert report(app).knows.episodes == 0
        for key, field, value in (
            ("G", "gamma", 0.95),
            ("O", "initial_value", 0.5),
            ("R", "reward", "standard"),
            ("S", "state_space", "name"),
            ("A", "actions", "blind"),
        ):
            await press(pilot, key)
            await until(pilot, partial(has, app, field, value))
            assert (f"{value:g}" if isinstance(value, float) else str(value)) in on_card(app)


async def test_everything_of_a_partner_goes_by_mouse_alone(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=(120, 40)) as (app, pilot):
        await make(pilot, *PROOF)
        await press(pilot, "a", "T")
        await partners_are_here(pilot, app)
        assert "t Turn" not in shown(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "t Turn" in shown(app))  # once the window is too low for all panels
        await click(pilot, "screen.step")
        await until(pilot, lambda: len(report(app).script) == 1)
        for action, episodes in (("faster", 0), ("faster", 0), ("episode", 1), ("hundred", 101)):
            await click(pilot, f"screen.{action}")
            await rests(pilot, app, episodes)
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


async def test_it_learns_from_the_students_proof_and_the_curve_shows_both_once_there_is_one(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "T", "d")
        assert app.screen.query_one(Said).text == "The agent can learn from your proof when it is finished."
        await press(pilot, "t", "t")
        await partners_are_here(pilot, app)
        assert not any(name in curve(app) for name in ("episodes", "greedy", "best", "you"))
        await make(pilot, *PROOF)
        await until(pilot, lambda: report(app).knows.helped == 1)
        assert "times; the first move is worth 0.59 now." in on_card(app)
        exam = report(app).knows.exam
        assert exam is not None and exam.of_median_play == 6
        await press(pilot, "q")
        await until(pilot, lambda: "What it makes of the beginning" in shown(app) and "0.590" in shown(app))
        await press(pilot, "t", "t", "d")  # to the curve, which has all the room
        await until(pilot, lambda: report(app).knows.helped == 2)
        assert " once more, " in shown(app) and " in all;" in " ".join(shown(app).split())
        assert report(app).knows.episodes == 0
        await press(pilot, *FULL_SPEED, "H")
        await rests(pilot, app, 100)
        await press(pilot, "t", "t")
        await until(pilot, lambda: all(name in curve(app) for name in ("episodes", "greedy", "best", "you")))


async def test_it_plays_until_it_is_stopped_rests_when_the_student_leaves_and_ends_with_the_lemma(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "T", *FULL_SPEED)
        await partners_are_here(pilot, app)
        await press(pilot, "g")
        await until(pilot, lambda: report(app).knows.episodes > 100)
        assert "playing, full speed" in shown(app)
        await press(pilot, "g")
        await until(pilot, lambda: not report(app).playing)
        await press(pilot, "g")
        await until(pilot, lambda: report(app).playing)
        (companion,) = room(app).companions
        episodes = report(app).knows.episodes
        await press(pilot, "question_mark")
        await until(pilot, lambda: companion.report is not None and companion.report.knows.episodes > episodes + 100)
        await press(pilot, "escape")
        assert companion.is_playing, "help does not stop it"
        await press(pilot, "P")
        await until(pilot, lambda: not companion.is_playing)
        await press(pilot, "T")
        assert room(app).companions == [companion] and "resting, full speed" in shown(app)
        app.session.seat.take(Exercise("other", parse("A -> A")))
        await press(pilot, "P", "T")
        (second,) = room(app).companions
        assert second is not companion and not companion.is_gone
        await until(pilot, lambda: companion.pid is None)
        await partners_are_here(pilot, app)
        assert report(app).state[0].conclusion == parse("A -> A")


async def test_both_play_when_they_are_told_on_one_curve_and_where_they_part_is_shown_with_what_each_makes_of_it(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, "SYJ203.2", size=WIDE) as (app, pilot):
        show_all(app)
        await press(pilot, "W", "q")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "Where A and B agree: after 2 moves" in shown(app))
        assert "B stands" not in shown(app)
        await press(pilot, *FULL_SPEED, "H")
        for agent in (0, 1):
            await rests(pilot, app, 100, agent)
            assert report(app, agent).knows.episodes == 100
        room(app).show_all()  # as the report does that comes when they rest
        await until(pilot, lambda: "Where A and B part: after" in shown(app))
        text = shown(app)
        assert "A: Agent" in text and "q-learning" in text and "B: Agent" in text and "sarsa" in text
        assert text.count("100 episodes") == 2
        names = ("A episodes", "A greedy", "B episodes", "B greedy")
        await until(pilot, lambda: all(name in shown(app) for name in names))
        found = difference(*(report(app, agent).plan for agent in (0, 1)))
        state = replay(resolve_lemma("SYJ203.2").formula, found.script)[-1]
        await until(pilot, lambda: all(report(app, agent).looked_at == state for agent in (0, 1)))
        choices = [opinion.choice for agent in (0, 1) if (opinion := report(app, agent).opinion)]
        assert len(choices) == 2 and choices[0] != choices[1]
        for choice in filter(None, choices):
            assert f"★ {spoken(choice)} " in shown(app)
            assert f"It takes {spoken(choice)} to be best." in shown(app)


async def test_while_one_can_see_them_move_it_is_shown_where_each_stands_and_else_where_they_agree(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, "p -> p", size=WIDE) as (app, pilot):
        show_all(app)
        await press(pilot, "W")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "A and B agree to the end, in 2 moves: here is the beginning" in shown(app))
        app.session.seat.take(Exercise("SYJ203.2", resolve_lemma("SYJ203.2").formula, "open", Terms(agent="shown")))
        await press(pilot, "P", "W", "space")
        await partners_are_here(pilot, app)
        await until(pilot, lambda: "Where A stands: one move" in shown(app) and "Where B stands: one" in shown(app))
        await until(pilot, lambda: all(report(app, agent).looked_at == report(app, agent).state for agent in (0, 1)))
        await press(pilot, *FULL_SPEED, "g")
        await until(pilot, lambda: "stands" not in shown(app))
        await press(pilot, "minus", "minus")
        await until(pilot, lambda: "Where A stands" in shown(app))


async def test_settings_are_switched_of_the_marked_one_by_keys_and_of_the_one_that_is_clicked_on(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, "A -> A", size=WIDE) as (app, pilot):
        await press(pilot, "W")
        await partners_are_here(pilot, app)
        assert shown(app).count("q asks what it makes of this state") == 2
        await press(pilot, "q")
        await until(pilot, lambda: shown(app).count("tried takes") == 2)
        await press(pilot, "q", "E")
        assert "tried takes" not in shown(app)
        await until(pilot, lambda: report(app, 0).settings.epsilon == 0.8)
        await press(pilot, "tab", "l", "G")
        await until(pilot, lambda: report(app, 1).settings.learner == "q-learning")
        await until(pilot, lambda: report(app, 1).settings.gamma == 0.95)
        assert report(app, 0).settings.gamma == 0.9 and report(app, 1).settings.epsilon == 0.4
        await press(pilot, "tab", "R")
        await until(pilot, lambda: report(app, 0).settings.reward == "standard")
        assert report(app, 1).settings.reward == "terminating"
        await click(pilot, "screen.switch('alpha', 1)")
        await until(pilot, lambda: report(app, 1).settings.alpha == 1.0)
        assert report(app, 0).settings.alpha == 0.7 and room(app).marked == 1
        await press(pilot, *FULL_SPEED)
        await click(pilot, "screen.hundred")
        await rests(pilot, app, 100, 1)
        await press(pilot, "l")
        assert "l again does it." in words(app)
        await click(pilot, "screen.other_agent")
        assert room(app).marked == 0


async def test_where_the_terms_say_so_there_are_no_agents(tmp_path: Path) -> None:
    async with sitting(tmp_path, "A -> A") as (app, pilot):
        app.session.seat.take(Exercise("x", parse("A -> A"), "strict", Terms(agent="hidden")))
        await press(pilot, "W", "space", "l", "tab", "q", "t")
        assert room(app).companions == []
        cards = [card.render().plain.replace("\n", " ") for card in app.screen.query(PartnerCard)]
        assert [card for card in cards if "there is no partner" in card] == cards and len(cards) == 2
        assert "Step" not in shown(app)


async def test_any_two_partners_can_be_watched_and_who_knows_it_all_has_its_price(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=WIDE) as (app, pilot):
        await press(pilot, "W", *FULL_SPEED, "H")
        await partners_are_here(pilot, app)
        await rests(pilot, app, 100)
        await press(pilot, "tab", "B", "B")
        await partners_are_here(pilot, app)
        assert [companion.kind for companion in room(app).companions] == ["agent", "exact"]
        assert "B: Exact play" in shown(app) and report(app, 1).plan == ()
        attempt = app.session.seat.attempt
        await press(pilot, "q", "g")
        assert "Only one move applies" in shown(app) and attempt.helped == 0 and report(app, 1).plan == ()
        await press(pilot, "P", "0", "W", "q")
        assert "q again lets it, for 3 points" in shown(app) and attempt.helped == 0
        await press(pilot, "q")
        assert attempt.helped == 3
        await until(pilot, lambda: "The shortest proof from here" in shown(app) and "Where you stand" in shown(app))
        await press(pilot, "o")  # is paid: one move from here, and no other state
        await until(pilot, lambda: "Where B stands: 2 moves" in shown(app) and report(app).knows.episodes == 101)
        assert attempt.helped == 3 and report(app, 1).plan == () == report(app).plan
        await press(pilot, "B")
        assert room(app).companions[1].kind == "agent" and report(app, 1).knows.episodes == 100


async def test_instead_of_a_lemma_that_is_not_done_the_last_done_one_can_be_watched(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=WIDE) as (app, pilot):
        await make(pilot, *PROOF)
        other = parse("A \\/ B -> B \\/ A")
        app.session.seat.take(Exercise("other", other))
        attempt = app.session.seat.attempt
        await press(pilot, "W", *FULL_SPEED, "H")
        await partners_are_here(pilot, app)
        for agent in (0, 1):
            await rests(pilot, app, 100, agent)
        room(app).show_all()
        await until(pilot, lambda: shown(app).count("What came of them is shown when the lemma is done.") == 2)
        assert "A episodes" not in shown(app) and report(app).plan == ()
        assert "n watches the lemma that you" in shown(app)
        await press(pilot, "n", "q", "H")
        await partners_are_here(pilot, app)
        for agent in (0, 1):
            await rests(pilot, app, 100, agent)
        room(app).show_all()
        await until(pilot, lambda: "A episodes" in shown(app) and shown(app).count("tried takes") == 2)
        assert report(app).state == () or report(app).state[0].conclusion != other
        assert attempt.helped == 0 and app.session.seat.attempt is attempt
        assert "n watches the lemma before you again" in shown(app)
        await press(pilot, "n")
        await partners_are_here(pilot, app)
        assert report(app).state[0].conclusion == other and "tried takes" not in shown(app)
