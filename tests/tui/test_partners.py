"""Together and Watch: partners beside a student or side by side, by keys alone and by clicks alone."""

import os
import re
import signal
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from curricula import resolve_lemma
from oasis.classroom.partner.partners import PARTNERS
from oasis.classroom.partner.plan import difference
from oasis.classroom.proving.exercise import POINTS, Exercise, Terms
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import spoken
from tactics.script import replay
from tests.classroom.partner.agents import CLAIMING
from tests.tui.rooms import ASCII, FULL_SPEED, NARROW, OR_COMM, PROOF, SIZES, WIDE, WIDEST, Person, sitting
from tui.widgets.learning import Learning
from tui.widgets.partner_card import PartnerCard
from tui.widgets.said import Said

pytestmark = pytest.mark.slow

ALL_HINTS = 3
"""Hints of one state that are told beside the light."""


async def test_exact_play_costs_all_hints_of_each_state_and_who_begins_again_sees_nothing_of_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.meet("T", "B", "B")
        assert "Exact play: It knows the truth" in ada.told and "─Exact play─" in ada.shown
        assert "Only one move applies" in await ada.hears("space") and not ada.report().playing
        assert "The exact play may know it all: q again lets it, for 3 points." in await ada.hears("0", "q")
        assert ada.attempt.helped == 0
        await ada.keys("q", until=lambda: "The shortest proof from here has 5" in ada.shown)
        assert ada.attempt.helped == ALL_HINTS
        assert f"worth {POINTS - ALL_HINTS} of {POINTS} points" in ada.shown
        for key in ("X", "space", "g", "o", "H"):  # no other state is told for that
            await ada.meet(key)
            assert ada.attempt.helped == ALL_HINTS and not ada.report().playing
        await ada.until(lambda: "Where it stands: 2 moves" in ada.shown)
        assert len(ada.report().script) == 2 and "next" not in ada.shown.split("Where it stands")[1]
        await ada.make("destruct_or H")
        await ada.until(lambda: "Where it stands: not to be seen yet" in ada.shown)
        assert "g again lets it, for 3 points" in await ada.hears("g") and len(ada.report().script) == 2
        await ada.keys("g", until=lambda: len(ada.report().script) == 3 and "Where it stands: 3 moves" in ada.shown)
        assert ada.attempt.helped == 2 * ALL_HINTS
        await ada.keys("a", until=lambda: "Where it stands: not to be seen yet" in ada.shown)
        assert ada.attempt.helped == 0


async def test_an_agent_that_has_tried_is_no_oracle(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=SIZES["widest"]) as ada:
        await ada.meet("T")
        assert "A machine that tries moves at random and remembers what paid." in ada.on_card
        await ada.keys("q", *FULL_SPEED)
        await ada.until(lambda: "It is new here" in ada.shown)  # who knows nothing tells that for nothing
        await ada.keys("H")
        await ada.rests(100)
        assert ada.report().knows.best is not None
        await ada.until(lambda: "What came of them is shown when the lemma is done." in ada.on_card)
        assert "q asks what it makes of your state" in ada.shown and "not to be seen yet" in ada.shown
        for hidden in ("proved", "best", "exam", "greedy", "tried takes"):
            assert hidden not in ada.shown.split("─Agent─")[1]
        assert "stands at the beginning" in await ada.hears("V") and ada.attempt.given == 0
        assert "X again lets it, for 3 points" in await ada.hears("0", "q", "space", "X") and ada.attempt.helped == 0
        await ada.keys("X", until=lambda: "none is larger" in ada.told and "proved" in ada.on_card)
        assert ada.attempt.helped == ALL_HINTS
        await ada.until(lambda: "tried takes" in ada.shown)
        await ada.make("destruct_or H")
        await ada.until(lambda: "tried takes" not in ada.shown and "proved" not in ada.on_card)
        await ada.make(*PROOF[2:])
        await ada.until(lambda: "proved" in ada.on_card and "exam" in ada.on_card)
        assert ada.seat.desk.result.points == POINTS - ALL_HINTS


