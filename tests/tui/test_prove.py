"""Prove: a student alone with a lemma, and what the teacher says, by keys alone."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from time import monotonic

import pytest

from oasis.classroom.proving.exercise import Terms
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF
from oasis.store import Store, StoreError
from tactics.goal import Move
from tests.tui.rooms import (
    ASCII,
    NARROW,
    OR_COMM,
    PROOF,
    WIDE,
    attempt,
    choose,
    classroom,
    make,
    notified,
    opened,
    overflowing,
    press,
    said,
    shown,
    take,
)
from tui.screens.prove import Prove
from tui.widgets.goals import Goals
from tui.widgets.light import Light

pytestmark = pytest.mark.slow


async def test_a_longer_proof_is_told_how_long_the_shortest_is(tmp_path: Path) -> None:
    app = classroom(tmp_path, "(p -> p) -> (p -> p)")
    async with opened(app) as pilot:
        await make(pilot, "intro", "intro", "assumption")
        assert "The shortest proof has 2 moves" in said(app)
        assert "proved in 3 moves" in shown(app), "also when they are typed in one line"


async def test_moves_are_taken_back_made_again_and_jumped_over(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "0", "1", "u")
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


async def test_who_loses_the_proof_is_told_at_once_and_shown_why(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro")
        assert "nothing lost so far" in shown(app)
        await make(pilot, "left")
        assert "no proof from here" in shown(app)
        assert said(app).startswith("There is no proof from here since move 2, left.")
        await press(pilot, "c")
        assert "No proof of p ∨ q ⊢ q" in shown(app)
        await press(pilot, "escape", "u")
        assert "nothing lost so far" in shown(app)


async def test_hints_say_more_each_time_and_cost_a_point_each(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro")
        await press(pilot, "h")
        assert said(app) == "A hint costs a point; h again asks for it."
        await press(pilot, "h")
        assert "If there is one, look at H." in said(app) and "h again says more; it costs a point." in said(app)
        await press(pilot, "h", "h")
        assert "destruct_or H:" in said(app) and "says more" not in said(app)
        await make(pilot, *PROOF[1:])
        assert "7 of 10 points: three hints" in said(app)


async def test_a_hint_where_only_one_move_applies_costs_nothing_and_is_given_at_once(tmp_path: Path) -> None:
    app = classroom(tmp_path, "(p -> q) -> p -> q")
    async with opened(app) as pilot:
        await press(pilot, "h")
        assert said(app).startswith("Only one move applies here: intro.")
        assert attempt(app).hints and "worth 10 of 10 points" in shown(app)


async def test_to_go_back_from_where_a_free_hint_told_to_go_is_no_slip(tmp_path: Path) -> None:
    app = classroom(tmp_path, "((p -> q) -> r) -> r")
    async with opened(app) as pilot:
        await press(pilot, "h", "0", "u")
        assert said(app) == "Took back intro. That is no slip, as you had asked for a hint."
        assert attempt(app).slips == 0


async def test_after_a_wrong_claim_a_hint_does_not_ask_whether_there_is_a_proof(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro")
        await press(pilot, "x", "x", "h", "h")
        assert said(app).startswith("Look at H.") and IS_THERE_A_PROOF not in said(app)


async def test_a_deed_in_between_has_it_said_again_what_a_hint_costs(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro")
        await press(pilot, "h", "u", "r", "h")
        assert attempt(app).hints == []


async def test_that_there_is_no_proof_is_said_twice_and_then_judged(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p \\/ ~p")
    async with opened(app) as pilot:
        assert "nothing lost so far" in shown(app)
        await press(pilot, "x")
        assert said(app).startswith("x again says that this lemma has no proof")
        assert not attempt(app).refuted
        await press(pilot, "x")
        assert attempt(app).refuted
        assert "Yes: this lemma has no proof." in said(app)
        await press(pilot, "c")
        assert "No proof of" in shown(app)


async def test_a_wrong_claim_costs_and_a_move_in_between_withdraws_it(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "x", "0", "x")
        assert attempt(app).wrong_claims == 0
        assert said(app) == "x again says that this lemma has no proof; if there is one, it costs three points."
        await press(pilot, "x")
        assert attempt(app).wrong_claims == 1
        assert "This lemma has a proof; to say that it had none costs three points." in said(app)
        await press(pilot, "x", "x")
        assert attempt(app).wrong_claims == 1
        assert said(app).startswith("This lemma has a proof, as you know")


async def test_of_a_lemma_that_is_done_nothing_can_be_lost_any_more_and_that_is_said(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, *PROOF)
        await press(pilot, "a", "x")
        assert said(app).endswith("if there is one, it costs nothing, as this lemma is done.")
        await press(pilot, "x")
        assert said(app) == ("This lemma has a proof; to say that it had none costs nothing, as this lemma is done.")
        assert "worth 10 of 10 points" in shown(app)
        await make(pilot, "intro")
        await press(pilot, "u")
        assert "That is a slip, which costs nothing any more." in said(app)


async def test_who_takes_a_move_back_is_told_which_and_what_that_costs(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
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
        assert "Took back destruct_or H. That is a slip, and every second one costs a point: this one does." in said(
            app
        )
        assert "There is no proof from here since move 2, right." in said(app), "the light speaks, too"
        assert "worth 9 of 10 points" in shown(app)


async def test_who_goes_back_after_a_hint_is_told_that_it_is_no_slip(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p \\/ q -> r \\/ s -> q \\/ p")
    async with opened(app) as pilot:
        await make(pilot, "intro", "intro", "left")
        await press(pilot, "h", "h", "u")
        assert "Took back left. That is no slip, as you had asked for a hint." in said(app)
        await make(pilot, "destruct_or H")
        assert "worth 9 of 10 points: a hint" in shown(app)
        assert attempt(app).slips == 0


async def test_it_costs_the_same_to_take_back_a_good_move_and_one_that_lost_the_proof(tmp_path: Path) -> None:
    told = []
    for number, move in enumerate(("destruct_or H", "left")):
        app = classroom(tmp_path, OR_COMM, database=tmp_path / f"{number}.db")
        async with opened(app) as pilot:
            take(app, OR_COMM, Terms(light=False))
            await make(pilot, "intro", move)
            await press(pilot, "u")
            told.append(said(app).replace(move, "it"))
    assert told[0] == told[1] and "slip" in told[0]


async def test_on_the_way_out_of_why_there_is_no_proof_stands_the_next_lemma(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        exercises = app.session.seat.others
        app.session.seat.take(exercises[3], exercises)
        await press(pilot, "P", "x", "x", "c")
        assert "No proof of" in shown(app) and "n next lemma" in shown(app)
        await press(pilot, "n")
        assert app.session.seat.exercise == exercises[4] and isinstance(app.screen, Prove)


async def test_who_has_lost_a_proof_and_reads_why_does_not_go_on_by_accident(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro", "left")
        await press(pilot, "c")
        assert "No proof of" in shown(app) and "next lemma" not in shown(app)
        await press(pilot, "n", "escape")
        assert not attempt(app).is_over and isinstance(app.screen, Prove)


async def test_when_the_light_goes_it_is_said(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        exercises = app.session.seat.others
        for place, is_different in ((2, False), (3, True), (4, False)):
            app.session.seat.take(exercises[place], exercises)
            await press(pilot, "L", "P")
            assert (
                "There is no light; a first hint says whether a move has lost the proof." in said(app)
            ) == is_different


async def test_what_was_done_is_there_when_the_student_comes_back(tmp_path: Path) -> None:
    async with opened(classroom(tmp_path, OR_COMM)) as pilot:
        await press(pilot, "0", "1", "u")
    again = classroom(tmp_path, OR_COMM)
    async with opened(again) as pilot:
        assert attempt(again).made == [Move("intro")]
        assert attempt(again).undone == [Move("destruct_or", "H")]
        await press(pilot, "a")
        assert attempt(again).made == []


@pytest.mark.some_days
async def test_what_help_leaves_of_the_points_is_shown_before_the_end_also_when_the_lemma_is_begun_anew(
    tmp_path: Path,
) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        assert "worth 10 of 10 points" in shown(app)
        await press(pilot, "0", "h", "h", "h")
        assert "worth 8 of 10 points: two hints" in shown(app)
        await press(pilot, "x", "x")
        assert "worth 5 of 10 points: two hints, a wrong claim" in shown(app)
        await press(pilot, "a", "0")
        assert "worth 5 of 10 points: earlier help" in shown(app)
        await press(pilot, "h", "h")
        await make(pilot, *PROOF[1:])
        assert "worth" not in shown(app)
        assert "4 of 10 points: a hint, earlier help" in said(app)


async def test_terms_leave_out_moves_the_light_and_hints(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        take(app, OR_COMM, Terms(rules=("intro", "left", "right"), hints=0, light=False, moves="listed"))
        await choose(pilot, "intro")
        assert "destruct_or" not in shown(app)
        assert "lost" not in shown(app)
        await press(pilot, "h")
        assert said(app) == "There are no hints in this exercise."
        await press(pilot, "c")
        assert said(app) == "c shows why only after x has said rightly that there is no proof."


async def test_steps_give_way_to_the_tree_and_come_back(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, *PROOF)
        await press(pilot, "t")
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
    monkeypatch.setattr(app.session, "save", lambda text, name: saved.update({name: text}))
    async with opened(app) as pilot:
        await press(pilot, "e")
        assert "once it is finished" in said(app)
        await make(pilot, *PROOF)
        await press(pilot, "e", "home" if kind == 0 else "end", "enter")
        ((name, text),) = saved.items()
        assert name.endswith(suffix)
        assert word in text


async def test_help_explains_the_place_and_every_key(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, (100, 60)) as pilot:
        await press(pilot, "question_mark")
        text = shown(app)
        assert "Above the line are the hypotheses" in text
        for word in ("Undo", "Redo", "Hint", "No proof", "Save", "Next", "Together", "Leave"):
            assert word in text
        await press(pilot, "escape")
        assert app.screen.query(Goals)


async def test_own_keys_replace_those_of_the_table(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, keys={"undo": "z"})
    async with opened(app) as pilot:
        await press(pilot, "0", "u")
        assert len(attempt(app).made) == 1
        await press(pilot, "z")
        assert attempt(app).made == []


@pytest.mark.some_days
async def test_in_ascii_nothing_else_is_drawn(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, look=ASCII)
    async with opened(app, NARROW) as pilot:
        await make(pilot, "intro", "left")
        for keys in (
            ["c"],
            ["escape", "u", "1"],
            ["0"],
            ["escape", "m", "m"],
            ["t"],
            ["slash", "H"],
            ["question_mark"],
        ):
            await press(pilot, *keys)
            assert shown(app).isascii(), [c for c in shown(app) if not c.isascii()]


async def test_what_cannot_be_stored_is_told_and_stored_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        with monkeypatch.context() as broken:
            broken.setattr(Store, "keep", _full_disk)
            await press(pilot, "0")
            assert "the disk is full" in said(app)
            assert attempt(app).made == [Move("intro")]
        await press(pilot, "1")
        assert "the disk is full" not in said(app)
    again = classroom(tmp_path, OR_COMM)
    async with opened(again):
        assert len(attempt(again).made) == 2


async def test_while_another_process_writes_keys_are_answered_and_it_is_said_what_is_not_stored(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        with Store(tmp_path / "class.db") as other:
            other._connection.execute("BEGIN IMMEDIATE")
            await make(pilot, *PROOF[:3])
            assert len(attempt(app).made) == 3
            assert "not stored yet  ada" in shown(app).splitlines()[0]
            assert "the file of the class is busy" in said(app)
            assert overflowing(app) == []
            await press(pilot, "Q")
            assert app.is_running and "Leaving now loses it; Q again leaves." in notified(app)
            other._connection.execute("COMMIT")
        deadline = monotonic() + 60
        while "not stored yet" in shown(app):
            assert monotonic() < deadline
            await pilot.pause(0.05)
        await press(pilot, "Q")
    with Store(tmp_path / "class.db") as store:
        assert [row.events for row in store.attempts()] == [3]


async def test_a_file_that_cannot_be_read_any_more_is_told_and_the_place_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        monkeypatch.setattr(app.session.store, "attempts", _full_disk)
        await press(pilot, "L")
        assert "the disk is full" in notified(app)
        await press(pilot, "P", "0")
        assert attempt(app).made == [Move("intro")]


def _full_disk(*_: object) -> None:
    raise StoreError("class.db cannot grow because the disk is full; make room.")


@pytest.mark.parametrize("has_downloads", [True, False])
async def test_a_file_is_saved_where_one_looks_for_it_and_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_downloads: bool
) -> None:
    downloads = tmp_path / "downloads"
    monkeypatch.setattr("tui.session.user_downloads_path", lambda: downloads)
    monkeypatch.chdir(tmp_path)
    if has_downloads:
        downloads.mkdir()
    folder = downloads if has_downloads else tmp_path
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        for text in ("one", "two", "three"):
            app.session.save(text, "proof.v")
            await pilot.pause(0.3)
        assert f"Saved as {folder / 'proof-3.v'}." in notified(app)
    assert [(folder / name).read_text() for name in ("proof.v", "proof-2.v", "proof-3.v")] == ["one", "two", "three"]


async def test_why_a_file_could_not_be_saved_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.deliver_text(StringIO("text"), save_directory=tmp_path / "nowhere", save_filename="proof.v")
        await pilot.pause(0.3)
        assert "It could not be saved" in notified(app)


async def test_begun_anew_help_still_counts(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "0", "h", "h", "h", "a")
        await make(pilot, *PROOF)
        assert "8 of 10 points: earlier help." in said(app)


async def test_a_wrong_claim_is_told_as_one_also_where_the_proof_is_lost(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await make(pilot, "intro", "left")
        await press(pilot, "x", "x")
        assert "This lemma has a proof" in said(app)


async def test_why_there_is_no_proof_is_about_the_lemma_wherever_one_stands(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app, WIDE) as pilot:
        await make(pilot, "right", "intro")
        await press(pilot, "x", "x", "c")
        assert "No proof of (p → q) ∨ (q → p)" in shown(app)
        assert "The boxes are stages of what is known" in shown(app)
        assert "stage 0" in shown(app) and "world" not in shown(app)


async def test_a_hint_leaves_it_to_the_student_whether_there_is_a_proof_until_the_last(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app) as pilot:
        await press(pilot, "h", "h")
        assert said(app).startswith(IS_THERE_A_PROOF) and "If there is one, look at" in said(app)
        await press(pilot, "h")
        assert said(app) == NO_PROOF and attempt(app).helped == 2


async def test_what_is_said_last_neither_promises_more_nor_costs_when_it_is_asked_for_again(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app) as pilot:
        take(app, "(p -> q) \\/ (q -> p)", Terms(light=False))
        await press(pilot, "h", "h", "h", "h", "h", "h")
        assert said(app) == NO_PROOF and attempt(app).helped == 2
        await make(pilot, "right", "intro")
        await press(pilot, "h", "h")
        assert said(app).startswith("There is no proof from here, and no move applies.")
        await press(pilot, "h", "h", "h")
        assert said(app) == NO_PROOF and attempt(app).helped == 4


async def test_a_number_of_no_formula_is_answered(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        await press(pilot, "3")
        assert said(app) == "There is no formula 3." and not attempt(app).made


async def test_a_lemma_of_the_course_keeps_its_number_beside_its_name(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "P", "0", "0")
        assert "If and then 1 · identity:" in shown(app)


async def test_where_there_is_one_stage_alone_it_is_a_case(tmp_path: Path) -> None:
    app = classroom(tmp_path, "p -> q")
    async with opened(app) as pilot:
        await press(pilot, "x", "x", "c")
        assert "A case: p holds, q does not." in shown(app) and "stage" not in shown(app)


@pytest.mark.parametrize("light", [True, False])
async def test_where_no_move_applies_the_same_is_said_whether_there_is_a_proof_or_not(
    tmp_path: Path, light: bool
) -> None:
    app, told = classroom(tmp_path, OR_COMM), []
    async with opened(app) as pilot:
        one, other = ("intro", "destruct_or H", "left"), ("intro", "intro", "left")
        for formula, moves in (("p \\/ q -> q \\/ p", one), ("p -> q -> r \\/ s", other)):
            take(app, formula, Terms(light=light))
            await make(pilot, *moves)
            told.append((str(app.screen.query_one(Light).content), said(app)))
    assert told[0] == told[1]
    assert told[0][1].startswith(
        "There is no proof from here, and no move applies."
        if light
        else "No move applies here. In move 3 you chose the left side: go back (undo) and try the other one"
    )


async def test_the_palette_can_be_paged_before_it_has_found_anything(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM, look=ASCII)
    async with opened(app) as pilot:
        await pilot.press("ctrl+p", "pagedown", "pageup")
        await pilot.pause(0.3)
        assert shown(app).isascii()
        await press(pilot, "escape")
        assert isinstance(app.screen, Prove)
