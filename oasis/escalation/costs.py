"""What attempts at lemmas cost, in everything that can be counted, and who counts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from numbers import Integral, Real
from time import monotonic
from typing import Any, Protocol, runtime_checkable

from oasis.escalation.energy import Energy
from oasis.play.policy import Floats, Wrapping
from oasis.play.solving import Cost
from tactics.goal import Goal, State

Clock = Callable[[], float]
"""Seconds since some point in time: `time.monotonic`, or `time.process_time` where others share the machine."""


def total(costs: Sequence[Cost]) -> Cost:
    """The sum of costs, of which there may be none."""
    return sum(costs, Cost())


@runtime_checkable
class Computing(Protocol):
    """A policy that counts what it computes, as a network's does."""

    forwards: int
    gpu_seconds: float | None


class Counted(Wrapping):
    """A policy that counts the goals about which it is asked."""

    calls = 0

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Those of the policy."""
        self.calls += len(states)
        return self.policy.probabilities(states)

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Those of the policy."""
        self.calls += len(goals)
        return self.policy.values(goals)


class Counter:
    """Counts what is done while it is entered.

    Args:
        clock: tells the time.
        energy: tells the energy.
    """

    def __init__(self, clock: Clock = monotonic, energy: Energy | None = None) -> None:
        self.clock = clock
        self._energy = Energy() if energy is None else energy

    @contextmanager
    def counting(self, policy: object = None) -> Iterator[Spending]:
        """Count time and energy, and what a policy computes if it is `Computing`, until the end of the block."""
        spending = Spending()
        began, joules = self.clock(), self._energy.joules()
        forwards, gpu = _computed(policy)
        try:
            yield spending
        finally:
            spent, after = self.clock() - began, self._energy.joules()
            forwards_now, gpu_now = _computed(policy)
            spending.cost += Cost(
                forwards=forwards_now - forwards,
                seconds=spent,
                joules=None if after is None or joules is None else after - joules,
                gpu_seconds=None if gpu_now is None else gpu_now - (gpu or 0.0),
            )


def _computed(policy: object) -> tuple[int, float | None]:
    """What a policy has counted so far, as far as these are numbers: somebody's own may mean something else by them."""
    while isinstance(policy, Wrapping):
        policy = policy.policy
    if not isinstance(policy, Computing):
        return 0, None
    forwards: Any = policy.forwards
    seconds: Any = policy.gpu_seconds
    return int(forwards) if isinstance(forwards, Integral) else 0, float(seconds) if isinstance(seconds, Real) else None


class Spending:
    """What was counted, complete at the end of the block; who does the work adds what only it can count."""

    def __init__(self) -> None:
        self.cost = Cost()
