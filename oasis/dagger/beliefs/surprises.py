"""What the terms of p(QED) pay while their belief learns from the plays (`oasis.dagger.beliefs.belief`)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from oasis.dagger.beliefs.belief import Visit
from oasis.dagger.shapes import Tactic
from oasis.dagger.term import Context, Floats, Form, OfBelief, OfState
from oasis.rewards.seam import Rows
from tactics.goal import State

Pair = tuple[State, State, bool]
"""The states before and after a step, and whether the episode ended in it."""


class Surprises:
    """What steps pay, by a number for each pair of states before and after; pairs alike to the belief share one.

    Args:
        context: what terms look up; its belief learns.
        forms: of terms that ask for p(QED), with their weights.

    Attributes:
        amounts: by number, of all terms together; shape (1 + pairs,), or longer. Number 0 stands for none.
    """

    def __init__(self, context: Context, forms: Sequence[tuple[Form, float]]) -> None:
        self._context, self._belief = context, context.belief
        self._surprises = [(form.value, weight) for form, weight in forms if isinstance(form, OfBelief)]
        self._hopes = [(form.value, weight) for form, weight in forms if isinstance(form, OfState)]
        self._numbers: dict[tuple[Hashable, ...], int] = {}
        self._pairs: list[Pair] = []
        self.amounts: Floats = np.zeros(1)

    def number(self, before: State, after: State, ended: bool) -> int:
        """Return the number of a pair, a new one if the belief has met none like it."""
        seen = (*self._belief.looks_at([before, after] if after else [before]), ended)
        number = self._numbers.get(seen)
        if number is None:
            self._pairs.append((before, after, ended))
            number = self._numbers[seen] = len(self._pairs)
            if number == len(self.amounts):
                self.amounts = np.append(self.amounts, np.zeros(number))
            self.amounts[number] = self._amount(self._pairs[-1])
        return number

    def learn(self, rows: Rows, uses: Rows, tactics: Sequence[Tactic]) -> None:
        """Let the belief learn from the steps of a round, and pay by what it has learned from now on.

        Args:
            rows: of the steps, with the number of the pair as `told`; those that did not apply teach nothing.
            uses: `USES` of each.
            tactics: by their numbers, from 1.
        """
        rows, uses = rows[rows["tactic"] > 0], uses[rows["tactic"] > 0]
        alike, of = np.unique(rows[["told", "tactic"]], return_inverse=True)
        times, proved = (np.bincount(of, uses[name], len(alike)).astype(int).tolist() for name in ("times", "proved"))
        self._belief.learn(
            [
                Visit(self._pairs[pair - 1][0], tactics[used - 1], *came)
                for (pair, used), *came in zip(alike.tolist(), times, proved, strict=True)
            ]
        )
        self.renew()

    def renew(self) -> None:
        """Work out the amounts anew, by the present belief."""
        self.amounts[1 : len(self._pairs) + 1] = [self._amount(pair) for pair in self._pairs]

    def of_state(self, state: State) -> float:
        """Return the weighted sum of all terms' potentials of a state with goals."""
        return sum([weight * value(self._context, state) for value, weight in self._hopes])

    def _amount(self, pair: Pair) -> float:
        before, after, ended = pair
        posterior = float(not after) if ended else self._belief.probabilities([after])[0]
        prior = self._belief.probabilities([before])[0]
        paid = sum([weight * value(self._context, posterior, prior) for value, weight in self._surprises])
        return paid + (0.0 if ended else self._context.gamma * self.of_state(after)) - self.of_state(before)
