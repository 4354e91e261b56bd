"""What is public, a line for each name: what somebody imports, with its signature, and options with their defaults."""

import inspect
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, ForwardRef

from tests.commands import every_command

PACKAGES: Final = (
    "curricula",
    "oasis",
    "oasis.api",
    "oasis.api.gym",
    "oasis.backends.export",
    "oasis.rewards",
    "state_spaces",
)
"""Packages whose `__all__` is public."""
WHOLE: Final = ("tactics",)
"""Packages of which every module is public, with what it defines."""
LONGEST: Final = 40
"""Characters of a default value that is told."""
PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "python.md"
"""The page of the book whose lines `::: package.module.Name` make a name public."""


def surface() -> str:
    """Return all lines, sorted."""
    return "".join(f"{line}\n" for line in sorted({*_lines()}))


def options() -> str:
    """Return a line for each argument and option of each command, in the order in which they are shown."""
    commands = sorted(every_command().items())
    return "".join(f"{name} {_option(each)}\n".lstrip() for name, command in commands for each in command.params)


def _option(parameter: Any) -> str:
    is_option = parameter.opts[0].startswith("-")
    words = " ".join([*parameter.opts, *parameter.secondary_opts]) if is_option else parameter.opts[0].upper()
    default = str(parameter.default) if isinstance(parameter.default, Path) else _default(parameter.default)
    return words + (": required" if parameter.required else f" = {default!r}")


def _lines() -> Iterator[str]:
    for package in PACKAGES:
        for name in import_module(package).__all__:
            yield from _told(f"{package}.{name}", getattr(import_module(package), name))
    for package in WHOLE:
        for each in iter_modules(import_module(package).__path__, f"{package}."):
            module = import_module(each.name)
            for name, thing in vars(module).items():
                if not name.startswith("_") and getattr(thing, "__module__", None) == each.name:
                    yield from _told(f"{each.name}.{name}", thing)
    for place in re.findall(r"^::: (\S+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        module, _, name = place.rpartition(".")
        if name != "notebook":  # what it offers stands under the name of oasis
            yield from _told(place, getattr(import_module(module), name))


def _told(place: str, thing: Any) -> Iterator[str]:
    if isinstance(thing, type):
        yield f"class {place}{_members(thing) if issubclass(thing, Enum) else _signature(thing)}"
        for name, value in vars(thing).items():
            if not name.startswith("_") and isinstance(value, property | cached_property):
                yield f"{place}.{name}"
            elif not name.startswith("_") and inspect.isroutine(value):
                yield f"{place}.{name}{_signature(getattr(thing, name))}"
    elif inspect.isroutine(thing):
        yield f"{place}{_signature(thing)}"
    elif isinstance(thing, Mapping):
        yield f"{place}: {', '.join(sorted(map(str, thing)))}"
    else:
        yield f"{place}: {type(thing).__name__}"


def _members(kind: type[Enum]) -> str:
    return ": " + ", ".join(f"{each.name}={each.value!r}" for each in kind)


class _Plain(str):
    """A text that is shown as it is, without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def _signature(thing: Any) -> str:
    """Return a signature that reads the same in every version of Python; nothing if only Python itself has one."""
    try:
        found = inspect.signature(thing)
    except ValueError:
        return ""
    parameters = [
        each.replace(annotation=_annotation(each.annotation), default=_default(each.default))
        for each in found.parameters.values()
    ]
    text = str(found.replace(parameters=parameters, return_annotation=_annotation(found.return_annotation)))
    return "" if text == "(*args, **kwargs)" else text


def _annotation(annotation: Any) -> Any:
    if annotation is inspect.Parameter.empty:
        return annotation
    if isinstance(annotation, ForwardRef):
        return _Plain(annotation.__forward_arg__)
    return _Plain(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty:
        return value
    if isinstance(value, type) or inspect.isroutine(value):
        return _Plain(value.__name__)
    is_told = len(repr(value)) <= LONGEST and " object at " not in repr(value)
    return value if is_told else _Plain(f"{type(value).__name__}(…)")
