"""What counters pay: for each tactic and for each goal a number, which stands still while they do."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.counters import Counters
from oasis.dagger.term import Context, OfGoal, OfUse
from tactics.rules import RULES

Floats = NDArray[np.float64]


class Tables:
    """What all counted terms pay together, by the numbers of the counters; number 0 pays nothing.

    Args:
        counters: what is counted.
        context: what terms look up.
        of_uses, of_goals: the terms.

    Attributes:
        uses: what it pays to use each tactic; shape (1 + tactics,).
        goals: what it pays to close each goal, and to leave it stuck; shape (1 + goals, 2).
    """

    def __init__(
        self,
        counters: Counters,
        context: Context,
        of_uses: tuple[tuple[OfUse, float], ...],
        of_goals: tuple[tuple[OfGoal, float], ...],
    ) -> None:
        self._counters, self._context, self._of_uses, self._of_goals = counters, context, of_uses, of_goals
        for tactic in context.knowledge.tactics:
            counters.tactics.number(tactic)
        self._known_from_start = len(counters.tactics.numbers)
        self._centrality = {rule: context.knowledge.centrality(rule) for rule in RULES}
        self.renew()

    def renew(self) -> None:
        """Work them out by what is counted now."""
        tactics, goals = self._counters.tactics, self._counters.goals
        is_known = tactics.tried > 0
        is_known[: self._known_from_start + 1] = True
        central = [0.0, *(self._centrality.get(rule, 0.0) for rule, _ in tactics.numbers)]
        self._frozen = (
            tactics.tried[is_known].astype(np.float64),
            tactics.closed[is_known].astype(np.float64),
            np.array(central)[is_known],
        )
        closed = goals.closed.astype(np.float64)
        self.goals = self._for_goals(closed, goals.tried - closed)
        self.goals[0] = 0.0
        self.uses = np.zeros(len(is_known))
        self.uses[is_known] = self._for_uses(0.0)
        self.uses[0] = 0.0
        for new in np.flatnonzero(~is_known).tolist():
            self.uses[new] = self._for_uses(central[new])[0]

    def extend(self) -> None:
        """Make room for tactics and goals that have a number since; they count as never tried until `renew`."""
        tactics, goals = self._counters.tactics.numbers, self._counters.goals.numbers
        if len(self.uses) <= len(tactics):
            new = islice(tactics, len(self.uses) - 1, None)
            of_new = [self._for_uses(self._centrality.get(rule, 0.0))[0] for rule, _ in new]
            self.uses = np.append(self.uses, of_new)
        if len(self.goals) <= len(goals):
            room = len(goals) + 1  # twice as much, so that it is seldom made
            self.goals = np.concatenate([self.goals, self._for_goals(*np.zeros((2, room)))])

    def _for_uses(self, centrality: float) -> Floats:
        """What it pays to use a tactic of this centrality that was never used, and then what each known one pays."""
        tried, closed, central = self._frozen
        total, central = np.zeros(len(tried)), np.append(centrality, central[1:])
        for form, weight in self._of_uses:
            total += weight * form.table(self._context, tried, closed, central)
        return total

    def _for_goals(self, closed: Floats, stuck: Floats) -> Floats:
        """What it pays to close goals and to leave them stuck, by how often either happened; shape (goals, 2)."""
        total = np.zeros((len(closed), 2))
        for form, weight in self._of_goals:
            total += weight * form.table(self._context, closed, stuck)
        return total
