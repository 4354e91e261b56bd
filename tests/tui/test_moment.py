"""The moment when a lemma is done: what is shown of it, what was best, and what comes next."""

from __future__ import annotations

from pathlib import Path

import pytest

from oasis.classroom.desk.progress import exercises
from tests.tui.rooms import (
    ASCII,
    NARROW,
    WIDE,
    WIDEST,
    classroom,
    make,
    opened,
    overflowing,
    press,
    said,
    settle,
    shown,
)
from tests.tui.test_learn import do
from tui.app import Classroom
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.prove import Prove

pytestmark = pytest.mark.slow

LONG = ("intro", "imply3 H", "imply4 H0", "intro", "imply1 H", "assumption", "assumption")
"""Seven moves for ~~(p \\/ ~p), which has a proof of four."""


def told(app: Classroom) -> str:
    """What is on the screen in one line, without frames."""
    return " ".join(shown(app).replace("│", " ").split())


@pytest.mark.some_days
@pytest.mark.parametrize("size", [NARROW, WIDE, WIDEST])
async def test_the_whole_proof_is_shown_as_a_tree_in_boxes_and_in_words_beside_a_shorter_one(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = classroom(tmp_path, "textbook/double_negation_excluded_middle")
    async with opened(app, size) as pilot:
        await press(pilot, "w")
        assert not isinstance(app.screen, Moment)
        assert "can be seen once it is finished" in said(app)
        await make(pilot, *LONG)
        assert "w  Whole proof" in shown(app)
        await press(pilot, "w")
        assert isinstance(app.screen, Moment)
        assert "Proved in 7 moves. Without help or a slip. 10 of 10 points." in told(app)
        assert "Your proof: 7 moves" in told(app) and "A shorter one: 4 moves" in told(app)
        assert "split_or H" in told(app)
        await press(pilot, "2")
        assert "├──" in told(app) and "assumption" in told(app)
        await press(pilot, "3")
        assert told(app).count("Proof.") == 2
        assert overflowing(app) == []
        await press(pilot, "1")
        assert "⊢ ¬¬(p ∨ ¬p)" in told(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, Prove)


async def test_in_ascii_it_is_ascii_in_every_form(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/double_negation_excluded_middle", look=ASCII)
    async with opened(app) as pilot:
        await make(pilot, *LONG)
        await press(pilot, "w")
        for form in "123":
            await press(pilot, form)
            assert shown(app).isascii()
            assert overflowing(app) == []


async def test_of_a_lemma_without_proof_the_picture_says_why_and_nothing_can_be_saved(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app, WIDE) as pilot:
        await press(pilot, "x", "x")
        assert "w  Countermodel" in shown(app) and "w Countermodel" in shown(app)
        await press(pilot, "w")
        assert isinstance(app.screen, Moment)
        assert "has no proof, and that is right. You saw it without making a move." in told(app)
        assert "Why there is none" in told(app) and "0: –" in told(app)
        assert "Fitch" not in told(app)
        await press(pilot, "e", "2")
        assert isinstance(app.screen, Moment)


@pytest.mark.some_days
async def test_enter_goes_nowhere_and_n_or_a_click_goes_on(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        tasks = exercises("arrows")
        app.session.seat.take(tasks[0], tasks)
        await press(pilot, "P")
        await make(pilot, "intro", "assumption")
        await press(pilot, "w", "enter")
        assert isinstance(app.screen, Moment)
        assert "identity: p → p" in told(app) and "Next: If and then 2" in told(app)
        assert "This is the smallest proof of all" in told(app)
        row, column = next(
            (row, line.index("Next:")) for row, line in enumerate(shown(app).splitlines()) if "Next:" in line
        )
        await pilot.click(offset=(column, row))
        await settle(pilot)
        assert isinstance(app.screen, Prove)
        assert app.session.seat.exercise == tasks[1]
        await make(pilot, "intro", "intro", "assumption")
        await press(pilot, "w", "n")
        assert app.session.seat.exercise == tasks[2]


async def test_it_is_saved_from_there_and_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path, "textbook/identity")
    saved: list[str] = []
    async with opened(app) as pilot:
        monkeypatch.setattr(app.session, "save", lambda text, name: saved.append(name))
        await make(pilot, "intro", "assumption")
        await press(pilot, "w", "e", "enter")
        assert saved == ["textbook_identity-coq.v"]
        assert isinstance(app.screen, Moment)
        await press(pilot, "a")
        assert isinstance(app.screen, Prove)
        assert app.session.seat.attempt.made == []


@pytest.mark.some_days
async def test_a_world_that_opens_the_next_one_is_a_moment_that_comes_at_once_and_once(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, WIDE) as pilot:
        tasks = exercises("arrows")
        for task in tasks[1:-2]:
            do(app, task)
        app.session.seat.take(tasks[0], tasks)
        await press(pilot, "P")
        await make(pilot, "intro")
        await press(pilot, "slash", *"assumption", "enter")
        assert isinstance(app.screen, Moment)
        assert f"{len(tasks) - 2} of the {len(tasks)} lemmas of If and then are done" in told(app)
        assert "Both is open" in told(app)
        await press(pilot, "escape", "u")
        await make(pilot, "assumption")
        assert isinstance(app.screen, Prove)


@pytest.mark.some_days
async def test_after_the_last_lemma_the_way_leads_to_the_worlds(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, WIDE) as pilot:
        tasks = exercises("arrows")
        for task in tasks[1:]:
            do(app, task)
        app.session.seat.take(tasks[0], tasks)
        await press(pilot, "P")
        await press(pilot, "slash", *"intro", "enter", *"assumption", "enter")
        assert isinstance(app.screen, Moment)
        assert f"All {len(tasks)} lemmas of If and then are done" in told(app)
        await press(pilot, "n")
        assert isinstance(app.screen, Learn)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_button_closes_it_and_who_leaves_the_classroom_need_not_close_it_first(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = classroom(tmp_path, "textbook/identity")
    async with opened(app, size) as pilot:
        await make(pilot, "intro", "assumption")
        await press(pilot, "w")
        assert isinstance(app.screen, Moment) and overflowing(app) == []
        assert await pilot.click("#close")
        await settle(pilot)
        assert isinstance(app.screen, Prove)
        await press(pilot, "w")
        await pilot.press("Q")
        await pilot.pause()
        assert app._exit
