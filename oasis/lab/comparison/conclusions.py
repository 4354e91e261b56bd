"""Who is ahead of whom: “more” is said only where the interval of the difference leaves out 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from oasis.lab.statistics import Interval
from oasis.lab.words import bounds, conjunction, named, rounded

ENOUGH: Final = 10
"""Students of each kind; with fewer a report says what they cannot show."""


class Lead(NamedTuple):
    """Those with the largest share, and how far ahead of the others they are.

    Attributes:
        names: theirs.
        largest: the share.
        gains: by the names of others how much less they have, where the two are told apart.
        alike: the names of others from which they are not.
    """

    names: tuple[str, ...]
    largest: float
    gains: Mapping[str, Interval]
    alike: tuple[str, ...]

    @property
    def subject(self) -> str:
        """Their names, to begin a sentence."""
        return conjunction(map(named, self.names))

    @property
    def share(self) -> str:
        """The share in words."""
        shown = rounded(100 * self.largest)
        return f"{shown} %" if shown != "0.0" or not self.largest else "less than 0.1 %"

    @property
    def than(self) -> str:
        """How much more that is than others have, to end a sentence."""
        more = [
            f"{rounded(gain.scaled(100).value)} percentage points more than {named(name)} ({bounds(gain.scaled(100))})"
            for name, gain in self.gains.items()
        ]
        return f": {conjunction(more)}" if more else ""

    @property
    def nor_told(self) -> str:
        """From whom they are not told apart, to begin a sentence."""
        they = "They are" if len(self.names) > 1 else "It is"
        return f"{they} not told apart from {conjunction(map(named, self.alike))}"


def leaders(shares: Mapping[str, float], differences: Mapping[tuple[str, str], Interval]) -> Lead:
    """Who has the largest share.

    Args:
        shares: by name, at least one.
        differences: by a pair of names how much more the first has than the second; each pair in one order.
    """
    largest = max(shares.values())
    first, *equals = (name for name, share in shares.items() if share == largest)
    gains = {other: gain for (one, other), gain in differences.items() if one == first}
    gains |= {one: gain.scaled(-1) for (one, other), gain in differences.items() if other == first}
    others = [name for name in shares if name in gains and name not in equals]
    return Lead(
        (first, *equals),
        largest,
        {name: gains[name] for name in others if gains[name].sign > 0},
        tuple(name for name in others if gains[name].sign <= 0),
    )
