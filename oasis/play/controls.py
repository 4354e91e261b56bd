"""Policies that learn nothing and know no lemma, and yet prove much: whoever claims to know something has to beat them.

Every table of `oasis policy eval` has them beside the policy that it is about. `Uniform` and the first legal move stand
in `oasis.play.policy`; here are those that look at formulas, or try moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from oasis.ground.names import POLICIES
from oasis.ground.plural import conjunction
from oasis.play.committed import Choosing, choices
from oasis.play.judging import Judging
from oasis.play.policy import Floats, Policy, equal_shares
from tactics.formula import And, Formula, Implies, Or
from tactics.goal import Goal, Move, State
from tactics.rules import legal_moves, wanted

CHOOSING: Final = ("uniform", "first", "shape")
"""The controls of a policy that chooses moves, the best one last."""
JUDGING: Final = ("look",)
"""The controls of a policy that judges what moves leave."""
HARDEST: Final = (CHOOSING[-1], *JUDGING)
"""The control of each kind that is hardest to beat."""
_WORTH: Final[dict[type[Formula], int]] = {Implies: 3, Or: 2, And: 1}
_SAFE: Final = 4


class Shape:
    """Prefers the move that wants an implication, then a disjunction, a conjunction, and last an atom or falsity.

    What a move wants is the formula that has to be proved next (`tactics.rules.wanted`). A move that
    cannot lose comes before all others; ties are equally likely.
    """

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Return equal shares for the best moves, and 0 for all others."""
        return [_best(state[0]) if state else equal_shares(0) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Return None: this policy does not judge goals."""
        return None


def _best(goal: Goal) -> Floats:
    worth = np.array([_worth(goal, move) for move in legal_moves(goal)])
    best = worth == worth.max(initial=0)
    found: Floats = best / max(1, best.sum())
    return found


def _worth(goal: Goal, move: Move) -> int:
    """Return how much a move is preferred by the formula that it wants."""
    wants = wanted(goal, move)
    return _SAFE if wants is None else _WORTH.get(type(wants), 0)


class Look:
    """Judges without a network: makes all moves that cannot lose, and drops what is stuck then.

    It takes a goal to be unprovable if one without legal moves is left; otherwise, the fewer choices are left, the more
    likely it takes the goal to be provable.
    """

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Return shares in proportion to the least value of the goals that each move leaves."""
        return Judging(self).probabilities(states)

    def values(self, goals: Sequence[Goal]) -> Floats:
        """Return 0 for a goal of which something is stuck, else 0.9 to the power of the choices that are left."""
        return np.array([0.0 if left is None else 0.9 ** len(left) for left in map(choices, goals)])


def told(names: Iterable[str]) -> list[str]:
    """Say in a sentence what controls do, by their names; none if there are none."""
    said = [f"{name} ({POLICIES.entries[name].about})" for name in names]
    return [f"Controls, which have learned nothing: {conjunction(said)}."] if said else []


def controls(choosing: Choosing, names: Sequence[str]) -> dict[str, Policy]:
    """Return the controls of policies that choose moves like this, by name, except those named already."""
    return {name: POLICIES.make(name) for name in (JUDGING if choosing.judge else CHOOSING) if name not in names}
