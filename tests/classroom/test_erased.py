"""A student who is erased: gone with all work, and what they still do is stored nowhere."""

from __future__ import annotations

import pytest

from oasis.classroom.admission import NotAdmitted, admit, set_passphrase
from oasis.classroom.people import passphrases
from oasis.classroom.people.roll import Roll
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tests.classroom.people import OR_COMM, sit


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is made cheap."""
    monkeypatch.setattr(passphrases, "_COST", 2)


def test_who_is_erased_is_gone_with_all_work_and_what_they_go_on_with_is_not_stored(store: Store) -> None:
    roll = Roll(store)
    (ticket,) = roll.add(["Eve"])
    desk = admit(store, "Eve", passphrase=ticket.passphrase)
    attempt = sit(desk, OR_COMM)
    assert roll.erase(" EVE ") == "Eve"
    attempt.make(attempt.offers()[0].move)
    assert desk.trouble == "You and your work were deleted from this class; ask your teacher to be added again."
    with pytest.raises(NotAdmitted, match="no longer in this class"):
        set_passphrase(desk, "another one", old=ticket.passphrase)
    with pytest.raises(InputError, match="There is no student Eve"):
        roll.erase("Eve")
    (again,) = roll.add(["Eve"])
    assert admit(store, "Eve", passphrase=again.passphrase).results() == {}


def test_traces_that_may_be_left_are_told_with_what_removes_them(store: Store) -> None:
    roll = Roll(store)
    roll.add(["Eve"])
    with Store(store.path) as reader:
        store._connection.execute("PRAGMA busy_timeout = 1")
        reader._connection.execute("BEGIN")
        reader._connection.execute("SELECT count(*) FROM students").fetchone()
        with pytest.raises(StoreError, match=r"Eve is deleted, but .* remove them with oasis classroom students sw"):
            roll.erase("Eve")
    roll.sweep()
    assert roll.students() == []
