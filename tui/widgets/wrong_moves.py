"""The wrong moves at one problem, and the goal at which the one under the cursor was made."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.proving.words import attempts, moves
from oasis.classroom.register.mistakes import Mistake, Mistakes
from tactics.parser import parse
from tactics.rules import spoken
from tui.look import Look
from tui.widgets.class_sheets import Examined, mistake_sheet, wrong
from tui.widgets.goals import Goals
from tui.widgets.sheet import Sheet


class WrongMoves(Vertical):
    """A sentence, a sheet, and a goal."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look

    def compose(self) -> ComposeResult:
        """One above the other."""
        yield Static(id="mistakes-of", markup=False)
        yield mistake_sheet(self._look)
        yield Goals(self._look)

    def show(self, examined: Examined | None) -> None:
        """Show those at a problem; None if there is none."""
        found = None if examined is None else examined.mistakes
        said = Content("Nobody has begun anything yet.") if examined is None else self._about(examined)
        self.query_one("#mistakes-of", Static).update(said)
        self.query_one(Sheet).show([] if found is None else list(found.moves))
        self._show_goal()

    def _about(self, examined: Examined) -> Content:
        formula = self._look.formula(parse(examined.problem.formula))
        found = examined.mistakes
        said = "Let me look for wrong moves." if found is None else _in_words(found)
        return Content.assemble((f"{examined.problem.lemma}: {formula}", "bold"), f"\n{said}")

    @on(Sheet.RowHighlighted)
    def _show_goal(self) -> None:
        goals, mistake = self.query_one(Goals), self.query_one(Sheet).row
        goals.display = isinstance(mistake, Mistake)
        if isinstance(mistake, Mistake):
            goals.show((mistake.goal,))
            goals.border_title = f"{spoken(mistake.move)} {wrong(mistake)}; where it was first"


def _in_words(found: Mistakes) -> str:
    number = len(found.moves)
    kinds = {0: "No wrong moves", 1: "One kind of wrong move"}.get(number, f"{number} kinds of wrong moves")
    looked_at = f"{found.seen} of {found.attempts} attempts" if found.seen < found.attempts else attempts(found.seen)
    unknown = f", and {moves(found.unknown)} of which it was not found out in time" if found.unknown else ""
    return f"{kinds} in {looked_at}{unknown}."
