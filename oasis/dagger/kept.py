"""What was fitted, as JSON: its version, and what is said of JSON that was not written here or was changed."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from functools import cached_property
from hashlib import blake2b
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from tactics.errors import InputError

AGAIN: Final = "fit it again with oasis dagger fit."


class Kept(ABC):
    """What was fitted, with a JSON form: an object with its content and a `version` in it.

    Attributes:
        called: how people are told of it.
        layout: the number of the JSON form, another one whenever what is in it means something else.
        prefix: what its version begins with outside the JSON.
    """

    called: ClassVar[str]
    layout: ClassVar[int] = 1
    prefix: ClassVar[str] = ""

    @cached_property
    def version(self) -> str:
        """The number of the JSON form, and 16 hexadecimal digits that stand for the content."""
        return self._version_of(self._content())

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return {"version": self.version.removeprefix(self.prefix), **self._content()}

    @classmethod
    def from_json(cls, content: object) -> Self:
        """What `to_json` gave. Raises InputError for anything else, such as one that was changed."""
        version = content.get("version") if isinstance(content, dict) else None
        if isinstance(version, str) and re.fullmatch(r"\d+-.*", version) and not version.startswith(f"{cls.layout}-"):
            found = version.partition("-")[0][:20]
            raise InputError(f"This {cls.called} is of format {found}, not {cls.layout}; {AGAIN}")
        try:
            made = cls._made(content)
            if json.dumps(made.to_json(), sort_keys=True) == json.dumps(content, sort_keys=True):
                return made
        except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
            pass  # an InputError among them, as of a formula that is none
        raise InputError(f"This is no {cls.called} as oasis dagger fit gives it, or it was changed; {AGAIN}")

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """The JSON but for the version."""

    @classmethod
    @abstractmethod
    def _made(cls, fields: Any) -> Self:
        """What some JSON tells of. May raise whatever looking for something that is not there raises."""

    def _version_of(self, content: dict[str, Any]) -> str:
        text = json.dumps(content, sort_keys=True)
        return f"{self.prefix}{self.layout}-{blake2b(text.encode(), digest_size=8).hexdigest()}"


def count(number: object) -> int:
    """The number, if it is one from 0 on. Raises TypeError."""
    if type(number) is not int or number < 0:
        raise TypeError(number)
    return number


def counts(content: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """An array of numbers from 0 on, given row after row as one list. Raises TypeError, ValueError or OverflowError."""
    return np.array([count(number) for number in content], dtype=np.int64).reshape(shape)
