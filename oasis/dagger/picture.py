"""What R† pays for a script (`oasis.dagger.explain`) as one picture: step by term above, what comes together below."""

from __future__ import annotations

from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Final

import numpy as np

from oasis.dagger.explain import Explanation
from oasis.ground.pictures import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NUMBERED: Final = 12
"""Columns up to which each cell says its number."""
_NAMED: Final = 40
"""Columns up to which each has the name of its move."""
_SMALLEST: Final = 0.01
"""Share of the largest amount from which on colours are told apart."""


def save_plot(path: Path, explanation: Explanation, name: str) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(explanation, name))


def figure(explanation: Explanation, name: str) -> Figure:
    """A row for each term that has a weight, a column for each step, and one for what is paid at the end, if any is."""
    from matplotlib.figure import Figure

    terms = [term for term, weight in explanation.weights.items() if weight]
    columns = [{term: said.paid for term, said in step.terms.items()} for step in explanation.steps]
    rewards = [step.reward for step in explanation.steps]
    moves = [str(step.move) for step in explanation.steps]
    if any(explanation.at_end.values()):
        columns, rewards, moves = (
            [*columns, dict(explanation.at_end)],
            [*rewards, explanation.end],
            [*moves, "at the end"],
        )
    paid = np.array([[column[term] for column in columns] for term in terms]).reshape(len(terms), len(columns))

    width = min(13.3, max(7.0, 2.8 + 0.8 * len(columns)))
    drawing = Figure(figsize=(width, 2.8 + 0.33 * len(terms)), layout="constrained")
    above, below = drawing.subplots(2, 1, sharex=True, height_ratios=[max(1, len(terms)), 4])
    _heat(drawing, above, terms, paid)
    above.set_title(f"What R† pays for {shorten(name, 40, placeholder=' …')}, term by term")
    _sums(below, rewards, moves)
    return drawing


def _heat(drawing: Figure, axes: Axes, terms: list[str], paid: np.ndarray) -> None:
    from matplotlib.colors import SymLogNorm

    largest = float(np.max(np.abs(paid), initial=0.0)) or 1.0
    norm = SymLogNorm(_SMALLEST * largest, vmin=-largest, vmax=largest)
    edges = np.arange(paid.shape[1] + 1) + 0.5, np.arange(len(terms) + 1) - 0.5
    mesh = axes.pcolormesh(*edges, paid, norm=norm, cmap="PuOr_r", rasterized=True)
    axes.set_yticks(range(len(terms)), terms)
    axes.invert_yaxis()
    axes.grid(visible=False)
    if paid.shape[1] <= _NUMBERED:
        for (row, column), amount in np.ndenumerate(paid):
            light = abs(norm(amount) - 0.5) < 0.3
            if not amount:
                continue
            text = f"{amount:+.3f}".replace("0.", ".") if round(amount, 3) else "·"
            axes.text(column + 1, row, text, ha="center", va="center", fontsize=9, color="black" if light else "white")
    drawing.colorbar(mesh, ax=axes, label="paid", ticks=[-largest, 0, largest], format="{x:.3g}")


def _sums(axes: Axes, rewards: list[float], moves: list[str]) -> None:
    places = np.arange(len(rewards)) + 1
    axes.bar(places, rewards, color="#74c1ee", edgecolor="#0072b2", label="reward")
    axes.plot(places, np.cumsum(rewards), color="#1a1a1a", marker="o", markersize=5, label="so far")
    axes.axhline(0, color="#555555", linewidth=1)
    axes.set_xlabel("step")
    axes.set_xlim(0.5, max(1, len(rewards)) + 0.5)
    if len(moves) <= _NAMED:
        axes.set_xticks(
            places,
            moves,
            rotation=90 if len(moves) > _NUMBERED else 45,
            ha="right" if len(moves) <= _NUMBERED else "center",
            fontsize=10,
        )
    axes.legend(frameon=False, fontsize=10)
