"""The habit that cost most moves: what the maxims say that proofs of people show, distilled as those of agents are.

A move that is no part of the proof that an attempt ended in was made in vain, and so was all that was made after it.
What was made in vain at a goal is compared with what proved that goal, as rollouts are (`oasis.experience.contrast`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from oasis.classroom.proving.words import moves
from oasis.classroom.register.history import History
from oasis.experience.contrast import Choices, Contrasts
from oasis.experience.maxims import AVOID
from oasis.experience.scope import Scope, scopes
from oasis.experience.wording import worded
from tactics.goal import Goal, Move
from tactics.printer import COQ, Notation
from tactics.rules import spoken
from tactics.script import Script
from tactics.sequent import show_goal

LEMMAS: Final = 2
"""Lemmas in which something was done in vain before it is called a habit."""


class Habit(NamedTuple):
    """Something that was done in vain more than once.

    Attributes:
        maxim: what should be done instead, in words.
        lemmas: in how many.
        lost: moves in vain, in all of them.
        goal: where it cost most, as it was then.
        move: what was done there.
    """

    maxim: str
    lemmas: int
    lost: int
    goal: Goal
    move: Move

    def sentence(self, notation: Notation = COQ) -> str:
        """What it is, what it cost, and an example."""
        example = f"{spoken(self.move)} at {show_goal(self.goal, notation)}"
        return f"{self.maxim} That cost {moves(self.lost)} in {self.lemmas} lemmas; for example {example}."


class _Vain(NamedTuple):
    """A move of a person: in which lemma, where, and how many moves were in vain with it; 0 for none."""

    lemma: str
    goal: Goal
    move: Move
    lost: int


def habit(attempts: Iterable[History]) -> Habit | None:
    """The habit that cost most moves in attempts that ended in a proof, of one person or of many; None if none is seen.

    It is one of which every lemma says that it hinders, and at least two lemmas do.
    """
    made = [each for attempt in attempts for each in _made(attempt)]
    counts: dict[str, dict[Goal, dict[Move, list[int]]]] = {}
    for lemma, goal, move, lost in made:
        counts.setdefault(lemma, {}).setdefault(goal, {}).setdefault(move, [0, 0])[lost > 0] += 1
    contrasts = Contrasts((lemma, [Choices(*each) for each in goals.items()]) for lemma, goals in counts.items())
    hindering = {
        scope
        for scope, each in contrasts.items()
        if len(each.lemmas) >= LEMMAS and max(each.lemmas.values()) < 0 and each.evidence.odds <= 1 / 2
    }
    cost: dict[Scope, list[_Vain]] = {}
    for vain in made:
        for scope in hindering.intersection(scopes(vain.goal, vain.move)) if vain.lost else ():
            cost.setdefault(scope, []).append(vain)
    if not cost:
        return None
    dearest = min(cost, key=lambda scope: (-sum(each.lost for each in cost[scope]), scope.depth, scope))
    vains = cost[dearest]
    worst = max(vains, key=lambda each: each.lost)
    lemmas, lost = len({each.lemma for each in vains}), sum(each.lost for each in vains)
    return Habit(worded(dearest, AVOID), lemmas, lost, worst.goal, worst.move)


def _made(attempt: History) -> Iterator[_Vain]:
    """The moves on the way to the shortest proof of an attempt, and those that left it."""
    proof = min((each.script for each in attempt.moments if not each.state), key=len, default=None)
    if proof is None:
        return
    goals: dict[Script, Goal] = {each.script: each.state[0] for each in attempt.moments if each.state}
    scripts = {each.script for each in attempt.moments}
    for script in sorted(scripts, key=len):
        before = script[:-1]
        if script and before in goals and before == proof[: len(before)]:
            is_kept = script == proof[: len(script)]
            lost = 0 if is_kept else sum(each[: len(script)] == script for each in scripts)
            yield _Vain(attempt.kept.name, goals[before], script[-1], lost)
