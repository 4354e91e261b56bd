"""What rollouts that proved a goal did where others did not, counted for each scope.

A move is judged at its own goal: rollouts that came to the same goal of the same lemma are compared, by whether they
proved this goal. Rollouts of different goals are never compared with each other: an easy one would make its rules look
good.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

from oasis.experience.maxims import Evidence
from oasis.experience.scope import Scope, applying, scopes
from oasis.play.exam import Play
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, initial
from tactics.rules import apply, legal_moves


@dataclass
class Contrast:
    """What rollouts say of a scope.

    Attributes:
        evidence: pairs of rollouts, summed over lemmas.
        lemmas: those with a pair, each with the share of its pairs that speak for the move less that against it, from
            -1 to 1, as far as they are one pair together.
    """

    evidence: Evidence = field(default_factory=lambda: Evidence(0, 0))
    lemmas: dict[str, float] = field(default_factory=dict)

    @property
    def sureness(self) -> float:
        """How many standard errors what lemmas say is away from 0, on either side.

        A lemma counts once however many pairs it has, so nothing is sure that one lemma says alone.
        """
        said = self.lemmas.values()
        spread = sqrt(sum(each * each for each in said))
        return sum(said) / spread if spread else 0.0

    def speaking(self, *, helps: bool) -> str:
        """The lemma that says most for the move, or against it; the first of several."""
        sign = 1 if helps else -1
        return max(self.lemmas, key=lambda name: sign * self.lemmas[name])


def together(contrasts: Iterable[Contrast]) -> Contrast:
    """What several scopes, of which no two share a move, say together."""
    found = Contrast()
    for each in contrasts:
        found.evidence += each.evidence
        for name, said in each.lemmas.items():
            found.lemmas[name] = max(-1.0, min(1.0, found.lemmas.get(name, 0.0) + said))
    return found


class Rollouts(NamedTuple):
    """Plays of one lemma."""

    name: str
    lemma: Formula
    plays: Sequence[Play]


class Choices(NamedTuple):
    """What was made of a goal: by move how many rollouts that made it proved the goal, and how many did not."""

    goal: Goal
    made: dict[Move, list[int]]


def choices(rollouts: Rollouts) -> list[Choices]:
    """The goals of a lemma at which rollouts made different moves, and some of them proved it and others did not."""
    found: dict[Goal, dict[Move, list[int]]] = {}
    for play in rollouts.plays:
        for goal, move, proved in _decided(rollouts.lemma, play):
            found.setdefault(goal, {}).setdefault(move, [0, 0])[not proved] += 1
    return [
        Choices(goal, made)
        for goal, made in found.items()
        if len(made) > 1 and all(any(counts[way] for counts in made.values()) for way in (0, 1))
    ]


def _decided(lemma: Formula, play: Play) -> Iterator[tuple[Goal, Move, bool]]:
    """Each goal of a play with the move that was made, and whether the play proved this goal."""
    states: list[State] = [*accumulate(play.script, apply, initial=initial(lemma))]
    fewest = [*accumulate(map(len, reversed(states)), min)][::-1]
    for before, move, left in zip(states, play.script, fewest[1:], strict=False):
        yield before[0], move, left < len(before)


class Contrasts(dict[Scope, Contrast]):
    """What choices say of each scope with at most one condition, and of any other one that is asked for.

    Args:
        made: for each lemma, by name, its choices.
    """

    def __init__(self, made: Iterable[tuple[str, Sequence[Choices]]]) -> None:
        self._made = [(name, of_lemma) for name, of_lemma in made if of_lemma]
        super().__init__(_contrasted(self._made))

    def __missing__(self, scope: Scope) -> Contrast:
        self[scope] = _contrasted(self._made, [scope]).get(scope, Contrast())
        return self[scope]


def contrasted(rollouts: Iterable[Rollouts]) -> Contrasts:
    """What rollouts of some lemmas say of scopes."""
    return Contrasts((each.name, choices(each)) for each in rollouts)


def _contrasted(made: Iterable[tuple[str, Sequence[Choices]]], within: Collection[Scope] = ()) -> dict[Scope, Contrast]:
    """What choices say of scopes, or of all those with at most one condition.

    At one goal, with rollouts that made the move and proved it (a) or not (b), and that made another one and proved it
    (c) or not (d), the pairs are a·d / n and b·c / n with n = a + b + c + d (Mantel and Haenszel 1959).
    """
    found: dict[Scope, Contrast] = {}
    for name, of_lemma in made:
        pairs: dict[Scope, Evidence] = {}
        for goal, counts in of_lemma:
            proved, failed = (sum(each[way] for each in counts.values()) for way in (0, 1))
            for scope, (a, b) in _counted(goal, counts, within).items():
                both = Evidence(a * (failed - b) / (proved + failed), b * (proved - a) / (proved + failed))
                if sum(both):
                    pairs[scope] = pairs.get(scope, Evidence(0, 0)) + both
        for scope, evidence in pairs.items():
            contrast = found.setdefault(scope, Contrast())
            contrast.evidence += evidence
            contrast.lemmas[name] = (evidence.helped - evidence.hindered) / max(1.0, sum(evidence))
    return found


def _counted(goal: Goal, made: dict[Move, list[int]], within: Collection[Scope]) -> dict[Scope, tuple[int, int]]:
    """For each scope in which not all legal moves of a goal lie how often one in it was made and proved it, and not."""
    counts: dict[Scope, list[int]] = {}
    legal = legal_moves(goal)
    for move in legal:
        proved, failed = made.get(move, (0, 0))
        for scope in applying(goal, move, within) if within else scopes(goal, move):
            known = counts.setdefault(scope, [0, 0, 0])
            known[0], known[1], known[2] = known[0] + proved, known[1] + failed, known[2] + 1
    return {scope: (proved, failed) for scope, (proved, failed, moves) in counts.items() if moves < len(legal)}
