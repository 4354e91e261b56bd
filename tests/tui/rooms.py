"""Classrooms for tests: an application over a fresh file, and somebody who works in it and reads its screen."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Final, cast
from unittest.mock import patch

from textual import events
from textual.notifications import Notification
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from curricula import resolve_lemma
from oasis.classroom.partner.messages import Report
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.teacher.exact.values import shortest_script
from tactics.parser import parse
from tui.app import Classroom
from tui.companion import Companion
from tui.look import Look
from tui.screens.partners import PartnerRoom
from tui.screens.proof import ProofRoom
from tui.seat import Seat
from tui.session import Session
from tui.setup import Setup
from tui.widgets.key_bar import KeyBar
from tui.widgets.moves import Moves
from tui.widgets.partner_card import PartnerCard
from tui.widgets.said import Said
from tui.widgets.sheet import Sheet
from tui.widgets.tactic_line import TacticLine

ASCII = Look.ascii()
NARROW, WIDE, WIDEST = (80, 24), (120, 40), (200, 60)
SIZES = {"narrow": NARROW, "wide": WIDE, "widest": WIDEST}
OR_COMM = "p \\/ q -> q \\/ p"
PROOF = ("intro", "destruct_or H", "right", "assumption", "left", "assumption")
"""Of `OR_COMM`, one of the shortest."""
FULL_SPEED: Final = ("plus", "plus")
PATIENCE = 30.0
"""Seconds; how long it takes says more about the machine than about the program."""


class Person(Pilot[None]):
    """Somebody at a classroom, who waits after each key until it is dealt with."""

    @property
    def app(self) -> Classroom:
        """The application."""
        return cast("Classroom", self._app)

    @property
    def screen(self) -> Screen[Any]:
        """The screen that is open."""
        return self.app.screen

    @property
    def session(self) -> Session:
        """Who works there, and on what."""
        return self.app.session

    @property
    def seat(self) -> Seat:
        """Where a student sits."""
        return self.session.seat

    @property
    def attempt(self) -> Attempt:
        """The attempt of whoever sits there."""
        return self.seat.attempt

    # What is done.

    async def settle(self) -> None:
        """Wait until nobody is thinking any more."""
        await self.pause()
        await self.app.workers.wait_for_complete()
        await self.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, and the screen shows it."""
        began = monotonic()
        while not holds():
            assert monotonic() - began < PATIENCE, "it never came to that"
            await asyncio.sleep(0.02)
            await self.pause()
        if isinstance(self.screen, PartnerRoom) and self.screen.is_behind:
            self.screen.show_all()
        await self.settle()

    async def keys(self, *keys: str, until: Callable[[], bool] | None = None) -> None:
        """Press keys, each when the one before is dealt with, and wait until something holds."""
        for key in keys:
            await self.press(key)
            await self.settle()
        if until is not None:
            await self.until(until)

    async def keys_at(self, *presses: tuple[str, float]) -> None:
        """Press keys, each at a time in seconds."""
        for key, when in presses:
            self.app.post_message(key_at(key, when))
            await self.settle()

    async def fill_in(self, *lines: str) -> None:
        """Fill in lines, each with Enter; pasted, which is quicker than key by key."""
        for line in lines:
            self.app.post_message(events.Paste(line))
            await self.keys("enter")

    def burst(self, text: str) -> None:
        """Type a text without waiting for any of it."""
        names = {" ": "space", "\r": "enter", "\t": "tab", "/": "slash"}
        for letter in text:
            self.app.post_message(events.Key(names.get(letter, letter), letter))

    async def click(self, *where: Any, **how: Any) -> bool:
        """Click and wait until that is dealt with; return True if the click hit what it should."""
        hit = await super().click(*where, **how)
        await self.settle()
        return hit

    async def click_at(self, text: str) -> None:
        """Click at a text on the screen, where it stands first."""
        lines = self.shown.splitlines()
        row = next(row for row, line in enumerate(lines) if text in line)
        await self.click(offset=(lines[row].index(text), row))

    async def click_action(self, action: str, until: Callable[[], bool] | None = None) -> None:
        """Click on the word that does something, and wait until something holds."""
        await self.settle()
        for line, strip in enumerate(self.screen._compositor.render_strips()):
            across = 0
            for segment in strip:
                if segment.style and segment.style.meta.get("@click") == action:
                    await self.click(offset=(across, line))
                    if until is not None:
                        await self.until(until)
                    return
                across += segment.cell_length
        raise AssertionError(f"no word does {action}:\n{self.shown}")

    async def make(self, *moves: str) -> None:
        """Make moves by typing them, and put the line away again."""
        await self.press("slash")
        self.screen.query_one(TacticLine).value = "; ".join(moves)
        await self.keys("enter", "escape")

    async def choose(self, move: str) -> None:
        """Choose a move from those that are offered, by its key."""
        rows = [str(row.prompt) for row in self.screen.query_one(Moves).options]
        (key,) = [row.split()[0] for row in rows if row.partition(" ")[2].partition(":")[0] == move]
        await self.keys(key)

    def prove(self, exercise: Exercise) -> None:
        """Prove a lemma by a shortest proof, or say that it has none."""
        desk, script = self.seat.desk, shortest_script(exercise.formula)
        desk.sit(exercise)
        for move in script or ():
            desk.do(lambda attempt, move=move: attempt.make(move))  # type: ignore[misc]
        if script is None:
            desk.do(lambda attempt: attempt.claim(right=True))

    def take(self, formula: str, terms: Terms | None = None) -> None:
        """Open a lemma on these terms."""
        self.seat.take(Exercise(formula, parse(formula), "strict", terms or Terms()))
        assert isinstance(self.screen, ProofRoom)
        self.screen.arrive()

    async def follow(self) -> None:
        """Let the application look at once whether the lessons have changed."""
        self.app._follow()
        await self.settle()

    def saves(self) -> dict[str, str]:
        """Return the files that are handed out from now on, by name."""
        files: dict[str, str] = {}
        self.session.save = lambda text, name: files.update({name: text})  # type: ignore[method-assign]
        return files

    # What is seen.

    @property
    def shown(self) -> str:
        """The characters on the screen, line by line."""
        return shown(self.app)

    @property
    def words(self) -> str:
        """What is on the screen in one line, without frames."""
        return " ".join(self.shown.replace("│", " ").split())

    @property
    def told(self) -> str:
        """What the teacher says, in one line."""
        return self.screen.query_one(Said).text.replace("\n", " ")

    @property
    def notified(self) -> str:
        """What was notified, line by line."""
        return "\n".join(notification.message for notification in self.app._notifications)

    @property
    def palette(self) -> set[str]:
        """What the palette offers."""
        return {command.title for command in self.app.get_system_commands(self.screen)}

    @property
    def footer(self) -> set[str]:
        """The labels of the keys at the bottom."""
        return {key.label for key in self.screen.query_one(KeyBar).keys}

    async def opens(self, *keys: str) -> Screen[Any]:
        """Press keys and return the screen that is open then."""
        await self.keys(*keys)
        return self.screen

    async def sees(self, *keys: str) -> str:
        """Press keys and return what is shown then."""
        await self.keys(*keys)
        return self.shown

    async def reads(self, *keys: str) -> str:
        """Press keys and return the words that are on the screen then."""
        await self.keys(*keys)
        return self.words

    async def hears(self, *keys: str) -> str:
        """Press keys and return what the teacher says then."""
        await self.keys(*keys)
        return self.told

    @property
    def overflowing(self) -> list[Widget]:
        """Widgets that stick out of what they are in where nobody can scroll, and texts that are cut off."""
        visible = [widget for widget in self.screen.query("*") if widget.is_on_screen and widget.region]
        return [each for each in visible if _sticks_out(each) or (isinstance(each, Static) and _is_cut_off(each))]

    def sheet(self, name: str) -> Sheet[Any]:
        """Return the table of a sheet of the class."""
        return self.screen.query_one(f"#{name}", Sheet)

    # Partners, who work in processes of their own and answer when they can.

    @property
    def room(self) -> PartnerRoom:
        """The place with the agents."""
        return cast("PartnerRoom", self.screen)

    @property
    def on_card(self) -> str:
        """What the card of the first partner says, in one line."""
        return self.screen.query_one(PartnerCard).render().plain.replace("\n", " ")

    def report(self, agent: int = 0) -> Report:
        """Return the last report of an agent."""
        said = self.room.companions[agent].report
        assert said is not None
        return said

    def free_partners(self) -> None:
        """Make all that partners show free at the lemma before the student."""
        self.seat.take(replace(self.seat.exercise, place="open", terms=Terms(agent="shown")))

    async def meet(self, *keys: str, until: Callable[[], bool] | None = None) -> None:
        """Press keys; wait until every partner has answered all that it was asked, and until something holds."""
        await self.keys(*keys, until=lambda: all(map(_has_answered, self.room.companions)))
        if until is not None:
            await self.until(until)

    async def rests(self, episodes: int, agent: int = 0) -> None:
        """Wait until an agent has played so many episodes and does nothing more."""
        await self.until(lambda: self.report(agent).knows.episodes >= episodes and not self.report(agent).playing)


