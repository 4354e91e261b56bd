"""Class: what the teacher sees of everybody. It opens with the teacher's passphrase, and locks when it is left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import ClassVar, Final, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import ContentSwitcher

from oasis.classroom.lessons.checking import Checked, check
from oasis.classroom.people.roll import Roll
from oasis.classroom.register.examining import ExaminerGone
from oasis.classroom.register.mistakes import Mistakes
from oasis.classroom.register.overview import Overview, overview
from oasis.classroom.register.register import Problem, Register
from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import bindings
from tui.open_register import OpenRegister
from tui.screens.form import Form
from tui.screens.room import Room
from tui.widgets.class_sheets import Examined
from tui.widgets.door import Door
from tui.widgets.office import SECTIONS, Office
from tui.widgets.sheet import Sheet

RENEWED: Final = 3.0
"""Seconds after which the class is read again."""
EXAMINED: Final = 1.0
"""Seconds for the wrong moves at one problem; what is found out is kept, so that the next look goes further."""
REDRAWN: Final = 0.5
"""Seconds between two drawings while the problems are gone through."""

_LIST: Final = ("add_students", "new_passphrase", "rename_student", "dismiss_student")
_UNLOCKED: Final = (*SECTIONS, "sort", "turn_round", "renew", "save_students", "save_problems", *_LIST, "lock")

_Answer = TypeVar("_Answer")


class Teach(Room):
    """A door with a passphrase, and behind it a sheet for each section."""

    AUTO_FOCUS = ""
    PLACE = "teach"
    ABOUT = (
        "The class, for its teacher. Enter on a student shows what came of each problem and each attempt at it, on a "
        "problem the wrong moves at it, and on an exercise of the lesson all that is known of it. Points are those of "
        "the best attempt at each problem; claims are wrong ones, that a lemma has no proof although it has. With a "
        "lesson, done and points are of its exercises alone. An asterisk before tries says that some were done "
        "elsewhere and brought along. Leaving this place locks it."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(*_UNLOCKED, "unfocus")

    def __init__(self) -> None:
        super().__init__()
        self._register: OpenRegister | None = None
        self._class: list[Overview] = []
        self._examined: dict[str, Examined] = {}
        self._checked: list[Checked] | None = None
        self._reading = self._examining = False

    def compose_place(self) -> ComposeResult:
        """The door, and what is behind it."""
        with ContentSwitcher(initial="door", id="office"):
            yield Door()
            yield Office(self.classroom.look)

    @property
    def _door(self) -> Door:
        return self.query_one(Door)

    @property
    def _office(self) -> Office:
        return self.query_one(Office)

    def on_mount(self) -> None:
        """Look again every few seconds."""
        self.set_interval(RENEWED, self._look_again)

    # The door.

    def arrive(self) -> None:
        """Ask for the passphrase, unless the teacher has been here all the time."""
        if self._register is not None:
            self._look_again()
            return
        try:
            self._door.receive(can_open=self.classroom.store.teacher() is not None)
        except StoreError as error:
            self._door.say(str(error))

    @on(Door.Knocked)
    def _knock(self, event: Door.Knocked) -> None:
        self._unlock(event.passphrase)

    @work(exclusive=True, group="door")
    async def _unlock(self, passphrase: str) -> None:
        setup = self.classroom.setup
        register = OpenRegister(setup.database, str(self.classroom.seat.desk.student), setup.lesson)
        try:
            await register.unlock(passphrase)
            self._register = register
        except (InputError, StoreError) as error:
            self._door.say(str(error))
        finally:
            if self._register is not register:
                register.close()
        if self._register is register:
            self.query_one("#office", ContentSwitcher).current = "class"
            self._office.open("students")
            self._look_again()

    def action_lock(self) -> None:
        """Lock the class, and leave nothing of it behind."""
        self.workers.cancel_node(self)
        if self._register is not None:
            self._register.close()
        self._register, self._class, self._examined, self._checked = None, [], {}, None
        self._reading = self._examining = False
        self._door.close()
        self._office.clear()
        self.query_one("#office", ContentSwitcher).current = "door"
        self.refresh_bindings()
        if self.is_current:
            self.arrive()

    def on_screen_suspend(self) -> None:
        """Lock when somebody goes elsewhere; what is only in front of this place does not count."""
        if self.app.current_mode != self.PLACE:
            self.action_lock()

    def on_unmount(self) -> None:
        """The classroom is closed, or another student will come."""
        if self._register is not None:
            self._register.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What belongs to the class can be done behind the door alone."""
        if action in _LIST and self._office.section != "students":
            return False
        return action not in _UNLOCKED or self._register is not None

    def action_unfocus(self) -> None:
        """Leave the line that is typed in; behind the door there is none."""
        if self._register is None:
            self.set_focus(None)

    # Sections.

    def action_students(self) -> None:
        """The students."""
        self._office.open("students")

    def action_problems(self) -> None:
        """The problems."""
        self._office.open("problems")
        self._examine()

    def action_mistakes(self) -> None:
        """The wrong moves at one problem."""
        self._office.open("mistakes")
        self._show_mistakes()
        self._examine()

    def action_exercises(self) -> None:
        """The lesson."""
        self._office.open("exercises")
        self._check()

    def action_sort(self) -> None:
        """By the next column."""
        self._office.sheet.sort_by_next()

    def action_turn_round(self) -> None:
        """The last row first."""
        self._office.sheet.turn_round()

    def action_renew(self) -> None:
        """Read everything again, and look for wrong moves once more."""
        self._examined = {key: Examined(each.problem, None) for key, each in self._examined.items()}
        self._look_again()

    # What is read.

    async def _ask(self, question: Callable[[Register], _Answer]) -> _Answer | None:
        """What the register says; None if it could not be read, which is said, or has been closed meanwhile."""
        return await self._answered(lambda register: register.ask(question))

    async def _mistakes(self, problem: Problem) -> Mistakes | None:
        """The wrong moves at a problem; None as above."""
        return await self._answered(lambda register: register.mistakes(problem, EXAMINED))

    async def _answered(self, ask: Callable[[OpenRegister], Awaitable[_Answer]]) -> _Answer | None:
        register = self._register
        if register is None:
            return None
        try:
            answer = await ask(register)
        except (StoreError, InputError, ExaminerGone) as error:
            if self._register is register:
                self._office.say(str(error))
            return None
        return answer if self._register is register else None

    def _look_again(self) -> None:
        if self._register is not None and self.is_current and not self._reading:
            self._reading = True
            self._read()

    @work(group="read")
    async def _read(self) -> None:
        try:
            read = await self._ask(_class_and_problems)
        finally:
            self._reading = False
        if read is None:
            return
        self._class, problems = read
        self._examined = {each.key: self._known(each) for each in problems}
        self._office.show_students(self._class)
        self._show_problems()
        if self._office.section in ("problems", "mistakes"):
            self._examine()

    def _known(self, problem: Problem) -> Examined:
        """A problem as it is now, with what was found at it before."""
        before = self._examined.get(problem.key)
        return Examined(problem, None if before is None else before.mistakes)

    def _show_problems(self) -> None:
        self._office.show_problems(list(self._examined.values()))

    def _examine(self) -> None:
        if self._register is not None and not self._examining:
            self._examining = True
            self._look_for_mistakes()

    @work(group="examine")
    async def _look_for_mistakes(self) -> None:
        """First at the problem under the cursor, then at all that nobody has looked at."""
        drawn = monotonic()
        try:
            here = self._office.problem
            rest = [each.key for each in self._examined.values() if each.mistakes is None]
            for key in dict.fromkeys([*([here.key] if here is not None else []), *rest]):
                if key not in self._examined:
                    continue
                problem = self._examined[key].problem
                found = await self._mistakes(problem)
                if found is None:
                    return
                self._examined[key] = Examined(problem, found)
                if here is not None and key == here.key:
                    self._show_mistakes()
                if monotonic() - drawn > REDRAWN:
                    self._show_problems()
                    drawn = monotonic()
            self._show_problems()
        finally:
            self._examining = False

    def _show_mistakes(self) -> None:
        """Those at the problem under the cursor."""
        here = self._office.problem
        self._office.show_mistakes(None if here is None else self._examined.get(here.key))

    # The lesson.

    @work(group="check")
    async def _check(self) -> None:
        """What is known of each exercise, one after the other."""
        lesson = self.classroom.setup.lesson
        if lesson is None:
            self._office.say("There is no lesson; open the classroom with oasis tui --lesson FILE to see one here.")
            return
        if self._checked is not None:
            return  # it is being looked at, or has been
        known: list[Checked] = []
        self._checked = known
        checks, count = check(lesson, self.classroom.setup.seconds), len(lesson.exercises)
        while len(known) < count:
            self._office.say(f"Looking at exercise {len(known) + 1} of {count}.")
            known.append(await asyncio.to_thread(next, checks))
            self._office.show_exercises(known)
        faults = sum(checked.has_error for checked in known)
        said = f"{faults} of {count} exercises cannot be given like this." if faults else "every exercise can be given."
        self._office.say(f"{lesson.title}: {said}")

    # More of a row.

    @on(Sheet.RowSelected, "#students")
    async def _show_student(self) -> None:
        from tui.screens.student_page import StudentPage

        student = self._office.student
        if student is not None:
            await self.app.push_screen(StudentPage(student.where.student, self._ask))

    @on(Sheet.RowSelected, "#problems")
    def _show_wrong_moves(self) -> None:
        self.action_mistakes()

    @on(Sheet.RowSelected, "#exercises")
    async def _show_exercise(self) -> None:
        from tui.screens.dialogs import Reading

        sheet = self._office.exercises
        checked = sheet.checked
        if checked is not None:
            text = sheet.in_full(checked, max(20, self.size.width - 16))
            await self.app.push_screen(Reading(checked.exercise.name, text))

    # The list of the class.

    async def _change(self, change: Callable[[Roll], _Answer]) -> _Answer:
        """Change the list. Raises InputError and StoreError."""
        assert self._register is not None, "nobody locks the class behind a form"
        return await self._register.ask(lambda register: change(register.roll))

    def _change_student(self, form: Callable[[str], Form]) -> None:
        student = self._office.student
        if student is not None:
            self.app.push_screen(form(student.where.student))

    def action_add_students(self) -> None:
        """New students."""
        from tui.screens.roll_dialogs import AddStudents

        self.app.push_screen(AddStudents(lambda names: self._change(lambda roll: roll.add(names)), self.classroom.save))

    def action_new_passphrase(self) -> None:
        """Another passphrase for who has forgotten it."""
        from tui.screens.roll_dialogs import ResetPassphrase

        save, change = self.classroom.save, self._change
        self._change_student(
            lambda name: ResetPassphrase(name, lambda: change(lambda roll: roll.reset(name)), save),
        )

    def action_rename_student(self) -> None:
        """Another name."""
        from tui.screens.roll_dialogs import RenameStudent

        change = self._change
        self._change_student(lambda name: RenameStudent(name, lambda new: change(lambda roll: roll.rename(name, new))))

    def action_dismiss_student(self) -> None:
        """Off the list."""
        from tui.screens.roll_dialogs import Confirm

        about = (
            "{} is not let in any more, but who is in can go on until they leave. All work is kept, and is there again "
            "after oasis classroom students readmit on the machine of the class."
        )
        change = self._change
        self._change_student(
            lambda name: Confirm(
                "Off the list", about.format(name), "Take off the list", lambda: change(lambda roll: roll.dismiss(name))
            )
        )

    # Spreadsheets.

    @work(exclusive=True, group="save")
    async def action_save_students(self) -> None:
        """What each student has made of each problem."""
        text = await self._ask(Register.student_csv)
        self._deliver(text, "students.csv")

    @work(exclusive=True, group="save")
    async def action_save_problems(self) -> None:
        """How each problem went, with the commonest wrong moves."""
        self._office.say("Looking for wrong moves at every problem.")
        found = {each.key: await self._mistakes(each.problem) for each in list(self._examined.values())}

        def known(problem: Problem) -> Mistakes:
            return found.get(problem.key) or Mistakes((), 0, problem.attempts, 0)

        self._deliver(await self._ask(lambda register: register.problem_csv(known)), "problems.csv")

    def _deliver(self, text: str | None, name: str) -> None:
        if text is not None:
            self.classroom.save(text, name)
            self._office.say(f"{name} goes to your downloads.")


def _class_and_problems(register: Register) -> tuple[list[Overview], list[Problem]]:
    return overview(register.whereabouts(), register.marks()), register.problems()
