"""The curves of a report for TensorBoard, where it is installed: a run for each kind, a scalar for each measure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from oasis.lab.paper import stem
from oasis.lab.report import Report
from oasis.neural.training.board import Board


def write_curves(folder: Path, reports: Mapping[str, Report]) -> None:
    """Write the curves of each kind, as they are shown, into a folder of its own; of several parts one in the other."""
    for part, report in reports.items():
        for name in report.names:
            places = [part, name] if len(reports) > 1 else [name]
            with Board(folder.joinpath(*map(stem, places))) as board:
                for measure in report.curves:
                    values = measure.scale * np.asarray(report.number(measure, name).value)
                    for step, value in zip(report.points(measure, name), values, strict=True):
                        board.add(measure.name, float(value), round(float(step)), f"{measure.says} ({measure.unit})")
