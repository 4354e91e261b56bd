"""Simple: two states are the same if their printed text is.

Goals are interned by what they show, so comparing the goals compares their text without writing it out. Renamed atoms
or hypotheses, or hypotheses in another order, make another state; so do atoms called H, H0, …, because they change how
the next hypothesis is named.
"""

from __future__ import annotations

from hashlib import blake2b

from state_spaces.base import Key, StateSpace, View
from tactics.goal import State


class Simple(StateSpace):
    """Thesis, 6.3.1: text against text; a hypothesis stands where its name says."""

    def view(self, state: State) -> View:
        """The goals themselves as the key, the hypotheses' names as their positions."""
        focused = state[0].hypotheses if state else ()
        return View(state, {hypothesis.name: hypothesis.name for hypothesis in focused})

    def digest(self, key: Key) -> bytes:
        """The digests of the goals in their order."""
        assert isinstance(key, tuple)
        return blake2b(b"".join(goal.digest for goal in key), digest_size=16).digest()
