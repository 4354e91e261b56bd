"""What a policy says of goals up to renaming: a share for each of their moves, asked once a goal."""

from __future__ import annotations

from collections.abc import Sequence

from oasis.play.actions import LEGAL
from oasis.play.exam import proposed
from oasis.play.policy import Policy, Uniform
from oasis.search.goals import Goals, slots


class Proposals:
    """A policy over the moves of numbered goals.

    A goal is shown to the policy with names, as the state in which nothing else is open. Who knows nothing, the uniform
    policy, is not shown anything.

    Args:
        goals: numbers goals, and knows their moves.
        policy: is asked.

    Attributes:
        calls: goals about which it was asked.
        is_uniform: whether it is the uniform policy itself, whose answers need no question.
    """

    def __init__(self, goals: Goals, policy: Policy) -> None:
        self.goals, self.policy = goals, policy
        self.calls = 0
        self.is_uniform = type(policy) is Uniform
        self._shares: dict[int, list[float]] = {}

    def shares(self, number: int) -> list[float]:
        """A probability for each of `Goals.edges`; moves that a symmetry exchanges have theirs together."""
        known = self._shares.get(number)
        if known is None:
            if self.is_uniform:
                self.calls += 1
                known = self._shares[number] = self.goals.even_shares(number)
            else:
                self.ask([number])
                known = self._shares[number]
        return known

    def ask(self, numbers: Sequence[int]) -> None:
        """Ask the policy about all these goals at once, as far as it has not been asked about them.

        Raises InputError if it gives something else than a probability for each move, or fails.
        """
        asked = [number for number in dict.fromkeys(numbers) if number not in self._shares]
        self.calls += len(asked)
        if self.is_uniform:
            self._shares |= {number: self.goals.even_shares(number) for number in asked}
            return
        named = [self.goals.goal(number) for number in asked]
        answers = proposed(self.policy, [(goal,) for goal in named], LEGAL)
        for number, goal in zip(asked, named, strict=True):
            by_slot: dict[object, float] = {}
            for slot, share in zip(slots(goal).values(), answers[goal,].tolist(), strict=True):
                by_slot[slot] = by_slot.get(slot, 0.0) + share
            self._shares[number] = [by_slot[slot] for slot, _, _ in self.goals.edges(number)]
