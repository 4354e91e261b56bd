"""Modules that are imported when a test first uses them, so that collecting tests does not import torch.

`from tests.neural.modules import torch` gives what stands for torch, and imports it when something of it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import safetensors as safetensors
    import torch as torch
    import transformers as transformers
    from safetensors import torch as arrays

    from oasis.neural import cloning, devices, policy
    from oasis.neural.beliefs import graph as graph
    from oasis.neural.beliefs import training as training
    from oasis.neural.causal import language
    from oasis.neural.causal import policy as models
    from oasis.neural.networks import decoder, llama, presets, pretrained, relational, transformer
    from oasis.neural.networks import network as networks
    from oasis.neural.reinforcement import critic as critic
    from oasis.neural.reinforcement import goals, grpo, learning, objective, paying, ppo, practice, rollouts, train
    from oasis.neural.reinforcement import sampling as sampling
    from oasis.neural.training import checkpoint, cooling, descent, imitate, loop, loss, progress, ranks, sft
    from tests.neural import quick_training

_FOLDERS = {
    "oasis.neural": "cloning devices policy",
    "oasis.neural.beliefs": "graph training",
    "oasis.neural.causal": "language",
    "oasis.neural.networks": "decoder llama presets pretrained relational transformer",
    "oasis.neural.reinforcement": "critic goals grpo learning objective paying ppo practice rollouts sampling train",
    "oasis.neural.training": "checkpoint cooling descent imitate loop loss progress ranks sft",
    "tests.neural": "quick_training",
}
_PLACES = {
    **{name: name for name in ("safetensors", "torch", "transformers")},
    **{name: f"{folder}.{name}" for folder, names in _FOLDERS.items() for name in names.split()},
    "arrays": "safetensors.torch",
    "models": "oasis.neural.causal.policy",
    "networks": "oasis.neural.networks.network",
}
__all__ = ["arrays", "checkpoint", "cloning", "cooling", "critic", "decoder", "descent", "devices", "goals", "graph"]
__all__ += ["grpo", "imitate", "language", "learning", "llama", "loop", "loss", "models", "networks", "objective"]
__all__ += ["paying", "policy", "ppo", "practice", "presets", "pretrained", "progress", "quick_training", "ranks"]
__all__ += ["relational", "rollouts", "safetensors", "sampling", "sft", "torch", "train", "training"]
__all__ += ["transformer", "transformers"]


class Later(ModuleType):
    """Stands for a module, and imports it when something of it is asked for or changed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # pytest asks for such names in all that a file holds
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self.__name__), name, value)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Later:
        """Return what stands for a module."""
        if name not in _PLACES:
            raise AttributeError(name)
        return Later(_PLACES[name])
