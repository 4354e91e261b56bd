"""What R† counts while a student practises: uses of tactics, goals that were closed, and how small proofs got.

All of it stands still during a round, and nothing depends on the order in which things are counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.shapes import Tactic
from tactics.errors import InputError

Counts = NDArray[np.int64]
_Thing = TypeVar("_Thing", bound=Hashable)
_MOST = 2**62


class Tally(Generic[_Thing]):
    """How often things were tried, and with success, by their numbers, from 1; number 0 stands for none of them.

    Attributes:
        numbers: of the things that have one.
    """

    def __init__(self) -> None:
        self.numbers: dict[_Thing, int] = {}
        self._tried, self._closed = np.zeros(1, np.int64), np.zeros(1, np.int64)

    def number(self, thing: _Thing) -> int:
        """The number of a thing, which is new if it has none yet."""
        number = self.numbers.get(thing)
        if number is None:
            number = self.numbers[thing] = len(self.numbers) + 1
            if number == len(self._tried):
                self._tried, self._closed = (
                    np.append(each, np.zeros_like(each)) for each in (self._tried, self._closed)
                )
        return number

    @property
    def tried(self) -> Counts:
        """How often each was tried; shape (1 + things,)."""
        return self._tried[: len(self.numbers) + 1]

    @property
    def closed(self) -> Counts:
        """How often with success; shape (1 + things,)."""
        return self._closed[: len(self.numbers) + 1]

    def add(self, numbers: Sequence[int] | NDArray[Any], tried: Counts, closed: Counts) -> None:
        """Count more, in no particular order; shape (n,) each. What is counted for none is forgotten."""
        np.add.at(self._tried, numbers, tried)
        np.add.at(self._closed, numbers, closed)
        self._tried[0] = self._closed[0] = 0

    def rows(self) -> list[tuple[_Thing, int, int]]:
        """What was tried at all: each thing, how often it was tried and with success, by its number."""
        both = zip(self.numbers, self.tried[1:].tolist(), self.closed[1:].tolist(), strict=True)
        return [(thing, tried, closed) for thing, tried, closed in both if tried]

    def restore(self, rows: Sequence[tuple[_Thing, int, int]]) -> None:
        """Count what `rows` gave. Raises ValueError or TypeError if that cannot have been counted."""
        for thing, tried, closed in rows:
            if type(tried) is not int or type(closed) is not int or not 0 <= closed <= tried <= _MOST:
                raise ValueError(f"{closed} of {tried} for {thing}")
            number = self.number(thing)
            self._tried[number], self._closed[number] = tried, closed


class Counters:
    """All that one reward has counted.

    Attributes:
        tactics: uses of each tactic, and those of which the goal was closed in the same episode.
        goals: steps made on each goal in focus, by its key, likewise.
        best: bytes of the smallest proof of each lemma in the rounds that are over, by the lemma's digest.
    """

    def __init__(self) -> None:
        self.tactics: Tally[Tactic] = Tally()
        self.goals: Tally[bytes] = Tally()
        self.best: dict[bytes, int] = {}
        self._round: dict[bytes, int] = {}

    def proved(self, lemma: bytes, packed: int) -> None:
        """Take note of a proof in the round that is going on."""
        self._round[lemma] = min(packed, self._round.get(lemma, packed))

    def end_round(self) -> None:
        """From now on the smallest proofs are those known now."""
        for lemma, packed in self._round.items():
            self.best[lemma] = min(packed, self.best.get(lemma, packed))
        self._round.clear()

    def state(self) -> dict[str, Any]:
        """What `restore` takes, as JSON can hold it."""
        return {
            "tactics": [[*tactic, *counts] for tactic, *counts in self.tactics.rows()],
            "goals": [[key.hex(), *counts] for key, *counts in self.goals.rows()],
            "best": {lemma.hex(): packed for lemma, packed in self.best.items()},
            "round": {lemma.hex(): packed for lemma, packed in self._round.items()},
        }

    def restore(self, state: Any) -> None:
        """Go on with what `state` gave. Raises InputError if it is damaged."""
        try:
            tactics = [(Tactic(str(rule), str(shape)), *counts) for rule, shape, *counts in state["tactics"]]
            self.tactics.restore(tactics)
            self.goals.restore([(bytes.fromhex(key), *counts) for key, *counts in state["goals"]])
            self.best, self._round = (_sizes(state[name]) for name in ("best", "round"))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                f"What the reward R† had counted is damaged ({error}); put back a copy of the file, or train anew."
            ) from error


def _sizes(stored: dict[str, int]) -> dict[bytes, int]:
    if not all(type(size) is int and 0 < size <= _MOST for size in stored.values()):
        raise ValueError("a proof of no size")
    return {bytes.fromhex(lemma): size for lemma, size in stored.items()}
