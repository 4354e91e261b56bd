"""Who is signed in where: a line for each tab of a browser, and each terminal, in the file of the class.

By it a tab that is loaded again, whose network was gone, or whose server has begun anew comes back without asking, and
the teacher sees who is there. Where the line is closed by others the session is ended, and who is in that tab is signed
out at once. A browser is known by a cookie that its server has signed, of which only a digest is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Final

from oasis.classroom.background import Background
from oasis.classroom.clock import now
from oasis.classroom.people.guessing import Origin, lot
from oasis.store import KeptNote, KeptTab, Store, StoreError

LASTS: Final = timedelta(hours=12)
"""For how long a student may come back to a browser in which no tab of theirs is open."""
TEACHER_LASTS: Final = timedelta(minutes=2)
"""The same for the teacher, and only in the same tab: whoever comes back has the whole class."""
RENEWED: Final = 15.0
"""Seconds after which an open tab says that it is, if nothing else is new."""
GONE: Final = 40.0
"""Seconds after which a tab that did not say so is not open."""


def who_comes_back(store: Store, origin: Origin) -> KeptTab | None:
    """Return the tab whose person comes in from there without being asked; None if somebody has to be.

    It is this tab as it was, or for a student the one that was open last in this browser.
    """
    if not origin.session:
        return None
    key, at = _key(store, origin), datetime.now(UTC)
    tabs = sorted(store.tabs_of_browser(_browser(store, origin)), key=lambda tab: tab.id != key)
    return next((tab for tab in tabs if _lasts(tab, at) and (tab.id == key or tab.student is not None)), None)


def sign_out_elsewhere(store: Store, student: int, origin: Origin) -> None:
    """End all sessions of a student but those in this browser, or at this machine's terminals."""
    here = _browser(store, origin)
    with store.together():
        for tab in store.tabs(student):
            if tab.browser != here:
                store.end_tab(tab)


def is_open(tab: KeptTab) -> bool:
    """Whether a tab is open, as far as it has told."""
    return not tab.closed and _unseen(tab, datetime.now(UTC)) < timedelta(seconds=GONE)


class Presence:
    """Tells the class that somebody is in this tab, in a thread and over a connection of its own.

    Args:
        open_store: opens the file of the class.
        path: the file.
        origin: from where the person comes.
        student: the number of who it is, None for the teacher.

    Attributes:
        is_ended: whether the session was ended elsewhere, so that nobody is signed in here any more.
        others: how many other tabs of this person are open.
        notes: of the teacher, which the student has not read yet, oldest first.
    """

    def __init__(self, open_store: Callable[[Path], Store], path: Path, origin: Origin, student: int | None) -> None:
        self.is_ended, self.others = False, 0
        self.notes: tuple[KeptNote, ...] = ()
        self._read = 0
        """The number of the last note that was read."""
        self._open, self._path, self._origin, self._student = open_store, path, origin, student
        self._key = now()
        self._thread = Background("presence")
        self._telling: Future[None] | None = None
        self._store: Store | None = None
        self._tab: KeptTab | None = None
        self._told = 0.0

    def type(self) -> None:
        """A key was pressed."""
        self._key = now()

    def has_read(self, note: KeptNote) -> None:
        """Tell the class that the student has read the notes up to this one."""
        self._read = note.id
        self.notes = tuple(each for each in self.notes if each.id > self._read)

    def tell(self, room: str, attempt: str) -> None:
        """Have the class know where the person is, and soon afterwards learn what is new; nothing if it is slow."""
        if self._telling is None or self._telling.done():
            self._telling = self._thread.submit(self._tell, self._key, room, attempt)

    def close(self, room: str, attempt: str, *, signs_out: bool) -> None:
        """Tell the class that the tab is closed, and if the person signs out, end the session in the browser."""
        self._thread.close(lambda: self._close(room, attempt, signs_out=signs_out))

    def wait(self, seconds: float) -> None:
        """Wait until the file is closed, so many seconds at most."""
        self._thread.wait(seconds)

    def _tell(self, key: str, room: str, attempt: str) -> None:
        with suppress(StoreError):  # it is tried again in a second; that work is not stored is told by the desk
            store, before = self._opened(), self._tab
            if before is None:
                store.forget_tabs(*(_ago(lasts) for lasts in (LASTS, TEACHER_LASTS)))
                before = self._first(store)
                store.open_tab(before)
            tab = before._replace(key=key, room=room, attempt=attempt)
            if tab != before or monotonic() - self._told > RENEWED:
                store.renew_tab(tab._replace(seen=now()))
                self._told = monotonic()
            self._tab = tab
            tabs = store.tabs(self._student)
            self.is_ended = all(each.id != tab.id or each.closed for each in tabs)
            self.others = sum(is_open(each) for each in tabs if each.id != tab.id)
            self._exchange_notes(store)

    def _exchange_notes(self, store: Store) -> None:
        """Store which notes were read, and learn which are not."""
        if self._student is None:
            return
        unread = [note for note in store.notes(self._student) if note.read is None]
        if any(note.id <= self._read for note in unread):
            store.read_notes(self._student, self._read, now())
        self.notes = tuple(note for note in unread if note.id > self._read)

    def _first(self, store: Store) -> KeptTab:
        """The line of this tab, from now on."""
        key = _key(store, self._origin) if self._origin.tab else token_hex(12)
        return KeptTab(key, _browser(store, self._origin), self._student, now(), self._key, now())

    def _opened(self) -> Store:
        self._store = self._store or self._open(self._path)
        return self._store

    def _close(self, room: str, attempt: str, *, signs_out: bool) -> None:
        with suppress(StoreError):  # a tab that has said nothing for a while counts as closed
            store = self._opened()
            self._exchange_notes(store)
            tab = self._tab or self._first(store)
            if not tab.browser:  # nobody comes back to a terminal
                store.end_tab(tab)
            elif signs_out:
                store.end_tabs(tab.student, tab.browser)
            else:
                if self._tab is None:
                    store.open_tab(tab)
                store.renew_tab(tab._replace(seen=now(), closed=1, room=room, attempt=attempt))
        if self._store is not None:
            self._store.close()


def _key(store: Store, origin: Origin) -> str:
    """By what the file of the class knows a tab."""
    return lot(store, f"{origin.session} {origin.tab}")[:12].hex()


def _browser(store: Store, origin: Origin) -> str:
    """By what it knows the browser of a tab, empty for none."""
    return lot(store, origin.session)[:12].hex() if origin.session else ""


def _lasts(tab: KeptTab, at: datetime) -> bool:
    """Whether somebody may come back to a tab."""
    return _unseen(tab, at) < (TEACHER_LASTS if tab.student is None else LASTS)


def _unseen(tab: KeptTab, at: datetime) -> timedelta:
    """For how long a tab has not said that it is open."""
    return at - datetime.fromisoformat(tab.seen)


def _ago(time: timedelta) -> str:
    return (datetime.now(UTC) - time).isoformat(timespec="milliseconds")
