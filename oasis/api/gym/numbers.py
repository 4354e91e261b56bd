"""States and moves of some lemmas as numbers in spaces of a fixed size; what moves do is the calculus's business."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from curricula import Lemma
from oasis.api.gym.reach import reach
from oasis.play.actions import SIMPLIFY, ActionSpace
from tactics.errors import InputError
from tactics.goal import Goal, Move, State
from tactics.rules import RULES

MAX_NUMBERS: Final = 100_000
"""The longest observation."""
_CACHED: Final = 10_000
"""Goals of which it is remembered how they look."""

Observed = NDArray[np.int64]


class Numbers:
    """How the states of some lemmas look, and which number each move has, the same for all of them.

    Args:
        lemmas: at least one.
        space: what the masks offer.

    Attributes:
        formulas: all that can stand in a goal; a formula's number is its place in here plus 1.
        actions: how many moves have a number.
        shape: of an observation before it is made flat, a row for each goal.

    Raises InputError for lemmas that are too large.
    """

    def __init__(self, lemmas: Sequence[Lemma], space: ActionSpace) -> None:
        found = [reach(lemma.formula) for lemma in lemmas]
        self._space = space
        self.formulas = tuple(dict.fromkeys(formula for each in found for formula in each.formulas))
        hypotheses = max(each.hypotheses for each in found)
        self.shape = max(each.goals for each in found), 1 + hypotheses
        size = self.shape[0] * self.shape[1]
        if size > MAX_NUMBERS:
            raise InputError(
                f"{', '.join(lemma.name for lemma in lemmas)} would need observations of {size:,} numbers, more than "
                f"{MAX_NUMBERS:,}; choose a smaller lemma."
            )
        self._number = {formula: number for number, formula in enumerate(self.formulas, 1)}
        self._names: list[tuple[str, int | None]] = [
            *((rule.name, None) for rule in RULES.values() if not rule.takes_hypothesis),
            *((rule.name, place) for place in range(hypotheses) for rule in RULES.values() if rule.takes_hypothesis),
            *([(SIMPLIFY.rule, None)] if space.name == "simplify" else []),
        ]
        self._action = {name: action for action, name in enumerate(self._names)}
        self.actions = len(self._names)
        # Most goals of a state stand in the next one, too, and all come back in other episodes.
        self._row = lru_cache(_CACHED)(self._written)
        self._offered = lru_cache(_CACHED)(self._on_offer)

    @property
    def action_space(self) -> spaces.Discrete:
        """The numbers of the moves; a space of its own for whoever asks, since it holds a generator."""
        return spaces.Discrete(self.actions)

    @property
    def observation_space(self) -> spaces.MultiDiscrete:
        """What a state can look like; a space of its own for whoever asks, since it holds a generator."""
        return spaces.MultiDiscrete(np.full(self.shape[0] * self.shape[1], 1 + len(self.formulas)))

    def move(self, action: int, state: State) -> Move:
        """What a number is in a state: no legal move if it is on a hypothesis that is not there."""
        rule, place = self._names[action]
        if place is None:
            return Move(rule)
        hypotheses = state[0].hypotheses if state else ()
        return Move(rule, hypotheses[place].name if place < len(hypotheses) else None)

    def action(self, move: Move, state: State) -> int:
        """The number of a move in a state. Raises KeyError if it names no hypothesis of the focused goal."""
        return self._action[move.rule, None if move.hypothesis is None else _places(state[0])[move.hypothesis]]

    def mask(self, state: State) -> NDArray[np.int8]:
        """Which actions are on offer in a state, the first if none is: 1 or 0; not to be written to."""
        return self._offered(state[0] if state else None)

    def see(self, state: State, rows: Observed) -> None:
        """Write what a state looks like into an array of `shape`."""
        for row, goal in zip(rows, state, strict=False):
            row[:] = self._row(goal)
        rows[len(state) :] = 0

    def observation(self, state: State) -> Observed:
        """What a state looks like."""
        rows = np.empty(self.shape, dtype=np.int64)
        self.see(state, rows)
        return rows.reshape(-1)

    def _written(self, goal: Goal) -> Observed:
        row = np.zeros(self.shape[1], dtype=np.int64)
        row[0] = self._number[goal.conclusion]
        row[1 : 1 + len(goal.hypotheses)] = [self._number[formula] for _, formula in goal.hypotheses]
        return row

    def _on_offer(self, goal: Goal | None) -> NDArray[np.int8]:
        mask = np.zeros(self.actions, dtype=np.int8)
        if goal is not None:
            mask[[self.action(move, (goal,)) for move in self._space.actions((goal,))]] = 1
        if not mask.any():
            mask[0] = 1  # a distribution over no action would be no numbers
        mask.flags.writeable = False
        return mask


def _places(goal: Goal) -> dict[str, int]:
    """The hypotheses of a goal by name, oldest first, with their places."""
    return {name: place for place, (name, _) in enumerate(goal.hypotheses)}
