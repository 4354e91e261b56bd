"""Processes that prove open goals for an evolution, and work out ratings; each keeps what it found, and tells it."""

from __future__ import annotations

import signal
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from oasis.ground.overlap import Job
from oasis.ground.signals import end_with_parent
from oasis.play.policy import Policy
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals
from oasis.search.graph import Known
from oasis.search.search import Proposals, Search
from tactics.goal import Goal

_SUSPENDED = 64
"""Provers that are kept to go on where they were, those that were at work last."""


Asked = tuple[Goal, int, int]
"""What a prover is asked: a goal, the seed of its chance if it is begun, and expansions that it may use up now."""


class Provers:
    """Searches that are set on open goals; one that was set on a goal before goes on where it was.

    Args:
        kind: of search.
        proposals: what the policy says, and the numbers of goals.
        cache: is told what they find.
    """

    def __init__(self, kind: type[Search], proposals: Proposals, cache: GoalCache) -> None:
        self._kind, self._proposals, self._cache = kind, proposals, cache
        self._kept: dict[int, Search] = {}

    def steps(self, asked: Asked) -> Job[None]:
        """Try to prove a goal; yields 1 after each expansion."""
        (goal, seed, expansions), goals = asked, self._proposals.goals
        number = goals.add(goal)
        prover = self._kept.pop(number, None)
        if prover is None:
            prover = self._kind(goal, self._proposals.policy, cache=self._cache, seed=seed, goals=goals)
            prover.proposals = self._proposals  # what the policy said is not asked twice
        self._kept[number] = prover
        if len(self._kept) > _SUSPENDED:
            del self._kept[next(iter(self._kept))]
        for _ in islice(prover.steps(), expansions):
            yield 1


def pool(workers: int, kind: type[Search], policy: Policy) -> ProcessPoolExecutor:
    """Return so many processes, which are started when they are asked; policy and search have to be picklable."""
    return ProcessPoolExecutor(workers, get_context("spawn"), _begin, (kind, policy))


# What follows runs in the worker processes.


class _Told(GoalCache):
    """A goal cache that keeps what it is told for whoever asked."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[bytes, Known]] = []

    def put(self, key: bytes, known: Known) -> None:
        """Take in what became known of a goal."""
        super().put(key, known)
        self.told.append((key, known))


_here: list[tuple[Proposals, _Told, Provers]] = []
"""What this process proves with, once it has begun."""


def _begin(kind: type[Search], policy: Policy) -> None:
    """Make ready to prove; Ctrl-C is for the process that asks."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    proposals, cache = Proposals(Goals(), policy), _Told()
    _here.append((proposals, cache, Provers(kind, proposals, cache)))


def prove(asked: Asked) -> tuple[list[tuple[bytes, Known]], int, int]:
    """Try to prove a goal; return what became known of goals, in this order, and what it took: expansions and calls."""
    ((proposals, cache, provers),) = _here
    before, cache.told = proposals.calls, []
    expansions = sum(provers.steps(asked))
    return cache.told, expansions, proposals.calls - before
