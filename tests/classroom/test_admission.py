"""The door: who may come in as whom, and how long guessing takes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from oasis.classroom.admission import (
    MustWait,
    NotAdmitted,
    admit,
    admit_listed,
    is_known,
    needs_passphrase,
    open_register,
    own_name,
    set_passphrase,
    set_teacher_passphrase,
)
from oasis.classroom.desk.desk import Desk
from oasis.classroom.people import guessing, passphrases
from oasis.classroom.people.names import name_key
from oasis.classroom.people.roll import Roll
from oasis.store import Store
from tactics.errors import InputError

RIGHT, WRONG = "correct horse", "battery staple"


@pytest.fixture(autouse=True)
def hurry(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is made cheap, except where it is what is tested."""
    if "real_hash" not in request.fixturenames:
        monkeypatch.setattr(passphrases, "_COST", 2)


@pytest.fixture
def real_hash() -> None:
    """Hashing costs what it costs."""


def refusal(store: Store, name: str = "Ann", *, door: Callable[..., Desk] = admit, **options: Any) -> str:
    """What is said to somebody who is not let in: one sentence."""
    with pytest.raises(NotAdmitted) as refused:
        door(store, name, **options)
    text = str(refused.value)
    assert text.endswith(".") and "\n" not in text and ". " not in text
    return text


def wrong_ones(store: Store, number: int, *, ago: float = 0.0, key: str = "student 1") -> None:
    """So many wrong passphrases in a row were given, the last some seconds ago."""
    last = (datetime.now(UTC) - timedelta(seconds=ago)).isoformat(timespec="milliseconds")
    store._connection.execute("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (key, number, last))


# Names.


@pytest.mark.parametrize("name", ["Ann Smith", "ann smith", "  ANN   Smith ", "Ann\u00a0Smith"])
def test_neither_capitals_nor_spaces_make_another_student(store: Store, name: str) -> None:
    first = admit(store, "Ann Smith", account="ann")
    again = admit(store, name, account="ann")
    assert (again.student, again.name) == (first.student, "Ann Smith")
    assert is_known(store, name)


@pytest.mark.parametrize("door", [admit, admit_listed])
@pytest.mark.parametrize("name", ["Zoe Angstrom", "zoë angstrom", "ZOE\u0308 A\u030aNGSTRO\u0308M", "Zoé Ångstrom"])
def test_accents_may_be_left_out_where_nobody_else_is_called_so(
    store: Store, door: Callable[..., Desk], name: str
) -> None:
    (zoe,) = Roll(store).add(["Zoë Ångström"])
    assert is_known(store, name)
    assert door(store, name, passphrase=zoe.passphrase).name == "Zoë Ångström"
    assert "Ångström" not in refusal(store, "Zoe Angstrom", door=door, passphrase=WRONG)
    (zoo,) = Roll(store).add(["Zoe Angstrom"])
    assert door(store, "zoe angstrom", passphrase=zoo.passphrase).name == "Zoe Angstrom"
    assert door(store, "Zoë Ångström", passphrase=zoe.passphrase).name == "Zoë Ångström"


def test_accents_tell_two_apart_who_are_called_alike(store: Store) -> None:
    zoe, zoo = Roll(store).add(["Zoë Lund", "Zoé Lund"])
    for ticket in (zoe, zoo):
        assert admit(store, ticket.name, passphrase=ticket.passphrase).name == ticket.name
        assert "do not go together" in refusal(store, "Zoe Lund", door=admit_listed, passphrase=ticket.passphrase)
    assert not is_known(store, "Zoe Lund")


@pytest.mark.parametrize("name", ["", "  ", "a" * 41, "Ann\x1b[2J", "A\u202enn", "A\u200bnn", "\ud800"])
def test_a_name_that_could_not_be_read_is_refused_and_makes_no_student(store: Store, name: str) -> None:
    with pytest.raises(InputError, match="A name has 1 to 40 letters"):
        admit(store, name, account="ann")
    assert store.students() == []


@pytest.mark.parametrize(
    "name", ["Ada\u3164", "\u2800", "\u115f", "Ada\ufe0f", "...", "e" + 39 * "\u0301", "Ada\u20dd" + 3 * "\u0301"]
)
def test_a_name_with_what_cannot_be_seen_or_read_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InputError, match="A name has letters or digits, at most 3 accents on each"):
        admit(store, name, account="ann")
    assert store.students() == []


@pytest.mark.parametrize("name", ["\u0410da", "Ann-Ad\u0430", "\u039fda Smith", "\uff21\u0434\u0430"])
def test_a_name_that_passes_for_another_by_letters_of_two_alphabets_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InputError, match=r"has letters of several alphabets \((Cyrillic, Latin|Greek, Latin)\)"):
        admit(store, name, account="ann")
    assert store.students() == []


