"""One lemma as an environment after Gymnasium's interface; it neither chooses nor learns."""

from __future__ import annotations

from typing import Any

from oasis.rewards import Reward, Transition
from oasis.student.calculus import Calculus
from oasis.student.memory import Action, Memory, Observation
from tactics.goal import Move, State


class ProofEnvironment:
    """Proving one lemma, a move at a time.

    States: tuples of goals, the first one focused; an `Observation` shows one with A(s). The first is the closed lemma,
        its atoms introduced.
    Actions: those in `observation.actions`; which ones these are is settled by the memory's action space. An action
        that does not apply leaves the state as it is, and with `forget_errors` it leaves A(s) for good.
    Rewards: a function of the transition (`oasis.rewards`).
    Ends: `terminated` when no goal is left (proved) or no action is (stuck): exactly when A(s) is empty. That can hold
        already after `reset`. `truncated` when `max_steps` steps were made and the episode is not terminated.
    Info: `action_mask`, for each action that the action space offers in the state whether it is in A(s).
    """

    def __init__(self, calculus: Calculus, memory: Memory, reward: Reward, max_steps: int) -> None:
        self.calculus, self.memory, self.reward, self.max_steps = calculus, memory, reward, max_steps
        self.state: State = calculus.begin()
        self.steps = 0
        self.script: list[Move] = []

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return not self.state

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Back to the lemma."""
        self.state = self.calculus.begin()
        self.steps = 0
        self.script = []
        observation = self.memory.observe(self.state)
        return observation, {"action_mask": observation.action_mask}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info after an action of A(s)."""
        before = self.state
        self.state, moves = self.memory.action_space.perform(before, action.move, self.calculus.attempt)
        self.script += moves
        self.steps += 1
        if not moves and self.memory.forget_errors:
            self.memory.forget(action)
        observation = self.memory.observe(self.state)
        terminated = not observation.actions
        reward = self.reward(Transition(before, self.state, stuck=terminated and bool(self.state)))
        truncated = not terminated and self.steps >= self.max_steps
        return observation, reward, terminated, truncated, {"action_mask": observation.action_mask}
