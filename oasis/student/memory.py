"""What the student perceives and remembers: A(s) for every state it meets, and a value for every state-action pair.

Pairs live at (key, slot) of a state space and are numbered as they are met, so a learner works on ints. What changed
can be handed out under names that hold in every process, and recalled by them; where it is kept is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from oasis.play.actions import ActionSpace
from oasis.student.schedules import Rate
from state_spaces import Key, Slot, StateSpace
from tactics.goal import Move, State


class Action(NamedTuple):
    """A move, and the number of its state-action pair."""

    move: Move
    pair: int


@dataclass(slots=True, eq=False)
class Observation:
    """A state as the student meets it.

    Attributes:
        state: its goals.
        offered: what the action space offers.
        actions: A(s), what is offered less what was given up; empty if the state is proved or stuck.
    """

    state: State
    offered: tuple[Move, ...]
    actions: list[Action]

    @property
    def action_mask(self) -> tuple[bool, ...]:
        """For each offered action whether it is in A(s)."""
        if len(self.actions) == len(self.offered):
            return (True,) * len(self.offered)
        left = {action.move for action in self.actions}
        return tuple(move in left for move in self.offered)


class Record(NamedTuple):
    """A state-action pair as it is kept: the digest of its key, its slot, Q, the number of updates, given up or not."""

    state: bytes
    slot: Slot
    value: float
    visits: int
    forgotten: bool


Recall = Callable[[bytes], Iterable[Record] | None]
"""What is kept about the state of a digest: its changed pairs, or None if it was never met."""


class Memory:
    """Q(s, a) for every pair met so far; several lemmas can share it.

    Args:
        space: when two states are the same.
        action_space: what is offered in a state.
        forget_errors: whether an action that does not apply is given up.
        initial_value: Q(s, a) before the first update; optimistic if it is more than can be had.
        recall: where to look for a state that is not in this memory.

    Attributes:
        values: Q, by the number of the pair.
        visits: the number of updates, by the number of the pair.
        model: what came of a pair when it was last tried: the reward, and the state after it; for learners that plan.
        tried: the pairs in the model, in the order of their first tries.
        met: the number of states that were met here for the first time and not recalled.
    """

    def __init__(
        self,
        space: StateSpace,
        action_space: ActionSpace,
        *,
        forget_errors: bool = False,
        initial_value: float = 0.0,
        recall: Recall | None = None,
    ) -> None:
        self.space, self.action_space, self.forget_errors = space, action_space, forget_errors
        self.initial_value, self._recall = initial_value, recall
        self.clear()

    def clear(self) -> None:
        """Empty the memory; what is needed of it must have been handed out (`changes`) before."""
        self.values: list[float] = []
        self.visits: list[int] = []
        self.model: dict[int, tuple[float, State]] = {}
        self.tried: list[int] = []
        self._forgotten: set[int] = set()
        self._pairs: dict[Key, dict[Slot, int]] = {}
        self._names: list[tuple[Key, Slot]] = []
        self._observations: dict[State, Observation] = {}
        self._new_keys: list[Key] = []
        self._changed: set[int] = set()
        self.met = 0

    def observe(self, state: State) -> Observation:
        """The state with its A(s)."""
        observation = self._observations.get(state)
        if observation is None:
            observation = self._observations[state] = self._meet(state)
        if self._forgotten and not self._forgotten.isdisjoint([pair for _, pair in observation.actions]):
            observation.actions = [action for action in observation.actions if action.pair not in self._forgotten]
        return observation

    def forget(self, state: State, move: Move) -> None:
        """Give up an action of A(s) in every state that is the same."""
        pair = next(action.pair for action in self.observe(state).actions if action.move == move)
        self._forgotten.add(pair)
        self._changed.add(pair)

    def best(self, observation: Observation) -> float:
        """The largest Q(s, a) over A(s), which must not be empty. Raises ValueError if one is no finite number."""
        values = self.values
        known = [values[pair] for _, pair in observation.actions]
        if not isfinite(sum(known)):  # what is no number is neither equal nor unequal, so none would be the largest
            raise ValueError(f"it believes {known} of the actions of a state; values have to be finite numbers")
        return max(known)

    def update(self, pair: int, target: float, alpha: Rate) -> None:
        """Q <- Q + α (target - Q), α for one more update of this pair. Raises ValueError for no finite target."""
        if not isfinite(target):
            raise ValueError(f"it would believe {target}; values have to be finite numbers")
        self.visit(pair)
        self.values[pair] += alpha.at(self.visits[pair]) * (target - self.values[pair])

    def visit(self, pair: int) -> None:
        """Count an update of a pair, which may come in parts (`shift`)."""
        self.visits[pair] += 1
        self._changed.add(pair)

    def unseen(self) -> int:
        """How many pairs have another value than in the beginning, though no update of them was counted."""
        pairs = zip(self.values, self.visits, strict=True)
        return sum(not visits and value != self.initial_value for value, visits in pairs)

    def shift(self, pair: int, amount: float, alpha: Rate) -> None:
        """Q <- Q + α · amount, as a part of the last update counted."""
        self.values[pair] += alpha.at(self.visits[pair]) * amount
        self._changed.add(pair)

    def remember(self, pair: int, reward: float, after: State) -> None:
        """Put into the model what came of a pair."""
        if pair not in self.model:
            self.tried.append(pair)
        self.model[pair] = reward, after

    def has_met(self, state: State) -> bool:
        """Whether this state, or one that is the same, was met."""
        key = self.space.view(state).key
        return key in self._pairs or (self._recall is not None and self._recall(self.space.digest(key)) is not None)

    def changes(self) -> tuple[list[bytes], list[Record]]:
        """The digests of states met for the first time, and the pairs changed, since this was last called."""
        digests = {
            key: self.space.digest(key) for key in [*self._new_keys, *(self._names[p][0] for p in self._changed)]
        }
        states = [digests[key] for key in self._new_keys]
        records = [
            Record(digests[key], slot, self.values[pair], self.visits[pair], pair in self._forgotten)
            for pair in sorted(self._changed)
            for key, slot in [self._names[pair]]
        ]
        self._new_keys.clear()
        self._changed.clear()
        return states, records

    @property
    def size(self) -> int:
        """The number of states in this memory; the proved one is none."""
        return len(self._pairs)

    def _meet(self, state: State) -> Observation:
        """A state that is not among the observations yet, though one that is the same may be."""
        if not state:
            return Observation(state, (), [])
        key, _ = view = self.space.view(state)
        offered = self.action_space.actions(state)
        slots = [view.slot(move) for move in offered]
        if key not in self._pairs:
            self._number(key, slots)
        pairs = self._pairs[key]
        return Observation(
            state, offered, [Action(move, pairs[slot]) for move, slot in zip(offered, slots, strict=True)]
        )

    def _number(self, key: Key, slots: list[Slot]) -> None:
        """Give numbers to the pairs of a key, with the values that are kept for them."""
        pairs = self._pairs[key] = {}
        for slot in dict.fromkeys(slots):
            pairs[slot] = len(self._names)
            self._names.append((key, slot))
            self.values.append(self.initial_value)
            self.visits.append(0)
        kept = self._recall(self.space.digest(key)) if self._recall else None
        if kept is None:
            self._new_keys.append(key)
            self.met += 1
            return
        for record in kept:
            pair = pairs[record.slot]
            self.values[pair], self.visits[pair] = record.value, record.visits
            if record.forgotten:
                self._forgotten.add(pair)
