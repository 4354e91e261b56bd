"""The class: what its teacher sees of everybody, who has come in by the teacher's door and is no student."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import chain
from time import monotonic
from typing import ClassVar, Final, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from oasis.classroom.lessons.checking import Checked, check
from oasis.classroom.lessons.exams import WHEN_SHOWN
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.register.examining import ExaminerGone
from oasis.classroom.register.mistakes import Mistakes
from oasis.classroom.register.overview import altogether, class_view
from oasis.classroom.register.register import Problem, Register
from oasis.classroom.register.results import results_csv
from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import bindings
from tui.open_register import OpenRegister
from tui.screens.class_list import LIST, ClassList
from tui.screens.room import SignedOut
from tui.session import Session
from tui.widgets.class_sheets import Examined
from tui.widgets.key_bar import KeyBar
from tui.widgets.office import SECTIONS, Office
from tui.widgets.sheet import Sheet

RENEWED: Final = 2.0
"""Seconds after which the class is read again."""
EXAMINED: Final = 1.0
"""Seconds for the wrong moves at one problem; what is found out is kept, so that the next look goes further."""
REDRAWN: Final = 0.5
"""Seconds between two drawings while the problems are gone through."""

_SHEETS: Final = ("save_students", "save_problems", "save_class")
_SECTION_OF: Final = {"new_lesson": "exercises", **dict.fromkeys(LIST, "students")}
"""The only section in which a command is there."""

_Answer = TypeVar("_Answer")


class Teach(ClassList):
    """A line that sums the class up, and a sheet for each section."""

    AUTO_FOCUS = ""
    AT_THE_TOP = SECTIONS
    ABOUT = (
        "The class, for its teacher. Enter on a student shows what came of each problem and each attempt at it, on a "
        "problem the wrong moves at it, on an exercise of the lesson all that is known of it, and on a state at which "
        "students are failing now what they tried. Working "
        "is who has a tab open and pressed a key within five minutes; stuck who met a refusal or a dead end, took "
        "moves back or asked for hints, and has not got further for two minutes; idle who has no tab open any more, or "
        "pressed no key for five minutes. Late counts what was done "
        "after its date and what is overdue, which is past its date and not done. Points are those "
        "of the best attempt at each problem; claims are wrong ones, that a lemma has no proof although it has. With a "
        "lesson, all numbers of students are of its exercises alone, which are also the first of the problems. An "
        "asterisk before attempts says that some have come from a file. Where there are several lessons, each can be "
        "looked at alone, and then what is saved is of that one, too."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        *SECTIONS,
        "sort",
        "turn_round",
        "one_lesson",
        "one_group",
        "new_lesson",
        "renew",
        "show_results",
        *_SHEETS,
        *LIST,
        "maxims",
        "lock",
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._examined: dict[str, Examined] = {}
        self._checked: list[Checked] | None = None
        self._one = ""
        """The name of the lesson that alone is looked at; empty for all."""
        self._group, self._groups = "", list[str]()
        """The group that alone is looked at, empty for all, and those that there are."""
        self._most: str | None = None
        """The key of the problem with most wrong moves, if they are shown because nobody has chosen another one."""
        self._seeks_most = False
        self._reading = self._examining = self._watching = self._is_sure = False

    def compose(self) -> ComposeResult:
        """The class between two lines."""
        yield Static("The class", id="altogether", markup=False)
        yield Static(id="lesson-trouble", markup=False)
        yield Office(self.session.look, self.session.place_title)
        yield KeyBar(lines=3)

    @property
    def _alone(self) -> Lesson | None:
        """The lesson that was chosen to be looked at alone, as long as it is given."""
        return next((lesson for lesson in self.session.lessons if lesson.name == self._one), None)

    @property
    def _lessons(self) -> Sequence[Lesson]:
        """The lessons that are looked at."""
        return self.session.lessons if self._alone is None else [self._alone]

    def on_mount(self) -> None:
        """Look again every few seconds."""
        self.set_interval(RENEWED, self._look_again)
        self._office.open("students")
        self._show_trouble()

    def on_screen_resume(self) -> None:
        """Somebody comes here, or back."""
        self._look_again()

    def follow_lessons(self) -> None:
        """Ask the class other lessons, whatever lies on top."""
        self._checked = None
        self._show_trouble()
        self._follow()

    def _show_trouble(self) -> None:
        line, trouble = self.query_one("#lesson-trouble", Static), self.session.following.trouble
        line.update(trouble)
        line.display = bool(trouble)

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        await self.session.register.follow(self._lessons, are_alone=self._alone is not None, group=self._group)
        if self._office.section == "exercises":
            self._check()
        self._look_again()

    def action_lock(self) -> None:
        """Let somebody else come in."""
        self.workers.cancel_node(self)
        self.post_message(SignedOut())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The list and the lesson are changed where they are seen, and there may be no other lesson."""
        if action == "one_lesson":
            return len(self.session.lessons) > 1
        if action == "one_group":
            return bool(self._groups)
        if action == "show_results":
            return bool(self._hidden)
        return action not in _SECTION_OF or self._office.section == _SECTION_OF[action]

    # Sections.

    def action_students(self) -> None:
        """The students."""
        self._office.open("students")

    def action_problems(self) -> None:
        """The problems."""
        self._office.open("problems")
        self._examine()

    def action_mistakes(self) -> None:
        """The wrong moves at the problem under the cursor; if nobody has put it there, at the one with most of them."""
        self._open_mistakes(is_chosen=self._office.has_chosen)

    def _open_mistakes(self, *, is_chosen: bool) -> None:
        if is_chosen or self._most not in self._examined:
            self._most = None
        self._seeks_most = not is_chosen
        self._office.open("mistakes")
        self._show_mistakes()
        self._examine()

    @property
    def _here(self) -> Examined | None:
        """The problem of which the wrong moves are shown."""
        return self._office.problem if self._most is None else self._examined.get(self._most)

    def action_exercises(self) -> None:
        """The lesson."""
        self._office.open("exercises")
        self._check()

    def action_failing(self) -> None:
        """The states at which students are failing now."""
        self._office.open("failing")
        self._office.say("Let me see who does not get on.")
        self._watch()

    def action_sort(self) -> None:
        """By the next column."""
        self._office.sheet.sort_by_next()

    def action_turn_round(self) -> None:
        """The last row first."""
        self._office.sheet.turn_round()

    def action_one_lesson(self) -> None:
        """Look at the next lesson alone, and after the last one at all of them."""
        lessons = [None, *self.session.lessons]
        following = lessons[(lessons.index(self._alone) + 1) % len(lessons)]
        self._one = "" if following is None else following.name
        self._checked = None
        self._follow()

    def action_one_group(self) -> None:
        """Look at the next group alone, and after the last one at the whole class."""
        groups = ["", *self._groups]
        self._group = groups[(groups.index(self._group) + 1) % len(groups)] if self._group in groups else ""
        self._follow()

    @property
    def _hidden(self) -> list[Lesson]:
        """The exams of which the teacher shows the points."""
        return [each for each in self._lessons if each.is_exam and each.held.results == WHEN_SHOWN]

    @work(exclusive=True, group="show")
    async def action_show_results(self) -> None:
        """Show the points of the exam to those who did it, when that is said twice."""
        titles = " and ".join(each.title for each in self._hidden)
        if not self._is_sure:
            self._is_sure = True
            self._office.say(f"{self.key_of('show_results')} again shows all students their points of {titles}.")
            return
        self._is_sure = False
        for exam in self._hidden:
            await self._ask(partial(Register.show_results, exam=exam))
        self._office.say(f"The students see their points of {titles} from now on.")

    def action_renew(self) -> None:
        """Read everything again, and look for wrong moves once more."""
        self._examined = {key: Examined(each.problem, None) for key, each in self._examined.items()}
        self._look_again()

    # What is read.

    async def _ask(self, question: Callable[[Register], _Answer]) -> _Answer | None:
        """What the register says; None if it could not be read, which is said."""
        return await self._answered(lambda register: register.ask(question))

    async def _mistakes(self, problem: Problem) -> Mistakes | None:
        """The wrong moves at a problem; None as above."""
        return await self._answered(lambda register: register.mistakes(problem, EXAMINED))

    async def _answered(self, ask: Callable[[OpenRegister], Awaitable[_Answer]]) -> _Answer | None:
        try:
            return await ask(self.session.register)
        except (StoreError, InputError, ExaminerGone) as error:
            self._office.say(str(error))
            return None

    def _look_again(self) -> None:
        if self.is_current and not self._reading:
            self._reading = True
            self._read()

    @work(group="read")
    async def _read(self) -> None:
        try:
            read = await self._ask(lambda register: (*class_view(register), register.roll.groups()))
        finally:
            self._reading = False
        if read is None or not (self.is_current and self.app.is_running):  # who comes back asks again
            return
        students, problems, groups = read
        if groups != self._groups:
            self._groups = groups
            self.refresh_bindings()
        self._examined = {each.key: self._known(each) for each in problems}
        missing = "" if self.session.lessons else " No lesson given (--lesson)."
        alone = filter(None, (self._group, "" if self._alone is None else self._alone.title))
        one = "".join(f"{each} alone: " for each in alone)
        self.query_one("#altogether", Static).update(f"{one}{altogether(students).sentence()}{missing}")
        self._office.show_students(students)
        self._show_problems()
        if self._office.section in ("problems", "mistakes"):
            self._examine()
        elif self._office.section == "failing":
            self._watch()

    def _watch(self) -> None:
        if not self._watching:
            self._watching = True
            self._look_where_they_fail()

    @work(group="watch")
    async def _look_where_they_fail(self) -> None:
        try:
            found = await self._answered(lambda register: register.failing(EXAMINED))
        finally:
            self._watching = False
        if found is not None and self._office.section == "failing":
            self._office.show_failing(found)

    def _known(self, problem: Problem) -> Examined:
        """A problem as it is now, with what was found at it before."""
        before = self._examined.get(problem.key)
        return Examined(problem, None if before is None else before.mistakes)

    def _show_problems(self) -> None:
        self._office.show_problems(list(self._examined.values()))

    def _examine(self) -> None:
        if not self._examining:
            self._examining = True
            self._look_for_mistakes()

    @work(group="examine")
    async def _look_for_mistakes(self) -> None:
        """First at the problem that is shown, then at all that nobody has looked at."""
        drawn = monotonic()
        try:
            here = self._here
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
            if self._seeks_most:
                self._most = max(self._examined, key=lambda key: self._examined[key].students_wrong, default=None)
                self._seeks_most = False
                self._show_mistakes()
        finally:
            self._examining = False

    def _show_mistakes(self) -> None:
        """Those at the problem that is meant."""
        here = self._here
        self._office.show_mistakes(None if here is None else self._examined.get(here.key))

    # The lesson.

    @work(group="check")
    async def _check(self) -> None:
        """What is known of each exercise, one after the other."""
        lessons, seconds = self._lessons, self.session.setup.seconds
        if not lessons:
            self._office.say(
                "There is no lesson; open the classroom with --lesson FILE to see one here. "
                f"{self.key_of('new_lesson')} makes one of a sheet of exercises."
            )
            return
        if self._checked is not None:
            return  # it is being looked at, or has been
        known: list[Checked] = []
        self._checked = known
        beside = self.session.lessons
        checks = chain.from_iterable(check(lesson, seconds, beside=beside) for lesson in lessons)
        count = sum(len(lesson.exercises) for lesson in lessons)
        while len(known) < count:
            self._office.say(f"Looking at exercise {len(known) + 1} of {count}.")
            known.append(await self.session.apart(next, checks))
            if self._checked is not known:
                return  # the lessons are others by now
            self._office.show_exercises(known)
        faults = sum(checked.has_error for checked in known)
        said = f"{faults} of {count} exercises cannot be given like this." if faults else "every exercise can be given."
        self._office.say(f"{', '.join(lesson.title for lesson in lessons)}: {said}")

    def action_new_lesson(self) -> None:
        """Make a lesson of a sheet."""
        from tui.screens.lesson_form import LessonFromSheet

        session = self.session
        self.app.push_screen(LessonFromSheet(session.apart, session.setup.seconds, session.look, session.save))

    # More of a row.

    @on(Sheet.RowSelected, "#students")
    async def _show_student(self) -> None:
        from tui.screens.student_page import StudentPage

        student = self._office.student
        if student is not None:
            await self.app.push_screen(StudentPage(self.session, student.where.name, self._ask))

    @on(Sheet.RowSelected, "#problems")
    def _show_wrong_moves(self) -> None:
        self._open_mistakes(is_chosen=True)

    @on(Sheet.RowSelected, "#exercises")
    async def _show_exercise(self) -> None:
        from tui.screens.dialogs import Reading

        sheet = self._office.exercises
        checked = sheet.checked
        if checked is not None:
            text = sheet.in_full(checked, max(20, self.size.width - 16))
            await self.app.push_screen(Reading(checked.exercise.name, text))

    @on(Sheet.RowSelected, "#failing")
    async def _show_failing(self) -> None:
        from tui.screens.failing_page import FailingPage

        failing = self._office.failing
        if failing is not None:
            await self.app.push_screen(FailingPage(self.session, failing))

    def action_maxims(self) -> None:
        """What the agents have learned, in words."""
        from tui.screens.maxims import Maxims

        self.app.push_screen(Maxims(self.session))

    # Spreadsheets.

    @work(exclusive=True, group="save")
    async def action_save_class(self) -> None:
        """What each student has done all in all."""
        self._deliver(await self._ask(lambda register: results_csv(register, "class")), "class.csv")

    @work(exclusive=True, group="save")
    async def action_save_students(self) -> None:
        """What each student has made of each problem."""
        self._deliver(await self._ask(lambda register: results_csv(register, "student")), "students.csv")

    @work(exclusive=True, group="save")
    async def action_save_problems(self) -> None:
        """How each problem went, with the commonest wrong moves."""
        self._office.say("Looking for wrong moves at every problem.")
        found = {each.key: await self._mistakes(each.problem) for each in list(self._examined.values())}

        def known(problem: Problem) -> Mistakes:
            return found.get(problem.key) or Mistakes((), 0, problem.attempts, 0)

        self._deliver(await self._ask(lambda register: results_csv(register, "problem", known)), "problems.csv")

    def _deliver(self, text: str | None, name: str) -> None:
        if text is not None:
            self.session.save(text, name)
            self._office.say("" if self.session.is_local else f"{name} goes to your downloads.")  # here it says where
