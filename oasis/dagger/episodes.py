"""Episodes to learn from: what a script or the plays of a policy do to a lemma, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from oasis.dagger.term import Step
from oasis.play import exam
from oasis.play.actions import LEGAL, ActionSpace
from oasis.play.policy import Policy
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.rules import legal_moves
from tactics.script import Script, replay

PLAYS = 20
"""Plays of a lemma, unless somebody asks for another number."""


@dataclass(frozen=True)
class Episode:
    """An attempt at a lemma.

    Attributes:
        lemma: what was to be proved.
        steps: what was done, a legal move each.
        proved: whether no goal was left.
    """

    lemma: Formula
    steps: tuple[Step, ...]
    proved: bool

    @property
    def states(self) -> tuple[State, ...]:
        """The states with goals that it went through, from the first to the one in which it got no further."""
        return (initial(self.lemma), *(step.after for step in self.steps if step.after))


def replayed(lemma: Formula, script: Script) -> Episode:
    """The episode that a script is, which need not end in a proof. Raises ScriptError if a move does not apply."""
    states = replay(lemma, script)
    steps = (
        Step(before, move, after, not after or not legal_moves(after[0]), 1)
        for before, move, after in zip(states, script, states[1:], strict=False)
    )
    return Episode(lemma, tuple(steps), not states[-1])


def played(
    lemma: Formula,
    policy: Policy,
    plays: int = PLAYS,
    seed: int = 0,
    max_steps: int = exam.MAX_STEPS,
    space: ActionSpace = LEGAL,
) -> list[Episode]:
    """An episode for each play of a policy, which draws as in an exam of this seed; what does not apply is no step.

    Raises InputError if the policy gives something else than a probability for each action of `space`.
    """
    games = exam.played(policy, lemma, plays=plays, seed=seed, max_steps=max_steps, space=space)
    return [replayed(lemma, script) for script, _ in games]
