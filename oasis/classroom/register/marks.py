"""Marks: what students have made of problems, alone or each of a class, and from a mark the way to its attempts.

A problem is the same in whatever letters. Who may see whose marks is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from oasis.classroom.desk.reckoning import Events, result
from oasis.classroom.desk.record import PROVED, formula_text, kept_terms, until
from oasis.classroom.lessons.exams import ExamTerms, check_doors, exams_in
from oasis.classroom.lessons.lesson import Entry, Lesson
from oasis.classroom.lessons.pools import Variant, different
from oasis.classroom.people.names import alphabetical, meant, nearest, proper_name
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.register.history import History
from oasis.store import Store, StoredAttempt, Student
from state_spaces.name import formula_key
from tactics.errors import InputError, did_you_mean
from tactics.parser import parse

ON_TIME: Final = "on time"
LATE: Final = "late"
OVERDUE: Final = "overdue"
"""What is not done and past its date is called to a person; in a spreadsheet it is `late`, too."""


class Mark(NamedTuple):
    """What a student has made of a problem in all attempts together; also of one that a lesson asks for, if nothing.

    Attributes:
        name: of the student.
        place: the lesson or world.
        lemma: by name.
        attempts: with at least one event.
        outcome: `proved`, `refuted`, or empty if it is not done.
        moves: of the shortest proof, None if there is none.
        points: of the best attempt, less what help costs that was taken in others begun before it was done.
        hints: how often one was asked for that was help, which it is not where only one move applies.
        wrong_claims: how often it was said that there is no proof although there is.
        refused: moves that did not apply.
        taken_over: how often moves of somebody else were taken over.
        slips: moves that did not apply, each once in a state, and how often moves were taken back, as far as they cost.
        listed: how often the list of moves was asked for.
        seconds: of work.
        done: when it was done first, None if it is not.
        due: when it should be done, None if whenever.
        punctual: `on time`, `late`, or empty while there is time, or if there is no date.
        imported: how many of the attempts have come from a file, all or in part.
        asked: whether the lesson asks for it; without a lesson everything counts as asked for.
        variant: the lemma that they have of a pool, by name; empty if there is no pool, or nothing is drawn yet.
        key: of the problem.
    """

    name: str
    place: str
    lemma: str
    attempts: int
    outcome: str
    moves: int | None
    points: int
    hints: int
    wrong_claims: int
    refused: int
    taken_over: int
    slips: int
    listed: int
    seconds: int
    done: str | None
    due: str | None
    punctual: str
    imported: int
    asked: bool
    variant: str
    key: str

    @property
    def punctual_in_words(self) -> str:
        """The same for a person to read, who is not to take what nobody has done for what was done late."""
        return OVERDUE if self.punctual == LATE and not self.outcome else self.punctual


class Try(NamedTuple):
    """An attempt in which something was done: by whom, by name, and how often what happened."""

    name: str
    happened: Counter[str]
    stored: StoredAttempt


class Tried(NamedTuple):
    """A problem: when it is due, of whom by name it is asked, the attempts at it, oldest first, and how it is held.

    The last is None unless it is an exam's. All lemmas of a pool are one problem; `drawn` says by name who has which.
    """

    place: str
    lemma: str
    formula: str
    key: str
    due: datetime | None
    asked_of: Sequence[str] | None
    tries: list[Try]
    held: ExamTerms | None = None
    pool: tuple[Variant, ...] = ()
    drawn: Mapping[str, Variant] = MappingProxyType({})

    @property
    def full_key(self) -> str:
        """Tells it from every other problem."""
        return f"{self.place}/{self.key}"


class Marks:
    """What has been made of each problem, read anew with every question. Like the store, it belongs to one thread.

    Args:
        store: of the class.
        lessons: what is asked of everybody, also of those who have not begun; they say when that is due.
        student: the only one whose marks these are; None for everybody who has not left the class.
        are_alone: whether what the lessons do not ask for is left out.
        group: the only one of the class whose marks these are, empty for all.
    """

    def __init__(
        self,
        store: Store,
        lessons: Iterable[Lesson] = (),
        student: Student | None = None,
        *,
        are_alone: bool = False,
        group: str = "",
    ) -> None:
        self._store, self._student, self._are_alone, self._group = store, student, are_alone, group
        self._asked = [_asked(entry, lesson) for lesson in lessons for entry in lesson.exercises]
        self._hints: dict[str, tuple[int, int]] = {}
        """By the uuid of an attempt how many events it had, and how many hints of them were help."""

    @property
    def has_lessons(self) -> bool:
        """Whether lessons say what is asked."""
        return bool(self._asked)

    def marks(self) -> list[Mark]:
        """A row for each student and each problem that they have begun or that is asked of them: by student.

        Problems of the lesson come in its order, others in that of beginning.
        """
        return marks_by_student(self._tried())

    def of(self, name: str) -> list[Mark]:
        """One student's marks at what they have begun. Raises InputError if not just one is called like this."""
        names = list(self._present().values())
        found = meant(proper_name(name), names)
        if found is None:
            raise InputError(f"There is no student {name} in this class; {nearest(name, names)}")
        return [mark for mark in self.marks() if mark.name == found and mark.attempts]

    def at(self, name: str, lemma: str) -> list[Mark]:
        """One student's marks at a lemma, which is named with its curriculum or without. Raises InputError."""
        begun = self.of(name)
        found = [mark for mark in begun if lemma in _names(mark)]
        if not found:
            known = [each for mark in begun for each in _names(mark)]
            advice = did_you_mean(lemma, known, "leave it out to see what is.")
            raise InputError(f"{lemma} is not begun by {name}; {advice}")
        return found

    def attempts(self, mark: Mark) -> list[History]:
        """The attempts that a mark adds up, oldest first; none if the student is no longer in the class."""
        with self._store.at_one_moment():
            found = (problem for problem in self._by_problem() if problem.full_key == mark.key)
            tries = [each.stored.kept for problem in found for each in problem.tries if each.name == mark.name]
            kept = [(attempt, self._store.events(attempt.uuid)) for attempt in tries]
            notes = self._store.notes(None if self._student is None else self._student.id)
        return [History.of(attempt, events, notes) for attempt, events in kept]

    def proofs(self) -> list[History]:
        """The attempts that ended in a proof, of everybody whose marks these are."""
        with self._store.at_one_moment():
            tries = [each.stored.kept for problem in self._by_problem() for each in problem.tries]
            kept = [(attempt, self._store.events(attempt.uuid)) for attempt in tries if attempt.outcome == PROVED]
        return [History.of(attempt, events) for attempt, events in kept]

    def _present(self) -> dict[int, str]:
        """The names of those who are in the class, in their order and with their numbers in the store."""
        students = sorted(self._students(), key=lambda student: alphabetical(student.name))
        return {student.id: student.name for student in students}

    def _students(self) -> list[Student]:
        present = (student for student in self._store.students() if student.left is None)
        present = (student for student in present if not self._group or student.details.group == self._group)
        return [student for student in present if self._student is None or self._student.id == student.id]

    def _tried(self) -> list[tuple[Tried, list[Mark]]]:
        """Each problem, and what everybody has made of it."""
        with self._store.at_one_moment():
            problems = list(self._by_problem())
        by_lemma: dict[tuple[str, str, bytes], list[StoredAttempt]] = {}
        for each in (each for problem in problems for each in problem.tries):
            by_lemma.setdefault((each.name, each.stored.kept.name, each.stored.kept.key), []).append(each.stored)
        shown = (problem for problem in problems if problem.asked_of is not None or not self._are_alone)
        return [(problem, self._marks_at(problem, by_lemma)) for problem in shown]

    def _by_problem(self) -> Iterable[Tried]:
        """The problems of the lesson, then all others that somebody has begun."""
        names = self._present()
        exams = exams_in(self._store, names.values())
        hidden = {place for place, exam in exams.items() if exam.hides_results and self._student is not None}
        if self._student is not None:
            check_doors(self._store, self._student.id)
        happened: dict[int, Counter[str]] = {}
        for each in self._store.kinds_of_events():
            happened.setdefault(each.attempt, Counter())[each.what or each.kind] += each.times
        begun = [stored for stored in self._store.attempts() if stored.events and stored.student_id in names]
        everybody = list(names.values())
        asked = (problem._replace(asked_of=everybody, tries=[]) for problem in self._asked)
        problems = {
            (problem.place, problem.key): problem._replace(drawn=self._drawn(problem, names)) for problem in asked
        }
        of_pools = {
            (problem.place, problem.lemma, variant.key.hex()): problem
            for problem in problems.values()
            for variant in problem.pool
        }
        for stored in begun:
            kept = stored.kept
            if kept.place in hidden:
                continue
            held = exams[kept.place].terms if kept.place in exams else None
            tried = Tried(kept.place, kept.name, kept.formula, kept.key.hex(), None, None, [], held)
            found = of_pools.get((tried.place, tried.lemma, tried.key))
            found = found or problems.setdefault((tried.place, tried.key), tried)
            counted = happened[stored.id]
            counted["hint"] = self._hints_counted(stored) if counted["hint"] else 0
            found.tries.append(Try(names[stored.student_id], counted, stored))
        return problems.values()

    def _drawn(self, problem: Tried, names: Mapping[int, str]) -> dict[str, Variant]:
        """Who has which lemma of the pool of a problem, by name."""
        variants = {variant.key: variant for variant in different(problem.pool)}
        draws = self._store.draws(problem.place) if variants else {}
        found = ((student, variants.get(draws.get((problem.lemma, student), b""))) for student in names)
        return {names[student]: variant for student, variant in found if variant is not None}

    def _hints_counted(self, stored: StoredAttempt) -> int:
        """The hints of an attempt that were help; of a damaged one those before the damage."""
        kept = stored.kept
        known, counted = self._hints.get(kept.uuid, (0, 0))
        if known != stored.events:
            attempt = Attempt(parse(kept.formula), terms=kept_terms(kept))
            with suppress(InputError):
                for event in self._store.events(kept.uuid)[: stored.events]:
                    attempt.happen([Event(event.kind, event.what)])
            counted = attempt.hints_counted
            self._hints[kept.uuid] = stored.events, counted
        return counted

    def _marks_at(
        self, problem: Tried, by_lemma: Mapping[tuple[str, str, bytes], Sequence[StoredAttempt]]
    ) -> list[Mark]:
        """What each student has made of a problem, who have made these attempts at each lemma anywhere."""
        by_student: dict[str, list[Try]] = {name: [] for name in problem.asked_of or ()}
        for each in problem.tries:
            by_student.setdefault(each.name, []).append(each)
        asked = problem.asked_of is not None or not self._asked
        key = bytes.fromhex(problem.key)
        return [
            _mark(name, problem, theirs, by_lemma.get((name, problem.lemma, key), ()), self._store.events, asked=asked)
            for name, theirs in by_student.items()
        ]


