"""The proof as a tree: where there is no room for all of it, that is said, and the arrows show the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.rooms import ASCII, NARROW, OR_COMM, PROOF, WIDE, classroom, make, opened, press, shown
from tui.look import Look
from tui.widgets.tree import Tree

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("look", [Look(), ASCII])
async def test_a_tree_that_goes_on_says_how_to_see_the_rest(tmp_path: Path, look: Look) -> None:
    app = classroom(tmp_path, "p \\/ q -> r -> r -> q \\/ p", look=look)
    whole = "|- r -> r -> q \\/ p" if look.ascii_only else "⊢ r → r → q ∨ p"
    async with opened(app, NARROW) as pilot:
        await make(pilot, "intro", "intro", "intro", "destruct_or H")
        await press(pilot, "t")
        tree = shown(app).partition("Tree")[2]
        assert "more: Tab, arrows" in tree
        assert whole not in tree
        await press(pilot, "tab")
        assert "arrows show more" in shown(app)
        assert app.focused is app.screen.query_one(Tree)
        await press(pilot, *["right"] * 30)
        await pilot.wait_for_scheduled_animations()
        assert whole in shown(app).partition("Tree")[2]


@pytest.mark.some_days
async def test_a_tree_that_is_there_as_a_whole_says_nothing(tmp_path: Path) -> None:
    app = classroom(tmp_path, OR_COMM)
    async with opened(app, WIDE) as pilot:
        await make(pilot, *PROOF)
        assert "Tree" in shown(app)
        assert "arrows" not in shown(app)
