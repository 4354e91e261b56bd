"""A sheet of exercises that a teacher pastes, what can be made of it, and the lesson that is saved then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import TextArea

from curricula.sheet import read_sheet
from oasis.classroom.lessons.drafting import Draft, drafting
from oasis.classroom.lessons.lesson import LONGEST_NAME
from oasis.ground.plural import counted
from oasis.teacher.countermodels.drawing import draw
from tactics.errors import InputError
from tui.look import Look
from tui.phrases import file_of
from tui.screens.form import Form
from tui.widgets.line import Line, Pad
from tui.widgets.said import Said

Save = Callable[[str, str], None]
"""Hands out a text as a file of a name."""
_PASTED: Final = "a pasted sheet"
_UNNAMED: Final = "exercise"
"""What exercises without a name are called after, before the number of their line."""


class LessonFromSheet(Form):
    """Exercises in whatever notation, what is said of them while they are typed or after they were pasted, and a name.

    Args:
        apart: does something that may take long beside the screens.
        seconds: how long each exercise may take.
        look: how things look.
        save: hands the lesson out as a file.
    """

    def __init__(self, apart: Callable[..., Awaitable[Any]], seconds: float, look: Look, save: Save) -> None:
        about = "Paste exercises as they are: one a line, or in Coq, Lean, Isabelle, LaTeX, Markdown or TPTP."
        super().__init__("A lesson from a sheet", about, "Save the lesson")
        self._apart, self._seconds, self._look, self._save = apart, seconds, look, save
        self._draft: Draft | None = None

    def compose_lines(self) -> ComposeResult:
        """Room for the sheet, what is said of it, and what the lesson is called."""
        yield Pad("sheet")
        yield Said()
        yield Line(placeholder="What to call the lesson, as in week 1", id="lesson-name", max_length=LONGEST_NAME)

    @on(TextArea.Changed)
    def _follow(self) -> None:
        self._look_through()

    @work(exclusive=True, group="draft")
    async def _look_through(self) -> None:
        """Say what the sheet holds as it stands."""
        try:
            await self._made_of(self.query_one(Pad).text)
        except InputError as error:
            self.query_one(Said).say([str(error)], style="$warning")

    async def _made_of(self, text: str) -> Draft:
        """What can be made of a text, told when it is known, and meanwhile how far it is. Raises InputError."""
        if self._draft is not None and self._draft.sheet.text == text:
            return self._draft
        sheet, said = await self._apart(read_sheet, text, _PASTED, stem=_UNNAMED), self.query_one(Said)
        steps, looked_at = drafting(sheet, self._seconds), -1
        draft: Draft
        while (grown := await self._apart(next, steps, None)) is not None:
            draft, looked_at = grown, looked_at + 1
            said.say([f"Looked for {looked_at:,} of {counted(len(sheet.lemmas), 'proof')}."] if sheet.lemmas else [])
        self._draft = draft
        self._tell(draft)
        return draft

    def _tell(self, draft: Draft) -> None:
        """Say what came of a sheet; nothing of an empty one."""
        look, said = self._look, self.query_one(Said)
        width = max(20, said.content_size.width)
        drawings = [
            f"{lemma.name} has no proof:\n{draw(why, look.notation, ascii_only=look.ascii_only, width=width)}"
            for lemma, why in draft.without_proof
        ]
        sentences = [draft.sentence, *draft.details] if draft.sheet.text.strip() else []
        said.say(map(look.text, sentences), "\n\n".join(drawings))

    def action_close(self) -> None:
        """Take it away, also while a sheet is looked through; nothing is saved then."""
        self.dismiss()

    async def fill_in(self) -> None:
        """Save the lesson. Raises InputError if there is no exercise in it, or its name is none."""
        draft = await self._made_of(self.query_one(Pad).text)
        title = self.query_one("#lesson-name", Line).value.strip()
        if not draft.exercises:
            raise InputError("There is no exercise with a proof in it yet; paste some, one a line.")
        if not title:
            raise InputError("Say what the lesson is called, as in week 1.")
        name = file_of(title, ".toml")
        self._save(draft.toml(title), name)
        self.notify(f"{draft.sentence} Open the classroom with --lesson {name} to give it.", timeout=15, markup=False)
