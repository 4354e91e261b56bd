"""The search for wrong moves in a process of its own, so that nobody waits while it thinks, nor while it tidies up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection

from oasis.classroom.processes import Ended, Neighbour
from oasis.classroom.register.mistakes import SECONDS, Examiner, Mistakes, Work


class ExaminerGone(Exception):
    """The process has ended; the text is one sentence: what to do now."""


class ExaminerBeside:
    """An examiner who works beside whoever asks; the process begins with the first question, and anew after its end.

    `mistakes` waits and belongs to one thread; `close` may come from another.

    Args:
        seconds: for each move.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._beside: Neighbour | None = None
        self._is_closed = False

    def mistakes(self, works: Sequence[Work], seconds: float) -> Mistakes:
        """What `Examiner.mistakes` finds. Raises ExaminerGone."""
        beside = self._beside = self._beside or Neighbour("examiner", _examine, self._seconds)
        if self._is_closed:
            beside.close()
        beside.send((works, seconds))
        try:
            found: Mistakes | Exception = beside.receive()
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
            works, time = connection.recv()
            found: Mistakes | Exception
            try:
                found = examiner.mistakes(works, time)
            except Exception as error:  # a fault is for whoever asked, not for the terminal
                found = error
            connection.send(found)
