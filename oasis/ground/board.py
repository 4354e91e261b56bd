"""Boards that show curves: TensorBoard and Weights & Biases, whichever is installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

from tactics.errors import InputError, LibraryMissing, install_command


class _Told(Protocol):
    """Numbers that belong to a step."""

    @property
    def step(self) -> int: ...


class _Writer(Protocol):
    """Who writes points of curves to a folder."""

    def add(self, name: str, value: float, step: int, says: str) -> None: ...

    def close(self) -> None: ...


class _TensorBoard:
    def __init__(self, folder: Path) -> None:
        from tensorboard.summary import Writer  # which needs no torch

        self._writer = Writer(str(folder))

    def add(self, name: str, value: float, step: int, says: str) -> None:
        self._writer.add_scalar(name, value, step, description=says or None)

    def close(self) -> None:
        self._writer.close()


class _Wandb:
    """A run that is kept in the folder, which `wandb sync` sends to whom one likes; nothing is sent from here."""

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("WANDB_ERROR_REPORTING", "false")  # which would be sent
        import wandb

        folder.mkdir(parents=True, exist_ok=True)
        settings = wandb.Settings(silent=True, console="off", x_disable_stats=True)
        self._run = wandb.init(project="oasis", name=folder.name, dir=str(folder), mode="offline", settings=settings)
        self._run.define_metric("*", step_metric="step")  # as curves are written one after the other

    def add(self, name: str, value: float, step: int, says: str) -> None:
        self._run.log({name: value, "step": step})

    def close(self) -> None:
        self._run.finish()


BOARDS: Final[dict[str, tuple[str, str, Callable[[Path], _Writer]]]] = {
    "tensorboard": ("TensorBoard", "tensorboard", _TensorBoard),
    "wandb_offline": ("Weights & Biases", "wandb", _Wandb),
}
"""Of each kind of board, which is also the name of its setting: its name, its extra and package, and who writes it."""


def check_board(folder: Path, kind: str = "tensorboard") -> None:
    """Raises InputError if this cannot be a folder of curves, LibraryMissing if what writes them is not there."""
    name, package, _ = BOARDS[kind]
    if find_spec(package) is None:
        option = f"--{kind.replace('_', '-')}"
        raise LibraryMissing(f"{option} needs {name}, not installed here: {install_command(package)}")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the curves.")


class Board:
    """A folder of curves; used as a context. Raises LibraryMissing where what writes them is not installed.

    Args:
        folder: that they are written to.
        kind: `tensorboard` or `wandb_offline`.
    """

    def __init__(self, folder: Path, kind: str = "tensorboard") -> None:
        check_board(folder, kind)
        self._writer = BOARDS[kind][2](folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._writer.close()

    def write(self, told: _Told, names: Mapping[str, str]) -> None:
        """Add a point to the curve of each number of a record; `names` says how curves are called, if otherwise."""
        for name, value in vars(told).items():
            if name != "step" and isinstance(value, int | float):
                self.add(names.get(name, name), value, told.step)

    def add(self, name: str, value: float, step: int, says: str = "") -> None:
        """Add a point to a curve, of which something may be said."""
        self._writer.add(name, value, step, says)
