"""A gradebook's round trip: tables of students in, and results out as the gradebook takes them back."""

import contextlib
import csv
import io
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oasis.classroom.admission import Origin, open_register, set_teacher_passphrase
from oasis.classroom.desk import notes
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import export_work
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people import passphrases, tables
from oasis.classroom.people.roll import Plan, Roll
from oasis.classroom.people.tables import Entry, Table, read_table
from oasis.classroom.register.gradebook import gradebook_csv
from oasis.classroom.register.register import Register
from oasis.classroom.register.results import results_csv
from oasis.store import Details, Store
from tactics.errors import InputError, LibraryMissing
from tests.classroom.people import OR_COMM, PROOF, local, make, sit
from tests.optional import missing

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Old essay (77),Current Score
,,,,,Manual Posting,
    Points Possible,,,,,10.00,(read only)
"Çelik, Zoë",1002,00018,zcelik,"Logic ""B"", late",,
Cher,1004,00020,cher,A,,
"Lovelace, Ada",1001,00017,alovelace,A,9.00,90
"Lovelace, Ada",1003,00019,ada.l@x.org,A,,
"Student, Test",1005,,6f2a,A,,
"""
MOODLE = """\
First name,Last name,ID number,Institution,Department,Email address,Assignment: Essay (Real)
Zoë,"O'Brien, Jr.",0070,Uni,,Zoe@x.org,-
Ada,-,0080,Uni,,ada@x.org,9.00
"""
OTHERS = ("", "    Points Possible", "Student, Test")
WEEK = 'lemmas = ["textbook/or_comm", "textbook/and_comm"]'
STUDENTS = [
    Entry("Zoë O'Brien, Jr.", Details("O'Brien, Jr.", "Zoë", number="0070", email="Zoe@x.org")),
    Entry("Ada", Details("-", "Ada", number="0080", email="ada@x.org")),
]


@pytest.fixture(autouse=True)
def _cheap_hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrases, "_COST", 2)


@pytest.fixture
def roll(store: Store) -> Roll:
    return Roll(store)


def refused(do: Callable[..., object], *given: object) -> str:
    """Return the sentence with which something is refused."""
    with pytest.raises(InputError) as said:
        do(*given)
    return str(said.value)


def sheet(*rows: tuple[Any, ...], **formats: str) -> bytes:
    """Return an XLSX file with these rows; formats of numbers by cell."""
    try:
        from openpyxl import Workbook
    except ImportError:
        missing("openpyxl is not installed")
    book, written = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for cell, form in formats.items():
        book.active[cell].number_format = form
    book.save(written)
    return written.getvalue()


def written(text: str, encoding: str = "utf-8", separator: str = ",") -> bytes:
    """Return a table as a program writes it that has its own sign between columns."""
    return text.replace(",", separator).encode(encoding)


SIMPLE = "Nachname,Vorname,E-Mail-Adresse,Matrikelnummer,Semester\r\nÖdön,Zoë,z@x.org,007,3\r\n"


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (written(SIMPLE), "UTF-8 with commas"),
        (written("\n\n" + SIMPLE, "utf-8-sig", ";"), "UTF-8 with semicolons"),
        (written(SIMPLE, "utf-16", "\t"), "UTF-16 with tabs"),
        (written(SIMPLE, "utf-16-le"), "UTF-16 with commas"),
        (written(SIMPLE, "utf-16-be"), "UTF-16 with commas"),
        (written(SIMPLE, "cp1252", ";"), "Windows-1252 with semicolons"),
        (written(SIMPLE.replace("007", '="007"')), "UTF-8 with commas"),
    ],
)
def test_a_table_is_read_in_any_usual_encoding_and_says_how(content: bytes, form: str) -> None:
    table = read_table(content)
    assert table.entries == (Entry("Zoë Ödön", Details("Ödön", "Zoë", number="007", email="z@x.org")),)
    assert table.sentence() == (
        f"Read as {form}: Nachname is the surname, Vorname is the first name, E-Mail-Adresse is the e-mail and "
        "Matrikelnummer is the number; not used: Semester."
    )


@pytest.mark.parametrize(
    ("heads", "cells", "entry"),
    [
        ("Surname,First name", "Abel,Niels", Entry("Niels Abel", Details("Abel", "Niels"))),
        ("LAST_NAME,given name,Group", "Abel,Niels,G1", Entry("Niels Abel", Details("Abel", "Niels", group="G1"))),
        ("Name,ID", "Niels Abel,01", Entry("Niels Abel", Details(number="01"))),
        ("Name", "Niels Abel", Entry("Niels Abel")),
        ("Name,E-mail", '"Abel, Niels",n@x', Entry("Niels Abel", Details("Abel", "Niels", email="n@x"))),
        ("Prénom,Nom,Numéro d’étudiant", "Niels,Abel,1", Entry("Niels Abel", Details("Abel", "Niels", number="1"))),
        ("LastName,FirstName,ID,Section", "Abel,Niels,9,", Entry("Niels Abel", Details("Abel", "Niels", "9"))),
    ],
)
def test_columns_are_found_by_their_heads(heads: str, cells: str, entry: Entry) -> None:
    assert read_table(f"{heads}\n{cells}\n".encode()).entries == (entry,)


def test_of_a_gradebook_its_students_are_read_and_no_other_rows() -> None:
    assert read_table(MOODLE.encode()).entries == tuple(STUDENTS)
    table = read_table(CANVAS.encode())
    assert [entry.name for entry in table.entries] == ["Zoë Çelik", "Cher", "Ada Lovelace", "Ada Lovelace"]
    assert table.entries[0].details == Details("Çelik", "Zoë", "1002", "00018", "zcelik", group='Logic "B", late')
    assert table.unused == ("Old essay (77)", "Current Score")


def test_a_sheet_is_read_as_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    content = sheet((), ("Name", "Student number", "Group"), ("Ada", 7, 1.0), ("Zoë", "008", None), B3="0000")
    assert [(name, details.number, details.group) for name, details in read_table(content).entries] == [
        ("Ada", "0007", "1"),
        ("Zoë", "008", ""),
    ]
    assert read_table(sheet(("Ada",), ("Zoë",))) == Table((Entry("Ada"), Entry("Zoë")), "XLSX", {}, ())
    for place in range(4, len(content), 97):
        damaged = content[:place] + b"\xaa\x55" + content[place + 2 :]
        with contextlib.suppress(InputError):
            assert read_table(damaged).form == "XLSX", "whatever is damaged, nothing else is raised"
    monkeypatch.setattr("tactics.errors.find_spec", lambda _: None)
    with pytest.raises(LibraryMissing, match=r"Tables in XLSX need openpyxl, not installed here: pip .*\[web\]"):
        read_table(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"Email address,Group\na@x,1\n", "No column of names was found; the first row has Email address, Group. Call"),
        (b"Surname,First name,ID number\nAbel,Niels,1\n,,2\n", "Row 3 of the table has no name; write one into it,"),
        (b"Name,E-mail\nAda,=1+1\n", "Row 2 of the table: '=1+1' is no e-mail, for it is too long, has signs that"),
        (b"Name,SIS Login ID\nAda,\x07\n", "Row 2 of the table: '\\x07' is no login, for it is too long,"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This spreadsheet has a passphrase, or is of an old kind (.xls);"),
        (b"PK\x03\x04nothing", "This is no spreadsheet that can be read (File is not a zip file); save it anew as"),
        (b"\x81\x8d\n", "This is neither text nor XLSX; save the table as CSV in UTF-8, or as XLSX."),
        (b"Meier;Anna\n", "Line 1 of the list, 'Meier;Anna', is more than a name; give names alone"),
    ],
)
def test_what_is_no_table_of_students_is_refused_in_a_sentence(content: bytes, said: str) -> None:
    if content.startswith(b"PK"):
        sheet()  # skips where none can be read
    assert refused(read_table, content).startswith(said)


def test_a_table_that_is_added_again_changes_nothing_and_two_of_one_name_stay_two(store: Store, roll: Roll) -> None:
    local(store, "cher")
    two = "Ada Lovelace is on the list as Ada Lovelace 2."
    for number, content in enumerate((CANVAS, CANVAS, CANVAS.replace("00020", "00021"), MOODLE)):
        plan = roll.plan(read_table(content.encode()).entries)
        found = [entry.name for entry in plan.new], plan.known, len(plan.noted), plan.remarks
        assert (
            found
            == [
                (["Zoë Çelik", "Ada Lovelace", "Ada Lovelace 2"], 1, 1, (f"Another {two}",)),
                ([], 4, 0, (two,)),
                ([], 4, 1, (two,)),
                (["Zoë O'Brien, Jr.", "Ada"], 0, 0, ()),
            ][number]
        )
        if plan.new or plan.noted:
            assert [ticket.name for ticket in roll.enter(plan)] == found[0]
    details = {student.name: student.details for student in roll.students()}
    assert details["cher"] == Details("", "", "1004", "00021", "cher", group="A")
    assert details["Ada Lovelace 2"].number == "00019" and details["Ada"] == STUDENTS[1].details


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("Eve,2,\nEve,2,\n", "1 student would be new: Eve; 0 on the list already. Eve stands in the table twice, and"),
        ("Ann,,\nAnn,,\n", "1 student would be new: Ann; 1 on the list already. Ann is on the list already."),
        ("Eve,,\nEve,,\n", "2 students would be new: Eve and Eve; 0 on the list already. Eve is named twice."),
        ("\u0410nn,,\n", "1 student would be new: \u0410nn; 0 on the list already. \u0410nn looks like Ann."),
        (
            "\u041e\u041e,,\n",
            "1 student would be new: \u041e\u041e; 0 on the list already. \u041e\u041e looks like OO.",
        ),
        (
            "Eve,3,c@x\nEva,4,c@x\nOO,5,b@x\n",
            "2 students would be new: Eve and Eva; 1 on the list already, and of 1 student",
        ),
        ("Eve,1,b@x\n", "Eve of the table is both Ann and OO of the list; nobody was added."),
    ],
)
def test_who_cannot_be_added_is_told_before_anybody_is(roll: Roll, rows: str, said: str) -> None:
    roll.enter(roll.plan([Entry("Ann", Details(number="1")), Entry("OO", Details(email="B@x"))]))

    def told() -> str:
        plan = roll.plan(read_table(f"Name,Number,E-mail\n{rows}".encode()).entries)
        assert not plan.clashes or refused(roll.enter, plan)
        return " ".join(plan.sentences())

    assert (told() if "both" not in said else refused(told)).startswith(said)
    assert len(roll.students()) == 2


# Out again


def through(store: Store, content: str, gradebook: str) -> tuple[list[dict[str, str]], list[str], Plan]:
    """Put a table on the list and have its first student prove something.

    Return the rows for the gradebook, what is told of them, and what would be new if they were read again.
    """
    roll, week = Roll(store), Lesson.parse(WEEK, "week.toml", "week", Path())
    (first, *_) = entries = read_table(content.encode()).entries
    roll.enter(roll.plan(entries))
    exercise = next(each for each in week.exercises_for(first.name) if each.name == OR_COMM.name)
    make(sit(Desk(store, roll.find(first.name)), exercise), PROOF)
    text, remarks = gradebook_csv(Register(store, [week]), gradebook)
    plan = roll.plan(read_table(text.encode()).entries)
    assert not plan.new and plan.known == len(entries)
    return list(csv.DictReader(io.StringIO(text, newline=""))), remarks, plan


@pytest.mark.parametrize(("gradebook", "content"), [("canvas", CANVAS), ("moodle", MOODLE)])
def test_what_a_gradebook_wrote_goes_back_to_it_as_it_was(store: Store, gradebook: str, content: str) -> None:
    content = content.replace('"Lovelace, Ada",1003', '"Ödön ""Ö"" d\'Łęc, Zoë-李",1003')
    rows, remarks, again = through(store, content, gradebook)
    assert not again.noted
    if gradebook == "canvas":
        possible, *rows = rows
        assert (possible["Student"], possible["week"]) == ("    Points Possible", "20") and remarks == []
        assert list(possible) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "week"]
    else:
        assert remarks == ["week has 20 points: its grade item in Moodle needs this maximum."]
        assert list(rows[0]) == ["First name", "Last name", "ID number", "Email address", "week"]
    points = [row.pop("week") for row in rows]
    before = [row for row in csv.DictReader(io.StringIO(content)) if next(iter(row.values())) not in OTHERS]
    kept = [{head: row[head] for head in rows[0]} for row in before]
    assert sorted(map(str, rows)) == sorted(map(str, kept))
    assert [row for row, its in zip(rows, points, strict=True) if its] == kept[:1] and sorted(points)[-2:] == ["", "10"]


def test_who_has_no_identifier_is_told_and_a_lesson_is_needed(store: Store) -> None:
    rows, remarks, _ = through(store, "Ann\n=Bob\n", "moodle")
    assert [row["First name"] for row in rows] == ["'=Bob", "Ann"], "and no cell computes anything"
    assert remarks[:2] == ["Without ID number: =Bob and Ann.", "Without e-mail address: =Bob and Ann."]
    with pytest.raises(InputError, match="name lessons by --lesson FILE"):
        gradebook_csv(Register(store), "canvas")


# Who changed what


def test_every_change_of_a_class_is_a_line_of_its_log_that_stays(store: Store, abroad: Desk) -> None:
    make(sit(abroad, OR_COMM), PROOF)
    set_teacher_passphrase(store, "correct horse")
    at_terminal = Origin.of_account("root")
    register = open_register(store, "correct horse", at_terminal, [Lesson.parse(WEEK, "week.toml", "week", Path())])
    roll = register.roll
    roll.add(["Ann", "Bob"])
    roll.enter(roll.plan([Entry("ann", Details(number="7"))]))
    for do in (roll.reset, roll.sign_out, roll.dismiss, roll.readmit):
        do("Ann")
    roll.rename("Bob", "Rob")
    roll.set_group("Rob", "Monday")
    for vouched in (False, True):
        register.bring(export_work(abroad), into="Rob", vouched=vouched)
    results_csv(register, "class")
    gradebook_csv(register, "canvas")
    register.send(["Ann"], notes.written("Look again.", "textbook/or_comm"))
    register.leave(notes.written("Why?"), register.attempts(register.marks()[-1])[0].kept.uuid, 1)
    register.show_results(Lesson.parse("exam = true\n" + WEEK, "exam.toml", "exam", Path()))
    from_browser = open_register(store, "correct horse", Origin("10.0.0.7", "firefox", "session"))
    from_browser.roll.reset("Ann")
    with pytest.raises(InputError):
        roll.rename("Ann", "Rob")
    log = [
        ("teacher", "", "passphrase of the teacher", ""),
        *(("teacher account root", name, "added", "") for name in ("Ann", "Rob")),
        *(
            ("teacher account root", "Ann", what, "")
            for what in ("details", "passphrase", "signed out", "dismissed", "readmitted")
        ),
        ("teacher account root", "Rob", "renamed", "Bob before"),
        ("teacher account root", "Rob", "group", "Monday"),
        ("teacher account root", "Rob", "work brought", "attempts 1; here already: 0"),
        ("teacher account root", "Rob", "work answered for", "attempts 1; here already: 0"),
        ("teacher account root", "", "results saved", "by class"),
        ("teacher account root", "", "results saved", "for canvas"),
        ("teacher account root", "Ann", "note sent", "textbook/or_comm"),
        ("teacher account root", "Rob", "word left", ""),
        ("teacher account root", "", "results shown", "exam"),
        ("teacher in a browser", "Ann", "passphrase", ""),
    ]
    assert [change[1:] for change in roll.changes()] == log
    for change in ("UPDATE changes SET by = ''", "DELETE FROM changes", "DELETE FROM changes WHERE student = 2"):
        with pytest.raises(sqlite3.IntegrityError, match="a line of the log stays as it is"):
            store._connection.execute(change)
    roll.erase("Rob")
    left = [line for line in log if line[1] != "Rob"]
    assert [change[1:] for change in roll.changes()] == [*left, ("teacher account root", "", "erased", "")]


def test_every_head_is_found_as_it_stands_there() -> None:
    assert all(tables._head(head) == head for head in tables._FIELDS)
