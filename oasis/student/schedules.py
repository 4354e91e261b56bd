"""Numbers that change while a student learns: the share of random actions ε, and the step size α.

A schedule is written as a number (`0.4`), as two with the way between them (`0.5..0.05`, in equal steps from a lemma's
first episode to its last), or divided by a power of n (`1/n`, `0.4/n^0.6`). For ε n is the number of the episode; for α
it is the number of updates that the state-action pair has had, this one included, so that `1/n` averages.
"""

from __future__ import annotations

import math
import re
from typing import Final, NamedTuple, NoReturn

from tactics.errors import InputError

_NUMBER: Final = r"(\d+(?:\.\d*)?|\.\d+)"
_FORM: Final = re.compile(rf"{_NUMBER}(?:\.\.{_NUMBER})?(?:/n(?:\^{_NUMBER})?)?")


class Rate(NamedTuple):
    """A step size that may fall with the number of updates."""

    base: float
    power: float

    def at(self, n: int) -> float:
        """The step size of the n-th update, n from 1; falls fast enough and not too fast for powers above 0.5 to 1.

        Sutton & Barto (2018), (2.7).
        """
        return self.base if self.power == 0 else self.base / math.pow(n, self.power)

    def __mul__(self, other: object) -> NoReturn:
        """Raises TypeError: a step size is a number only for an update, and a tuple times a number is no step."""
        raise TypeError("alpha is a step size that may fall with the number of updates; take alpha.at(q.visits[pair])")

    def __rmul__(self, other: object) -> NoReturn:
        """The same."""
        self.__mul__(other)


AVERAGE: Final = Rate(1.0, 1.0)
"""The step size that makes a value the average of all its targets; Sutton & Barto (2018), 2.4."""


class Schedule(NamedTuple):
    """From `first` to `last` over the episodes, divided by n^power."""

    first: float
    last: float
    power: float

    def rate(self, episode: int, episodes: int) -> Rate:
        """What holds in an episode, from 1, of so many: the number that n^power divides, and the power."""
        way = min(1.0, (episode - 1) / (episodes - 1)) if episodes > 1 else 0.0
        return Rate(self.first + (self.last - self.first) * way, self.power)


def parse_schedule(value: float | str) -> Schedule:
    """A schedule from a number or its text. Raises InputError."""
    if not isinstance(value, str):
        return Schedule(value, value, 0.0)
    text = value.strip().replace(" ", "")
    form = _FORM.fullmatch(text)
    if form is None:
        raise InputError(f"{value!r} is no schedule; write a number, 0.5..0.05, 1/n or 0.4/n^0.6.")
    first, last, power = form.groups()
    falls = "/n" in text
    return Schedule(float(first), float(last or first), float(power or 1) if falls else 0.0)
