"""The files that people name and the text in them: what counts as a path, and how much of it is read.

What the text means is the concern of those who read it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from tactics.errors import InputError

Meant = TypeVar("Meant")
LARGEST_TEXT: Final = 64 * 10**6
"""Bytes that are read of one file or stream."""

_PREFIX: Final = "file:"
_SEPARATORS: Final = tuple(filter(None, {"/", os.sep, os.altsep}))


def existing_path(text: str, folder: Path | None = None) -> Path | None:
    """The file or directory that a text names; None if it names none, or none that is there.

    A path has a slash or an ending, or stands behind `file:`, so that no file can be taken for a word.

    Args:
        text: what was typed.
        folder: that relative paths begin in; None for the current one.
    """
    name = text.removeprefix(_PREFIX)
    looks_like_a_path = name != text or any(sign in name for sign in _SEPARATORS) or re.search(r"\.\w+$", name)
    return _existing(folder or Path(), name) if looks_like_a_path else None


def advice_on_path(word: str, folder: Path | None = None) -> str:
    """What to type instead of a word that is the bare name of a file or directory; empty if there is none."""
    return "" if _existing(folder or Path(), word) is None else f"write ./{word} for the file of this name"


def typed_or_in_file(text: str, read: Callable[[str], Meant]) -> Meant:
    """What a text means, or else what the text in the file that it names means. Raises InputError.

    Args:
        text: what was typed.
        read: gives what a text means, and raises InputError for a text that means nothing.
    """
    try:
        return read(text)
    except InputError as error:
        path = existing_path(text)
        if path is None:
            if advice := advice_on_path(text):
                raise InputError(f"{error}\nThere is a file called {text}; {advice}.") from None
            raise
    return read(read_file(path))


def read_file(path: Path) -> str:
    """The text of a file in UTF-8, with a line feed at the end of each line; at most `LARGEST_TEXT` bytes are read.

    Raises InputError if the file cannot be read, is longer, or is not UTF-8.
    """
    return _text(file_content(path), str(path))


def file_content(path: Path) -> bytes:
    """The bytes of a file, at most `LARGEST_TEXT`. Raises InputError if it cannot be read, or is longer."""
    try:
        with path.open("rb") as stream:
            return stream_content(stream, str(path))
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; check the name.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name another file.") from None


def read_stream(stream: BinaryIO, source: str) -> str:
    """The text of a stream in UTF-8, with a line feed at the end of each line.

    No more than `LARGEST_TEXT` bytes are read.

    Args:
        stream: to read to its end.
        source: what to call it in errors.

    Raises:
        InputError: it is longer, or not UTF-8.
    """
    return _text(stream_content(stream, source), source)


def stream_content(stream: BinaryIO, source: str) -> bytes:
    """The bytes of a stream, at most `LARGEST_TEXT`. Raises InputError, which names the source, if it is longer."""
    content = stream.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        raise InputError(
            f"{source} is longer than {LARGEST_TEXT // 10**6} MB, the most that is read at once; give it in parts."
        )
    return content


def _text(content: bytes, source: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: this is not UTF-8 text; save it as UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _existing(folder: Path, name: str) -> Path | None:
    if not name:
        return None
    try:
        return path if (path := folder / name).exists() else None
    except (OSError, ValueError):
        # Longer than a file name may be, or with a null character: no path at any rate.
        return None
