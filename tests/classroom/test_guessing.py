"""Guessing: it is slowed wherever it comes from, and keeps nobody waiting but whoever guesses."""

from __future__ import annotations

import pytest

from oasis.classroom.admission import (
    MustWait,
    NotAdmitted,
    Origin,
    admit,
    admit_listed,
    open_register,
    set_passphrase,
    set_teacher_passphrase,
    wait_after,
)
from oasis.classroom.people import passphrases
from oasis.classroom.people.guessing import BROWSERS_APART
from oasis.classroom.people.roll import Roll
from oasis.store import Store

pytestmark = pytest.mark.usefixtures("no_time_passes")

RIGHT, WRONG = "correct horse", "battery staple"
ADA, EVE = Origin("192.0.2.1", "ada's browser"), Origin("192.0.2.2", "eve's browser")


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is made cheap."""
    monkeypatch.setattr(passphrases, "_COST", 2)


@pytest.fixture
def ada(store: Store) -> Store:
    """A class with Ada in it, who came in once with her browser."""
    admit(store, "Ada", passphrase=RIGHT, origin=ADA)
    admit(store, "Ada", passphrase=RIGHT, origin=ADA)
    return store


def guess(store: Store, origin: Origin, *, times: int = 3, name: str = "Ada") -> None:
    """Type so many wrong passphrases."""
    for _ in range(times):
        with pytest.raises(NotAdmitted):
            admit(store, name, passphrase=WRONG, origin=origin)


def waits(store: Store, origin: Origin, name: str = "Ada") -> bool:
    """Whether even the right passphrase is not looked at."""
    try:
        admit(store, name, passphrase=RIGHT, origin=origin)
    except MustWait:
        return True
    return False


def test_wrong_tries_are_counted_for_a_name_in_a_browser_whatever_tab(ada: Store) -> None:
    guess(ada, EVE)
    assert waits(ada, EVE)
    assert waits(ada, EVE._replace(address="192.0.2.9")) is False  # the same browser, but nobody is sure of that


def test_browsers_that_are_made_up_at_an_address_are_soon_counted_together(ada: Store) -> None:
    for number in range(BROWSERS_APART + 3):
        guess(ada, EVE._replace(browser=f"made up {number}"), times=1)
    assert waits(ada, EVE) and waits(ada, EVE._replace(browser=""))
    assert not waits(ada, EVE._replace(browser="made up 0"))  # which is counted by itself


def test_who_guesses_for_ada_in_a_browser_at_her_address_does_not_keep_her_waiting_in_a_new_one(ada: Store) -> None:
    guess(ada, EVE._replace(address=ADA.address), times=9)
    assert waits(ada, EVE._replace(address=ADA.address))
    assert not waits(ada, Origin(ADA.address, "a new one"))


def test_who_guesses_for_ada_does_not_keep_her_waiting_at_another_address(ada: Store) -> None:
    guess(ada, EVE)
    assert not waits(ada, Origin("192.0.2.3"))


def test_who_guesses_for_ada_at_her_address_does_not_keep_her_waiting_in_her_browser(ada: Store) -> None:
    guess(ada, Origin(ADA.address), times=9)
    assert waits(ada, Origin(ADA.address))
    assert not waits(ada, ADA)
    assert not waits(ada, ADA._replace(address="192.0.2.99"))


def test_in_her_own_browser_wrong_tries_count_as_well(ada: Store) -> None:
    guess(ada, ADA)
    assert waits(ada, ADA)


def test_a_browser_is_known_for_who_came_in_with_it_and_for_nobody_else(ada: Store) -> None:
    admit(ada, "Eve", passphrase=RIGHT, origin=EVE)
    admit(ada, "Eve", passphrase=RIGHT, origin=EVE)
    guess(ada, EVE)
    assert waits(ada, EVE)


def test_a_new_passphrase_from_the_teacher_ends_every_wait_and_forgets_her_browsers(ada: Store) -> None:
    guess(ada, ADA)
    guess(ada, EVE)
    roll = Roll(ada)
    ticket = roll.reset("Ada")
    admit(ada, "Ada", passphrase=ticket.passphrase, origin=EVE)
    for number in range(BROWSERS_APART + 3):
        guess(ada, Origin(ADA.address, f"made up {number}"), times=1)
    with pytest.raises(MustWait):
        admit(ada, "Ada", passphrase=ticket.passphrase, origin=ADA)


def test_wrong_tries_of_one_student_end_with_their_number(ada: Store) -> None:
    for number in range(10):
        Roll(ada).add([f"Student {number}"])
    assert [row.id for row in ada.students() if row.name == "Student 8"] == [10]
    for _ in range(3):
        with pytest.raises(NotAdmitted):
            admit(ada, "Student 8", passphrase=WRONG, origin=EVE)
    Roll(ada).reset("Ada")  # who is number 1
    with pytest.raises(MustWait):
        admit(ada, "Student 8", passphrase=WRONG, origin=EVE)


def test_the_teachers_are_counted_for_the_whole_class_but_not_in_the_teachers_own_browser(store: Store) -> None:
    mine = Origin("192.0.2.7", "mine")
    set_teacher_passphrase(store, RIGHT)
    open_register(store, RIGHT, mine)
    for number in range(3):
        with pytest.raises(NotAdmitted):
            open_register(store, WRONG, Origin(f"192.0.2.{number}"))
    with pytest.raises(MustWait):
        open_register(store, RIGHT, Origin("198.51.100.1"))
    open_register(store, RIGHT, mine)


def test_a_student_who_guesses_the_teachers_keeps_the_teacher_waiting_nowhere_else(store: Store) -> None:
    teacher = Origin.of_account("teacher")
    set_teacher_passphrase(store, RIGHT, origin=teacher)
    for _ in range(9):
        with pytest.raises(NotAdmitted):
            open_register(store, WRONG, EVE)
    with pytest.raises(MustWait):
        open_register(store, RIGHT, EVE)
    open_register(store, RIGHT, teacher)
    open_register(store, RIGHT, Origin(EVE.address, "a new one"))


def test_many_who_guess_the_teachers_do_not_keep_out_the_account_where_it_was_set(store: Store) -> None:
    teacher = Origin.of_account("teacher")
    set_teacher_passphrase(store, RIGHT, origin=teacher)
    for number in range(BROWSERS_APART + 3):
        with pytest.raises(NotAdmitted):
            open_register(store, WRONG, Origin(f"192.0.2.{number}", f"browser {number}"))
    with pytest.raises(MustWait):
        open_register(store, RIGHT, Origin("192.0.2.99", "a new one"))
    open_register(store, RIGHT, teacher)


def test_on_the_list_or_not_guessing_is_slowed_alike_at_each_address(store: Store) -> None:
    Roll(store).add(["Ada"])
    for name in ("Ada", "Zoe"):
        said = []
        for origin in (EVE, EVE, EVE, EVE, ADA):
            with pytest.raises(NotAdmitted) as refused:
                admit_listed(store, name, passphrase=WRONG, origin=origin)
            said.append(type(refused.value))
        assert said == [NotAdmitted, NotAdmitted, NotAdmitted, MustWait, NotAdmitted]


def test_neither_addresses_nor_browsers_can_be_read_in_the_file(ada: Store) -> None:
    guess(ada, EVE)
    dump = "\n".join(ada._connection.iterdump())
    assert 'INSERT INTO "refusals"' in dump and 'INSERT INTO "browsers"' in dump
    assert "192.0.2" not in dump and "browser'" not in dump


def test_wrong_tries_of_the_day_before_yesterday_and_many_browsers_do_not_fill_the_file(ada: Store) -> None:
    ada._connection.execute("INSERT INTO refusals VALUES ('student 1 from there', 9, '2026-01-01T00:00:00.000+00:00')")
    for number in range(30):
        admit(ada, "Ada", passphrase=RIGHT, origin=Origin("192.0.2.1", f"browser {number}"))
    assert ada._connection.execute("SELECT count(*) FROM refusals").fetchone() == (0,)
    assert ada._connection.execute("SELECT count(*) FROM browsers").fetchone() == (10,)


def test_to_change_a_passphrase_is_slowed_where_it_is_tried(ada: Store) -> None:
    desk = admit(ada, "Ada", passphrase=RIGHT, origin=EVE)
    for _ in range(3):
        with pytest.raises(NotAdmitted):
            set_passphrase(desk, WRONG, old=WRONG, origin=EVE)
    with pytest.raises(MustWait):
        set_passphrase(desk, WRONG, old=RIGHT, origin=EVE)
    set_passphrase(desk, WRONG, old=RIGHT, origin=ADA)


@pytest.mark.parametrize(
    ("wrong", "elapsed", "seconds"), [(2, 0, 0), (3, 0, 1), (3, 2, 0), (6, 3, 5), (5000, 10, 50), (9, -1, 0)]
)
def test_the_wait_is_told_for_a_number_of_wrong_ones_and_a_time(wrong: int, elapsed: float, seconds: float) -> None:
    assert wait_after(wrong, elapsed) == seconds
