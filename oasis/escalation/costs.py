"""What attempts at lemmas cost, in everything that can be counted, and who counts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from numbers import Integral, Real
from time import monotonic
from typing import Any, Final, Protocol, Self, runtime_checkable

from oasis.escalation.energy import Energy
from oasis.play.policy import Floats, Wrapping
from tactics.goal import Goal, State

Clock = Callable[[], float]
"""Seconds since some point in time: `time.monotonic`, or `time.process_time` where others share the machine."""
_DIGITS: Final = 4


@dataclass(frozen=True)
class Cost:
    """What something took.

    Attributes:
        episodes: of the student.
        expansions: goals, or states, whose moves a search looked at.
        plays: of the network, each from the beginning.
        calls: goals about which a policy was asked.
        forwards: goals that went through a network.
        seconds: by the clock that the budget is counted by.
        joules: of the whole machine meanwhile; None where its meters cannot be read.
        gpu_seconds: of forward passes on a GPU; None where there is none.
    """

    episodes: int = 0
    expansions: int = 0
    plays: int = 0
    calls: int = 0
    forwards: int = 0
    seconds: float = 0.0
    joules: float | None = None
    gpu_seconds: float | None = None

    def __add__(self, other: Cost) -> Cost:
        sums: dict[str, Any] = {
            each.name: _sum(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)
        }
        return Cost(**sums)

    def to_json(self) -> dict[str, Any]:
        """All of it by name; null for what is not known."""
        return {name: round(each, _DIGITS) if isinstance(each, float) else each for name, each in asdict(self).items()}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """What `to_json` wrote."""
        return cls(**stored)


def total(costs: Sequence[Cost]) -> Cost:
    """The sum of costs, of which there may be none."""
    return sum(costs, Cost())


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else one + other


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
    if not isinstance(policy, Computing):
        return 0, None
    forwards: Any = policy.forwards
    seconds: Any = policy.gpu_seconds
    return int(forwards) if isinstance(forwards, Integral) else 0, float(seconds) if isinstance(seconds, Real) else None


class Spending:
    """What was counted, complete at the end of the block; who does the work adds what only it can count."""

    def __init__(self) -> None:
        self.cost = Cost()
