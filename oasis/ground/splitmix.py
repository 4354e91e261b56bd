"""SplitMix64, the students' random numbers: the same ones in plain Python and in the compiled loops.

Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators. Good enough for choosing actions, and a
state is one number, so that a student can be stored with it; nothing here is fit for secrets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

_GAMMA: Final = 0x9E3779B97F4A7C15
_MASK: Final = 2**64 - 1
_STEPS: Final = np.arange(1, 257, dtype=np.uint64) * np.uint64(_GAMMA)
"""How far the state goes with 1, 2, … numbers."""


class SplitMix64:
    """A stream of random numbers.

    Attributes:
        state: what all further numbers depend on, from 0 to 2^64 - 1.
    """

    def __init__(self, state: int) -> None:
        self.state = state & _MASK

    @classmethod
    def seeded(cls, seed: int) -> SplitMix64:
        """The stream of a seed; streams of neighbouring seeds have nothing in common."""
        return cls(cls(seed).next())

    def next(self) -> int:
        """64 random bits."""
        self.state = (self.state + _GAMMA) & _MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
        return bits ^ (bits >> 31)

    def stream(self) -> Iterator[int]:
        """What `next` gives again and again, worked out many at a time: for who draws from nothing else here."""
        while True:
            bits = _STEPS + np.uint64(self.state)
            self.state = int(bits[-1])
            bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            yield from (bits ^ (bits >> np.uint64(31))).tolist()

    def random(self) -> float:
        """A multiple of 2^-53 in [0, 1)."""
        return (self.next() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """An int from 0 to n - 1; `n` is at most 2^31, so that no number is favoured by more than 2^-32."""
        return ((self.next() >> 32) * n) >> 32

    def shuffle(self, items: list[Any]) -> None:
        """Put a list into an order in place, every order as likely as any other (Fisher and Yates)."""
        for place in range(len(items) - 1, 0, -1):
            other = self.below(place + 1)
            items[place], items[other] = items[other], items[place]
