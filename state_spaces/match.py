"""Match: two states are the same if their focused goals are, up to the names of atoms and hypotheses and their order.

The thesis's Match asked Coq's `match goal` and merged states that differ; this one is exact. Goals that wait behind the
focused one are not seen, so while several are open the key does not say all that matters for what comes next: it is
not Markov.
"""

from __future__ import annotations

from state_spaces.base import View
from state_spaces.name import Name
from tactics.goal import State


class Match(Name):
    """Thesis, 6.3.3, made exact: Name, for the focused goal alone."""

    of_focus = True

    def view(self, state: State) -> View:
        """The focused goal up to renaming. Raises TooSymmetric if its symmetry is beyond the budget."""
        return super().view(state[:1])
