"""A network among the stages: it studies what was proved and tries again, and gets ready and forgets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from oasis.escalation.climb import Climb, Pace, Record, Spent
from oasis.escalation.costs import Counter
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import Ladder
from oasis.escalation.pupil import LONGEST_SHOWN, Pupil
from oasis.escalation.report import EscalationReport
from oasis.escalation.stages import GREEDY, JUDGED, NETWORK_SEARCH, SAMPLES, SEARCH, SPENT, Slice
from oasis.escalation.study import Study
from oasis.ground.plugins import PluginError
from oasis.play.exam import SMALL
from oasis.play.policy import Floats, Policy
from oasis.play.solving import PROVED, REFUTED, Attempt, Cost
from oasis.student.settings import Settings
from oasis.student.student import Practice
from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.script import Script
from tests.escalation.doubles import (
    EASY,
    HARD,
    NEVER,
    PROOFS,
    Acting,
    Learner,
    Network,
    Patient,
    Watch,
    escalation,
    knowing,
    proved,
    took,
)


def test_a_network_studies_while_lemmas_climb_and_tries_again_what_it_gave_up() -> None:
    time, tried = Watch(), list[tuple[Formula, int]]()
    student = Learner(time)

    def play(lemma: Formula, part: Slice) -> Attempt:
        """Prove the hard lemma after a study, and have nothing more to try without one."""
        tried.append((lemma, len(student.shown)))
        is_known = lemma is HARD and bool(student.shown)
        return replace(proved(HARD) if is_known else took(0.001), reason=SPENT)

    stages = [knowing(time, SEARCH, EASY), Acting(GREEDY, time, play)]
    made = escalation(stages, [EASY, HARD, NEVER], time, network=student)
    assert [*made]
    assert [record.stage for record in made.records] == [SEARCH, GREEDY, ""]
    assert student.shown == [{EASY}, {EASY, HARD}], "there is a study for new proofs, and none without"
    assert tried.index((HARD, 0)) < tried.index((HARD, 1))
    assert [studies for lemma, studies in tried if lemma is NEVER] == [0, 1, 2]
    assert student.seconds == [4.0, 4.0], "a fiftieth of the budget"
    assert made.climb.pace.studies.seconds == 8.0


@pytest.mark.parametrize(("spent", "learned", "studies"), [(6.0, 0.5, [1]), (6.0, 0.0, [0]), (10.0, 0.5, [])])
def test_a_resumed_escalation_learns_again_before_its_first_attempt_unless_the_time_is_over(
    spent: float, learned: float, studies: list[int]
) -> None:
    time, found = Watch(), list[int]()
    student, pace = Learner(time), Pace(10.0, spent=spent, studies=Cost(seconds=learned))

    def note(lemma: Formula, part: Slice) -> Attempt:
        found.append(len(student.shown))
        return took(1e9)

    records = [Record(PROVED, SEARCH, PROOFS[EASY]), Record()]
    made = escalation(
        [Acting(SEARCH, time, note)], [EASY, NEVER], time, network=student, records=records, pace=pace, seconds=10.0
    )
    assert [visit.position for visit in made] == [1] * len(studies)
    assert found == studies
    assert student.shown == [{EASY}] * sum(studies)
    assert pace.studies.seconds == pytest.approx(learned + 0.2 * sum(studies))


def studying(
    network: Policy | None, records: list[Record] | None = None, pace: Pace | None = None, seed: int = 0
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


def test_what_studies_take_is_counted_in_all_that_can_be_counted() -> None:
    class Computer(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            self.forwards, self.gpu_seconds = self.forwards + 40, 0.25
            return super().learn(proofs, **more)

    climb, study = studying(Computer(Watch()))
    study.if_due()
    assert climb.pace.studies == Cost(forwards=40, seconds=2.0, gpu_seconds=0.25)
    assert Pace.from_json(climb.pace.to_json()) == climb.pace
    found = EscalationReport(Ladder.named("search"), climb.pace, tuple(climb.records))
    assert found.cost.forwards == 40, "all that was spent, studies among it"


def test_a_network_that_has_learned_nothing_tries_nothing_again_until_its_next_study() -> None:
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
        seeds += [told["seed"] for told in student.told]
    assert len(set(seeds)) == len(seeds) == 4


def test_a_study_is_told_when_somebody_asks_for_the_end() -> None:
    student = Learner(Watch())
    climb, study = studying(student)
    study.if_due()
    assert not student.told[0]["stop"]()
    climb.stop_requested = 2
    assert student.told[0]["stop"]()


class Reader(Network):
    """A network whose `learn` takes no proofs."""

    def learn(self, book: str) -> bool:
        raise AssertionError(book)


@pytest.mark.parametrize("network", [None, Reader(Watch())])
def test_a_network_that_cannot_learn_or_learns_in_another_way_is_left_alone(network: Policy | None) -> None:
    climb, study = studying(network, [Record(PROVED, SEARCH, PROOFS[EASY]), given_up()])
    study.again()
    study.if_due()
    assert (climb.pace.spent, open_again(climb)) == (90.0, [])


def test_a_policy_that_fails_in_a_study_is_named() -> None:
    class Lazy(Learner):
        def learn(self, proofs: Mapping[Formula, Script], **more: Any) -> bool:
            raise KeyError("x")

    with pytest.raises(PluginError, match="The policy Lazy fails with KeyError"):
        studying(Lazy(Watch()))[1].if_due()


class Telling(Network):
    """A network that notes what it is told, and takes a minute to get ready."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(watch)
        self.log: list[str] = []

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        assert states == [SMALL]
        self.log.append("asked")
        return super().probabilities(states)

    def make_ready(self) -> None:
        self.log.append("ready")
        self.watch.now += 60

    def forget(self) -> None:
        self.log.append("forgot")


