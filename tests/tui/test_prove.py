"""Prove: a student alone with a lemma, by keys alone."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.store import StoreError
from tactics.goal import Move
from tactics.parser import parse
from tests.tui.rooms import ASCII, NARROW, classroom, notified, opened, press, settle, shown
from tui.app import Classroom
from tui.screens.prove import Prove
from tui.widgets.goals import Goals
from tui.widgets.said import Said

pytestmark = pytest.mark.slow

OR_COMM = "p \\/ q -> q \\/ p"
PROOF = ("1", "3", "2", "1", "1", "1")
"""intro, destruct_or H, right, assumption, left, assumption."""


def said(app: Classroom) -> str:
    return app.screen.query_one(Said).text


def attempt(app: Classroom) -> Attempt:
    assert app.seat.attempt is not None
    return app.seat.attempt


async def test_a_lemma_is_proved_with_one_key_a_move(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        assert "p ∨ q → q ∨ p" in shown(app)
        await press(pilot, *PROOF)
        assert attempt(app).proved
        assert "proved in 6 moves" in shown(app)
        assert "No proof is shorter." in said(app)
        assert "10 of 10 points" in said(app)


async def test_a_longer_proof_is_told_how_long_the_shortest_is(tmp_path: Path) -> None:
    app = classroom(tmp_path, "(p -> p) -> (p -> p)")
    async with opened(app) as pilot:
        await press(pilot, "1", "1", "1")
        assert "The shortest proof has 2 moves" in said(app)


async def test_moves_are_taken_back_made_again_and_jumped_over(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "1", "3", "u")
        assert attempt(app).made == [Move("intro")]
        await press(pilot, "r")
        assert len(attempt(app).made) == 2
        await press(pilot, "b")
        assert attempt(app).made == []
        assert len(attempt(app).undone) == 2
        await press(pilot, "tab", "down", "down", "enter")
        assert len(attempt(app).made) == 2


async def test_with_nothing_to_take_back_a_sentence_says_so(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "u")
        assert said(app) == "There is no move to take back; make one first."


async def test_arrows_and_enter_choose_a_move_and_its_tactic_is_explained(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "enter", "down", "down")
        assert "makes two cases" in shown(app)
        await press(pilot, "enter")
        assert attempt(app).made[-1] == Move("destruct_or", "H")
        await press(pilot, "i")
        assert "Example:" in said(app)


async def test_a_click_on_a_move_makes_it(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await pilot.click("Moves", offset=(5, 1))
        await settle(pilot)
        assert attempt(app).made == [Move("intro")]


async def test_who_loses_the_proof_is_told_at_once_and_shown_why(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "1")
        assert "nothing lost so far" in shown(app)
        await press(pilot, "1")
        assert "no proof from here" in shown(app)
        assert "since move 2, left," in said(app)
        await press(pilot, "c")
        assert "No proof of p ∨ q ⊢ q" in shown(app)
        await press(pilot, "escape", "u")
        assert "nothing lost so far" in shown(app)


async def test_hints_say_more_each_time_and_cost_a_point_each(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "1", "h")
        assert "Look at H." in said(app)
        await press(pilot, "h", "h")
        assert "destruct_or H:" in said(app)
        await press(pilot, *PROOF[1:])
        assert "7 of 10 points" in said(app)


async def test_that_there_is_no_proof_is_said_twice_and_then_judged(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p \\/ ~p")
    async with opened(app) as pilot:
        assert "nothing lost so far" in shown(app)
        await press(pilot, "x")
        assert "Press x again" in said(app)
        assert not attempt(app).refuted
        await press(pilot, "x")
        assert attempt(app).refuted
        assert "Right: this lemma has no proof." in said(app)
        await press(pilot, "c")
        assert "No proof of" in shown(app)


async def test_a_wrong_claim_costs_and_a_move_in_between_withdraws_it(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "x", "1", "x")
        assert attempt(app).wrong_claims == 0
        await press(pilot, "x")
        assert attempt(app).wrong_claims == 1
        assert "There is a proof" in said(app)


async def test_what_was_done_is_there_when_the_student_comes_back(tmp_path: Path) -> None:
    async with opened(classroom(tmp_path, OR_COMM)) as pilot:
        await press(pilot, "1", "3", "u")
    again = classroom(tmp_path, OR_COMM)
    async with opened(again) as pilot:
        assert attempt(again).made == [Move("intro")]
        assert attempt(again).undone == [Move("destruct_or", "H")]
        await press(pilot, "a")
        assert attempt(again).made == []


async def test_what_help_leaves_of_the_points_is_shown_before_the_end_also_when_the_lemma_is_begun_anew(
    tmp_path: Path,
) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        assert "worth 10 of 10 points" in shown(app)
        await press(pilot, "h", "h")
        assert "worth 8 of 10 points" in shown(app)
        await press(pilot, "x", "x")
        assert "worth 7 of 10 points" in shown(app)
        await press(pilot, "a", "1")
        assert "worth 7 of 10 points" in shown(app)
        await press(pilot, "h", *PROOF[1:])
        assert "worth" not in shown(app)
        assert "6 of 10 points" in said(app)
        await press(pilot, "a", "h")
        assert "worth 6 of 10 points" in shown(app)


async def test_terms_leave_out_moves_the_light_and_hints(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        terms = Terms(rules=("intro", "left", "right"), hints=0, light=False)
        app.seat.take(Exercise("or_comm", parse(OR_COMM), "strict", terms))
        assert isinstance(app.screen, Prove)
        app.screen.arrive()
        await press(pilot, "1")
        assert "destruct_or" not in shown(app)
        assert "lost" not in shown(app)
        await press(pilot, "h")
        assert said(app) == "There are no hints in this exercise."
        await press(pilot, "c")
        assert "h asks for one" in said(app)


async def test_steps_give_way_to_the_tree_and_come_back(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, *PROOF, "t")
        assert "Tree" in shown(app)
        assert shown(app).count("assumption") >= 2
        await press(pilot, "t")
        assert "Steps" in shown(app)


@pytest.mark.parametrize(("kind", "suffix", "word"), [(0, ".v", "Theorem"), (-1, ".txt", "intro; destruct_or H")])
async def test_a_finished_proof_is_saved_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: int, suffix: str, word: str
) -> None:
    saved: dict[str, str] = {}
    app = classroom(tmp_path, OR_COMM)
    monkeypatch.setattr(app, "save", lambda text, name: saved.update({name: text}))
    async with opened(app) as pilot:
        await press(pilot, "e")
        assert "once it is finished" in said(app)
        await press(pilot, *PROOF, "e", "home" if kind == 0 else "end", "enter")
        ((name, text),) = saved.items()
        assert name.endswith(suffix)
        assert word in text


async def test_help_explains_the_place_and_every_key(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, (100, 60)) as pilot:
        await press(pilot, "question_mark")
        text = shown(app)
        assert "Above the line are the hypotheses" in text
        for word in ("Undo", "Redo", "Hint", "No proof", "Export", "Next", "Together", "Quit"):
            assert word in text
        await press(pilot, "escape")
        assert app.screen.query(Goals)


async def test_own_keys_replace_those_of_the_table(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, keys={"undo": "z"})
    async with opened(app) as pilot:
        await press(pilot, "1", "u")
        assert len(attempt(app).made) == 1
        await press(pilot, "z")
        assert attempt(app).made == []


async def test_in_ascii_nothing_else_is_drawn(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, look=ASCII)
    async with opened(app, NARROW) as pilot:
        for keys in (["1", "1"], ["c"], ["escape", "u", "3"], ["t"], ["question_mark"]):
            await press(pilot, *keys)
            assert shown(app).isascii(), [c for c in shown(app) if not c.isascii()]


async def test_what_cannot_be_stored_is_told_and_stored_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        with monkeypatch.context() as broken:
            broken.setattr(app.store, "keep", _full_disk)
            await press(pilot, "1")
            assert "the disk is full" in said(app)
            assert attempt(app).made == [Move("intro")]
        await press(pilot, "3")
        assert "the disk is full" not in said(app)
    again = classroom(tmp_path, OR_COMM)
    async with opened(again):
        assert len(attempt(again).made) == 2


async def test_a_file_that_cannot_be_read_any_more_is_told_and_the_place_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        monkeypatch.setattr(app.store, "attempts", _full_disk)
        await press(pilot, "L")
        assert "the disk is full" in notified(app)
        await press(pilot, "P", "1")
        assert attempt(app).made == [Move("intro")]


def _full_disk(*_: object) -> None:
    raise StoreError("class.db cannot grow because the disk is full; make room.")


@pytest.mark.parametrize("has_downloads", [True, False])
async def test_a_file_is_saved_where_one_looks_for_it_and_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_downloads: bool
) -> None:
    downloads = tmp_path / "downloads"
    monkeypatch.setattr("tui.app.user_downloads_path", lambda: downloads)
    monkeypatch.chdir(tmp_path)
    if has_downloads:
        downloads.mkdir()
    folder = downloads if has_downloads else tmp_path
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        for text in ("one", "two", "three"):
            app.save(text, "proof.v")
            await pilot.pause(0.3)
        assert f"Saved as {folder / 'proof-3.v'}." in notified(app)
    assert [(folder / name).read_text() for name in ("proof.v", "proof-2.v", "proof-3.v")] == ["one", "two", "three"]


async def test_why_a_file_could_not_be_saved_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.deliver_text(StringIO("text"), save_directory=tmp_path / "nowhere", save_filename="proof.v")
        await pilot.pause(0.3)
        assert "It could not be saved" in notified(app)


async def test_keys_in_quick_succession_are_each_read_against_what_the_one_before_leaves(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await pilot.press(*PROOF)
        await settle(pilot)
        assert attempt(app).proved


async def test_begun_anew_help_still_counts(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "1", "h", "h", "a", *PROOF)
        assert "8 of 10 points, for help taken twice." in said(app)


async def test_a_wrong_claim_is_told_as_one_also_where_the_proof_is_lost(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "1", "1", "x", "x")
        assert "There is a proof of it." in said(app)


async def test_why_there_is_no_proof_is_about_the_lemma_wherever_one_stands(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app) as pilot:
        await press(pilot, "2", "1", "x", "x", "c")
        assert "No proof of (p → q) ∨ (q → p)" in shown(app)
        assert "Worlds are stages of what is known" in shown(app)


async def test_a_hint_leaves_it_to_the_student_whether_there_is_a_proof_until_the_last(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app) as pilot:
        await press(pilot, "h")
        assert said(app) == "Think first about whether there is a proof at all; x says that there is none."
        await press(pilot, "h", "h")
        assert said(app) == "This lemma has no proof, whatever the moves; x says so."


async def test_where_no_move_applies_a_sentence_says_what_can_be_done(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p -> q")
    async with opened(app) as pilot:
        await press(pilot, "1")
        assert said(app).startswith("No move applies: u takes one back.")


async def test_the_palette_can_be_paged_before_it_has_found_anything(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, look=ASCII)
    async with opened(app) as pilot:
        await pilot.press("ctrl+p", "pagedown", "pageup")
        await pilot.pause(0.3)
        assert shown(app).isascii()
        await press(pilot, "escape")
        assert isinstance(app.screen, Prove)
