"""What every room raises when a person's input is at fault. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used; the text is one plain sentence: what, where, and what to do now."""


def check_choice(name: str, value: object, known: Iterable[object]) -> None:
    """Raises InputError unless a value, of an option or argument of this name, is among those that are known."""
    known = list(known)
    if value not in known:
        raise InputError(f"{name} is one of {', '.join(map(str, known))}, not {value!r}.")


class LibraryMissing(InputError):
    """An optional library that is needed is not installed; the text ends with the command that installs it."""