def asking(network: Network, *, spent: float = 0.0, pupil: Pupil | None = None) -> Escalation:
    """Return an escalation of two lemmas within ten seconds; the network notes the attempts if it takes notes."""
    watch, log = network.watch, network.log if isinstance(network, Telling) else []

    def note(lemma: Formula, part: Slice) -> Attempt:
        log.append(str([HARD, NEVER].index(lemma)))
        return took(part.seconds)

    stages, pace = [Acting(name, watch, note) for name in (SEARCH, GREEDY)], Pace(10.0, spent=spent)
    return escalation(stages, [HARD, NEVER], watch, network=network, pupil=pupil, pace=pace)


def test_a_network_gets_ready_before_time_is_taken_and_forgets_a_lemma_before_the_next() -> None:
    network = Telling(Watch())
    made = asking(network)
    visits = iter(made)
    for _ in range(5):
        next(visits)
    assert network.log == ["asked", "ready", "forgot", "0", "0", "forgot", "1", "1", "forgot", "0"]
    assert [*visits]
    assert made.climb.pace.spent == pytest.approx(sum(record.cost.seconds for record in made.records))
    assert made.climb.pace.spent == pytest.approx(10.0)
    network.log.clear()
    assert not [*asking(network, spent=10.0)]
    assert network.log == [], "nobody gets ready for what is over"


def test_a_student_gets_ready_without_an_episode() -> None:
    class Compiled(Patient):
        def practise(self, lemma: Formula, episodes: int) -> Practice:
            made.append((lemma, episodes))
            self.watch.now += 60
            return super().practise(lemma, episodes)

    made: list[tuple[Formula, int]] = []
    network = Network(Watch())
    student = Compiled(Settings(learner="and-or-q"), network.watch)
    escalating = asking(network, pupil=Pupil(student, lambda: student, {}))
    assert [*escalating]
    assert made == [(HARD, 0)]
    assert escalating.climb.pace.spent == pytest.approx(10.0)


def test_methods_of_these_names_with_other_parameters_are_not_called() -> None:
    class Own(Network):
        def make_ready(self, meal: str) -> None:
            raise AssertionError(meal)

        def forget(self, birthday: str) -> None:
            raise AssertionError(birthday)

    assert [*asking(Own(Watch()))]


@pytest.mark.parametrize("name", ["make_ready", "forget"])
def test_a_policy_that_fails_to_get_ready_or_to_forget_is_named(name: str) -> None:
    def fail(self: Network) -> None:
        raise KeyError(name)

    failing: type[Network] = type("Failing", (Network,), {name: fail})
    with pytest.raises(PluginError, match=f"The policy Failing fails with KeyError: '{name}'"):
        list(asking(failing(Watch())))
