r"""Oasis: an artificial student that learns to prove theorems of intuitionistic propositional logic.

    import oasis

    oasis.decide("p \/ ~p")                       # non-theorem
    oasis.prove("SYJ203.3", shortest=True)        # a proof, drawn as a tree in a notebook
    student = oasis.train("SYJ203.3", seed=1)
    oasis.examine(student, "SYJ203.3").share      # 1.0: every play ends in a proof

See `oasis.notebook` for each of the names.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oasis.notebook import (
        check,
        countermodel,
        curriculum,
        decide,
        examine,
        experiment,
        export,
        hint,
        lemmas,
        load,
        parse,
        prove,
        states,
        study,
        train,
    )

__all__ = [
    "check",
    "countermodel",
    "curriculum",
    "decide",
    "examine",
    "experiment",
    "export",
    "hint",
    "lemmas",
    "load",
    "parse",
    "prove",
    "states",
    "study",
    "train",
]
_MEANT: Final = {
    **dict.fromkeys(("solve", "proof", "search", "find_proof"), "prove"),
    **dict.fromkeys(("verify", "certify", "replay"), "check"),
    **dict.fromkeys(("compare", "experiments", "benchmark"), "study"),
    **dict.fromkeys(("learn", "fit", "Student", "practise"), "train"),
    **dict.fromkeys(("evaluate", "exam", "test"), "examine"),
    **dict.fromkeys(("is_theorem", "provable", "valid"), "decide"),
    **dict.fromkeys(("formula", "Formula", "Atom", "lemma"), "parse"),
    **dict.fromkeys(("run", "runs"), "load"),
}
"""What people look for under other names."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("oasis.notebook"), name)
    if name == "__version__":
        return import_module("oasis.ground.version").version()
    if name in _MEANT:
        raise AttributeError(f"oasis has no {name}; write oasis.{_MEANT[name]}")
    raise AttributeError(f"oasis has no {name}; it offers {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
