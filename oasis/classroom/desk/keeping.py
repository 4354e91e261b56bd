"""What a desk has stored: a part of an attempt at a time, in order, at once or beside whoever works.

Plain values go to the store, so nothing that a student still works on is touched from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

from oasis.classroom.background import Background
from oasis.classroom.lessons.exams import check_counts
from oasis.store import KeptAttempt, KeptEvent, NoRoom, Store


class Part(NamedTuple):
    """What is new of an attempt.

    Attributes:
        student_id: the number of whose it is.
        attempt: as it is now.
        stored: how many of its events are stored already.
        events: those that follow.
    """

    student_id: int
    attempt: KeptAttempt
    stored: int
    events: tuple[KeptEvent, ...]


def said_to_student(error: Exception) -> str:
    """What a student is told who can do nothing about a full disk; of another error its own words."""
    if isinstance(error, NoRoom):
        return "the disk of the class is full. Tell your teacher; nothing is lost while this stays open."
    return str(error)


Keeper = Callable[[Part], "Future[list[KeptEvent] | None]"]
"""Has a part stored: None when it is, or the events of the attempt that are stored if they are others than those known.

The future raises StoreError.
"""


def at_once(store: Store) -> Keeper:
    """Stores every part before it returns."""

    def keep(part: Part) -> Future[list[KeptEvent] | None]:
        future: Future[list[KeptEvent] | None] = Future()
        try:
            future.set_result(_keep(store, part))
        except Exception as error:
            future.set_exception(error)
        return future

    return keep


class KeeperBeside:
    """Stores every part in a thread, over a connection of its own, however long others keep the file to themselves."""

    def __init__(self, open_store: Callable[[Path], Store], path: Path) -> None:
        self._open, self._path = open_store, path
        self._thread = Background("store")
        self._store: Store | None = None

    def __call__(self, part: Part) -> Future[list[KeptEvent] | None]:
        """Have a part stored after all before it."""
        return self._thread.submit(self._keep, part)

    def close(self) -> None:
        """Close the file as soon as what is under way is stored."""
        self._thread.close(self._close)

    def wait(self, seconds: float) -> None:
        """Wait until the file is closed, so many seconds at most."""
        self._thread.wait(seconds)

    def _keep(self, part: Part) -> list[KeptEvent] | None:
        self._store = self._store or self._open(self._path)
        return _keep(self._store, part)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()


def _keep(store: Store, part: Part) -> list[KeptEvent] | None:
    """Store a part, as `Keeper` says. Raises NotCounted for what an exam does not allow, and StoreError."""
    with store.together():
        check_counts(store, part.student_id, part.attempt, part.events)
        if store.keep(part.student_id, part.attempt, part.stored, part.events):
            return None
    return store.events(part.attempt.uuid)
