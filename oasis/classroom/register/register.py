"""The teacher's view of the class: its list, who is where, everybody's marks, and how each problem went.

Plain rows, which `oasis.classroom.register.results` writes. The passphrase that opens it is the business of admission,
and what is wrong with a move that of `oasis.classroom.register.mistakes`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from shlex import quote
from statistics import median
from typing import Final, NamedTuple

from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import kept_terms
from oasis.classroom.desk.work import Imported, export_work, import_work, read_work
from oasis.classroom.lessons.exams import show_results
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.lessons.pools import different
from oasis.classroom.people.guessing import TEACHER
from oasis.classroom.people.names import alphabetical, name_key, proper_name
from oasis.classroom.people.roll import Roll, Ticket
from oasis.classroom.people.tables import identifier
from oasis.classroom.people.tabs import is_open
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.words import clock, when
from oasis.classroom.register.failing import Here, Trail
from oasis.classroom.register.likeness import LEVEL, Pair, alike, choices_of
from oasis.classroom.register.marks import LATE, Mark, Marks, Tried, marks_by_student
from oasis.classroom.register.mistakes import Examiner, Mistakes, Work
from oasis.experience.library import Library
from oasis.store import KeptAttempt, KeptEvent, KeptNote, KeptTab, Store, StoredAttempt, Student
from state_spaces import Match
from tactics.errors import InputError, check_choice
from tactics.parser import parse

SECONDS: Final = 5.0
"""For the wrong moves at one problem."""
_TROUBLES: Final = frozenset({"refused", "undo", "jump", "hint", "claim"})
"""The kinds of events in which somebody does not get further."""


class Whereabouts(NamedTuple):
    """Where a student is, and how it goes; empty if at nothing yet.

    Attributes:
        name: the student's.
        place: of what they last worked at here.
        lemma: likewise.
        when: they did so.
        outcome: what has come of it.
        seconds: of work at it in all.
        tabs: how many tabs or terminals of theirs are open; None if nobody has told.
        opened: when the first of these was.
        key: when they pressed one last.
        progress: when they last got further than before in what they work at.
        troubles: how often since then they met a dead end or a refusal, took a move back, or asked for help.
        identifier: by which a gradebook knows the student, empty if by none.
        group: of the class, in which they are.
    """

    name: str
    place: str
    lemma: str
    when: str
    outcome: str
    seconds: int
    tabs: int | None = None
    opened: str = ""
    key: str = ""
    progress: str = ""
    troubles: int = 0
    identifier: str = ""
    group: str = ""


class Problem(NamedTuple):
    """How a problem went in the class; the same problem in other letters is this one, too.

    Attributes:
        place: the lesson or world.
        lemma: by name.
        formula: in the letters of the lesson, or of whoever began first.
        asked: of how many students; None if no lesson asks for it.
        begun: by how many.
        done: by how many.
        due: when it should be done, None if whenever, or if no lesson asks for it.
        late: how many were late, or are.
        attempts: of all.
        fewest: moves of the shortest proof in the class, None if there is none.
        median_seconds: of work of those who have done it, None if nobody has.
        hints: how often one was asked for that was help.
        wrong_claims: how often it was said that there is no proof although there is.
        refused: moves that did not apply.
        listed: how often the list of moves was asked for.
        imported: how many of the attempts have come from a file, all or in part.
        variants: of how many students each lemma of the pool is asked, as text; empty if there is no pool.
        key: tells it from every other problem.
        uuids: of the attempts.
    """

    place: str
    lemma: str
    formula: str
    asked: int | None
    begun: int
    done: int
    due: str | None
    late: int
    attempts: int
    fewest: int | None
    median_seconds: int | None
    hints: int
    wrong_claims: int
    refused: int
    listed: int
    imported: int
    variants: str
    key: str
    uuids: tuple[str, ...]

    def sentences(self) -> list[str]:
        """How many have done it, how quickly and how late, and what it took."""
        done = f"done by {self.done} of {self.begun} who began" if self.begun else "not begun by anybody"
        if self.median_seconds is not None:
            done += f", {'in' if self.done == 1 else 'half of them within'} {clock(self.median_seconds)}"
        if self.begun and self.asked is not None and self.asked > self.begun:
            done += f"; {self.asked - self.begun} did not begin"
        due = "" if self.due is None else f"; due {when(self.due)}"
        late = f", {self.late} late" if self.late else ""
        brought = f" ({self.imported} from a file)" if self.imported else ""
        took = f"attempts {self.attempts}{brought}, hints {self.hints}, wrong claims {self.wrong_claims}"
        return [f"{done}{due}{late}", took, *([f"drawn: {self.variants}"] if self.variants else [])]


class Register(Marks):
    """The class as its teacher sees it.

    Attributes:
        roll: the list of the class; who left it is not in what the register says.
    """

    def __init__(
        self,
        store: Store,
        lessons: Iterable[Lesson] = (),
        *,
        are_alone: bool = False,
        group: str = "",
        by: str = TEACHER,
    ) -> None:
        super().__init__(store, lessons, are_alone=are_alone, group=group)
        self.roll = Roll(store, by)
        self._examiner = Examiner()
        self._efforts: dict[str, tuple[int, tuple[str, int]]] = {}
        """By the uuid of an attempt how many events it had, and what `_effort` said of these."""
        self._trails: dict[str, Trail] = {}
        """By the uuid of an attempt that somebody is at."""

    @property
    def maxims(self) -> Library:
        """What the agents of this file have learned, in words."""
        return Library(self._store)

    def narrow(self, group: str) -> None:
        """Be about one group of the class from now on. Raises InputError if nobody is in it."""
        groups = self.roll.groups()
        if not groups:
            raise InputError(
                "Nobody is in a group; `oasis classroom students group GROUP NAME` puts students into one."
            )
        check_choice("The group", group, groups)
        self._group = group

    def students(self) -> list[Student]:
        """The students whom the register is about, by name."""
        return sorted(self._students(), key=lambda student: alphabetical(student.name))

    def whereabouts(self) -> list[Whereabouts]:
        """Where everybody is, by name."""
        with self._store.at_one_moment():
            attempts, present = self._store.attempts(), self._present()
            details = {student.id: student.details for student in self.students()}
            tabs = self._store.tabs_of_students()
        last: dict[int, StoredAttempt] = {}
        worked: defaultdict[tuple[int, str, bytes], float] = defaultdict(float)
        for stored in attempts:
            kept, before = stored.kept, last.get(stored.student_id)
            if kept.imported is not None and kept.changed <= kept.imported:
                continue  # done elsewhere, and not gone on with here
            worked[stored.student_id, kept.place, kept.key] += kept.seconds
            if before is None or kept.changed >= before.kept.changed:
                last[stored.student_id] = stored
        found = []
        for student_id, name in present.items():
            at = last.get(student_id)
            where = Whereabouts(name, "", "", "", "", 0)
            if at is not None:
                place, lemma, key = at.kept.place, at.kept.name, at.kept.key
                seconds = round(worked[student_id, place, key])
                where = Whereabouts(name, place, lemma, at.kept.changed, at.kept.outcome, seconds)
            known = details[student_id]
            where = where._replace(identifier=identifier(known), group=known.group)
            found.append(self._here(where, [tab for tab in tabs if tab.student == student_id], at))
        return found

    def _here(self, where: Whereabouts, tabs: Sequence[KeptTab], at: StoredAttempt | None) -> Whereabouts:
        """Where a student is, with what is known of these tabs of theirs and of the attempt that they are at."""
        if not tabs:
            return where
        opened = [tab.opened for tab in tabs if is_open(tab)]
        progress, troubles = ("", 0) if at is None else self._effort(at)
        key = max(tab.key for tab in tabs)
        return where._replace(
            tabs=len(opened), opened=min(opened, default=""), key=key, progress=progress, troubles=troubles
        )

    def _effort(self, stored: StoredAttempt) -> tuple[str, int]:
        """When somebody got further than before in an attempt, and how many troubles they have had since."""
        uuid = stored.kept.uuid
        number, effort = self._efforts.get(uuid, (-1, ("", 0)))
        if number != stored.events:
            effort = _effort(stored.kept, self._store.events(uuid)[: stored.events])
            self._efforts[uuid] = stored.events, effort
        return effort

    def problems(self) -> list[Problem]:
        """A row for each problem that somebody has begun or that is asked of everybody: by place, lessons first."""
        return _by_place(self._tried())

    def everything(self) -> tuple[list[Whereabouts], list[Mark], list[Problem]]:
        """Where everybody is, all marks, and all problems, as they were at one moment."""
        with self._store.at_one_moment():
            tried = self._tried()
            return self.whereabouts(), marks_by_student(tried), _by_place(tried)

    def works(self, problem: Problem) -> list[Work]:
        """The attempts at a problem, to look for wrong moves in, elsewhere if that must not keep anybody waiting."""
        with self._store.at_one_moment():
            attempts = list(filter(None, map(self._store.attempt, problem.uuids)))
            events = [self._store.events(stored.kept.uuid) for stored in attempts]
        shown = {stored.kept.key.hex(): stored.kept.formula for stored in reversed(attempts)}
        shown[problem.key.rpartition("/")[2]] = problem.formula
        return [
            Work(
                stored.student_id,
                parse(stored.kept.formula),
                kept_terms(stored.kept).rules,
                happened,
                parse(shown[stored.kept.key.hex()]),
            )
            for stored, happened in zip(attempts, events, strict=True)
        ]

    def mistakes(self, problem: Problem, seconds: float = SECONDS) -> Mistakes:
        """The wrong moves at a problem, as far as they can be found in so many seconds."""
        return self._examiner.mistakes(self.works(problem), seconds)

    def alike(self, level: float = LEVEL) -> list[Pair]:
        """The pairs of students whose moves agree more than chance, at what the lessons ask for or else at all."""
        works: defaultdict[int, list[tuple[str, Work]]] = defaultdict(list)
        for problem in self.problems():
            if problem.asked is not None or not self._asked:
                for work in self.works(problem):
                    works[work.student_id].append((problem.lemma, work))
        space = Match()
        return alike({name: choices_of(works[number], space) for number, name in self._present().items()}, level)

    def here(self) -> list[Here]:
        """The students who have a tab open and are at an attempt that is not done, by name."""
        with self._store.at_one_moment():
            tabs = [tab for tab in self._store.tabs_of_students() if tab.attempt and is_open(tab)]
            at = {tab.student: tab for tab in sorted(tabs, key=lambda tab: tab.key)}
            found = [(name, at[number]) for number, name in self._present().items() if number in at]
            here = {tab.attempt for _, tab in found}
            self._trails = {uuid: trail for uuid, trail in self._trails.items() if uuid in here}
            return list(filter(None, (self._at(name, tab) for name, tab in found)))

    def _at(self, name: str, tab: KeptTab) -> Here | None:
        """A student at what is before them in a tab; None if that is done, or cannot be made again."""
        stored = self._store.attempt(tab.attempt)
        if stored is None or stored.student_id != tab.student or stored.kept.outcome:
            return None
        kept = stored.kept
        if self._are_alone and kept.place not in {problem.place for problem in self._asked}:
            return None
        trail = self._trails.get(kept.uuid)
        try:
            if trail is None or trail.number > stored.events:
                trail = Trail(kept)
            if trail.number < stored.events:
                trail.follow(self._store.events(kept.uuid, trail.number))
        except InputError:
            return None
        self._trails[kept.uuid] = trail
        return trail.here(name, kept, tab.opened)

    def send(self, names: Iterable[str], note: KeptNote) -> None:
        """Send a note to these students alone, all of them or nobody. Raises InputError for a name not on the list."""
        notes = [note._replace(student=self.roll.find(name).id) for name in names]
        with self._store.together():
            self._store.write_notes(notes)
            for each in notes:
                self.roll.log("note sent", each.student, note.lemma)

    def leave(self, note: KeptNote, uuid: str, moment: int) -> KeptNote:
        """Leave a note at a moment of an attempt; the note as it is stored. Raises InputError if that is gone."""
        stored = self._store.attempt(uuid)
        if stored is None:
            raise InputError("This attempt is no longer in the class, so nothing can be written at it.")
        left = note._replace(student=stored.student_id, attempt=uuid, moment=moment)
        with self._store.together():
            self._store.write_notes([left])
            self.roll.log("word left", left.student)
        return left

    def notes(self) -> list[tuple[str, KeptNote, KeptAttempt | None]]:
        """Every note to who is in the class: whose it is by name, the note, and the attempt at which it was left."""
        with self._store.at_one_moment():
            names, found = self._present(), self._store.notes()
            left = {note.attempt: self._store.attempt(note.attempt) for note in found if note.attempt}
        kept = {uuid: stored.kept for uuid, stored in left.items() if stored is not None}
        return [(names[note.student], note, kept.get(note.attempt)) for note in found if note.student in names]

    def copy(self, name: str) -> str:
        """All work of a student as a text to keep. Raises InputError if nobody on the list is called like this."""
        return export_work(self._desk(name), by_teacher=True)

    def bring(
        self, text: str, *, name: str | None = None, into: str | None = None, vouched: bool = False
    ) -> tuple[Imported, Ticket | None]:
        """Store the work in such a text for a fresh student, who gets a passphrase, or for one who is on the list.

        Args:
            text: as `copy` gives it.
            name: of the fresh student; None for the one in the text.
            into: a student who is on the list already; None for a fresh one.
            vouched: whether the teacher answers for the work, as `import_work` has it.

        Raises WorkError, InputError for a name that is on the list or is not, and StoreError.
        """
        work = read_work(text)

        def brought(student: str) -> Imported:
            desk = self._desk(student)
            imported = import_work(desk, work, vouched=vouched, by_teacher=True)
            self.roll.log("work answered for" if vouched else "work brought", desk.student.id, f"attempts {imported}")
            return imported

        if into is not None:
            with self._store.together():
                return brought(into), None
        name = proper_name(name or work.name)
        known = self._store.student(name_key(name))
        if known is not None:
            raise InputError(
                f"{known.name} is on the list already, so nothing was imported; --into {quote(known.name)} brings the "
                "work to this student, --as NAME to a new one."
            )
        with self._store.together():
            (ticket,) = self.roll.add([name])
            return brought(ticket.name), ticket

    def told_of_terms(self, exam: Lesson) -> str:
        """Return what there is to say of an exam that was given on several terms, in a sentence; else empty."""
        journal = self._store.exam_journal()
        given = {content: at for at, place, kind, content in journal if (place, kind) == (exam.name, "given")}
        if len(given) < 2:
            return ""
        return (
            f"{exam.title} was given on {len(given)} different terms, the last since {when(max(given.values()))}; what "
            "counts is what was done until it closes by this file."
        )

    def show_results(self, exam: Lesson) -> None:
        """Show students from now on what their work in an exam is worth."""
        with self._store.together():
            show_results(self._store, exam)
            self.roll.log("results shown", more=exam.title)

    def _desk(self, name: str) -> Desk:
        return Desk(self._store, self.roll.find(name))


def _effort(kept: KeptAttempt, events: Sequence[KeptEvent]) -> tuple[str, int]:
    """As `Register._effort`, of an attempt with these events; of a damaged one as far as it can be made again."""
    attempt, best = Attempt(parse(kept.formula), terms=kept_terms(kept)), 0
    progress, troubles = kept.started, 0
    with suppress(InputError):
        for at, kind, what in events:
            attempt.happen([Event(kind, what)])
            if len(attempt.made) > best or attempt.is_over:
                best, progress, troubles = len(attempt.made), at, 0
            troubles += kind in _TROUBLES or attempt.is_stuck
    return progress, troubles


def _variants(problem: Tried) -> str:
    """Of how many students each lemma of a pool is asked, as in `swap 4, swap_2 3`."""
    times = Counter(problem.drawn.values())
    return ", ".join(f"{variant.name} {times[variant]}" for variant in different(problem.pool))


def _by_place(tried: Iterable[tuple[Tried, Sequence[Mark]]]) -> list[Problem]:
    return sorted((_problem(*each) for each in tried), key=lambda problem: (problem.asked is None, problem.place))


def _problem(problem: Tried, marks: Sequence[Mark]) -> Problem:
    times = [mark.seconds for mark in marks if mark.outcome]
    return Problem(
        place=problem.place,
        lemma=problem.lemma,
        formula=problem.formula,
        asked=None if problem.asked_of is None else len(problem.asked_of),
        begun=sum(mark.attempts > 0 for mark in marks),
        done=len(times),
        due=None if problem.due is None else problem.due.isoformat(),
        late=sum(mark.punctual == LATE for mark in marks),
        attempts=len(problem.tries),
        fewest=min((mark.moves for mark in marks if mark.moves), default=None),
        median_seconds=round(median(times)) if times else None,
        hints=sum(mark.hints for mark in marks),
        wrong_claims=sum(mark.wrong_claims for mark in marks),
        refused=sum(mark.refused for mark in marks),
        listed=sum(mark.listed for mark in marks),
        imported=sum(mark.imported for mark in marks),
        variants=_variants(problem),
        key=problem.full_key,
        uuids=tuple(each.stored.kept.uuid for each in problem.tries),
    )
