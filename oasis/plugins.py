"""Choices by name: one of ours, or `module:object` for somebody's own, looked up in the current folder as well."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from tactics.errors import InputError, did_you_mean

_Choice = TypeVar("_Choice")


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
    try:
        brought = import_module(module)
    except ImportError as error:
        raise InputError(f"{option} {name}: {module} cannot be imported ({error}); see where you are.") from None
    except (Exception, SystemExit) as error:  # it does not end the command
        raise failure(f"{option} {name}: {module}", error) from error
    if not hasattr(brought, attribute):
        raise InputError(f"{option} {name}: {module} has no {attribute}; see how it is spelled there.")
    found: _Choice = getattr(brought, attribute)
    return found


def failure(who: str, error: BaseException) -> InputError:
    """What a person is told when code that they brought along raises an error."""
    return InputError(f"{who} fails with {type(error).__name__}: {error}. Set OASIS_DEBUG=1 to see where.")
