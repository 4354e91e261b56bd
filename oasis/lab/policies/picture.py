"""A balance as pictures: what is proved and what it costs, along the help that there is, and along policies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from re import sub
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from oasis.ground.pictures import SLIDE, legend, save, styles
from oasis.lab.measure import Measure
from oasis.lab.policies.balance import HELPED, POSITIONS, Row
from oasis.lab.statistics import Interval, mean_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEFT_OUT: Final = ("too many", "cut short")
_WRITTEN: Final = {position.name for position in POSITIONS if position.is_written}

Name = Callable[[Row], str]


def training(row: Row) -> str:
    """The name of the training that gave the policy: its own without a last number, which says the seed."""
    return sub(r"-\d+$", "", row.policy)


def over_seeds(found: Sequence[Interval], least: float = 0.0, most: float = 1.0) -> Interval:
    """The mean over seeds of one training, with Student's t interval; of a single one what it has."""
    if len(found) == 1:
        return found[0]
    return mean_interval(np.array([float(each.value) for each in found]), least=least, most=most)


def save_plot(path: Path, rows: Sequence[Row], *, along_policies: bool = False) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: (over_policies if along_policies else over_positions)(rows))


def over_positions(rows: Sequence[Row]) -> Figure:
    """A panel for each measure, from the least help to the most; a curve is a policy on a benchmark."""
    places = [position.name for position in POSITIONS]
    panels = []
    for measure in (each for each in HELPED.measures if each.name not in _LEFT_OUT):
        some = [row for row in rows if measure.name != "illegal" or row.position in _WRITTEN]
        how: dict[str, Any] = {"places": places, "place": _position, "curve": _whose, "measure": measure}
        title = f"{measure.name} ({measure.unit})" if measure.unit else measure.name
        panels.append(partial(_panel, rows=some, title=title, **how))
    return _drawn(2, panels)


def over_policies(rows: Sequence[Row]) -> Figure:
    """What is proved, over the policies in their order; a panel is a benchmark, a curve a position.

    Policies whose names differ in a last number alone, as in `sound-0` and `sound-1`, are seeds of one training: a
    point is their mean, with Student's t interval over seeds. Of a single one it has that over theorems.
    """
    places = list(dict.fromkeys(map(training, rows)))
    by_benchmark: dict[str, list[Row]] = {}
    for row in rows:
        by_benchmark.setdefault(row.benchmark, []).append(row)
    how: dict[str, Any] = {"places": places, "place": training, "curve": _position, "measure": HELPED.headline}
    panels = [partial(_panel, rows=some, title=f"% proved of {name}", **how) for name, some in by_benchmark.items()]
    return _drawn(1, panels)


def _position(row: Row) -> str:
    return row.position


def _whose(row: Row) -> str:
    return f"{row.policy} on {row.benchmark}"


def _drawn(lines: int, panels: Sequence[Callable[[Axes], None]]) -> Figure:
    """Draw panels in so many lines, and the names of the curves above them."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=SLIDE, layout="constrained")
    grid = drawing.subplots(lines, len(panels) // lines, squeeze=False).ravel()
    for draw, axes in zip(panels, grid, strict=True):
        draw(axes)
    legend(drawing, grid[0])
    return drawing


def _panel(
    axes: Axes, *, rows: Sequence[Row], places: Sequence[str], place: Name, curve: Name, measure: Measure, title: str
) -> None:
    """One measure over places; rows of one curve at one place are seeds of one training."""
    curves: dict[str, dict[int, list[Interval]]] = {}
    for row in rows:
        at = curves.setdefault(curve(row), {}).setdefault(places.index(place(row)), [])
        at.append(row.numbers[measure.name])
    for beside, (name, style) in enumerate(styles(curves).items()):
        shift = 0.06 * (beside - (len(curves) - 1) / 2)
        found = [over_seeds(each, measure.least, measure.most).scaled(measure.scale) for each in curves[name].values()]
        value, low, high = (np.array([float(each[bound]) for each in found]) for bound in range(3))
        reach: Any = np.nan_to_num([value - low, high - value], nan=0.0, posinf=0.0).clip(0)
        axes.errorbar([at + shift for at in curves[name]], value, reach, label=name, capsize=3, **style.keywords)
    axes.set_title(title)
    axes.set_xticks(range(len(places)), places, rotation=50, ha="right")
    axes.set_xlim(-0.5, len(places) - 0.5)
    if np.isfinite(measure.most):
        axes.set_ylim(-3, 103)
    else:
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(0, max(1.0, 2 * axes.dataLim.y1))
