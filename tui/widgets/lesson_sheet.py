"""The exercises of a lesson with what is known of each, and what a teacher should know of the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.lessons.checking import Checked
from oasis.classroom.lessons.lesson import in_words
from oasis.teacher.countermodels.drawing import draw
from tui.look import Look
from tui.widgets.class_sheets import PlaceTitle, exercise_sheet
from tui.widgets.sheet import Sheet


class LessonSheet(Vertical):
    """A sheet, and remarks under it."""

    def __init__(self, look: Look, title: PlaceTitle) -> None:
        super().__init__()
        self._look, self._title = look, title

    def compose(self) -> ComposeResult:
        """One above the other."""
        yield exercise_sheet(self._look, self._title)
        yield Static(id="remarks", markup=False)

    def show(self, known: Sequence[Checked]) -> None:
        """Show these exercises."""
        self.query_one(Sheet).show(known)
        self._show_remarks()

    @property
    def checked(self) -> Checked | None:
        """The exercise under the cursor."""
        row = self.query_one(Sheet).row
        return row if isinstance(row, Checked) else None

    def in_full(self, checked: Checked, width: int) -> Content:
        """Everything that is known of an exercise, its terms, and a countermodel if it has one."""
        parts = [self._remarks(checked), Content("\n".join(in_words(checked.exercise.terms)))]
        if checked.countermodel is not None:
            notation, ascii_only = self._look.notation, self._look.ascii_only
            parts.append(Content(draw(checked.countermodel, notation, ascii_only=ascii_only, width=width)))
        return Content("\n\n").join(parts)

    @on(Sheet.RowHighlighted)
    def _show_remarks(self) -> None:
        checked = self.checked
        self.query_one("#remarks", Static).update("" if checked is None else self._remarks(checked))

    def _remarks(self, checked: Checked) -> Content:
        formula = Content.styled(self._look.formula(checked.exercise.formula), "bold")
        remarks = [
            Content.styled(finding.text, "bold $error" if finding.is_error else "$warning")
            for finding in checked.findings
        ]
        return Content("\n").join([formula, *remarks])
