"""Choices by name: one of ours, or `module:object` for somebody's own, looked up in the current folder as well."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from pathlib import Path
from sysconfig import get_paths
from traceback import extract_tb
from typing import Any, Final, TypeVar

from oasis.ground.limits import is_out_of_memory
from tactics.errors import InputError, did_you_mean

_Choice = TypeVar("_Choice")
_OURS: Final = Path(__file__).resolve().parents[2]
_NOT_BROUGHT: Final = (
    *(str(_OURS / room) for room in ("oasis", "tactics", "state_spaces", "curricula", "tui")),
    *get_paths().values(),
    "<",
)
"""How the names of files begin that are ours, Python's, or installed libraries'."""


class PluginError(InputError):
    """Code that a person brought along has failed."""


def looked_up(option: str, name: str, known: Mapping[str, _Choice]) -> _Choice:
    """What a name stands for: an entry of `known`, or what `module:object` imports, which the caller has to check.

    Raises InputError if there is none, naming the option.
    """
    if name in known:
        return known[name]
    module, colon, attribute = name.partition(":")
    if not (colon and module and attribute):
        choices = ", ".join(known)
        nearest = did_you_mean(name, list(known), "write module:object for one of your own.")
        raise InputError(f"{option} is one of {choices}, or module:object, not {name!r}; {nearest}")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    if "/" in module or module.endswith(".py"):
        path = Path(module.removesuffix(".py"))
        where = f"go to {path.parent} and " if path.parent != Path() else ""
        raise InputError(
            f"{option} {name}: modules are named without folders and without .py; {where}write {path.name}:{attribute}."
        )
    with foreign(f"{option} {name}: {module}"):
        try:
            brought = import_module(module)
        except ImportError as error:
            lacks_another = error.name is not None and error.name.partition(".")[0] != module.partition(".")[0]
            todo = "install what it needs, or take that line out" if lacks_another else "go to its folder"
            raise InputError(f"{option} {name}: {module} cannot be imported ({error}); {todo}.") from None
    if not hasattr(brought, attribute):
        file, here = Path(getattr(brought, "__file__", None) or module), Path(f"{module}.py")
        if here.exists() and here.resolve() != file.resolve():
            todo = f"that is {file}; rename yours."
        else:
            todo = did_you_mean(attribute, [*vars(brought)], "see how it is spelled there.")
        raise InputError(f"{option} {name}: {module} has no {attribute}; {todo}")
    found: _Choice = getattr(brought, attribute)
    return found


def made(option: str, name: str, found: Any, method: str) -> Any:
    """What stands for a name: an object with a method, or what a class, or something without the method, makes.

    Raises InputError if the making fails.
    """
    with foreign(f"{option} {name}"):
        return found() if isinstance(found, type) or not hasattr(found, method) else found


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
