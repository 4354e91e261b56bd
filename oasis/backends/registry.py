"""The backends by name; a backend's module is imported when the backend is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from oasis.backends.base import Backend, BackendError, BackendMissing
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.backends.connect import ConnectPlusPlus

_CLASSES: Final = {
    "native": ("oasis.backends.native", "Native"),
    "coq": ("oasis.backends.coq.driver", "Coq"),
    "lean": ("oasis.backends.lean.driver", "Lean"),
    "coq-serapy": ("oasis.backends.coq.serapy", "CoqSerapy"),
    "lean-dojo": ("oasis.backends.lean.dojo", "LeanDojo"),
}
BACKENDS: Final = tuple(_CLASSES)
"""Every name, the embedded calculus first and the adapters last."""

REFEREES: Final = ("coq", "lean")
"""The provers that certify unless somebody says otherwise."""

REFUTERS: Final = ("connect++",)
"""The provers for classical logic, which look at a lemma and at no proof: they can refute it and never prove it."""


def backend(name: str) -> Backend:
    """The backend of that name, not started yet. Raises InputError for a name that is none."""
    if name not in _CLASSES:
        raise InputError(f"{name!r} is no prover; choose from {', '.join(BACKENDS)}.")
    module, kind = _CLASSES[name]
    made: Backend = getattr(import_module(module), kind)()
    return made


def refuter(name: str) -> ConnectPlusPlus:
    """The classical prover of that name, one of `REFUTERS`."""
    assert name in REFUTERS
    made: ConnectPlusPlus = import_module("oasis.backends.connect").ConnectPlusPlus()
    return made


def parse_names(text: str, known: Sequence[str] = BACKENDS) -> tuple[str, ...]:
    """Names separated by commas, each once. Raises InputError for one that is not known, and if there is none."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in known:
            raise InputError(f"{name!r} is no prover; choose from {', '.join(known)}.")
    if not names:
        raise InputError(f"No prover is named; choose from {', '.join(known)}.")
    return names


def installed(names: Iterable[str] = REFEREES) -> tuple[str, ...]:
    """The named provers that are installed."""
    return tuple(name for name in names if _answers(name))


def _answers(name: str) -> bool:
    try:
        with backend(name) as prover:
            prover.version()
    except BackendMissing:
        return False
    except BackendError:
        return True  # it is there; what is wrong with it shows when it is used
    return True