async def test_a_first_try_is_seen_once_whatever_is_switched_and_whoever_comes_back(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        exercise = ada.seat.exercise
        await ada.meet("T")
        await ada.keys("space", until=lambda: "Where it stands: one move" in ada.shown)
        await ada.keys("l", "space")  # it begins anew
        await ada.until(lambda: len(ada.report().script) == 0 and ada.report().settings.learner != "q-learning")
        await ada.until(lambda: "Where it stands: not to be seen yet" in ada.shown)
        ada.seat.take(Exercise("other", parse("A -> A")))
        await ada.keys("P", "T")
        ada.seat.take(exercise)
        await ada.meet("P", "T", until=lambda: "What came of them" in ada.on_card)


async def test_where_hints_say_less_than_what_to_do_a_partner_that_knows_tells_nothing(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        ada.seat.take(Exercise("or_comm", parse(OR_COMM), "open", Terms(hints=2)))
        await ada.meet("T", "B", "B", "0")
        for key in ("q", "X", "space", "o", "H", "g"):
            assert "nobody says what to do" in await ada.hears(key)
            assert ada.report().looked_at is None and ada.report().script == () and ada.report().knows.episodes == 0
        assert ada.attempt.helped == 0


async def test_the_escalating_student_shows_what_each_voice_says_and_who_would_move(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=SIZES["widest"]) as ada:
        ada.free_partners()
        await ada.meet("T", "B", "0", until=lambda: "★ search: A proof in" in ada.shown)
        opinion = ada.report().opinion
        assert opinion is not None and [voice.name for voice in opinion.voices] == ["table", "search", "network"]
        assert opinion.mover == "search" and " Q proof   net  left" in ada.shown
        assert "  table: New here" in ada.shown
        *_, row = [line for line in ada.shown.splitlines() if " destruct_or H " in line[100:]]
        assert "★" in row and "0.000" in row and " 5 " in row
        await ada.keys("X", until=lambda: "Its moves are about these formulas" in ada.told)
        assert "% ▪" in ada.shown and "p ∨ q" in ada.shown
        await ada.keys(*FULL_SPEED, "H", until=lambda: "★ table: Takes" in ada.shown)
        assert "network" in ada.on_card and "episodes" in ada.on_card
        await ada.resize_terminal(*NARROW)
        await ada.keys("t", until=lambda: " Q proof" in ada.shown)
        table = [line for line in ada.shown.splitlines() if " Q proof" in line]
        assert table and all(" left" not in line for line in table), "columns that do not fit are left out"


async def test_on_a_low_screen_a_reason_has_the_room_that_it_needs_until_something_else_is_done(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        ada.free_partners()
        await ada.keys("T")
        assert not ada.screen.query_one(Said).show_vertical_scrollbar
        await ada.meet("B", "0")
        panels = ada.screen.query_one("#panels")
        for key in ("t", "u"):
            assert panels.size.height > 2
            await ada.keys("X", until=lambda: "Its moves are about these formulas" in ada.told)
            assert not panels.size.height and "% ▪" in ada.shown and ada.overflowing == []
            assert ada.screen.query_one(Said).max_scroll_y == 0
            assert ada.told.startswith("Escalating student, search: ")
            await ada.keys(key)
        assert panels.size.height > 2


async def test_a_network_that_cannot_be_had_is_one_sentence_and_the_others_go_on(tmp_path: Path) -> None:
    why = "There is no file" if find_spec("torch") else "Networks need torc"
    network = str(tmp_path / "none.safetensors")
    async with sitting(tmp_path, OR_COMM, size=WIDEST, network=network) as ada:
        ada.free_partners()
        await ada.meet("T", "B", "0", "q", until=lambda: f"network: {why}" in ada.shown)
        assert "★ search: A proof in 5" in ada.shown


async def test_of_what_a_network_claims_what_is_wrong_is_marked_and_struck_through(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, look=ASCII, network=CLAIMING) as ada:
        ada.free_partners()
        await ada.meet("T", "B", "B", "B", "0", "q", until=lambda: "Likeliest is" in ada.shown)
        await ada.keys("X", until=lambda: "+ True can be proved." in ada.shown)
        assert ada.told.startswith("Network: It makes ") and "contradicts 1 of 2:" in ada.shown, "it wraps"
        segments = [each for strip in ada.screen._compositor.render_strips() for each in strip]
        struck = {each.text.strip() for each in segments if each.style and each.style.strike} - {""}
        assert struck == {"False can be proved."} and "x False can be proved." in ada.shown
        assert ada.overflowing == [] and ada.shown.isascii()


async def test_each_partner_keeps_what_it_learned_while_another_sits_there(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.meet("T", *FULL_SPEED, "H")
        await ada.rests(100)
        (agent,) = ada.room.companions
        for _ in PARTNERS:
            await ada.meet("B")
        assert ada.room.companions == [agent] and ada.report().knows.episodes == 100
        assert "100 episodes" in ada.on_card
        ada.seat.take(Exercise("other", parse("A -> A")))
        await ada.meet("P", "T")
        assert ada.room.switched.kind == "agent" and agent.pid is None


async def test_the_companion_knows_what_its_student_has_proved_and_asking_it_is_free(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.make(*PROOF)
        ada.seat.take(Exercise("other letters", parse("C \\/ D -> D \\/ C")))
        companion = list(PARTNERS).index("companion")
        await ada.meet("T", *["B"] * companion, "0", "q", until=lambda: "It remembers this." in ada.shown)
        assert ada.attempt.made and ada.attempt.helped == 0
        assert "You have shown it what to do here" in await ada.hears("X") and ada.attempt.helped == 0
        ada.seat.take(Exercise("new", parse("C -> D -> C \\/ E")))
        await ada.meet("P", "T", *["B"] * companion, "0", "0", until=lambda: "It was never shown this" in ada.shown)


async def test_a_partner_that_dies_is_one_sentence_and_a_key_starts_it_again_with_its_settings(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:

        async def die() -> None:
            (companion,) = ada.room.companions
            assert companion.pid is not None
            os.kill(companion.pid, signal.SIGKILL)
            await ada.until(lambda: "ended from outside" in ada.on_card)
            ada.room.show_all()  # as a report from before does, whose turn comes late
            await ada.settle()
            assert "ended from outside" in ada.on_card and companion.is_gone

        async def live(*keys: str) -> None:
            (companion,) = ada.room.companions
            await ada.keys(*keys, until=lambda: not companion.is_gone and companion.report is not None)

        await ada.meet("T", "l")
        await die()
        await ada.keys("0")
        assert ada.attempt.made == [Move("intro")]
        await live("space")
        assert ada.report().settings.learner == "sarsa-lambda"
        await ada.meet("B")
        assert "has no other moves on offer" in await ada.hears("A")
        await die()
        await live("plus")
        assert ada.report().settings.actions == "legal", "what it cannot switch stays"
        assert "has no other share of random moves" in await ada.hears("B", "E")
        await ada.meet()
        await die()
        await live("X", "X")
        await ada.until(lambda: "A shortest proof" in ada.told)
        assert ada.told.startswith("Exact play: ")


def kinds(ada: Person) -> list[str]:
    """Return the kinds of events in the student's attempts, in order."""
    return [event.kind for _, events in ada.seat.desk.work() for event in events]


def has(ada: Person, setting: str, value: object) -> bool:
    """Return True if a setting of the partner has a value."""
    return bool(getattr(ada.report().settings, setting) == value)


def curve(ada: Person) -> str:
    """Return the lines of the learning curve's panel below its title."""
    region = ada.screen.query_one(Learning).region
    return "\n".join(line[region.x : region.right] for line in ada.shown.splitlines()[region.y + 1 : region.bottom])


async def test_a_step_is_one_move_and_each_goes_on_from_the_other_the_student_at_a_cost(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        assert "let it make a move first" in await ada.hears("T", "V")
        await ada.meet()
        await ada.keys("space", until=lambda: len(ada.report().script) == 1 and ada.report().intends is not None)
        assert "Where it stands: one move" in ada.shown and ada.attempt.made == []
        assert "Oasis says" in ada.shown and "Teacher" not in ada.shown, "in a class that is a person"
        intends = ada.report().intends
        assert intends is not None and f"next {spoken(intends)}" in ada.shown
        await ada.keys("V")
        told = "V again takes over one move of the agent, each at the cost of a hint"
        assert told in ada.told and ada.attempt.made == []
        await ada.keys("V")
        assert ada.attempt.made == [Move("intro")] and ada.attempt.given == ada.attempt.helped == 1
        await ada.keys("1", "Y", until=lambda: ada.report().script == ada.attempt.script)
        assert "Where it stands: 2 moves" in ada.shown
        await ada.keys(*FULL_SPEED, "o", until=lambda: ada.report().knows.helped == 1 and not ada.report().playing)
        assert ada.report().script[:2] == ada.attempt.script
        assert replay(ada.attempt.formula, ada.report().script)[-1] == ada.report().state
        assert ada.attempt.given == 1


async def test_beliefs_are_hidden_until_they_are_asked_for_and_then_stay_best_first(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.make(*PROOF)
        await ada.meet("a", "T")
        await ada.keys(*FULL_SPEED, "H")
        await ada.rests(100)
        assert "q asks what it makes of your state" in await ada.sees("0") and "tried takes" not in ada.shown
        await ada.keys("q", until=lambda: "tried takes" in ada.shown)
        assert ada.report().looked_at == ada.attempt.state
        told = ada.report().opinion
        assert told is not None and len(told.voices) == 1
        for move, value, visits, share in zip(
            told.moves, *(each.figures for each in told.voices[0].columns), strict=True
        ):
            *_, row = [line for line in ada.shown.splitlines() if f" {move} " in line[40:]]
            assert f"{value:.3f}" in row and f"{share:.0%}" in row and f" {visits} " in row
        rows = [line for line in ada.shown.splitlines() if re.search(r" -?\d\.\d{3} +\d+ +\d+%", line[40:])]
        shares_shown = [int(re.findall(r"(\d+)%", row)[-1]) for row in rows]
        assert shares_shown == sorted(shares_shown, reverse=True) and len(set(shares_shown)) > 1
        await ada.keys("1", until=lambda: ada.report().looked_at == ada.attempt.state)
        assert "tried takes" in ada.shown
        await ada.keys("u")
        assert kinds(ada).count("asked") == 3, "once for each state in which it was to be seen"
        assert "q asks what it makes of your state" in await ada.sees("q") and "tried takes" not in ada.shown
        await ada.until(lambda: ada.report().looked_at is None)


async def test_the_terms_say_whether_beliefs_are_shown_in_every_state_or_there_is_no_partner(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        ada.seat.take(Exercise("shown", parse(OR_COMM), "open", Terms(agent="shown")))
        await ada.keys("T", until=lambda: "It is new here" in ada.shown)
        await ada.keys("0", until=lambda: "destruct_or H" in ada.shown[ada.shown.index("What it makes") :])
        assert "asked" not in kinds(ada), "who is new has nothing to give away"
        await ada.keys(*FULL_SPEED, "H")
        await ada.rests(100)
        await ada.until(lambda: kinds(ada).count("asked") == 1)
        ada.seat.take(Exercise("hidden", parse(OR_COMM), "strict", Terms(agent="hidden")))
        await ada.keys("W", "space", "l", "tab", "q", "t")
        cards = [card.render().plain.replace("\n", " ") for card in ada.screen.query(PartnerCard)]
        assert ["there is no partner" in card for card in cards] == [True, True]
        assert ada.room.companions == [] and "Step" not in ada.shown
        await ada.keys("T", "q", "space", "g", "V", "Y", "d", "l", "t")
        await ada.make(*PROOF)
        assert ada.room.companions == [] and "there is no partner" in ada.on_card
        assert ada.attempt.proved and ada.attempt.given == 0


async def test_every_setting_is_one_key_away_and_what_is_lost_is_said_first(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.keys("T")
        await ada.press("K", "K", "K")  # keys in quick succession all count
        await ada.meet(until=lambda: ada.report().settings.alpha == 0.1)
        await ada.keys(*FULL_SPEED, "H")
        await ada.rests(100)
        await ada.keys("E", until=lambda: ada.report().settings.epsilon == 0.8)
        await ada.until(lambda: "keeps what it has learned" in ada.on_card)
        assert ada.report().knows.episodes == 100
        await ada.keys("l")
        lost = "becomes sarsa-lambda, and all that it learned in 100 episodes is lost. l again does it."
        assert lost in ada.told
        assert lost in await ada.hears("R", "d", "l"), "it is asked again once something else was said"
        assert ada.report().settings.learner == "q-learning" and ada.report().knows.episodes == 100
        await ada.keys("l")
        await ada.until(lambda: ada.report().settings.learner == "sarsa-lambda" and "begins anew" in ada.on_card)
        assert ada.report().knows.episodes == 0
        for key, field, value in (
            ("G", "gamma", 0.95),
            ("O", "initial_value", 0.5),
            ("R", "reward", "standard"),
            ("S", "state_space", "name"),
            ("A", "actions", "blind"),
        ):
            await ada.keys(key)
            await ada.until(partial(has, ada, field, value))
            assert (f"{value:g}" if isinstance(value, float) else str(value)) in ada.on_card


async def test_everything_of_a_partner_goes_by_mouse_alone(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=(120, 40)) as ada:
        await ada.make(*PROOF)
        await ada.meet("a", "T")
        assert "t Turn" not in ada.shown
        await ada.resize_terminal(80, 24)
        await ada.until(lambda: "t Turn" in ada.shown)  # once the window is too low for all panels
        await ada.click_action("screen.step", until=lambda: len(ada.report().script) == 1)
        for action, episodes in (("faster", 0), ("faster", 0), ("episode", 1), ("hundred", 101)):
            await ada.click_action(f"screen.{action}")
            await ada.rests(episodes)
        await ada.click_action("screen.play", until=lambda: ada.report().playing)
        await ada.click_action("screen.play", until=lambda: not ada.report().playing)
        await ada.click_action("screen.beliefs", until=lambda: "tried takes" in ada.shown)
        await ada.click_action("screen.why_it", until=lambda: "none is larger" in ada.told)
        await ada.click_action("screen.panel")  # back to the card, whose room the reason has taken
        assert "tried takes" in ada.shown
        await ada.click_action("screen.switch('epsilon', 0)", until=lambda: ada.report().settings.epsilon == 0.8)
        await ada.click_action("screen.hand_over")
        await ada.click_action("screen.panel")
        await ada.click_action("screen.partner", until=lambda: ada.room.companions[0].kind == "escalating")


async def test_it_learns_from_the_students_proof_and_the_curve_shows_both_once_there_is_one(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        assert await ada.hears("T", "d") == "The agent can learn from your proof when it is finished."
        await ada.meet("t", "t")
        assert not any(name in curve(ada) for name in ("episodes", "greedy", "best", "you"))
        await ada.make(*PROOF)
        await ada.until(lambda: ada.report().knows.helped == 1)
        assert "times; the first move is worth 0.59 now." in ada.on_card
        exam = ada.report().knows.exam
        assert exam is not None and exam.of_median_play == 6
        await ada.keys("q", until=lambda: "What it makes of the beginning" in ada.shown and "0.590" in ada.shown)
        await ada.keys("t", "t", "d")  # to the curve, which has all the room
        await ada.until(lambda: ada.report().knows.helped == 2)
        assert " once more, " in ada.shown and " in all;" in " ".join(ada.shown.split())
        assert ada.report().knows.episodes == 0
        await ada.keys(*FULL_SPEED, "H")
        await ada.rests(100)
        await ada.keys("t", "t")
        await ada.until(lambda: all(name in curve(ada) for name in ("episodes", "greedy", "best", "you")))


async def test_it_plays_until_it_is_stopped_and_rests_when_the_student_leaves(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.meet("T", *FULL_SPEED)
        await ada.keys("g", until=lambda: ada.report().knows.episodes > 100)
        assert "playing, full speed" in ada.shown
        await ada.keys("g", until=lambda: not ada.report().playing)
        await ada.keys("g", until=lambda: ada.report().playing)
        (companion,) = ada.room.companions
        episodes = ada.report().knows.episodes
        await ada.keys("question_mark")
        await ada.until(lambda: companion.report is not None and companion.report.knows.episodes > episodes + 100)
        await ada.keys("escape")
        assert companion.is_playing, "help does not stop it"
        await ada.keys("P", until=lambda: not companion.is_playing)
        assert "resting, full speed" in await ada.sees("T") and ada.room.companions == [companion]
        ada.seat.take(Exercise("other", parse("A -> A")))
        await ada.keys("P", "T")
        (second,) = ada.room.companions
        assert second is not companion and not companion.is_gone
        await ada.until(lambda: companion.pid is None)
        await ada.meet()
        assert ada.report().state[0].conclusion == parse("A -> A")


async def test_two_agents_play_on_one_curve_and_where_they_part_is_shown(tmp_path: Path) -> None:
    async with sitting(tmp_path, "SYJ203.2", size=WIDE) as ada:
        ada.free_partners()
        await ada.meet("W", "q", until=lambda: "Where A and B agree: after 2 moves" in ada.shown)
        assert "B stands" not in ada.shown
        await ada.keys(*FULL_SPEED, "H")
        for agent in (0, 1):
            await ada.rests(100, agent)
            assert ada.report(agent).knows.episodes == 100
        ada.room.show_all()  # as the report does that comes when they rest
        await ada.until(lambda: "Where A and B part: after" in ada.shown)
        text = ada.shown
        assert "A: Agent" in text and "q-learning" in text and "B: Agent" in text and "sarsa" in text
        assert text.count("100 episodes") == 2
        names = ("A episodes", "A greedy", "B episodes", "B greedy")
        await ada.until(lambda: all(name in ada.shown for name in names))
        found = difference(*(ada.report(agent).plan for agent in (0, 1)))
        state = replay(resolve_lemma("SYJ203.2").formula, found.script)[-1]
        await ada.until(lambda: all(ada.report(agent).looked_at == state for agent in (0, 1)))
        choices = [opinion.choice for agent in (0, 1) if (opinion := ada.report(agent).opinion)]
        assert len(choices) == 2 and choices[0] != choices[1]
        for choice in filter(None, choices):
            assert f"★ {spoken(choice)} " in ada.shown
            assert f"It takes {spoken(choice)} to be best." in ada.shown


async def test_where_each_stands_is_shown_while_it_can_be_seen_and_else_where_they_agree(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> p", size=WIDE) as ada:
        ada.free_partners()
        await ada.meet("W", until=lambda: "A and B agree to the end, in 2 moves: here is the beginning" in ada.shown)
        ada.seat.take(Exercise("SYJ203.2", resolve_lemma("SYJ203.2").formula, "open", Terms(agent="shown")))
        await ada.meet("P", "W", "space")
        await ada.until(lambda: "Where A stands: one move" in ada.shown and "Where B stands: one" in ada.shown)
        await ada.until(lambda: all(ada.report(agent).looked_at == ada.report(agent).state for agent in (0, 1)))
        await ada.keys(*FULL_SPEED, "g", until=lambda: "stands" not in ada.shown)
        await ada.keys("minus", "minus", until=lambda: "Where A stands" in ada.shown)


async def test_settings_are_switched_of_the_marked_one_or_of_the_one_clicked_on(tmp_path: Path) -> None:
    async with sitting(tmp_path, "A -> A", size=WIDE) as ada:
        await ada.meet("W")
        assert ada.shown.count("q asks what it makes of this state") == 2
        await ada.keys("q", until=lambda: ada.shown.count("tried takes") == 2)
        assert "tried takes" not in await ada.sees("q", "E")
        await ada.until(lambda: ada.report(0).settings.epsilon == 0.8)
        await ada.keys("tab", "l", "G", until=lambda: ada.report(1).settings.learner == "q-learning")
        await ada.until(lambda: ada.report(1).settings.gamma == 0.95)
        assert ada.report(0).settings.gamma == 0.9 and ada.report(1).settings.epsilon == 0.4
        await ada.keys("tab", "R", until=lambda: ada.report(0).settings.reward == "standard")
        assert ada.report(1).settings.reward == "terminating"
        await ada.click_action("screen.switch('alpha', 1)", until=lambda: ada.report(1).settings.alpha == 1.0)
        assert ada.report(0).settings.alpha == 0.7 and ada.room.marked == 1
        await ada.keys(*FULL_SPEED)
        await ada.click_action("screen.hundred")
        await ada.rests(100, 1)
        assert "l again does it." in await ada.reads("l")
        await ada.click_action("screen.other_agent")
        assert ada.room.marked == 0


async def test_any_two_partners_can_be_watched_and_who_knows_it_all_has_its_price(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=WIDE) as ada:
        await ada.meet("W", *FULL_SPEED, "H")
        for agent in (0, 1):
            await ada.rests(100, agent)
        await ada.meet("tab", "B", "B")
        assert [companion.kind for companion in ada.room.companions] == ["agent", "exact"]
        assert "B: Exact play" in ada.shown and ada.report(1).plan == ()
        attempt = ada.attempt
        assert "Only one move applies" in await ada.sees("q", "g") and attempt.helped == 0 and ada.report(1).plan == ()
        assert "q again lets it, for 3 points" in await ada.sees("P", "0", "W", "q") and attempt.helped == 0
        await ada.keys("q")
        assert attempt.helped == 3
        await ada.until(lambda: "The shortest proof from here" in ada.shown and "Where you stand" in ada.shown)
        await ada.keys("o")  # is paid: one move from here, and no other state
        await ada.until(lambda: "Where B stands: 2 moves" in ada.shown and ada.report().knows.episodes == 101)
        assert attempt.helped == 3 and ada.report(1).plan == () == ada.report().plan
        await ada.keys(*["B"] * (len(PARTNERS) - 2))
        assert ada.room.companions[1].kind == "agent" and ada.report(1).knows.episodes == 100


async def test_instead_of_a_lemma_that_is_not_done_the_last_done_one_can_be_watched(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, size=WIDE) as ada:
        await ada.make(*PROOF)
        other = parse("A \\/ B -> B \\/ A")
        ada.seat.take(Exercise("other", other))
        attempt = ada.attempt
        await ada.meet("W", *FULL_SPEED, "H")
        for agent in (0, 1):
            await ada.rests(100, agent)
        ada.room.show_all()
        await ada.until(lambda: ada.shown.count("What came of them is shown when the lemma is done.") == 2)
        assert "A episodes" not in ada.shown and ada.report().plan == ()
        assert "n watches the lemma that you" in ada.shown
        await ada.meet("n", "q", "H")
        for agent in (0, 1):
            await ada.rests(100, agent)
        ada.room.show_all()
        await ada.until(lambda: "A episodes" in ada.shown and ada.shown.count("tried takes") == 2)
        assert ada.report().state == () or ada.report().state[0].conclusion != other
        assert attempt.helped == 0 and ada.attempt is attempt
        assert "n watches the lemma before you again" in ada.shown
        await ada.meet("n")
        assert ada.report().state[0].conclusion == other and "tried takes" not in ada.shown
        await ada.meet("U", "g", until=lambda: all(ada.report(agent).knows.episodes > 1500 for agent in (0, 1)))
        await ada.keys("g", until=lambda: "exam 0%" in ada.shown and "exam 100%" in ada.shown)
        await ada.meet("U")
        assert ada.report().state[0].conclusion == other and attempt.helped == 0
