"""The results of `oasis.lab.sharing` as one picture: memories above, proofs below, what else pays on the right."""

from __future__ import annotations

from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from oasis.ground.pictures import SLIDE, save, styles
from oasis.lab.pictures import legend
from oasis.lab.plots.curves import Series, panel
from oasis.lab.sharing.experiments import Sharing
from oasis.lab.sharing.findings import Finding
from oasis.lab.statistics import Floats, mean_interval
from state_spaces import STATE_SPACES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def save_plot(path: Path, sharing: Sharing, findings: dict[str, Finding]) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(sharing, findings))


def figure(sharing: Sharing, findings: dict[str, Finding]) -> Figure:
    """Memories above and proofs below for renamed copies and the lemma itself; what else pays on the right."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=SLIDE, layout="constrained")
    axes = drawing.subplots(2, 3)
    axes[0, 1].sharey(axes[0, 0])
    axes[1, 1].sharey(axes[1, 0])
    for column, (experiment, unit) in enumerate((("copies", "copy"), ("same", "episode"))):
        records = {space.capitalize(): sharing.record(experiment, space) for space in STATE_SPACES}
        states, proofs = ("states in memory", "proofs so far") if column == 0 else ("", "")
        panel(axes[0, column], {space: _curve(record.states) for space, record in records.items()}, "", states)
        proved = {space: _curve(record.proved.cumsum(axis=1)) for space, record in records.items()}
        panel(axes[1, column], proved, unit, proofs)
    lemma = shorten(sharing.lemma.name, 24, placeholder=" …")
    axes[0, 0].set_title(f"{sharing.copies} renamed copies of {lemma}")
    axes[0, 1].set_title(f"{lemma} itself, {sharing.copies} times")
    _shares(axes[0, 2], findings["letterings"])
    axes[0, 2].set(title="Textbook lemmas in new letters", xlabel="lettering", ylabel="episodes with a proof")
    _shares(axes[1, 2], findings["at-once"])
    axes[1, 2].set(title="p ∨ q → q ∨ p, several at once", xlabel="how many", ylabel="students with a proof")
    legend(drawing, axes[0, 0], f"Means of {len(sharing.seeds)} students in each space, with 95 % intervals")
    return drawing


def _curve(sample: Floats) -> Series:
    """The mean of the students after every episode, with its interval."""
    return Series(np.arange(1, sample.shape[1] + 1), mean_interval(sample, least=0))


def _shares(axes: Axes, found: Finding) -> None:
    """For each part of an experiment and each space the share, with its interval."""
    from matplotlib.ticker import PercentFormatter

    parts = np.arange(1, len(found.experiment.parts) + 1)
    looks = styles(summary.space for summary in found.summaries)
    for place, summary in enumerate(found.summaries):
        style = looks[summary.space]
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
