"""What was fitted, as JSON: its version, and what is said of JSON that was not written here or was changed."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from functools import cached_property
from hashlib import blake2b
from typing import Any, ClassVar, Final, Self

from tactics.errors import InputError

AGAIN: Final = "fit it again with oasis dagger fit."


class Kept(ABC):
    """What was fitted, with a JSON form: an object with its content and a `version` in it; equal if that is.

    Attributes:
        called: how people are told of it.
        layout: the number of the JSON form, another one whenever what is in it means something else.
        prefix: what its version begins with outside the JSON.
    """

    called: ClassVar[str]
    layout: ClassVar[int] = 1
    prefix: ClassVar[str] = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)

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
        if isinstance(content, dict) and isinstance(version, str):
            layout = version.partition("-")[0]
            if layout.isdecimal() and layout != str(cls.layout):
                raise InputError(f"This {cls.called} is of format {layout[:20]}, not {cls.layout}; {AGAIN}")
            fields = {name: value for name, value in content.items() if name != "version"}
            try:
                if cls.prefix + version == cls._version_of(fields):
                    return cls._made(fields)
            except (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError):
                pass  # an InputError among them, as of a part of another format
        raise InputError(f"This is no {cls.called} as oasis dagger fit gives it, or it was changed; {AGAIN}")

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """The JSON but for the version."""

    @classmethod
    @abstractmethod
    def _made(cls, fields: Any) -> Self:
        """What JSON of ours tells of, whose version was found to be that of its content."""

    @classmethod
    def _version_of(cls, content: dict[str, Any]) -> str:
        text = json.dumps(content, sort_keys=True)
        return f"{cls.prefix}{cls.layout}-{blake2b(text.encode(), digest_size=8).hexdigest()}"
