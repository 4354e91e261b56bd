"""Registries: what there is of a kind by the names that people type, in one form for all kinds.

An entry says where a thing is, as `module:object`, and nothing is imported before somebody asks for it. Typed in place
of a name, `module:object` is a thing of somebody's own, which is looked for in the current folder as well. Which kinds
there are, and what there is of each, stands in `oasis.ground.names`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any

from tactics.errors import InputError, LibraryMissing, did_you_mean, install_command


@dataclass(frozen=True)
class Entry:
    """One thing of a kind.

    Attributes:
        target: where it is, as `module:object`.
        about: what it is, in a sentence that needs no subject.
        needs: the optional part of the package that it takes; empty for none.
        argument: what may follow its name, as in `:FOLDER` or, where it need not, `[:PRESET]`; empty if nothing may.
        asked: whether it is asked if nobody says otherwise, of kinds of which several are asked.
    """

    target: str
    about: str = ""
    needs: str = ""
    argument: str = ""
    asked: bool = False

    @property
    def is_partial(self) -> bool:
        """Whether its name says nothing without an argument."""
        return self.argument.startswith(":")


class Registry(Mapping[str, Any]):
    """What there is of a kind: a mapping from our names to what they stand for, imported as it is looked up.

    Args:
        option: that a name is given with.
        kind: what each is, in a word or two.
        like: the class of each, or the protocol that says which methods it has, as `module:Class`.
        methods: that are asked for, of a protocol.
        also: what else a person may type, in words.
        joined: whether some of our names may be typed with a plus between them.
        entries: by their names.
    """

    def __init__(
        self,
        option: str,
        kind: str,
        like: str,
        entries: Mapping[str, Entry],
        *,
        methods: tuple[str, ...] = (),
        also: tuple[str, ...] = (),
        joined: bool = False,
    ) -> None:
        self.option, self.kind, self.entries = option, kind, entries
        self._like, self._class, self._methods, self._also = like, like.replace(":", "."), methods, also
        self._joined = joined

    def __getitem__(self, name: str) -> Any:
        entry = self.entries[name]
        try:
            return imported(entry.target)
        except ModuleNotFoundError as error:
            if not entry.needs:
                raise
            todo = install_command(entry.needs)
            raise LibraryMissing(f"{self.option} {name} needs {error.name}, not installed here: {todo}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def choices(self) -> list[str]:
        """What may be typed, one's own last."""
        ours = (name + entry.argument * entry.is_partial for name, entry in self.entries.items())
        return [*ours, *self._also, "module:object"]

    @property
    def asked(self) -> tuple[str, ...]:
        """Our names of those that are asked if nobody says otherwise."""
        return tuple(name for name, entry in self.entries.items() if entry.asked)

    @property
    def told(self) -> str:
        """What may be typed, as the end of a sentence."""
        *others, last = self.choices
        return f"{', '.join(others)} or {last}"

    def split(self, name: str) -> tuple[str, str]:
        """Return one of our names and what follows it and a colon; a name that is none of ours as it is."""
        ours, _, rest = name.partition(":")
        return (ours, rest) if ours in self and self.entries[ours].argument else (name, "")

    def complete(self, incomplete: str) -> list[str]:
        """Return our names that begin like this."""
        return [name for name in self if name.startswith(incomplete)]

    def takes_argument(self, name: str) -> bool:
        """Return True for one of our names that something may follow."""
        ours, _ = self.split(name)
        return ours in self and self.entries[ours].argument != ""

    def is_own(self, name: str) -> bool:
        """Return True for a name that would be imported from a module of somebody's own."""
        ours, _ = self.split(name)
        return not all(part in self for part in (ours.split("+") if self._joined else [ours]))

    def find(self, name: str, option: str = "") -> Any:
        """Return what a name stands for, itself of this kind. Raises InputError, naming the option."""
        return self._checked(name, self.looked_up(name, option), option)

    def make(self, name: str, option: str = "") -> Any:
        """Return an object of this kind: what a name stands for, or what that makes if it is called.

        Raises InputError, naming the option.
        """
        found, given = self.looked_up(name, option), f"{option or self.option} {name}"
        if isinstance(found, type) or (callable(found) and not self._is_one(found)):
            if self.is_own(name) and not _is_maker(found):
                raise InputError(
                    f"{given} cannot be called without arguments; name a class of {self._class} that can, or a "
                    "function that makes one."
                )
            from oasis.ground.plugins import foreign  # which a name of ours does not need

            with foreign(given):
                found = found()
        return self._checked(name, found, option)

    def looked_up(self, name: str, option: str = "") -> Any:
        """Return what a name stands for, unchecked if it is somebody's own. Raises InputError, naming the option."""
        option, (ours, argument) = option or self.option, self.split(name)
        if ours in self:
            if self.entries[ours].is_partial and not argument:
                raise InputError(f"{option} {ours} says too little; write {ours}{self.entries[ours].argument}.")
            return self[ours]
        self.check(name, option)
        return brought(option, name)

    def check(self, name: str, option: str = "") -> None:
        """Raise InputError, naming the option, for a name that can stand for nothing; imports nothing."""
        if self.is_own(name) and not all(name.partition(":")):
            nearest = did_you_mean(name, list(self), "write module:object for one of your own.")
            told = f"{', '.join(self.choices[:-1])}, or module:object"
            raise InputError(f"{option or self.option} is one of {told}, not {name!r}; {nearest}")

    def name_of(self, kind: type) -> str:
        """Return the name of a class: ours, or `module:object`."""
        target = f"{kind.__module__}:{kind.__qualname__}"
        return next((name for name, entry in self.entries.items() if entry.target == target), target)

    def _checked(self, name: str, found: Any, option: str) -> Any:
        if self.is_own(name) and not self._is_one(found):
            lacking = next((each for each in self._methods if not callable(getattr(found, each, None))), "")
            told = f"has no method {lacking}" if lacking else f"is a {type(found).__name__}"
            raise InputError(f"{option or self.option} {name} is no {self.kind}: it {told} (see {self._class}).")
        return found

    def _is_one(self, found: Any) -> bool:
        if self._methods:
            return all(callable(getattr(found, method, None)) for method in self._methods)
        like = imported(self._like)
        return issubclass(found, like) if isinstance(found, type) else isinstance(found, like)


