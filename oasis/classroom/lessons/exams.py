"""Exams: what of them is open to whom and until when, and what counts there.

An exam is a lesson that students have alone. The server of the class notes in the file of the class which exams it
gives and on what terms, so that whoever writes into the file keeps to these, whatever lessons they opened themselves.
The time is that of the process that writes; no other one counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oasis.classroom import clock
from oasis.classroom.people.guessing import lot
from oasis.classroom.people.names import name_key
from oasis.classroom.proving.exercise import terms_to_json
from oasis.classroom.proving.words import minute
from oasis.store import KeptAttempt, KeptEvent, Store, StoreError
from state_spaces.name import formula_key
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.classroom.lessons.lesson import Lesson

ALONE: Final = "This is an exam: the course, other lessons and what you did before are not there until it is over."
"""What a student should know of an exam."""
AT_ONCE, WHEN_SHOWN = "at once", "when shown"
RESULTS: Final = (AT_ONCE, WHEN_SHOWN)
"""When students see their points: as soon as they have them, or when the teacher shows them."""
HANDED_IN: Final = "Handed in; your teacher shows the points"
GRACE: Final = timedelta(seconds=30)
"""For how long after the closing it is stored what was done before it: so long the file may be busy."""
LONGEST_EXTRA: Final = 1_440
"""Minutes of extra time that a student may have: a day."""
_HELP: Final = frozenset({"hint", "asked", "given"})
"""The kinds of events by which a student is helped."""


class Standing(StrEnum):
    """How an exam stands for a student."""

    BEFORE = "not open yet"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True)
class ExamTerms:
    """When and how often an exam may be worked at; raises InputError for what contradicts itself.

    Attributes:
        opens: when it does, a time with a zone; None for at once.
        closes: likewise; None for when the teacher gives it no longer.
        extra: minutes more for students, by name.
        attempts: how often each exercise may be begun; None for as often as one likes.
        results: one of `RESULTS`.
    """

    opens: datetime | None = None
    closes: datetime | None = None
    extra: tuple[tuple[str, int], ...] = ()
    attempts: int | None = None
    results: str = AT_ONCE

    def __post_init__(self) -> None:
        if self.opens is not None and self.closes is not None and self.closes <= self.opens:
            raise InputError(
                f"it closes {minute(self.closes)}, before it opens {minute(self.opens)}; set one of them anew."
            )
        if self.extra and self.closes is None:
            raise InputError("extra is time after closes; add a time at which it closes, or strike extra.")
        for name, minutes in self.extra:
            if not 0 < minutes <= LONGEST_EXTRA:
                raise InputError(f"extra is from 1 to {LONGEST_EXTRA:,} minutes, not {minutes!r:.20} for {name}.")
        if self.attempts is not None and self.attempts < 1:
            raise InputError(f"attempts is at least 1, not {self.attempts!r:.20}; leave it out for any number.")

    def minutes_more(self, name: str) -> int:
        """Return the extra time of a student in minutes."""
        return next((minutes for whose, minutes in self.extra if name_key(whose) == name_key(name)), 0)

    def closing(self, name: str) -> datetime | None:
        """Return when it closes for a student."""
        return None if self.closes is None else self.closes + timedelta(minutes=self.minutes_more(name))

    def standing(self, name: str, now: datetime | None = None) -> Standing:
        """Return how it stands for a student while it is given."""
        now, closing = now or clock.utc(), self.closing(name)
        if self.opens is not None and now < self.opens:
            return Standing.BEFORE
        return Standing.OPEN if closing is None or now <= closing else Standing.CLOSED

    def in_words(self, name: str = "") -> list[str]:
        """Return what a student should know, a sentence each; without a name nobody's extra time."""
        closing, more = self.closing(name), self.minutes_more(name)
        added = f", which is {more} minutes more than for others" if more else ""
        return [
            *([] if self.opens is None else [f"It opens {minute(self.opens)}."]),
            *([] if closing is None else [f"It closes {minute(closing)}{added}; what is there then is handed in."]),
            *([] if self.attempts is None else [f"Each exercise can be begun {_times(self.attempts)}."]),
            *(["The points are told when your teacher shows them."] if self.results == WHEN_SHOWN else []),
        ]

    def remarks(self, names: Iterable[str] | None = None) -> list[str]:
        """Return what a teacher should look at once more, a sentence each.

        Args:
            names: of those on the list of the class; None if that is not known.
        """
        on_list = None if names is None else {name_key(name) for name in names}
        unknown = [name for name, _ in self.extra if on_list is not None and name_key(name) not in on_list]
        latest = max(filter(None, (self.closing(name) for name in ("", *dict(self.extra)))), default=None)
        return [
            *([] if latest is None or clock.utc() <= latest else [f"It closed {minute(latest)}; set another time."]),
            *(f"Nobody on the list of the class is called {name}, who has extra time; correct it." for name in unknown),
        ]

    def to_json(self) -> dict[str, Any]:
        """Return what `from_json` reads."""
        times = {name: None if (at := getattr(self, name)) is None else at.isoformat() for name in ("opens", "closes")}
        return {**times, "extra": dict(self.extra), "attempts": self.attempts, "results": self.results}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> ExamTerms:
        """Return the terms that `to_json` wrote."""
        opens, closes = (content[name] and datetime.fromisoformat(content[name]) for name in ("opens", "closes"))
        extra = tuple(content["extra"].items())
        return cls(opens=opens, closes=closes, extra=extra, attempts=content["attempts"], results=content["results"])


