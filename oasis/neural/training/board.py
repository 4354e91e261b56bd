"""Curves of a training for TensorBoard, where it is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tactics.errors import LibraryMissing, install_command

if TYPE_CHECKING:
    from oasis.neural.training.progress import Progress


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

    def write(self, progress: Progress) -> None:
        """Add a point to each curve."""
        for name, value in vars(progress).items():
            if name != "step" and value is not None:
                self._writer.add_scalar(name, value, progress.step)
