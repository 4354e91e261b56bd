"""The register of the class while the teacher has it open.

It is read in a thread of its own over a connection of its own, because a connection belongs to one thread and nobody
should wait; for wrong moves somebody looks in another process. Whoever has this object has given the teacher's
passphrase; closing it is locking up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from oasis.classroom.admission import Origin, open_classroom, open_register
from oasis.classroom.background import Background
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.register.examining import ExaminerBeside
from oasis.classroom.register.failing import Failing
from oasis.classroom.register.mistakes import Mistakes
from oasis.classroom.register.register import Problem, Register
from oasis.store import Store

_Answer = TypeVar("_Answer")


class OpenRegister:
    """A register that answers questions one after the other.

    Args:
        path: the file of the class.
        origin: from where it is opened.
        lessons: what is asked of the class.
    """

    def __init__(self, path: Path, origin: Origin, lessons: Sequence[Lesson]) -> None:
        self._path, self._origin, self._lessons = path, origin, lessons
        self._thread, self._waiting = Background("register"), Background("examiner")
        self._examiner = ExaminerBeside()
        self._store: Store | None = None
        self._register: Register | None = None

    async def unlock(self, passphrase: str | None) -> None:
        """Open it, as `open_register` does. Raises NotAdmitted for another passphrase, and StoreError."""
        await self._thread.ask(self._unlock, passphrase)

    async def ask(self, question: Callable[[Register], _Answer]) -> _Answer:
        """What it says; it has to be unlocked. Raises what the question raises, such as StoreError."""
        return await self._thread.ask(self._answer, question)

    async def mistakes(self, problem: Problem, seconds: float) -> Mistakes:
        """The wrong moves at a problem, as far as they can be found in so many seconds. Raises ExaminerGone, too."""
        works = await self.ask(lambda register: register.works(problem))
        return await self._waiting.ask(self._examiner.mistakes, works, seconds)

    async def failing(self, seconds: float) -> list[Failing]:
        """Where students are failing now, as far as it is found out in so many seconds. Raises ExaminerGone, too."""
        here = await self.ask(Register.here)
        if not here:
            return []
        return await self._waiting.ask(self._examiner.failing, here, datetime.now(UTC), seconds)

    async def follow(self, lessons: Sequence[Lesson], *, are_alone: bool = False, group: str = "") -> None:
        """Ask other lessons of the class, or of one group, from now on; perhaps leave out what they do not ask for."""
        await self._thread.ask(self._renew, lessons, are_alone, group)

    def close(self) -> None:
        """Ask nothing more, and close the file as soon as what was asked is answered."""
        self._examiner.close()
        self._waiting.close()
        self._thread.close(self._close)

    def wait(self, seconds: float) -> None:
        """Wait until the file is closed, so many seconds at most."""
        self._thread.wait(seconds)

    def _unlock(self, passphrase: str | None) -> None:
        self._store = self._store or open_classroom(self._path, create=False)
        self._register = open_register(self._store, passphrase, self._origin, self._lessons)

    def _renew(self, lessons: Sequence[Lesson], are_alone: bool, group: str) -> None:
        assert self._store is not None and self._register is not None
        by = self._register.roll.by
        self._register = Register(self._store, lessons, are_alone=are_alone, group=group, by=by)

    def _answer(self, question: Callable[[Register], _Answer]) -> _Answer:
        assert self._register is not None
        return question(self._register)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
