"""The register of the class while the teacher has it open.

It is read in a thread of its own over a connection of its own, because a connection belongs to one thread and nobody
should wait; for wrong moves somebody looks in another process. Whoever has this object has given the teacher's
passphrase; closing it is locking up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from oasis.classroom.admission import open_classroom, open_register
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.register.examining import ExaminerBeside
from oasis.classroom.register.mistakes import Mistakes
from oasis.classroom.register.register import Problem, Register
from oasis.store import Store

_Answer = TypeVar("_Answer")


class OpenRegister:
    """A register that answers questions one after the other.

    Args:
        path: the file of the class.
        seat: from where it is opened.
        lesson: what is asked of the class; None for nothing.
    """

    def __init__(self, path: Path, seat: str, lesson: Lesson | None) -> None:
        self._path, self._seat, self._lesson = path, seat, lesson
        self._thread = ThreadPoolExecutor(1, "register")
        self._waiting = ThreadPoolExecutor(1, "examiner")
        self._examiner = ExaminerBeside()
        self._store: Store | None = None
        self._register: Register | None = None

    async def unlock(self, passphrase: str) -> None:
        """Open it. Raises NotAdmitted for another passphrase than the teacher's, and StoreError."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._unlock, passphrase)

    async def ask(self, question: Callable[[Register], _Answer]) -> _Answer:
        """What it says; it has to be unlocked. Raises what the question raises, such as StoreError."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    async def mistakes(self, problem: Problem, seconds: float) -> Mistakes:
        """The wrong moves at a problem, as far as they can be found in so many seconds. Raises ExaminerGone, too."""
        works = await self.ask(lambda register: register.works(problem))
        find = self._examiner.mistakes
        return await asyncio.get_running_loop().run_in_executor(self._waiting, find, works, seconds)

    def close(self) -> None:
        """Nobody asks any more."""
        self._examiner.close()
        self._waiting.shutdown(wait=False, cancel_futures=True)
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def _unlock(self, passphrase: str) -> None:
        self._store = self._store or open_classroom(self._path, create=False)
        self._register = open_register(self._store, passphrase, self._seat, self._lesson)

    def _answer(self, question: Callable[[Register], _Answer]) -> _Answer:
        assert self._register is not None
        return question(self._register)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
