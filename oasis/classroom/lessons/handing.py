"""Lessons from one process that reads their files to others that show them, by way of a file of its own.

Whoever comes in gets a lesson as it could be read last, also while its file is broken, and is not told where that is.
The file is a pickle: it has to lie where nobody else can write.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Protocol

from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.lesson import Lesson


class PresentLessons(Protocol):
    """The lessons of a class as they are at present.

    Attributes:
        lessons: those that could be read.
        trouble: one sentence if a file cannot be read as it is now, else empty.
    """

    lessons: tuple[Lesson, ...]
    trouble: str

    def renew(self) -> bool:
        """Look whether the lessons or the trouble are others than before."""


def hand_out(followed: FollowedLessons, path: Path) -> None:
    """Write the lessons for other processes, in place of what was there. Raises OSError."""
    beside = path.with_suffix(".new")
    beside.write_bytes(pickle.dumps((followed.lessons, followed.trouble)))
    beside.replace(path)


class HandedLessons:
    """The lessons that another process hands out.

    Args:
        path: the file by way of which; there must be one.

    Attributes:
        lessons: as they could be read last.
        trouble: one sentence if a file cannot be read as it is now, else empty.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lessons: tuple[Lesson, ...] = ()
        self.trouble = ""
        self._seen: tuple[int, int] | None = None
        self.renew()

    def renew(self) -> bool:
        """Take over what was handed out since; whether the lessons or the trouble are others than before."""
        status = self._path.stat()
        seen = (status.st_mtime_ns, status.st_ino)
        if seen == self._seen:
            return False
        before, self._seen = (self.lessons, self.trouble), seen
        self.lessons, self.trouble = pickle.loads(self._path.read_bytes())
        return (self.lessons, self.trouble) != before