class Exam(NamedTuple):
    """An exam that was given.

    Attributes:
        place: by which its work is kept.
        title: what a person reads.
        terms: as they were given last.
        tasks: for each lemma, by its key up to letters, the terms of the exercise as JSON has them, now and before.
        since: when it was given first.
        is_given: whether it still is.
        is_shown: whether the teacher has shown its results.
    """

    place: str
    title: str
    terms: ExamTerms
    tasks: Mapping[str, Sequence[dict[str, Any]]]
    since: str = ""
    is_given: bool = True
    is_shown: bool = False

    def standing(self, name: str, now: datetime | None = None) -> Standing:
        """Return how it stands for a student."""
        return self.terms.standing(name, now) if self.is_given else Standing.CLOSED

    @property
    def hides_results(self) -> bool:
        """Whether students do not see yet what their work is worth."""
        return self.terms.results == WHEN_SHOWN and not self.is_shown

    def is_used_up(self, begun: Iterable[KeptAttempt], key: bytes) -> bool:
        """Whether a lemma was begun as often as it may be, of these attempts of one student."""
        times = sum((kept.place, kept.key) == (self.place, key) for kept in begun)
        return self.terms.attempts is not None and times >= self.terms.attempts

    def why_not(self, name: str, now: datetime | None = None) -> str:
        """Return why a student may do nothing in it, in a sentence; empty if they may."""
        match self.standing(name, now):
            case Standing.BEFORE:
                assert self.terms.opens is not None
                return f"{self.title} opens {minute(self.terms.opens)}; before that nothing of it can be done."
            case Standing.CLOSED:
                closing = self.terms.closing(name) if self.is_given else None
                when = "" if closing is None else f" since {minute(closing)}"
                return f"{self.title} is closed{when}: what was done until then is handed in, and nothing more counts."
        return ""

    def keeps_out(self, name: str) -> str:
        """Return why a student may do nothing else while it is open to them, in a sentence."""
        closing = self.terms.closing(name)
        until = "is ended by your teacher" if closing is None else f"closes {minute(closing)}"
        return f"{self.title} is an exam that is open to you: nothing else is there until it {until}."


class NotCounted(StoreError):
    """What is never stored because an exam does not allow it; the text is one sentence that says why."""


