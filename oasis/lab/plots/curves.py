"""Curves with shaded intervals and named reference lines on given axes: what pictures of learning are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from oasis.ground.pictures import Style, styles
from oasis.lab.pictures import keywords, marked
from oasis.lab.statistics import Floats, Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROOM: Final = 0.075
"""Between the labels of two lines, as a share of the height."""
_SHADES: Final = 0.72
"""How dark the shades of all curves are together, at most 0.18 each."""
_SOLID: Final = 2.0
_BROKEN: Final = 2.1
"""How far in front curves are: broken lines in front of solid ones, which are seen in their gaps."""
GREY: Final = "#555555"
"""Of lines to compare with, and their names."""


class Series(NamedTuple):
    """A curve: where its points are, and at each a value with its interval.

    Where the value is infinite or NaN nothing is drawn, so a curve may begin late or have gaps; an upper bound of
    infinity is shade up to the top.
    """

    x: Sequence[float] | Floats
    interval: Interval


def panel(
    axes: Axes,
    series: Mapping[str, Series],
    xlabel: str,
    ylabel: str,
    *,
    lines: Mapping[str, float] | None = None,
    percent: bool = False,
    bottom: float | None = 0,
    style: Mapping[str, Style] | None = None,
) -> None:
    """Draw curves, for a legend that is made elsewhere (`legend`).

    Args:
        axes: where to draw.
        series: by the names that a legend says.
        xlabel: of the horizontal axis.
        ylabel: of the vertical axis.
        lines: what to compare with, by what it is called at the right edge.
        percent: whether values are shares, to be written as percentages.
        bottom: of the vertical axis, if nothing is below it; None leaves it to the curves.
        style: of each name; by its place if not given.
    """
    style, lines = style or styles(series), lines or {}
    finite = np.concatenate([_finite(interval) for _, interval in series.values()] + [np.array([*lines.values()])])
    top = max(float(np.max(finite, initial=0.0)), bottom or 0.0)
    for place, (name, (x, interval)) in enumerate(series.items()):
        look = style[name]
        value, low, high = np.where(np.isfinite(interval.value), np.minimum(interval, top), np.nan)
        axes.fill_between(x, low, high, color=look.colour, alpha=min(0.18, _SHADES / len(series)), linewidth=0)
        axes.plot(
            x,
            value,
            label=name,
            markevery=marked(value, place / len(series)),
            zorder=_SOLID if look.line == "-" else _BROKEN,
            **keywords(look),
        )
    for y in lines.values():
        axes.axhline(y, color=GREY, linewidth=1.2, linestyle=(0, (4, 2)), zorder=1.5)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if bottom is not None and np.min(finite, initial=bottom) >= bottom:
        axes.set_ylim(bottom=bottom)
    if percent:
        from matplotlib.ticker import PercentFormatter

        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    _name_lines(axes, lines)


def _finite(interval: Interval) -> Floats:
    everything: Floats = np.concatenate([np.atleast_1d(array) for array in interval])
    return everything[np.isfinite(everything)]


def _name_lines(axes: Axes, lines: Mapping[str, float]) -> None:
    """Names at the right edge, moved apart where they would touch; the limits of the axes are settled."""
    low, high = axes.get_ylim()
    height = -1.0
    for name, y in sorted(lines.items(), key=lambda line: line[1]):
        height = max((y - low) / (high - low), height + _ROOM)
        axes.annotate(
            name,
            (1, y),
            xytext=(1.02, height),
            xycoords=("axes fraction", "data"),
            textcoords="axes fraction",
            color=GREY,
            fontsize="small",
            verticalalignment="center",
        )
