"""Asking provers at the end of a command: what was found is shown, whichever of them fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.backends.base import Backend

_Answer = TypeVar("_Answer")


def ask_provers(names: Iterable[str], ask: Callable[[Backend], _Answer], *, quiet: bool = False) -> list[_Answer]:
    """Ask one prover after the other and return what they answer; one that fails costs a remark, unless it is quiet."""
    from oasis.backends.base import BackendError
    from oasis.backends.registry import backend

    answers = []
    for name in names:
        with backend(name) as prover:
            try:
                answers.append(ask(prover))
            except BackendError as error:
                if not quiet:
                    narrate(f"Not certified by {name}: {error}")
    return answers
