"""The search for wrong moves in a process of its own, so that nobody waits while it thinks, nor while it tidies up.

The same process finds out where students are failing now.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from multiprocessing.connection import Connection
from typing import Any

from oasis.classroom.processes import Ended, Neighbour
from oasis.classroom.register.failing import Failing, Here
from oasis.classroom.register.mistakes import SECONDS, Examiner, Mistakes, Work


class ExaminerGone(Exception):
    """The process has ended; the text is one sentence: what to do now."""


class ExaminerBeside:
    """An examiner who works beside whoever asks; the process begins with the first question, and anew after its end.

    What is asked is waited for and belongs to one thread; `close` may come from another.

    Args:
        seconds: for each move.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._beside: Neighbour | None = None
        self._is_closed = False

    def mistakes(self, works: Sequence[Work], seconds: float) -> Mistakes:
        """What `Examiner.mistakes` finds. Raises ExaminerGone."""
        found: Mistakes = self._found("mistakes", works, seconds)
        return found

    def failing(self, students: Sequence[Here], now: datetime, seconds: float) -> list[Failing]:
        """What `Examiner.failing` finds. Raises ExaminerGone."""
        found: list[Failing] = self._found("failing", students, now, seconds)
        return found

    def _found(self, question: str, *about: object) -> Any:
        """What a method of the examiner answers."""
        beside = self._beside = self._beside or Neighbour("examiner", _examine, self._seconds)
        if self._is_closed:
            beside.close()
        beside.send((question, about))
        try:
            found = beside.receive()
        except Ended:
            self._beside = None
            raise ExaminerGone("The search for wrong moves was ended from outside; renew to begin it anew.") from None
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        """End the process, whatever it does."""
        self._is_closed = True
        if (beside := self._beside) is not None:
            beside.close()


def _examine(connection: Connection, seconds: float) -> None:
    """Answer until nobody asks any more."""
    examiner = Examiner(seconds)
    with suppress(EOFError, OSError):  # whoever asked has ended
        while True:
            question, about = connection.recv()
            try:
                found = getattr(examiner, question)(*about)
            except Exception as error:  # a fault is for whoever asked, not for the terminal
                found = error
            connection.send(found)
