"""Learn: the worlds of the course and the lessons of the class, what is done in them, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import set_cell_size
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from oasis.classroom.desk.notes import FROM_TEACHER
from oasis.classroom.desk.progress import WorldProgress, called, exercises, progress, sayings
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import REFUTED, problem_key
from oasis.classroom.lessons.exams import ALONE, Standing
from oasis.classroom.lessons.lesson import in_words, own_words, shared
from oasis.classroom.proving.exercise import POINTS, Exercise, Terms
from oasis.classroom.proving.words import moves
from tactics.rules import SPEAKING
from tui.look import Look
from tui.phrases import clipped, short
from tui.screens.room import Room
from tui.widgets.lemmas import Lemmas, Row
from tui.widgets.passage import Passage

_HOW: Final = "Enter begins the lemma under the cursor; the arrows and Tab move it. I explains the tactics."
_CLOSED: Final = "This exam is closed: what was done by then is handed in, and nothing more counts."
_TITLE: Final = 18
"""Columns for the title of a chapter; a longer one has a second line, so that what is done of it is always seen."""


@dataclass(frozen=True)
class _Chapter:
    """A lesson, or a world of the course.

    Attributes:
        title: of it.
        about: what a student should know of it as a whole.
        exercises: in their order.
        results: what came of each.
        common: the terms that its text tells; None if it tells none.
        is_open: whether a student may begin.
        closed_because: what has to come before; empty if nothing.
    """

    title: str
    about: str
    exercises: Sequence[Exercise]
    results: Sequence[Result | None]
    common: Terms | None = None
    is_open: bool = True
    closed_because: str = ""

    @property
    def done(self) -> int:
        """How many exercises are done."""
        return sum(bool(result and result.outcome) for result in self.results)

    def own(self, place: int | None) -> str:
        """What is different for one exercise; empty if nothing."""
        if self.common is None or place is None:
            return ""
        words = own_words(self.exercises[place].terms, self.common)
        return " ".join(["For this one:", *words]) if words else ""


class Learn(Room):
    """Chapters on the left, the lemmas of one on the right."""

    PLACE = "learn"
    ABOUT = (
        "Choose a world or a lesson on the left with the arrows and Enter, then a lemma on the right. A world opens "
        "when all but two lemmas of the one before are done. Some lemmas have no proof: they are done when you say so."
    )

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "enter_list('chapters')", "Worlds", show=False),
        Binding("right", "enter_list('lemmas')", "Lemmas", show=False),
    ]

    def compose_place(self) -> ComposeResult:
        """Chapters, and the lemmas of one."""
        with Horizontal(id="course"):
            with Vertical(id="where-and-who"):
                yield OptionList(id="chapters", markup=False)
                yield Static(id="who-works", markup=False)
            with Vertical(id="chapter"):
                yield Passage(self.session.look, "about")
                yield Lemmas(self.session.look, "lemmas")
                yield Passage(self.session.look, "how")

    def about(self) -> str:
        """What is left out where there is no room for it stands in the help."""
        told = self._of_the_lemma(self.query_one(Lemmas).highlighted)
        return "\n".join(filter(None, [f"{self.ABOUT}\n", self._shown.title, self._shown.about, *told]))

    def arrive(self) -> None:
        """Show what is done by now, with the next lemma under the cursor."""
        self._say_who_works()
        self._chapters = self._read()
        chapters = self.query_one("#chapters", OptionList)
        chapters.border_title = "Exam" if self.session.is_exam else "Worlds"
        chapters.clear_options()
        chapters.add_options([Option(_title(chapter, self.session.look)) for chapter in self._chapters])
        chapters.highlighted = self._current()
        self.query_one("#lemmas", OptionList).focus()

    def _say_who_works(self) -> None:
        """Say under whose name work is kept, where nobody was asked, and how somebody else comes in."""
        setup, said = self.session.setup, self.query_one("#who-works", Static)
        said.display = self.session.is_local and setup.student is None
        said.update(
            f"You work here as {self.session.seat.desk.name}.\n"
            f"{self.key_of('data')}, then {self.key_of('sign_out')}: somebody else."
        )

    def _read(self) -> list[_Chapter]:
        results = self.session.seat.desk.results()
        chapters = []
        for lesson in self.session.open_lessons:
            exam = self.session.exams.exam(lesson.name)
            standing = None if exam is None else exam.standing(self.session.seat.desk.name)
            held = [] if exam is None else exam.terms.in_words(self.session.seat.desk.name)
            if standing is Standing.BEFORE:  # what it asks is not told yet
                about = f"{lesson.about}\n{' '.join([ALONE, *held])}".strip()
                chapters.append(_Chapter(lesson.title, about, [], [], is_open=False, closed_because=str(standing)))
                continue
            tasks = self.session.seat.desk.given(lesson)
            done = [results.get(problem_key(task)) for task in tasks]
            common = shared(tasks)
            alone = [ALONE] if standing is Standing.OPEN else [_CLOSED] if standing is Standing.CLOSED else []
            about = f"{lesson.about}\n{' '.join([*alone, *held, *in_words(common)])}".strip()
            chapters.append(_Chapter(lesson.title, about, tasks, done, common))
        if self.session.is_exam:
            return chapters
        if extra := self.session.sent(self.session.seat.desk):
            done = [results.get(problem_key(task)) for task in extra]
            chapters.append(_Chapter(FROM_TEACHER, "Lemmas that your teacher has sent to you.", extra, done))
        worlds = progress(results)
        for before, world in zip([None, *worlds], worlds, strict=False):
            chapters.append(_chapter(world, before, self.session.look))
        return chapters

    def _current(self) -> int:
        """The chapter to show first: that of the exercise at hand, or the first that is not done."""
        exercise = self.session.seat.exercise
        for place, chapter in enumerate(self._chapters):
            if exercise in chapter.exercises and chapter.done < len(chapter.exercises):
                return place
        open_ones = [n for n, chapter in enumerate(self._chapters) if chapter.is_open]
        return next((n for n in open_ones if self._chapters[n].done < len(self._chapters[n].exercises)), 0)

    @on(OptionList.OptionHighlighted, "#chapters")
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        chapter = self._shown = self._chapters[event.option_index]
        self.query_one("#about", Passage).show(chapter.about)
        lemmas = self.query_one(Lemmas)
        lemmas.border_title = chapter.title if chapter.is_open else f"{chapter.title} ({chapter.closed_because})"
        rows = zip(chapter.exercises, chapter.results, strict=True)
        lemmas.show([_row(task, result, self.session.look) for task, result in rows], is_open=chapter.is_open)
        undone = [n for n, result in enumerate(chapter.results) if not (result and result.outcome)]
        if chapter.is_open and chapter.exercises:
            lemmas.highlighted = undone[0] if undone else 0
        self._say_how()

    @on(OptionList.OptionHighlighted, "#lemmas")
    def _say_how(self) -> None:
        """What is different for the lemma under the cursor, what is known of it, and what can be done with it."""
        chapter, place = self._shown, self.query_one(Lemmas).highlighted
        closed = ""
        if chapter.exercises:  # else it is an exam, which says when it opens
            closed = f"This world {chapter.closed_because}: when all but two of its lemmas are done."
        told = [*self._of_the_lemma(place), _HOW if chapter.is_open else closed]
        self.query_one("#how", Passage).show("\n".join(filter(None, told)))

    def _of_the_lemma(self, place: int | None) -> list[str]:
        """What is said of one lemma of the chapter; its name and its two sentences when it is done."""
        if place is None:
            return []
        chapter, lemmas, look = self._shown, self.query_one(Lemmas), self.session.look
        task, result = chapter.exercises[place], chapter.results[place]
        whole = [look.formula(task.formula)] if lemmas.is_cut_off(place) else []
        if result is None or not result.outcome:
            return [*whole, chapter.own(place)]
        said = sayings(task.place, task.name, look.notation)
        named = [f"{short(task.name)}:", *said] if said else []
        return [*whole, " ".join(named), chapter.own(place)]

    @on(OptionList.OptionSelected, "#chapters")
    def _enter(self) -> None:
        self.action_enter_list("lemmas")

    def action_enter_list(self, name: str) -> None:
        """Have the arrows move the cursor among the worlds, or among the lemmas."""
        self.query_one(f"#{name}", OptionList).focus()

    @on(OptionList.OptionSelected, "#lemmas")
    async def _begin(self, event: OptionList.OptionSelected) -> None:
        chapter = self._shown
        with self.told():
            self.session.seat.take(chapter.exercises[event.option_index], chapter.exercises)
            await self.app.switch_mode("prove")


def _chapter(world: WorldProgress, before: WorldProgress | None, look: Look) -> _Chapter:
    tactics = ", ".join(SPEAKING.get(rule, rule) for rule in world.rules)
    about = f"{world.about}\nNew tactics: {tactics}." if tactics else world.about
    closed = "" if before is None else f"opens after {before.title}"
    return _Chapter(
        world.title,
        about,
        exercises(world.name),
        [entry.result for entry in world.entries],
        is_open=world.is_open,
        closed_because=closed,
    )


def _title(chapter: _Chapter, look: Look) -> Content:
    is_done = bool(chapter.exercises) and chapter.done == len(chapter.exercises)
    mark = "done" if is_done else "todo" if chapter.is_open else "locked"
    style = "$success" if mark == "done" else "" if chapter.is_open else "dim"
    first, *more = Content(chapter.title).wrap(_TITLE) or [Content("")]
    count = f"{chapter.done}/{len(chapter.exercises)}"
    lines = [f"{look.mark(mark)} {set_cell_size(first.plain.rstrip(), _TITLE)}{count:>6}"]
    if more:
        rest = " ".join(line.plain.strip() for line in more)
        lines.append(f"  {clipped(rest, _TITLE, look.mark('rest'))}")
    return Content.styled("\n".join(lines), style)


def _row(task: Exercise, result: Result | None, look: Look) -> Row:
    formula, outcome = look.formula(task.formula), "" if result is None else result.outcome
    if result is None or not outcome:
        return Row(formula, False, "begun" if result and result.attempts else "", "", _name(task, is_done=False))
    if not result.is_shown:
        return Row(formula, True, "handed in", "", _name(task, is_done=True))
    said = "no proof" if outcome == REFUTED else moves(result.moves)
    said += ", late" if result.is_late(task.terms.due) else ""
    return Row(formula, True, said, f"{result.points}/{POINTS}", _name(task, is_done=True))


def _name(task: Exercise, *, is_done: bool) -> str:
    """What the lemma is called; nothing where that is its own text, or the title above the list and its number."""
    name = called(task.place, task.name, is_done=is_done)
    return "" if " " in task.name or name != task.name else short(name)
