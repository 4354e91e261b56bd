"""The provers by the names that people type."""

from __future__ import annotations

from collections.abc import Container

from oasis.backends.base import Backend, BackendError, BackendMissing
from oasis.ground.names import PROVERS
from tactics.errors import InputError


def backend(name: str, option: str = "--certify") -> Backend:
    """The prover of a name, or of `module:object`, not started yet. Raises InputError, naming the option."""
    made: Backend = PROVERS.make(name, option)
    return made


def parse_names(text: str, option: str = "--certify", also: Container[str] = ()) -> tuple[str, ...]:
    """Names separated by commas, each once; of provers, or others that there are.

    Raises InputError, naming the option, for one that stands for nothing, and if there is none.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in also:
            PROVERS.check(name, option)
    if not names:
        raise InputError(f"{option} names no prover; write {PROVERS.told}.")
    return names


def installed() -> tuple[str, ...]:
    """The provers that are installed, of those that are asked if nobody says otherwise."""
    return tuple(name for name in PROVERS.asked if _answers(name))


def _answers(name: str) -> bool:
    try:
        with backend(name) as prover:
            prover.version()
    except BackendMissing:
        return False
    except BackendError:
        return True  # it is there; what is wrong with it shows when it is used
    return True