def _is_maker(found: Callable[..., Any]) -> bool:
    """Return True if it can be called without arguments, as far as it says."""
    try:
        signature(found).bind()
    except TypeError:
        return False
    except ValueError:  # it says nothing
        pass
    return True


def imported(target: str) -> Any:
    """Import what stands at `module:object`, something of ours."""
    module, _, name = target.partition(":")
    return attrgetter(name)(import_module(module))


def brought(option: str, name: str) -> Any:
    """Import what somebody named by `module:object`. Raises InputError, naming the option, if it is not there."""
    module, _, attribute = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    if "/" in module or module.endswith(".py"):
        path = Path(module.removesuffix(".py"))
        where = f"go to {path.parent} and " if path.parent != Path() else ""
        raise InputError(
            f"{option} {name}: modules are named without folders and without .py; {where}write {path.name}:{attribute}."
        )
    from oasis.ground.plugins import foreign

    with foreign(f"{option} {name}: {module}"):
        try:
            found = import_module(module)
        except ImportError as error:
            lacks_another = error.name is not None and error.name.partition(".")[0] != module.partition(".")[0]
            todo = "install what it needs, or take that line out" if lacks_another else "go to its folder"
            raise InputError(f"{option} {name}: {module} cannot be imported ({error}); {todo}.") from None
    if not hasattr(found, attribute):
        file, here = Path(getattr(found, "__file__", None) or module), Path(f"{module}.py")
        if here.exists() and here.resolve() != file.resolve():
            todo = f"that is {file}; rename yours."
        else:
            todo = did_you_mean(attribute, [*vars(found)], "see how it is spelled there.")
        raise InputError(f"{option} {name}: {module} has no {attribute}; {todo}")
    return getattr(found, attribute)
