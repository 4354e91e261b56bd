"""A balance as one picture: what is proved, what is illegal, and what it costs, from the least help to the most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oasis.lab.plots.style import SLIDE, save, styles
from oasis.lab.policy_balance import POSITIONS, Row
from oasis.lab.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def save_plot(path: Path, rows: Sequence[Row]) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(rows))


def figure(rows: Sequence[Row]) -> Figure:
    """Four panels over the positions; a curve is a policy on a benchmark, with 95 % intervals of shares."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    drawing = Figure(figsize=SLIDE, layout="constrained")
    axes = drawing.subplots(2, 2, sharex=True)
    _panel(axes[0, 0], rows, lambda row: row.score.share, "theorems proved")
    written = [row for row in rows if row.position.is_written]
    _panel(axes[0, 1], written, lambda row: row.illegal, "lost by an illegal move")
    _panel(axes[1, 0], rows, lambda row: row.score.calls + row.score.trials, "calls and trials, for a theorem")
    _panel(axes[1, 1], rows, lambda row: 1_000 * row.seconds, "ms of processor time, for a theorem")
    for each in axes[0]:
        each.set_ylim(-0.03, 1.03)
        each.yaxis.set_major_formatter(PercentFormatter(1))
    for each in axes[1]:
        each.set_yscale("symlog", linthresh=1)
        each.set_ylim(bottom=0)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=min(3, len(labels)))
    return drawing


def _panel(axes: Axes, rows: Sequence[Row], measure: Callable[[Row], Interval | float], title: str) -> None:
    """One measure over the positions."""
    places = {position.name: place for place, position in enumerate(POSITIONS)}
    curves: dict[str, list[Row]] = {}
    for row in rows:
        curves.setdefault(f"{row.policy} on {row.benchmark}", []).append(row)
    for (name, style), beside in zip(styles(curves).items(), range(len(curves)), strict=True):
        at = [places[row.position.name] + 0.06 * (beside - (len(curves) - 1) / 2) for row in curves[name]]
        values = [measure(row) for row in curves[name]]
        heights = [float(each.value if isinstance(each, Interval) else each) for each in values]
        errors = [_reach(each) for each in values if isinstance(each, Interval)]
        look: dict[str, Any] = {"color": style.colour, "ls": style.line, "marker": style.marker, "capsize": 3}
        look |= {"label": name, "mfc": "white" if style.hollow else style.colour}
        axes.errorbar(at, heights, list(zip(*errors, strict=True)) or None, **look)
    axes.set_title(title)
    axes.set_xticks(range(len(places)), list(places))


def _reach(share: Interval) -> tuple[float, float]:
    """How far an interval reaches below and above its value, not less than nothing by rounding."""
    return max(0.0, float(share.value - share.low)), max(0.0, float(share.high - share.value))