def classroom(folder: Path, lemma: str | None = None, **setup: Any) -> Classroom:
    """Return Ada's classroom, without provers, and with a network that needs no library and loads at once."""
    chosen = {"account": "ada", "provers": (), "tour": False, "network": "teacher", "seconds": 20.0, **setup}
    database = chosen.pop("database", folder / "class.db")
    return Classroom(Setup(lemma=None if lemma is None else resolve_lemma(lemma), database=database, **chosen))


@asynccontextmanager
async def opened(app: Classroom, size: tuple[int, int] = NARROW) -> AsyncIterator[Person]:
    """Open the application and wait until its first screen has settled; yield who sits at it.

    What is notified stays there, however slowly a test goes on.
    """
    with patch.object(Notification, "has_expired", False):
        async with app.run_test(size=size):
            person = Person(app)
            await person.settle()
            yield person
            if app.screen_stack:
                shown(app)


def sitting(
    folder: Path, lemma: str | None = None, size: tuple[int, int] = NARROW, **setup: Any
) -> AbstractAsyncContextManager[Person]:
    """Open a classroom in which Ada sits."""
    return opened(classroom(folder, lemma, **setup), size)


def shown(app: Classroom) -> str:
    """Return the characters on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def key_at(key: str, when: float) -> events.Key:
    """Return the press of a key at a time in seconds."""
    event = events.Key(key, key)
    event.time = when
    return event


def _sticks_out(widget: Widget) -> bool:
    around = [each for each in widget.ancestors if isinstance(each, Widget)]
    if any(each.allow_horizontal_scroll or each.allow_vertical_scroll for each in around):
        return False
    return any(not each.region.contains_region(widget.region) for each in around)


def _is_cut_off(widget: Static) -> bool:
    size = widget.content_size
    return widget.get_content_height(size, widget.screen.size, size.width) > size.height


def _has_answered(companion: Companion) -> bool:
    return companion.report is not None and companion.report.answered >= companion._beside._asked
