"""Pictures of reports, made of their measures: who got there by when, each curve, and each number with its interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from re import sub
from textwrap import fill, shorten
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from oasis.ground.names import LEARNERS
from oasis.ground.pictures import SLIDE, Style, legend, legend_height, marked, save, styles, to_svg
from oasis.ground.statistics import LEVEL, Interval, mean_interval
from oasis.lab.measure import Measure
from oasis.lab.report import Pair, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BESIDE: Final = 3
"""Panels in a row."""
_MOST_BESIDE: Final = 4
"""Reports in a row, of which one measure is drawn."""
_PANEL: Final = (5.2, 4.0)
"""Inches, without a legend."""
_LINEAR: Final = 10
"""Efforts up to here are shown on a linear scale, those beyond on a logarithmic one."""
_SHADES: Final = 0.72
"""How dark the shades of all curves are together, at most 0.18 each."""
_ROW: Final = 0.2
"""Inches that one difference takes."""
_APART, _ALIKE = "#0072b2", "#8a8a8a"
_LETTERS: Final = 36
"""Of a kind's name beside its interval in a line."""
_SHORT: Final = 16
"""Letters of names up to which they are as large as numbers."""

Looks = Mapping[str, Style]


class Panel(NamedTuple):
    """One panel: its title, which also says what is on the vertical axis, what draws it on axes, and its rows."""

    title: str
    draw: Callable[[Looks, Axes], None]
    rows: int = 0


class Point(NamedTuple):
    """A number, and where it stands: on a curve of a panel, at a place; those at one place are seeds of a training."""

    panel: str
    curve: str
    place: str
    measure: Measure
    number: Interval


def panels(report: Report) -> list[Panel]:
    """Return the panels of a report: the headline, the curves, and the other measures on which kinds are compared.

    Of kinds that are held against chosen ones there may be very many, so the differences alone are drawn.
    """
    if report.chosen:
        held = {other: [pair for pair in report.pairs if pair[1] == other] for _, other in report.pairs}
        return [
            Panel(f"{each.name}: against {other}", partial(_differences, report, each, pairs), len(pairs))
            for each in report.compared
            for other, pairs in held.items()
        ]
    head, *others = report.compared
    first = Panel(f"{head.name}: share of {report.family.units} by then", partial(_distribution, report, head))
    return [
        first if head.better == "less" else _plain(report, head),
        *(_plain(report, each) for each in (*report.curves, *others)),
    ]


def _plain(report: Report, measure: Measure) -> Panel:
    """Return the panel of a curve, or of numbers with their intervals."""
    return Panel(called(measure), partial(_curve if measure.x else _intervals, report, measure))


def looks(report: Report) -> Looks:
    """Return how each kind is drawn: apart in colour, in grey, and by line and marker; learners always alike."""
    return styles(report.names, tuple(LEARNERS))


def called(measure: Measure) -> str:
    """Return the name of a measure with its unit."""
    return f"{measure.name} ({measure.unit})" if measure.unit else measure.name


def caption(report: Report, title: str) -> str:
    """Return what stands above the names in a legend."""
    each = "" if report.family.across == "lemmas" else " of each kind"
    bounds = ", 95 % intervals" if report.has_bounds else ""
    return f"{shorten(title, 40, placeholder=' …')}: {report.units:,} {report.family.units}{each}{bounds}"


def figure(report: Report, title: str) -> Figure:
    """Draw all panels with one legend."""
    each, look = panels(report), looks(report)
    columns = min(_BESIDE, len(each))
    width = _PANEL[0] * columns
    height = max(map(_height, each)) * ceil(len(each) / columns) + legend_height(_in_legend(report), width) + 0.3
    draws = {panel.title: partial(panel.draw, look) for panel in each}
    return panelled(draws, (width, height), columns, caption(report, title))


