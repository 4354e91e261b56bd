"""What every screen looks like, at three sizes and in ASCII, and that nothing sticks out of the smallest.

After a change that is meant: look at the report that a failing run names, then pytest --snapshot-update.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from oasis.classroom.clock import now
from tests.tui.agents import agents_are_here
from tests.tui.rooms import ASCII, NARROW, SIZES, classroom, opened, overflowing, press, settle, shown
from tests.tui.test_teach import OPEN_SESAME, school
from tui.app import Classroom
from tui.screens.agents import AgentRoom

pytestmark = pytest.mark.slow


class Scene(NamedTuple):
    """A screen, and how to get there.

    Attributes:
        lemma: to begin with; None for the course.
        keys: to be pressed.
        account: who sits at this machine; None for a browser.
        has_class: whether others have worked here already.
    """

    lemma: str | None
    keys: tuple[str, ...]
    account: str | None = "ada"
    has_class: bool = False

    def open(self, folder: Path, **setup: Any) -> Classroom:
        """The application at its beginning."""
        if self.has_class:
            school(folder).close()
        return classroom(folder, self.lemma, account=self.account, database=Path("class.db"), **setup)

    async def play(self, pilot: Pilot[Any]) -> None:
        """Get there."""
        await settle(pilot)
        _stop_blinking(pilot)
        await press(pilot, *self.keys)
        _stop_blinking(pilot)
        if isinstance(pilot.app.screen, AgentRoom):
            await agents_are_here(pilot, cast("Classroom", pilot.app))
        await pilot.pause(0.2)  # until scroll bars have found their size


def _stop_blinking(pilot: Pilot[Any]) -> None:
    screen = pilot.app.screen
    for field in (*screen.query(Input), *screen.query(TextArea)):
        field.cursor_blink = False


_PASSPHRASE = tuple("space" if letter == " " else letter for letter in OPEN_SESAME)
SCENES = {
    "sign-in": Scene(None, ("z", "o", "e", "enter"), account=None),
    "learn": Scene(None, ("enter", "1", "1", "L")),
    "prove": Scene("textbook/or_over_and", ("1", "1")),
    "lost": Scene("textbook/or_comm", ("1", "1")),
    "proved": Scene("textbook/or_comm", ("1", "3", "2", "1", "1", "1", "t")),
    "countermodel": Scene("textbook/dummett", ("x", "x", "c")),
    "hint": Scene("SYJ203.2", ("1", "h", "h", "h")),
    "help": Scene("textbook/or_comm", ("question_mark",)),
    "export": Scene("textbook/identity", ("1", "1", "e")),
    "together": Scene("textbook/or_comm", ("1", "T")),
    "watch": Scene("textbook/or_comm", ("W",)),
    "door": Scene("textbook/or_comm", ("C",)),
    "students": Scene("textbook/or_comm", ("C", *_PASSPHRASE, "enter"), has_class=True),
    "problems": Scene("textbook/or_comm", ("C", *_PASSPHRASE, "enter", "2"), has_class=True),
    "page": Scene("textbook/or_comm", ("C", *_PASSPHRASE, "enter", "enter"), has_class=True),
    "history": Scene("textbook/or_comm", ("C", *_PASSPHRASE, "enter", "enter", "enter"), has_class=True),
    "list": Scene("textbook/or_comm", ("C", *_PASSPHRASE, "enter", "a"), has_class=True),
    "data": Scene("textbook/or_comm", ("D",)),
    "passphrase": Scene("textbook/or_comm", ("D", "p")),
}


@pytest.fixture(autouse=True)
def _nothing_changes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All happens at one moment, which is told as another, and in the working folder, and passphrases cost little."""
    moment = now()
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: moment)
    monkeypatch.setattr("tui.screens.history.when", lambda _: "2026-05-04 12:00:00")
    monkeypatch.setattr("oasis.classroom.people.passphrases._COST", 2**8)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", SCENES)
def test_a_screen_looks_as_it_did(snap_compare: Callable[..., bool], tmp_path: Path, scene: str, size: str) -> None:
    told = SCENES[scene]
    assert snap_compare(told.open(tmp_path), terminal_size=SIZES[size], run_before=told.play)


@pytest.mark.parametrize("scene", SCENES)
def test_a_screen_looks_as_it_did_in_ascii(snap_compare: Callable[..., bool], tmp_path: Path, scene: str) -> None:
    told = SCENES[scene]
    assert snap_compare(told.open(tmp_path, look=ASCII), terminal_size=NARROW, run_before=told.play)


async def test_a_classroom_in_ascii_leaves_the_next_one_its_scroll_bars(tmp_path: Path) -> None:
    told, drawn = SCENES["help"], []
    for setup in ({}, {"look": ASCII}, {}):
        async with opened(told.open(tmp_path, **setup), NARROW) as pilot:
            await told.play(pilot)
            drawn.append(shown(cast("Classroom", pilot.app)))
    assert drawn[0] == drawn[2] != drawn[1]
    assert set("▁▂▃▄▅▆▇") & set(drawn[0]), "the scene has no scroll bar"


@pytest.mark.parametrize("scene", SCENES)
async def test_at_80_by_24_nothing_sticks_out_and_ascii_is_ascii(tmp_path: Path, scene: str) -> None:
    app = SCENES[scene].open(tmp_path, look=ASCII)
    async with opened(app, NARROW) as pilot:
        await SCENES[scene].play(pilot)
        assert overflowing(app) == []
        text = shown(app)
        assert text.isascii(), sorted({letter for letter in text if not letter.isascii()})
