"""Code that a person brought along: it is run, and what it raises is told with their line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from sysconfig import get_paths
from traceback import extract_tb
from typing import Any, Final

from oasis.ground.limits import is_out_of_memory
from tactics.errors import InputError

_OURS: Final = Path(__file__).resolve().parents[2]
_NOT_BROUGHT: Final = (
    *(str(_OURS / room) for room in ("oasis", "tactics", "state_spaces", "curricula", "tui")),
    *get_paths().values(),
    "<",
)
"""How the names of files begin that are ours, Python's, or installed libraries'."""


class PluginError(InputError):
    """Code that a person brought along has failed."""


@contextmanager
def foreign(who: str) -> Iterator[None]:
    """Run code that a person brought along, which does not end the command: raises PluginError for what it raises.

    That the memory is not enough is nobody's fault, and raised as it is.
    """
    try:
        yield
    except (KeyboardInterrupt, GeneratorExit, InputError):
        raise
    except BaseException as error:  # SystemExit among them
        if isinstance(error, Exception) and is_out_of_memory(error):
            raise
        raise failure(who, error) from error


def takes(method: Callable[..., Any], *arguments: Any, **named: Any) -> bool:
    """Whether a method can be called like this, by its signature; one of the same name may be for something else."""
    try:
        signature(method).bind(*arguments, **named)
    except (TypeError, ValueError):
        return False
    return True


def failure(who: str, error: BaseException) -> PluginError:
    """What a person is told when code that they brought along raises an error: which, and in which line of theirs."""
    theirs = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(_NOT_BROUGHT)]
    where = f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    return PluginError(f"{who} fails with {type(error).__name__}: {error}{where}. Set OASIS_DEBUG=1 to see more.")
