"""A network that learns studies what was proved, when there is something new and it is time, and tries again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from oasis.escalation.climb import Climb, Pace, Record, Spent
from oasis.escalation.costs import Cost, Counter
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import Ladder
from oasis.escalation.pupil import LONGEST_SHOWN
from oasis.escalation.report import EscalationReport
from oasis.escalation.stages import GREEDY, SEARCH, Slice, Stage, Tried
from oasis.escalation.study import Study
from oasis.policy import Floats, Uniform
from oasis.search.graph import OPEN, PROVED, REFUTED
from tactics.formula import Formula
from tactics.goal import Goal, Move, State
from tactics.parser import parse
from tactics.script import Script, parse_script

EASY, HARD, NEVER = parse("A -> A"), parse("A -> B -> A"), parse("A -> B -> C")
PROOFS: Mapping[Formula, Script] = {
    EASY: parse_script("intro; assumption"),
    HARD: parse_script("intro; intro; assumption"),
}


class Time:
    """Goes on when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Student:
    """A policy that is asked nothing here, and keeps what it was shown; a study takes all the time that it is given."""

    def __init__(self, time: Time) -> None:
        self.time = time
        self.shown: list[set[Formula]] = []
        self.seconds: list[float] = []

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        raise AssertionError

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return np.ones(len(goals))

    def learn(
        self,
        proofs: Mapping[Formula, Script],
        *,
        seed: int,
        seconds: float,
        clock: Callable[[], float],
        stop: Callable[[], bool],
    ) -> bool:
        assert clock is self.time
        self.shown.append(set(proofs))
        self.seconds.append(seconds)
        self.time.now += seconds
        return True


class Search:
    """Proves the easy lemma, and takes a second at most for any."""

    name = SEARCH

    def __init__(self, time: Time, knows: Iterable[Formula] = (EASY,)) -> None:
        self.time, self.knows = time, set(knows)

    def attempt(self, lemma: Formula, part: Slice) -> Tried:
        seconds = min(part.seconds, 1.0)
        self.time.now += seconds
        is_known = lemma in self.knows
        return Tried(PROVED if is_known else OPEN, PROOFS[lemma] if is_known else None, Cost(seconds=seconds))


class Greedy:
    """Proves the hard lemma after a study, and has nothing more to try without one."""

    name = GREEDY

    def __init__(self, time: Time, student: Student) -> None:
        self.time, self.student = time, student
        self.tried: list[tuple[Formula, int]] = []

    def attempt(self, lemma: Formula, part: Slice) -> Tried:
        self.time.now += 0.001
        self.tried.append((lemma, len(self.student.shown)))
        is_known = lemma is HARD and bool(self.student.shown)
        return Tried(PROVED if is_known else OPEN, PROOFS[lemma] if is_known else None, Cost(seconds=0.001), True)


def climbed() -> tuple[Climb, Student, Greedy]:
    time = Time()
    student = Student(time)
    greedy = Greedy(time, student)
    stages: list[Stage] = [Search(time), greedy]
    lemmas = [EASY, HARD, NEVER]
    climb = Climb(stages, lemmas, [Record() for _ in lemmas], Pace(200.0), time)
    study = Study(student, climb, 0, Counter(time))
    for _ in climb:
        study.if_due()
    return climb, student, greedy


def test_what_was_given_up_is_tried_again_with_what_was_learned() -> None:
    climb, student, greedy = climbed()
    easy, hard, never = climb.records
    assert (easy.stage, hard.stage, never.status) == (SEARCH, GREEDY, OPEN)
    assert greedy.tried.index((HARD, 0)) < greedy.tried.index((HARD, 1))
    assert [studies for lemma, studies in greedy.tried if lemma is NEVER] == [*range(len(student.shown) + 1)]


def test_in_an_escalation_the_network_studies_while_the_lemmas_climb() -> None:
    class Asked(Student):
        def probabilities(self, states: Sequence[State]) -> list[Floats]:
            return Uniform().probabilities(states)

    time = Time()
    student = Asked(time)
    ladder = Ladder.named("network", "studying")
    made = Escalation(ladder, [EASY, HARD, NEVER], pupil=None, network=student, seconds=200.0, seed=0, clock=time)
    made.climb.stages = [Search(time), Greedy(time, student)]
    for _ in made:
        pass
    assert student.shown == [{EASY}, {EASY, HARD}]
    assert [record.stage for record in made.records] == [SEARCH, GREEDY, ""]


def test_there_is_a_study_for_new_proofs_and_none_without() -> None:
    _, student, _ = climbed()
    assert student.shown == [{EASY}, {EASY, HARD}]


def test_studies_count_and_take_a_tenth_of_the_time_at_most() -> None:
    climb, student, _ = climbed()
    assert climb.pace.studies.seconds == sum(student.seconds)
    assert student.seconds == [4.0, 4.0], "a fiftieth of the budget"


