"""Lessons whose files may change while the class works: they are read again then, and a broken one stays as it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from oasis.classroom.lessons.lesson import Lesson
from tactics.errors import InputError


def read_lessons(paths: Iterable[Path]) -> tuple[Lesson, ...]:
    """The lessons in these files, in this order. Raises InputError, also if two have one name."""
    return check_different([Lesson.read(path) for path in paths])


def check_different(lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    """The same lessons. Raises InputError if two have one name, by which work is stored."""
    names = [lesson.name for lesson in lessons]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f'Two lessons are called {name}; give one of them another name, as in name = "week 2".')
    return tuple(lessons)


class FollowedLessons:
    """The lessons of a class, each as it was when its file could be read last.

    Args:
        paths: of their files.
        lessons: more of them, which never change.

    Attributes:
        lessons: those that could be read.
        trouble: one sentence if a file cannot be read as it is now, else empty.
    """

    def __init__(self, paths: Iterable[Path], lessons: Sequence[Lesson] = ()) -> None:
        self._given, self.lessons, self.trouble = tuple(lessons), tuple(lessons), ""
        self._read: dict[Path, Lesson | None] = dict.fromkeys(paths)
        self._seen: dict[Path, tuple[int, int]] = {}
        self.renew()

    def renew(self) -> bool:
        """Read again what has changed; whether the lessons or the trouble are others than before."""
        changed = [path for path in self._read if self._has_changed(path)]
        if not changed:
            return False
        before, self.trouble = (self.lessons, self.trouble), ""
        for path in self._read:
            try:
                lesson = Lesson.read(path)
                check_different(
                    [*self._given, lesson, *(each for at, each in self._read.items() if each and at != path)]
                )
                self._read[path] = lesson
            except InputError as error:
                self.trouble = self.trouble or f"A lesson cannot be read, so it stays as it was: {error}"
        self.lessons = (*self._given, *filter(None, self._read.values()))
        return (self.lessons, self.trouble) != before

    def _has_changed(self, path: Path) -> bool:
        """Whether a file is not the one that was seen last; one that is away is another one, too."""
        try:
            status = path.stat()
            seen = (status.st_mtime_ns, status.st_size)
        except OSError:
            seen = (0, 0)
        before, self._seen[path] = self._seen.get(path), seen
        return seen != before
