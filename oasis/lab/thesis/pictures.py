"""The figures as pictures: the thesis's own conditions above, 5,000 episodes below, curves with shaded intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from oasis.ground.pictures import FORMATS, SLIDE, check_plot, need_matplotlib, save, to_svg
from oasis.lab.comparison.curves import bin_width, binned
from oasis.lab.pictures import legend
from oasis.lab.plots.curves import Series, panel
from oasis.lab.statistics import mean_interval, share_curve
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from oasis.lab.thesis.figures import Figure
from oasis.lab.thesis.study import Parts, Trials
from oasis.lab.thesis.tables import part_title
from tactics.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

MEASURES: Final = {"proofs": "episodes with a proof", "steps": "actions an episode", "states": "states in memory"}
"""What is drawn, and how its axis is called; states only where state spaces are compared."""
_ALONE: Final = (7.0, 4.4)
"""Inches of a panel on a page."""


def curves(plan: Plan, trials: Trials, measure: str) -> dict[str, Series]:
    """For each variant the mean of its students in each episode, or in bins of many, with its interval."""
    width = bin_width(plan.episodes)
    return {name: _curve(trial, measure, width) for name, trial in trials.items()}


def rows(figure: Figure, parts: Parts) -> Iterator[dict[str, Any]]:
    """Every point of every curve, as a line of a table."""
    for part, plan in figure.plans.items():
        for measure in MEASURES:
            for variant, (x, interval) in curves(plan, parts[part], measure).items():
                for place, value, low, high in zip(
                    np.asarray(x).tolist(), *map(np.ndarray.tolist, interval), strict=True
                ):
                    yield {
                        "figure": figure.number,
                        "part": part,
                        "measure": measure,
                        "variant": variant,
                        "episode": place,
                        "mean": value,
                        "low": low,
                        "high": high,
                    }


def check_pictures(path: Path, numbers: int) -> None:
    """Raises InputError if so many pictures cannot be written there, LibraryMissing if matplotlib is not there."""
    if path.suffix.lower() in FORMATS:
        if numbers > 1:
            raise InputError(f"{path} is one picture and there are {numbers}; name a folder, or one --figure.")
        check_plot(path)
    elif path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file; name a folder, or a picture that ends in {', '.join(FORMATS)}.")
    need_matplotlib()


def save_pictures(path: Path, found: Mapping[Figure, Parts]) -> None:
    """Write the pictures: one under its own name, or each as `figure-7.1.png` in a folder. Raises InputError."""
    check_pictures(path, len(found))
    in_folder = path.suffix.lower() not in FORMATS
    if in_folder:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path} cannot be made ({error.strerror}); name another folder.") from None
    for figure, parts in found.items():
        save(path / f"figure-{figure.number}.png" if in_folder else path, partial(picture, figure, parts))


def picture(figure: Figure, parts: Parts) -> Drawing:
    """A slide: what the thesis did above, the long part below."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=SLIDE, layout="constrained")
    shown, measured = ("short", "long"), measures(figure)
    axes = drawing.subplots(len(shown), len(measured), squeeze=False)
    for row, part in zip(axes, shown, strict=True):
        for place, measure in zip(row, measured, strict=True):
            _panel(place, figure, part, parts[part], measure)
        row[0].set_title(part_title(figure.plans[part]), loc="left")
    legend(drawing, axes[0, 0], f"Figure {figure.number}: {figure.title}")
    return drawing


def part_svgs(figure: Figure, part: str, trials: Trials) -> dict[str, str]:
    """The panels of one part for a page, each by itself, by what it shows."""

    def draw(measure: str) -> Drawing:
        from matplotlib.figure import Figure as Drawing

        drawing = Drawing(figsize=_ALONE, layout="constrained")
        axes = drawing.subplots()
        _panel(axes, figure, part, trials, measure)
        legend(drawing, axes)
        return drawing

    return {
        MEASURES[measure]: to_svg(partial(draw, measure), f"figure-{figure.number}-{part}-{measure}".replace(".", "-"))
        for measure in measures(figure)
    }


def measures(figure: Figure) -> list[str]:
    """What is drawn of a figure."""
    return [measure for measure in MEASURES if measure != "states" or figure.compares_memories]


def _panel(axes: Axes, figure: Figure, part: str, trials: Trials, measure: str) -> None:
    plan = figure.plans[part]
    width = bin_width(plan.episodes)
    unit = figure.unit if plan.variants[0].settings.episodes == 1 else "episode"
    panel(
        axes,
        curves(plan, trials, measure),
        f"{unit} (bins of {width:,})" if width > 1 else unit,
        MEASURES[measure],
        percent=measure == "proofs",
    )
    if width == 1:
        from matplotlib.ticker import MaxNLocator

        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _curve(trial: Trial, measure: str, width: int) -> Series:
    x, means = binned({"proofs": trial.proved, "steps": trial.steps, "states": trial.states}[measure], width)
    return Series(x, share_curve(means) if measure == "proofs" else mean_interval(means, least=0))