class Exams:
    """The exams of a class for one of its students.

    Args:
        name: the student's.
        given: the exams that the file of the class has, by place.
        lessons: that were opened here; an exam among them that the file does not know is one as it says itself.
    """

    def __init__(self, name: str, given: Mapping[str, Exam], lessons: Iterable[Lesson] = ()) -> None:
        self._name = name
        self._exams = {lesson.name: _exam(lesson) for lesson in lessons if lesson.is_exam} | dict(given)

    def exam(self, place: str) -> Exam | None:
        """Return the exam of a place; None if it is none."""
        return self._exams.get(place)

    def standing(self, place: str) -> Standing | None:
        """Return how the exam of a place stands for the student; None if it is none."""
        exam = self.exam(place)
        return None if exam is None else exam.standing(self._name)

    @property
    def open(self) -> list[Exam]:
        """The exams that are open to the student now, and keep them from everything else."""
        return [exam for exam in self._exams.values() if exam.standing(self._name) is Standing.OPEN]

    @property
    def standings(self) -> dict[str, Standing]:
        """How each exam stands for the student now."""
        return {place: exam.standing(self._name) for place, exam in self._exams.items()}

    def closing(self, place: str) -> datetime | None:
        """Return when the exam of a place closes for the student; None for never, and where there is none."""
        exam = self.exam(place)
        return None if exam is None else exam.terms.closing(self._name)

    def hides_results(self, place: str) -> bool:
        """Whether the student does not see yet what work in a place is worth."""
        exam = self.exam(place)
        return exam is not None and exam.hides_results

    def why_not(self, place: str) -> str:
        """Return why the student may do nothing in a place now, in a sentence; empty if they may."""
        exam, opened = self.exam(place), self.open
        if exam is not None:
            return exam.why_not(self._name)
        return opened[0].keeps_out(self._name) if opened else ""

    def lessons(self, lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
        """Return the lessons that the student has: those that are open exams alone if there are any, else all."""
        opened = tuple(lesson for lesson in lessons if self.standing(lesson.name) is Standing.OPEN)
        return opened or (() if self.open else tuple(lessons))


# In the file of the class.


def exams_in(store: Store, names: Iterable[str] = ()) -> dict[str, Exam]:
    """Return the exams that were given in a class, by place, as they stand by now. Raises StoreError.

    Who has extra time is in the file under a digest, so that nobody's name is left in it who was erased; these names
    are looked up.
    """
    exams: dict[str, Exam] = {}
    for at, place, kind, content in store.exam_journal():
        exam = exams.get(place)
        if kind == "given":
            before = exam or Exam(place, "", ExamTerms(), {}, since=at)
            try:
                exams[place] = _given(store, json.loads(content), names, before)
            except (ValueError, LookupError, TypeError, AttributeError):
                raise store.damaged(f"what was given as {place}") from None
        elif kind == "released":
            exams.pop(place, None)
        elif exam is not None:
            exams[place] = exam._replace(is_given=False) if kind == "withdrawn" else exam._replace(is_shown=True)
    return exams


def _given(store: Store, read: Mapping[str, Any], names: Iterable[str], before: Exam) -> Exam:
    """Return an exam as it is given now, which was another one before. Raises ValueError and others for damage."""
    terms = dict(read["terms"])
    if minutes := terms["extra"]:
        known = {name: minutes.get(_digest(store, name)) for name in names}
        terms["extra"] = {name: extra for name, extra in known.items() if extra}
    tasks = {key: [*given] for key, given in before.tasks.items()}
    for key, task in read["tasks"]:
        given = tasks.setdefault(key, [])
        given += [task] if task not in given else []
    return before._replace(title=read["title"], terms=ExamTerms.from_json(terms), tasks=tasks, is_given=True)


def give(store: Store, given: Iterable[Lesson]) -> None:
    """Note which of the lessons that a class has from now on are exams, if that is new. Raises StoreError.

    An exam that is given no longer is withdrawn, which closes it for everybody. One that is given as another lesson is
    one no more, unless somebody has worked at it: then it needs another name, as its work is that of the exam.
    """
    lessons = {lesson.name: lesson for lesson in given}
    with store.together():
        latest = {place: (kind, content) for _, place, kind, content in store.exam_journal() if kind != "shown"}
        for place, lesson in lessons.items():
            content = _content(store, lesson)
            if lesson.is_exam and latest.get(place) != ("given", content):
                store.note_exam(clock.now(), place, "given", content)
        for place, (kind, _) in latest.items():
            if kind == "released" or (place in lessons and lessons[place].is_exam):
                continue
            if place in lessons and not _is_begun(store, place):
                store.note_exam(clock.now(), place, "released", "")
            elif kind == "given":
                store.note_exam(clock.now(), place, "withdrawn", "")


def _is_begun(store: Store, place: str) -> bool:
    """Whether anybody has done anything in a place."""
    return any(each.events and each.kept.place == place for each in store.attempts())


def end_unless_timed(store: Store) -> None:
    """Withdraw the exams that nothing else closes, as nobody gives them any more. Raises StoreError."""
    with store.together():
        for exam in exams_in(store).values():
            if exam.is_given and exam.terms.closes is None:
                store.note_exam(clock.now(), exam.place, "withdrawn", "")


def show_results(store: Store, lesson: Lesson) -> None:
    """Note that the teacher shows the results of an exam; one that no server has given ends with that."""
    with store.together():
        if lesson.name not in exams_in(store):
            store.note_exam(clock.now(), lesson.name, "given", _content(store, lesson))
            store.note_exam(clock.now(), lesson.name, "withdrawn", "")
        store.note_exam(clock.now(), lesson.name, "shown", "")


def check_doors(store: Store, student_id: int) -> None:
    """Raises InputError while an exam is open to a student: what leads to other or earlier work is shut."""
    name, exams = _of_student(store, student_id)
    if opened := Exams(name, exams).open:
        raise InputError(opened[0].keeps_out(name))


def hidden_places(store: Store) -> frozenset[str]:
    """Return the places of which students do not see the results yet."""
    return frozenset(exam.place for exam in exams_in(store).values() if exam.hides_results)


def check_counts(store: Store, student_id: int, attempt: KeptAttempt, events: Sequence[KeptEvent]) -> None:
    """Raises NotCounted for events of an attempt that an exam does not allow to be stored now.

    They must have been stamped by this process, as they happened; what comes from a file has another door.
    """
    if not events:
        return
    name, exams = _of_student(store, student_id)
    if not exams:
        return
    now, exam = clock.utc(), exams.get(attempt.place)
    times = [datetime.fromisoformat(event.at) for event in events]
    if exam is None:
        for other in exams.values():
            begun = other.terms.opens or datetime.fromisoformat(other.since)
            if other.standing(name, now) is Standing.OPEN and times[-1] >= begun:
                raise NotCounted(other.keeps_out(name))
        return
    closing = exam.terms.closing(name)
    in_time = closing is None or now <= closing + GRACE
    for time in (times[0], times[-1], *([] if in_time else [now])):
        if why := exam.why_not(name, time):
            raise NotCounted(why)
    _check_terms(exam, attempt, events)
    drawn = store.draws(exam.place).get((attempt.name, student_id))
    if drawn is not None and drawn != attempt.key and drawn.hex() in exam.tasks:
        raise NotCounted(f"This lemma of {exam.title} is another student's; open your own.")
    _check_number(store, student_id, exam, attempt)


def _check_terms(exam: Exam, attempt: KeptAttempt, events: Sequence[KeptEvent]) -> None:
    """Raises NotCounted for a lemma that is not in an exam, for other terms than the teacher's, and for help."""
    allowed = exam.tasks.get(attempt.key.hex(), [])
    terms = json.loads(attempt.terms)
    offered = {each["moves"] for each in allowed}
    if terms not in allowed and not (terms["moves"] in offered and {**terms, "moves": ""} in map(_unlisted, allowed)):
        raise NotCounted(
            f"{attempt.name} is not in {exam.title} as your teacher gives it, so it does not count; open the exam as "
            "your teacher says."
        )
    if any(event.kind in _HELP for event in events):
        raise NotCounted(f"{exam.title} is an exam, in which there is no help.")


def _unlisted(terms: dict[str, Any]) -> dict[str, Any]:
    """Return terms but for how moves are made: an attempt that was begun with moves listed goes on so."""
    return {**terms, "moves": ""}


def _check_number(store: Store, student_id: int, exam: Exam, attempt: KeptAttempt) -> None:
    """Raises NotCounted for one attempt more than an exam allows at an exercise."""
    if exam.terms.attempts is None:
        return
    begun = [each.kept for each in store.attempts(student_id) if each.events]
    if attempt.uuid not in {kept.uuid for kept in begun} and exam.is_used_up(begun, attempt.key):
        raise NotCounted(too_often(exam))


def too_often(exam: Exam) -> str:
    """Return why an exercise cannot be begun once more, in a sentence."""
    number = exam.terms.attempts or 0
    return f"In {exam.title} each exercise can be begun {_times(number)}, which you have done."


def _of_student(store: Store, student_id: int) -> tuple[str, dict[str, Exam]]:
    """Return the name of a student, and the exams of the class as they are for them; no name where there are none."""
    if not store.exam_journal():
        return "", {}
    name = next((each.name for each in store.students() if each.id == student_id), "")
    return name, exams_in(store, [name])


def _exam(lesson: Lesson) -> Exam:
    """Return a lesson as the exam that it says it is."""
    return Exam(lesson.name, lesson.title, lesson.held, {})


def _content(store: Store, lesson: Lesson) -> str:
    """Return what the file of the class is to know of an exam."""
    tasks = [
        [key.hex(), terms_to_json(entry.exercise.terms)]
        for entry in lesson.exercises
        for key in [formula_key(entry.exercise.formula), *(variant.key for variant in entry.pool[1:])]
    ]
    extra = {_digest(store, name): minutes for name, minutes in lesson.held.extra}
    return json.dumps({"title": lesson.title, "terms": {**lesson.held.to_json(), "extra": extra}, "tasks": tasks})


def _digest(store: Store, name: str) -> str:
    """Return by what the file of the class knows a name here."""
    return lot(store, f"extra {name_key(name)}")[:12].hex()


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number:,} times"