def test_nobody_waits_long_for_the_end_of_a_study() -> None:
    time = Time()
    student, records = Student(time), [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    Study(student, Climb([], [EASY, NEVER], records, Pace(2_000.0, spent=500.0), time), 0, Counter(time)).if_due()
    assert student.seconds == [20.0]


def test_when_every_lemma_is_settled_there_is_nothing_to_study_for() -> None:
    time = Time()
    student, records = Student(time), [Record(PROVED, SEARCH, PROOFS[EASY]), Record(REFUTED, SEARCH)]
    Study(student, Climb([], [EASY, NEVER], records, Pace(100.0, spent=90.0), time), 0, Counter(time)).if_due()
    assert not student.seconds


def test_very_long_proofs_are_not_shown() -> None:
    time = Time()
    student = Student(time)
    long = (Move("intro", None),) * (LONGEST_SHOWN + 1)
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record(PROVED, SEARCH, long), Record()]
    climb = Climb([], [EASY, HARD, NEVER], records, Pace(10.0, spent=9.0), time)
    Study(student, climb, 0, Counter(time)).if_due()
    assert student.shown == [{EASY}]


def test_who_goes_on_learns_again_first_what_was_known() -> None:
    time = Time()
    student = Student(time)
    records = [Record(PROVED, SEARCH, PROOFS[EASY])]
    fresh = Climb([], [EASY], records, Pace(10.0, spent=0.1), time)
    Study(student, fresh, 0, Counter(time)).again()
    assert student.shown == [], "nothing was learned before"
    resumed = Climb([], [EASY], records, Pace(10.0, spent=6.0, studies=Cost(seconds=0.5)), time)
    study = Study(student, resumed, 0, Counter(time))
    study.again()
    study.if_due()
    assert student.shown == [{EASY}]
    assert (resumed.pace.spent, resumed.pace.studies.seconds) == (6.2, 0.7)


def test_who_goes_on_when_the_time_is_over_learns_nothing() -> None:
    time = Time()
    student = Student(time)
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    pace = Pace(10.0, spent=10.0, studies=Cost(seconds=0.5))
    ladder = Ladder.named("network", "studying")
    made = Escalation(
        ladder, [EASY, NEVER], pupil=None, network=student, seconds=10.0, seed=0, records=records, pace=pace, clock=time
    )
    assert not [*made]
    assert not student.shown


def test_what_studies_take_is_counted_in_all_that_can_be_counted() -> None:
    class Computer(Student):
        forwards, gpu_seconds = 3, 0.5

        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            self.forwards, self.gpu_seconds = self.forwards + 40, self.gpu_seconds + 0.25
            return super().learn(proofs, **more)

    time = Time()
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    climb = Climb([], [EASY, NEVER], records, Pace(100.0, spent=90.0), time)
    Study(Computer(time), climb, 0, Counter(time)).if_due()
    studies = climb.pace.studies
    assert (studies.forwards, studies.seconds, studies.gpu_seconds) == (40, 2.0, 0.25)
    assert Pace.from_json(climb.pace.to_json()) == climb.pace
    found = EscalationReport(Ladder.named("search"), climb.pace, tuple(climb.records))
    assert found.cost.forwards == 40, "all that was spent, studies among it"


def test_an_older_pace_knows_the_seconds_of_its_studies_alone() -> None:
    assert Pace.from_json({"budget": 9.0, "studied": 1.5}) == Pace(9.0, studies=Cost(seconds=1.5))


def test_who_has_learned_nothing_yet_tries_nothing_again_and_learns_when_it_is_time_again() -> None:
    class Slow(Student):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            return super().learn(proofs, **more) and len(self.shown) > 1

    time = Time()
    student, given_up = Slow(time), Record(stages={GREEDY: Spent(visits=1, is_spent=True)})
    climb = Climb([], [EASY, HARD], [Record(PROVED, SEARCH, PROOFS[EASY]), given_up], Pace(100.0, spent=30.0), time)
    study = Study(student, climb, 0, Counter(time))
    study.if_due()
    study.if_due()
    assert len(student.shown) == 1, "its time counts although nothing came of it"
    assert given_up.of(GREEDY).is_spent
    climb.count(10.0)
    study.if_due()
    assert student.shown == [{EASY}, {EASY}]
    assert not given_up.of(GREEDY).is_spent
    climb.count(40.0)
    study.if_due()
    assert len(student.shown) == 2, "there is nothing new"


def test_a_network_that_cannot_learn_is_left_alone() -> None:
    time = Time()
    given_up = Record(stages={GREEDY: Spent(visits=1, is_spent=True)})
    climb = Climb([], [EASY, HARD], [Record(PROVED, SEARCH, PROOFS[EASY]), given_up], Pace(10.0, spent=9.0), time)
    Study(None, climb, 0, Counter(time)).if_due()
    assert climb.pace.spent == 9.0
    assert given_up.of(GREEDY).is_spent, "nothing has changed that would be worth another try"