def marks_by_student(tried: Iterable[tuple[Tried, Sequence[Mark]]]) -> list[Mark]:
    """The marks at problems by student, and those of each in the order of the problems."""
    return sorted((mark for _, marks in tried for mark in marks), key=lambda mark: alphabetical(mark.name))


def _names(mark: Mark) -> tuple[str, str]:
    """What a lemma may be called: its name with its curriculum and without."""
    return mark.lemma, mark.lemma if " " in mark.lemma else mark.lemma.rpartition("/")[2]


def _asked(entry: Entry, lesson: Lesson) -> Tried:
    """A problem of a lesson, as if nobody had begun it."""
    exercise, formula = entry.exercise, entry.exercise.formula
    key, due, held = formula_key(formula).hex(), exercise.terms.due, lesson.held if lesson.is_exam else None
    return Tried(exercise.place, exercise.name, formula_text(formula), key, due, (), [], held, entry.pool)


def _mark(
    name: str,
    problem: Tried,
    tries: Sequence[Try],
    at_lemma: Sequence[StoredAttempt],
    events: Events,
    *,
    asked: bool,
) -> Mark:
    """What a student has made of a problem with these tries at it, among these attempts at its lemma anywhere."""
    attempts = [_in_time(each.stored, problem.held, name, events) for each in tries]
    elsewhere = (each for each in at_lemma if each.kept.place != problem.place)
    reached = result(problem.place, [*attempts, *elsewhere], events, is_exam=problem.held is not None)
    happened = sum((each.happened for each in tries), Counter[str]())
    due = kept_terms(attempts[-1].kept).due if problem.asked_of is None else problem.due
    return Mark(
        name=name,
        place=problem.place,
        lemma=problem.lemma,
        attempts=reached.attempts,
        outcome=reached.outcome,
        moves=reached.moves or None,
        points=reached.points,
        hints=happened["hint"],
        wrong_claims=happened["wrong"],
        refused=happened["refused"],
        taken_over=happened["given"],
        slips=sum(each.kept.slips for each in attempts),
        listed=happened["listed"],
        seconds=round(reached.seconds),
        done=reached.done,
        due=None if due is None else due.isoformat(),
        punctual=_punctual(reached.done, due),
        imported=sum(stored.kept.imported is not None for stored in attempts),
        asked=asked,
        variant=problem.drawn[name].name if name in problem.drawn else "",
        key=problem.full_key,
    )


def _in_time(stored: StoredAttempt, held: ExamTerms | None, name: str, events: Events) -> StoredAttempt:
    """An attempt as it stood when the exam closed for the student, whoever may have stored more; as it is elsewhere."""
    closing = None if held is None else held.closing(name)
    if closing is None or stored.kept.vouched:
        return stored
    when = closing.astimezone(UTC).isoformat(timespec="milliseconds")
    return until(stored, events(stored.kept.uuid), when) if stored.kept.changed > when else stored


def _punctual(done: str | None, due: datetime | None) -> str:
    if due is None:
        return ""
    if done is None:
        return LATE if datetime.now(UTC) > due else ""
    return ON_TIME if datetime.fromisoformat(done) <= due else LATE
