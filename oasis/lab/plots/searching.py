"""The results of `oasis.lab.searching` as one picture: what is solved within so many expansions, and so much time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Final, NamedTuple

from oasis.ground.pictures import save
from oasis.lab.pictures import legend, legend_height
from oasis.lab.plots.curves import Series, panel
from oasis.lab.searching.summary import Comparison, Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE: Final = (13.3, 5.2)
"""Inches, without the legend."""
_PANEL: Final = (7.0, 4.2)
"""Inches of a panel that stands alone, without its legend."""


class Panel(NamedTuple):
    """One of the two: how the horizontal axis is called, and what is drawn.

    Attributes:
        title: what it shows.
        xlabel: of the horizontal axis.
        curve: which curve of a summary.
    """

    title: str
    xlabel: str
    curve: Callable[[Summary], Series]

    def draw(self, comparison: Comparison, axes: Axes) -> None:
        """Draw it on axes."""
        series = {summary.variant.name: self.curve(summary) for summary in comparison.summaries}
        panel(axes, series, self.xlabel, "lemmas solved (mean)", percent=True)
        axes.set_xscale("log")
        axes.set_ylim(0, 1.02)
        axes.set_title(self.title)


PANELS: Final = (
    Panel("At equal expansions", "expansions for a lemma", lambda summary: summary.by_expansions),
    Panel("At equal time", "seconds for a lemma", lambda summary: summary.by_seconds),
)


def figure(comparison: Comparison) -> Figure:
    """Both panels with one legend."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=_with_legend(_SIZE, comparison), layout="constrained")
    for each, place in zip(PANELS, drawing.subplots(1, 2, sharey=True), strict=True):
        each.draw(comparison, place)
    drawing.axes[1].set_ylabel("")
    legend(drawing, drawing.axes[0], caption(comparison))
    return drawing


def single(comparison: Comparison, each: Panel) -> Figure:
    """One panel as a figure with a legend of its own."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=_with_legend(_PANEL, comparison), layout="constrained")
    axes = drawing.subplots()
    each.draw(comparison, axes)
    legend(drawing, axes)
    return drawing


def _with_legend(size: tuple[float, float], comparison: Comparison) -> tuple[float, float]:
    """A size in inches with room for the legend above."""
    width, height = size
    return width, height + legend_height([summary.variant.name for summary in comparison.summaries], width)


def caption(comparison: Comparison) -> str:
    """What a legend says above the names."""
    name = shorten(comparison.plan.name, 40, placeholder=" …")
    lemmas = f", {len(comparison.plan.lemmas)} lemmas" if len(comparison.plan.lemmas) > 1 else ""
    return f"{name}{lemmas}: {len(comparison.plan.seeds)} seeds, 95 % intervals shaded"


def save_plot(path: Path, comparison: Comparison) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(comparison))