@pytest.mark.parametrize("name", ["Ada;=1+1", "Ada\uff1b 2", "Ada\u037e"])
def test_a_name_has_no_semicolon_by_which_a_spreadsheet_would_take_it_apart(store: Store, name: str) -> None:
    with pytest.raises(InputError, match="A name has no semicolon"):
        admit(store, name, account="ann")


def test_who_had_a_name_before_it_was_refused_to_others_comes_in_and_can_be_renamed(store: Store) -> None:
    store.add_student(name="\u0410da; 2", key=name_key("\u0410da; 2"), account="ann", salt=None, digest=None)
    assert admit(store, "\u0410da; 2", account="ann").name == "\u0410da; 2"
    with pytest.raises(InputError, match="semicolon"):
        Roll(store).rename("\u0410da; 2", "Ada; 2")
    assert Roll(store).rename("\u0410da; 2", "Ada 2") == "Ada 2"


@pytest.mark.parametrize(
    "name",
    [
        "\u0410\u0434\u0430 \u041c\u0430\u0440\u0438\u044f",
        "Anna (\u0410\u043d\u043d\u0430)",
        "Nguy\u1ec5n",
        "\u0e19\u0e49\u0e33",
        "\u092a\u094d\u0930\u093f\u092f\u093e",
    ],
)
def test_names_of_other_alphabets_join(store: Store, name: str) -> None:
    assert admit(store, name, account="ann").name == name


@pytest.mark.parametrize("name", ["Ann\nSmith", "É", "e\u0301va", "李", "a" * 40, "O'Brien-Żak", "=cmd"])
def test_names_of_all_kinds_come_in(store: Store, name: str) -> None:
    assert admit(store, name, account="ann").student == admit(store, name, account="ann").student


# Who is let in.


def test_at_their_own_account_a_student_needs_no_passphrase_and_elsewhere_none_helps(store: Store) -> None:
    assert isinstance(admit(store, "Ann", account="ann"), Desk)
    for account in ("eve", None):
        for passphrase in (None, RIGHT):
            assert "has no passphrase" in refusal(store, account=account, passphrase=passphrase)


def test_a_student_with_a_passphrase_is_let_in_with_it_from_everywhere(store: Store) -> None:
    desk = admit(store, "Ann", account="ann")
    set_passphrase(desk, RIGHT)
    for account in ("ann", "eve", None):
        assert needs_passphrase(store, "Ann", account)
        assert refusal(store, account=account) == "Ann has a passphrase; type it."
        assert refusal(store, account=account, passphrase=WRONG) == "That is not the passphrase of Ann; try again."
        assert admit(store, "ann", account=account, passphrase=RIGHT).student.id == desk.student.id


def test_without_a_passphrase_the_account_that_made_a_student_is_enough(store: Store) -> None:
    desk = admit(store, "Ann", account="ann")
    assert not needs_passphrase(store, "Ann", "ann")
    assert admit(store, "Ann", account="ann").student.id == desk.student.id


def test_over_a_network_everybody_chooses_a_passphrase(store: Store) -> None:
    assert needs_passphrase(store, "Ann")
    assert refusal(store) == (
        "Ann is not in this class yet; choose a passphrase of at least 8 characters to join, and remember it."
    )
    with pytest.raises(InputError, match="at least 8 characters"):
        admit(store, "Ann", passphrase="short")
    assert store.students() == []
    desk = admit(store, "Ann", passphrase=RIGHT)
    assert refusal(store, passphrase=WRONG) == "That is not the passphrase of Ann; try again."
    assert admit(store, "Ann", passphrase=RIGHT).student.id == desk.student.id
    assert refusal(store, account="ann") == "Ann has a passphrase; type it."


def test_who_only_wants_to_look_makes_no_student(store: Store) -> None:
    assert f"There is no student Ann in {store.path};" in refusal(store, account="ann", create=False)
    assert refusal(store, create=False) == (
        "There is no student Ann in this class; check the name, or ask your teacher."
    )
    assert store.students() == []


def test_who_left_is_let_in_nowhere_until_the_teacher_has_them_back(store: Store) -> None:
    admit(store, "Ann", account="ann")
    admit(store, "Bob", passphrase=RIGHT)
    roll = Roll(store)
    sentence = "{} is no longer in this class; ask your teacher to be taken back."
    for name, options in (("Ann", {"account": "ann"}), ("Bob", {"passphrase": RIGHT})):
        roll.dismiss(name)
        for door in (admit, admit_listed):
            assert refusal(store, name, door=door, **options) == sentence.format(name)
    assert "not the passphrase" in refusal(store, "Bob", passphrase=WRONG)
    for name in ("Ann", "Bob"):
        roll.readmit(name)
    assert admit(store, "Ann", account="ann").name == "Ann"
    assert admit_listed(store, "Bob", passphrase=RIGHT).name == "Bob"


