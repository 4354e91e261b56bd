"""A network that learns studies what was proved, when there is something new and it is time, and tries again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from oasis.escalation.climb import Climb, Pace, Record, Spent
from oasis.escalation.costs import Cost, Counter
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import Ladder
from oasis.escalation.pupil import LONGEST_SHOWN
from oasis.escalation.report import EscalationReport
from oasis.escalation.stages import GREEDY, JUDGED, NETWORK_SEARCH, SAMPLES, SEARCH, Slice, Stage, Tried
from oasis.escalation.study import Study
from oasis.plugins import PluginError
from oasis.policy import Policy
from oasis.search.graph import OPEN, PROVED, REFUTED
from tactics.formula import Formula
from tactics.goal import Move
from tactics.script import Script
from tests.escalation.doubles import EASY, HARD, NEVER, PROOFS, Acting, Learner, Network, Watch, took


class Search:
    """Proves the easy lemma, and takes a second at most for any."""

    name = SEARCH

    def __init__(self, time: Watch, knows: Iterable[Formula] = (EASY,)) -> None:
        self.time, self.knows = time, set(knows)

    def attempt(self, lemma: Formula, part: Slice) -> Tried:
        seconds = min(part.seconds, 1.0)
        self.time.now += seconds
        is_known = lemma in self.knows
        return Tried(PROVED if is_known else OPEN, PROOFS[lemma] if is_known else None, Cost(seconds=seconds))


class Greedy:
    """Proves the hard lemma after a study, and has nothing more to try without one."""

    name = GREEDY

    def __init__(self, time: Watch, student: Learner) -> None:
        self.time, self.student = time, student
        self.tried: list[tuple[Formula, int]] = []

    def attempt(self, lemma: Formula, part: Slice) -> Tried:
        self.time.now += 0.001
        self.tried.append((lemma, len(self.student.shown)))
        is_known = lemma is HARD and bool(self.student.shown)
        return Tried(PROVED if is_known else OPEN, PROOFS[lemma] if is_known else None, Cost(seconds=0.001), True)


def climbed() -> tuple[Climb, Learner, Greedy]:
    time = Watch()
    student = Learner(time)
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
    time = Watch()
    student = Learner(time)
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
    time = Watch()
    student, records = Learner(time), [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    Study(student, Climb([], [EASY, NEVER], records, Pace(2_000.0, spent=500.0), time), 0, Counter(time)).if_due()
    assert student.seconds == [20.0]


def test_when_every_lemma_is_settled_there_is_nothing_to_study_for() -> None:
    time = Watch()
    student, records = Learner(time), [Record(PROVED, SEARCH, PROOFS[EASY]), Record(REFUTED, SEARCH)]
    Study(student, Climb([], [EASY, NEVER], records, Pace(100.0, spent=90.0), time), 0, Counter(time)).if_due()
    assert not student.seconds


def test_very_long_proofs_are_not_shown() -> None:
    time = Watch()
    student = Learner(time)
    long = (Move("intro", None),) * (LONGEST_SHOWN + 1)
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record(PROVED, SEARCH, long), Record()]
    climb = Climb([], [EASY, HARD, NEVER], records, Pace(10.0, spent=9.0), time)
    Study(student, climb, 0, Counter(time)).if_due()
    assert student.shown == [{EASY}]


def test_who_goes_on_learns_again_first_what_was_known() -> None:
    time = Watch()
    student = Learner(time)
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
    time = Watch()
    student = Learner(time)
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    pace = Pace(10.0, spent=10.0, studies=Cost(seconds=0.5))
    ladder = Ladder.named("network", "studying")
    made = Escalation(
        ladder, [EASY, NEVER], pupil=None, network=student, seconds=10.0, seed=0, records=records, pace=pace, clock=time
    )
    assert not [*made]
    assert not student.shown


def test_what_studies_take_is_counted_in_all_that_can_be_counted() -> None:
    class Computer(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            self.forwards, self.gpu_seconds = self.forwards + 40, 0.25
            return super().learn(proofs, **more)

    time = Watch()
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    climb = Climb([], [EASY, NEVER], records, Pace(100.0, spent=90.0), time)
    Study(Computer(time), climb, 0, Counter(time)).if_due()
    studies = climb.pace.studies
    assert (studies.forwards, studies.seconds, studies.gpu_seconds) == (40, 2.0, 0.25)
    assert Pace.from_json(climb.pace.to_json()) == climb.pace
    found = EscalationReport(Ladder.named("search"), climb.pace, tuple(climb.records))
    assert found.cost.forwards == 40, "all that was spent, studies among it"


def test_who_has_learned_nothing_yet_tries_nothing_again_and_learns_when_it_is_time_again() -> None:
    class Slow(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            return super().learn(proofs, **more) and len(self.shown) > 1

    time = Watch()
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
    time = Watch()
    given_up = Record(stages={GREEDY: Spent(visits=1, is_spent=True)})
    climb = Climb([], [EASY, HARD], [Record(PROVED, SEARCH, PROOFS[EASY]), given_up], Pace(10.0, spent=9.0), time)
    Study(None, climb, 0, Counter(time)).if_due()
    assert climb.pace.spent == 9.0
    assert given_up.of(GREEDY).is_spent, "nothing has changed that would be worth another try"


def waiting(network: Policy, spent: float = 90.0, *, seed: int = 0) -> tuple[Climb, Study]:
    """A climb to a hundred seconds, with one lemma proved and another one given up by all, before its first study."""
    names = (SEARCH, GREEDY, JUDGED, SAMPLES, NETWORK_SEARCH)
    given_up = Record(stages={name: Spent(visits=1, round=2, is_spent=True) for name in names})
    records, time = [Record(PROVED, SEARCH, PROOFS[EASY]), given_up], Watch()
    if isinstance(network, Network):
        time = network.watch
    climb = Climb([], [EASY, HARD], records, Pace(100.0, spent=spent, round=2), time)
    return climb, Study(network, climb, seed, Counter(time))


def open_again(climb: Climb) -> list[str]:
    return [name for name, spent in climb.records[1].stages.items() if not spent.is_spent]


def test_what_a_network_does_without_chance_is_tried_again_when_it_has_learned() -> None:
    climb, study = waiting(Learner(Watch()))
    study.if_due()
    assert open_again(climb) == [GREEDY, JUDGED]


def test_there_is_no_study_that_would_take_more_time_than_is_left() -> None:
    for spent, shown in ((97.5, [{EASY}]), (98.5, [])):  # a study takes two seconds
        student = Learner(Watch())
        waiting(student, spent)[1].if_due()
        assert student.shown == shown


def test_every_study_has_a_seed_of_its_own() -> None:
    seeds = []
    for seed in range(2):
        student = Learner(Watch())
        climb, study = waiting(student, seed=seed)
        study.if_due()
        climb.records[1].status = PROVED
        climb.records.append(Record())  # type: ignore[attr-defined]
        climb.lemmas.append(NEVER)  # type: ignore[attr-defined]
        study.if_due()
        seeds += student.seeds
    assert len(set(seeds)) == len(seeds) == 4


def test_a_study_is_told_when_somebody_asks_for_the_end() -> None:
    student = Learner(Watch())
    climb, study = waiting(student)
    study.if_due()
    (stop,) = student.stops
    assert not stop()
    climb.stop_requested = 2
    assert stop()


def test_a_resumed_escalation_learns_again_before_its_first_attempt() -> None:
    time, studies = Watch(), list[int]()
    student = Learner(time)

    def note(lemma: Formula, part: Slice) -> Tried:
        studies.append(len(student.shown))
        return took(part.seconds)

    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    pace = Pace(10.0, spent=6.0, studies=Cost(seconds=0.5))
    ladder = Ladder.named("network", "studying")
    made = Escalation(
        ladder, [EASY, NEVER], pupil=None, network=student, seconds=10.0, seed=0, records=records, pace=pace, clock=time
    )
    made.climb.stages = [Acting(SEARCH, time, note)]
    assert next(iter(made)).position == 1
    assert studies == [1]
    assert student.shown == [{EASY}]


def test_who_learns_in_another_way_is_left_alone() -> None:
    class Reader(Network):
        def learn(self, book: str) -> bool:
            raise AssertionError(book)

    climb, study = waiting(Reader(Watch()))
    study.again()
    study.if_due()
    assert (climb.pace.spent, open_again(climb)) == (90.0, [])


def test_who_fails_in_a_study_is_called_by_name() -> None:
    class Lazy(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            raise KeyError("x")

    _, study = waiting(Lazy(Watch()))
    with pytest.raises(PluginError, match="The policy Lazy fails with KeyError"):
        study.if_due()
