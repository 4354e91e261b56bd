"""An attempt moment by moment: what happened, what was to be proved then, and what a teacher says of it.

It stands in front of the class, for its teacher, or in front of a student's own work; how attempts are found is the
business of what is behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList, Static

from oasis.classroom.background import Background
from oasis.classroom.desk.notes import written
from oasis.classroom.desk.progress import called
from oasis.classroom.proving.words import when
from oasis.classroom.register import history
from oasis.classroom.register.history import Verdict, come_to
from oasis.ground.plural import counted
from tactics.printer import brief
from tui.commands import bindings
from tui.phrases import short
from tui.screens.room import ClassroomScreen
from tui.session import Session
from tui.widgets.goals import Goals
from tui.widgets.key_bar import KeyBar
from tui.widgets.moments import Moments

_UNTOLD: Final = "Which move loses the proof is told once this lemma is done."


class History(ClassroomScreen):
    """One of a student's attempts at a lemma, with keys for the one before and the one after it.

    Args:
        session: what it works with.
        whose: they are, by name.
        attempts: oldest first, at least one; the newest is shown first.
        is_told: whether it may be said which move lost the proof.
        may_write: whether the teacher looks, who may leave notes.
    """

    ABOUT = (
        "What happened in an attempt at a lemma, moment by moment, and beside it what was to be proved then. The "
        "arrows lead from moment to moment. Below stands whether the lemma could still be proved, or which move "
        "lost the proof; of their own work students are told so once the lemma is done. A word that the teacher has "
        "written at a moment stands below it."
    )
    CSS_PATH = "../history.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("back", "earlier", "later", "leave_note", "help")

    def __init__(
        self,
        session: Session,
        whose: str,
        attempts: Sequence[history.History],
        *,
        is_told: bool = True,
        may_write: bool = False,
    ) -> None:
        super().__init__(session)
        self._whose, self._attempts, self._is_told, self._may_write = whose, [*attempts], is_told, may_write
        self._place = len(attempts) - 1
        self._verdicts: list[Verdict] = []
        self._teacher = Background("history")

    def compose(self) -> ComposeResult:
        """What it is, what happened, and what is to be said about it."""
        yield Static(id="page-title", markup=False)
        with Horizontal(id="moments-and-goals"):
            yield Moments(self.session.look)
            yield Goals(self.session.look)
        yield Static(id="verdict", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin with the newest."""
        self.query_one(Moments).focus()
        self._show()

    def on_unmount(self) -> None:
        """Judge nothing more."""
        self._teacher.close()

    @property
    def _attempt(self) -> history.History:
        return self._attempts[self._place]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is not always an attempt before and after this one, and the teacher alone writes."""
        if action == "leave_note":
            return self._may_write and bool(self._attempt.moments)
        if action == "earlier":
            return self._place > 0
        return action != "later" or self._place < len(self._attempts) - 1

    def action_back(self) -> None:
        """To where one came from."""
        self.dismiss()

    def action_earlier(self) -> None:
        """The attempt before."""
        self._place -= 1
        self._show()

    def action_later(self) -> None:
        """The attempt after."""
        self._place += 1
        self._show()

    def action_leave_note(self) -> None:
        """A word at the moment under the cursor."""
        from tui.screens.note_forms import LeaveNote

        moment, session, place = self.query_one(Moments).moment, self.session, self._place
        if moment is None:
            return

        async def leave(text: str) -> None:
            note, uuid = written(text, is_exam=session.gives_exam), self._attempts[place].kept.uuid
            left = await session.register.ask(lambda register: register.leave(note, uuid, moment.number))
            self._attempts[place] = replace(self._attempts[place], notes=(*self._attempts[place].notes, left))
            self.query_one("#page-title", Static).update(self._title())
            self.query_one(Moments).renew(self._attempt)

        where = f"{moment.number}: {moment.sentence}" if moment.number else "the beginning of the attempt"
        self.app.push_screen(LeaveNote(self._whose, where, leave))

    def _show(self) -> None:
        self._verdicts = []
        self.query_one("#page-title", Static).update(self._title())
        self.query_one(Moments).show(self._attempt)
        self._show_moment()
        self.refresh_bindings()
        if self._is_told:
            self._judge()

    def _title(self) -> Content:
        kept, look = self._attempt.kept, self.session.look
        lemma = short(called(kept.place, kept.name, is_done=self._is_told))
        if self._attempt.moments:
            lemma += f": {look.text(brief(self._attempt.moments[0].state[0].conclusion, look.notation))}"
        number = f"attempt {self._place + 1} of {len(self._attempts)}"
        if notes := len(self._attempt.notes):
            number += f", {counted(notes, 'note')} of the teacher"
        place = self.session.place_title(kept.place)
        about = f"{self._whose}, {place}, {number}, {when(kept.started)}: {come_to(kept)}"
        lines = [Content.styled(lemma, "bold"), Content(about)]
        if self._attempt.damage:
            lines.append(Content.styled(self._attempt.damage, "$error"))
        return Content("\n").join(lines)

    @on(OptionList.OptionHighlighted)
    def _show_moment(self) -> None:
        """What was to be proved after the moment under the cursor, and what a teacher says of it."""
        moment = self.query_one(Moments).moment
        if moment is None:
            self.query_one(Goals).say("Nothing can be shown of it.")
            self.query_one("#verdict", Static).update("")
            return
        self.query_one(Goals).show(moment.state)
        made = f"{when(moment.at)}, {counted(len(moment.script), 'move')} made"
        self.query_one("#verdict", Static).update(Content.assemble((made, "dim"), "\n", self._judgement(moment.number)))

    def _judgement(self, number: int) -> Content:
        look = self.session.look
        if not self._is_told:
            return Content.styled(_UNTOLD, "dim")
        if number >= len(self._verdicts):
            return Content.styled(f"{look.mark('dark')} Let me see.", "dim")
        verdict = self._verdicts[number]
        mark, style = {True: ("light", "bold $success"), False: ("lost", "bold $error"), None: ("dark", "$warning")}[
            verdict.provable
        ]
        return Content.styled(f"{look.mark(mark)} {verdict.sentence}", style)

    @work(exclusive=True, group="judge")
    async def _judge(self) -> None:
        """What a teacher says of each moment, one after the other."""
        verdicts = self._attempt.verdicts()
        moments = self.query_one(Moments)
        for number in range(len(self._attempt.moments)):
            verdict = await self._teacher.ask(next, verdicts)
            self._verdicts.append(verdict)
            moments.judge(number, verdict)
            if moments.highlighted == number:
                self._show_moment()
