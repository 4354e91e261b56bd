"""When a lemma is done: the whole proof, its files, and the ways on, which nobody goes by accident."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from textual.widgets import OptionList

from oasis.classroom.desk.progress import exercises
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
    take,
    words,
)
from tests.tui.test_learn import do
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.prove import Prove
from tui.session import Session
from tui.setup import Setup
from tui.widgets.tree import Tree

pytestmark = pytest.mark.slow

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
    app = classroom(tmp_path, "textbook/dummett")
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path)
    async with opened(app, WIDE) as pilot:
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
    app = classroom(tmp_path, OR_COMM)
    async with opened(app) as pilot:
        app.session.save("one", "proof.v")
        await until(pilot, lambda: f"Saved as {tmp_path / 'proof.v'}." in notified(app))
        assert (tmp_path / "proof.v").read_text() == "one"
        app.deliver_text(StringIO("text"), save_directory=tmp_path / "nowhere", save_filename="proof.v")
        await until(pilot, lambda: "It could not be saved" in notified(app))
