"""Which of the things that a state space overlooks makes how many states the same: counts along a random walk.

Names and order of hypotheses, names of atoms, and the goals that wait are dropped one after the other. Nobody learns
here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from random import Random
from typing import Final, NamedTuple

from state_spaces.match import Match
from state_spaces.name import Name
from tactics.formula import Formula
from tactics.goal import State, initial, sequent
from tactics.rules import apply, legal_moves

EPISODES: Final = 1000
"""How often a lemma is played to see what is merged in it."""


class Distinct(NamedTuple):
    """How many of some states differ.

    Attributes:
        text: as they read, which is Simple.
        unordered: whatever the hypotheses' names and order.
        name: and whatever the atoms' names, which is Name.
        focused: in the focused goal alone, whatever the hypotheses' names and order.
        match: and whatever the atoms' names, which is Match.
    """

    text: int
    unordered: int
    name: int
    focused: int
    match: int

    def sentences(self) -> tuple[str, str]:
        """What each thing overlooked merges."""
        return (
            f"Of {self.text:,} states that read differently {self.unordered:,} are left when the hypotheses' names and "
            f"order do not count; renaming atoms merges {_of_these(self.unordered - self.name)} (Name).",
            f"When only the focused goal counts, {self.focused:,} are left; renaming atoms merges "
            f"{_of_these(self.focused - self.match)} (Match).",
        )


def _of_these(merged: int) -> str:
    return f"{merged:,} of these" if merged else "none of these"


def met_at_random(formulas: Iterable[Formula], episodes: int, rng: Random) -> set[State]:
    """The states with a goal left that somebody meets who plays each formula so often by legal moves alone."""
    random = rng.random
    met: set[State] = set()
    for formula in formulas:
        for _ in range(episodes):
            state = initial(formula)
            met.add(state)
            while state and (moves := legal_moves(state[0])):
                state = apply(state, moves[int(random() * len(moves))])
                met.add(state)
    return met - {()}


def distinct(states: Iterable[State]) -> Distinct:
    """The number of different ones among some states, by each notion."""
    different = set(states)
    name, match = Name(), Match()

    def count(notion: Callable[[State], Hashable]) -> int:
        return len({notion(state) for state in different})

    return Distinct(
        text=len(different),
        unordered=count(_unordered),
        name=count(lambda state: name.view(state).key),
        focused=count(lambda state: _unordered(state[:1])),
        match=count(lambda state: match.view(state).key),
    )


def _unordered(state: State) -> Hashable:
    """The goals, each as its conclusion and the multiset of its hypotheses."""
    return tuple(map(sequent, state))
