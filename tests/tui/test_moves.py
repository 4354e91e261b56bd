"""How a move is made in a place with a proof: by pointing at a formula, by typing a tactic, or from a list."""

from __future__ import annotations

from itertools import pairwise
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
from tests.tui.rooms import (
    NARROW,
    OR_COMM,
    PROOF,
    attempt,
    burst,
    choose,
    classroom,
    make,
    opened,
    press,
    said,
    settle,
    shown,
    take,
)
from tui.app import Classroom
from tui.commands import COMMANDS
from tui.screens.prove import Prove
from tui.widgets.focused_goal import FocusedGoal
from tui.widgets.key_bar import KeyBar
from tui.widgets.moves import Moves
from tui.widgets.tactic_line import TacticLine

pytestmark = pytest.mark.slow


async def test_a_lemma_is_proved_by_pointing_at_its_formulas(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        assert "p ∨ q → q ∨ p" in shown(app)
        for side in ("right", "left"):
            await press(pilot, *(("0", "1", "0") if side == "right" else ("0",)))
            await choose(pilot, side)
            await press(pilot, "0")
        assert attempt(app).proved
        assert "proved in 6 moves" in shown(app)
        assert "No proof is shorter." in said(app)
        assert "10 of 10 points" in said(app)


async def test_enter_points_at_what_the_arrows_have_selected_and_at_nothing_else(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "enter")
        assert said(app).startswith("Nothing is selected: press 0 for the conclusion.") and attempt(app).made == []
        await press(pilot, "up", "enter")
        assert attempt(app).made == [Move("intro")]
        await press(pilot, "enter", "enter")
        assert said(app).startswith("Nothing is selected: the arrows") and attempt(app).made == [Move("intro")]
        await press(pilot, "down", "i")
        assert "makes two cases" in said(app) and "Example:" in said(app)
        await press(pilot, "enter")
        assert attempt(app).made[-1] == Move("destruct_or", "H")


async def test_escape_selects_nothing_again(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "down", "escape", "enter")
        assert attempt(app).made == []


async def test_where_several_moves_follow_one_is_chosen_or_none(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro", "destruct_or H")
        await press(pilot, "0")
        assert "Which? (shuffled on purpose) Esc: none" in shown(app)
        assert app.screen.query_one(Moves).highlighted is None
        await press(pilot, "enter")
        assert "Which?" in shown(app)
        await press(pilot, "escape")
        assert "Which?" not in shown(app) and len(attempt(app).made) == 2
        await press(pilot, "0")
        assert "left: prove q" in shown(app) and "right: prove p" in shown(app)
        await press(pilot, "1", "2")
        assert "Which?" in shown(app) and len(attempt(app).made) == 2, "digits are keys of formulas"
        await choose(pilot, "left")
        assert attempt(app).made[-1] == Move("left")


async def test_a_click_points_and_chooses_the_half_of_a_disjunction_that_it_is_on(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        for formula, move in (("p ∨ q → q ∨ p", "intro"), ("p ∨ q", "destruct_or H")):
            await click(pilot, formula)
            assert str(attempt(app).made[-1]) == move
        await click(pilot, "q ∨ p")
        assert attempt(app).made[-1] == Move("left")
        await press(pilot, "u")
        await click(pilot, "q ∨ p", letter=4)
        assert attempt(app).made[-1] == Move("right")


async def click(pilot: Pilot[None], formula: str, letter: int = 0) -> None:
    """Click on a letter of a formula of the goal."""
    goals = pilot.app.screen.query_one(FocusedGoal)
    drawn = map(goals.line_at, range(goals.content_size.height))
    lines = ["" if line is None else str(line.content) for line in drawn]
    y = next(number for number, line in enumerate(lines) if line.endswith(f" {formula}"))
    corner = goals.content_region.offset - goals.region.offset
    await pilot.click(goals, offset=(corner.x + lines[y].rindex(formula) + letter, corner.y + y))
    await settle(pilot)


async def test_a_move_that_does_not_apply_says_why_and_every_second_one_costs_a_point(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p -> (p -> q) -> (q -> r) -> r")
    async with opened(app) as pilot:
        await make(pilot, "intro", "intro", "intro")
        await press(pilot, "3")
        assert "apply H1 does not apply: H1 leads from q to r, and q is not there yet." in said(app)
        assert "That is a slip; every second one costs a point." in said(app)
        assert "worth 10 of 10 points: a slip" in shown(app)
        await press(pilot, "0")
        assert "worth 9 of 10 points: two slips" in shown(app)
        assert len(attempt(app).made) == 3


async def test_the_list_is_asked_for_twice_and_stays_for_its_price(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "m")
        assert "it costs five points" in said(app) and not attempt(app).listed
        await press(pilot, "m")
        assert attempt(app).listed and "worth 5 of 10 points: the list" in shown(app)
        await press(pilot, "enter")
        assert attempt(app).made == [], "nothing is highlighted"
        await choose(pilot, "intro")
        await press(pilot, "down", "enter")
        assert len(attempt(app).made) == 2
        await press(pilot, "m")
        assert "listed already" in said(app)


async def test_where_the_terms_list_the_moves_they_are_there_for_nothing(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        take(app, OR_COMM, Terms(moves="listed"))
        assert "worth 10 of 10 points" in shown(app)
        await choose(pilot, "intro")
        await choose(pilot, "destruct_or H")
        await pilot.click("Moves", offset=(5, 1))
        await settle(pilot)
        assert len(attempt(app).made) == 3


async def test_keys_of_moves_do_nothing_else_also_when_the_move_before_was_typed(tmp_path: Path) -> None:
    app = classroom(tmp_path, " -> ".join([f"(a{number} /\\ b)" for number in range(12)]) + " -> c")
    async with opened(app) as pilot:
        await press(pilot, "m", "m")
        await make(pilot, *["intro"] * 12)
        rows = [str(row.prompt).split()[0] for row in app.screen.query_one(Moves).options]
        assert len(rows) == 12 and not set(rows) & set("?urbhxcitean")


async def test_where_tactics_are_typed_pointing_only_says_so(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        take(app, OR_COMM, Terms(moves="type"))
        await settle(pilot)
        assert isinstance(app.focused, TacticLine)
        await press(pilot, "escape", "0", "v")
        assert attempt(app).made == []
        await press(pilot, "down", "enter")
        assert said(app) == "Here tactics are typed; / opens the line for them." and attempt(app).made == []
        await press(pilot, "slash", *"intro", "enter")
        assert attempt(app).made == [Move("intro")]


@pytest.mark.some_days
async def test_where_tactics_are_typed_words_do_what_keys_do_elsewhere(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p \\/ ~p")
    async with opened(app) as pilot:
        take(app, "p \\/ ~p", Terms(moves="type"))
        await settle(pilot)
        line = app.screen.query_one(TacticLine)
        assert line.placeholder == "a tactic, or undo, redo, hint, no proof, why"
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
        await press(pilot, "escape")
        line.value = "undo"
        await press(pilot, "enter")
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


@pytest.mark.parametrize("refused", ["split", "xyz"])
async def test_what_is_refused_is_selected_and_typed_over(tmp_path: Path, refused: str) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "slash", *refused, "enter", *"intro", "enter")
        assert attempt(app).made == [Move("intro")]


async def test_control_a_selects_what_is_typed_as_in_a_browser(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "slash", *"xyz", "ctrl+a", *"intro", "enter")
        assert attempt(app).made == [Move("intro")]


@pytest.mark.some_days
async def test_a_typed_tactic_is_made_by_either_of_its_names_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p -> (p -> q) -> q")
    async with opened(app) as pilot:
        await press(pilot, "slash", *"intro", "enter", *"intro", "enter")
        assert len(attempt(app).made) == 2, "the line stays open"
        line = app.screen.query_one(TacticLine)
        for typed, answer in (
            ("frob", "frob is not a tactic; the tactics are intro,"),
            ("assumtion", "assumtion is not a tactic; did you mean assumption?"),
            ("apply", "apply needs a hypothesis, as in apply H."),
            ("apply H7", "apply: no hypothesis is called H7; there are H, H0."),
            ("split", "split does not apply: the conclusion is q, and not of the form A ∧ B."),
        ):
            line.value = typed
            await press(pilot, "enter")
            assert said(app).startswith(answer)
            assert line.value == typed, "it can be corrected"
        line.value = ""
        await press(pilot, *"app", "right", "space", *"H0", "enter")
        assert attempt(app).made[-1] == Move("imply1", "H0")
        line.value = "u"
        await press(pilot, "escape")
        assert len(attempt(app).made) == 3 and not line.display
        await make(pilot, "imply1 H0")
        assert attempt(app).made[-1] == Move("imply1", "H0") and len(attempt(app).made) == 3


async def test_a_preview_tells_what_a_move_would_leave_but_not_whether_it_applies(tmp_path: Path) -> None:
    app = classroom(tmp_path, "(p -> q) -> (p -> q) \\/ p")
    async with opened(app) as pilot:
        await press(pilot, "down", "v")
        assert "intro leaves: ⊢ (p → q) ∨ p with H : p → q." in said(app)
        await press(pilot, "0", "down", "v")
        assert said(app) == "apply H leaves if p is among the hypotheses: ⊢ (p → q) ∨ p with H : q."
        await press(pilot, "down", "v")
        assert {"left leaves: ⊢ p → q.", "right leaves: ⊢ p."} == set(said(app).split("\n"))
        await press(pilot, "escape", "v", "1")
        assert said(app).startswith("apply H leaves") and attempt(app).slips == 0 and len(attempt(app).made) == 1
        await press(pilot, "1")
        assert attempt(app).slips == 1, "the next one is made again"


@pytest.mark.some_days
async def test_with_the_mouse_alone_a_move_is_previewed_and_a_choice_put_away(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await click_key(pilot, "preview")
        await click(pilot, "p ∨ q → q ∨ p")
        assert said(app).startswith("intro leaves") and attempt(app).made == []
        await make(pilot, "intro", "destruct_or H")
        await press(pilot, "0")
        assert app.screen.query_one(Moves).display
        goals = app.screen.query_one(FocusedGoal)
        await pilot.click(goals, offset=(5, goals.size.height - 1))
        await settle(pilot)
        assert not app.screen.query_one(Moves).display
        for _ in range(2):
            await click_key(pilot, "undo")
            await settle(pilot)
        assert attempt(app).made == []
        for command in ("list", "list"):
            await click_key(pilot, command)
            await settle(pilot)
        assert attempt(app).listed


async def click_key(pilot: Pilot[None], command: str) -> None:
    """Click at the word of a command in the line of keys."""
    bar = pilot.app.screen.query_one(KeyBar)
    lines = shown(cast(Classroom, pilot.app)).splitlines()[-bar.size.height :]
    row = next(row for row, line in enumerate(lines) if COMMANDS[command].label in line)
    await pilot.click(KeyBar, offset=(lines[row].index(COMMANDS[command].label), row))


async def test_when_a_goal_is_done_it_is_said_that_the_next_one_is_there(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, *PROOF[:3])
        assert said(app) == ""
        await make(pilot, PROOF[3])
        assert said(app) == "That goal is done; this is the next one."


async def test_what_a_first_move_and_one_that_makes_two_goals_have_done_is_told(tmp_path: Path) -> None:
    app = classroom(tmp_path, "((p -> p) -> q) -> q")
    async with opened(app) as pilot:
        await make(pilot, "intro")
        assert said(app) == "+ stands before what this move has changed."
        await press(pilot, "1")
        assert said(app) == (
            "nested H leaves: ⊢ p → p with H : p → q; then ⊢ q with H : q. "
            "H gives q only once p → p is proved. These are two goals; this is the first."
        )


async def test_enter_never_leads_on_from_a_proof_but_a_key_and_a_click_do(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p -> p")
    async with opened(app) as pilot:
        others = [Exercise(name, parse(name), "week") for name in ("p -> p", "q -> q", "r -> r")]
        for before, after in pairwise(others):
            app.session.seat.take(before, others)
            assert isinstance(app.screen, Prove)
            app.screen.arrive()
            await make(pilot, "intro", "assumption")
            await press(pilot, "enter")
            assert app.session.seat.exercise == before
            assert said(app) == "This lemma is done; n goes on to the next one."
            if after is others[-1]:
                await pilot.click("#worth", offset=(3, 0))
                await settle(pilot)
            else:
                await press(pilot, "n")
            assert app.session.seat.exercise == after


async def test_keys_in_quick_succession_are_each_read_against_what_the_one_before_leaves(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await pilot.press("0", "1", "slash", *"left", "enter", "escape", "u", "u", "1")
        await settle(pilot)
        assert attempt(app).made == [Move("intro"), Move("destruct_or", "H")]


async def test_the_key_of_the_line_does_no_harm_in_it(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "slash", "slash", *"intro", "enter")
        assert attempt(app).made == [Move("intro")]


async def test_a_tactic_typed_in_one_burst_with_the_key_of_its_line_is_made(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        burst(app, "/intro\rleft\r")
        await until(pilot, lambda: len(attempt(app).made) == 2)
        assert attempt(app).made == [Move("intro"), Move("left")]


@pytest.mark.parametrize("place", ["P", "T"])
async def test_a_window_of_a_few_columns_ends_nothing(tmp_path: Path, place: str) -> None:
    app = classroom(tmp_path, "textbook/or_comm")
    async with opened(app) as pilot:
        await press(pilot, place)
        for size in ((1, 1), (3, 40), NARROW):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert "p ∨ q → q ∨ p" in shown(app)


async def press_at(app: Classroom, pilot: Pilot[None], *presses: tuple[str, float]) -> None:
    """Press keys, each at a time in seconds."""
    for key, when in presses:
        event = events.Key(key, key)
        event.time = when
        app.post_message(event)
        await settle(pilot)


@pytest.mark.parametrize(
    ("then", "slips"),
    [
        ((("2", 100.2), ("2", 100.4)), 0),
        ((("2", 100.2), ("2", 101.0)), 1),
        ((("2", 100.4),), 1),
        ((("1", 100.1),), 1),
    ],
)
async def test_a_key_that_comes_twice_in_a_moment_costs_nothing_where_it_does_not_apply_any_more(
    tmp_path: Path, then: tuple[tuple[str, float], ...], slips: int
) -> None:
    app = classroom(tmp_path, "p -> (p -> q) -> r")
    async with opened(app) as pilot:
        await make(pilot, "intro", "intro")
        await press_at(app, pilot, ("2", 100.0), *then)
        assert attempt(app).made[-1] == Move("imply1", "H0")
        assert len(attempt(app).made) == 3 and attempt(app).slips == slips


@pytest.mark.parametrize(
    ("then", "slips"), [([("0", 101.0)], 0), ([("0", 101.0), ("0", 102.0)], 0), ([("2", 101.0), ("0", 102.0)], 2)]
)
async def test_the_key_of_the_conclusion_once_too_often_costs_nothing_and_is_told(
    tmp_path: Path, then: list[tuple[str, float]], slips: int
) -> None:
    app = classroom(tmp_path, "p -> (r -> q) -> q")
    async with opened(app) as pilot:
        await press_at(app, pilot, ("0", 99.0), ("0", 100.0), *then)
        assert len(attempt(app).made) == 2 and attempt(app).slips == slips
        told = "0 once too often: no move follows from the conclusion alone."
        assert said(app).startswith("assumption does not apply" if slips else told)


async def test_a_key_that_comes_twice_in_a_moment_makes_two_moves_where_both_apply(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p -> q -> p")
    async with opened(app) as pilot:
        await press_at(app, pilot, ("0", 100.0), ("0", 100.1))
        assert attempt(app).made == [Move("intro"), Move("intro")]


async def test_a_key_that_comes_twice_in_a_moment_chooses_nothing_that_nobody_has_read(tmp_path: Path) -> None:
    app = classroom(tmp_path, "(p -> q) -> p -> (p -> q)")
    async with opened(app) as pilot:
        await make(pilot, "intro", "intro")
        await press_at(app, pilot, ("1", 100.0), ("1", 100.1))
        assert len(attempt(app).made) == 2 and app.screen.query_one(Moves).display
        await choose(pilot, "assumption")
        assert attempt(app).proved


async def test_that_a_move_is_only_previewed_stands_above_the_goal_as_long_as_it_is_so(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        goals = app.screen.query_one(FocusedGoal)
        for way_out in ("v", "escape", "0"):
            await press(pilot, "v")
            assert "Preview of one move: not made; v ends it" in shown(app)
            await press(pilot, way_out)
            assert "Preview of" not in shown(app) and goals.border_title == "To prove"
        assert attempt(app).made == []


async def test_curry_and_nested_leave_every_hypothesis_its_row_and_its_key(tmp_path: Path) -> None:
    app = classroom(tmp_path, "(p /\\ q -> r) -> ((p -> q) -> r) -> p -> r")
    async with opened(app) as pilot:
        await make(pilot, "intro", "intro", "intro")
        for key, made in (("1", "imply2 H"), ("2", "imply4 H0"), ("3", "intro")):
            if key != "3":
                await press(pilot, key)
            else:
                await make(pilot, "intro")
            assert str(attempt(app).made[-1]) == made
            rows = [line.split()[-len(line.split()) :] for line in shown(app).splitlines() if " : " in line[:40]]
            found = [(row[row.index(":") - 2].lstrip("+"), row[row.index(":") - 1]) for row in rows]
            assert found[:3] == [("1", "H"), ("2", "H0"), ("3", "H1")]
