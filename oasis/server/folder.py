"""What a server has for itself: a folder, in which it hands things to its tabs, and the class, which no other serves.

Folders of servers that were killed are swept away.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final

from tactics.errors import InputError

try:
    import fcntl
except ImportError:  # Windows, where a killed server's folder stays, and where two may serve one class
    fcntl = None  # type: ignore[assignment]

_PREFIX: Final = "oasis-classroom-"
_LOCK: Final = "server"
"""The file in it that the server holds locked as long as it lives, however it ends."""


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder that nobody else can write into, until the end. Raises OSError where there is no room."""
    sweep()
    with TemporaryDirectory(prefix=_PREFIX) as name:
        folder = Path(name)
        with (folder / "new").open("w") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
                (folder / "new").rename(folder / _LOCK)  # so that nobody finds it before it is locked
            yield folder


@contextmanager
def alone_at(database: Path) -> Iterator[None]:
    """Let no other server have the class in this file until the end. Raises InputError if one has it already."""
    if fcntl is None:
        yield
        return
    path = Path(f"{database.resolve()}-server")
    with ExitStack() as stack:
        is_locked = False
        while not is_locked:  # a file that its server takes away meanwhile is not the one that the next one finds
            lock = stack.enter_context(path.open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    f"Another server has the class in {database} open; close it first, or name another file with --db."
                ) from None
            with suppress(FileNotFoundError):
                is_locked = os.path.samestat(os.fstat(lock.fileno()), path.stat())
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def sweep() -> None:
    """Take away the folders of this user's servers that are dead."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # whoever else sweeps may have been quicker
            if folder.lstat().st_uid == os.getuid() and _is_dead(folder / _LOCK):
                rmtree(folder)


def _is_dead(lock: Path) -> bool:
    """Whether nobody holds the lock. Raises OSError where there is none, or it is no file of its own."""
    descriptor = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
