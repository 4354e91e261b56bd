"""What a student at work is told and what that costs: hints, the light, slips, and claims that there is no proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from oasis.classroom.proving.exercise import Terms
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF
from tactics.goal import Move
from tests.tui.rooms import OR_COMM, PROOF, WIDE, attempt, classroom, make, opened, press, said, shown, take
from tui.screens.prove import Prove
from tui.widgets.light import Light

pytestmark = pytest.mark.slow


async def test_hints_say_more_each_time_at_a_price_that_is_told_first_and_the_only_move_costs_nothing(
    tmp_path: Path,
) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
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
    app = classroom(tmp_path, OR_COMM, keys={"undo": "z"})
    async with opened(app) as pilot:
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
    app = classroom(tmp_path, "p -> (p -> q) -> (q -> r) -> r")
    async with opened(app) as pilot:
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
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
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
    app = classroom(tmp_path, dummett)
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path)
    async with opened(app) as pilot:
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