def test_the_user_of_this_machine_is_known_by_the_name_that_the_teacher_has_corrected(store: Store) -> None:
    assert own_name(store, "ann") == "ann"
    desk = admit(store, "ann", account="ann")
    Roll(store).rename("ann", "Ann Smith")
    assert admit(store, own_name(store, "ann"), account="ann").student.id == desk.student.id
    admit(store, "Zoe", account="ann")
    assert own_name(store, "ann") == "ann", "of several nobody knows who it is"


# The list of a class that nobody else joins.


def test_who_is_on_the_list_comes_in_and_makes_nobody_else_a_student(store: Store) -> None:
    (ticket,) = Roll(store).add(["Ann"])
    admit(store, "Bob", account="bob")
    for account in ("eve", None):
        assert admit_listed(store, "ann", passphrase=ticket.passphrase, account=account).name == "Ann"
    assert admit_listed(store, "Bob", account="bob").name == "Bob"
    assert "Type your name" in refusal(store, "Zoe", door=admit_listed, account="zoe")
    assert [student.name for student in store.students()] == ["Ann", "Bob"]


@pytest.mark.usefixtures("no_time_passes")
def test_nothing_that_is_said_tells_which_names_are_on_the_list(store: Store) -> None:
    roll = Roll(store)
    roll.add(["Ann", "Bob"])
    roll.dismiss("Bob")
    admit(store, "Cem", account="cem")
    tries = (None, "", WRONG, WRONG, WRONG, WRONG, WRONG)
    for account in (None, "eve"):
        told = {
            name: [refusal(store, name, door=admit_listed, passphrase=each, account=account) for each in tries]
            for name in ("ann", "bob", "cem", "zoe")
        }
        assert len(set(map(tuple, told.values()))) == 1, told
        store._connection.execute("DELETE FROM refusals")
    assert len(set(told["zoe"])) == 3
    assert "too many wrong tries; wait 1 second" in told["zoe"][-1]


