"""The application: its places, who sits in it, and what all of it looks like."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender

from oasis.backends.base import BackendError, Claim
from oasis.backends.registry import REFEREES, backend, installed
from oasis.classroom.admission import open_classroom
from oasis.classroom.desk import Desk
from oasis.classroom.exercise import Exercise
from oasis.classroom.progress import present
from tactics.formula import Formula
from tactics.script import Script
from tui.commands import COMMANDS
from tui.screens.room import Room
from tui.seat import Seat
from tui.setup import Setup


def _learn() -> Screen[None]:
    from tui.screens.learn import Learn

    return Learn()


def _prove() -> Screen[None]:
    from tui.screens.prove import Prove

    return Prove()


def _together() -> Screen[None]:
    from tui.screens.together import Together

    return Together()


def _watch() -> Screen[None]:
    from tui.screens.watch import Watch

    return Watch()


def _teach() -> Screen[None]:
    from tui.screens.teach import Teach

    return Teach()


def _data() -> Screen[None]:
    from tui.screens.data import Data

    return Data()


class _PlainScrollBar(ScrollBarRender):
    """A scroll bar without block characters."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


class Classroom(App[None]):
    """The classroom of one person.

    Attributes:
        look: how things look.
        seat: where the person sits; not before they have signed in.
    """

    TITLE = "Oasis"
    CSS_PATH: ClassVar[list[str]] = ["classroom.tcss", "agents.tcss"]  # type: ignore[assignment]
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        "learn": _learn,
        "prove": _prove,
        "together": _together,
        "watch": _watch,
        "teach": _teach,
        "data": _data,
    }
    seat: Seat

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setup, self.look = setup, setup.look
        self.store = open_classroom(setup.database)
        self._referees = ThreadPoolExecutor(1, "referee")

    async def on_mount(self) -> None:
        """Dress as the person likes it, and let them sign in."""
        if self.setup.theme is not None:
            self.theme = self.setup.theme
        if self.look.ascii_only:
            self.add_class("-ascii")
            ScrollBar.renderer = _PlainScrollBar
        self.set_keymap(dict(self.setup.keys))
        from tui.screens.sign_in import enter

        await enter(self)

    async def sit(self, desk: Desk) -> None:
        """Let a student sit down, with what they are to begin with before them."""
        self.seat = Seat(desk, self.setup.seconds)
        lesson, lemma = self.setup.lesson, self.setup.lemma
        if lemma is not None:
            self.seat.take(Exercise.of(lemma))
        else:
            self.seat.take_first(present(desk.results()) if lesson is None else lesson.exercises_for(desk.name))
        await self.switch_mode("learn" if lemma is None else "prove")
        # Otherwise every full search for cycles goes through all of Textual, and keys wait for a tenth of a second.
        gc.freeze()

    def on_unmount(self) -> None:
        """Leave nothing running."""
        if hasattr(self, "seat"):
            self.seat.close()
        self._referees.shutdown(wait=False, cancel_futures=True)
        self.store.close()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: what can be done here, and the themes."""
        if isinstance(screen, Room):
            for active in screen.active_bindings.values():
                command = COMMANDS.get(active.binding.id or "")
                if command is not None and active.enabled:
                    yield SystemCommand(command.label, command.about, _runs(screen, active.binding.action))
        yield SystemCommand("Theme", "Choose other colours.", self.action_change_theme)

    async def certify(self, formula: Formula, script: Script) -> list[str]:
        """What the provers say of a proof, a sentence for each; none if there are no provers."""
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(
            self._referees, _certified, self.setup.provers, formula, script
        )


def _runs(screen: Room, action: str) -> Callable[[], object]:
    async def run() -> None:
        await screen.run_action(action)

    return run


def _certified(provers: tuple[str, ...] | None, formula: Formula, script: Script) -> list[str]:
    said = []
    for name in installed(REFEREES) if provers is None else provers:
        try:
            with backend(name) as prover:
                (certificate,) = prover.certify([Claim(formula, script)])
        except BackendError as error:
            said.append(str(error))
            continue
        verdict = "Certified" if certificate.accepted else f"Refused ({certificate.reason})"
        said.append(f"{verdict} by {certificate.version}.")
    return said
