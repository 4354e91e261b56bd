"""What a teacher is asked who writes, changes or strikes a maxim; each change has a reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Label

from curricula.resolve import named_lemma
from oasis.experience import by_hand
from oasis.experience.library import Library
from oasis.experience.maxims import MOST_WORDS, Maxim
from oasis.experience.scope import ANY
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import spoken
from tui.screens.form import Form
from tui.widgets.line import Line

BY: Final = "the teacher"
"""Who did it, for the journal."""


class _Lines(Form):
    """Lines with what each is for before it; Enter leads on to the next one, and in the last it is done."""

    CSS_PATH = "../maxims.tcss"

    def go_on(self, line: Line) -> None:
        """To the next line, or on with it."""
        lines = list(self.query(Line))
        if line is lines[-1]:
            self.query_one("Button.-primary", Button).press()
        else:
            self.set_focus(lines[lines.index(line) + 1])

    def line(self, name: str, about: str, value: str = "") -> Horizontal:
        """A line with its name before it."""
        filled = Line("" if value == ANY else value, placeholder=about, id=f"maxim-{name}")
        return Horizontal(Label(name), filled, classes="maxim-line")

    def value(self, name: str) -> str:
        """What was typed into a line."""
        return self.query_one(f"#maxim-{name}", Line).value.strip()


class WriteMaxim(_Lines):
    """A maxim, new or as it should be.

    Args:
        ask: puts a question to the library of maxims, elsewhere.
        maxim: as it is; None for a new one.
    """

    def __init__(self, ask: Callable[[Callable[[Library], Any]], Awaitable[Any]], maxim: Maxim | None) -> None:
        about = (
            "Goal and hypothesis are examples of what they are, as in p \\/ ~q, and _ \\/ _ is any disjunction; left "
            "empty they may be anything. What it says follows from that; your remark stands beside it, and no agent "
            "follows it."
        )
        title, label = ("A maxim", "Write it down") if maxim is None else (f"Maxim {maxim.id}", "Change it")
        super().__init__(title, about, label)
        self._ask, self._maxim = ask, maxim

    def compose_lines(self) -> ComposeResult:
        """What to do, where, in which lemma, in which words, and why."""
        maxim = self._maxim
        if maxim is None:
            advice = goal = hypothesis = also = remark = ""
        else:
            advice = f"{maxim.category} {spoken(Move(maxim.scope.rule))}"
            goal, hypothesis, also = maxim.scope.conclusion, maxim.scope.hypothesis, ", ".join(maxim.scope.also)
            remark = maxim.remark
        yield self.line("advice", "prefer or avoid, and a tactic: prefer left", advice)
        yield self.line("goal", "_ \\/ _", goal)
        yield self.line("hypothesis", "p -> q, or: left side, right side (of the goal)", hypothesis)
        if maxim is None:
            yield self.line("lemma", "one that shows it: p -> p \\/ q")
        yield self.line("also", "within reach; out of reach; came last; ends in the goal; shares no atom", also)
        yield self.line("remark", f"at most {MOST_WORDS} words", remark)
        yield self.line("reason", "why; it stands in the journal")

    async def fill_in(self) -> None:
        """Write it down."""
        category, _, rule = self.value("advice").partition(" ")
        also = [each.strip() for each in self.value("also").split(",") if each.strip()]
        scope = by_hand.written_scope(rule.strip(), self.value("goal"), self.value("hypothesis"), also)
        remark, reason, maxim = self.value("remark"), self.value("reason"), self._maxim
        if maxim is None:
            lemma = self.value("lemma")
            source = lemma if (known := named_lemma(lemma)) is None else known.name
            if known is None:
                parse(lemma)
            await self._ask(
                lambda library: by_hand.add(library, category, scope, lemma=source, by=BY, reason=reason, remark=remark)
            )
            return
        await self._ask(
            lambda library: by_hand.change(
                library, maxim.id, by=BY, reason=reason, category=category, scope=scope, remark=remark
            )
        )


class StrikeMaxim(_Lines):
    """Why a maxim is struck.

    Args:
        maxim: which.
        strike: does it, for a reason.
    """

    def __init__(self, maxim: Maxim, strike: Callable[[str], Awaitable[object]]) -> None:
        about = f"{maxim.content} It counts no more from now on; the journal keeps what it was. Why should it go?"
        super().__init__(f"Strike maxim {maxim.id}", about, "Strike it")
        self._strike = strike

    def compose_lines(self) -> ComposeResult:
        """The reason."""
        yield self.line("reason", "why; it stands in the journal")

    async def fill_in(self) -> None:
        """Strike it."""
        await self._strike(self.value("reason"))
