"""A balance as pictures: what is proved and what it costs, along the help that there is, and along policies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path
from re import sub
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from oasis.ground.pictures import SLIDE, save, styles
from oasis.ground.statistics import Interval, mean_interval
from oasis.lab.measure import Measure
from oasis.lab.pictures import called, panelled
from oasis.lab.policies.balance import HELPED, POSITIONS, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEFT_OUT: Final = ("too many", "cut short")
_WRITTEN: Final = {position.name for position in POSITIONS if position.is_written}


class Point(NamedTuple):
    """A number, and where it stands: on a curve of a panel, at a place; those at one place are seeds of a training."""

    panel: str
    curve: str
    place: str
    measure: Measure
    number: Interval


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
    points = [
        Point(called(each), f"{row.policy} on {row.benchmark}", row.position, each, row.numbers[each.name])
        for each in HELPED.measures
        for row in rows
        if each.name not in _LEFT_OUT and (each.name != "illegal" or row.position in _WRITTEN)
    ]
    return _drawn(2, points, [position.name for position in POSITIONS])


def over_policies(rows: Sequence[Row]) -> Figure:
    """What is proved, over the policies in their order; a panel is a benchmark, a curve a position.

    Policies whose names differ in a last number alone, as in `sound-0` and `sound-1`, are seeds of one training: a
    point is their mean, with Student's t interval over seeds. Of a single one it has that over theorems.
    """
    head = HELPED.headline
    points = [
        Point(f"% proved of {row.benchmark}", row.position, training(row), head, row.numbers[head.name]) for row in rows
    ]
    return _drawn(1, points, list(dict.fromkeys(map(training, rows))))


def _drawn(lines: int, points: Sequence[Point], places: Sequence[str]) -> Figure:
    """Draw panels in so many lines, and the names of the curves above them."""
    panels: dict[str, list[Point]] = {}
    for point in points:
        panels.setdefault(point.panel, []).append(point)
    draws = {title: partial(_panel, points=of_panel, places=places) for title, of_panel in panels.items()}
    return panelled(draws, SLIDE, ceil(len(panels) / lines))


def _panel(axes: Axes, points: Sequence[Point], places: Sequence[str]) -> None:
    """Draw the curves of one measure."""
    measure, curves = points[0].measure, dict[str, dict[int, list[Interval]]]()
    for point in points:
        curves.setdefault(point.curve, {}).setdefault(places.index(point.place), []).append(point.number)
    for beside, (name, style) in enumerate(styles(curves).items()):
        shift = 0.06 * (beside - (len(curves) - 1) / 2)
        found = [over_seeds(each, measure.least, measure.most).scaled(measure.scale) for each in curves[name].values()]
        value, low, high = (np.array([float(each[bound]) for each in found]) for bound in range(3))
        reach: Any = np.nan_to_num([value - low, high - value], nan=0.0, posinf=0.0).clip(0)
        axes.errorbar([at + shift for at in curves[name]], value, reach, label=name, capsize=3, **style.keywords)
    axes.set_xticks(range(len(places)), places, rotation=50, ha="right")
    axes.set_xlim(-0.5, len(places) - 0.5)
    if np.isfinite(measure.most):
        axes.set_ylim(-3, 103)
    else:
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(0, max(1.0, 2 * axes.dataLim.y1))