@pytest.mark.parametrize("name", ["Ann", "Zoe"])
def test_for_every_name_as_much_work_is_done(store: Store, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    Roll(store).add(["Ann"])
    work: list[str] = []
    hash_it, make_sure = passphrases._scrypt, Store.secret

    def note_hash(*given: Any) -> bytes:
        work.append("hash")
        return hash_it(*given)

    def note_key(store: Store) -> bytes:
        work.append("key")
        return make_sure(store)

    monkeypatch.setattr(passphrases, "_scrypt", note_hash)
    monkeypatch.setattr(Store, "secret", note_key)
    refusal(store, name, door=admit_listed, passphrase=WRONG)
    assert work == ["key", "hash"]


def test_a_passphrase_that_was_typed_for_a_name_is_not_kept(store: Store) -> None:
    refusal(store, "correct horse battery", door=admit_listed, passphrase=WRONG)
    dump = "\n".join(store._connection.iterdump())
    assert "nobody " in dump
    assert "horse" not in dump and b"correct horse battery".hex() not in dump.casefold()


def test_a_name_that_somebody_takes_at_the_same_moment_is_theirs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Store.add_student

    def too_late(self: Store, **row: Any) -> bool:
        add(self, **{**row, "account": "eve"})
        return add(self, **row)

    monkeypatch.setattr(Store, "add_student", too_late)
    assert "works under another account" in refusal(store, account="ann")


# Passphrases.


@pytest.mark.usefixtures("real_hash")
def test_a_passphrase_is_kept_as_a_salted_hash_and_known_however_it_is_typed(store: Store) -> None:
    for name in ("Ann", "Bob"):
        admit(store, name, passphrase="café au lait")
    ann, bob = store.students()
    assert ann.secret is not None and bob.secret is not None
    assert ann.secret.hash != bob.secret.hash and len(ann.secret.salt) == 16
    content = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    assert "café au lait".encode() not in content
    admit(store, "Ann", passphrase="cafe\u0301 au lait")
    refusal(store, passphrase="cafe au lait")


def test_another_passphrase_needs_the_old_one(store: Store) -> None:
    desk = admit(store, "Ann", account="ann")
    set_passphrase(desk, RIGHT)
    for old in (None, WRONG):
        with pytest.raises(NotAdmitted):
            set_passphrase(desk, WRONG, old=old)
    with pytest.raises(InputError, match="at least 8"):
        set_passphrase(desk, "short", old=RIGHT)
    admit(store, "Ann", passphrase=RIGHT)
    set_passphrase(desk, WRONG, old=RIGHT)
    admit(store, "Ann", passphrase=WRONG)
    refusal(store, passphrase=RIGHT)


def test_the_register_opens_with_the_passphrase_of_the_teacher_alone(store: Store) -> None:
    for passphrase in ("", RIGHT):
        with pytest.raises(NotAdmitted, match="set one with `oasis classroom passphrase`"):
            open_register(store, passphrase)
    set_teacher_passphrase(store, RIGHT)
    open_register(store, RIGHT)
    for passphrase in ("", WRONG):
        with pytest.raises(NotAdmitted, match="teacher's passphrase"):
            open_register(store, passphrase)
    for old in (None, WRONG):
        with pytest.raises(NotAdmitted, match="teacher's passphrase"):
            set_teacher_passphrase(store, WRONG, old=old)
    open_register(store, RIGHT)
    set_teacher_passphrase(store, WRONG, old=RIGHT)
    open_register(store, WRONG)


# Guessing.


@pytest.mark.parametrize(
    ("wrong", "seconds"), [(3, 1), (4, 2), (5, 4), (6, 8), (7, 16), (8, 32), (9, 60), (10, 60), (5000, 60)]
)
def test_the_wait_doubles_with_every_wrong_passphrase_up_to_a_minute(store: Store, wrong: int, seconds: int) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    wrong_ones(store, wrong)
    with pytest.raises(MustWait) as refused:
        admit(store, "Ann", passphrase=RIGHT)
    assert refused.value.seconds == seconds
    wrong_ones(store, wrong, ago=seconds + 0.01)
    admit(store, "Ann", passphrase=RIGHT)
    assert store.refusals("student 1") is None


@pytest.mark.usefixtures("no_time_passes")
def test_after_the_third_wrong_passphrase_right_and_wrong_ones_are_told_the_same(store: Store) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    for _ in range(3):
        assert refusal(store, passphrase=WRONG) == "That is not the passphrase of Ann; try again."
    with Store(store.path) as restarted:
        for passphrase in (RIGHT, WRONG, RIGHT):
            said = refusal(restarted, passphrase=passphrase)
            assert said == "There were too many wrong tries; wait 1 second, and try again."
    refusals = store.refusals("student 1")
    assert refusals is not None and refusals[0] == 3


def test_while_one_must_wait_no_time_is_spent_on_hashing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    wrong_ones(store, 9)
    monkeypatch.delattr(passphrases, "_scrypt")
    assert "wait" in refusal(store, passphrase=RIGHT)


def test_a_right_passphrase_ends_the_row_of_wrong_ones(store: Store) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    for _ in range(4):
        for _ in range(2):
            refusal(store, passphrase=WRONG)
        admit(store, "Ann", passphrase=RIGHT)


def test_who_guesses_one_name_keeps_no_other_waiting(store: Store) -> None:
    for name in ("Ann", "Bob"):
        admit(store, name, passphrase=RIGHT)
    wrong_ones(store, 20)
    assert "wait" in refusal(store, passphrase=RIGHT)
    admit(store, "Bob", passphrase=RIGHT)


@pytest.mark.usefixtures("no_time_passes")
def test_asking_in_many_processes_at_once_tells_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    # All of them looked before the first wrong one was counted.
    monkeypatch.setattr(guessing, "wait", lambda *_: None)
    said = [refusal(store, passphrase=passphrase) for passphrase in [WRONG] * 5 + [RIGHT]]
    assert ["wait" in each for each in said] == [False] * 3 + [True] * 3


def test_a_clock_that_was_put_back_keeps_nobody_out(store: Store) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    wrong_ones(store, 20, ago=-3600)
    admit(store, "Ann", passphrase=RIGHT)


@pytest.mark.usefixtures("no_time_passes")
def test_guessing_the_passphrase_of_the_teacher_is_slowed_as_well(store: Store) -> None:
    set_teacher_passphrase(store, RIGHT)
    for _ in range(3):
        with pytest.raises(NotAdmitted, match="not the teacher's passphrase"):
            open_register(store, WRONG)
    for passphrase in (RIGHT, WRONG):
        with pytest.raises(MustWait):
            open_register(store, passphrase)
        with pytest.raises(MustWait):
            set_teacher_passphrase(store, WRONG, old=passphrase)


def test_changing_a_passphrase_is_no_way_to_guess_it(store: Store) -> None:
    desk = admit(store, "Ann", passphrase=RIGHT)
    for _ in range(3):
        with pytest.raises(NotAdmitted):
            set_passphrase(desk, WRONG, old=WRONG)
    with pytest.raises(MustWait):
        set_passphrase(desk, WRONG, old=RIGHT)
