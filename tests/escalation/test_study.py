"""A network that learns studies what was proved, when there is something new and it is time, and tries again."""

from __future__ import annotations

from collections.abc import Mapping
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
from tests.escalation.doubles import EASY, HARD, NEVER, PROOFS, Acting, Learner, Network, Watch, proved, took


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


def stages(time: Watch, student: Learner) -> tuple[list[Stage], Greedy]:
    """Return a search that proves the easy lemma and takes a second at most for any, and the plays of a network."""
    greedy = Greedy(time, student)
    search = Acting(SEARCH, time, lambda lemma, part: proved(EASY) if lemma is EASY else took(min(part.seconds, 1.0)))
    return [search, greedy], greedy


@pytest.fixture
def climbed() -> tuple[Climb, Learner, Greedy]:
    """A climb of 200 seconds in which a network studies, at its end."""
    time = Watch()
    student, lemmas = Learner(time), [EASY, HARD, NEVER]
    both, greedy = stages(time, student)
    climb = Climb(both, lemmas, [Record() for _ in lemmas], Pace(200.0), time)
    study = Study(student, climb, 0, Counter(time))
    for _ in climb:
        study.if_due()
    return climb, student, greedy


def test_what_was_given_up_is_tried_again_with_what_was_learned(climbed: tuple[Climb, Learner, Greedy]) -> None:
    climb, student, greedy = climbed
    easy, hard, never = climb.records
    assert (easy.stage, hard.stage, never.status) == (SEARCH, GREEDY, OPEN)
    assert student.shown == [{EASY}, {EASY, HARD}], "there is a study for new proofs, and none without"
    assert greedy.tried.index((HARD, 0)) < greedy.tried.index((HARD, 1))
    assert [studies for lemma, studies in greedy.tried if lemma is NEVER] == [*range(len(student.shown) + 1)]
    assert student.seconds == [4.0, 4.0], "a fiftieth of the budget"
    assert climb.pace.studies.seconds == sum(student.seconds)


def escalation(network: Policy, lemmas: list[Formula], time: Watch, records: list[Record], pace: Pace) -> Escalation:
    ladder = Ladder.named("network", "studying")
    return Escalation(
        ladder,
        lemmas,
        pupil=None,
        network=network,
        seconds=pace.budget,
        seed=0,
        records=records,
        pace=pace,
        clock=time,
    )


def test_in_an_escalation_the_network_studies_while_the_lemmas_climb() -> None:
    time, lemmas = Watch(), [EASY, HARD, NEVER]
    student = Learner(time)
    made = escalation(student, lemmas, time, [Record() for _ in lemmas], Pace(200.0))
    made.climb.stages = stages(time, student)[0]
    assert [*made]
    assert student.shown == [{EASY}, {EASY, HARD}]
    assert [record.stage for record in made.records] == [SEARCH, GREEDY, ""]


@pytest.mark.parametrize(("spent", "studies"), [(6.0, [1]), (10.0, [])])
def test_a_resumed_escalation_learns_again_before_its_first_attempt_unless_the_time_is_over(
    spent: float, studies: list[int]
) -> None:
    time, found = Watch(), list[int]()
    student, pace = Learner(time), Pace(10.0, spent=spent, studies=Cost(seconds=0.5))

    def note(lemma: Formula, part: Slice) -> Tried:
        found.append(len(student.shown))
        return took(1e9)

    made = escalation(student, [EASY, NEVER], time, [Record(PROVED, SEARCH, PROOFS[EASY]), Record()], pace)
    made.climb.stages = [Acting(SEARCH, time, note)]
    assert [visit.position for visit in made] == [1] * len(studies)
    assert found == studies
    assert student.shown == [{EASY}] * len(studies)


def studying(
    network: Policy | None,
    records: list[Record] | None = None,
    pace: Pace | None = None,
    seed: int = 0,
) -> tuple[Climb, Study]:
    """Return a climb late in its time before its first study; unless told otherwise one of two lemmas is proved."""
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()] if records is None else records
    time = network.watch if isinstance(network, Network) else Watch()
    pace = Pace(100.0, spent=90.0, round=2) if pace is None else pace
    climb = Climb([], [EASY, HARD, NEVER][: len(records)], records, pace, time)
    return climb, Study(network, climb, seed, Counter(time))


def given_up() -> Record:
    """Return a lemma that all stages have given up."""
    names = (SEARCH, GREEDY, JUDGED, SAMPLES, NETWORK_SEARCH)
    return Record(stages={name: Spent(visits=1, round=2, is_spent=True) for name in names})


def open_again(climb: Climb) -> list[str]:
    return [name for name, spent in climb.records[1].stages.items() if not spent.is_spent]


