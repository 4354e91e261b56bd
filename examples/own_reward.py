"""Rewards of your own: one that looks at the step alone, and one that remembers what was done before.

Run, in this folder:
    oasis train SYJ203.2 --learner q-learning --reward own_reward:FewGoals
    oasis compare SYJ203.2 --learner q-learning --reward terminating,own_reward:FewGoals,own_reward:NewRules

A reward is a class that says what it depends on, and pays each step. A state is a tuple of the goals that are open;
after a step that proves the lemma it is empty. `and-or-q` asks for no reward, and every other learner does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from oasis.rewards import Dependence, Reward, Transition, Uses
from tactics.goal import Move, State


class FewGoals(Reward):
    """A proof is worth 1, and each goal that is left open costs a little."""

    dependence = Dependence.TRANSITION

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """What one step is worth; `ended` says whether the episode is over."""
        return 1.0 if not after else -0.01 * len(after)


class NewRules(Reward):
    """A proof is worth 1, and a rule pays beside it the less, the more often it was used.

    What it has counted stands still for `round` episodes, so that a step is worked out once a round.
    """

    dependence = Dependence.HISTORY
    round = 10

    def __init__(self) -> None:
        self._uses: Counter[str] = Counter()

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """What one step is worth, by what was counted up to the last round."""
        return float(not after) + 0.1 / (1 + self._uses[move.rule])

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        """Count the steps of the round that is over."""
        for transition, uses in steps.items():
            self._uses[transition.move.rule] += uses.times

    def state(self) -> Any:
        """What a stored run needs of it, as JSON can hold it."""
        return dict(self._uses)

    def restore(self, state: Any) -> None:
        """Go on from what `state` gave."""
        self._uses = Counter(state)
