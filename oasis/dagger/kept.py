"""What was fitted, as JSON: its version, and what is said of JSON that was not written here or was changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tactics.errors import InputError

AGAIN: Final = "fit it again with oasis dagger fit."


class Kept(Protocol):
    """What has a JSON form, an object with a `version` in it."""

    def to_json(self) -> dict[str, Any]:
        """What its `from_json` reads."""
        ...


_Kept = TypeVar("_Kept", bound=Kept)


def version_of(layout: int, content: dict[str, Any]) -> str:
    """The number of a JSON form, and 16 hexadecimal digits that stand for the content."""
    text = json.dumps(content, sort_keys=True)
    return f"{layout}-{blake2b(text.encode(), digest_size=8).hexdigest()}"


def read(what: str, layout: int, content: object, make: Callable[[Any], _Kept]) -> _Kept:
    """What `make` makes of JSON, if its `to_json` gives just this JSON back.

    Raises InputError if it does not, or if it is of another layout.

    Args:
        what: to call it.
        layout: the number of the JSON form that `make` reads.
        content: the JSON.
        make: may raise whatever looking for something that is not there raises.
    """
    version = content.get("version") if isinstance(content, dict) else None
    if isinstance(version, str) and re.fullmatch(r"\d+-.*", version) and not version.startswith(f"{layout}-"):
        raise InputError(f"This {what} is of format {version.partition('-')[0][:20]}, not {layout}; {AGAIN}")
    try:
        made = make(content)
        if json.dumps(made.to_json(), sort_keys=True) == json.dumps(content, sort_keys=True):
            return made
    except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        pass  # an InputError among them, as of a formula that is none
    raise InputError(f"This is no {what} as oasis dagger fit gives it, or it was changed; {AGAIN}")


def count(number: object) -> int:
    """The number, if it is one from 0 on. Raises TypeError."""
    if type(number) is not int or number < 0:
        raise TypeError(number)
    return number


def counts(content: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """An array of numbers from 0 on, given row after row as one list. Raises TypeError, ValueError or OverflowError."""
    return np.array([count(number) for number in content], dtype=np.int64).reshape(shape)
