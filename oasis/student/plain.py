"""A student in plain Python, for every calculus, learner and reward: the specification of the compiled one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext

import numpy as np

from oasis.ground.plugins import PluginError, foreign
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES, ActionSpace
from oasis.rewards import Reward, Rounds, asked
from oasis.rewards.named import reward
from oasis.student.calculus import Calculus, Embedded
from oasis.student.environment import PerceivedEnvironment
from oasis.student.focus import Focus
from oasis.student.learners import Parameters
from oasis.student.memory import Action, Memory, Observation, Recall
from oasis.student.policy import Choose, epsilon_greedy
from oasis.student.schedules import parse_schedule
from oasis.student.settings import Settings
from oasis.student.student import Practice, Student, dictated, exploration
from state_spaces import state_space
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.printer import brief
from tactics.script import Script, replay


class PlainStudent(Student):
    """A student whose episodes run in Python.

    Args:
        settings: how it learns, and its seed.
        recall: where its memory looks for states that are not in it.
        calculus: where its moves are made; exams are always in the embedded calculus.

    Attributes:
        memory: what it has learned.
        rng: where its chance comes from.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        recall: Recall | None = None,
        calculus: Callable[[Formula], Calculus] = Embedded,
    ) -> None:
        super().__init__(settings)
        self._is_brought = ":" in settings.learner
        space = state_space(settings.state_space)
        self.memory = Memory(
            Focus(space) if self._learner.of_goals else space,
            ACTION_SPACES[settings.actions],
            forget_errors=settings.forget_errors,
            initial_value=settings.initial_value,
            recall=recall,
        )
        self.rng = SplitMix64.seeded(settings.seed)
        self._prior = settings.prior()
        self._rounds = Rounds(reward(settings.reward, gamma=settings.gamma))
        self._calculus = calculus

    @property
    def reward(self) -> Reward:
        """What it is paid; another one begins a round."""
        return self._rounds.reward

    @reward.setter
    def reward(self, other: Reward) -> None:
        self._rounds = Rounds(other)

    def go_on(self, practised: Mapping[Formula, int], best: Mapping[Formula, Script]) -> None:
        """Go on after so many episodes on some lemmas, of which these were the best proofs; values are recalled."""
        self._practised.update(practised)
        self._rounds.episodes = sum(practised.values()) % self.reward.round
        self._best = {lemma: (len(script), script) for lemma, script in best.items()}

    def environment(self, calculus: Calculus) -> PerceivedEnvironment:
        """A lemma as this student meets it."""
        return PerceivedEnvironment(calculus, self.memory, self.reward, self.settings.max_steps)

    def learn(self, environment: PerceivedEnvironment, episode: int, choose: Choose | None = None) -> None:
        """Play an episode and learn from it.

        Args:
            environment: where.
            episode: its number on the lemma, from 1.
            choose: what to do; the ε-greedy policy unless somebody dictates.
        """
        self._play(environment, episode, choose)
        self._rounds.count(environment.proof.path)
        self._rounds.renew()

    def _play(self, environment: PerceivedEnvironment, episode: int, choose: Choose | None) -> None:
        settings = self.settings
        alpha = parse_schedule(settings.alpha).rate(episode, settings.episodes)
        epsilon = exploration(settings, episode)
        parameters = Parameters(alpha=alpha, epsilon=epsilon, rng=self.rng, **settings.numbers(Parameters._fields))
        policy = choose or epsilon_greedy(self.memory, epsilon, self.rng, self._prior)
        with foreign(f"The learner {settings.learner}") if self._is_brought else nullcontext():
            self._learner.play(environment, self.memory, policy, parameters)
        if self._is_brought and not environment.steps and self.memory.observe(environment.state).actions:
            raise PluginError(
                f"The learner {settings.learner} ends an episode without a step, though there was something to do; let "
                "it call environment.step(action) until no actions are left or the episode is cut short."
            )

    @property
    def action_space(self) -> ActionSpace:
        """What it is offered, of which somebody may have taken something away."""
        return self.memory.action_space

    @property
    def states(self) -> int:
        """The number of states in memory; the proved one is none."""
        return self.memory.size

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        """More episodes on a lemma; schedules go on where the last practice of this lemma ended."""
        environment = self.environment(self._calculus(lemma))
        asked(self.reward, self.reward.begin, lemma)
        done = []
        for _ in range(episodes):
            self._practised[lemma] += 1
            self.learn(environment, self._practised[lemma])
            done.append((environment.proof.proved, environment.proof.steps, self.memory.size))
            self._remember_best(lemma, environment)
        if self._is_brought and (unseen := self.memory.unseen()):
            raise PluginError(
                f"The learner {self.settings.learner} has written values of {unseen:,} pairs that it never counted as "
                "visited, and such values are not kept; let it call q.visit(pair), or q.update, which does."
            )
        proved, steps, states = np.array(done, dtype=np.int32).reshape(-1, 3).T
        return Practice(proved.astype(np.bool_), steps, states)

    def follow(self, lemma: Formula, proof: Script, episode: int | None = None) -> None:
        """Learn from somebody's proof as from one more episode, the next one unless told which, but none of its own."""
        actions = iter(dictated(self.settings, self.action_space, lemma, proof))

        def choose(observation: Observation) -> Action:
            move = next(actions)
            return next(action for action in observation.actions if action.move == move)

        asked(self.reward, self.reward.begin, lemma)
        environment = self.environment(self._calculus(lemma))
        self._play(environment, episode or self._practised[lemma] + 1, choose)
        self._rounds.count(environment.proof.path, episodes=0)

    def q_values(self, state: State) -> dict[Move, float]:
        """Q(s, a) for each of A(s); the initial value where it has never been."""
        memory = self.memory
        if memory.has_met(state):
            return {action.move: memory.values[action.pair] for action in memory.observe(state).actions}
        return dict.fromkeys(memory.action_space.actions(state), self.settings.initial_value)

    def _remember_best(self, lemma: Formula, environment: PerceivedEnvironment) -> None:
        proof = environment.proof
        if proof.proved:
            actions = sum(step.after != step.before for step in proof.path)
            if lemma not in self._best or actions < self._best[lemma][0]:
                if replay(lemma, proof.script)[-1]:  # a learner of somebody's own may have changed the environment
                    raise InputError(f"{self.settings.learner} has no proof of {brief(lemma)}; mend it.")
                self._best[lemma] = actions, tuple(proof.script)
