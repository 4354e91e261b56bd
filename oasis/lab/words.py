"""Numbers and lists as they stand in a sentence or a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oasis.ground.plural import conjunction as conjunction

_LISTED: Final = 12
"""Names of lemmas that a sentence has at most."""


def amount(effort: int, unit: str) -> str:
    """An effort with its unit, milliseconds as seconds."""
    if unit.startswith("ms "):
        return f"{effort / 1000:,g} {unit[1:]}"
    return f"{effort:,} {unit}"


def percentage(share: float) -> str:
    """One decimal, and `<0.1%` or `>99.9%` for what would be rounded to nothing or all and is neither."""
    shown = f"{share:.1%}"
    if shown == "0.0%" and share > 0:
        return "<0.1%"
    return ">99.9%" if shown == "100.0%" and share < 1 else shown


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
