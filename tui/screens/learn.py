"""Learn: the worlds of the course and the lesson of the class, what is done in them, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from oasis.classroom.exercise import Exercise
from oasis.classroom.lesson import in_words
from oasis.classroom.progress import WorldProgress, exercises, progress
from oasis.classroom.record import Result
from tui.look import Look
from tui.phrases import short
from tui.screens.room import Room

_HOW: Final = "Enter begins the lemma under the cursor; the arrows and Tab move it. I explains the tactics."


@dataclass(frozen=True)
class _Chapter:
    """The lesson, or a world of the course: its title, a text about it, its exercises, and what is done of them."""

    title: str
    about: str
    exercises: Sequence[Exercise]
    results: Sequence[Result | None]
    is_open: bool = True
    closed_because: str = ""

    @property
    def done(self) -> int:
        """How many exercises are done."""
        return sum(bool(result and result.outcome) for result in self.results)


class Learn(Room):
    """Chapters on the left, the lemmas of one on the right."""

    PLACE = "learn"
    ABOUT = (
        "Choose a world or your lesson on the left with the arrows and Enter, then a lemma on the right. A world opens "
        "when all but two lemmas of the one before are done. Some lemmas have no proof: they are done when you say so."
    )

    def compose_place(self) -> ComposeResult:
        """Chapters, and the lemmas of one."""
        with Horizontal(id="course"):
            yield OptionList(id="chapters", markup=False)
            with Vertical(id="chapter"):
                yield Static(id="about", markup=False)
                yield OptionList(id="lemmas", markup=False)
                yield Static(_HOW, id="how", markup=False)

    def arrive(self) -> None:
        """Show what is done by now, with the next lemma under the cursor."""
        self._chapters = self._read()
        chapters = self.query_one("#chapters", OptionList)
        chapters.border_title = "Worlds"
        chapters.clear_options()
        chapters.add_options([Option(_title(chapter, self.classroom.look)) for chapter in self._chapters])
        chapters.highlighted = self._current()
        self.query_one("#lemmas", OptionList).focus()

    def _read(self) -> list[_Chapter]:
        results = self.classroom.seat.desk.results()
        chapters = []
        lesson = self.classroom.setup.lesson
        if lesson is not None:
            tasks = lesson.exercises_for(self.classroom.seat.desk.name)
            done = [results.get((task.place, task.name)) for task in tasks]
            terms = " ".join(in_words(tasks[0].terms)[1:])
            chapters.append(_Chapter(lesson.title, f"{lesson.about}\n{terms}".strip(), tasks, done))
        worlds = progress(results)
        for before, world in zip([None, *worlds], worlds, strict=False):
            chapters.append(_chapter(world, before, self.classroom.look))
        return chapters

    def _current(self) -> int:
        """The chapter to show first: that of the exercise at hand, or the first that is not done."""
        exercise = self.classroom.seat.exercise
        for place, chapter in enumerate(self._chapters):
            if exercise in chapter.exercises and chapter.done < len(chapter.exercises):
                return place
        open_ones = [n for n, chapter in enumerate(self._chapters) if chapter.is_open]
        return next((n for n in open_ones if self._chapters[n].done < len(self._chapters[n].exercises)), 0)

    @on(OptionList.OptionHighlighted, "#chapters")
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        chapter = self._chapters[event.option_index]
        self.query_one("#about", Static).update(chapter.about)
        lemmas = self.query_one("#lemmas", OptionList)
        lemmas.border_title = chapter.title if chapter.is_open else f"{chapter.title} ({chapter.closed_because})"
        lemmas.clear_options()
        rows = zip(chapter.exercises, chapter.results, strict=True)
        look = self.classroom.look
        width = min(40, max([len(look.formula(task.formula)) for task in chapter.exercises], default=0))
        lemmas.add_options(
            [Option(_row(task, result, width, look), disabled=not chapter.is_open) for task, result in rows]
        )
        closed = f"This world {chapter.closed_because}: when all but two of its lemmas are done."
        self.query_one("#how", Static).update(_HOW if chapter.is_open else closed)
        undone = [n for n, result in enumerate(chapter.results) if not (result and result.outcome)]
        if chapter.is_open and chapter.exercises:
            lemmas.highlighted = undone[0] if undone else 0

    @on(OptionList.OptionSelected, "#chapters")
    def _enter(self) -> None:
        self.query_one("#lemmas", OptionList).focus()

    @on(OptionList.OptionSelected, "#lemmas")
    async def _begin(self, event: OptionList.OptionSelected) -> None:
        place = self.query_one("#chapters", OptionList).highlighted
        assert place is not None
        chapter = self._chapters[place]
        with self.told():
            self.classroom.seat.take(chapter.exercises[event.option_index], chapter.exercises)
            await self.app.switch_mode("prove")


def _chapter(world: WorldProgress, before: WorldProgress | None, look: Look) -> _Chapter:
    tactics = ", ".join(world.rules)
    about = f"{world.about}\nNew tactics: {tactics}." if tactics else world.about
    closed = "" if before is None else f"opens after {before.title}"
    return _Chapter(
        world.title, about, exercises(world.name), [entry.result for entry in world.entries], world.is_open, closed
    )


def _title(chapter: _Chapter, look: Look) -> Content:
    mark = "done" if chapter.done == len(chapter.exercises) else "todo" if chapter.is_open else "locked"
    style = "$success" if mark == "done" else "" if chapter.is_open else "dim"
    count = f"{chapter.done}/{len(chapter.exercises)}"
    return Content.assemble((f"{look.mark(mark)} ", style), (f"{chapter.title:<19}", style), (f"{count:>6}", style))


def _row(task: Exercise, result: Result | None, width: int, look: Look) -> Content:
    outcome = "" if result is None else result.outcome
    mark = Content.styled(look.mark("done" if outcome else "todo"), "$success" if outcome else "dim")
    said = {"proved": f"in {result.moves} moves  " if result else "", "refuted": "no proof  "}.get(outcome, "")
    formula = f" {look.formula(task.formula):<{width}}  "
    return Content.assemble(mark, (formula, "bold"), (f"{said}{_name(task)}", "dim"))


def _name(task: Exercise) -> str:
    """What the lemma is called; nothing where that is its own text."""
    return "" if " " in task.name else short(task.name)
