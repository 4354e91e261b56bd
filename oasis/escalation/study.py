"""A network that studies what was proved, so that the small lemmas of a family teach it the large ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol, runtime_checkable

from oasis.escalation.climb import Climb
from oasis.escalation.costs import Clock, Counter
from oasis.escalation.pupil import LONGEST_SHOWN
from oasis.escalation.stages import GREEDY, JUDGED
from oasis.ground.plugins import foreign, takes
from oasis.play.policy import Policy, called
from tactics.formula import Formula
from tactics.script import Script

_LONGEST: Final = 20.0
"""Seconds of a study, at most."""
_SHARE: Final = 50
"""A study takes at most one part in so many of the budget."""
_PATIENCE: Final = 10
"""All studies together take at most one part in so many of the time spent so far."""


@runtime_checkable
class Studious(Policy, Protocol):
    """A policy that learns from proofs, as a network's does."""

    def learn(
        self, proofs: Mapping[Formula, Script], *, seed: int, seconds: float, clock: Clock, stop: Callable[[], bool]
    ) -> bool:
        """Learn from proofs for so many seconds at most, or until it is to stop; whether it learned from any."""
        ...


class Study:
    """Has a network study the proofs of a climb, whoever found them, when there are new ones and it is time.

    Args:
        network: that of the ladder; one that cannot learn, or none, is left alone.
        climb: under way; the time is counted as its own.
        seed: of the studies.
        counter: counts what they take.
    """

    def __init__(self, network: Policy | None, climb: Climb, seed: int, counter: Counter) -> None:
        self._network = network if isinstance(network, Studious) and _learns_so(network) else None
        self._climb, self._seed, self._counter = climb, seed, counter
        self._proofs = 0

    def again(self) -> None:
        """Learn anew what the network had learned in the climb before it was broken off."""
        if self._network is not None and self._climb.pace.studies.seconds:
            self._learn(self._network)

    def if_due(self) -> None:
        """Learn if there is something new and it is time; what the network gave up is open to it again then."""
        pace = self._climb.pace
        is_time = pace.spent >= _PATIENCE * (pace.studies.seconds + self._longest) and pace.left > self._longest
        is_due = is_time and self._climb.proved > self._proofs and not self._climb.is_settled
        if self._network is not None and is_due and self._learn(self._network):
            self._climb.reopen((GREEDY, JUDGED))

    @property
    def _longest(self) -> float:
        return min(_LONGEST, self._climb.pace.budget / _SHARE)

    def _learn(self, network: Studious) -> bool:
        """Have it learn, and count that; if it came to nothing, the same proofs are tried again when it is time."""
        climb, clock = self._climb, self._counter.clock
        proofs = {
            lemma: record.script
            for lemma, record in zip(climb.lemmas, climb.records, strict=True)
            if record.script is not None and len(record.script) <= LONGEST_SHOWN
        }
        seed = (self._seed << 32) + climb.proved
        with self._counter.counting(network) as spending, foreign(called(network)):
            has_learned = network.learn(
                proofs, seed=seed, seconds=self._longest, clock=clock, stop=lambda: bool(climb.stop_requested)
            )
        climb.count(spending.cost.seconds)
        climb.pace.studies += spending.cost
        if has_learned:
            self._proofs = climb.proved
        return has_learned


def _learns_so(network: Studious) -> bool:
    """Whether what somebody's own policy has under the name is what is meant here."""
    return takes(network.learn, {}, seed=0, seconds=1.0, clock=float, stop=bool)
