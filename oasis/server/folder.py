"""The folder of a server, in which it hands things to its tabs; those of servers that were killed are swept away."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final

try:
    import fcntl
except ImportError:  # Windows, where a killed server's folder stays
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
