"""Numbers, intervals and lists as they stand in a sentence or a table."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import Final

from oasis.ground.plural import conjunction as conjunction
from oasis.lab.statistics import Floats, Interval, unseen

_AT_ENDS: Final = "shares in which some student has none or all, or all students have the same,"
INTERVALS: Final = (
    "95 % interval, each for itself, of a curve for each of its points. Of means it is Student's t; of "
    f"{_AT_ENDS} it is Gaffke's, which of yes and no is that of Clopper and Pearson; of medians it lies between two of "
    "the students, and below six students it is all there can be. A curve of shares has one method at all its points: "
    "Gaffke's if at one of them all students have the same, or each has none or all, else Student's t. A point of a "
    "curve rests on fewer episodes than a number in a table, so bands may overlap where the table tells two apart. "
    "Whatever the interval, up to "
    f"{unseen(30):.0%} of such students may do what none of 30 did, {unseen(10):.0%} what none of 10 did, "
    f"{unseen(5):.0%} what none of 5 did."
)
"""How intervals are made, for whoever prints them."""
_LISTED: Final = 12
"""Names of lemmas that a sentence has at most."""


def amount(effort: int, unit: str) -> str:
    """An effort with its unit, milliseconds as seconds."""
    if unit.startswith("ms "):
        return f"{effort / 1000:,g} {unit[1:]}"
    return f"{effort:,} {unit}"


def rounded(value: Floats | float) -> str:
    """Whole numbers from 100 on, one decimal below."""
    shown = round(float(value), 1) + 0.0  # which is not -0.0
    return (f"{shown:,.0f}" if abs(shown) >= 100 else f"{shown:,.1f}").replace("-", "−")


def percentage(share: float) -> str:
    """One decimal, and `<0.1%` or `>99.9%` for what would be rounded to nothing or all and is neither."""
    shown = f"{share:.1%}"
    if shown == "0.0%" and share > 0:
        return "<0.1%"
    return ">99.9%" if shown == "100.0%" and share < 1 else shown


def bounds(interval: Interval) -> str:
    """The bounds of a difference, without the sign that both have where words say it."""
    low, high = (interval.low, interval.high) if interval.sign >= 0 else (-interval.high, -interval.low)
    return f"95 % interval {rounded(low)} to {rounded(high)}"


def named(name: str) -> str:
    """A name in a sentence: in quotation marks where it holds a space or a comma, so that its end is seen."""
    return f"“{name}”" if " " in name or "," in name else name


def listed(names: Sequence[str]) -> str:
    """The names in a sentence, at most a dozen and how many more there are."""
    more = [f"{len(names) - _LISTED} more"] if len(names) > _LISTED else []
    return conjunction([*map(named, names[:_LISTED]), *more])


def significant(value: float) -> str:
    """Three significant digits; 0 for what is less than half a thousandth."""
    if abs(value) < 0.0005:
        return "0"
    shown = f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}"
    return shown.replace("-", "−")


def with_interval(interval: Interval, form: str | None = None, never: str = "never") -> str:
    """A number and, if they differ from it, its bounds in brackets.

    Args:
        interval: of a single number.
        form: as in `.1f`; three significant digits if not given.
        never: what to write for infinity.
    """
    value, low, high = (
        never if isinf(bound) else significant(bound) if form is None else format(bound, form).replace("-", "−")
        for bound in map(float, interval)
    )
    to = " to " if low.startswith("−") else "–"
    return value if value == low == high else f"{value} ({low}{to}{high})"
