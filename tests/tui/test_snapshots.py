"""What every screen looks like, at two sizes where its layout is another one there.

After a change that is meant: look at the report that a failing run names, then pytest --snapshot-update.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from curricula import resolve_lemma
from oasis.classroom.clock import now
from tactics.printer import show
from tests.tui.rooms import ASCII, NARROW, PROOF, SIZES, Person, classroom, opened
from tests.tui.school import OPEN_SESAME, school
from tui.app import Classroom
from tui.screens.partners import PartnerRoom

pytestmark = pytest.mark.slow


class Scene(NamedTuple):
    """A screen, and how to get there: from a lemma or the course, by moves and then keys."""

    lemma: str | None
    keys: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    account: str | None = "ada"  # of who sits at this machine; None for a browser
    has_class: bool = False  # whether others have worked here already
    teacher: bool = False  # whether it is the teacher who comes
    sizes: tuple[str, ...] = ("narrow",)

    def open(self, folder: Path, **setup: Any) -> Classroom:
        """Return the application at its beginning."""
        if self.has_class:
            school(folder).close()
        return classroom(
            folder,
            _by_itself(self.lemma),
            account=self.account,
            database=Path("class.db"),
            teacher=self.teacher,
            **setup,
        )

    async def play(self, pilot: Pilot[Any]) -> None:
        """Get there."""
        ada = Person(pilot.app)
        await ada.settle()
        _stop_blinking(ada)
        if self.moves:
            await ada.make(*self.moves)
        await ada.keys(*self.keys)
        _stop_blinking(ada)
        if isinstance(ada.screen, PartnerRoom):
            await ada.meet()
        await ada.pause(0.2)  # until scroll bars have found their size


def _by_itself(name: str | None) -> str | None:
    """Return a lemma under the last word of its name, as one from outside the course."""
    if name is None:
        return None
    return f"{name.rpartition('/')[2]} : {show(resolve_lemma(name).formula)}"


def _stop_blinking(ada: Person) -> None:
    for field in (*ada.screen.query(Input), *ada.screen.query(TextArea)):
        field.cursor_blink = False


_PASSPHRASE = tuple("space" if letter == " " else letter for letter in OPEN_SESAME)
BOTH = ("narrow", "wide")
SCENES = {
    "sign-in": Scene(None, ("z", "o", "e", "enter"), account=None),
    "learn": Scene(None, ("enter", "0", "0", "L"), sizes=BOTH),
    "prove": Scene("textbook/or_over_and", ("up", "up"), ("split", "intro"), sizes=BOTH),
    "which": Scene("textbook/or_comm", ("0",), ("intro", "destruct_or H")),
    "listed": Scene("textbook/or_comm", ("m", "m"), ("intro",)),
    "typing": Scene("SYJ203.4", ("slash", "c", "u"), ("intro", "split_or H", "split_or H0", "split_or H1")),
    "refused": Scene("textbook/modus_ponens", ("0",), ("intro", "intro")),
    "lost": Scene("textbook/or_comm", (), ("intro", "left")),
    "proved": Scene("textbook/or_comm", ("t",), PROOF),
    "countermodel": Scene("textbook/dummett", ("x", "x", "c")),
    "moment": Scene("textbook/or_comm", ("w",), PROOF, sizes=("wide",)),
    "moment-none": Scene("textbook/dummett", ("x", "x", "w")),
    "tour": Scene("textbook/or_comm", ("F",)),
    "preview": Scene("textbook/or_comm", ("v",), ("intro",)),
    "hint": Scene("SYJ203.2", ("h", "h", "h", "h"), ("intro", "split_or H")),
    "help": Scene("textbook/or_comm", ("question_mark",)),
    "export": Scene("textbook/identity", ("0", "0", "e")),
    "together": Scene("textbook/or_comm", ("0", "T"), sizes=BOTH),
    "exact": Scene("textbook/or_comm", ("0", "T", "B", "B", "q", "q"), sizes=("wide",)),
    "watch": Scene("textbook/or_comm", ("W", "q"), sizes=BOTH),
    "door": Scene(None, (), has_class=True, teacher=True),
    "students": Scene(None, (*_PASSPHRASE, "enter"), has_class=True, teacher=True, sizes=BOTH),
    "problems": Scene(None, (*_PASSPHRASE, "enter", "2"), has_class=True, teacher=True, sizes=("wide",)),
    "page": Scene(None, (*_PASSPHRASE, "enter", "enter"), has_class=True, teacher=True),
    "history": Scene(None, (*_PASSPHRASE, "enter", "enter", "enter"), has_class=True, teacher=True),
    "list": Scene(None, (*_PASSPHRASE, "enter", "a"), has_class=True, teacher=True),
    "data": Scene("textbook/or_comm", ("D",)),
    "passphrase": Scene("textbook/or_comm", ("D", "p")),
}


@pytest.fixture(autouse=True)
def _nothing_changes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All happens at one moment, which is told as another, and in the working folder."""
    moment = now()
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: moment)
    monkeypatch.setattr("tui.screens.history.when", lambda _: "2026-05-04 12:00:00")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("scene", "size"), [(scene, size) for scene, told in SCENES.items() for size in told.sizes])
def test_a_screen_looks_as_it_did(snap_compare: Callable[..., bool], tmp_path: Path, scene: str, size: str) -> None:
    told = SCENES[scene]
    assert snap_compare(told.open(tmp_path), terminal_size=SIZES[size], run_before=told.play)


async def test_a_classroom_in_ascii_leaves_the_next_one_its_scroll_bars(tmp_path: Path) -> None:
    told, drawn = SCENES["help"], []
    for setup in ({}, {"look": ASCII}, {}):
        async with opened(told.open(tmp_path, **setup), NARROW) as ada:
            await told.play(ada)
            drawn.append(ada.shown)
    assert drawn[0] == drawn[2] != drawn[1]
    assert set("▁▂▃▄▅▆▇") & set(drawn[0]), "the scene has no scroll bar"
