"""Name: two states are the same if all their goals are, up to the names of atoms and hypotheses and their order.

One bijection of atoms must serve all goals, and the goals keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from state_spaces.base import Key, StateSpace, View
from state_spaces.canonical import TooSymmetric, Unnamed, label, label_unnamed
from tactics.formula import Formula
from tactics.goal import State, initial


class Name(StateSpace):
    """Thesis, 6.3.2, made exact; a hypothesis stands at its canonical position, like all that are exchangeable."""

    def view(self, state: State) -> View:
        """The goals up to renaming. Raises TooSymmetric if their symmetry is beyond the budget."""
        if not state:
            return View(label(()).key, {})
        focused = state[0]
        view: View | None = focused.views.get(state[1:])
        if view is None:
            key, place = self.of_formulas(list(map(Unnamed.of, state)))
            positions = {name: place[formula] for name, formula in focused.hypotheses}
            view = focused.views[state[1:]] = View(key, positions)
        return view

    def of_formulas(self, goals: Sequence[Unnamed]) -> tuple[Key, Mapping[Formula, int]]:
        """See `state_spaces.base.OfFormulas`."""
        labelling = label_unnamed(goals)
        return labelling.key, dict(zip(labelling.formulas, labelling.orbits, strict=True))

    def digest(self, key: Key) -> bytes:
        """The key, which is a digest already."""
        assert isinstance(key, bytes)
        return key


def lemma_key(formula: Formula) -> bytes | None:
    """16 bytes, the same for formulas that differ in their letters alone; None if one is too symmetric for a key."""
    try:
        return label(initial(formula)).key
    except TooSymmetric:
        return None


def formula_key(formula: Formula) -> bytes:
    """The same; a formula that is too symmetric counts as another one in other letters."""
    return lemma_key(formula) or formula.digest
