"""What R† knows of states and moves before it pays for steps between them; each is worked out once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from oasis.dagger.alike import Alike
from oasis.dagger.beliefs.remembered import Remembered
from oasis.dagger.term import Context, OfState
from tactics.goal import Goal, Move, State

Weighted = tuple[OfState, float]
Counts = tuple[int, int, int, bool]
"""Goals before a step and after it, its moves, and whether the episode ends in it."""
_REMEMBERED: Final = 2**18
"""States and goals, after which those that are remembered are worked out again."""


@dataclass(slots=True)
class Use:
    """A move of a goal.

    Attributes:
        tactic: its number among those that are counted, or 0.
        known: by the counts of a step, what those terms pay for it, and for the mean, that look at nothing else.
    """

    tactic: int
    known: dict[Counts, tuple[float, float]] = field(default_factory=dict)


@dataclass(slots=True)
class Focus:
    """A goal in focus.

    Attributes:
        goal: the one that stands for those that are alike.
        potential: the sum of all Φ that look at this goal alone.
        number: of the goal among those that are counted; 0 while nobody asked.
        uses: of those of its moves that were made.
    """

    goal: Goal
    potential: float
    number: int = 0
    uses: dict[Move, Use] = field(default_factory=dict)


@dataclass(slots=True)
class Look:
    """A state.

    Attributes:
        state: the one that stands for those that are alike; empty if it is proved.
        focus: its first goal; None if it is proved.
        potential: the sum of all Φ; 0 if it is proved.
        amount: what those terms pay for coming to it that are no potentials.
        chance: p(QED); None while nobody asked.
    """

    state: State
    focus: Focus | None
    potential: float = 0.0
    amount: float = 0.0
    chance: float | None = None


class Looks:
    """Those that were taken.

    Args:
        context: what terms look up.
        belief: who says p(QED).
        alike: says which states are alike.
        terms: of states, with their weights.
    """

    def __init__(self, context: Context, belief: Remembered, alike: Alike, terms: Iterable[Weighted]) -> None:
        terms = list(terms)
        self._context, self._belief, self._alike = context, belief, alike
        self._places = [each for each in terms if not each[0].differenced]
        self._of_focus = [each for each in terms if each[0].differenced and each[0].of_focus]
        self._of_wholes = [each for each in terms if each[0].differenced and not each[0].of_focus]
        self._known: dict[State, Look] = {}
        self._focuses: dict[Goal, Focus] = {}

    def look(self, state: State) -> Look:
        """What there is to know of a state."""
        if max(len(self._known), len(self._alike)) > _REMEMBERED:
            for memory in (self._belief.known, self._known, self._focuses, self._alike):
                memory.clear()
        state = self._alike.state(state)
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._looked_at(state) if state else Look((), None)
        return known

    def chance(self, look: Look) -> float:
        """p(QED) of a state with goals."""
        if look.chance is None:
            look.chance = self._belief.probability(look.state)
        return look.chance

    def _looked_at(self, state: State) -> Look:
        focus = self._focuses.get(state[0])
        if focus is None:
            focus = self._focuses[state[0]] = Focus(state[0], self._sum(self._of_focus, state))
        potential = focus.potential + self._sum(self._of_wholes, state)
        return Look(state, focus, potential, self._sum(self._places, state))

    def _sum(self, terms: list[Weighted], state: State) -> float:
        return sum([weight * form.value(self._context, state) for form, weight in terms]) if terms else 0.0
