"""What a network, or a policy of one's own, is told beside questions: to get ready, and to forget."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from oasis.escalation.climb import Pace
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import Ladder
from oasis.escalation.pupil import Pupil
from oasis.escalation.stages import SEARCH, Slice, Tried
from oasis.exam import SMALL
from oasis.plugins import PluginError
from oasis.policy import Floats
from oasis.student.settings import Settings
from oasis.student.student import Practice
from tactics.formula import Formula
from tactics.goal import State
from tests.escalation.doubles import HARD, NEVER, Acting, Network, Patient, Watch, took


class Telling(Network):
    """Notes what it is told, and takes a minute to get ready."""

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


def escalation(network: Network, *, spent: float = 0.0, pupil: Pupil | None = None) -> Escalation:
    """An escalation of two lemmas within ten seconds; the network notes the attempts if it takes notes."""
    watch, log = network.watch, network.log if isinstance(network, Telling) else []

    def note(lemma: Formula, part: Slice) -> Tried:
        log.append(str([HARD, NEVER].index(lemma)))
        return took(part.seconds)

    made = Escalation(
        Ladder.named("network", "telling"),
        [HARD, NEVER],
        pupil=pupil,
        network=network,
        seconds=10.0,
        seed=0,
        pace=Pace(10.0, spent=spent),
        clock=watch,
    )
    made.climb.stages = [Acting(SEARCH, watch, note)]
    return made


def test_a_network_gets_ready_before_time_is_taken_and_forgets_a_lemma_before_the_next() -> None:
    network = Telling(Watch())
    made = escalation(network)
    visits = iter(made)
    for _ in range(3):
        next(visits)
    assert network.log == ["asked", "ready", "forgot", "0", "forgot", "1", "forgot", "0"]
    assert [*visits]
    assert made.climb.pace.spent == pytest.approx(sum(record.cost.seconds for record in made.records))
    assert made.climb.pace.spent == pytest.approx(10.0)
    network.log.clear()
    assert not [*escalation(network, spent=10.0)]
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
    escalating = escalation(network, pupil=Pupil(student, lambda: student, {}))
    assert [*escalating]
    assert made == [(HARD, 0)]
    assert escalating.climb.pace.spent == pytest.approx(10.0)


def test_what_means_something_else_by_these_names_is_not_called() -> None:
    class Own(Network):
        def make_ready(self, meal: str) -> None:
            raise AssertionError(meal)

        def forget(self, birthday: str) -> None:
            raise AssertionError(birthday)

    assert [*escalation(Own(Watch()))]


@pytest.mark.parametrize("name", ["make_ready", "forget"])
def test_who_fails_at_that_is_called_by_name(name: str) -> None:
    def fail(self: Network) -> None:
        raise KeyError(name)

    failing: type[Network] = type("Failing", (Network,), {name: fail})
    with pytest.raises(PluginError, match=f"The policy Failing fails with KeyError: '{name}'"):
        list(escalation(failing(Watch())))
