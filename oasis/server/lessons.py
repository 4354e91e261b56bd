"""The lessons of a class that is served: read here, and handed to the tabs as they could be read last.

A lesson that breaks while the class works stays for everybody what it was, also for who comes in afterwards, and the
console of the server tells it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from oasis.classroom.admission import open_classroom
from oasis.classroom.lessons.checking import check
from oasis.classroom.lessons.exams import give
from oasis.classroom.lessons.following import FollowedLessons, read_lessons
from oasis.classroom.lessons.handing import hand_out
from oasis.store import StoreError
from tactics.errors import InputError

_log = logging.getLogger(__name__)

EVERY: Final = 2.0
"""Seconds between two looks at the files."""
_SECONDS: Final = 2.0
"""For each exercise of a lesson; what is not found out by then is not held against it."""


def given_lessons(files: Sequence[Path], *, checked: bool) -> FollowedLessons:
    """The lessons of a class. Raises InputError for one that cannot be read, and if checked for what cannot be done."""
    for file, lesson in zip(files, read_lessons(files), strict=True):
        wrong = [each.exercise.name for each in (check(lesson, _SECONDS) if checked else ()) if each.has_error]
        if wrong:
            raise InputError(
                f"{file} cannot be given like this because of {', '.join(wrong)}: `oasis lesson check {file}` says "
                "why, and --unchecked opens the classroom all the same."
            )
    return FollowedLessons(files)


def give_out(lessons: FollowedLessons, path: Path, database: Path) -> None:
    """Hand out all lessons, and note in the file of the class what exams there are. Raises OSError, StoreError.

    In this order an exam that begins is in no tab without its lesson.
    """
    hand_out(lessons, path)
    with open_classroom(database) as store:
        give(store, lessons.lessons)


async def follow(lessons: FollowedLessons, path: Path, database: Path) -> None:
    """Give out lessons whenever they have changed, until cancelled."""
    is_new = False
    while True:
        await asyncio.sleep(EVERY)
        if await asyncio.to_thread(lessons.renew):
            is_new = True
            _log.warning("%s", lessons.trouble or "The lessons have changed; everybody has them as they are now.")
        if not is_new:
            continue
        try:
            await asyncio.to_thread(give_out, lessons, path, database)
        except StoreError as error:
            _log.warning("The exams of the class stay as they were: %s", error)
        except OSError as error:
            _log.warning("The lessons in the tabs stay as they were (%s); make room for %s.", error.strerror, path)
        else:
            is_new = False
