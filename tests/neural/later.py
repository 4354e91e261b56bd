"""Modules that are imported when a test first uses them, so that collecting tests does not import torch.

if TYPE_CHECKING:
import torch
else:
(torch,) = later("torch")
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """Stands for a module, and imports it when something of it is asked for or changed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # pytest asks for such names in all that a file holds
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self.__name__), name, value)


def later(*names: str) -> list[Any]:
    """Return what stands for modules of these names."""
    return [Later(name) for name in names]
