"""A student alone with a lemma: what is told and what that costs, and what comes when it is done."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from textual.widgets import OptionList

from oasis.classroom.desk.progress import exercises
from oasis.classroom.proving.exercise import Terms
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF
from tactics.goal import Move
from tests.tui.partners import until
from tests.tui.rooms import (
    NARROW,
    OR_COMM,
    PROOF,
    WIDE,
    attempt,
    classroom,
    click_at,
    make,
    notified,
    opened,
    press,
    said,
    saved,
    settle,
    shown,
    sitting,
    take,
    words,
)
from tests.tui.test_learn import do
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.prove import Prove
from tui.session import Session
from tui.setup import Setup
from tui.widgets.light import Light
from tui.widgets.tree import Tree

pytestmark = pytest.mark.slow


async def test_hints_say_more_each_time_at_a_price_that_is_told_first_and_the_only_move_costs_nothing(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "h")
        assert said(app).startswith("Only one move applies here: intro.")
        assert attempt(app).hints and "worth 10 of 10 points" in shown(app)
        await press(pilot, "0", "u")
        assert said(app) == "Took back intro. That is no slip, as you had asked for a hint." and not attempt(app).slips
        await press(pilot, "r", "h", "u", "r", "h")
        assert said(app) == "A hint costs a point; h again asks for it.", "a deed in between has it said again"
        assert len(attempt(app).hints) == 1
        await press(pilot, "h")
        assert "If there is one, look at H." in said(app) and "h again says more; it costs a point." in said(app)
        await press(pilot, "h", "h")
        assert "destruct_or H:" in said(app) and "says more" not in said(app)
        await press(pilot, "h")
        assert "destruct_or H:" in said(app), "the last one costs nothing again"
        assert "worth 7 of 10 points: three hints" in shown(app)
        await press(pilot, "a", "0")
        assert "worth 7 of 10 points: earlier help" in shown(app)
        await press(pilot, "x", "x", "h", "h")
        assert said(app).startswith("Look at H.") and IS_THERE_A_PROOF not in said(app), "it is known that there is one"
        await make(pilot, *PROOF[1:])
        assert "3 of 10 points: a hint, a wrong claim, earlier help." in said(app) and "worth" not in shown(app)


async def test_moves_are_taken_back_made_again_and_jumped_over_by_keys_of_ones_own(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM, keys={"undo": "z"}) as (app, pilot):
        await press(pilot, "z")
        assert said(app) == "There is no move to take back; make one first."
        await press(pilot, "0", "1", "u")
        assert len(attempt(app).made) == 2, "u is no key of it any more"
        await press(pilot, "z")
        assert attempt(app).made == [Move("intro")]
        await press(pilot, "r")
        assert len(attempt(app).made) == 2
        await press(pilot, "b")
        assert attempt(app).made == [] and len(attempt(app).undone) == 2
        await press(pilot, "tab", "down", "down", "enter")
        assert len(attempt(app).made) == 2
        await press(pilot, "z")
    again = classroom(tmp_path, OR_COMM)
    async with opened(again) as pilot:
        assert attempt(again).made == [Move("intro")], "it is there for who comes back"
        assert attempt(again).undone == [Move("destruct_or", "H")]
        await press(pilot, "a")
        assert attempt(again).made == []


async def test_a_slip_is_told_with_what_it_costs_and_is_none_when_the_move_is_made_again(tmp_path: Path) -> None:
    async with sitting(tmp_path, "p -> (p -> q) -> (q -> r) -> r") as (app, pilot):
        await make(pilot, "intro", "intro", "intro")
        await press(pilot, "3")
        assert "apply H1 does not apply: H1 leads from q to r, and q is not there yet." in said(app)
        assert "That is a slip; every second one costs a point." in said(app)
        assert "worth 10 of 10 points: a slip" in shown(app)
        await press(pilot, "0")
        assert "worth 9 of 10 points: two slips" in shown(app) and len(attempt(app).made) == 3
        take(app, OR_COMM)
        await make(pilot, "intro", "destruct_or H")
        await press(pilot, "u")
        first = "That is a slip; every second one costs a point."
        assert said(app) == f"Took back destruct_or H. {first} r makes it again, and then it was no slip."
        await press(pilot, "u")
        assert said(app) == "Took back intro.", "it is the same slip"
        await press(pilot, "r", "r")
        assert "worth 10 of 10 points" in shown(app) and "slip" not in shown(app).splitlines()[-2]
        await press(pilot, "u")
        await make(pilot, "right", "destruct_or H")
        await press(pilot, "u")
        told = "Took back destruct_or H. That is a slip, and every second one costs a point: this one does."
        assert told in said(app)
        assert "There is no proof from here since move 2, right." in said(app), "the light speaks, too"
        assert "worth 9 of 10 points" in shown(app)
        take(app, "p \\/ q -> r \\/ s -> q \\/ p")
        await make(pilot, "intro", "intro", "left")
        await press(pilot, "h", "h", "u")
        assert "Took back left. That is no slip, as you had asked for a hint." in said(app)
        await make(pilot, "destruct_or H")
        assert "worth 9 of 10 points: a hint" in shown(app) and attempt(app).slips == 0


async def test_a_wrong_claim_costs_after_a_warning_that_a_move_withdraws_and_nothing_once_the_lemma_is_done(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        await press(pilot, "x", "0", "x")
        assert said(app) == "x again says that this lemma has no proof; if there is one, it costs three points."
        assert attempt(app).wrong_claims == 0 and "nothing lost so far" in shown(app)
        await make(pilot, "left")
        assert said(app).startswith("There is no proof from here since move 2, left.")
        assert "no proof from here" in shown(app)
        await press(pilot, "x", "x")
        assert "This lemma has a proof; to say that it had none costs three points." in said(app)
        assert attempt(app).wrong_claims == 1 and "worth 7 of 10 points: a wrong claim" in shown(app)
        await press(pilot, "x", "x")
        assert said(app).startswith("This lemma has a proof, as you know") and attempt(app).wrong_claims == 1
        await press(pilot, "c")
        assert "No proof of p ∨ q ⊢ q" in shown(app) and "next lemma" not in shown(app)
        await press(pilot, "n", "escape")
        assert not attempt(app).is_over and isinstance(app.screen, Prove), "nobody goes on by accident"
        await press(pilot, "u")
        assert "nothing lost so far" in shown(app)
        await make(pilot, *PROOF[1:])
        await press(pilot, "a", "x")
        assert said(app).endswith("if there is one, it costs nothing, as this lemma is done.")
        await press(pilot, "x")
        assert said(app) == "This lemma has a proof; to say that it had none costs nothing, as this lemma is done."
        await make(pilot, "intro")
        await press(pilot, "u")
        assert "That is a slip, which costs nothing any more." in said(app)


async def test_of_a_lemma_without_a_proof_only_the_last_hint_tells_and_a_right_claim_shows_why(tmp_path: Path) -> None:
    dummett = "(p -> q) \\/ (q -> p)"
    async with sitting(tmp_path, dummett, size=WIDE) as (app, pilot):
        take(app, dummett, Terms(light=False))
        await press(pilot, "h", "h")
        assert said(app).startswith(IS_THERE_A_PROOF) and "If there is one, look at" in said(app)
        await press(pilot, "h", "h", "h")
        assert said(app) == NO_PROOF and attempt(app).helped == 2, "what is said last costs nothing again"
        await make(pilot, "right", "intro")
        await press(pilot, "h", "h")
        assert said(app).startswith("There is no proof from here, and no move applies.")
        await press(pilot, "h", "h", "h")
        assert said(app) == NO_PROOF and attempt(app).helped == 4
        await press(pilot, "x", "x")
        assert attempt(app).refuted and said(app).startswith("Yes: this lemma has no proof.")
        await press(pilot, "c")
        assert "No proof of (p → q) ∨ (q → p)" in shown(app), "it is about the lemma, wherever one stands"
        assert "The boxes are stages of what is known" in shown(app)
        assert "stage 0" in shown(app) and "world" not in shown(app)
        await press(pilot, "escape")
        take(app, "p -> q")
        await press(pilot, "x", "x", "c")
        assert "A case: p holds, q does not." in shown(app) and "stage" not in shown(app)


async def test_in_the_course_a_light_that_goes_is_told_and_the_way_on_leads_past_a_countermodel(tmp_path: Path) -> None:
    async with sitting(tmp_path) as (app, pilot):
        exercises = app.session.seat.others
        await press(pilot, "P", "0", "0")
        assert "If and then 1 · identity:" in shown(app)
        gone = "There is no light; a first hint says whether a move has lost the proof."
        for place in (2, 4, 3):
            app.session.seat.take(exercises[place], exercises)
            await press(pilot, "L", "P")
            assert (gone in said(app)) == (place == 3)
        await press(pilot, "x", "x", "c")
        assert "No proof of" in shown(app) and "n next lemma" in shown(app)
        await press(pilot, "n")
        assert app.session.seat.exercise == exercises[4] and isinstance(app.screen, Prove)


async def test_what_costs_the_same_does_not_tell_whether_there_is_a_proof(tmp_path: Path) -> None:
    app, told = classroom(tmp_path, OR_COMM), list[str]()
    async with opened(app) as pilot:
        for formula, move in ((OR_COMM, "destruct_or H"), ("r \\/ s -> s \\/ r", "left")):
            take(app, formula, Terms(light=False))
            await make(pilot, "intro", move)
            await press(pilot, "u")
            told.append(said(app).replace(move, "it"))
        assert told[0] == told[1] and "slip" in told[0]
        for light in (True, False):
            p, q = "pq" if light else "ab"
            seen = []
            for formula, moves in (
                (f"{p} \\/ {q} -> {q} \\/ {p}", ("intro", "destruct_or H", "left")),
                (f"{p} -> {q} -> r \\/ s", ("intro", "intro", "left")),
            ):
                take(app, formula, Terms(light=light))
                await press(pilot, "b")
                await make(pilot, *moves)
                seen.append((str(app.screen.query_one(Light).content), said(app)))
            assert seen[0] == seen[1]
            stuck = (
                "There is no proof from here" if light else "No move applies here. In move 3 you chose the left side"
            )
            assert seen[0][1].startswith(stuck)


LONG = ("intro", "imply3 H", "imply4 H0", "intro", "imply1 H", "assumption", "assumption")
"""Seven moves for ~~(p \\/ ~p), which has a proof of four."""


async def test_the_whole_proof_is_shown_as_a_tree_in_boxes_and_in_words_beside_a_shorter_one_and_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, "textbook/double_negation_excluded_middle")
    files = saved(app, monkeypatch)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "w")
        assert not isinstance(app.screen, Moment) and "can be seen once it is finished" in said(app)
        await press(pilot, "e")
        assert "A proof can be saved once it is finished." in said(app)
        await make(pilot, *LONG)
        assert "proved in 7 moves" in shown(app) and "The shortest proof has 4 moves." in said(app)
        assert "w  Whole proof" in shown(app)
        await press(pilot, "w")
        assert isinstance(app.screen, Moment)
        assert "Proved in 7 moves. Without help or a slip. 10 of 10 points." in words(app)
        assert "Your proof: 7 moves" in words(app) and "A shorter one: 4 moves" in words(app)
        await press(pilot, "2")
        assert "├──" in words(app) and "assumption" in words(app)
        await press(pilot, "3")
        assert words(app).count("Proof.") == 2
        await press(pilot, "1")
        assert "⊢ ¬¬(p ∨ ¬p)" in words(app) and "split_or H" in words(app)
        for keys in (("e", "home", "enter"), ("e", "end", "enter")):
            await press(pilot, *keys)
        assert [name.rpartition(".")[2] for name in files] == ["v", "txt"]
        assert "Theorem" in files["textbook_double_negation_excluded_middle-coq.v"]
        assert "intro; " in files["textbook_double_negation_excluded_middle-script.txt"]
        assert await pilot.click("#close")
        await settle(pilot)
        assert isinstance(app.screen, Prove)
        await press(pilot, "w", "a")
        assert isinstance(app.screen, Prove) and attempt(app).made == []


async def test_of_a_lemma_without_proof_the_picture_says_why_and_nothing_can_be_saved(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/dummett", size=WIDE) as (app, pilot):
        await press(pilot, "x", "x")
        assert "w  Countermodel" in shown(app) and "w Countermodel" in shown(app)
        await press(pilot, "w")
        assert "has no proof, and that is right. You saw it without making a move." in words(app)
        assert "Why there is none" in words(app) and "0: –" in words(app) and "Fitch" not in words(app)
        await press(pilot, "e", "2")
        assert isinstance(app.screen, Moment)
        await pilot.press("Q")
        await pilot.pause()
        assert app._exit, "who leaves the classroom need not close it first"


async def test_a_moment_comes_at_once_and_once_with_the_end_of_a_world_and_enter_leads_nowhere(tmp_path: Path) -> None:
    async with sitting(tmp_path, size=WIDE) as (app, pilot):
        tasks = exercises("arrows")
        for task in tasks[2:-1]:
            do(app, task)
        app.session.seat.take(tasks[0], tasks)
        await press(pilot, "P")
        await make(pilot, "intro")
        await press(pilot, "slash", *"assumption", "enter")
        assert isinstance(app.screen, Moment), "with what opens the next world"
        assert f"{len(tasks) - 2} of the {len(tasks)} lemmas of If and then are done" in words(app)
        assert "Both is open" in words(app) and "identity: p → p" in words(app)
        assert "This is the smallest proof of all" in words(app) and "Next: If and then 2" in words(app)
        await press(pilot, "escape", "u")
        await make(pilot, "assumption")
        assert isinstance(app.screen, Prove)
        await press(pilot, "w", "enter")
        assert isinstance(app.screen, Moment)
        await click_at(pilot, "Next:")
        assert isinstance(app.screen, Prove) and app.session.seat.exercise == tasks[1]
        await make(pilot, "intro", "intro", "assumption")
        await press(pilot, "w", "n")
        assert app.session.seat.exercise == tasks[-1]
        do(app, tasks[-1])
        app.session.seat.take(tasks[1], tasks)
        await press(pilot, "L", "P", "n")
        assert isinstance(app.screen, Learn), "after the last lemma the way leads to the worlds"
        assert app.screen.query_one("#chapters", OptionList).highlighted == 1, "and there to the next one"


async def test_steps_give_way_to_a_tree_which_says_how_to_see_the_rest_of_it(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p \\/ q -> r -> r -> q \\/ p")
    whole = "⊢ r → r → q ∨ p"
    async with opened(app, NARROW) as pilot:
        await make(pilot, "intro", "intro", "intro", "destruct_or H")
        assert "Steps" in shown(app)
        await press(pilot, "t")
        tree = shown(app).partition("Tree")[2]
        assert "more: Tab, arrows" in tree and whole not in tree
        await press(pilot, "tab")
        assert "arrows show more" in shown(app) and app.focused is app.screen.query_one(Tree)
        await press(pilot, *["right"] * 30)
        await pilot.wait_for_scheduled_animations()
        assert whole in shown(app).partition("Tree")[2]
        await press(pilot, "t")
        assert "Steps" in shown(app)
        take(app, OR_COMM)
        await pilot.resize_terminal(*WIDE)
        await make(pilot, *PROOF)
        assert "Tree" in shown(app) and "arrows" not in shown(app), "a tree that is there as a whole says nothing"


@pytest.mark.parametrize("has_downloads", [True, False])
def test_a_file_is_saved_where_one_looks_for_it_and_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_downloads: bool
) -> None:
    folder = tmp_path / "downloads" if has_downloads else tmp_path
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr("tui.session.user_downloads_path", lambda: tmp_path / "downloads")
    monkeypatch.chdir(tmp_path)

    def deliver(text: str, where: Path | None, name: str) -> None:
        assert where is not None
        (where / name).write_text(text)

    session = Session(Setup(database=tmp_path / "class.db", account="ada"), deliver)
    for text in ("one", "two", "three"):
        session.save(text, "proof.v")
    session.close()
    assert [(folder / name).read_text() for name in ("proof.v", "proof-2.v", "proof-3.v")] == ["one", "two", "three"]


async def test_where_a_file_was_saved_is_told_or_why_it_could_not_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.session.user_downloads_path", lambda: tmp_path)
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        app.session.save("one", "proof.v")
        await until(pilot, lambda: f"Saved as {tmp_path / 'proof.v'}." in notified(app))
        assert (tmp_path / "proof.v").read_text() == "one"
        app.deliver_text(StringIO("text"), save_directory=tmp_path / "nowhere", save_filename="proof.v")
        await until(pilot, lambda: "It could not be saved" in notified(app))
