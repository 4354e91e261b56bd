"""What the agents have learned, in words: a teacher reads maxims, writes, changes and strikes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from oasis.classroom.admission import open_classroom
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim
from oasis.experience.scope import ANY, Scope
from tests.tui.rooms import press, words
from tests.tui.school import school, teaching
from tui.screens.maxims import Maxims
from tui.screens.teach import Teach

pytestmark = pytest.mark.slow


def learned(folder: Path) -> None:
    """Two maxims in the file of a class: one that shows in its lemma, and one of a lemma that nobody knows."""
    school(folder).close()
    with open_classroom(folder / "class.db") as store:
        library = Library(store)
        told = "Where the goal is a disjunction and a hypothesis is one too, take it apart first."
        scope = Scope("or", "or", "destruct_or")
        library.add(told, PREFER, scope, Evidence(9, 1), source="textbook/or_comm", by="distill textbook", reason="r")
        nested = Scope(ANY, ANY, "imply4")
        library.add("Not yet.", AVOID, nested, Evidence(0, 3), source="a lost file", by="distill", reason="r")


def maxims(folder: Path) -> dict[int, Maxim]:
    with open_classroom(folder / "class.db") as store:
        return Library(store).maxims()


async def fill(pilot: Pilot[None], **lines: str) -> None:
    """Fill in some lines, and press Enter in the last line of the form."""
    inputs = list(pilot.app.screen.query(Input))
    for line in inputs:
        line.value = lines.get(str(line.id).removeprefix("maxim-"), line.value)
    inputs[-1].focus()
    await press(pilot, "enter")


async def test_maxims_stand_with_their_lemma_and_a_goal_that_shows_them(tmp_path: Path) -> None:
    learned(tmp_path)
    async with teaching(tmp_path, "m") as (app, pilot):
        assert isinstance(app.screen, Maxims)
        assert "What the agents have learned, in words" in words(app)
        assert "It makes the tactic 5 times likelier. Learned from or_comm; last changed by distill textbook." in words(
            app
        )
        assert "First here: destruct_or H" in words(app) and "H : p ∨ q" in words(app)
        await press(pilot, "down")
        assert "It makes the tactic 4 times less likely." in words(app)
        assert "No goal that shows it was found in that lemma." in words(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, Teach)


async def test_one_is_written_changed_and_struck_each_with_a_reason(tmp_path: Path) -> None:
    learned(tmp_path)
    async with teaching(tmp_path, "m", "a") as (app, pilot):
        await fill(pilot, advice="prefer left", hypothesis="left side", lemma="p -> p \\/ q")
        assert "The reason is ''" in words(app)
        await fill(pilot, reason="it is there already")
        assert isinstance(app.screen, Maxims)
        await press(pilot, "end")
        assert "prove the goal's left side first." in words(app) and "First here: left" in words(app)
        assert maxims(tmp_path)[3].modified_by == "the teacher"
        await press(pilot, "e")
        await fill(pilot, advice="avoid nested", goal="p \\/ q", words="Wait.", reason="elsewhere")
        assert maxims(tmp_path)[3].scope == Scope("or(atom,atom)", "left side", "imply4")
        assert maxims(tmp_path)[3].category == AVOID and "Wait." in words(app)
        await press(pilot, "x")
        await fill(pilot, reason="of no use")
        assert list(maxims(tmp_path)) == [1, 2] and "Wait." not in words(app)
    with open_classroom(tmp_path / "class.db") as store:
        last = Library(store).history()[-1]
    assert (last.operation, last.maxim, last.reason, last.by) == ("delete", 3, "of no use", "the teacher")


async def test_what_cannot_be_written_is_told_in_the_form_and_no_file_is_read(tmp_path: Path) -> None:
    learned(tmp_path)
    (tmp_path / "secret.p").write_text("fof(a, conjecture, ( secret )).")
    async with teaching(tmp_path, "m", "a") as (app, pilot):
        for line, said in (
            ({"advice": "love left", "lemma": "p", "reason": "r"}, "The advice is one of prefer, avoid"),
            ({"advice": "prefer magic"}, "magic is not a tactic"),
            ({"advice": "prefer destruct_or", "goal": "p \\/ _"}, "leaves one side open"),
            ({"goal": "_ \\/ _", "hypothesis": "_ \\/ _"}, "Maxim 1 is about the same"),
            ({"goal": "", "lemma": str(tmp_path / "secret.p")}, "has no meaning in a formula"),
        ):
            await fill(pilot, **line)
            assert said in words(app), words(app)
            assert "secret" not in str(app.screen.query_one("#form-said", Static).render())
    assert list(maxims(tmp_path)) == [1, 2]


async def test_where_nothing_is_learned_it_is_said_how_to(tmp_path: Path) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, "m", "x") as (app, pilot):
        assert isinstance(app.screen, Maxims)  # there is nothing to strike
        assert "Nothing is learned yet; oasis experience distill does it, or a writes one." in words(app)
        await press(pilot, "a", "escape", "escape")
        assert isinstance(app.screen, Teach)
