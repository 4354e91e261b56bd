"""How a move is made in a place with a proof: by pointing at a formula, by typing a tactic, or from a list."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from textual import events
from textual.pilot import Pilot

from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.telling import IS_THERE_A_PROOF
from tactics.goal import Move
from tactics.parser import parse
from tests.tui.partners import until
from tests.tui.rooms import NARROW, OR_COMM, attempt, burst, choose, make, press, said, settle, shown, sitting, take
from tui.app import Classroom
from tui.commands import COMMANDS
from tui.widgets.bounce import Bounce
from tui.widgets.focused_goal import FocusedGoal
from tui.widgets.key_bar import KeyBar
from tui.widgets.moves import Moves
from tui.widgets.tactic_line import TacticLine

pytestmark = pytest.mark.slow


INTRO, CASES = Move("intro"), Move("destruct_or", "H")


async def test_a_lemma_is_proved_by_pointing_and_each_step_is_told(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "3")
        assert said(app) == "There is no formula 3."
        await press(pilot, "up", "escape", "enter")
        assert said(app).startswith("Nothing is selected: press 0 for the conclusion.") and attempt(app).made == []
        await press(pilot, "up", "enter")
        assert attempt(app).made == [INTRO] and said(app) == "+ stands before what this move has changed."
        await press(pilot, "down", "i")
        assert "makes two cases" in said(app) and "Example:" in said(app)
        await press(pilot, "enter", "0")
        assert attempt(app).made == [INTRO, CASES]
        assert "Which? (shuffled on purpose) Esc: none" in shown(app)
        assert app.screen.query_one(Moves).highlighted is None
        await press(pilot, "enter")
        assert "Which?" in shown(app)
        await press(pilot, "escape")
        assert "Which?" not in shown(app)
        await press(pilot, "0", "1", "2")
        assert "left: prove q" in shown(app) and "right: prove p" in shown(app)
        assert "Which?" in shown(app) and len(attempt(app).made) == 2, "digits are keys of formulas"
        await choose(pilot, "right")
        assert said(app) == ""
        await press(pilot, "0")
        assert said(app) == "That goal is done; this is the next one."
        await press(pilot, "0")
        await choose(pilot, "left")
        await press(pilot, "0")
        assert attempt(app).proved and "proved in 6 moves" in shown(app)
        assert "No proof is shorter." in said(app) and "10 of 10 points" in said(app)
        take(app, "((p -> p) -> q) -> q")
        await press(pilot, "0", "1")
        assert said(app) == (
            "nested H leaves: ⊢ p → p with H : p → q; then ⊢ q with H : q. "
            "H gives q only once p → p is proved. These are two goals; this is the first."
        )


async def test_enter_never_leads_on_from_a_proof_but_a_key_and_a_click_do(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> p") as (app, pilot):
        first, second, third = (Exercise(name, parse(name), "week") for name in ("p -> p", "q -> q", "r -> r"))
        app.session.seat.take(first, [first, second, third])
        await press(pilot, "0", "0", "enter")
        assert app.session.seat.exercise == first and said(app) == "This lemma is done; n goes on to the next one."
        await press(pilot, "n", "0", "0")
        assert app.session.seat.exercise == second and attempt(app).proved
        await pilot.click("#worth", offset=(3, 0))
        await settle(pilot)
        assert app.session.seat.exercise == third


async def test_with_the_mouse_alone_one_previews_points_chooses_takes_back_and_lists(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await click_key(pilot, "preview")
        await click(pilot, "p ∨ q → q ∨ p")
        assert said(app).startswith("intro leaves") and attempt(app).made == []
        for formula, move in (("p ∨ q → q ∨ p", INTRO), ("p ∨ q", CASES)):
            await click(pilot, formula)
            assert attempt(app).made[-1] == move
        await press(pilot, "0")
        goals, moves = app.screen.query_one(FocusedGoal), app.screen.query_one(Moves)
        assert moves.display
        await pilot.click(goals, offset=(5, goals.size.height - 1))
        await settle(pilot)
        assert not moves.display
        await click(pilot, "q ∨ p")
        assert attempt(app).made[-1] == Move("left"), "the half of a disjunction that is clicked on"
        await click_key(pilot, "undo")
        await click(pilot, "q ∨ p", letter=4)
        assert attempt(app).made[-1] == Move("right")
        for command in ("list", "list"):
            await click_key(pilot, command)
        assert attempt(app).listed
        await pilot.click(moves, offset=(5, 1))
        await settle(pilot)
        assert len(attempt(app).made) == 4
        await pilot.hover(KeyBar, offset=(1, 0))
        assert app.screen.query_one(KeyBar).tooltip == "Explain this screen, all its keys, and the way out."


async def click(pilot: Pilot[None], formula: str, letter: int = 0) -> None:
    """Click on a letter of a formula of the goal."""
    goals = pilot.app.screen.query_one(FocusedGoal)
    drawn = map(goals.line_at, range(goals.content_size.height))
    lines = ["" if line is None else str(line.content) for line in drawn]
    y = next(number for number, line in enumerate(lines) if line.endswith(f" {formula}"))
    corner = goals.content_region.offset - goals.region.offset
    await pilot.click(goals, offset=(corner.x + lines[y].rindex(formula) + letter, corner.y + y))
    await settle(pilot)


async def click_key(pilot: Pilot[None], command: str) -> None:
    """Click at the word of a command in the line of keys."""
    bar = pilot.app.screen.query_one(KeyBar)
    lines = shown(cast(Classroom, pilot.app)).splitlines()[-bar.size.height :]
    row = next(row for row, line in enumerate(lines) if COMMANDS[command].label in line)
    await pilot.click(KeyBar, offset=(lines[row].index(COMMANDS[command].label), row))
    await settle(pilot)


async def test_a_preview_tells_what_a_move_would_leave_makes_none_and_says_so_above_the_goal(tmp_path: Path) -> None:
    async with sitting(tmp_path, "(p -> q) -> (p -> q) \\/ p") as (app, pilot):
        goals = app.screen.query_one(FocusedGoal)
        for way_out in ("v", "escape", "0"):
            await press(pilot, "v")
            assert "Preview of one move: not made; v ends it" in shown(app)
            await press(pilot, way_out)
            assert "Preview of" not in shown(app) and goals.border_title == "To prove"
        assert "intro leaves: ⊢ (p → q) ∨ p with H : p → q." in said(app) and attempt(app).made == []
        await press(pilot, "0", "down", "v")
        assert said(app) == "apply H leaves if p is among the hypotheses: ⊢ (p → q) ∨ p with H : q."
        await press(pilot, "down", "v")
        assert {"left leaves: ⊢ p → q.", "right leaves: ⊢ p."} == set(said(app).split("\n"))
        await press(pilot, "escape", "v", "1")
        assert said(app).startswith("apply H leaves") and attempt(app).slips == 0 and len(attempt(app).made) == 1
        await press(pilot, "1")
        assert attempt(app).slips == 1, "the next one is made again"


async def test_the_list_is_asked_for_twice_and_stays_for_its_price_unless_the_terms_give_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, " -> ".join([f"(a{number} /\\ b)" for number in range(12)]) + " -> c") as (app, pilot):
        await press(pilot, "m")
        assert "it costs five points" in said(app) and not attempt(app).listed
        await press(pilot, "m", "enter")
        assert attempt(app).listed and "worth 5 of 10 points: the list" in shown(app)
        assert attempt(app).made == [], "nothing is highlighted"
        await choose(pilot, "intro")
        await press(pilot, "down", "enter", "m")
        assert len(attempt(app).made) == 2 and "listed already" in said(app)
        await make(pilot, *["intro"] * 10)
        rows = [str(row.prompt).split()[0] for row in app.screen.query_one(Moves).options]
        assert len(rows) == 12 and not set(rows) & set("?urbhxcitean"), "keys of moves do nothing else"
        take(app, OR_COMM, Terms(rules=("intro", "left", "right"), hints=0, light=False, moves="listed"))
        assert "worth 10 of 10 points" in shown(app)
        await choose(pilot, "intro")
        assert "destruct_or" not in shown(app) and "lost" not in shown(app), "the terms leave out moves and the light"
        await press(pilot, "h")
        assert said(app) == "There are no hints in this exercise."
        await press(pilot, "c")
        assert said(app) == "c shows why only after x has said rightly that there is no proof."


@pytest.mark.parametrize(
    ("event", "told", "is_one"),
    [
        (("2", 100.2), {"does": False, "means": False}, True),
        (("2", 100.4), {"does": False, "means": False}, False),
        (("1", 100.1), {"does": False, "means": False}, False),
        (("2", 100.1), {"does": True, "means": True}, False),
        (("2", 109.0), {"does": False, "means": False, "runs": True}, True),
        (("1", 109.0), {"does": False, "means": False, "runs": True}, False),
    ],
)
def test_a_key_is_a_slip_of_the_finger_that_comes_again_in_a_moment_and_is_not_meant(
    event: tuple[str, float], told: dict[str, bool], is_one: bool
) -> None:
    bounce = Bounce()
    assert not bounce.is_one(key_at("2", 100.0), does=True, means=True)
    assert bounce.is_one(key_at(*event), **told) is is_one
    assert bounce.is_one(key_at(event[0], event[1] + 0.2), does=False, means=False) is (is_one or told["does"])


def key_at(key: str, when: float) -> events.Key:
    event = events.Key(key, key)
    event.time = when
    return event


async def press_at(app: Classroom, pilot: Pilot[None], *presses: tuple[str, float]) -> None:
    """Press keys, each at a time in seconds."""
    for key, when in presses:
        app.post_message(key_at(key, when))
        await settle(pilot)


async def test_a_key_once_too_often_costs_nothing_and_chooses_nothing_that_nobody_has_read(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> (p -> q) -> r") as (app, pilot):
        await make(pilot, "intro", "intro")
        await press_at(app, pilot, ("2", 100.0), ("2", 100.2), ("2", 100.4))
        assert attempt(app).made == [INTRO, INTRO, Move("imply1", "H0")] and attempt(app).slips == 0
        await press_at(app, pilot, ("2", 101.0))
        assert attempt(app).slips == 1
        take(app, "p -> (r -> q) -> q")
        await press_at(app, pilot, ("0", 199.0), ("0", 200.0), ("0", 201.0), ("0", 202.0))
        assert said(app) == "0 once too often: no move follows from the conclusion alone."
        assert len(attempt(app).made) == 2 and attempt(app).slips == 0
        await press_at(app, pilot, ("2", 203.0), ("0", 204.0))
        assert said(app).startswith("assumption does not apply") and attempt(app).slips == 2
        take(app, "(p -> q) -> p -> (p -> q)")
        await press_at(app, pilot, ("0", 300.0), ("0", 300.1))
        assert attempt(app).made == [INTRO, INTRO], "where both apply both are made"
        await press_at(app, pilot, ("1", 301.0), ("1", 301.1))
        assert len(attempt(app).made) == 2 and app.screen.query_one(Moves).display
        await choose(pilot, "assumption")
        assert attempt(app).proved


async def test_a_window_of_a_few_columns_ends_nothing(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/or_comm") as (app, pilot):
        for place in "PTL":
            await press(pilot, place)
            for size in ((1, 1), (3, 40), NARROW):
                await pilot.resize_terminal(*size)
                await pilot.pause()
            assert place == "L" or "p ∨ q → q ∨ p" in shown(app)
        await pilot.resize_terminal(44, 12)
        await press(pilot, "pagedown", "pageup", "end", "home", "tab", "pagedown", "enter", "enter", "pagedown")
        assert app.is_running


async def test_a_tactic_is_typed_by_either_name_and_what_is_refused_is_typed_over(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> (p -> q) -> q") as (app, pilot):
        line = app.screen.query_one(TacticLine)
        await press(pilot, "slash", "slash", *"intro", "enter")
        assert attempt(app).made == [Move("intro")], "its key does no harm in the line, which stays open"
        for typed, answer in (
            ("assumtion", "assumtion is not a tactic; did you mean assumption?"),
            ("apply H7", "apply: no hypothesis is called H7; there"),
            ("split", "split does not apply: the conclusion is (p → q) → q, and not of the form A ∧ B."),
        ):
            line.value = typed
            await press(pilot, "enter")
            assert said(app).startswith(answer)
            assert line.value == typed, "it can be corrected"
        await press(pilot, *"intro", "enter")
        assert attempt(app).made == [Move("intro"), Move("intro")]
        await press(pilot, *"xyz", "ctrl+a", *"app", "right", "space", *"H0", "enter")
        assert attempt(app).made[-1] == Move("imply1", "H0")
        line.value = "u"
        await press(pilot, "escape")
        assert len(attempt(app).made) == 3 and not line.display
        await make(pilot, "imply1 H0")
        assert said(app).startswith("apply H0 does not apply") and len(attempt(app).made) == 3


async def test_what_is_typed_faster_than_it_is_answered_is_done_in_its_order(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await pilot.press("0", "1", "slash", *"left", "enter", "escape", "u", "u", "1")
        await settle(pilot)
        assert attempt(app).made == [Move("intro"), Move("destruct_or", "H")]
        await press(pilot, "b")
        burst(app, "/intro\rleft\r")
        await until(pilot, lambda: len(attempt(app).made) == 2)
        assert attempt(app).made == [Move("intro"), Move("left")]


async def test_where_tactics_are_typed_words_do_what_keys_do_elsewhere_and_pointing_only_says_so(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, "p \\/ ~p") as (app, pilot):
        take(app, "p \\/ ~p", Terms(moves="type"))
        await settle(pilot)
        line = app.screen.query_one(TacticLine)
        assert app.focused is line and line.placeholder == "a tactic, or undo, redo, hint, no proof, why"
        await press(pilot, "escape", "0", "v", "down", "enter")
        assert said(app) == "Here tactics are typed; / opens the line for them." and attempt(app).made == []
        await press(pilot, "slash")
        for typed, made in (("left", 1), ("undo", 0), ("redo", 1), (" undo.", 0)):
            line.value = typed
            await press(pilot, "enter")
            assert (len(attempt(app).made), line.value, app.focused) == (made, "", line)
        assert said(app).startswith("Took back left.") and "redo makes it again" in said(app)
        line.value = "left"
        await press(pilot, "enter")
        assert "why shows the countermodel" in said(app)
        await press(pilot, *"why", "enter")
        assert "No proof of" in shown(app)
        await press(pilot, "escape", *"undo", "enter")
        for told in ("A hint costs a point; hint again asks for it.", IS_THERE_A_PROOF):
            await press(pilot, *"hint", "enter")
            assert said(app).startswith(told)
        await press(pilot, *"no", "space", *"proof", "enter")
        assert said(app).startswith("no proof again says that this lemma has no proof")
        await press(pilot, *"no", "space", *"proof", "enter")
        assert attempt(app).refuted and app.focused is not line
        take(app, OR_COMM, Terms(moves="type", hints=0))
        await settle(pilot)
        assert line.placeholder == "a tactic, or undo, redo, no proof, why"
