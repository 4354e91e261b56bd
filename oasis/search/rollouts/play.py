"""Rollouts: a policy plays on from a state until it is proved, stuck or out of steps, or names what does not apply.

Rollouts that run side by side ask the policy together. What becomes of one depends on nothing but the policy, its
state and its own chance, so it is the same whoever plays it and whatever else is played beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ActionSpace, attempt
from oasis.play.exam import proposed
from oasis.play.policy import Floats, Policy, Uniform, draw
from tactics.goal import State
from tactics.rules import legal_moves
from tactics.script import Script


class Job(NamedTuple):
    """A rollout to be played.

    Attributes:
        state: from which it goes on, neither proved nor stuck.
        chance: the state of its SplitMix64.
        steps: decisions after which it is cut short, at least 1.
        begun: the steps that led there, if anything has been written: the text of each, if it has one, and its moves.
    """

    state: State
    chance: int
    steps: int
    begun: tuple[tuple[str, Script], ...] = ()


class Step(NamedTuple):
    """A decision of the policy, and what came of it.

    Attributes:
        offered: the places of the actions that had a probability; None if all had.
        moves: those that were made; none if the action does not apply, or the policy had given up every action.
        state: after them.
        text: that was written for the first of the moves, if any was.
    """

    offered: tuple[int, ...] | None
    moves: tuple[Any, ...]
    state: tuple[Any, ...]
    text: str = ""


Rollout = tuple[Step, ...]
"""The decisions from a job's state on."""


class Tick(NamedTuple):
    """What was asked at once.

    Attributes:
        decisions: asked for, one of each rollout that is still running.
        calls: states about which the policy was asked; rollouts in the same state share an answer.
        tokens: that were written.
    """

    decisions: int
    calls: int
    tokens: int = 0


Look = Callable[[State], tuple[Script, State] | None]
"""What is known of a state beforehand: moves that close its first goals, and what they leave; None if it is refuted."""

Playing = Generator[Tick, None, list[Rollout]]
"""Rollouts under way: what was asked, while they are played, and in the end the rollouts in the order of their jobs."""


def play(policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None = None) -> Playing:
    """Play all jobs side by side.

    Args:
        policy: decides; its probabilities are those of the actions of `space`.
        space: the actions on offer; a rollout ends with the first that does not apply.
        jobs: any number of them.
        look: is shown every state that is reached; goals that it can close are closed, and a state without a proof ends
            the rollout.

    Raises InputError if the policy gives something else than a probability for each action.
    """
    players = [_Player(job) for job in jobs]
    running = players
    is_uniform = type(policy) is Uniform
    while running:
        states = tuple(dict.fromkeys([player.state for player in running]))
        choices = {} if is_uniform else proposed(policy, states, space)
        yield Tick(len(running), len(states))
        running = [player for player in running if player.decide(space, choices.get(player.state), look)]
    return [tuple(player.steps) for player in players]


class _Player:
    """A rollout under way."""

    def __init__(self, job: Job) -> None:
        self.state, self._left = job.state, job.steps
        self._rng = SplitMix64(job.chance)
        self.steps: list[Step] = []

    def decide(self, space: ActionSpace, shares: Floats | None, look: Look | None) -> bool:
        """Do what the policy says, of which None says that all actions are equal; gives whether there is more to do."""
        actions = space.actions(self.state)
        offered: tuple[int, ...] | None = None
        if shares is None:
            chosen: int | None = self._rng.below(len(actions)) if len(actions) > 1 else 0
        else:
            chosen = draw(shares, self._rng)
            support = np.flatnonzero(shares)
            offered = None if len(support) == len(actions) else tuple(support.tolist())
        moves: Script = ()
        if chosen is not None:
            self.state, moves = space.perform(self.state, actions[chosen], attempt)
        is_hopeless = False
        if moves and look is not None:
            seen = look(self.state)
            is_hopeless = seen is None
            if seen is not None:
                moves, self.state = moves + seen[0], seen[1]
        self.steps.append(Step(offered, moves, self.state))
        self._left -= 1
        return bool(moves and self.state and self._left and not is_hopeless and legal_moves(self.state[0]))
