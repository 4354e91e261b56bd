"""Oasis: an artificial student that learns to prove theorems of intuitionistic propositional logic.

    import oasis

    student = oasis.train("SYJ203.3", seed=1)
    oasis.examine(student, "SYJ203.3").share     # 1.0: every play ends in a proof
    oasis.prove("SYJ203.3", shortest=True)

See `oasis.notebook` for each of the names.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oasis.notebook import countermodel, curriculum, decide, examine, experiment, parse, prove, states, train

__all__ = ["countermodel", "curriculum", "decide", "examine", "experiment", "parse", "prove", "states", "train"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("oasis.notebook"), name)
    raise AttributeError(f"oasis has no {name}; it offers {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
