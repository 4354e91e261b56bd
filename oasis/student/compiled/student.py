"""A student whose episodes run compiled; it does, number for number, what `oasis.student.plain` does."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oasis.rewards import REWARDS, Pay
from oasis.student.compiled.calculus import Records
from oasis.student.compiled.graph import PROVED, Graph
from oasis.student.compiled.learners import LEARNERS, greedy_proof
from oasis.student.compiled.memory import MET, OUTCOME, PAIR, PAIRS, Memory
from oasis.student.compiled.task import Log, Task
from oasis.student.compiled.world import World
from oasis.student.schedules import Schedule, parse_schedule
from oasis.student.settings import Settings
from oasis.student.splitmix import SplitMix64
from oasis.student.student import Practice, believed
from tactics.formula import Formula
from tactics.goal import Move

_WITH_TRACES: Final = ("sarsa-lambda", "q-lambda")
_WITH_A_MODEL: Final = ("dyna-q",)
"""Learners whose memory is more than values."""


class CompiledStudent:
    """A student in a world that it may share with others.

    Attributes:
        memory: what it has learned, by the keys of the world's graph.
    """

    def __init__(self, settings: Settings, world: World) -> None:
        self.settings, self._world = settings, world
        self.memory = _empty(world.graph, settings)
        self._chance = _rng(~settings.seed)
        self._practised: Counter[Formula] = Counter()
        self._pay = Pay.of(REWARDS[settings.reward])
        self._epsilon, self._alpha = (
            Schedule(*map(float, parse_schedule(each))) for each in (settings.epsilon, settings.alpha)
        )

    @property
    def states(self) -> int:
        """The number of states in memory; the proved one is none."""
        return int(self.memory.counts[MET])

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        """More episodes on a lemma; schedules go on where the last practice of this lemma ended."""
        log = self._log(episodes)
        task = self._task(lemma, episodes)
        self._world.run(LEARNERS[self.settings.learner](self._world.graph, self.memory, task, log))
        self._practised[lemma] += episodes
        return Practice(log.proved, log.steps, log.states)

    def greedy(self, lemma: Formula) -> int:
        """The length of a proof by the greedy policy, in actions; 0 if it finds none."""
        log, memory = self._log(1), self.memory._replace(rng=self._chance)
        self._world.run(greedy_proof(self._world.graph, memory, self._task(lemma, 1), log))
        return int(log.steps[0])

    def value(self, lemma: Formula) -> float:
        """What it believes the closed lemma to be worth under the policy that its values are about."""
        episode = max(1, self._practised[lemma])
        epsilon = self._epsilon.rate(episode, self.settings.episodes).at(episode)
        return believed(self.settings, self.values(self._world.start(lemma)), epsilon)

    def values(self, state: int) -> list[float]:
        """Q(s, a) for each of A(s), in the order of the actions."""
        pairs = self._pairs(state)
        if pairs is None:
            return [self.settings.initial_value] * len(self._world.moves(state))
        return [float(value) for value in pairs["value"][~pairs["forgotten"]]]

    def actions(self, state: int) -> tuple[Move, ...]:
        """A(s)."""
        moves, pairs = self._world.moves(state), self._pairs(state)
        if pairs is None:
            return moves
        return tuple(move for move, forgotten in zip(moves, pairs["forgotten"], strict=True) if not forgotten)

    def _pairs(self, state: int) -> Records | None:
        """What is remembered of each action of a state; None where it was not met."""
        q, place = self.memory, self._world.graph.states[state]
        if not q.first_pair[place["key"]]:
            return None
        slots = self._world.graph.edges["slot"][place["first_edge"] :][: place["edges"]]
        pairs: Records = q.pairs[q.first_pair[place["key"]] + slots]
        return pairs

    def _task(self, lemma: Formula, episodes: int) -> Task:
        settings, practised = self.settings, self._practised[lemma]
        return Task(
            start=self._world.start(lemma),
            first=practised + 1,
            last=practised + 1 + episodes,
            episodes=settings.episodes,
            max_steps=settings.max_steps,
            epsilon=self._epsilon,
            alpha=self._alpha,
            gamma=float(settings.gamma),
            trace_decay=float(settings.trace_decay),
            planning=settings.planning,
            pay=self._pay,
        )

    def _log(self, episodes: int) -> Log:
        return Log(
            proved=np.zeros(episodes, np.bool_),
            steps=np.zeros(episodes, np.int32),
            states=np.zeros(episodes, np.int32),
            pairs=np.zeros(self.settings.max_steps, np.int32),
            rewards=np.zeros(self.settings.max_steps, np.float64),
            befores=np.zeros(self.settings.max_steps, np.int32),
            afters=np.zeros(self.settings.max_steps, np.int32),
        )


def _empty(graph: Graph, settings: Settings) -> Memory:
    """The memory of a student who knows nothing; its arrays take memory as they are used."""
    pairs = len(graph.edges)
    traced = pairs if settings.learner in _WITH_TRACES else 0
    modelled = pairs if settings.learner in _WITH_A_MODEL else 0
    memory = Memory(
        forgets=settings.forget_errors,
        initial_value=float(settings.initial_value),
        first_pair=np.zeros(len(graph.pairs), np.int32),
        pairs=np.zeros(pairs, PAIR),
        traces=np.zeros(traced, np.float64),
        traced=np.zeros(traced, np.int32),
        model=np.zeros(modelled, OUTCOME),
        tried=np.zeros(modelled, np.int32),
        counts=np.zeros(4, np.int64),
        rng=_rng(settings.seed),
    )
    memory.counts[PAIRS] = memory.first_pair[PROVED] = 1
    return memory


def _rng(seed: int) -> NDArray[np.uint64]:
    """The stream of a seed, for compiled loops."""
    return np.array([SplitMix64.seeded(seed).state], np.uint64)
