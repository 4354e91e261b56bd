"""Curves with shaded intervals and named reference lines on given axes: what pictures of learning are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from oasis.ground.pictures import Style, styles
from oasis.lab.statistics import Floats, Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS: Final = 6
"""Markers on a curve."""
_ROOM: Final = 0.075
"""Between the labels of two lines, as a share of the height."""
_LETTERS: Final = 8.5
"""In a legend, to the inch."""
_KEY: Final = 9
"""Letters that the line beside a name would take."""
_LEGEND_ROW: Final = 0.27
"""Inches."""
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
            markevery=_marked(value, place / len(series)),
            zorder=_SOLID if look.line == "-" else _BROKEN,
            **_keywords(look),
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


def legend(drawing: Figure, axes: Axes, title: str = "") -> None:
    """One legend for the whole picture, above it, with what the curves are as its title."""
    handles, names = axes.get_legend_handles_labels()
    drawing.legend(
        handles,
        names,
        title=title,
        loc="outside upper center",
        ncols=legend_columns(names, drawing.get_figwidth()),
        frameon=False,
        handlelength=4,
    )


def legend_height(names: Sequence[str], width: float) -> float:
    """How many inches high a legend of these names is on a picture of such a width."""
    return _LEGEND_ROW * ceil(len(names) / legend_columns(names, width))


def legend_columns(names: Sequence[str], width: float) -> int:
    """How many names fit beside each other on so many inches, filling the rows evenly."""
    room = int(_LETTERS * width / (max(map(len, names), default=0) + _KEY))
    rows = ceil(len(names) / max(1, room))
    return ceil(len(names) / rows) if rows else 1


def _marked(value: Floats, offset: float) -> list[int]:
    """Where a curve has markers: a few of its points, other ones than those of other curves, and each point alone.

    Args:
        value: of the curve, NaN where there is none.
        offset: of the first marker, as a share of the distance between two; 0 to less than 1.
    """
    there = np.isfinite(value)
    beside = np.pad(there, 1)
    alone = np.flatnonzero(there & ~beside[:-2] & ~beside[2:])
    points = np.flatnonzero(there)
    gap = max(1, len(points) // _MARKS)
    marked: list[int] = np.union1d(points[int(offset * gap) :: gap], alone).tolist()
    return marked


def _finite(interval: Interval) -> Floats:
    everything: Floats = np.concatenate([np.atleast_1d(array) for array in interval])
    return everything[np.isfinite(everything)]


def _keywords(style: Style) -> dict[str, Any]:
    face = {"markerfacecolor": "white"} if style.hollow else {}
    return {"color": style.colour, "linestyle": style.line, "marker": style.marker, **face}


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