def panelled(
    draws: Mapping[str, Callable[[Axes], None]], size: tuple[float, float], columns: int, caption: str = ""
) -> Figure:
    """Draw panels by their titles, so many beside each other on a picture of this size, with one legend above them."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=size, layout="constrained")
    grid = drawing.subplots(ceil(len(draws) / columns), columns, squeeze=False).ravel()
    for (title, draw), axes in zip(draws.items(), grid, strict=False):
        draw(axes)
        axes.set_title(title)
    for axes in grid[len(draws) :]:
        axes.remove()
    legend(drawing, caption)
    return drawing


def side_by_side(reports: Mapping[str, Report], measure: str, columns: int) -> Figure:
    """Draw one measure of several reports, a panel for each and so many beside each other, with one legend."""
    found = {
        part: (report, next(each for each in report.measures if each.name == measure))
        for part, report in reports.items()
    }
    names = list(dict.fromkeys(name for report in reports.values() for name in report.names))
    look = styles(names, tuple(LEARNERS))
    draws = {part: partial(_plain(*each).draw, look) for part, each in found.items()}
    width = _PANEL[0] * columns
    height = _PANEL[1] * ceil(len(draws) / columns) + legend_height(names, width)
    report, each = next(iter(found.values()))
    bounds = ", 95 % intervals" if report.has_bounds else ""
    return panelled(draws, (width, height), columns, f"{called(each)}{bounds}")


def save_plot(path: Path, report: Report, title: str) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(report, title))


def save_side_by_side(path: Path, reports: Mapping[str, Report]) -> None:
    """Write a picture of each number and curve that all reports have, named after it, with the reports side by side.

    Raises InputError if that fails.
    """
    first, *others = ([measure.name for measure in report.measures] for report in reports.values())
    for name in first:
        if all(name in names for names in others):
            drawn = partial(side_by_side, reports, name, min(_MOST_BESIDE, len(reports)))
            save(path.with_stem(f"{path.stem}-{stem(name)}"), drawn)


def along(points: Sequence[Point], places: Sequence[str], lines: int) -> Figure:
    """Draw points along places, the panels in so many lines, and the names of the curves above them."""
    panels: dict[str, list[Point]] = {}
    for point in points:
        panels.setdefault(point.panel, []).append(point)
    draws = {title: partial(_along, of_panel, places) for title, of_panel in panels.items()}
    return panelled(draws, SLIDE, ceil(len(panels) / lines))


def over_seeds(found: Sequence[Interval], least: float = 0.0, most: float = 1.0) -> Interval:
    """Return the mean over seeds of one training, with Student's t interval; of a single one what it has."""
    if len(found) == 1:
        return found[0]
    return mean_interval(np.array([float(each.value) for each in found]), least=least, most=most)


def stem(name: str) -> str:
    """Return a name as those of files have it."""
    return sub(r"[^\w.]+", "-", name).strip("-")


def pictures(report: Report, name: str) -> list[tuple[str, str]]:
    """Return the panels one by one for a page, each as its title and an `<svg>` element with a legend of its own.

    `name` goes before all identifiers, which must differ between the reports of a page.
    """
    return [
        (panel.title, to_svg(partial(single, report, panel), f"{name}-{place}"))
        for place, panel in enumerate(panels(report))
    ]


def single(report: Report, panel: Panel) -> Figure:
    """Draw one panel with a legend of its own."""
    width, height = _PANEL[0], _height(panel) + legend_height(_in_legend(report), _PANEL[0])
    return panelled({"": partial(panel.draw, looks(report))}, (width, height), 1)


def _height(panel: Panel) -> float:
    return max(_PANEL[1], 0.8 + _ROW * panel.rows)


def _in_legend(report: Report) -> Sequence[str]:
    return () if report.chosen else report.names


def _distribution(report: Report, measure: Measure, look: Looks, axes: Axes) -> None:
    """Draw which share of the units is at most at each number; who did not get there never is."""
    ends = [report.points(each, name)[-1] for each in report.curves if not each.axis for name in report.names]
    most = max(*ends, *(float(report.samples[measure.name][name].max()) for name in report.names))
    for place, name in enumerate(report.names):
        got_there = np.sort(np.where(report.lost(measure, name), np.inf, report.samples[measure.name][name]))
        there = got_there[np.isfinite(got_there)]
        x = np.concatenate([[0.0], there, [most]])
        y = np.concatenate([[0.0], np.arange(1, len(there) + 1), [len(there)]]) / len(got_there)
        marks = marked(y, place / len(report.names))
        axes.plot(measure.scale * x, y, drawstyle="steps-post", label=name, markevery=marks, **look[name].keywords)
    _efforts(axes, measure.scale * most)
    axes.set(xlabel=measure.unit or measure.name, ylim=(0, 1.03))
    _percentages(axes)


