"""Curves of a training for TensorBoard, where it is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from tactics.errors import InputError, LibraryMissing, install_command

if TYPE_CHECKING:
    from oasis.neural.training.progress import Told

CURVES: Final = {
    "policy_loss": "loss/policy",
    "provability_loss": "loss/provability",
    "choices": "share right/choices of a move",
    "verdicts": "share right/verdicts on goals",
    "solved": "proved/of the fixed hundred",
    "lost": "own plays/choices that lost",
    "states_per_second": "speed/goals a second",
    "nodes_per_second": "speed/nodes a second",
}
"""How the numbers of a supervised training are called there; others are called as they are."""


def check_board(folder: Path) -> None:
    """Raises InputError if this cannot be a folder of TensorBoard logs, LibraryMissing if TensorBoard is not there."""
    if find_spec("tensorboard") is None:
        raise LibraryMissing(f"--tensorboard needs TensorBoard, not installed here: {install_command('tensorboard')}")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the curves.")


class Board:
    """A folder of TensorBoard logs; used as a context. Raises LibraryMissing where TensorBoard is not installed."""

    def __init__(self, folder: Path) -> None:
        check_board(folder)
        from tensorboard.summary import Writer  # which needs no torch

        self._writer = Writer(str(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._writer.close()

    def write(self, progress: Told) -> None:
        """Add a point to the curve of each number."""
        for name, value in vars(progress).items():
            if name != "step" and isinstance(value, int | float):
                self.add(CURVES.get(name, name), value, progress.step)

    def add(self, name: str, value: float, step: int, says: str = "") -> None:
        """Add a point to a curve, of which something may be said."""
        self._writer.add_scalar(name, value, step, description=says or None)
