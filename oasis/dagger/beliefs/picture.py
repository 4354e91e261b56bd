"""How reliable beliefs are, as a picture: of what is believed with some probability, how much came true."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from oasis.ground.pictures import legend, save, styles
from oasis.play.calibration import Calibration

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_plot(path: Path, calibrations: Mapping[str, Calibration]) -> None:
    """Write the picture in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: figure(calibrations))


def figure(calibrations: Mapping[str, Calibration]) -> Figure:
    """A line for each belief through its bins, and below how many states are in them."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.5, 6.5), layout="constrained")
    above, below = drawing.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    above.plot([0, 1], [0, 1], color="#555555", linewidth=1)
    for name, style in styles(calibrations).items():
        found = calibrations[name]
        believed = [each.believed for each in found.bins]
        told = f"{name}: Brier {found.brier:.3f}, ECE {found.ece:.3f}, AUC {found.auc:.3f}"
        above.plot(believed, [each.happened for each in found.bins], label=told, **style.keywords)
        below.plot(believed, [each.states for each in found.bins], **style.keywords)
    bases = {f"{each.base:.3f}" for each in calibrations.values()}
    above.set_title(f"Always saying the share that was proved: Brier {', '.join(sorted(bases))}")
    above.set_ylabel("share that was proved")
    below.set_ylabel("states")
    below.set_yscale("log")
    below.set_xlabel("believed")
    legend(drawing, above)
    return drawing
