"""A student in plain Python, for every calculus and action space: the specification of the compiled one."""

from __future__ import annotations

from collections import Counter

import numpy as np

from oasis.rewards import REWARDS
from oasis.student.actions import ACTION_SPACES
from oasis.student.calculus import Calculus, Embedded
from oasis.student.environment import ProofEnvironment
from oasis.student.focus import Focus
from oasis.student.learners import LEARNERS, Parameters
from oasis.student.memory import Memory, Recall
from oasis.student.policy import epsilon_greedy
from oasis.student.schedules import parse_schedule
from oasis.student.settings import Settings
from oasis.student.splitmix import SplitMix64
from oasis.student.student import Practice, believed
from state_spaces import STATE_SPACES
from tactics.formula import Formula


class PlainStudent:
    """A student whose episodes run in Python.

    Args:
        settings: how it learns, and its seed.
        recall: where its memory looks for states that are not in it.

    Attributes:
        memory: what it has learned.
        rng: where its chance comes from.
    """

    def __init__(self, settings: Settings, *, recall: Recall | None = None) -> None:
        self.settings = settings
        space = STATE_SPACES[settings.state_space]()
        self.memory = Memory(
            Focus(space) if settings.learner == "and-or-q" else space,
            ACTION_SPACES[settings.actions],
            forget_errors=settings.forget_errors,
            initial_value=settings.initial_value,
            recall=recall,
        )
        self.rng = SplitMix64.seeded(settings.seed)
        self._chance = SplitMix64.seeded(~settings.seed)
        self._epsilon, self._alpha = parse_schedule(settings.epsilon), parse_schedule(settings.alpha)
        self._learn = LEARNERS[settings.learner]
        self._practised: Counter[Formula] = Counter()

    def environment(self, calculus: Calculus) -> ProofEnvironment:
        """A lemma as this student meets it."""
        return ProofEnvironment(calculus, self.memory, REWARDS[self.settings.reward], self.settings.max_steps)

    def learn(self, environment: ProofEnvironment, episode: int) -> None:
        """Play an episode, the one of this number on the lemma, from 1, and learn from it."""
        settings = self.settings
        alpha = self._alpha.rate(episode, settings.episodes)
        parameters = Parameters(alpha, settings.gamma, settings.trace_decay, settings.planning, self.rng)
        policy = epsilon_greedy(self.memory, self._epsilon_in(episode), self.rng)
        self._learn(environment, self.memory, policy, parameters)

    @property
    def states(self) -> int:
        """The number of states in memory; the proved one is none."""
        return self.memory.size

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        """More episodes on a lemma; schedules go on where the last practice of this lemma ended."""
        environment = self.environment(Embedded(lemma))
        done = []
        for _ in range(episodes):
            self._practised[lemma] += 1
            self.learn(environment, self._practised[lemma])
            done.append((environment.proved, environment.steps, self.memory.size))
        proved, steps, states = np.array(done, dtype=np.int32).reshape(-1, 3).T
        return Practice(proved.astype(np.bool_), steps, states)

    def greedy(self, lemma: Formula) -> int:
        """The length of a proof by the greedy policy, in actions; 0 if it finds none."""
        calculus, memory = Embedded(lemma), self.memory
        policy = epsilon_greedy(memory, 0.0, self._chance)
        state = calculus.begin()
        for actions in range(self.settings.max_steps + 1):
            if not state:
                return actions
            if memory.has_met(state):
                observation = memory.observe(state)
                choice = policy(observation).move if observation.actions else None
            else:
                moves = memory.action_space.actions(state)
                choice = moves[self._chance.below(len(moves))] if moves else None
            if choice is None:
                return 0
            state, moves = memory.action_space.perform(state, choice, calculus.attempt)
            if not moves:
                return 0
        return 0

    def value(self, lemma: Formula) -> float:
        """What it believes the closed lemma to be worth under the policy that its values are about."""
        state = Embedded(lemma).begin()
        epsilon = self._epsilon_in(max(1, self._practised[lemma]))
        if self.memory.has_met(state):
            values = [self.memory.values[action.pair] for action in self.memory.observe(state).actions]
        else:
            values = [self.settings.initial_value] * len(self.memory.action_space.actions(state))
        return believed(self.settings, values, epsilon)

    def _epsilon_in(self, episode: int) -> float:
        return self._epsilon.rate(episode, self.settings.episodes).at(episode)
