"""Files that are written: what cannot be is refused in one sentence, before any work if that can be told."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EISDIR
from pathlib import Path
from typing import TextIO

from tactics.errors import InputError


def check_place(path: Path) -> None:
    """Raises InputError if no file can be written there, as far as can be told without writing."""
    place = path.resolve()
    if not place.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} for {path.name}; make it, or name another one.")
    forbidden = not os.access(place if place.exists() else place.parent, os.W_OK)
    if number := EISDIR if place.is_dir() else EACCES if forbidden else 0:
        raise InputError(f"{path} cannot be written ({os.strerror(number)}); name another file.")


def check_new(path: Path, otherwise: str = "") -> None:
    """Raises InputError for a file that is there already, which says what else to do than to name another one."""
    if path.exists():
        raise InputError(f"{path} is there already, and nothing is overwritten; name another file{otherwise}.")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise InputError, which names the file, if it cannot be written inside, or is there already and has to be new."""
    try:
        yield
    except FileExistsError:
        check_new(path)
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); name another file.") from None


@contextmanager
def output_stream(path: Path | None) -> Iterator[TextIO]:
    """The file to write to, compressed if its name ends in .gz, or standard output if none is named.

    Raises InputError for a file that cannot be written, and for a database: what is written here can be made again.
    """
    if path is None:
        yield sys.stdout
        return
    with writing(path):
        if path.is_file() and _is_database(path):
            raise InputError(f"{path} is a database, and is not overwritten; name another file.")
        with _opened(path) as stream:
            yield stream


def _opened(path: Path) -> TextIO:
    if path.suffix != ".gz":
        return path.open("w", encoding="utf-8", newline="")
    import gzip

    return gzip.open(path, "wt", encoding="utf-8", newline="")


def _is_database(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(16) == b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """A file that was not there before, and that its owner alone may read; it is removed if what is done inside fails.

    Raises InputError for a file that is there already, before anything is done.
    """
    with writing(path):
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            yield stream
    except BaseException:
        path.unlink()
        raise
