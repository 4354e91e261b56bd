"""Curves of a training for TensorBoard, where it is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from tactics.errors import LibraryMissing, install_command

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


class Board:
    """A folder of TensorBoard logs; used as a context. Raises LibraryMissing where TensorBoard is not installed."""

    def __init__(self, folder: Path) -> None:
        if find_spec("tensorboard") is None:
            raise LibraryMissing(
                f"--tensorboard needs TensorBoard, not installed here: {install_command('tensorboard')}"
            )
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(str(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._writer.close()

    def write(self, progress: Told) -> None:
        """Add a point to each curve."""
        for name, value in vars(progress).items():
            if name != "step" and value is not None:
                self._writer.add_scalar(CURVES.get(name, name), value, progress.step)
