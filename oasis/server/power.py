"""What is stored survives a power cut a little later than a kill: every few seconds it is written to the disk.

SQLite's write-ahead log is on the disk only when somebody asks the system for it. To ask after every move makes thirty
students wait for each other's; to ask here makes nobody wait, and loses the last seconds where the power fails.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

EVERY: Final = 2.0
"""Seconds."""


async def keep_on_disk(database: Path) -> None:
    """Have what was stored in a class's file written to the disk, again and again until cancelled."""
    while True:
        await asyncio.sleep(EVERY)
        await asyncio.to_thread(write_down, database)


def write_down(database: Path) -> None:
    """Have the log beside the file, and that it is there, written to the disk; nothing if there is none.

    Of a link it is the log beside the file that is meant, where SQLite puts it.
    """
    database = database.resolve()
    for path in (Path(f"{database}-wal"), database.parent):
        with suppress(FileNotFoundError):  # the last one who closes the file takes the log away, written down
            opened = os.open(path, os.O_RDONLY)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)
