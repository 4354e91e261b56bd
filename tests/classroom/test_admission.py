"""The door and the list of a class: who comes in as whom, how guessing is slowed, and who is added and leaves."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from shlex import quote
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.admission import (
    MustWait,
    NotAdmitted,
    Origin,
    admit,
    admit_listed,
    is_known,
    needs_passphrase,
    open_register,
    own_name,
    set_passphrase,
    set_teacher_passphrase,
    wait_after,
)
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import export_work
from oasis.classroom.people import guessing, passphrases
from oasis.classroom.people.guessing import BROWSERS_APART, LONGEST_DELAY
from oasis.classroom.people.names import name_key, names_in, proper_name
from oasis.classroom.people.roll import Roll, Ticket, tickets_csv
from oasis.classroom.register.register import Register
from oasis.classroom.register.results import results_csv
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, empty, local, make, sit
from tests.store.databases import rows
from tests.thorough import examples

RIGHT, WRONG = "correct horse", "battery staple"


@pytest.fixture(autouse=True)
def _cheap_hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrases, "_COST", 2)


def refusal(store: Store, name: str = "Ann", *, door: Callable[..., Desk] = admit, **options: Any) -> str:
    """Return the sentence that somebody is told who is not let in."""
    with pytest.raises(NotAdmitted) as refused:
        door(store, name, **options)
    text = str(refused.value)
    assert text.endswith(".") and "\n" not in text and ". " not in text
    return text


def test_neither_capitals_nor_spaces_make_another_student(store: Store) -> None:
    first = admit(store, "Ann Smith", account="ann")
    for name in ("Ann Smith", "ann smith", "  ANN   Smith ", "Ann\u00a0Smith"):
        assert admit(store, name, account="ann") and is_known(store, name)
    assert [(each.id, each.name) for each in store.students()] == [(first.student.id, "Ann Smith")]


@pytest.mark.parametrize("door", [admit, admit_listed])
@pytest.mark.parametrize("name", ["Zoe Angstrom", "zoë angstrom", "ZOE\u0308 A\u030aNGSTRO\u0308M", "Zoé Ångstrom"])
def test_accents_may_be_left_out_if_nobody_else_is_named_so(store: Store, door: Callable[..., Desk], name: str) -> None:
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


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("A name has 1 to 40 letters", ["", "  ", "a" * 41, "Ann\x1b[2J", "A\u202enn", "A\u200bnn", "\ud800"]),
        (
            "A name has letters or digits, at most 3 accents on each",
            ["Ada\u3164", "\u2800", "\u115f", "Ada\ufe0f", "...", "e" + 39 * "\u0301", "Ada\u20dd" + 3 * "\u0301"],
        ),
        (
            r"has letters of several alphabets \((Cyrillic, Latin|Greek, Latin)\)",
            ["\u0410da", "Ann-Ad\u0430", "\u039fda Smith", "\uff21\u0434\u0430"],
        ),
        (r"has letters of several alphabets \(Latin, (Lisu|Old Italic)\)", ["\ua4eeda", "\U00010301ob"]),
        ("A name has no semicolon", ["Ada;=1+1", "Ada\uff1b 2", "Ada\u037e"]),
    ],
)
def test_a_name_that_cannot_be_read_or_passes_for_another_is_refused(store: Store, said: str, names: list[str]) -> None:
    for name in names:
        with pytest.raises(InputError, match=said):
            admit(store, name, account="ann")
    assert store.students() == []


def test_who_had_a_name_before_it_was_refused_to_others_comes_in_and_can_be_renamed(store: Store) -> None:
    store.add_student(name="\u0410da; 2", key=name_key("\u0410da; 2"), account="ann", salt=None, digest=None)
    assert admit(store, "\u0410da; 2", account="ann").name == "\u0410da; 2"
    with pytest.raises(InputError, match="semicolon"):
        Roll(store).rename("\u0410da; 2", "Ada; 2")
    assert Roll(store).rename("\u0410da; 2", "Ada 2") == "Ada 2"
    for name, key in (("O'Neil", "o'neil"), ("O\u2019Neil", "o\u2019neil")):  # of two keys before there was one
        store.add_student(name=name, key=key, account="ann", salt=None, digest=None)
    for name in ("O'Neil", "O\u2019Neil"):
        assert admit(store, name, account="ann").name == Roll(store).find(name).name == name


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u0631\u0636\u0627"),  # Persian
        ("\u0930\u0915\u094d\u200d\u0937", "\u0930\u0915\u094d\u0937"),  # Hindi
        ("O\u2019Brien", "O'Brien"),
        ("O'Brien", "o\u02bcbrien"),
        ("Martin\u2011L\u00f6f", "martin-l\u00f6f"),
        ("Martin-L\u00f6f", "Martin\u2013L\u00f6f"),
        ("Ada", "\u200dA\u200cda\u200c"),
    ],
)
def test_joiners_and_signs_that_look_alike_make_no_other_student(store: Store, name: str, typed: str) -> None:
    (ticket,) = Roll(store).add([name])
    assert ticket.name == name
    for door in (admit, admit_listed):
        assert [door(store, each, passphrase=ticket.passphrase).name for each in (name, typed)] == [name, name]
    assert Roll(store).find(name) == Roll(store).find(typed)
    with pytest.raises(InputError, match="is on the list already"):
        Roll(store).add([typed])


def test_joiners_stay_between_letters_that_need_them_alone() -> None:
    for name in ("Ad\u200ca", "\u200d\u0930\u093e\u092e\u200d", "\u0631\u200c\u0636"):  # the last letter joins nothing
        assert proper_name(name) == name.replace("\u200c", "").replace("\u200d", "")


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("Ada", ["\u0251da", "Ad\u0251", "\ua4ee\ua4d3\ua4ee"]),
        ("Anna", ["\u0410nna", "\u0391nna", "Ann\u0430"]),  # of Cyrillic, Greek and Cyrillic
        ("Cope", ["\u0421\u043e\u0440\u0435"]),
        ("Marna", ["Mama"]),
        ("Bob", ["B0b", "b0b", "\U000103010\U00010301", "\u0412\u041e\u0412"]),
        ("Bill Ng", ["Bi11 Ng", "BiII Ng"]),
        ("Lina", ["\ua4e1\ua4f2\ua4e0\ua4ee"]),
    ],
)
def test_a_name_that_looks_like_one_in_the_class_is_refused(store: Store, name: str, alike: list[str]) -> None:
    roll = Roll(store)
    roll.add([name, "Eve"])
    for each in alike:
        with pytest.raises(InputError, match=f"looks like {name}"):
            admit(store, each, account="ann")
        with pytest.raises(InputError, match=f"looks like {name}"):
            roll.add([each])
        with pytest.raises(InputError, match=f"looks like {name}"):
            roll.rename("Eve", each)
    with pytest.raises(InputError, match="looks like Ivy"):
        roll.add(["Ivy", "lvy"])
    assert [student.name for student in store.students()] == sorted([name, "Eve"])
    assert roll.rename(name, f"{name} 0") == f"{name} 0"


def test_names_that_are_told_apart_at_a_glance_join_beside_each_other(store: Store) -> None:
    names = ["Zoe", "Zo\u00eb", "Lan Pham", "Ian Pham", "Ada 1", "Ada 2", "Ada 10", "\u674eA", "Marc", "Mark"]
    assert [ticket.name for ticket in Roll(store).add(names)] == names


def test_names_of_all_kinds_and_alphabets_join(store: Store) -> None:
    latin = ["É", "éva", "a" * 40, "O'Brien-Żak", "=cmd", "Nguy\u1ec5n"]
    others = [
        "李",
        "\u0410\u0434\u0430",
        "Anna (\u0410\u043d\u043d\u0430)",
        "\u0e19\u0e49\u0e33",
        "\u092a\u094d\u0930\u093f",
    ]
    for name in latin + others:
        assert admit(store, name, account="ann").name == admit(store, name, account="ann").name == name
    assert admit(store, "e\u0301va", account="ann").name == "éva"
    assert admit(store, "Ann\nSmith", account="ann").name == "Ann Smith"


def test_at_their_own_account_a_student_needs_no_passphrase_and_elsewhere_none_helps(store: Store) -> None:
    desk = admit(store, "Ann", account="ann")
    assert not needs_passphrase(store, "Ann", "ann")
    assert admit(store, "Ann", account="ann").student.id == desk.student.id
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


def test_over_a_network_everybody_chooses_a_passphrase(store: Store) -> None:
    assert needs_passphrase(store, "Ann")
    assert refusal(store) == (
        "Ann is not in this class yet; choose a passphrase of at least 8 characters to join, and remember it."
    )
    with pytest.raises(InputError, match="at least 8 characters"):
        admit(store, "Ann", passphrase="short")
    assert store.students() == []
    desk = admit(store, "Ann", passphrase=RIGHT)
    assert admit(store, "Ann", passphrase=RIGHT).student.id == desk.student.id


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


# A class that only those on its list join


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
    for account, place in ((None, EVE), ("eve", None)):
        tries = [*((each, place) for each in (None, "", *[WRONG] * 5)), (WRONG, ADA)]
        told = {
            name: [
                refusal(store, name, door=admit_listed, passphrase=each, account=account, origin=origin)
                for each, origin in tries
            ]
            for name in ("ann", "bob", "cem", "zoe")
        }
        assert len(set(map(tuple, told.values()))) == 1, told
        store._connection.execute("DELETE FROM refusals")
    assert len(set(told["zoe"])) == 3
    assert "too many wrong tries; wait 1 second" in told["zoe"][-2]
    assert told["zoe"][-1] == told["zoe"][2], "at another address nobody waits"


def test_for_every_name_as_much_work_is_done(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    Roll(store).add(["Ann"])
    work: list[str] = []
    for where, name in ((passphrases, "_scrypt"), (Store, "secret")):
        done = getattr(where, name)

        def noted(*given: Any, done: Callable[..., bytes] = done, name: str = name) -> bytes:
            work.append(name)
            return done(*given)

        monkeypatch.setattr(where, name, noted)
    for name in ("Ann", "Zoe"):
        refusal(store, name, door=admit_listed, passphrase=WRONG)
    assert work == ["secret", "_scrypt"] * 2


def test_a_passphrase_is_kept_as_a_salted_hash_and_known_however_it_is_typed(store: Store) -> None:
    for name in ("Ann", "Bob"):
        admit(store, name, passphrase="café au lait")
    ann, bob = store.students()
    assert ann.secret is not None and bob.secret is not None
    assert ann.secret.hash != bob.secret.hash and len(ann.secret.salt) == 16
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


def store_wrong_passphrases(store: Store, number: int, *, ago: float = 0.0, key: str = "student 1") -> None:
    """Store so many wrong passphrases in a row, the last one given some seconds ago."""
    last = (datetime.now(UTC) - timedelta(seconds=ago)).isoformat(timespec="milliseconds")
    store._connection.execute("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (key, number, last))


@pytest.mark.parametrize(
    ("wrong", "elapsed", "seconds"),
    [
        *((2, 0, 0), (3, 0, 1), (4, 0, 2), (5, 0, 4), (6, 0, 8), (7, 0, 16), (8, 0, 32), (9, 0, 60), (5000, 0, 60)),
        *((3, 2, 0), (6, 3, 5), (5000, 10, 50), (9, -1, 0)),
    ],
)
def test_the_wait_doubles_up_to_a_minute(wrong: int, elapsed: float, seconds: float) -> None:
    assert wait_after(wrong, elapsed) == seconds


def test_who_has_waited_is_let_in_and_nothing_wrong_is_counted_any_more(store: Store) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    store_wrong_passphrases(store, 5, ago=1.0)
    with pytest.raises(MustWait) as refused:
        admit(store, "Ann", passphrase=RIGHT)
    assert 1 <= refused.value.seconds <= 3
    for ago in (4.01, -3600):  # a clock that was put back keeps nobody out
        store_wrong_passphrases(store, 5, ago=ago)
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


def test_while_one_waits_nothing_is_hashed_and_others_come_in(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Ann", "Bob"):
        admit(store, name, passphrase=RIGHT)
    store_wrong_passphrases(store, 9)
    admit(store, "Bob", passphrase=RIGHT)
    monkeypatch.delattr(passphrases, "_scrypt")
    assert "wait" in refusal(store, passphrase=RIGHT)


@pytest.mark.usefixtures("no_time_passes")
def test_asking_in_many_processes_at_once_tells_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    admit(store, "Ann", passphrase=RIGHT)
    # All of them looked before the first wrong one was counted.
    monkeypatch.setattr(guessing, "wait", lambda *_: None)
    said = [refusal(store, passphrase=passphrase) for passphrase in [WRONG] * 5 + [RIGHT]]
    assert ["wait" in each for each in said] == [False] * 3 + [True] * 3


# Where guesses come from: they keep nobody waiting but whoever guesses.

ADA, EVE = Origin("192.0.2.1", "ada's browser"), Origin("192.0.2.2", "eve's browser")


@pytest.fixture
def ada(store: Store, no_time_passes: None) -> Store:
    """A class with Ada in it, who came in once with her browser."""
    admit(store, "Ada", passphrase=RIGHT, origin=ADA)
    admit(store, "Ada", passphrase=RIGHT, origin=ADA)
    return store


def guess(store: Store, origin: Origin, *, times: int = 3, name: str = "Ada") -> None:
    """Type so many wrong passphrases from one place."""
    for _ in range(times):
        refusal(store, name, passphrase=WRONG, origin=origin)


def waits(store: Store, origin: Origin, name: str = "Ada") -> bool:
    """Return True if even the right passphrase is told to wait."""
    try:
        admit(store, name, passphrase=RIGHT, origin=origin)
    except MustWait:
        return True
    return False


def delay(come_in: Callable[[], object]) -> float:
    """Return after how many seconds the passphrase of somebody who comes in was looked at."""
    with patch.object(guessing, "sleep") as slept:
        come_in()
    return max((each.args[0] for each in slept.call_args_list), default=0.0)


def test_browsers_that_are_made_up_at_an_address_are_soon_slowed_together_and_keep_nobody_out(ada: Store) -> None:
    def comes(browser: str) -> float:
        return delay(lambda: admit(ada, "Ada", passphrase=RIGHT, origin=EVE._replace(browser=browser)))

    for number in range(BROWSERS_APART + 3):
        guess(ada, EVE._replace(browser=f"made up {number}"), times=1)
    assert comes("made up 0") == 0, "which is counted by itself"
    assert comes("") == 1
    for number in range(40):
        guess(ada, EVE._replace(browser=f"made up {number + 100}"), times=1)
    assert comes("of Eve") == LONGEST_DELAY
    assert comes("of Eve") == comes("of somebody") == 0, "who came in has ended it"


def test_who_guesses_for_ada_keeps_her_waiting_neither_elsewhere_nor_in_another_browser(ada: Store) -> None:
    guess(ada, EVE)
    assert waits(ada, EVE)
    assert not waits(ada, EVE._replace(address="192.0.2.9"))  # the same browser, but nobody is sure of that
    assert not waits(ada, Origin("192.0.2.3"))
    guess(ada, EVE._replace(address=ADA.address), times=9)
    assert waits(ada, EVE._replace(address=ADA.address))
    assert not waits(ada, Origin(ADA.address, "a new one"))
    guess(ada, Origin(ADA.address), times=9)
    assert not waits(ada, Origin(ADA.address))
    assert not waits(ada, ADA)
    assert not waits(ada, ADA._replace(address="192.0.2.99"))


def test_in_her_own_browser_and_in_that_of_another_student_wrong_tries_count_as_well(ada: Store) -> None:
    guess(ada, ADA)
    assert waits(ada, ADA)
    for _ in range(2):
        admit(ada, "Eve", passphrase=RIGHT, origin=EVE)
    guess(ada, EVE)
    assert waits(ada, EVE)


def test_a_new_passphrase_from_the_teacher_ends_every_wait_and_forgets_her_browsers(ada: Store) -> None:
    guess(ada, ADA)
    guess(ada, EVE)
    roll = Roll(ada)
    ticket = roll.reset("Ada")
    assert not comes_in(ada, Ticket("Ada", RIGHT))
    admit(ada, "Ada", passphrase=ticket.passphrase, origin=EVE)
    for number in range(BROWSERS_APART + 3):
        guess(ada, Origin(ADA.address, f"made up {number}"), times=1)
    assert delay(lambda: admit(ada, "Ada", passphrase=ticket.passphrase, origin=ADA)) == 1


def test_wrong_tries_of_one_student_end_with_their_number(ada: Store) -> None:
    Roll(ada).add([f"Student {number}" for number in range(2, 11)])
    assert [row.id for row in ada.students() if row.name == "Student 10"] == [10]
    guess(ada, EVE, name="Student 10")
    Roll(ada).reset("Ada")  # who is number 1
    assert waits(ada, EVE, "Student 10")


@pytest.mark.usefixtures("no_time_passes")
@pytest.mark.parametrize(
    ("guessing_from", "seconds", "kept_out"),
    [
        ([Origin(f"192.0.2.{number}") for number in range(7)], 16.0, None),
        ([EVE] * 9, 0.0, EVE),
        ([Origin(f"192.0.2.{number}", f"browser {number}") for number in range(8)], 1.0, None),
    ],
    ids=["everywhere", "in a browser", "in many browsers"],
)
def test_who_guesses_the_teachers_passphrase_does_not_keep_the_teacher_out(
    store: Store, guessing_from: list[Origin], seconds: float, kept_out: Origin | None
) -> None:
    teacher = Origin.of_account("teacher")
    set_teacher_passphrase(store, RIGHT, origin=teacher)
    for origin in guessing_from:
        with pytest.raises(NotAdmitted):
            open_register(store, WRONG, origin)
    if kept_out is not None:
        with pytest.raises(MustWait):
            open_register(store, RIGHT, kept_out)
        with pytest.raises(MustWait):
            set_teacher_passphrase(store, WRONG, old=RIGHT, origin=kept_out)
    assert delay(lambda: open_register(store, RIGHT, teacher)) == 0
    assert delay(lambda: open_register(store, RIGHT, Origin("198.51.100.1"))) == seconds


def test_neither_passphrases_nor_addresses_nor_browsers_can_be_read_in_the_file(ada: Store) -> None:
    tickets = [*Roll(ada).add(["Łucja", "Bob"]), Roll(ada).reset("Bob")]
    guess(ada, EVE)
    refusal(ada, f"{RIGHT} battery", door=admit_listed, passphrase=WRONG)
    content = b"".join(path.read_bytes() for path in ada.path.parent.iterdir())
    dump = "\n".join(ada._connection.iterdump())
    assert all(kept in dump for kept in ('INSERT INTO "refusals"', 'INSERT INTO "browsers"', "nobody ", "Łucja"))
    made_up = [ticket.passphrase for ticket in tickets]
    for typed in (RIGHT, EVE.address, EVE.browser, *made_up, *(each.replace("-", "") for each in made_up)):
        assert typed not in dump and typed.encode() not in content
        assert typed.encode().hex() not in dump.casefold()


def test_wrong_tries_of_the_day_before_yesterday_and_many_browsers_do_not_fill_the_file(ada: Store) -> None:
    ada._connection.execute("INSERT INTO refusals VALUES ('student 1 from there', 9, '2026-01-01T00:00:00.000+00:00')")
    for number in range(30):
        admit(ada, "Ada", passphrase=RIGHT, origin=Origin("192.0.2.1", f"browser {number}"))
    assert ada._connection.execute("SELECT count(*) FROM refusals").fetchone() == (0,)
    assert ada._connection.execute("SELECT count(*) FROM browsers").fetchone() == (10,)


def test_to_change_a_passphrase_is_slowed_where_it_is_tried(ada: Store) -> None:
    desk = admit(ada, "Ada", passphrase=RIGHT, origin=EVE)
    for old in (WRONG, WRONG, WRONG, RIGHT):
        with pytest.raises(MustWait if old == RIGHT else NotAdmitted):
            set_passphrase(desk, WRONG, old=old, origin=EVE)
    set_passphrase(desk, WRONG, old=RIGHT, origin=ADA)


# The list of a class: what the teacher changes, also from several places at once, and what is left of who leaves.

names = st.sampled_from(["Ann", "Bob", "Ada Lovelace", "Łucja", "李"])
changes = st.one_of(
    st.tuples(st.just("add"), st.lists(names, max_size=3)),
    st.tuples(st.just("rename"), st.tuples(names, names)),
    st.tuples(st.sampled_from(["reset", "dismiss", "readmit"]), names),
)


@pytest.fixture
def roll(store: Store) -> Roll:
    """The list of an empty class."""
    return Roll(store)


def refused(do: Callable[..., object], *given: object) -> str:
    """Return the sentence with which a change of the list is refused."""
    with pytest.raises(InputError) as said:
        do(*given)
    text = str(said.value)
    assert text.endswith((".", "?")) and "\n" not in text
    return text


def readmit_command(name: str) -> str:
    """Return the command that brings a student back."""
    return f"oasis classroom students readmit {quote(name)}."


def comes_in(store: Store, ticket: Ticket) -> bool:
    """Return True if the name and passphrase on a ticket let a student in."""
    try:
        admit(store, ticket.name, passphrase=ticket.passphrase, create=False)
    except NotAdmitted:
        return False
    store.forgive("student 1")
    return True


@settings(max_examples=examples(60))
@given(st.lists(changes, max_size=12))
def test_the_list_is_what_its_changes_make_it(happened: list[tuple[str, Any]]) -> None:
    with empty() as store:
        roll, expected = Roll(store), dict[str, tuple[Ticket, bool]]()
        for change, what in happened:
            match change, what:
                case "add", [*added]:
                    if not added or len(set(added)) < len(added) or set(added) & set(expected):
                        refused(roll.add, added)
                        continue
                    expected |= {ticket.name: (ticket, True) for ticket in roll.add(added)}
                case "rename", (old, new):
                    if old not in expected or new in set(expected) - {old}:
                        refused(roll.rename, old.swapcase(), new)
                        continue
                    assert roll.rename(old.swapcase(), new) == new
                    ticket, is_here = expected.pop(old)
                    expected[new] = ticket._replace(name=new), is_here
                case _, name if name not in expected:
                    assert f"There is no student {name}" in refused(getattr(roll, change), name)
                case "reset", name if not expected[name][1]:
                    assert refused(roll.reset, name).endswith(
                        f"comes in with no passphrase; first: {readmit_command(name)}"
                    )
                case "dismiss", name if not expected[name][1]:
                    assert f"{name} is off the list since 2" in refused(roll.dismiss, name)
                    assert refused(roll.dismiss, name).endswith(readmit_command(name))
                case "readmit", name if expected[name][1]:
                    assert refused(roll.readmit, name).startswith(f"{name} is on the list and has not left;")
                case "reset", name:
                    expected[name] = roll.reset(f" {name.upper()} "), expected[name][1]
                case _, name:
                    assert getattr(roll, change)(name.upper()) == name
                    expected[name] = expected[name][0], change == "readmit"
        assert {each.name: each.left is None for each in roll.students()} == {
            name: is_here for name, (_, is_here) in expected.items()
        }
        assert all(comes_in(store, ticket) is is_here for ticket, is_here in expected.values())
        assert [each.name for each in Register(store).whereabouts()] == [
            each.name for each in roll.students() if each.left is None
        ]


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ([], "There are no names yet; type at least one."),
        (["Dan", "ann"], "Nobody was added: ann is on the list already; add the others without them."),
        (["Dan", "Bob"], "Nobody was added: Bob left and can be had back; add the others without them."),
        (["Dan", "Eve", " DAN"], "DAN is named twice; add the others without them, or tell two students of one name "),
        (["ann"] * 5, ", ".join(["ann is on the list already"] * 3) + ", and 2 more like these; add the others"),
        (["Dan", "\x1b"], "Name 2, '\\x1b': A name has 1 to 40 letters, digits, signs and spaces; type another one."),
        (["Dan", "x" * 50], f"Name 2, '{'x' * 38} …': A name has 1 to 40 letters"),
    ],
)
def test_either_all_are_added_or_nobody_is(store: Store, roll: Roll, added: list[str], said: str) -> None:
    local(store, "Ann")
    local(store, "Bob")
    roll.dismiss("Bob")
    before = rows(store.path)
    assert said in refused(roll.add, added)
    assert rows(store.path) == before


def test_who_joins_while_a_list_is_added_comes_once(store: Store, roll: Roll, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(passphrase: str) -> tuple[bytes, bytes]:
        with Store(store.path) as elsewhere:
            local(elsewhere, "Bob")
        return bytes(16), bytes(64)

    monkeypatch.setattr("oasis.classroom.people.roll.hashed", slowly)
    assert "Bob is on the list already" in refused(roll.add, ["Ann", "Bob"])
    assert [(each.name, each.account) for each in roll.students()] == [("Bob", "Bob")]


def test_a_name_that_is_not_on_the_list_gets_the_nearest_one(roll: Roll) -> None:
    roll.add(["Ada Lovelace", "Grace Hopper"])
    assert refused(roll.reset, "ada lovelase").endswith(" ada lovelase in this class; did you mean Ada Lovelace?")
    roll.add(["Ida"])
    assert refused(roll.reset, "ada").endswith("; did you mean Ada Lovelace?")
    roll.add(["Ada Byron", "Ada Yonath", "Ada Blackjack"])
    assert refused(roll.reset, "ADA").endswith("mean Ada Blackjack or Ada Byron or Ada Lovelace, or another one?")
    assert refused(roll.reset, "李").endswith("; look for the name on the list.")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=6))
def test_a_list_has_a_name_in_each_line_that_is_not_empty(lines: list[str]) -> None:
    lines = [re.sub('[;,\t"]', " ", line) for line in lines]
    expected = [line.strip() for each in lines for line in each.splitlines() if line.strip()]
    for start in ("\ufeff", ""):
        if start or not "".join(lines).startswith("\ufeff"):
            assert names_in(start + "\r\n".join(lines)) == expected


@pytest.mark.parametrize("line", ["Meier;Anna;9b", '"Meier, Anna","9b"', "Meier\tAnna", "name,passphrase"])
def test_a_line_of_several_columns_is_no_name(line: str) -> None:
    assert refused(names_in, f"Grace Hopper\t\n\n{line}\n") == (
        f"Line 3 of the list, {line!r}, is more than a name; give names alone, one a line, as in Ada Lovelace, "
        "or write heads above the columns, as in Surname and First name."
    )


def test_a_passphrase_that_is_made_up_can_be_read_aloud_and_not_be_guessed() -> None:
    made = {passphrases.made_up() for _ in range(500)}
    assert len(made) == 500
    assert all(re.fullmatch("(-?[bdfghkmnprstvwxyz][aeiou][bdfghkmnprstvwxyz][aeiou][a-z]){3}", each) for each in made)
    letters = "".join(made).replace("-", "")
    assert not set("cjlq") & set(letters)
    bits = sum(math.log2(len({each[place] for each in made})) for place in range(17))
    assert bits > 50
    for each in made:
        passphrases.check_new(each)


def test_a_passphrase_that_was_made_up_opens_however_it_is_typed_and_a_chosen_one_as_it_is() -> None:
    made, chosen = passphrases.hashed("bamik-tuzor-wegan"), passphrases.hashed("Bamik-tuzor")
    for typed in ("BAMIK-TUZOR-WEGAN", " Bamik tuzor  wegan ", "bamik–tuzor–wegan", "bamiktuzorwegan"):
        assert passphrases.is_right(typed, *made)
    assert not passphrases.is_right("bamik-tuzor-wegat", *made)
    assert passphrases.is_right("Bamik-tuzor", *chosen) and not passphrases.is_right("bamik-tuzor", *chosen)


def test_tickets_are_handed_out_as_a_spreadsheet_that_computes_nothing() -> None:
    tickets = [Ticket("Ann", "bamik-tuzor-wegan"), Ticket("=1+1", "x"), Ticket('O"Brien, Żak', "y")]
    assert tickets_csv(tickets) == '\ufeffname,passphrase\nAnn,bamik-tuzor-wegan\n\'=1+1,x\n"O""Brien, Żak",y\n'


def test_who_left_is_in_no_result_and_comes_back_with_all_their_work(store: Store, roll: Roll) -> None:
    for name in ("Ann", "Bob"):
        desk = local(store, name)
        make(sit(desk, OR_COMM), PROOF)
    sit(desk, PEIRCE).take_hint()
    sit(local(store, "Bob"), PEIRCE)
    register = Register(store)

    before, work = rows(store.path), export_work(local(store, "Bob"))
    roll.dismiss("bob")
    assert [(change.student, change.what) for change in roll.changes()] == [("Bob", "dismissed")]
    assert "Bob" not in results_csv(register, "student")
    assert {mark.name for mark in register.marks()} == {each.name for each in register.whereabouts()} == {"Ann"}
    assert [(problem.begun, problem.attempts) for problem in register.problems()] == [(1, 1)]
    assert {work.student_id for problem in register.problems() for work in register.works(problem)} == {1}
    roll.readmit("Bob")
    assert ({**rows(store.path), "changes": []}, export_work(local(store, "Bob"))) == (before, work)
    assert "Bob" in results_csv(register, "student")


def test_who_is_erased_is_gone_with_all_work_and_what_they_go_on_with_is_not_stored(store: Store, roll: Roll) -> None:
    (ticket,) = roll.add(["Eve"])
    desk = admit(store, "Eve", passphrase=ticket.passphrase)
    attempt = sit(desk, OR_COMM)
    assert roll.erase(" EVE ") == "Eve"
    attempt.make(attempt.offers()[0].move)
    assert desk.trouble == "You and your work were deleted from this class; ask your teacher to be added again."
    with pytest.raises(NotAdmitted, match="no longer in this class"):
        set_passphrase(desk, "another one", old=ticket.passphrase)
    assert "There is no student Eve" in refused(roll.erase, "Eve")
    (ticket,) = roll.add(["Eve"])
    assert admit(store, "Eve", passphrase=ticket.passphrase).results() == {}


def test_traces_that_may_be_left_are_told_with_what_removes_them(store: Store, roll: Roll) -> None:
    roll.add(["Eve"])
    with Store(store.path) as reader:
        store._connection.execute("PRAGMA busy_timeout = 1")
        reader._connection.execute("BEGIN")
        reader._connection.execute("SELECT count(*) FROM students").fetchone()
        with pytest.raises(StoreError, match=r"Eve is deleted, but .* remove them with oasis classroom students sw"):
            roll.erase("Eve")
    roll.sweep()
    assert roll.students() == []
