"""What the agents have learned, in words: a teacher reads maxims, sees where each applies, writes and strikes them.

A maxim is a guess. Under each stand the lemma that it was learned from and a goal that shows what it is about; what
was done to it, and why, stays in the journal. What is written here is put to the test by the next distilling.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import ClassVar, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.register.habits import habit
from oasis.experience.example import Example, example
from oasis.experience.library import Library
from oasis.experience.maxims import PREFER, Maxim
from oasis.store import StoreError
from tactics.errors import InputError
from tactics.goal import Move
from tactics.rules import spoken
from tui.commands import bindings
from tui.phrases import short
from tui.screens.maxim_forms import BY, StrikeMaxim, WriteMaxim
from tui.screens.sheet_page import SheetPage
from tui.session import Session
from tui.widgets.goals import Goals
from tui.widgets.key_bar import KeyBar
from tui.widgets.sheet import Column, Sheet

_Answer = TypeVar("_Answer")


class Maxims(SheetPage[Maxim]):
    """A sheet of maxims, and under it the one under the cursor with its goal.

    Args:
        session: what it works with; the teacher must have opened the class.
    """

    ABOUT = (
        "What the agents have learned, in words. Each maxim may be wrong: it says in what place a tactic should come "
        "first, or should wait, and how much likelier it makes the tactic there. Under the sheet stand the lemma from "
        "which it was learned and a goal that shows where it applies. What you write here is put to the test when the "
        "next maxims are distilled (oasis experience distill), and every change stays in the journal with its reason."
    )
    CSS_PATH = "../maxims.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "back", "write_maxim", "change_maxim", "strike_maxim", "sort", "turn_round", "renew", "help"
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._here: Maxim | None = None

    def compose(self) -> ComposeResult:
        """A title, the sheet, the maxim under the cursor with its goal, and the keys."""
        yield Static(Content.styled("What the agents have learned, in words", "bold"), id="page-title", markup=False)
        yield maxim_sheet(self.session)
        with Vertical(id="shown"):
            yield Static(id="maxim", markup=False)
            yield Goals(self.session.look)
        yield Static(id="page-said", markup=False)
        yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to change or strike where there is no maxim."""
        return action not in ("change_maxim", "strike_maxim") or self._here is not None

    async def _ask(self, question: Callable[[Library], _Answer]) -> _Answer:
        """What the library of the class says, elsewhere. Raises InputError and StoreError."""
        return await self.session.register.ask(lambda register: question(register.maxims))

    # What is shown.

    @work(exclusive=True, group="read")
    async def read(self) -> None:
        """Read everything and show it."""
        try:
            maxims = await self._ask(lambda library: list(library.maxims().values()))
            of_class = await self.session.register.ask(lambda register: habit(register.proofs()))
        except (StoreError, InputError) as error:
            self.say(str(error))
            return
        self.sheet.show(maxims)
        how = f"oasis experience distill does it, or {self.key_of('write_maxim')} writes one."
        said = "" if maxims else f"Nothing is learned yet; {how} "
        if of_class is not None:
            said += f"The habit that cost the class most moves: {of_class.sentence(self.session.look.notation)}"
        self.say(said.rstrip())
        self._show()

    @on(Sheet.RowHighlighted)
    def _show(self) -> None:
        """The maxim under the cursor."""
        before, self._here = self._here, self.sheet.row
        self.query_one("#shown").display = self._here is not None
        self.refresh_bindings()
        if self._here is not None and self._here != before:
            self._show_goal(self._here)

    @work(exclusive=True, group="show")
    async def _show_goal(self, maxim: Maxim) -> None:
        """What a maxim says; its goal is looked for beside the screen."""
        goals, told = self.query_one(Goals), self.query_one("#maxim", Static)
        told.update(self._about_maxim(maxim))
        found = await self.session.apart(example, maxim)
        if found is None:
            goals.say("No goal that shows it was found in that lemma.")
        else:
            goals.show((found.goal,))
            goals.border_title = "A goal that shows it"
            told.update(self._about_maxim(maxim, found))

    def _about_maxim(self, maxim: Maxim, shown: Example | None = None) -> Content:
        """What it says, how much it counts, from where it is, and which moves it speaks of in the goal below."""
        prefers, times = maxim.category == PREFER, exp(maxim.strength)
        likelier = "likelier" if prefers else "less likely"
        counts = f"{times:.2g} times {likelier}" if maxim.strength else "no likelier or less likely"
        parts: list[str | tuple[str, str]] = [(maxim.content, "bold"), f" {maxim.remark}".rstrip(), "\n"]
        parts += [
            (f"It makes the tactic {counts}. Learned from {short(maxim.source)}; last changed by ", "$text-muted")
        ]
        parts += [(f"{maxim.modified_by}.", "$text-muted")]
        if shown is not None:
            moves = ", ".join(map(spoken, shown.moves))
            parts += [(f"\n{'First' if prefers else 'Not yet'} here: {moves}", "")]
        return Content.assemble(*parts)

    # What can be done.

    def action_write_maxim(self) -> None:
        """One more."""
        self.app.push_screen(WriteMaxim(self._ask, None))

    def action_change_maxim(self) -> None:
        """Another wording, place or weight."""
        if (maxim := self._here) is not None:
            self.app.push_screen(WriteMaxim(self._ask, maxim))

    @on(Sheet.RowSelected)
    def _choose(self) -> None:
        self.action_change_maxim()

    def action_strike_maxim(self) -> None:
        """Away with it."""
        if (maxim := self._here) is not None:
            number = maxim.id
            self.app.push_screen(
                StrikeMaxim(maxim, lambda why: self._ask(lambda library: library.delete(number, by=BY, reason=why)))
            )


def maxim_sheet(session: Session) -> Sheet[Maxim]:
    """Number, words, weight and source of each maxim."""
    columns: list[Column[Maxim]] = [
        Column(title="no.", text=lambda row: str(row.id), order=lambda row: -row.id, width=5, is_number=True),
        Column(title="maxim", text=lambda row: row.content),
        Column(title="tactic", text=lambda row: spoken(Move(row.scope.rule)), width=14, needs=100),
        Column(title="odds", text=_odds, order=lambda row: row.evidence.odds, width=7, is_number=True),
        Column(title="from", text=lambda row: short(row.source), width=20, needs=100),
    ]
    order = "In the order in which they were learned"
    return Sheet(columns, lambda row: str(row.id), session.look, "maxims", order=order)


def _odds(maxim: Maxim) -> str:
    return f"{maxim.evidence.odds:.2g}"
