"""A student alone with a lemma: how moves are made, what is told and what it costs, and what comes at the end."""

from io import StringIO
from pathlib import Path

import pytest
from textual import events
from textual.widgets import OptionList

from oasis.classroom.desk.progress import exercises
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF
from tactics.goal import Move
from tactics.parser import parse
from tests.tui.rooms import NARROW, OR_COMM, PROOF, WIDE, Person, classroom, opened, sitting
from tui.commands import COMMANDS
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.prove import Prove
from tui.widgets.focused_goal import FocusedGoal
from tui.widgets.key_bar import KeyBar
from tui.widgets.moves import Moves
from tui.widgets.said import Said
from tui.widgets.tactic_line import TacticLine
from tui.widgets.tree import Tree

pytestmark = pytest.mark.slow


async def test_hints_say_more_each_time_at_a_price_that_is_told_first(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        assert (await ada.hears("h")).startswith("Only one move applies here: intro.")
        assert ada.attempt.hints and "worth 10 of 10 points" in ada.shown
        await ada.keys("0", "u")
        assert ada.told == "Took back intro. That is no slip, as you had asked for a hint." and not ada.attempt.slips
        await ada.keys("r", "h", "u", "r", "h")
        assert ada.told == "A hint costs a point; h again asks for it.", "a deed in between has it said again"
        assert len(ada.attempt.hints) == 1
        await ada.keys("h")
        assert "If there is one, look at H." in ada.told and "h again says more; it costs a point." in ada.told
        for keys in (("h", "h"), ("h",)):  # the last one costs nothing again
            assert "destruct_or H:" in await ada.hears(*keys) and "says more" not in ada.told
        assert "worth 7 of 10 points: three hints" in ada.shown
        assert "worth 7 of 10 points: earlier help" in await ada.sees("a", "0")
        await ada.keys("x", "x", "h", "h")
        assert ada.told.startswith("Look at H.") and IS_THERE_A_PROOF not in ada.told, "it is known that there is one"
        await ada.make(*PROOF[1:])
        assert "3 of 10 points: a hint, a wrong claim, earlier help." in ada.told and "worth" not in ada.shown


async def test_moves_are_taken_back_made_again_and_jumped_over_by_keys_of_ones_own(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, keys={"undo": "z"}) as ada:
        assert await ada.hears("z") == "There is no move to take back; make one first."
        await ada.keys("0", "1", "u")
        assert len(ada.attempt.made) == 2, "u is no key of it any more"
        await ada.keys("z")
        assert ada.attempt.made == [Move("intro")]
        await ada.keys("r")
        assert len(ada.attempt.made) == 2
        await ada.keys("b")
        assert ada.attempt.made == [] and len(ada.attempt.undone) == 2
        await ada.keys("tab", "down", "down", "enter")
        assert len(ada.attempt.made) == 2
        await ada.keys("z")
    again = classroom(tmp_path, OR_COMM)
    async with opened(again) as ada:
        assert ada.attempt.made == [Move("intro")], "it is there for who comes back"
        assert ada.attempt.undone == [Move("destruct_or", "H")]
        await ada.keys("a")
        assert ada.attempt.made == []


async def test_a_slip_is_told_with_what_it_costs_and_is_none_when_the_move_is_made_again(tmp_path: Path) -> None:
    first = "That is a slip; every second one costs a point."
    async with sitting(tmp_path, "p -> (p -> q) -> (q -> r) -> r") as ada:
        await ada.make("intro", "intro", "intro")
        assert "apply H1 does not apply: H1 leads from q to r, and q is not there yet." in await ada.hears("3")
        assert first in ada.told and "worth 10 of 10 points: a slip" in ada.shown
        assert "worth 9 of 10 points: two slips" in await ada.sees("0") and len(ada.attempt.made) == 3
        ada.take(OR_COMM)
        await ada.make("intro", "destruct_or H")
        assert await ada.hears("u") == f"Took back destruct_or H. {first} r makes it again, and then it was no slip."
        assert await ada.hears("u") == "Took back intro.", "it is the same slip"
        assert "worth 10 of 10 points" in await ada.sees("r", "r") and "slip" not in ada.shown.splitlines()[-2]
        await ada.keys("u")
        await ada.make("right", "destruct_or H")
        await ada.keys("u")
        assert "Took back destruct_or H. That is a slip, and every second one costs a point: this one" in ada.told
        assert "There is no proof from here since move 2, right." in ada.told, "the light speaks, too"
        assert "worth 9 of 10 points" in ada.shown


async def test_a_wrong_claim_costs_after_a_warning_and_nothing_once_the_lemma_is_done(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.keys("x", "0", "x")  # a move withdraws the warning
        assert ada.told == "x again says that this lemma has no proof; if there is one, it costs three points."
        assert ada.attempt.wrong_claims == 0 and "nothing lost so far" in ada.shown
        await ada.make("left")
        assert ada.told.startswith("There is no proof from here since move 2, left.")
        assert "This lemma has a proof; to say that it had none costs three points." in await ada.hears("x", "x")
        assert ada.attempt.wrong_claims == 1 and "worth 7 of 10 points: a wrong claim" in ada.shown
        await ada.keys("x", "x")
        assert ada.told.startswith("This lemma has a proof, as you know") and ada.attempt.wrong_claims == 1
        assert "No proof of p ∨ q ⊢ q" in await ada.sees("c") and "next lemma" not in ada.shown
        await ada.keys("n", "escape")
        assert not ada.attempt.is_over and isinstance(ada.screen, Prove), "nobody goes on by accident"
        assert "nothing lost so far" in await ada.sees("u")
        await ada.make(*PROOF[1:])
        await ada.keys("a", "x")
        assert ada.told.endswith("if there is one, it costs nothing, as this lemma is done.")
        await ada.keys("x")
        assert ada.told == "This lemma has a proof; to say that it had none costs nothing, as this lemma is done."


async def test_of_a_lemma_without_a_proof_only_the_last_hint_tells_and_a_right_claim_shows_why(tmp_path: Path) -> None:
    dummett = "(p -> q) \\/ (q -> p)"
    async with sitting(tmp_path, dummett, size=WIDE) as ada:
        ada.take(dummett, Terms(light=False))
        assert (await ada.hears("h", "h")).startswith(IS_THERE_A_PROOF) and "If there is one, look at" in ada.told
        await ada.keys("h", "h", "h")
        assert ada.told == NO_PROOF and ada.attempt.helped == 2, "what is said last costs nothing again"
        await ada.make("right", "intro")
        assert ada.told.startswith("No move applies here. In move 1 you chose the right side")
        assert (await ada.hears("h", "h")).startswith("There is no proof from here, and no move applies.")
        assert await ada.hears("h", "h", "h") == NO_PROOF and ada.attempt.helped == 4
        assert (await ada.hears("x", "x")).startswith("Yes: this lemma has no proof.") and ada.attempt.refuted
        assert "No proof of (p → q) ∨ (q → p)" in await ada.sees("c"), "it is about the lemma, wherever one stands"
        await ada.keys("escape")
        ada.take("p -> q")
        assert "A case: p holds, q does not." in await ada.sees("x", "x", "c") and "stage" not in ada.shown


async def test_in_the_course_a_light_that_goes_is_told_and_the_way_on_leads_past_a_countermodel(tmp_path: Path) -> None:
    async with sitting(tmp_path) as ada:
        exercises = ada.seat.others
        assert "If and then 1 · identity:" in await ada.sees("P", "0", "0")
        gone = "There is no light; a first hint says whether a move has lost the proof."
        for place in (2, 4, 3):
            ada.seat.take(exercises[place], exercises)
            assert (gone in await ada.hears("L", "P")) == (place == 3)
        assert "No proof of" in await ada.sees("x", "x", "c") and "n next lemma" in ada.shown
        await ada.keys("n")
        assert ada.seat.exercise == exercises[4] and isinstance(ada.screen, Prove)


# The end of a lemma

LONG = ("intro", "imply3 H", "imply4 H0", "intro", "imply1 H", "assumption", "assumption")
"""Seven moves for ~~(p \\/ ~p), which has a proof of four."""


async def test_the_whole_proof_is_shown_in_three_ways_beside_a_shorter_one_and_saved(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/double_negation_excluded_middle", size=WIDE) as ada:
        files = ada.saves()
        assert "can be seen once it is finished" in await ada.hears("w") and not isinstance(ada.screen, Moment)
        assert "A proof can be saved once it is finished." in await ada.hears("e")
        await ada.make(*LONG)
        assert "proved in 7 moves" in ada.shown and "The shortest proof has 4 moves." in ada.told
        assert "w  Whole proof" in ada.shown
        assert isinstance(await ada.opens("w"), Moment)
        assert "Proved in 7 moves. Without help or a slip. 10 of 10 points." in ada.words
        assert "Your proof: 7 moves" in ada.words and "A shorter one: 4 moves" in ada.words
        assert "├──" in await ada.reads("2") and "assumption" in ada.words
        await ada.keys("3")
        assert ada.words.count("Proof.") == 2
        assert "⊢ ¬¬(p ∨ ¬p)" in await ada.reads("1") and "split_or H" in ada.words
        for keys in (("e", "home", "enter"), ("e", "end", "enter")):
            await ada.keys(*keys)
        assert [name.rpartition(".")[2] for name in files] == ["v", "txt"]
        assert "Theorem" in files["textbook_double_negation_excluded_middle-coq.v"]
        assert "intro; " in files["textbook_double_negation_excluded_middle-script.txt"]
        assert await ada.click("#close")
        assert isinstance(ada.screen, Prove)
        assert isinstance(await ada.opens("w", "a"), Prove) and ada.attempt.made == []


async def test_of_a_lemma_without_proof_nothing_can_be_saved_and_who_leaves_closes_all(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/dummett", size=WIDE) as ada:
        assert "w  Countermodel" in await ada.sees("x", "x") and "w Countermodel" in ada.shown
        assert "Fitch" not in await ada.reads("w", "e", "2") and isinstance(ada.screen, Moment)
        await ada.press("Q")
        await ada.pause()
        assert ada.app._exit, "who leaves the classroom need not close it first"


async def test_a_moment_comes_at_once_and_once_with_the_end_of_a_world_and_enter_leads_nowhere(tmp_path: Path) -> None:
    async with sitting(tmp_path, size=WIDE) as ada:
        tasks = exercises("arrows")
        for task in tasks[2:-1]:
            ada.prove(task)
        ada.seat.take(tasks[0], tasks)
        await ada.keys("P")
        await ada.make("intro")
        assert isinstance(await ada.opens("slash", *"assumption", "enter"), Moment), "with what opens the next world"
        assert f"{len(tasks) - 2} of the {len(tasks)} lemmas of If and then are done" in ada.words
        assert "Both is open" in ada.words and "identity: p → p" in ada.words
        assert "This is the smallest proof of all" in ada.words and "Next: If and then 2" in ada.words
        await ada.keys("escape", "u")
        await ada.make("assumption")
        assert isinstance(ada.screen, Prove)
        assert isinstance(await ada.opens("w", "enter"), Moment)
        await ada.click_at("Next:")
        assert isinstance(ada.screen, Prove) and ada.seat.exercise == tasks[1]
        await ada.make("intro", "intro", "assumption")
        await ada.keys("w", "n")
        assert ada.seat.exercise == tasks[-1]
        ada.prove(tasks[-1])
        ada.seat.take(tasks[1], tasks)
        assert isinstance(await ada.opens("L", "P", "n"), Learn), "after the last lemma the way leads to the worlds"
        assert ada.screen.query_one("#chapters", OptionList).highlighted == 1, "and there to the next one"


async def test_steps_give_way_to_a_tree_which_says_how_to_see_the_rest_of_it(tmp_path: Path) -> None:
    whole = "⊢ r → r → q ∨ p"
    async with sitting(tmp_path, "p \\/ q -> r -> r -> q \\/ p") as ada:
        await ada.make("intro", "intro", "intro", "destruct_or H")
        assert "Steps" in ada.shown
        await ada.keys("t")
        tree = ada.shown.partition("Tree")[2]
        assert "more: Tab, arrows" in tree and whole not in tree
        assert "arrows show more" in await ada.sees("tab") and ada.app.focused is ada.screen.query_one(Tree)
        await ada.keys(*["right"] * 30)
        await ada.wait_for_scheduled_animations()
        assert whole in ada.shown.partition("Tree")[2]
        assert "Steps" in await ada.sees("t")
        ada.take(OR_COMM)
        await ada.resize_terminal(*WIDE)
        await ada.make(*PROOF)
        assert "Tree" in ada.shown and "arrows" not in ada.shown, "a tree that is there as a whole says nothing"


async def test_a_file_is_saved_in_downloads_and_replaces_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    downloads = tmp_path / "downloads"
    monkeypatch.setattr("tui.session.user_downloads_path", lambda: downloads)
    monkeypatch.chdir(tmp_path)
    async with sitting(tmp_path, OR_COMM) as ada:

        async def is_saved_as(path: Path) -> None:
            ada.session.save(path.name, "proof.v")
            await ada.until(lambda: f"Saved as {path}." in ada.notified)
            assert path.read_text() == path.name

        for folder in (tmp_path, downloads):
            for name in ("proof.v", "proof-2.v", "proof-3.v"):
                await is_saved_as(folder / name)
            downloads.mkdir(exist_ok=True)
        ada.app.deliver_text(StringIO("text"), save_directory=tmp_path / "nowhere", save_filename="proof.v")
        await ada.until(lambda: "It could not be saved" in ada.notified)


# Pointing and typing

INTRO, CASES = Move("intro"), Move("destruct_or", "H")


async def test_a_lemma_is_proved_by_pointing_and_each_step_is_told(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        assert await ada.hears("3") == "There is no formula 3."
        await ada.keys("up", "escape", "enter")
        assert ada.told.startswith("Nothing is selected: press 0 for the conclusion.") and ada.attempt.made == []
        await ada.keys("up", "enter")
        assert ada.attempt.made == [INTRO] and ada.told == "+ stands before what this move has changed."
        assert "makes two cases" in await ada.hears("down", "i") and "Example:" in ada.told
        await ada.keys("enter", "0")
        assert ada.attempt.made == [INTRO, CASES]
        assert "Which? (shuffled on purpose) Esc: none" in ada.shown
        assert ada.screen.query_one(Moves).highlighted is None
        assert "Which?" in await ada.sees("enter")
        assert "Which?" not in await ada.sees("escape")
        assert "left: prove q" in await ada.sees("0", "1", "2") and "right: prove p" in ada.shown
        assert "Which?" in ada.shown and len(ada.attempt.made) == 2, "digits are keys of formulas"
        await ada.choose("right")
        assert ada.told == ""
        assert await ada.hears("0") == "That goal is done; this is the next one."
        await ada.keys("0")
        await ada.choose("left")
        assert "proved in 6 moves" in await ada.sees("0") and ada.attempt.proved
        assert "No proof is shorter." in ada.told and "10 of 10 points" in ada.told
        ada.take("((p -> p) -> q) -> q")
        assert await ada.hears("0", "1") == (
            "nested H leaves: ⊢ p → p with H : p → q; then ⊢ q with H : q. "
            "H gives q only once p → p is proved. These are two goals; this is the first."
        )


async def test_enter_never_leads_on_from_a_proof_but_a_key_and_a_click_do(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> p") as ada:
        first, second, third = (Exercise(name, parse(name), "week") for name in ("p -> p", "q -> q", "r -> r"))
        ada.seat.take(first, [first, second, third])
        await ada.keys("0", "0", "enter")
        assert ada.seat.exercise == first and ada.told == "This lemma is done; n goes on to the next one."
        await ada.keys("n", "0", "0")
        assert ada.seat.exercise == second and ada.attempt.proved
        await ada.click("#worth", offset=(3, 0))
        assert ada.seat.exercise == third


async def test_with_the_mouse_alone_one_previews_points_chooses_takes_back_and_lists(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await click_key(ada, "preview")
        await click_formula(ada, "p ∨ q → q ∨ p")
        assert ada.told.startswith("intro leaves") and ada.attempt.made == []
        for formula, move in (("p ∨ q → q ∨ p", INTRO), ("p ∨ q", CASES)):
            await click_formula(ada, formula)
            assert ada.attempt.made[-1] == move
        await ada.keys("0")
        goals, moves = ada.screen.query_one(FocusedGoal), ada.screen.query_one(Moves)
        assert moves.display
        await ada.click(goals, offset=(5, goals.size.height - 1))
        assert not moves.display
        await click_formula(ada, "q ∨ p")
        assert ada.attempt.made[-1] == Move("left"), "the half of a disjunction that is clicked on"
        await click_key(ada, "undo")
        await click_formula(ada, "q ∨ p", letter=4)
        assert ada.attempt.made[-1] == Move("right")
        for command in ("list", "list"):
            await click_key(ada, command)
        assert ada.attempt.listed
        await ada.click(moves, offset=(5, 1))
        assert len(ada.attempt.made) == 4
        await ada.hover(KeyBar, offset=(1, 0))
        assert ada.screen.query_one(KeyBar).tooltip == "Explain this screen, all its keys, and the way out."


async def click_formula(ada: Person, formula: str, letter: int = 0) -> None:
    """Click on a letter of a formula of the goal."""
    goals = ada.screen.query_one(FocusedGoal)
    drawn = map(goals.line_at, range(goals.content_size.height))
    lines = ["" if line is None else str(line.content) for line in drawn]
    y = next(number for number, line in enumerate(lines) if line.endswith(f" {formula}"))
    corner = goals.content_region.offset - goals.region.offset
    await ada.click(goals, offset=(corner.x + lines[y].rindex(formula) + letter, corner.y + y))


async def click_key(ada: Person, command: str) -> None:
    """Click at the word of a command in the line of keys."""
    bar = ada.screen.query_one(KeyBar)
    lines = ada.shown.splitlines()[-bar.size.height :]
    row = next(row for row, line in enumerate(lines) if COMMANDS[command].label in line)
    await ada.click(KeyBar, offset=(lines[row].index(COMMANDS[command].label), row))


async def test_a_preview_tells_what_a_move_would_leave_makes_none_and_says_so_above_the_goal(tmp_path: Path) -> None:
    async with sitting(tmp_path, "(p -> q) -> (p -> q) \\/ p") as ada:
        goals = ada.screen.query_one(FocusedGoal)
        for way_out in ("v", "escape", "0"):
            assert "Preview of one move: not made; v ends it" in await ada.sees("v")
            assert "Preview of" not in await ada.sees(way_out) and goals.border_title == "To prove"
        assert "intro leaves: ⊢ (p → q) ∨ p with H : p → q." in ada.told and ada.attempt.made == []
        await ada.keys("0", "down", "v")
        assert ada.told == "apply H leaves if p is among the hypotheses: ⊢ (p → q) ∨ p with H : q."
        await ada.keys("down", "v")
        assert {"left leaves: ⊢ p → q.", "right leaves: ⊢ p."} == set(ada.screen.query_one(Said).text.split("\n"))
        await ada.keys("escape", "v", "1")
        assert ada.told.startswith("apply H leaves") and ada.attempt.slips == 0 and len(ada.attempt.made) == 1
        await ada.keys("1")
        assert ada.attempt.slips == 1, "the next one is made again"


async def test_the_list_is_asked_for_twice_and_stays_for_its_price_unless_the_terms_give_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, " -> ".join([f"(a{number} /\\ b)" for number in range(12)]) + " -> c") as ada:
        assert "it costs five points" in await ada.hears("m") and not ada.attempt.listed
        assert "worth 5 of 10 points: the list" in await ada.sees("m", "enter") and ada.attempt.listed
        assert ada.attempt.made == [], "nothing is highlighted"
        await ada.choose("intro")
        assert "listed already" in await ada.hears("down", "enter", "m") and len(ada.attempt.made) == 2
        await ada.make(*["intro"] * 10)
        rows = [str(row.prompt).split()[0] for row in ada.screen.query_one(Moves).options]
        assert len(rows) == 12 and not set(rows) & set("?urbhxcitean"), "keys of moves do nothing else"
        ada.take(OR_COMM, Terms(rules=("intro", "left", "right"), hints=0, light=False, moves="listed"))
        assert "worth 10 of 10 points" in ada.shown
        await ada.choose("intro")
        assert "destruct_or" not in ada.shown and "lost" not in ada.shown, "the terms leave out moves and the light"
        assert await ada.hears("h") == "There are no hints in this exercise."
        assert await ada.hears("c") == "c shows why only after x has said rightly that there is no proof."


async def test_a_key_once_too_often_costs_nothing_and_chooses_nothing_that_nobody_has_read(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> (p -> q) -> r") as ada:
        await ada.make("intro", "intro")
        await ada.keys_at(("2", 100.0), ("2", 100.2), ("2", 100.4))
        assert ada.attempt.made == [INTRO, INTRO, Move("imply1", "H0")] and ada.attempt.slips == 0
        await ada.keys_at(("2", 101.0))
        assert ada.attempt.slips == 1
        ada.take("p -> (r -> q) -> q")
        await ada.keys_at(("0", 199.0), ("0", 200.0), ("0", 201.0), ("0", 202.0))
        assert ada.told == "0 once too often: no move follows from the conclusion alone."
        assert len(ada.attempt.made) == 2 and ada.attempt.slips == 0
        await ada.keys_at(("2", 203.0), ("0", 204.0))
        assert ada.told.startswith("assumption does not apply") and ada.attempt.slips == 2
        ada.take("(p -> q) -> p -> (p -> q)")
        await ada.keys_at(("0", 300.0), ("0", 300.1))
        assert ada.attempt.made == [INTRO, INTRO], "where both apply both are made"
        await ada.keys_at(("1", 301.0), ("1", 301.1))
        assert len(ada.attempt.made) == 2 and ada.screen.query_one(Moves).display
        await ada.choose("assumption")
        assert ada.attempt.proved


async def test_a_window_of_a_few_columns_ends_nothing(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/or_comm") as ada:
        for place in "PTL":
            await ada.keys(place)
            for size in ((1, 1), (3, 40), NARROW):
                await ada.resize_terminal(*size)
                await ada.pause()
            assert place == "L" or "p ∨ q → q ∨ p" in ada.shown
        await ada.resize_terminal(44, 12)
        await ada.keys("pagedown", "pageup", "end", "home", "tab", "pagedown", "enter", "enter", "pagedown")
        assert ada.app.is_running


async def test_a_tactic_is_typed_by_either_name_and_what_is_refused_is_typed_over(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> (p -> q) -> q") as ada:
        line = ada.screen.query_one(TacticLine)
        await ada.keys("slash", "slash", *"intro", "enter")
        assert ada.attempt.made == [Move("intro")], "its key does no harm in the line, which stays open"
        for typed, answer in (
            ("assumtion", "assumtion is not a tactic; did you mean assumption?"),
            ("apply H7", "apply: no hypothesis is called H7; there"),
            ("split", "split does not apply: the conclusion is (p → q) → q, and not of the form A ∧ B."),
        ):
            line.value = typed
            assert (await ada.hears("enter")).startswith(answer)
            assert line.value == typed, "it can be corrected"
        await ada.keys(*"intro", "enter")
        assert ada.attempt.made == [Move("intro"), Move("intro")]
        await ada.keys(*"xyz", "ctrl+a", *"app", "right", "space", *"H0", "enter")
        assert ada.attempt.made[-1] == Move("imply1", "H0")
        line.value = "u"
        await ada.keys("escape")
        assert len(ada.attempt.made) == 3 and not line.display
        await ada.make("imply1 H0")
        assert ada.told.startswith("apply H0 does not apply") and len(ada.attempt.made) == 3


async def test_a_pasted_proof_is_made_move_by_move_and_stops_at_a_wrong_one(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        line = ada.screen.query_one(TacticLine)

        async def paste(text: str) -> None:
            ada.app.post_message(events.Paste(text))
            await ada.settle()

        await paste("intro\n")
        assert line.value == "intro" and ada.attempt.made == [], "it opens the line, and a single one waits for Enter"
        await paste("; destruct_or H\rleft # or right?\rassumption\rassumption")
        assert ada.attempt.made == [INTRO, CASES, Move("left")] and ada.attempt.slips == 1
        assert ada.told.startswith("assumption does not apply: q is not among the hypotheses.")
        assert "Stopped at move 4 of 5; the 3 before it stand." in ada.told
        assert "There is no proof from here" in ada.told, "the light speaks, too"
        assert line.value == "assumption; assumption" and line.selected_text == "assumption"
        await ada.keys("escape", "u")
        ada.burst("/")
        await paste("Proof.\n  - rihgt. assumption.\n  - left. assumption.\nQed.\n")
        assert ada.told == "rihgt is not a tactic; did you mean right? Stopped at move 1 of 4."
        assert line.value == "rihgt; assumption; left; assumption"
        await ada.keys(*"right", "enter")
        assert ada.attempt.proved and not line.display
        rows = ada.session.store.attempts(ada.seat.desk.student.id)
        kinds = [event.kind for row in rows for event in ada.session.store.events(row.kept.uuid)]
        assert kinds == [*["move"] * 3, "refused", "undo", *["move"] * 4], "as if each had been typed"


async def test_what_is_typed_faster_than_it_is_answered_is_done_in_its_order(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        await ada.press("0", "1", "slash", *"left", "enter", "escape", "u", "u", "1")
        await ada.settle()
        assert ada.attempt.made == [Move("intro"), Move("destruct_or", "H")]
        await ada.keys("b")
        ada.burst("/intro\rleft\r")
        await ada.until(lambda: len(ada.attempt.made) == 2)
        assert ada.attempt.made == [Move("intro"), Move("left")]


async def test_where_tactics_are_typed_words_do_what_keys_do_and_pointing_only_says_so(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p \\/ ~p") as ada:
        ada.take("p \\/ ~p", Terms(moves="type"))
        await ada.settle()
        line = ada.screen.query_one(TacticLine)
        assert ada.app.focused is line and line.placeholder == "a tactic, or undo, redo, hint, no proof, why"
        await ada.keys("escape", "0", "v", "down", "enter")
        assert ada.told == "Here tactics are typed; / opens the line for them." and ada.attempt.made == []
        await ada.keys("slash")
        for typed, made in (("left", 1), ("undo", 0), ("redo", 1), (" undo.", 0)):
            line.value = typed
            await ada.keys("enter")
            assert (len(ada.attempt.made), line.value, ada.app.focused) == (made, "", line)
        assert ada.told.startswith("Took back left.") and "redo makes it again" in ada.told
        line.value = "left"
        assert "why shows the countermodel" in await ada.hears("enter")
        assert "No proof of" in await ada.sees(*"why", "enter")
        await ada.keys("escape", *"undo", "enter")
        for told in ("A hint costs a point; hint again asks for it.", IS_THERE_A_PROOF):
            assert (await ada.hears(*"hint", "enter")).startswith(told)
        await ada.keys(*"no", "space", *"proof", "enter")
        assert ada.told.startswith("no proof again says that this lemma has no proof")
        await ada.keys(*"no", "space", *"proof", "enter")
        assert ada.attempt.refuted and ada.app.focused is not line
        ada.take(OR_COMM, Terms(moves="type", hints=0))
        await ada.settle()
        assert line.placeholder == "a tactic, or undo, redo, no proof, why"
