"""What stands in for clocks, stages, networks and students: everything takes as long as it is told to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from oasis.escalation.energy import Energy
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import Asked, Ladder
from oasis.escalation.stages import Slice, Stage
from oasis.play.policy import Floats
from oasis.play.solving import PROVED, Attempt, Cost
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import Practice
from tactics.formula import Formula
from tactics.goal import Goal, State
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.script import Script, parse_script

EASY, HARD, NEVER = parse("A -> A"), parse("A -> B -> A"), parse("A -> B -> C")
PROOFS: Mapping[Formula, Script] = {
    EASY: parse_script("intro; assumption"),
    HARD: parse_script("intro; intro; assumption"),
}


@dataclass
class Watch:
    """A clock that only work moves forward."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


class Heat(Energy):
    """A meter by which a second costs ten joules."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def joules(self) -> float:
        return 10 * self.watch.now


@dataclass
class Slow:
    """A stage that proves a lemma once it was given so many seconds at once, and cannot stop within a step.

    Attributes:
        needs: of each lemma the seconds that prove it.
        step: of each lemma the seconds of a step, which nothing interrupts.
    """

    name: str
    watch: Watch
    needs: dict[Formula, float]
    step: dict[Formula, float] = field(default_factory=dict)
    asked: list[tuple[Formula, float]] = field(default_factory=list)

    def attempt(self, lemma: Formula, part: Slice) -> Attempt:
        self.asked.append((lemma, part.seconds))
        needs, step = self.needs.get(lemma, float("inf")), self.step.get(lemma, 0.0)
        took = min(needs, max(part.seconds, step))
        self.watch.now += took
        if took < needs:
            return Attempt(lemma=lemma, by=self.name, cost=Cost(seconds=took))
        return replace(proved(EASY), cost=Cost(seconds=took))


@dataclass
class Acting:
    """A stage that calls a function with every slice, and takes the seconds that it returns."""

    name: str
    watch: Watch
    act: Callable[[Formula, Slice], Attempt]

    def attempt(self, lemma: Formula, part: Slice) -> Attempt:
        tried = self.act(lemma, part)
        self.watch.now += tried.cost.seconds
        return tried


def took(seconds: float) -> Attempt:
    """Return an attempt that took so long and proved nothing."""
    return Attempt(lemma=NEVER, by="nobody", cost=Cost(seconds=seconds))


def proved(lemma: Formula) -> Attempt:
    """Return an attempt that proved a theorem in a second."""
    return Attempt(lemma=lemma, by="somebody", status=PROVED, script=PROOFS[lemma], cost=Cost(seconds=1.0))


def knowing(watch: Watch, name: str, *known: Formula) -> Acting:
    """Return a stage that proves some lemmas, and takes a second at most for any."""
    return Acting(name, watch, lambda lemma, part: proved(lemma) if lemma in known else took(min(part.seconds, 1.0)))


def lemma(size: int) -> Formula:
    """Return a lemma of so many implications."""
    text = "p0"
    for number in range(1, size + 1):
        text = f"p{number} -> {text}"
    return parse(text)


def escalation(
    stages: Sequence[Stage], lemmas: Sequence[Formula], watch: Watch, network: Any = None, **others: Any
) -> Escalation:
    """Return an escalation of 200 seconds by other stages than those of its ladder."""
    usual = {"pupil": None, "asked": Asked(network), "seconds": 200.0, "seed": 0, "clock": watch}
    made = Escalation(Ladder.named("search"), lemmas, **{**usual, **others})
    made.climb.stages = stages
    return made


class Network:
    """A policy that makes moves of one rule where it can, and knows no better goal than the others.

    About each goal it thinks for a second, on a GPU for a quarter of that, and looks at it three times.
    """

    def __init__(self, watch: Watch, rule: str = "") -> None:
        self.watch, self.rule = watch, rule
        self.forwards = 0
        self.gpu_seconds: float | None = 0.0

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        self._think(len(states))
        shares = [np.array([1e-9 + (move.rule == self.rule) for move in legal_moves(state[0])]) for state in states]
        return [each / each.sum() for each in shares]

    def values(self, goals: Sequence[Goal]) -> Floats:
        self._think(len(goals))
        return np.full(len(goals), 0.5)

    def _think(self, goals: int) -> None:
        self.forwards += 3 * goals
        self.watch.now += goals
        self.gpu_seconds = (self.gpu_seconds or 0.0) + goals / 4


class Learner(Network):
    """A network that keeps what it was shown; a study takes all the time that it is given.

    Attributes:
        shown: the lemmas of each study.
        told: what else it was given for each.
    """

    def __init__(self, watch: Watch, rule: str = "") -> None:
        super().__init__(watch, rule)
        self.shown: list[set[Formula]] = []
        self.told: list[dict[str, Any]] = []

    @property
    def seconds(self) -> list[float]:
        return [each["seconds"] for each in self.told]

    def learn(self, proofs: Mapping[Formula, Script], **told: Any) -> bool:
        assert told["clock"] is self.watch
        self.shown.append(set(proofs))
        self.told.append(told)
        self.watch.now += told["seconds"]
        return True


class Patient(PlainStudent):
    """A student who takes half a second for an episode, and a quarter to follow a proof.

    Attributes:
        followed: the proofs that it was shown, as often as it was.
    """

    def __init__(self, settings: Settings, watch: Watch) -> None:
        super().__init__(settings)
        self.watch = watch
        self.followed: list[tuple[Formula, Script]] = []

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        self.watch.now += episodes / 2
        return super().practise(lemma, episodes)

    def follow(self, lemma: Formula, proof: Script, episode: int | None = None) -> None:
        self.watch.now += 1 / 4
        self.followed.append((lemma, proof))
        super().follow(lemma, proof, episode)
