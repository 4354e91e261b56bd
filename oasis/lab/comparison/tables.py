"""Squares of probabilities, and shares and differences as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oasis.ground.table import Table
from oasis.lab.statistics import Interval
from oasis.lab.words import percentage, rounded


def square(title: str, names: Sequence[str], pairs: Mapping[tuple[str, str], tuple[float, Interval]]) -> Table:
    """A square of probabilities, marked where two can be told apart; the columns go by the numbers of the rows.

    Args:
        title: of the table.
        names: of the rows.
        pairs: by two names the probability that the first has more than the second, and an interval that leaves out 0
            if they are told apart; each pair in one order.
    """
    known: dict[tuple[str, str], str] = {}
    for (one, other), (probability, told) in pairs.items():
        mark = "*" if told.sign else ""
        known[one, other] = f"{probability:.2f}{mark}"
        known[other, one] = f"{1 - probability:.2f}{mark}"
    rows = [
        (f"{place} {name}", *(known.get((name, other), "") for other in names)) for place, name in enumerate(names, 1)
    ]
    header = ("", *(str(place) for place in range(1, len(names) + 1)))
    note = "* told apart; of tables of equal kinds at most 5 % have an asterisk."
    return Table(title, header, tuple(rows), note=note)


def percent(share: Interval) -> str:
    """A share and its bounds."""
    value, low, high = map(percentage, map(float, share))
    return value if value == low == high else f"{value} ({low}–{high})"


def points(difference: Interval) -> str:
    """A difference of shares and its bounds, in percentage points."""
    value, low, high = map(rounded, difference.scaled(100))
    return f"{value} ({low} to {high})"
