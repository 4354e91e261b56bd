"""A session: what the screens of one person have to work with, whoever signs in and out meanwhile.

Screens get it and go through it to the file of the class, to who sits here, to the provers, and to where files are
saved. It knows no screen: which of them is shown, and in which colours, is the application's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import chain, count
from math import ceil
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from platformdirs import user_downloads_path

from oasis.classroom import clock
from oasis.classroom.admission import (
    NotAdmitted,
    admit,
    admit_again,
    admit_listed,
    is_known,
    open_classroom,
    own_name,
)
from oasis.classroom.background import Background
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.keeping import KeeperBeside
from oasis.classroom.desk.notes import sent, sentence
from oasis.classroom.desk.progress import as_exercise, course_exercises, present
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import ProblemKey, kept_terms, problem_key
from oasis.classroom.lessons.exams import Exams, Standing
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import HandedLessons, PresentLessons
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.tabs import Presence
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.proving.referees import verdicts
from oasis.store import KeptNote, KeptTab, StoreError, Student
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.script import Script
from tui.look import Look
from tui.open_register import OpenRegister
from tui.phrases import place_title
from tui.seat import Seat
from tui.setup import Setup

LAST: Final = 2.0
"""Seconds for which who leaves waits until their work is stored."""

_Answer = TypeVar("_Answer")
_Arguments = ParamSpec("_Arguments")

Deliver = Callable[[str, Path | None, str], None]
"""Hands out a text as a file in a folder, or to the browser if that is None, under a name."""


class Session:
    """The classroom as one person's screens see it.

    Args:
        setup: how the classroom is opened. Raises StoreError if its file cannot be.
        deliver: hands out files.

    Attributes:
        setup: likewise.
        following: the lessons, which may change.
        store: the file of the class, for the thread of the screens.
        is_first_time: whether who sits here has never sat in this class before.
        presence: tells the class who is here; None while nobody is, or the teacher at this machine.
        room: where the student is, empty for nowhere yet.
        is_left: whether the person leaves, and the tab is not only closed.
    """

    def __init__(self, setup: Setup, deliver: Deliver) -> None:
        self.setup = setup
        self.following: PresentLessons = (
            FollowedLessons(setup.lesson_files, setup.lessons)
            if setup.handed_lessons is None
            else HandedLessons(setup.handed_lessons)
        )
        self.store = open_classroom(setup.database)
        self.is_first_time = False
        self.presence: Presence | None = None
        self.room, self.is_left = "", False
        self._in_time: Exercise | None = None
        self._standings: dict[str, Standing] = {}
        self._deliver = deliver
        self._seat: Seat | None = None
        self._register: OpenRegister | None = None
        self._keeper: KeeperBeside | None = None
        self._door, self._provers, self._apart = Background("door"), Background("provers"), Background("apart")

    @property
    def look(self) -> Look:
        """How things look."""
        return self.setup.look

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """What is to be done besides the course, as the files say now."""
        return self.following.lessons

    @property
    def exams(self) -> Exams:
        """The exams as they stand for the student."""
        return self.seat.desk.exams

    @property
    def open_lessons(self) -> tuple[Lesson, ...]:
        """The lessons that a student has: all of them, or while an exam is open that alone."""
        return self.exams.lessons(self.lessons)

    @property
    def is_exam(self) -> bool:
        """Whether a student has an exam alone now, without the course, other lessons and earlier work."""
        return self.has_seat and bool(self.exams.open)

    @property
    def gives_exam(self) -> bool:
        """Whether an exam is among the lessons that the class is given."""
        return any(lesson.is_exam for lesson in self.lessons)

    @property
    def had_exam(self) -> bool:
        """Whether an exam was open to the student when that was looked at last."""
        return Standing.OPEN in self._standings.values()

    def renew_exams(self) -> bool:
        """Look how exams stand by now; whether one has opened or closed for the student since. Raises StoreError."""
        if self._seat is None:
            return False
        self._seat.desk.renew_exams()
        before, self._standings = self._standings, self.exams.standings
        return before != self._standings

    def kept_out(self) -> str:
        """Return why the student cannot stay: an exam is open to them that was not opened here; else empty."""
        names = {lesson.name for lesson in self.lessons}
        missing = [] if self._seat is None else [exam for exam in self.exams.open if exam.place not in names]
        return f"{missing[0].keeps_out(self.seat.desk.name)} Come in where your teacher gives it." if missing else ""

    def _check_not_kept_out(self) -> None:
        """Raises NotAdmitted for who has an exam elsewhere, and StoreError."""
        self.renew_exams()
        if why := self.kept_out():
            raise NotAdmitted(why)

    def minutes_left(self) -> tuple[str, datetime, int] | None:
        """Return the exam that is before the student, when it closes and in how many minutes; None if none does."""
        if self._seat is None or not self.is_exam:
            return None
        place = self._seat.exercise.place
        closing = self.exams.closing(place)
        if closing is None:
            return None
        return self.place_title(place), closing, ceil((closing - clock.utc()).total_seconds() / 60)

    def place_title(self, place: str) -> str:
        """What a person calls a place of the course, or a lesson."""
        return place_title(place, self.lessons)

    @property
    def is_local(self) -> bool:
        """Whether the files of this machine are the person's own."""
        return self.setup.account is not None

    # Coming and going.

    @property
    def seat(self) -> Seat:
        """Where the student sits; somebody must."""
        assert self._seat is not None, "nobody sits here"
        return self._seat

    @property
    def has_seat(self) -> bool:
        """Whether a student sits here."""
        return self._seat is not None

    def own_name(self) -> str:
        """The name by which the user of this machine would sign in. Raises StoreError."""
        account = self.setup.account
        assert account is not None
        return self.setup.student or own_name(self.store, account)

    def may_join(self, name: str) -> bool:
        """Whether the name is free and may be taken; of a list not even that is told. Raises InputError."""
        return not self.setup.listed_only and not is_known(self.store, name)

    async def admit(self, name: str, passphrase: str | None = None) -> Desk:
        """The desk of whoever comes. Raises NotAdmitted, InputError for a name that is none, and StoreError."""
        return Desk(self.store, await self._door.ask(self._admitted, name, passphrase))

    def _admitted(self, name: str, passphrase: str | None) -> Student:
        """Who comes; passphrases take time, and so does a file that is busy."""
        setup = self.setup
        door = admit_listed if setup.listed_only else admit
        with open_classroom(setup.database) as store:
            return door(store, name, passphrase=passphrase, account=setup.account, origin=setup.origin).student

    async def come_back(self) -> str | None:
        """Let in whom nobody has to ask, as they were in this browser before; the room they were in, None for nobody.

        Raises NotAdmitted and StoreError.
        """
        found = await self._door.ask(self._who_comes_back)
        if found is None:
            return None
        student, tab = found
        if student is None:
            await self.open_class(None)
        else:
            self.sit(Desk(self.store, student), tab)
        return tab.room

    def _who_comes_back(self) -> tuple[Student | None, KeptTab] | None:
        with open_classroom(self.setup.database) as store:
            return admit_again(store, self.setup.origin)

    def sit(self, desk: Desk, before: KeptTab | None = None) -> None:
        """Let a student sit down, with what they are to begin with before them, or what they were at in a tab before.

        Raises NotAdmitted while an exam is open to them that was not opened here, and StoreError.
        """
        keeper = KeeperBeside(open_classroom, self.setup.database)
        desk.keeper, desk.lessons = keeper, lambda: self.lessons
        seat = Seat(desk, self.setup.seconds)
        # To sit down leaves an attempt, be it one in which nothing happens.
        self.is_first_time = not self.store.attempts(desk.student.id)
        self._seat = seat
        try:
            self._check_not_kept_out()
            self._take_first(seat, before)
        except (NotAdmitted, StoreError):
            self._seat = None
            keeper.close()
            seat.close()
            raise
        self._keeper = keeper
        self.presence = Presence(open_classroom, self.setup.database, self.setup.origin, desk.student.id)
        if before is not None:  # else a server that is killed at once would have whoever came back come back to nowhere
            self.room = before.room
        self.tell_presence()

    def _take_first(self, seat: Seat, before: KeptTab | None = None) -> None:
        """Put before a student what they are to begin with, or what they were at before. Raises StoreError."""
        desk, lemma = seat.desk, self.setup.lemma
        if lemma is not None and not self.is_exam:
            seat.take(as_exercise(lemma))
            return
        results, given = desk.results(), self._given(desk)
        undone = (tasks for tasks in given if not all(_is_done(results, task) for task in tasks))
        first = next(undone, given[-1] if given else present(results))
        more = [*chain.from_iterable(given), *self.sent(desk), *(() if self.is_exam else course_exercises())]
        at = None if before is None else self._was_at(desk, before)
        beside = [each for each in more if at is not None and each.place == at.place]
        same = [each for each in beside if at is not None and problem_key(each) == problem_key(at)]
        if at is None or (self.is_exam and not same):
            seat.take_first(first, more)
        else:
            seat.take(same[0] if same else at, beside if same else ())

    def _was_at(self, desk: Desk, tab: KeptTab) -> Exercise | None:
        """The exercise that a student was at in a tab, on the terms of then; None if it is done, or cannot be read."""
        stored = self.store.attempt(tab.attempt)
        if stored is None or stored.student_id != desk.student.id or stored.kept.outcome:
            return None
        kept = stored.kept
        try:
            return Exercise(kept.name, parse(kept.formula), kept.place, kept_terms(kept))
        except InputError:  # then they begin where everybody does
            return None

    def _given(self, desk: Desk) -> list[tuple[Exercise, ...]]:
        """The exercises of each lesson that a student has, as that student has them; none of an exam that is shut."""
        shut = (Standing.BEFORE, Standing.CLOSED)
        given = (lesson for lesson in self.open_lessons if desk.exams.standing(lesson.name) not in shut)
        return [desk.given(lesson) for lesson in given]

    def keep_to_exam(self) -> bool:
        """In an exam put before the student one of its exercises, on its present terms; whether it is another lemma.

        Raises StoreError.
        """
        seat = self._seat
        if seat is None:
            return False
        seat.desk.renew_exams()
        if not self.is_exam:
            return False
        problem = problem_key(seat.exercise)
        found = ((task, tasks) for tasks in self._given(seat.desk) for task in tasks if problem_key(task) == problem)
        task, tasks = next(found, (None, ()))
        if task is not None and (task, tasks) == (seat.exercise, tuple(seat.others)):
            return False
        seat.desk.save()
        if task is None:
            self._take_first(seat)
        else:
            seat.take(task, tasks)
        return task is None

    def is_time_up(self) -> bool:
        """Whether the exercise before the student has become late since this was asked the last time."""
        seat, before = self._seat, self._in_time
        self._in_time = None
        if seat is None or (due := seat.exercise.terms.due) is None:
            return False
        if datetime.now(UTC) <= due:
            self._in_time = seat.exercise
        return before == seat.exercise and seat.desk.result.is_late(due)

    async def open_class(self, passphrase: str | None) -> None:
        """Let the teacher in, who is no student, as `open_register` does. Raises NotAdmitted and StoreError."""
        register = OpenRegister(self.setup.database, self.setup.origin, self.lessons)
        try:
            await register.unlock(passphrase)
        except BaseException:
            register.close()
            raise
        self._register = register
        if self.setup.origin.session:
            self.presence = Presence(open_classroom, self.setup.database, self.setup.origin, None)
            self.tell_presence()

    @property
    def register(self) -> OpenRegister:
        """The class, for its teacher; somebody must have opened it."""
        assert self._register is not None, "nobody has opened the class"
        return self._register

    def tell_presence(self) -> None:
        """Have the class know in which room the person is, and at which attempt."""
        if self.presence is not None:
            self.presence.tell(*self._whereabouts)

    # What the teacher writes.

    @property
    def notes(self) -> tuple[KeptNote, ...]:
        """The notes of the teacher that the student has not read yet."""
        return () if self.presence is None else self.presence.notes

    def told_of(self, note: KeptNote) -> str:
        """What a note says. Raises StoreError."""
        stored = self.store.attempt(note.attempt) if note.attempt else None
        return sentence(note, None if stored is None else stored.kept, self.look.notation)

    def has_read(self, note: KeptNote) -> None:
        """Tell the class that the student has read a note."""
        if self.presence is not None:
            self.presence.has_read(note)

    def sent(self, desk: Desk) -> tuple[Exercise, ...]:
        """The lemmas that the teacher has sent to a student; none in an exam. Raises StoreError."""
        return () if self.is_exam else sent(self.store.notes(desk.student.id))

    def catch_up(self) -> bool:
        """Go on where the student has gone on in another tab, if one is open; whether they have. Raises StoreError."""
        has_others = self.presence is not None and self.presence.others
        return bool(has_others) and self._seat is not None and self._seat.desk.catch_up()

    def told_of_parting(self) -> str:
        """What is to be said, once, of moves that the student made in two tabs at the same time; else empty."""
        if self._seat is None:
            return ""
        said, self._seat.desk.parted = self._seat.desk.parted, ""
        return said

    @property
    def _whereabouts(self) -> tuple[str, str]:
        """The room, and the uuid of the attempt."""
        return self.room, "" if self._seat is None else self._seat.desk.uuid

    def stand_up(self, *, signs_out: bool = False) -> None:
        """Let nobody sit here any more, and lock the class; who signs out does so in all tabs of this browser."""
        if self.presence is not None:
            self.presence.close(*self._whereabouts, signs_out=signs_out)
            self.presence, self.room = None, ""
        if self._register is not None:
            self._register.close()
            self._register = None
        if self._seat is not None:
            self._seat.desk.save(LAST)
            self._seat.close()
            self._seat = None
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None

    def tend(self) -> bool:
        """See whether the student's work is stored by now; whether what is to be said of that has changed."""
        return self._seat is not None and self._seat.desk.tend()

    def close(self) -> None:
        """Leave nothing running, and the file closed, whose log SQLite then brings into it.

        Whoever still reads or stores is waited for, a moment alone: a disk may be slow.
        """
        readers = (self._register, self._keeper, self.presence, self._door)
        self.stand_up(signs_out=self.is_left)
        for thread in (self._door, self._provers, self._apart):
            thread.close()
        for reader in readers:
            if reader is not None:
                reader.wait(LAST)
        self.store.close()

    # What takes long, and what is taken along.

    async def apart(
        self, do: Callable[_Arguments, _Answer], *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Answer:
        """Do something that may take long, and not with `store`, beside the screens. Raises what it raises."""
        return await self._apart.ask(do, *arguments, **named)

    async def certify(self, formula: Formula, script: Script) -> list[str]:
        """What the provers say of a proof, a sentence for each; none if there are no provers."""
        return await self._provers.ask(verdicts, formula, script, self.setup.provers)

    def save(self, text: str, name: str) -> None:
        """Hand out a file: to the browser, or into the downloads, or where there are none into the working folder.

        What is there already stays.
        """
        folder = None
        if self.is_local:
            downloads = user_downloads_path()
            folder = downloads if downloads.is_dir() else Path.cwd()
            stem, suffix = Path(name).stem, Path(name).suffix
            names = (f"{stem}-{number}{suffix}" for number in count(2))
            while (folder / name).exists():
                name = next(names)
        self._deliver(text, folder, name)


def _is_done(results: Mapping[ProblemKey, Result], exercise: Exercise) -> bool:
    result = results.get(problem_key(exercise))
    return result is not None and bool(result.outcome)
