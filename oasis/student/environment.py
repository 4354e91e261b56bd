"""One lemma as an environment after Gymnasium's interface; it neither chooses nor learns nor remembers."""

from __future__ import annotations

from typing import Any

from oasis.play.actions import ActionSpace, Attempt
from oasis.rewards import Outcome, Reward, Transition, paid, paid_at_end
from oasis.student.calculus import Calculus
from oasis.student.memory import Action, Memory, Observation
from tactics.goal import Move, State


class ProofEnvironment:
    """Proving one lemma, a move at a time.

    States: tuples of goals, the first one focused. The first is the closed lemma, its atoms introduced.
    Actions: those that the action space offers in the state, A(s). One that does not apply leaves the state as it is.
    Rewards: those of `oasis.rewards.Reward.step`, and at an end that of `Reward.end` on top.
    Ends: `terminated` when no goal is left (proved) or no action is (stuck): exactly when A(s) is empty. That can hold
        already after `reset`. `truncated` when `max_steps` steps were made and the episode is not terminated.
    Info: `action_mask`, for each action on offer True.

    Attributes:
        state: the present one.
        steps: actions since `reset`.
        script: the moves that they made.
        path: the steps as transitions.
    """

    state: State
    steps: int
    script: list[Move]
    path: list[Transition]

    def __init__(self, calculus: Calculus, space: ActionSpace, reward: Reward, max_steps: int) -> None:
        self.calculus, self.space, self.reward, self.max_steps = calculus, space, reward, max_steps
        self._begin()

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return not self.state

    def reset(self) -> tuple[State, dict[str, Any]]:
        """Back to the lemma."""
        self._begin()
        return self.state, self._info()

    def step(self, action: Move) -> tuple[State, float, bool, bool, dict[str, Any]]:
        """State, reward, terminated, truncated and info after an action of A(s)."""
        before = self.state
        self.state, moves = self.space.perform(before, action, self.calculus.attempt)
        self.script += moves
        self.steps += 1
        self.path.append(Transition(before, action, self.state))
        terminated = not self.space.actions(self.state)
        truncated = not terminated and self.steps >= self.max_steps
        reward = paid(self.reward, before, action, self.state, terminated)
        if self.reward.pays_at_end and (terminated or truncated):
            outcome = Outcome(self.proved, truncated, self.steps, tuple(self.script), self.path)
            reward += paid_at_end(self.reward, outcome)
        return self.state, reward, terminated, truncated, self._info()

    def _begin(self) -> None:
        self.state = self.calculus.begin()
        self.steps, self.script, self.path = 0, [], []

    def _info(self) -> dict[str, Any]:
        return {"action_mask": (True,) * len(self.space.actions(self.state))}


class Remaining:
    """The action space of a memory without what its student has given up; what does not apply may be given up."""

    def __init__(self, memory: Memory) -> None:
        self._memory, self.name = memory, memory.action_space.name

    def actions(self, state: State) -> tuple[Move, ...]:
        """A(s) as the student knows it."""
        return tuple(action.move for action in self._memory.observe(state).actions)

    def perform(self, state: State, action: Move, attempt: Attempt) -> tuple[State, tuple[Move, ...]]:
        """As the action space does it."""
        after, moves = self._memory.action_space.perform(state, action, attempt)
        if not moves and self._memory.forget_errors:
            self._memory.forget(state, action)
        return after, moves


class PerceivedEnvironment:
    """A proof environment as a student with a table meets it: states are observations, actions are numbered pairs.

    Attributes:
        proof: the environment behind it.
        memory: the student's.
    """

    def __init__(self, calculus: Calculus, memory: Memory, reward: Reward, max_steps: int) -> None:
        self.proof = ProofEnvironment(calculus, Remaining(memory), reward, max_steps)
        self.memory = memory

    @property
    def state(self) -> State:
        """The present state."""
        return self.proof.state

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return self.proof.proved

    @property
    def steps(self) -> int:
        """Actions since `reset`."""
        return self.proof.steps

    @property
    def script(self) -> list[Move]:
        """The moves that they made."""
        return self.proof.script

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Back to the lemma."""
        state, _ = self.proof.reset()
        return self._observed(state)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info after an action of A(s).

        The info's `action_mask` says for each action that the action space offers whether it is in A(s).
        """
        state, reward, terminated, truncated, _ = self.proof.step(action.move)
        observation, info = self._observed(state)
        return observation, reward, terminated, truncated, info

    def _observed(self, state: State) -> tuple[Observation, dict[str, Any]]:
        observation = self.memory.observe(state)
        return observation, {"action_mask": observation.action_mask}
