"""Data: a student's own work, to look back at and to take along, and everything else that is theirs.

Nobody else's work can be reached from here, and in a served classroom nothing about the files of the server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import ClassVar, Final, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from oasis.classroom.admission import needs_passphrase, open_classroom, set_passphrase
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.progress import course_exercises
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.work import UNVOUCHED, export_work, from_files, import_work, read_work
from oasis.classroom.proving.exercise import POINTS
from oasis.classroom.proving.words import clock
from oasis.classroom.register.habits import habit
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.overview import Total, total
from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import COMMANDS, bindings
from tui.phrases import clipped, file_of
from tui.screens.data_dialogs import BringBack, ChangePassphrase
from tui.screens.room import Room, SignedOut
from tui.screens.student_page import StudentPage

_COMMANDS: Final = ("history", "export_work", "import_work", "passphrase", "theme", "store", "sign_out")
_OF_EARLIER_WORK: Final = ("history", "export_work", "import_work")
"""What leads to proofs that were made before, or brings some."""

_Answer = TypeVar("_Answer")


class Data(Room):
    """What the student has done on the left, what can be done with it on the right."""

    PLACE = "data"
    ABOUT = (
        "Your own work: what you have done, a file of it to take along, and that file brought back, here or in another "
        "classroom. Nothing is lost or counted twice by that; what has come from a file says so. "
        "Everything is stored while you work; there is no need to save anything."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(*_COMMANDS)

    def compose_place(self) -> ComposeResult:
        """Results, commands, and what came of the last one."""
        with Horizontal(id="own"):
            with VerticalScroll(id="results") as results:
                results.border_title = "What you have done"
                yield Static(id="summary", markup=False)
                yield Static(id="habit", markup=False)
                yield Static(id="preferences", markup=False)
            with Vertical(id="own-commands"):
                yield OptionList(id="commands", markup=False)
                yield Static(id="about-command", markup=False)
        yield Static(id="data-said", markup=False)

    @property
    def desk(self) -> Desk:
        """The student's."""
        return self.session.seat.desk

    def arrive(self) -> None:
        """Show how things stand now."""
        self.refresh_bindings()
        self._show_commands()
        try:
            self._show_results()
        except StoreError as error:
            self._say(str(error), "$error")
        if self.session.is_exam:
            self._say("In an exam nobody looks back, takes work along or brings it back; after it all is there again.")
        if self.desk.trouble:
            self._say(f"{self.desk.trouble} Nothing is lost yet; s tries again.", "$error")
        self.query_one("#commands").focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is something to store only after trouble, and in an exam what was done before is not at hand."""
        if action in _OF_EARLIER_WORK:
            return not self.session.is_exam
        if action == "store":
            return bool(self.session.seat.desk.trouble)
        return super().check_action(action, parameters)

    # What is shown.

    def _show_results(self) -> None:
        results = self.desk.results()
        by_place: dict[str, list[Result]] = {}
        for (place, _, _), result in results.items():
            if result.attempts:
                by_place.setdefault(place, []).append(result)
        if by_place:
            asked = self._asked
            sums = {place: total(theirs, asked[place]) for place, theirs in by_place.items()}
            rows = [self._row(self.session.place_title(place), each) for place, each in sums.items()]
            altogether = total(results.values(), sum(each.asked for each in sums.values()))
            head = Content.styled(f"{'':<17}{'done':>7}{'points':>8}{'attempts':>9}{'time':>8}", "dim")
            lines = [head, *map(Content, rows), Content.styled(self._row("all", altogether), "bold")]
            if not all(result.is_shown for result in results.values()):
                lines.append(Content.styled("The points of an exam are told when your teacher shows them.", "dim"))
            if brought := from_files(self.desk):
                lines.append(Content.styled(f"From a file: {brought:,} of these attempts.", "dim"))
        else:
            lines = [Content("Nothing yet. L leads to the lemmas; what you do there is stored at once.")]
        self.query_one("#summary", Static).update(Content("\n").join(lines))
        self.query_one("#preferences", Static).update(self._about_files())
        self._show_habit()

    @work(exclusive=True, group="habit")
    async def _show_habit(self) -> None:
        """What the student did in vain more than once, if anything; in an exam nothing."""
        found = None if self.session.is_exam else await self._ask(lambda marks: habit(marks.proofs()))
        shown = self.query_one("#habit", Static)
        shown.display = found is not None
        if found is not None:
            told = found.sentence(self.session.look.notation)
            shown.update(Content.assemble(("\nA habit that cost you moves\n", "bold"), told))

    @property
    def _asked(self) -> Counter[str]:
        """How many exercises there are in each world of the course and in each lesson."""
        given = (entry.exercise for lesson in self.session.lessons for entry in lesson.exercises)
        return Counter(exercise.place for exercise in (*course_exercises(), *given))

    def _row(self, title: str, sums: Total) -> str:
        name = clipped(title, 16, self.session.look.mark("rest"))
        done, points = f"{sums.done}/{sums.asked}", f"{sums.points}/{POINTS * sums.asked}"
        return f"{name:<17}{done:>7}{points:>8}{sums.attempts:>9}{clock(sums.seconds):>8}"

    def _about_files(self) -> Content:
        """Where things are kept, for those whose files these are."""
        setup = self.session.setup
        if setup.account is None:
            return Content("")
        parts: list[str | tuple[str, str]] = [("\nYour work is in\n", "dim"), f"{setup.database}\n"]
        if setup.preferences is not None:
            parts += [("Colours and keys are in\n", "dim"), f"{setup.preferences}\n"]
            parts += [("for example\n", "dim"), 'theme = "nord"\nascii = false\n[keys]\nundo = "ctrl+z"']
        return Content.assemble(*parts)

    def _show_commands(self) -> None:
        """Each with its key."""
        listed = self.query_one("#commands", OptionList)
        place = listed.highlighted
        listed.clear_options()
        for active in self.active_bindings.values():
            name = active.binding.id or ""
            if name in _COMMANDS:
                key = self.app.get_key_display(active.binding)
                listed.add_option(Option(Content.assemble((f"{key:<3}", "bold"), COMMANDS[name].label), name))
        listed.highlighted = min(place or 0, listed.option_count - 1)

    @on(OptionList.OptionHighlighted, "#commands")
    def _explain(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#about-command", Static).update(COMMANDS[event.option_id or ""].about)

    @on(OptionList.OptionSelected, "#commands")
    async def _choose(self, event: OptionList.OptionSelected) -> None:
        await self.run_action(event.option_id or "")

    def _say(self, text: str, style: str = "") -> None:
        self.query_one("#data-said", Static).update(Content.styled(text, style))

    # What can be done.

    async def _apart(self, what: Callable[[Desk], _Answer]) -> _Answer:
        """Something at this desk that may take long: in a thread, over a connection of its own."""
        path, desk = self.session.setup.database, self.desk

        def do() -> _Answer:
            with open_classroom(path) as store:
                return what(Desk(store, desk.student))

        return await self.session.apart(do)

    async def _ask(self, question: Callable[[Marks], _Answer]) -> _Answer | None:
        """What the student's own marks say; None if they could not be read, which is said."""
        try:
            return await self._apart(lambda desk: question(Marks(desk.store, student=desk.student)))
        except (StoreError, InputError) as error:
            self._say(str(error), "$error")
            return None

    def action_history(self) -> None:
        """Look back at every attempt."""
        self.desk.save()
        self.app.push_screen(StudentPage(self.session, self.desk.name, self._ask, is_own=True))

    @work(exclusive=True, group="export")
    async def action_export_work(self) -> None:
        """Save it as a file, also what could not be stored."""
        try:
            text = await self._apart(export_work) if self.desk.save() else export_work(self.desk)
        except StoreError as error:
            self._say(str(error), "$error")
            return
        self.session.save(text, file_of(self.desk.name))
        self._say("Everything that you have done is in this file.", "$success")

    def action_import_work(self) -> None:
        """Read a file."""
        self.app.push_screen(BringBack(self._bring_back, has_files=self.session.setup.account is not None))

    async def _bring_back(self, text: str) -> None:
        """Raises WorkError or StoreError."""
        self.desk.save()
        imported = await self._apart(lambda desk: import_work(desk, read_work(text, desk.name)))
        self._say(f"Attempts brought back: {imported}.{f' {UNVOUCHED}' if imported.new else ''}", "$success")

    def action_passphrase(self) -> None:
        """Change it."""
        try:
            has_one = needs_passphrase(self.desk.store, self.desk.name)
        except StoreError as error:
            self._say(str(error), "$error")
            return
        self.app.push_screen(ChangePassphrase(self._change_passphrase, has_one=has_one))

    async def _change_passphrase(self, new: str, old: str | None) -> None:
        """Raises NotAdmitted, InputError or StoreError."""
        await self._apart(lambda desk: set_passphrase(desk, new, old=old, origin=self.session.setup.origin))
        self._say("This is your passphrase from now on; remember it.", "$success")

    def action_theme(self) -> None:
        """Choose one."""
        self.app.action_change_theme()

    def action_store(self) -> None:
        """Try again."""
        if self.desk.save():
            self._say("Everything is stored now.", "$success")
        self.arrive()
        self.refresh_bindings()

    def action_sign_out(self) -> None:
        """Let somebody else sit here, if nothing of this student's would be lost by it."""
        if self.desk.save():
            self.post_message(SignedOut())
        else:
            self.arrive()
