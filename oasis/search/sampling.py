"""Sampling: the policy plays from the beginning again and again, and nothing is learned from one play for the next.

What every other search has to be worth its calls against.
"""

from __future__ import annotations

from collections.abc import Iterator

from oasis.play.solving import OPEN
from oasis.search.rollouts.play import Job
from oasis.search.rollouts.search import RolloutSearch
from tactics.rules import legal_moves


class Sampling(RolloutSearch):
    """Rollouts from the goal, as many at once as there are workers."""

    def _search(self) -> Iterator[None]:
        if self.root.status is OPEN and not legal_moves(self.goal):
            self.graph.expand(self.root)
        while self.root.status is OPEN:
            jobs = [Job((self.goal,), self.rng.next(), self.max_steps) for _ in range(self.workers)]
            for rollout in (yield from self._play(jobs)):
                if not rollout[-1].state:
                    self._take_in(tuple([move for step in rollout for move in step.moves]))
