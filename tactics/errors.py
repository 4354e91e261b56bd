"""What every room raises when a person's input is at fault, and how such input is shown. Imports nothing of ours."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Final

LARGEST_SEED: Final = 2**63 - 1
"""What a database can keep."""
_JOINERS: Final = "\u200c\u200d"
_ALPHABETS: Final = "\u05ff"
"""The last sign of alphabets that need no joiners: Latin, Greek, Cyrillic, Armenian, Hebrew."""


class InputError(ValueError):
    """Input that cannot be used; the text is one plain sentence: what, where, and what to do now."""


def check_choice(name: str, value: object, known: Iterable[object]) -> None:
    """Raises InputError unless a value, of an option or argument of this name, is among those that are known."""
    known = list(known)
    if value not in known:
        raise InputError(f"{name} is one of {', '.join(map(str, known))}, not {value!r:.60}.")


def check_seed(seed: int) -> None:
    """Raises InputError for a seed that could not be kept with what comes of it."""
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"--seed is {seed}; give a whole number from 0 to {LARGEST_SEED:,}.")


def did_you_mean(word: str, known: Mapping[str, str] | Sequence[str], otherwise: str) -> str:
    """What follows after that there is no such word: the nearest that is known, or something else if none is near.

    Args:
        word: as it was typed.
        known: words, or by what is looked for what is told.
        otherwise: what to do if nothing is near.
    """
    told = known if isinstance(known, Mapping) else {each: each for each in known}
    near = get_close_matches(word, told, 1)
    return f"did you mean {told[near[0]]}?" if near else otherwise


def printable(text: str, *, keep: str = "") -> str:
    """The text with `?` for each character that could steer a terminal or is none to see, a line end among them.

    A joiner behind a letter of a script that needs it stays, as in Persian and Hindi names.

    Args:
        text: anything, such as what a person typed or a file holds.
        keep: characters that stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in keep or (c in _JOINERS and before > _ALPHABETS and before.isprintable()) else "?"
        for before, c in pairwise(f" {text}")
    )


def install_command(extra: str) -> str:
    """The command that installs the libraries of an optional part, such as `plots`, where this program is.

    In a checkout it installs from the sources, and otherwise it completes the package that is installed.
    """
    sources = Path(__file__).resolve().parents[1]
    if not (sources / "pyproject.toml").exists():
        package = "oasis-student"
    else:
        package = "." if sources == Path.cwd() else str(sources)
    return f"pip install {shlex.quote(f'{package}[{extra}]')}"


class LibraryMissing(InputError):
    """An optional library that is needed is not installed; the text ends with the command that installs it."""


def check_installed(needs: str, extra: str, *libraries: str) -> None:
    """Raises LibraryMissing, which names those that are missing, unless all libraries can be imported.

    Args:
        needs: how the sentence begins, as in `Networks need`.
        extra: the optional part of the package that has them.
        libraries: by the names of their modules.
    """
    missing = [each for each in libraries if find_spec(each) is None]
    if missing:
        *others, last = missing
        told = f"{', '.join(others)} and {last}" if others else last
        raise LibraryMissing(f"{needs} {told}, not installed here: {install_command(extra)}")