@pytest.mark.parametrize(
    ("pace", "seconds"),
    [
        (Pace(2_000.0, spent=500.0), [20.0]),  # nobody waits long for the end of a study
        (Pace(100.0, spent=97.5), [2.0]),
        (Pace(100.0, spent=98.5), []),  # there is none that would take more time than is left
    ],
)
def test_a_study_takes_a_fiftieth_of_the_budget_but_not_long_and_no_more_than_is_left(
    pace: Pace, seconds: list[float]
) -> None:
    student = Learner(Watch())
    studying(student, pace=pace)[1].if_due()
    assert student.seconds == seconds


def test_when_every_lemma_is_settled_there_is_nothing_to_study_for() -> None:
    student = Learner(Watch())
    studying(student, [Record(PROVED, SEARCH, PROOFS[EASY]), Record(REFUTED, SEARCH)])[1].if_due()
    assert not student.seconds


def test_very_long_proofs_are_not_shown() -> None:
    student, long = Learner(Watch()), (Move("intro", None),) * (LONGEST_SHOWN + 1)
    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record(PROVED, SEARCH, long), Record()]
    studying(student, records)[1].if_due()
    assert student.shown == [{EASY}]


def test_who_goes_on_learns_again_first_what_was_known() -> None:
    student, records = Learner(Watch()), [Record(PROVED, SEARCH, PROOFS[EASY])]
    studying(student, records, Pace(10.0, spent=0.1))[1].again()
    assert student.shown == [], "nothing was learned before"
    resumed, study = studying(student, records, Pace(10.0, spent=6.0, studies=Cost(seconds=0.5)))
    study.again()
    study.if_due()
    assert student.shown == [{EASY}]
    assert (resumed.pace.spent, resumed.pace.studies.seconds) == (6.2, 0.7)


def test_what_studies_take_is_counted_in_all_that_can_be_counted() -> None:
    class Computer(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            self.forwards, self.gpu_seconds = self.forwards + 40, 0.25
            return super().learn(proofs, **more)

    climb, study = studying(Computer(Watch()))
    study.if_due()
    studies = climb.pace.studies
    assert (studies.forwards, studies.seconds, studies.gpu_seconds) == (40, 2.0, 0.25)
    assert Pace.from_json(climb.pace.to_json()) == climb.pace
    found = EscalationReport(Ladder.named("search"), climb.pace, tuple(climb.records))
    assert found.cost.forwards == 40, "all that was spent, studies among it"


def test_who_has_learned_nothing_yet_tries_nothing_again_and_learns_when_it_is_time_again() -> None:
    class Slow(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            return super().learn(proofs, **more) and len(self.shown) > 1

    student = Slow(Watch())
    climb, study = studying(student, [Record(PROVED, SEARCH, PROOFS[EASY]), given_up()], Pace(100.0, spent=30.0))
    study.if_due()
    study.if_due()
    assert len(student.shown) == 1, "its time counts although nothing came of it"
    assert open_again(climb) == []
    climb.count(10.0)
    study.if_due()
    assert student.shown == [{EASY}, {EASY}]
    assert open_again(climb) == [GREEDY, JUDGED], "what a network does without chance"
    climb.count(40.0)
    study.if_due()
    assert len(student.shown) == 2, "there is nothing new"


def test_every_study_has_a_seed_of_its_own() -> None:
    seeds = []
    for seed in range(2):
        student = Learner(Watch())
        climb, study = studying(student, [Record(PROVED, SEARCH, PROOFS[EASY]), given_up(), Record()], seed=seed)
        study.if_due()
        climb.records[1].status, climb.records[1].script = PROVED, PROOFS[HARD]
        climb.count(5.0)
        study.if_due()
        seeds += student.seeds
    assert len(set(seeds)) == len(seeds) == 4


def test_a_study_is_told_when_somebody_asks_for_the_end() -> None:
    student = Learner(Watch())
    climb, study = studying(student)
    study.if_due()
    (stop,) = student.stops
    assert not stop()
    climb.stop_requested = 2
    assert stop()


class Reader(Network):
    """Learns in another way."""

    def learn(self, book: str) -> bool:
        raise AssertionError(book)


@pytest.mark.parametrize("network", [None, Reader(Watch())])
def test_a_network_that_cannot_learn_or_learns_in_another_way_is_left_alone(network: Policy | None) -> None:
    climb, study = studying(network, [Record(PROVED, SEARCH, PROOFS[EASY]), given_up()])
    study.again()
    study.if_due()
    assert (climb.pace.spent, open_again(climb)) == (90.0, [])


def test_who_fails_in_a_study_is_called_by_name() -> None:
    class Lazy(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            raise KeyError("x")

    with pytest.raises(PluginError, match="The policy Lazy fails with KeyError"):
        studying(Lazy(Watch()))[1].if_due()
