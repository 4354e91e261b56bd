"""The list of a class: what the teacher makes of it, also from several places at once, and what stays of who leaves."""

from __future__ import annotations

import math
import multiprocessing
import re
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path
from shlex import quote
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.admission import NotAdmitted, admit, open_classroom, set_passphrase
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import export_work
from oasis.classroom.people import passphrases
from oasis.classroom.people.names import name_key, names_in, proper_name
from oasis.classroom.people.roll import Roll, Ticket, tickets_csv
from oasis.classroom.register.register import Register
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, empty, local, make, sit
from tests.store.databases import rows
from tests.thorough import examples

NAMES = ["Ann", "Bob", "Cem", "Łucja", "李"]
names = st.sampled_from(NAMES)
changes = st.one_of(
    st.tuples(st.just("add"), st.lists(names, max_size=3)),
    st.tuples(st.just("rename"), st.tuples(names, names)),
    st.tuples(st.sampled_from(["reset", "dismiss", "readmit"]), names),
)


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they cost is tested elsewhere."""
    monkeypatch.setattr(passphrases, "_COST", 2)


@pytest.fixture
def roll(store: Store) -> Roll:
    """The list of an empty class."""
    return Roll(store)


def refused(do: Callable[..., object], *given: object) -> str:
    """What is said to a teacher who cannot have it so: one sentence."""
    with pytest.raises(InputError) as said:
        do(*given)
    text = str(said.value)
    assert text.endswith((".", "?")) and "\n" not in text
    return text


def comes_in(store: Store, ticket: Ticket) -> bool:
    """Whether what is on a ticket opens."""
    try:
        desk = admit(store, ticket.name, passphrase=ticket.passphrase, create=False)
    except NotAdmitted:
        return False
    store.forgive("student 1")
    return isinstance(desk, Desk)


# The list.


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
                    assert f"students readmit {quote(name)}" in refused(roll.reset, name)
                case "dismiss" | "readmit", name if expected[name][1] is (change == "readmit"):
                    assert name in refused(getattr(roll, change), name)
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


def test_students_are_listed_with_when_and_how_they_joined(store: Store, roll: Roll) -> None:
    local(store, "ann")
    roll.add(["Bob"])
    roll.dismiss("Bob")
    ann, bob = roll.students()
    assert [(each.name, each.account, each.has_passphrase) for each in (ann, bob)] == [
        ("ann", "ann", False),
        ("Bob", None, True),
    ]
    assert ann.left is None and bob.left is not None and bob.joined < bob.left


def test_what_is_so_already_is_told_and_nothing_is_changed(store: Store, roll: Roll) -> None:
    roll.add(["Ada Lovelace"])
    assert (
        refused(roll.readmit, "ada lovelace") == "Ada Lovelace is on the list and has not left; there is nothing to do."
    )
    roll.dismiss("Ada Lovelace")
    left = str(roll.students()[0].left)
    before = rows(store.path)
    assert refused(roll.dismiss, "ada lovelace") == (
        f"Ada Lovelace is off the list since {left[:10]}; to take them back: "
        "oasis classroom students readmit 'Ada Lovelace'."
    )
    assert refused(roll.reset, "ada lovelace") == (
        "Ada Lovelace left the class and comes in with no passphrase; first: "
        "oasis classroom students readmit 'Ada Lovelace'."
    )
    assert rows(store.path) == before


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ([], "There are no names yet; type at least one."),
        (["Dan", "ann"], "Nobody was added: ann is on the list already; add the others without them."),
        (["Dan", "Bob"], "Nobody was added: Bob left and can be had back; add the others without them."),
        (
            ["Dan", "Eve", " DAN"],
            "Nobody was added: DAN is named twice; add the others without them, or tell two students of one name "
            "apart, as in DAN 2.",
        ),
        (
            ["ann"] * 5,
            f"Nobody was added: {', '.join(['ann is on the list already'] * 3)}, and 2 more like these; "
            "add the others without them.",
        ),
        (["Dan", "\x1b"], "Name 2, '\\x1b': A name has 1 to 40 letters, digits, signs and spaces; type another one."),
        (
            ["Dan", "x" * 50],
            f"Name 2, '{'x' * 38} …': A name has 1 to 40 letters, digits, signs and spaces; type another one.",
        ),
    ],
)
def test_either_all_are_added_or_nobody_is(store: Store, roll: Roll, added: list[str], said: str) -> None:
    local(store, "Ann")
    local(store, "Bob")
    roll.dismiss("Bob")
    before = rows(store.path)
    assert refused(roll.add, added) == said
    assert rows(store.path) == before


def test_who_joins_while_a_list_is_added_is_not_added_twice(
    store: Store, roll: Roll, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(passphrase: str) -> tuple[bytes, bytes]:
        with Store(store.path) as elsewhere:
            local(elsewhere, "Bob")
        return bytes(16), bytes(64)

    monkeypatch.setattr("oasis.classroom.people.roll.hashed", slowly)
    assert "Bob is on the list already" in refused(roll.add, ["Ann", "Bob"])
    assert [(each.name, each.account) for each in roll.students()] == [("Bob", "Bob")]


def test_a_name_that_is_not_on_the_list_gets_the_nearest_one(roll: Roll) -> None:
    roll.add(["Ada Lovelace", "Grace Hopper"])
    assert refused(roll.reset, "ada lovelase") == (
        "There is no student ada lovelase in this class; did you mean Ada Lovelace?"
    )
    roll.add(["Ida"])
    assert refused(roll.reset, "ada") == "There is no student ada in this class; did you mean Ada Lovelace?"
    roll.add(["Ada Byron", "Ada Yonath", "Ada Blackjack"])
    assert refused(roll.reset, "ADA").endswith(
        "did you mean Ada Blackjack or Ada Byron or Ada Lovelace, or another one?"
    )
    assert refused(roll.reset, "李") == "There is no student 李 in this class; look for the name on the list."


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
        f"Line 3 of the list, {line!r}, is more than a name; give names alone, one a line, as in Ada Lovelace."
    )
    assert refused(names_in, "\ufeffName\r\nAda\r\n") == (
        "The list begins with Name, which is the heading of a column and nobody's name; take this line out."
    )


def test_of_a_list_those_are_new_who_are_not_on_it_or_are_there_twice(store: Store, roll: Roll) -> None:
    local(store, "Ann")
    local(store, "Bob")
    roll.dismiss("Bob")
    assert roll.new_ones(["  ANN ", "Bob", "Cem"]) == ["Cem"]
    assert roll.new_ones(["Ann", "Ann", "Cem"]) == ["Ann", "Ann", "Cem"]


# Passphrases.


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


def test_who_was_added_comes_in_with_the_passphrase_from_everywhere_and_may_change_it(store: Store, roll: Roll) -> None:
    ann, bob = roll.add(["Ann", "Bob"])
    for account in (None, "ann", "eve"):
        desk = admit(store, "ann", passphrase=ann.passphrase, account=account)
        for passphrase in (None, bob.passphrase):
            with pytest.raises(NotAdmitted):
                admit(store, "Ann", passphrase=passphrase, account=account)
    set_passphrase(desk, "correct horse", old=ann.passphrase)
    assert not comes_in(store, ann) and comes_in(store, Ticket("Ann", "correct horse"))


def test_another_passphrase_takes_the_place_of_the_old_one_and_ends_the_wait(store: Store, roll: Roll) -> None:
    desk = local(store, "Ann")
    old = roll.reset("ann")
    for _ in range(4):
        with pytest.raises(NotAdmitted):
            admit(store, "Ann", passphrase="battery staple")
    new = roll.reset("ann")
    assert new.name == "Ann"
    assert comes_in(store, new) and not comes_in(store, old)
    with pytest.raises(NotAdmitted, match="has a passphrase"):
        local(store, "Ann")
    for account in ("Ann", None):
        assert admit(store, "ann", passphrase=new.passphrase, account=account).student.id == desk.student.id


def test_no_passphrase_is_anywhere_in_the_file(store: Store, roll: Roll) -> None:
    tickets = [*roll.add(NAMES), roll.reset("Ann")]
    for ticket in tickets:
        comes_in(store, ticket)
        comes_in(store, ticket._replace(name="Zoe"))
    content = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    dump = "\n".join(store._connection.iterdump())
    assert "Łucja" in dump and "Łucja".encode() in content
    for _, passphrase in tickets:
        for typed in (passphrase, passphrase.replace("-", "")):
            assert typed not in dump and typed.encode() not in content
            assert typed.encode().hex() not in dump.casefold()


def test_tickets_are_handed_out_as_a_spreadsheet_that_computes_nothing() -> None:
    tickets = [Ticket("Ann", "bamik-tuzor-wegan"), Ticket("=1+1", "x"), Ticket('O"Brien, Żak', "y")]
    assert tickets_csv(tickets) == '\ufeffname,passphrase\nAnn,bamik-tuzor-wegan\n\'=1+1,x\n"O""Brien, Żak",y\n'


# Who leaves.


def test_who_left_is_in_no_result_and_comes_back_with_all_their_work(store: Store, roll: Roll) -> None:
    for name in ("Ann", "Bob"):
        desk = local(store, name)
        make(sit(desk, OR_COMM), PROOF)
    sit(desk, PEIRCE).take_hint()
    sit(local(store, "Bob"), PEIRCE)
    register = Register(store)

    def said() -> tuple[object, ...]:
        return (
            *(register.whereabouts(), register.marks(), register.problems()),
            *(register.student_csv(), register.problem_csv(register.mistakes)),
        )

    before, work, stored = said(), export_work(local(store, "Bob")), rows(store.path)
    register.roll.dismiss("bob")
    assert "Bob" not in register.student_csv()
    assert {mark.name for mark in register.marks()} == {each.name for each in register.whereabouts()} == {"Ann"}
    assert [(problem.begun, problem.attempts) for problem in register.problems()] == [(1, 1)]
    assert {work.student_id for problem in register.problems() for work in register.works(problem)} == {1}
    register.roll.readmit("Bob")
    assert (said(), export_work(local(store, "Bob")), rows(store.path)) == (before, work, stored)


def test_a_student_who_is_renamed_while_at_work_loses_nothing(store: Store, roll: Roll) -> None:
    desk = local(store, "Ann")
    attempt = sit(desk, OR_COMM)
    make(attempt, PROOF[:3])
    roll.rename("ann", "Ann Smith")
    make(attempt, PROOF[3:])
    again = admit(store, "ann smith", account="Ann")
    assert [row.events for row in store.attempts(again.student.id)] == [len(PROOF)]
    assert [(mark.name, mark.outcome) for mark in Register(store).marks()] == [("Ann Smith", "proved")]


# From several places at once.


def rename_all(path: Path, number: int, together: Barrier) -> None:
    """Rename both students to the same names, again and again, and have them leave and come back."""
    with open_classroom(path) as store:
        roll = Roll(store)
        together.wait(60)
        for turn in range(30):
            for student in ("ann", "bob", "x", "y"):
                for change in (roll.dismiss, roll.readmit):
                    try:
                        roll.rename(student, "xy"[(turn + number) % 2])
                        change(student)
                    except InputError:
                        pass  # another process has renamed that student in the meantime


def reset(path: Path, number: int, together: Barrier) -> None:
    """Give Ann another passphrase, and write it down."""
    with open_classroom(path) as store:
        together.wait(60)
        path.with_name(f"{number}.txt").write_text(Roll(store).reset("ann").passphrase)


def at_once(do: Callable[[Path, int, Barrier], None], path: Path) -> None:
    """In two processes."""
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(2)
    processes = [context.Process(target=do, args=(path, number, together)) for number in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]


@pytest.mark.slow
def test_two_teachers_who_rename_at_once_leave_two_students_with_two_names(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    with open_classroom(path) as store:
        for name in ("Ann", "Bob"):
            make(sit(local(store, name), OR_COMM), PROOF)
        before = rows(path)
    at_once(rename_all, path)
    with open_classroom(path) as store:
        students = store.students()
        assert {student.id for student in students} == {1, 2}
        assert all(student.key == name_key(student.name) for student in students)
        assert len({student.key for student in students}) == 2
    after = rows(path)
    assert (after["attempts"], after["events"]) == (before["attempts"], before["events"])


@pytest.mark.slow
def test_of_two_passphrases_made_up_at_once_one_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the two processes hash as it is done in earnest
    path = tmp_path / "oasis.db"
    with open_classroom(path) as store:
        local(store, "Ann")
    at_once(reset, path)
    with open_classroom(path) as store:
        tickets = [Ticket("Ann", (tmp_path / f"{number}.txt").read_text()) for number in range(2)]
        assert sorted(comes_in(store, ticket) for ticket in tickets) == [False, True]


@given(st.text())
def test_a_proper_name_stays_as_it_is(typed: str) -> None:
    try:
        name = proper_name(typed)
    except InputError:
        return
    assert proper_name(name) == name
    assert proper_name(f"\n {typed}  ") == name


# A student who is erased: gone with all work, and what they still do is stored nowhere.


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
