"""A balance as pictures: what is proved and what it costs, along the help that there is, and along policies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

from oasis.ground.pictures import SLIDE, save, styles
from oasis.lab.policy_balance import POSITIONS, Row, over_seeds
from oasis.lab.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def save_plot(path: Path, rows: Sequence[Row], *, along_policies: bool = False) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: (over_policies if along_policies else over_positions)(rows))


def over_positions(rows: Sequence[Row]) -> Figure:
    """Four panels from the least help to the most; a curve is a policy on a benchmark; shares have 95 % intervals."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    drawing = Figure(figsize=SLIDE, layout="constrained")
    axes = drawing.subplots(2, 2, sharex=True)
    places = [position.name for position in POSITIONS]
    panel = partial(_panel, places=places, place=_position, curve=lambda row: f"{row.policy} on {row.benchmark}")
    written = [row for row in rows if row.position.is_written]
    panel(axes[0, 0], rows, measure=_share, title="theorems proved")
    panel(axes[0, 1], written, measure=_illegal, title="lost by an illegal move")
    panel(axes[1, 0], rows, measure=_asked, title="calls and trials, for a theorem")
    panel(axes[1, 1], rows, measure=_milliseconds, title="ms of processor time, for a theorem")
    for each in axes[0]:
        each.set_ylim(-0.03, 1.03)
        each.yaxis.set_major_formatter(PercentFormatter(1))
    for each in axes[1]:
        each.set_yscale("symlog", linthresh=1)
        each.set_ylim(0, max(1.0, 2 * each.dataLim.y1))
    _legend(drawing, axes[0, 0])
    return drawing


def over_policies(rows: Sequence[Row]) -> Figure:
    """What is proved, over the policies in their order; a panel is a benchmark, a curve a position.

    Policies whose names differ in a last number alone, as in `sound-0` and `sound-1`, are seeds of one training: a
    point is their mean, with Student's t interval over seeds. Of a single one it has that over theorems.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    benchmarks = list(dict.fromkeys(row.benchmark for row in rows))
    places = list(dict.fromkeys(map(_training, rows)))
    drawing = Figure(figsize=SLIDE, layout="constrained")
    axes = drawing.subplots(1, len(benchmarks), squeeze=False)[0]
    for each, benchmark in zip(axes, benchmarks, strict=True):
        of_it = [row for row in rows if row.benchmark == benchmark]
        _panel(
            each, of_it, places=places, place=_training, curve=_position, measure=_share, title=f"proved of {benchmark}"
        )
        each.set_xticks(range(len(places)), places, rotation=50, ha="right")
        each.yaxis.set_major_formatter(PercentFormatter(1))
    _legend(drawing, axes[0])
    return drawing


def _training(row: Row) -> str:
    return row.training


def _position(row: Row) -> str:
    return row.position.name


def _share(rows: Sequence[Row]) -> Interval:
    return over_seeds([row.score.share for row in rows])


def _illegal(rows: Sequence[Row]) -> Interval:
    return over_seeds([row.illegal for row in rows])


def _asked(rows: Sequence[Row]) -> float:
    return mean(row.score.calls + row.score.trials for row in rows)


def _milliseconds(rows: Sequence[Row]) -> float:
    return mean(1_000 * row.seconds for row in rows)


def _panel(
    axes: Axes,
    rows: Sequence[Row],
    *,
    places: Sequence[str],
    place: Callable[[Row], str],
    curve: Callable[[Row], str],
    measure: Callable[[Sequence[Row]], Interval | float],
    title: str,
) -> None:
    """One measure over places; rows of one curve at one place are measured together."""
    curves: dict[str, dict[int, list[Row]]] = {}
    for row in rows:
        curves.setdefault(curve(row), {}).setdefault(places.index(place(row)), []).append(row)
    for (name, style), beside in zip(styles(curves).items(), range(len(curves)), strict=True):
        points = curves[name]
        at = [point + 0.06 * (beside - (len(curves) - 1) / 2) for point in points]
        values = [measure(of_point) for of_point in points.values()]
        heights = [float(each.value if isinstance(each, Interval) else each) for each in values]
        errors = [_reach(each) for each in values if isinstance(each, Interval)]
        look: dict[str, Any] = {"color": style.colour, "ls": style.line, "marker": style.marker, "capsize": 3}
        look |= {"label": name, "mfc": "white" if style.hollow else style.colour}
        axes.errorbar(at, heights, list(zip(*errors, strict=True)) or None, **look)
    axes.set_title(title)
    axes.set_xticks(range(len(places)), places)


def _legend(drawing: Figure, axes: Axes) -> None:
    """The names of the curves below all panels."""
    handles, labels = axes.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=min(3, len(labels)))


def _reach(share: Interval) -> tuple[float, float]:
    """How far an interval reaches below and above its value, not less than nothing by rounding."""
    return max(0.0, float(share.value - share.low)), max(0.0, float(share.high - share.value))