def _curve(report: Report, measure: Measure, look: Looks, axes: Axes) -> None:
    """Draw a curve of each kind with its band."""
    shade = min(0.18, _SHADES / len(report.names))
    points = np.unique(np.concatenate([report.points(measure, name) for name in report.names]))
    for place, name in enumerate(report.names):
        x, found = report.points(measure, name), report.number(measure, name)
        value, low, high = (measure.scale * np.asarray(each) for each in found)
        axes.fill_between(x, low, high, color=look[name].colour, alpha=shade, linewidth=0)
        marks = marked(value, place / len(report.names))
        axes.plot(x, value, label=name, markevery=marks, **look[name].keywords)
    _efforts(axes, float(points[-1]), float(points[points > 0].min(initial=np.inf)))
    axes.set(xlabel=measure.axis or report.family.effort)
    if measure.least == 0:
        axes.set_ylim(0, 1.03 * measure.scale * measure.most if np.isfinite(measure.most) else None)


def _intervals(report: Report, measure: Measure, look: Looks, axes: Axes) -> None:
    """Draw the number of each kind with its interval, one below the other."""
    for place, name in enumerate(report.names):
        value, low, high = (measure.scale * float(each) for each in report.number(measure, name))
        if np.isfinite([low, high]).all():
            axes.hlines(place, low, high, color=look[name].colour, linewidth=2.2)
        axes.plot([value], [place], label=name, **look[name]._replace(line="none").keywords)
    axes.set_yticks(range(len(report.names)), [fill(name, _LETTERS) for name in report.names])
    if max(map(len, report.names)) > _SHORT:
        axes.tick_params("y", labelsize="small")
    axes.set(ylim=(len(report.names) - 0.5, -0.5), xlabel=measure.unit)
    lowest, highest = axes.dataLim.intervalx
    if highest - lowest < (step := 10.0**-measure.digits):  # so that rounding does not look like a difference
        axes.set_xlim(lowest - 5 * step, highest + 5 * step)


def _differences(report: Report, measure: Measure, pairs: Sequence[Pair], _: Looks, axes: Axes) -> None:
    """Draw how much more each kind has than the one that it is held against, filled where they are told apart."""
    for place, pair in enumerate(pairs):
        gain, p = report.difference(measure, pair)
        value, low, high = (measure.scale * float(each) for each in gain)
        colour = _APART if p <= LEVEL else _ALIKE
        if np.isfinite([low, high]).all():
            axes.hlines(place, low, high, color=colour, linewidth=2)
        axes.plot([value], [place], marker="o", color=colour, markerfacecolor=colour if p <= LEVEL else "white")
    axes.axvline(0, color=_ALIKE, linewidth=1)
    axes.set_yticks(range(len(pairs)), [one for one, _ in pairs])
    better = {"less": "; left is better", "more": "; right is better"}.get(measure.better, "")
    axes.set(ylim=(len(pairs) - 0.5, -0.5), xlabel=f"{measure.of_gains.unit or 'more'}{better}")


def _along(points: Sequence[Point], places: Sequence[str], axes: Axes) -> None:
    """Draw the curves of one measure along places."""
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


def _efforts(axes: Axes, most: float, least: float = 0.0) -> None:
    """Lay out an axis of efforts from 0 to the most, logarithmic where the least would have no room otherwise."""
    axes.set_xlim(0, max(most, 1e-9))
    if most > 3 * _LINEAR * max(1.0, least):
        axes.set_xscale("symlog", linthresh=_LINEAR, linscale=0.6)
        decades = range(ceil(np.log10(most)) + 1)
        dense, decades = ((1, 3), decades) if len(decades) < 5 else ((1,), decades[1:])  # 1 would stand upon 0
        ticks = [0, *(step * 10**decade for decade in decades for step in dense if 0 < step * 10**decade <= most)]
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.minorticks_off()


def _percentages(axes: Axes) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
