"""Class: what the teacher sees of everybody. It opens with the teacher's passphrase, and locks when it is left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any, ClassVar, Final, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import ContentSwitcher, Input, Static

from oasis.classroom.checking import Checked, check
from oasis.classroom.mistakes import Mistakes
from oasis.classroom.overview import Overview, overview
from oasis.classroom.register import Problem, Register
from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import bindings
from tui.open_register import OpenRegister
from tui.screens.room import Room
from tui.widgets.class_sheets import Examined, problem_sheet, results_of, student_sheet
from tui.widgets.lesson_sheet import LessonSheet
from tui.widgets.secret import Secret
from tui.widgets.sections import Sections
from tui.widgets.sheet import Sheet
from tui.widgets.wrong_moves import WrongMoves

RENEWED: Final = 3.0
"""Seconds after which the class is read again."""
EXAMINED: Final = 1.0
"""Seconds for the wrong moves at one problem; what is found out is kept, so that the next look goes further."""
REDRAWN: Final = 0.5
"""Seconds between two drawings while the problems are gone through."""

SECTIONS: Final = ("students", "problems", "mistakes", "exercises")
_UNLOCKED: Final = frozenset({*SECTIONS, "sort", "turn_round", "renew", "save_students", "save_problems", "lock"})

_Answer = TypeVar("_Answer")


class Teach(Room):
    """A door with a passphrase, and behind it a sheet for each section."""

    AUTO_FOCUS = ""
    PLACE = "teach"
    ABOUT = (
        "The class, for its teacher. Enter on a student shows each of their problems, on a problem the wrong moves at "
        "it, and on an exercise of the lesson all that is known of it. Points are those of the best attempt at each "
        "problem; claims are wrong ones, that a lemma has no proof although it has. Leaving this place locks it."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        *SECTIONS, "sort", "turn_round", "renew", "save_students", "save_problems", "lock", "unfocus"
    )

    def __init__(self) -> None:
        super().__init__()
        self._register: OpenRegister | None = None
        self._class: list[Overview] = []
        self._examined: dict[str, Examined] = {}
        self._checked: list[Checked] | None = None
        self._reading = self._examining = False

    def compose_place(self) -> ComposeResult:
        """The door, and what is behind it."""
        look = self.classroom.look
        with ContentSwitcher(initial="door", id="office"):
            with Vertical(id="door"):
                yield Static("The class", id="door-title")
                yield Static(id="door-said", markup=False)
                yield Secret("The teacher's passphrase", "teacher-passphrase")
            with Vertical(id="class"):
                yield Sections(SECTIONS, look)
                with ContentSwitcher(initial="show-students", id="section"):
                    with Vertical(id="show-students"):
                        yield student_sheet(look)
                    with Vertical(id="show-problems"):
                        yield problem_sheet(look)
                    with Vertical(id="show-mistakes"):
                        yield WrongMoves(look)
                    with Vertical(id="show-exercises"):
                        yield LessonSheet(look)
                yield Static(id="class-said", markup=False)

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
            can_open = self.classroom.store.teacher() is not None
        except StoreError as error:
            self._say_at_door(str(error))
            return
        line = self.query_one("#teacher-passphrase", Secret)
        line.display = can_open
        if can_open:
            self._say_at_door("Only the teacher comes in. Type the passphrase and Enter; Esc leaves this line.")
            line.focus()
        else:
            self.set_focus(None)
            self._say_at_door(
                "The teacher has no passphrase yet, so nobody comes in. On the machine of the class, "
                "oasis classroom passphrase sets one."
            )

    @on(Input.Submitted, "#teacher-passphrase")
    def _knock(self, event: Input.Submitted) -> None:
        passphrase = event.value
        event.input.value = ""
        self._say_at_door("Let me see.")
        self._unlock(passphrase)

    @work(exclusive=True, group="door")
    async def _unlock(self, passphrase: str) -> None:
        register = OpenRegister(self.classroom.setup.database, str(self.classroom.seat.desk.student))
        try:
            await register.unlock(passphrase)
            self._register = register
        except (InputError, StoreError) as error:
            self._say_at_door(str(error))
        finally:
            if self._register is not register:
                register.close()
        if self._register is register:
            self.query_one("#office", ContentSwitcher).current = "class"
            self._open("students")
            self._look_again()

    def action_lock(self) -> None:
        """Lock the class, and leave nothing of it behind."""
        self.workers.cancel_node(self)
        if self._register is not None:
            self._register.close()
        self._register, self._class, self._examined, self._checked = None, [], {}, None
        self._reading = self._examining = False
        self.query_one("#teacher-passphrase", Secret).value = ""
        for sheet in self.query(Sheet):
            sheet.show([])
        self.query_one(WrongMoves).show(None)
        self.query_one(LessonSheet).show([])
        self._say("")
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
        return action not in _UNLOCKED or self._register is not None

    def action_unfocus(self) -> None:
        """Leave the line that is typed in."""
        self.set_focus(None)

    def _say_at_door(self, text: str) -> None:
        self.query_one("#door-said", Static).update(text)

    # Sections.

    @property
    def _section(self) -> str:
        return (self.query_one("#section", ContentSwitcher).current or "").removeprefix("show-")

    @property
    def _sheet(self) -> Sheet[Any]:
        return self.query_one(f"#{self._section}", Sheet)

    def _open(self, section: str) -> None:
        self.query_one("#section", ContentSwitcher).current = f"show-{section}"
        self.set_focus(self.query_one(f"#{section}"))
        self.query_one(Sections).show(section)
        self._say_how()

    def action_students(self) -> None:
        """The students."""
        self._open("students")

    def action_problems(self) -> None:
        """The problems."""
        self._open("problems")
        self._examine()

    def action_mistakes(self) -> None:
        """The wrong moves at one problem."""
        self._open("mistakes")
        self._show_mistakes()
        self._examine()

    def action_exercises(self) -> None:
        """The lesson."""
        self._open("exercises")
        self._check()

    def action_sort(self) -> None:
        """By the next column."""
        self._sheet.sort_by_next()
        self._say_how()

    def action_turn_round(self) -> None:
        """The last row first."""
        self._sheet.turn_round()
        self._say_how()

    def action_renew(self) -> None:
        """Read everything again, and look for wrong moves once more."""
        self._examined = {key: Examined(each.problem, None) for key, each in self._examined.items()}
        self._look_again()

    def _say(self, text: str) -> None:
        self.query_one("#class-said", Static).update(text)

    def _say_how(self) -> None:
        self._say(self._sheet.order_in_words)

    # What is read.

    async def _ask(self, question: Callable[[Register], _Answer]) -> _Answer | None:
        """What the register says; None if it could not be read, which is said, or has been closed meanwhile."""
        register = self._register
        if register is None:
            return None
        try:
            answer = await register.ask(question)
        except StoreError as error:
            self._say(str(error))
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
        self._examined = {each.uuids[0]: self._known(each) for each in problems}
        self.query_one("#students", Sheet).show(self._class)
        self._show_problems()
        if self._section in ("problems", "mistakes"):
            self._examine()

    def _known(self, problem: Problem) -> Examined:
        """A problem as it is now, with what was found at it before."""
        before = self._examined.get(problem.uuids[0])
        return Examined(problem, None if before is None else before.mistakes)

    def _show_problems(self) -> None:
        self.query_one("#problems", Sheet).show(list(self._examined.values()))

    def _examine(self) -> None:
        if self._register is not None and not self._examining:
            self._examining = True
            self._look_for_mistakes()

    @work(group="examine")
    async def _look_for_mistakes(self) -> None:
        """First at the problem under the cursor, then at all that nobody has looked at."""
        drawn = monotonic()
        try:
            here = self.query_one("#problems", Sheet).row
            rest = [each.key for each in self._examined.values() if each.mistakes is None]
            for key in dict.fromkeys([*([here.key] if here is not None else []), *rest]):
                if key not in self._examined:
                    continue
                problem = self._examined[key].problem
                found = await self._ask(partial(_mistakes, problem))
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
        row: Examined | None = self.query_one("#problems", Sheet).row
        self.query_one(WrongMoves).show(None if row is None else self._examined.get(row.key))

    # The lesson.

    @work(group="check")
    async def _check(self) -> None:
        """What is known of each exercise, one after the other."""
        lesson, sheet = self.classroom.setup.lesson, self.query_one(LessonSheet)
        if lesson is None:
            self._say("There is no lesson; open the classroom with oasis tui --lesson FILE to see one here.")
            return
        if self._checked is not None:
            return  # it is being looked at, or has been
        known: list[Checked] = []
        self._checked = known
        checks, count = check(lesson, self.classroom.setup.seconds), len(lesson.exercises)
        while len(known) < count:
            self._say(f"Looking at exercise {len(known) + 1} of {count}.")
            known.append(await asyncio.to_thread(next, checks))
            sheet.show(known)
        faults = sum(checked.has_error for checked in known)
        self._say(f"{lesson.title}: {count} exercises, {faults or 'none'} of which cannot be given like this.")

    # More of a row.

    @on(Sheet.RowSelected, "#students")
    async def _show_student(self) -> None:
        from tui.screens.dialogs import Reading

        student = self.query_one("#students", Sheet).row
        if isinstance(student, Overview):
            await self.app.push_screen(Reading(student.where.student, results_of(student.marks, self.classroom.look)))

    @on(Sheet.RowSelected, "#problems")
    def _show_wrong_moves(self) -> None:
        self.action_mistakes()

    @on(Sheet.RowSelected, "#exercises")
    async def _show_exercise(self) -> None:
        from tui.screens.dialogs import Reading

        sheet = self.query_one(LessonSheet)
        checked = sheet.checked
        if checked is not None:
            text = sheet.in_full(checked, max(20, self.size.width - 16))
            await self.app.push_screen(Reading(checked.exercise.name, text))

    # Spreadsheets.

    @work(exclusive=True, group="save")
    async def action_save_students(self) -> None:
        """What each student has made of each problem."""
        text = await self._ask(Register.student_csv)
        self._deliver(text, "students.csv")

    @work(exclusive=True, group="save")
    async def action_save_problems(self) -> None:
        """How each problem went, with the commonest wrong moves."""
        self._say("Looking for wrong moves at every problem.")
        text = await self._ask(lambda register: register.problem_csv(EXAMINED))
        self._deliver(text, "problems.csv")

    def _deliver(self, text: str | None, name: str) -> None:
        if text is not None:
            self.classroom.save(text, name)
            self._say(f"{name} goes to your downloads.")


def _mistakes(problem: Problem, register: Register) -> Mistakes:
    return register.mistakes(problem, EXAMINED)


def _class_and_problems(register: Register) -> tuple[list[Overview], list[Problem]]:
    return overview(register.whereabouts(), register.marks()), register.problems()
