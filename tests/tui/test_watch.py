"""Watch: two partners on the lemma before the student."""

from __future__ import annotations

from pathlib import Path

import pytest

from curricula import resolve_lemma
from oasis.classroom.partner.plan import difference
from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.parser import parse
from tactics.rules import spoken
from tactics.script import replay
from tests.tui.partners import FULL_SPEED, click, partners_are_here, report, rests, room, show_all, until
from tests.tui.rooms import OR_COMM, PROOF, WIDE, classroom, make, opened, press, shown, words
from tui.widgets.partner_card import PartnerCard

pytestmark = pytest.mark.slow


async def test_both_play_when_they_are_told_on_one_curve_and_where_they_part_is_shown_with_what_each_makes_of_it(
    tmp_path: Path,
) -> None:
    app = classroom(tmp_path, "SYJ203.2")
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path, "p -> p")
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path, "A -> A")
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path, "A -> A")
    async with opened(app) as pilot:
        app.session.seat.take(Exercise("x", parse("A -> A"), "strict", Terms(agent="hidden")))
        await press(pilot, "W", "space", "l", "tab", "q", "t")
        assert room(app).companions == []
        cards = [card.render().plain.replace("\n", " ") for card in app.screen.query(PartnerCard)]
        assert [card for card in cards if "there is no partner" in card] == cards and len(cards) == 2
        assert "Step" not in shown(app)


async def test_any_two_partners_can_be_watched_and_who_knows_it_all_has_its_price(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, WIDE) as pilot:
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
