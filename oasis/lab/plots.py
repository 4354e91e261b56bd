"""The results of `oasis.lab.sharing` as one picture for a lecture: curves with intervals, readable without colour.

It is drawn on a figure of its own, without a window and without matplotlib's global state.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from oasis.lab.findings import Finding
from oasis.lab.sharing import Sharing
from oasis.lab.statistics import Floats, bootstrap
from state_spaces import STATE_SPACES
from tactics.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS: Final = (".png", ".svg", ".pdf")
_SLIDE: Final = (13.3, 7.5)
"""Inches."""
_LOOK: Final[dict[Any, Any]] = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "font.size": 13,
    "grid.alpha": 0.3,
    "lines.linewidth": 2.2,
    "lines.markersize": 8,
    "savefig.dpi": 150,
    "svg.hashsalt": "oasis",  # so that the same results give the same file
}


class PlotsMissing(InputError):
    """matplotlib is not installed; the text ends with the command that installs it."""


class _Style(NamedTuple):
    """How a space is drawn; line, marker and lightness each tell it apart."""

    colour: str
    line: str
    marker: str


_STYLES: Final = {
    "simple": _Style("#e08a1e", "-", "o"),
    "name": _Style("#0072b2", "--", "s"),
    "match": _Style("#1a1a1a", ":", "^"),
}


def check_plot(path: Path) -> None:
    """Raises InputError if no picture can be written under this name, PlotsMissing if matplotlib is not there."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path} should end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}; rename it.")
    if not path.resolve().parent.is_dir():
        raise InputError(f"There is no folder {path.parent} for {path.name}; make it, or name another one.")
    if find_spec("matplotlib") is None:
        raise PlotsMissing("Pictures need matplotlib, which is not installed: pip install 'oasis-student[plots]'")


def save_plot(path: Path, sharing: Sharing, findings: dict[str, Finding]) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    check_plot(path)
    from matplotlib import rc_context

    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower())
    try:
        with rc_context(_LOOK):
            figure(sharing, findings).savefig(path, metadata=undated)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); name another file.") from None


def figure(sharing: Sharing, findings: dict[str, Finding]) -> Figure:
    """Memories above and proofs below for renamed copies and the lemma itself; what else pays on the right."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=_SLIDE, layout="constrained")
    axes = drawing.subplots(2, 3)
    for row, label in enumerate(("states in memory", "proofs so far")):
        axes[row, 0].set_ylabel(label)
        axes[row, 1].sharey(axes[row, 0])
    for column, experiment in enumerate(("copies", "same")):
        records = {space: sharing.record(experiment, space) for space in STATE_SPACES}
        _curves(axes[0, column], {space: record.states for space, record in records.items()})
        _curves(axes[1, column], {space: record.proved.cumsum(axis=1) for space, record in records.items()})
        axes[1, column].set_xlabel("copy" if experiment == "copies" else "episode")
    lemma = shorten(sharing.lemma.name, 24, placeholder=" …")
    axes[0, 0].set_title(f"{sharing.copies} renamed copies of {lemma}")
    axes[0, 1].set_title(f"{lemma} itself, {sharing.copies} times")
    _shares(axes[0, 2], findings["letterings"])
    axes[0, 2].set(title="Textbook lemmas in new letters", xlabel="lettering", ylabel="episodes with a proof")
    _shares(axes[1, 2], findings["at-once"])
    axes[1, 2].set(title="p ∨ q → q ∨ p, several at once", xlabel="how many", ylabel="students with a proof")
    drawing.legend(
        *axes[0, 0].get_legend_handles_labels(),
        title=f"Means of {sharing.done} students in each space, with 95 % intervals",
        loc="outside upper center",
        ncols=len(STATE_SPACES),
        frameon=False,
        handlelength=4,
    )
    return drawing


def _curves(axes: Axes, samples: dict[str, Floats]) -> None:
    """For each space the mean of its students after every episode, with its interval."""
    for place, (space, sample) in enumerate(samples.items()):
        style = _STYLES[space]
        interval = bootstrap(sample)
        episodes = np.arange(1, len(interval.value) + 1)
        gap = max(1, len(episodes) // 6)
        axes.fill_between(episodes, interval.low, interval.high, color=style.colour, alpha=0.2, linewidth=0)
        axes.plot(
            episodes,
            interval.value,
            color=style.colour,
            linestyle=style.line,
            marker=style.marker,
            markevery=(place * gap // len(samples), gap),
            label=space.capitalize(),
        )
    axes.set_ylim(bottom=0)


def _shares(axes: Axes, found: Finding) -> None:
    """For each part of an experiment and each space the share, with its interval."""
    from matplotlib.ticker import PercentFormatter

    parts = np.arange(1, len(found.experiment.parts) + 1)
    for place, summary in enumerate(found.summaries):
        style = _STYLES[summary.space]
        value, low, high = np.transpose(summary.parts)
        axes.errorbar(
            parts + 0.12 * (place - 1),  # side by side, so that no interval hides another
            value,
            yerr=(value - low, high - value),
            color=style.colour,
            linestyle=style.line,
            marker=style.marker,
            capsize=4,
        )
    axes.set_ylim(bottom=0)
    axes.set_xticks(parts)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
