"""Memory of one classroom through many sign-ins: python -m benchmarks.sign_ins [TIMES].

Each student goes through four places, makes a move and signs out. Every twentieth time it prints megabytes in use and
how many screens are alive.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from weakref import WeakSet

from textual.screen import Screen

from oasis.ground.limits import occupied
from tests.tui.rooms import sitting


async def sign_in_and_out(folder: Path, times: int) -> None:
    """One application, and one student after the other in it."""
    alive = WeakSet[Screen[Any]]()
    async with sitting(folder, "textbook/or_comm", size=(120, 40)) as student:
        for time in range(times + 1):
            if time % 20 == 0:
                print(f"{time:4} sign-ins: {(occupied() or 0) >> 20} MB, {len(alive)} screens", flush=True)
            await student.keys("u", "1", "L", "C", "D")
            alive.update(screen for stack in student.app._screen_stacks.values() for screen in stack)
            began = perf_counter()
            await student.keys("o")
            if time % 50 == 0:
                print(f"     signing out took {perf_counter() - began:.2f} s", flush=True)
            await student.keys(*f"student{time % 30}", "enter")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        asyncio.run(sign_in_and_out(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 200))
