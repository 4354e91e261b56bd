"""What rollouts of one lemma that proved it did where the others did not, counted for each scope.

Rollouts of different lemmas are never compared with each other: an easy lemma would make its rules look good. At each
scope a rollout counts once, where it first could make a move there or another one: what comes later depends on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from oasis.experience.maxims import Evidence
from oasis.experience.scope import Scope, scopes
from oasis.play.exam import Play
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, initial
from tactics.rules import apply, legal_moves


@dataclass
class Contrast:
    """What rollouts say of a scope.

    Attributes:
        evidence: pairs of rollouts, summed over lemmas.
        lemmas: those with a pair, each with how many it has.
    """

    evidence: Evidence = field(default_factory=lambda: Evidence(0, 0))
    lemmas: dict[str, float] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The lemma that says most; the first of several."""
        return max(self.lemmas, key=lambda name: self.lemmas[name])


class Rollouts(NamedTuple):
    """Plays of one lemma."""

    name: str
    lemma: Formula
    plays: Sequence[Play]


def contrasted(rollouts: Iterable[Rollouts]) -> dict[Scope, Contrast]:
    """What rollouts of some lemmas say of each scope at which those of one lemma differ.

    For one lemma, with rollouts that made the move and proved it (a) or not (b), and that made another one and proved
    it (c) or not (d), the pairs are a·d / n and b·c / n with n = a + b + c + d (Mantel and Haenszel 1959).
    """
    found: dict[Scope, Contrast] = {}
    for name, lemma, plays in rollouts:
        counts: dict[Scope, list[int]] = {}
        known: dict[Goal, dict[Scope, frozenset[Move]]] = {}
        for play in plays:
            for scope, made in _first_choices(lemma, play, known).items():
                counts.setdefault(scope, [0, 0, 0, 0])[2 * (not made) + (not play.proved)] += 1
        for scope, (a, b, c, d) in counts.items():
            pairs = Evidence(a * d / (a + b + c + d), b * c / (a + b + c + d))
            if sum(pairs):
                contrast = found.setdefault(scope, Contrast())
                contrast.evidence += pairs
                contrast.lemmas[name] = sum(pairs)
    return found


def _first_choices(lemma: Formula, play: Play, known: dict[Goal, dict[Scope, frozenset[Move]]]) -> dict[Scope, bool]:
    """For each scope whether the move was made where it first could have been, and another one as well."""
    made: dict[Scope, bool] = {}
    state: State = initial(lemma)
    for move in play.script:
        goal = state[0]
        if goal not in known:
            known[goal] = _choices(goal)
        for scope, moves in known[goal].items():
            made.setdefault(scope, move in moves)
        state = apply(state, move)
    return made


def _choices(goal: Goal) -> dict[Scope, frozenset[Move]]:
    """The moves in each scope, where there are others as well."""
    within: dict[Scope, set[Move]] = {}
    legal = legal_moves(goal)
    for move in legal:
        for scope in scopes(goal, move):
            within.setdefault(scope, set()).add(move)
    return {scope: frozenset(moves) for scope, moves in within.items() if len(moves) < len(legal)}
