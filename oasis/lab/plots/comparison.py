"""The results of `oasis.lab.comparison` as one picture of four panels, or as the panels one by one for a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from oasis.ground.names import LEARNERS
from oasis.ground.pictures import SLIDE, save, styles
from oasis.lab.comparison.summary import Comparison, Summary
from oasis.lab.pictures import legend, legend_height
from oasis.lab.plots.curves import GREY, Series, panel
from oasis.lab.words import conjunction, named, significant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMED: Final = 12
"""Lemmas whose names have room side by side."""
_LETTERS: Final = 16
"""Of the name of a lemma at most."""
_BESIDE: Final = 56
"""Letters that have room side by side above a panel; more are turned."""
_TURN: Final = 20
"""Degrees."""
_ABOVE: Final = 20
"""Points between a panel with names above it and its title."""
_PANEL: Final = (7.0, 4.2)
"""Inches of a panel that stands alone, without its legend."""


class Panel(NamedTuple):
    """One of the four: how the axes are called, and what is drawn.

    Attributes:
        title: what it shows.
        xlabel: of the horizontal axis.
        ylabel: of the vertical axis, with the average that is taken.
        curve: which curve of a summary.
        lines: what to compare with.
        options: of `curves.panel`.
    """

    title: str
    xlabel: str
    ylabel: str
    curve: Callable[[Summary], Series]
    lines: dict[str, float]
    options: dict[str, Any]

    def draw(self, comparison: Comparison, axes: Axes) -> None:
        """Draw it on axes."""
        series = {summary.variant.name: self.curve(summary) for summary in comparison.summaries}
        style = styles(series, tuple(LEARNERS))
        panel(axes, series, self.xlabel, self.ylabel, lines=self.lines, style=style, **self.options)
        _name_lemmas(comparison, axes)
        _name_missing(series, axes)
        axes.set_title(self.title, pad=_ABOVE if axes.texts else None)


def _name_missing(series: Mapping[str, Series], axes: Axes) -> None:
    """Say above a panel whose curves are not in it, or have gaps, as their medians are no proofs."""
    nowhere = [name for name, (_, interval) in series.items() if not np.isfinite(interval.value).any()]
    gaps = any(not np.isfinite(interval.value).all() for _, interval in series.values())
    if gaps:
        whose = f"; never one of {conjunction(map(named, nowhere))}" if nowhere else ""
        axes.annotate(
            shorten(f"no curve where the median is no proof{whose}", 60, placeholder=" …"),
            (0, 1),
            xytext=(0, 4),
            xycoords="axes fraction",
            textcoords="offset points",
            color=GREY,
            fontsize="x-small",
            verticalalignment="bottom",
        )


def _name_lemmas(comparison: Comparison, axes: Axes) -> None:
    """Draw a thin line where practice of a lemma begins, its name above, if that is the same for all students."""
    plan = comparison.plan
    in_turn = all(variant.order in ("fixed", "afresh") for variant in plan.variants)
    if not (comparison.curriculum and in_turn and len(plan.lemmas) <= _NAMED):
        return
    each = plan.episodes // len(plan.lemmas)
    names = [shorten(lemma.name, _LETTERS, placeholder=" …") for lemma in plan.lemmas]
    turned = max(map(len, names)) * len(names) > _BESIDE
    for place, name in enumerate(names):
        if place:
            axes.axvline(place * each + 0.5, color=GREY, linewidth=0.8, zorder=1.5)
        axes.annotate(
            name,
            (place * each + 0.5, 1),
            xytext=(0, 4),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            color=GREY,
            fontsize="x-small",
            rotation=_TURN if turned else 0,
            rotation_mode="anchor",
            verticalalignment="bottom",
        )


def panels(comparison: Comparison) -> tuple[Panel, ...]:
    """The four panels of a comparison."""
    episode = "episode" if comparison.bin == 1 else f"episode (bins of {comparison.bin:,})"
    checkpoint = "episodes practised"
    percent = {"percent": True}
    if comparison.curriculum:
        asked = f"{checkpoint}; every exam asks about all lemmas"
        third = Panel(
            "Greedy policy, mean of all lemmas", asked, "greedy plays that prove\n(mean)", _solved, {}, percent
        )
        belief, worth = "Belief, mean of all lemmas", "value (mean)"
    else:
        shortest = comparison.summaries[0].truths[0].shortest
        lines = {} if shortest is None else {f"shortest\n{shortest}": float(shortest)}
        options: dict[str, Any] = {"bottom": None}
        third = Panel("Greedy policy", checkpoint, "actions in the greedy\nproof (median)", _greedy, lines, options)
        belief, worth = "Belief", "value of the lemma (mean)"
    return (
        Panel("Proofs", episode, "episodes with a proof\n(mean)", lambda summary: summary.proved, {}, percent),
        Panel("Effort", episode, "actions an episode\n(mean)", lambda summary: summary.steps, {}, {"bottom": None}),
        third,
        Panel(belief, checkpoint, worth, lambda summary: summary.value, value_lines(comparison), {}),
    )


def value_lines(comparison: Comparison) -> dict[str, float]:
    """The true values, the mean over the lemmas, by their names; with the variants' where one name has several."""
    found: dict[str, dict[float, list[str]]] = defaultdict(lambda: defaultdict(list))
    for summary in comparison.summaries:
        values = [truth.value for truth in summary.truths if truth.value is not None]
        if len(values) == len(summary.truths):
            found[summary.truths[0].name][sum(values) / len(values)].append(summary.variant.name)
    mean = "mean " if comparison.curriculum else ""
    return {
        f"{mean}{name} {significant(value)}" + (f": {', '.join(whose)}" if len(values) > 1 else ""): value
        for name, values in found.items()
        for value, whose in values.items()
    }


def figure(comparison: Comparison) -> Figure:
    """All four panels with one legend."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=SLIDE, layout="constrained")
    axes = drawing.subplots(2, 2)
    for each, place in zip(panels(comparison), axes.flat, strict=True):
        each.draw(comparison, place)
    legend(drawing, axes[0, 0], caption(comparison))
    return drawing


def single(comparison: Comparison, each: Panel) -> Figure:
    """One panel as a figure with a legend of its own."""
    from matplotlib.figure import Figure

    width, height = _PANEL
    names = [summary.variant.name for summary in comparison.summaries]
    drawing = Figure(figsize=(width, height + legend_height(names, width)), layout="constrained")
    axes = drawing.subplots()
    each.draw(comparison, axes)
    legend(drawing, axes)
    return drawing


def caption(comparison: Comparison) -> str:
    """What a legend says above the names."""
    name = shorten(comparison.plan.name, 40, placeholder=" …")
    return f"{name}: {len(comparison.plan.seeds)} students of each kind, 95 % intervals of each point shaded"


def save_plot(path: Path, comparison: Comparison) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(comparison))


def _greedy(summary: Summary) -> Series:
    return summary.greedy


def _solved(summary: Summary) -> Series:
    return summary.solved
