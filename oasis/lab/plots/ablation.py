"""How rewards differ in an ablation, as one picture for each measure: a difference with its interval in every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from oasis.lab.rewarding.contrasts import Contrast
from oasis.lab.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AXES: Final = {
    "episodes": "episodes more: left is better",
    "plays": "percentage points more: right is better",
}
"""What is drawn, and what its axis says."""
_TOLD, _NOT_TOLD = "#0072b2", "#8a8a8a"


def figure(contrasts: Sequence[Contrast], measure: str) -> Figure:
    """A row for each comparison, with a filled marker where the two are told apart.

    Args:
        contrasts: which are drawn, from top to bottom; what was the same, student by student, is a 0 without interval.
        measure: one of `AXES`.
    """
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(7.0, 1.4 + 0.33 * len(contrasts)), layout="constrained")
    axes = drawing.subplots()
    for row, contrast in enumerate(contrasts):
        one = contrast.differences.get(measure)
        if one is None or contrast.same:
            axes.plot(0, row, marker="|", color=_NOT_TOLD)
            continue
        interval = one.interval.scaled(100) if measure == "plays" else one.interval
        colour = _TOLD if one.is_told else _NOT_TOLD
        axes.plot(*_whiskers(interval, row), color=colour, linewidth=2)
        axes.plot(
            interval.value, row, marker="o", markersize=6, color=colour, markerfacecolor=colour if one.is_told else "w"
        )
    axes.axvline(0, color="#555555", linewidth=1)
    axes.set_yticks(range(len(contrasts)), [each.compared.term or each.compared.ours for each in contrasts])
    axes.set_ylim(len(contrasts) - 0.5, -0.5)
    axes.set_xlabel(AXES[measure])
    return drawing


def _whiskers(interval: Interval, row: int) -> tuple[list[float], list[int]]:
    return [float(interval.low), float(interval.high)], [row, row]
