"""The lessons of a class that is served: read here, and handed to the tabs as they could be read last.

A lesson that breaks while the class works stays for everybody what it was, also for who comes in afterwards, and the
console of the server tells it.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out

_log = logging.getLogger(__name__)

EVERY: Final = 2.0
"""Seconds between two looks at the files."""


async def follow(lessons: FollowedLessons, path: Path) -> None:
    """Hand out lessons whenever they have changed, until cancelled."""
    is_new = False
    while True:
        await asyncio.sleep(EVERY)
        if await asyncio.to_thread(lessons.renew):
            is_new = True
            _log.warning("%s", lessons.trouble or "The lessons have changed; everybody has them as they are now.")
        if not is_new:
            continue
        try:
            await asyncio.to_thread(hand_out, lessons, path)
        except OSError as error:
            _log.warning("The lessons in the tabs stay as they were (%s); make room for %s.", error.strerror, path)
        else:
            is_new = False
