"""The class before its teacher: a door, the register, its list, what agents have learned, a page and an attempt."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from threading import Event as Signal
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.widgets import Input, Static, TextArea

from oasis.classroom.admission import admit, open_classroom, set_teacher_passphrase
from oasis.classroom.desk import desk as desks
from oasis.classroom.desk.progress import exercises
from oasis.classroom.desk.record import Record
from oasis.classroom.desk.work import read_work
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.roll import Roll, Ticket
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.register import history
from oasis.classroom.register.history import Verdict
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.register import Problem, Register
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, Evidence, Maxim
from oasis.experience.scope import ANY, Scope
from oasis.store import KeptEvent
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, again, local, make, or_comm, sit
from tests.classroom.test_history import NOON, stamp
from tests.tui.rooms import ASCII, NARROW, WIDE, WIDEST, Person, sitting
from tests.tui.school import MONDAY, OPEN_SESAME, busy, school, teaching
from tui.failures import Enduring
from tui.screens.dialogs import Box, Dialog
from tui.screens.door import TeachersDoor
from tui.screens.history import History
from tui.screens.maxims import Maxims
from tui.screens.roll_dialogs import AddStudents, EraseStudent, Told
from tui.screens.sign_in import SignIn
from tui.screens.student_page import StudentPage
from tui.screens.teach import Teach
from tui.widgets.moments import Moments

pytestmark = pytest.mark.slow

COMMANDS = {"Students", "Problems", "Mistakes", "Lesson", "Sort", "Reverse", "Students.csv", "Problems.csv", "Learned"}


async def test_a_class_without_a_passphrase_or_without_work_says_what_to_do(tmp_path: Path) -> None:
    async with sitting(tmp_path, teacher=True) as ada:
        assert "oasis classroom passphrase sets one" in ada.words
        assert not ada.screen.query_one(Input).display and not COMMANDS & ada.palette
        assert isinstance(await ada.opens("enter"), SignIn)
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
    async with teaching(tmp_path, "2", "3") as ada:
        assert "Nobody has begun anything yet." in ada.shown
        assert "open the classroom with --lesson FILE" in await ada.sees("4")
        assert isinstance(await ada.opens("m", "x"), Maxims)  # there is nothing to strike
        assert "Nothing is learned yet; oasis experience distill does it, or a writes one." in ada.words
        assert isinstance(await ada.opens("a", "escape", "escape"), Teach)


async def test_who_signs_in_finds_the_teachers_door_and_the_way_back_and_is_no_student(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with sitting(tmp_path, account=None) as ada:
            for screen in (TeachersDoor, SignIn, TeachersDoor):
                await ada.click("#other-door")
                assert isinstance(ada.screen, screen)
            await ada.fill_in(OPEN_SESAME)
            assert isinstance(ada.screen, Teach) and " bob" in ada.shown
            assert isinstance(await ada.opens("k"), SignIn)
        assert [row.name for row in store.students()] == ["[b]eve", "bob"]


@pytest.mark.usefixtures("no_time_passes")
async def test_wrong_passphrases_are_told_emptied_and_slowed(tmp_path: Path) -> None:
    school(tmp_path).close()
    async with sitting(tmp_path, teacher=True) as ada:
        await ada.fill_in("open barley")
        assert "That is not the teacher's passphrase; try again." in ada.shown
        assert ada.screen.query_one(Input).value == ""
        await ada.fill_in("barley", "wheat", OPEN_SESAME)
        assert "too many wrong tries; wait" in ada.shown and not COMMANDS & ada.palette


async def test_no_place_of_a_student_shows_anybody_else(tmp_path: Path) -> None:
    school(tmp_path).close()
    async with sitting(tmp_path, "textbook/or_comm") as ada:
        for place in "LPTWDC":
            assert "bob" not in await ada.sees(place) and "[b]eve" not in ada.shown and not COMMANDS & ada.palette


async def test_who_closes_the_class_leaves_nothing_behind(tmp_path: Path) -> None:
    async with teaching(tmp_path, "2", "3") as ada:
        teach = ada.screen
        assert ada.sheet("mistakes").row_count
        assert isinstance(await ada.opens("k"), TeachersDoor)
        assert not teach.is_attached and ada.session._register is None
        assert "bob" not in ada.shown and not COMMANDS & ada.palette
        assert ada.screen.query_one(Input).value == ""


async def test_only_what_has_changed_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = school(tmp_path)
    async with teaching(tmp_path) as ada:
        assert ada.palette >= COMMANDS
        assert "The class, for its teacher." in await ada.sees("question_mark")
        await ada.keys("escape", "down")
        students, drawn = ada.sheet("students"), list[str]()
        update = students.update_cell

        def note(row: Any, column: Any, value: Any, **options: Any) -> None:
            drawn.append(str(value))
            update(row, column, value, **options)

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(students, "update_cell", note)
            meanwhile.setattr(students, "clear", lambda **_: pytest.fail("drawn anew"))
            await ada.keys("g")
            assert drawn == []
            sit(local(store, "bob"), or_comm("xy")).take_hint()
            await ada.keys("g")
            assert [line.split()[:3] for line in drawn] == [["bob", "working", "or_comm"]]
        make(sit(local(store, "anna"), OR_COMM), PROOF)
        assert " anna" in await ada.sees("g")
        assert students.row is not None and students.row.where.name == "bob" and students.cursor_row == 2
        await ada.keys("home", "enter")
        assert isinstance(ada.screen, StudentPage) and "○ or_comm" in ada.shown and "○ peirce" in ada.shown
    store.close()


async def test_sheets_are_sorted_by_each_column_either_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with teaching(tmp_path) as ada:

        def names() -> list[str]:
            students = ada.sheet("students")
            return [str(students.get_row_at(row)[0]).split()[0] for row in range(students.row_count)]

        assert names() == ["[b]eve", "bob"]
        assert "Sorted by now, from below." in await ada.sees("v") and names() == ["bob", "[b]eve"]
        assert "Sorted by done." in await ada.sees(*"ooo") and names()[0] == "bob"
        assert "Sorted by name." in await ada.sees(*"ooooo")
        await ada.click("#students", offset=(3, 0))
        assert names() == ["bob", "[b]eve"]
        await ada.click("#students", offset=(ada.shown.splitlines()[2].index("hints"), 0))
        await ada.settle()
        assert "Sorted by hints." in ada.shown and names()[0] == "[b]eve"
    monkeypatch.setattr("oasis.classroom.register.overview.STUCK_AFTER", 0)
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "zoe"), PEIRCE), PROOF[:1])
    async with teaching(tmp_path) as ada:
        students = ada.sheet("students")
        rows = [str(students.get_row_at(row)[0]).split()[:2] for row in range(students.row_count)]
        assert rows == [["[b]eve", "stuck"], ["zoe", "stuck"], ["bob", "working"]]


async def test_titles_of_lessons_and_their_dates_are_whole_where_there_is_room(tmp_path: Path) -> None:
    text = f"due = 2030-12-01\n{MONDAY.replace('Monday', 'Week 1: and, or, and not')}"
    lesson = Lesson.parse(text, "week.toml", "week", tmp_path)
    with school(tmp_path) as store:
        make(sit(local(store, "Ada Lovelace"), lesson.exercises_for("")[1]), PROOF[:1])
        async with teaching(tmp_path, size=WIDE, lessons=(lesson,)) as ada:
            row = next(line for line in ada.shown.splitlines() if "Ada" in line)
            assert "Ada Lovelace" in row and "and_comm" in row and "Week 1: and, or, and not" in row
            assert "2030-12-01" in await ada.sees("2") and "Week 1: and, or, and not" in ada.shown
            await ada.keys("1", "end", "enter")
            rows = [line.split()[1:4] for line in ada.shown.splitlines() if "or_comm" in line]
            assert ["or_comm", "Week", "1:"] in rows and ["or_comm", "cases", "6"] in rows


async def test_mistakes_are_shown_where_they_were_made_in_the_letters_of_the_problem(tmp_path: Path) -> None:
    async with teaching(tmp_path, "2", "enter") as ada:
        assert "or_comm: x ∨ y → y ∨ x" in ada.shown and "2 kinds of wrong moves in 2 attempts." in ada.shown
        assert "split does not apply; where it was first" in ada.shown
        assert "left loses the proof; where it was first" in await ada.sees("down")
        assert "H : x ∨ y" in ada.shown and "p ∨ q" not in ada.shown
        assert "No wrong moves in one attempt." in await ada.sees("2", "down", "enter")


@pytest.mark.parametrize("keys", ["3", "23"])
async def test_mistakes_open_where_most_were_made_unless_another_problem_is_chosen(
    tmp_path: Path, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "ann"), Exercise("easy", parse("p -> p"), "cases")), parse_script("intro; assumption"))
    school(tmp_path).close()
    async with teaching(tmp_path, *keys) as ada:
        assert "or_comm: x ∨ y → y ∨ x" in ada.shown and "2 kinds of wrong moves" in ada.shown
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Teach, "_examine", lambda _: None)
            assert "or_comm: x ∨ y → y ∨ x" in await ada.sees("1", "3"), "also before it is looked for them again"
        assert "easy: p → p" in await ada.sees("2", "enter") and "No wrong moves" in ada.shown
        assert "peirce: " in await ada.sees("2", "end", "3")


async def test_who_leaves_a_page_that_still_reads_leaves_nobody_behind_to_look_for_it() -> None:
    class Page(Enduring):
        async def on_mount(self) -> None:
            await self.mount(Static())
            self.run_worker(self.read())

        async def read(self) -> None:
            while self.query(Static):
                await asyncio.sleep(0)
            self.query_one(Static)

    app: App[None] = App()
    async with app.run_test() as pilot:
        await app.push_screen(Page())
        await app.pop_screen()
        await pilot.pause()


async def test_what_fails_is_said_and_the_class_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Enduring, "IS_STRICT", False)

    def broken(_: Register) -> list[Problem]:
        raise KeyError("[b]7")

    async with teaching(tmp_path) as ada:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Register, "everything", busy)
            assert "in use by another process; wait for it." in await ada.sees("g") and " bob" in ada.shown
            meanwhile.setattr(Register, "everything", broken)
            await ada.keys("g")
            assert "a fault of Oasis (KeyError: '[b]7')" in ada.notified
        assert " bob" in await ada.sees("g")


# The list of the class

PASSPHRASE = re.compile(r"\b\w{5}-\w{5}-\w{5}\b")
LIST_COMMANDS = {"Add", "Forgotten", "Rename", "Dismiss", "Erase"}


async def test_who_is_put_on_the_list_comes_in_with_a_passphrase_that_is_told_once(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with teaching(tmp_path) as ada:
            files = ada.saves()
            assert "There are no names yet" in await ada.reads("a", "tab", "enter")
            await ada.keys(*"Zoe", "enter", *"bob", "tab", "enter")
            assert "Nobody was added: bob is on the list already; add the others" in ada.words
            names = ada.screen.query_one(TextArea)
            assert names.text == "Zoe\nbob" and ada.app.focused is names and len(store.students()) == 2
            await ada.keys(*["backspace"] * 3, *"Max", "tab", "enter")
            found = PASSPHRASE.findall(ada.shown)
            for name, passphrase in zip(("Zoe", "Max"), found, strict=True):
                assert admit(store, name, passphrase=passphrase).name == name
            await ada.keys("tab", "enter")
            lines = [f"{name},{passphrase}" for name, passphrase in zip(("Zoe", "Max"), found, strict=True)]
            assert files["passphrases.csv"].splitlines() == ["\ufeffname,passphrase", *lines]
            assert "Zoe" in await ada.sees("escape") and "Max" in ada.shown and not PASSPHRASE.findall(ada.shown)


async def test_nothing_takes_new_passphrases_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, add, added = Event(), Roll.add, list[list[str]]()

    def add_slowly(roll: Roll, names: list[str]) -> list[Ticket]:
        added.append(names)
        assert go_on.wait(60)
        return add(roll, names)

    with school(tmp_path) as store:
        async with teaching(tmp_path, "a") as ada:
            monkeypatch.setattr(Roll, "add", add_slowly)
            await ada.press(*"Zoe", "tab", "enter", "enter", "escape", "enter")
            await ada.pause()
            assert isinstance(ada.screen, AddStudents)
            go_on.set()
            await ada.settle()
            assert isinstance(ada.screen, Told) and len(store.students()) == 3 and added == [["Zoe"]]
            monkeypatch.setattr(Roll, "dismiss", busy)
            await ada.keys("escape", "x", "enter")
            assert "in use by another process" in ada.words and isinstance(ada.screen, Dialog)
            assert isinstance(await ada.opens("escape"), Teach)


async def test_a_pasted_table_is_shown_as_it_is_read_and_its_groups_are_seen_alone(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with teaching(tmp_path, "a") as ada:
            ada.app.post_message(events.Paste("Name\tE-mail\tGroup\nMax\tm@x.org\tMonday\nBOB\tb@x.org\tTuesday\n"))
            said = await ada.sees("tab", "enter")
            assert isinstance(ada.screen, AddStudents) and len(store.students()) == 2
            assert (
                "Read as UTF-8 with tabs: Name is the name" in said and "1 student would be new: Max; 1 on the" in said
            )
            await ada.until(lambda: not ada.screen.query("Button.-active"))  # else it is not pressed again
            await ada.keys("tab", "enter")
            assert isinstance(ada.screen, Told) and {row.details.email for row in store.students()} >= {
                "m@x.org",
                "b@x.org",
            }
            await ada.keys("escape")
            assert "Monday alone: 1 student" in await ada.sees("G") and "bob" not in ada.shown
            assert "Tuesday alone: 1 student" in await ada.sees("G") and "Max" not in ada.shown
            assert "3 students" in await ada.sees("G")


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_pasted_sheet_is_read_at_once_and_saved_as_a_lesson(tmp_path: Path, size: tuple[int, int]) -> None:
    sheet = "p /\\ q -> q /\\ p\nno : p \\/ ~p\nP → Q ↔ ¬P ∨ Q\n"
    async with teaching(tmp_path, "4", size=size) as ada:
        files = ada.saves()
        assert "There is no exercise with a proof in it yet" in await ada.reads("n", "shift+tab", "shift+tab", "enter")
        ada.app.post_message(events.Paste(sheet))
        await ada.settle()
        assert ada.told.startswith("2 exercises read; 1 has no proof; 1 can be read in two ways: which did you mean?")
        assert "Line 3: which did you mean?   P → (Q ↔ ¬P ∨ Q)   (P → Q) ↔ ¬P ∨ Q" in ada.told
        assert "no has no proof:" in str(ada.screen.query_one("#drawing", Static).content) and ada.overflowing == []
        ada.app.post_message(events.Paste("p -> p\n"))
        ada.burst("\t\tweek 1\r")
        await ada.settle()
        assert isinstance(ada.screen, Teach) and "3 exercises read;" in ada.notified
        lesson = Lesson.parse(files["week_1.toml"], "week_1.toml", "week_1", tmp_path)
        assert lesson.title == "week 1"
        assert [exercise.formula for exercise, *_ in lesson.exercises] == [parse("p /\\ q -> q /\\ p"), parse("p -> p")]


@pytest.mark.parametrize("size", [NARROW, WIDEST])
async def test_many_passphrases_are_scrolled_through(tmp_path: Path, size: tuple[int, int]) -> None:
    async with teaching(tmp_path, "a", size=size, look=ASCII) as ada:
        ada.app.post_message(
            events.Paste("\n".join(["[b]max", "a" * 40, *(f"Student {number}" for number in range(27))]))
        )
        assert "[b]max" in await ada.sees("tab", "enter")
        assert "Student 26" in await ada.sees("tab") and "Save as a spreadsheet" in ada.shown
        assert ada.overflowing == [] and ada.shown.isascii()
        box = ada.screen.query_one(Box).region
        assert abs(box.y - (size[1] - box.bottom)) <= 1, "as much room above it as below"


async def test_the_student_under_the_cursor_gets_another_passphrase_another_name_and_leaves(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with teaching(tmp_path, "down", "w", "enter") as ada:
            (passphrase,) = PASSPHRASE.findall(ada.shown)
            assert admit(store, "bob", passphrase=passphrase).name == "bob"
            await ada.keys("escape", "e", "end", "b", "y", "enter")
            assert "bobby" in ada.shown and admit(store, "bobby", passphrase=passphrase).name == "bobby"
            before = store.attempts()
            await ada.keys("t", "enter")
            assert ada.notified == "bobby is signed out of 0 tabs."
            assert "bobby" in await ada.sees("x", "escape")
            await ada.keys("x", "enter")
            assert "bobby is off the list. All work is kept." in ada.notified
            assert ada.sheet("students").row_count == 1
            assert store.attempts() == before
            store.set_left(store.students()[0].id, "2026-01-01")
            await ada.keys("g", "e", "w", "x")
            assert ada.screen is ada.app.screen_stack[0], "there is nobody to rename any more"


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_commands_for_the_list_are_seen_and_clicked_at(tmp_path: Path, size: tuple[int, int]) -> None:
    async with teaching(tmp_path, size=size) as ada:
        assert ada.palette >= LIST_COMMANDS
        others = ("Class.csv", "Students.csv", "Problems.csv", "Sort", "Reverse", "Renew", "Sign out")
        for label in (*LIST_COMMANDS, *others):
            assert f" {label}" in ada.shown.partition("Sorted by")[2]
        await ada.click_at("X Erase")
        assert isinstance(ada.screen, EraseStudent)
        await ada.keys("escape")
        for section in "234":
            await ada.keys(section)
            assert not ada.palette & LIST_COMMANDS and "Erase" not in ada.shown and "Class.csv" in ada.shown
        await ada.keys("1", "k")
        assert not ada.palette & LIST_COMMANDS


async def test_a_student_is_erased_after_a_copy_and_after_their_name_was_typed(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with teaching(tmp_path) as ada:
            delivered = ada.saves()
            assert "This deletes bob and all of their work for good" in await ada.reads("down", "X")
            await ada.keys("enter")
            assert read_work(delivered["bob-oasis.json"]).name == "bob"
            assert "Type bob, just as it stands here" in await ada.reads(*"bobby", "enter")
            await ada.keys("end", "backspace", "backspace", "enter")
            assert [row.name for row in store.students()] == ["[b]eve"] and " bob" not in ada.shown
        content = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert b"x \\/ y" not in content and b"bob" not in content


# What agents have learned


def learned(folder: Path) -> None:
    """Store two maxims in the file of a class: one shown by its lemma, and one of an unknown lemma."""
    school(folder).close()
    with open_classroom(folder / "class.db") as store:
        library = Library(store)
        scope, nested = Scope("or", "or", "destruct_or"), Scope(ANY, ANY, "imply4")
        library.add(scope, Evidence(9, 1), source="textbook/or_comm", by="textbook/and_comm", reason="r")
        library.add(nested, Evidence(0, 3), source="a lost file", by="textbook/modus_ponens", reason="r")


def maxims(folder: Path) -> dict[int, Maxim]:
    with open_classroom(folder / "class.db") as store:
        return Library(store).maxims()


async def fill(ada: Person, **lines: str) -> None:
    """Fill in some lines, and press Enter in the last line of the form."""
    inputs = list(ada.screen.query(Input))
    for line in inputs:
        line.value = lines.get(str(line.id).removeprefix("maxim-"), line.value)
    inputs[-1].focus()
    await ada.keys("enter")


async def test_maxims_stand_with_their_lemma_and_a_goal_that_shows_them(tmp_path: Path) -> None:
    learned(tmp_path)
    async with teaching(tmp_path, "m") as ada:
        assert isinstance(ada.screen, Maxims)
        assert "What the agents have learned, in words" in ada.words
        assert "It makes the tactic 5 times likelier. Learned from or_comm; last changed by" in ada.words
        assert "First here: destruct_or H" in ada.words and "H : p ∨ q" in ada.words
        assert "It makes the tactic 4 times less likely." in await ada.reads("down")
        assert "No goal that shows it was found in that lemma." in ada.words
        assert isinstance(await ada.opens("escape"), Teach)


async def test_one_is_written_changed_and_struck_each_with_a_reason(tmp_path: Path) -> None:
    learned(tmp_path)
    async with teaching(tmp_path, "m", "a") as ada:
        await fill(ada, advice="prefer left", hypothesis="left side", lemma="p -> p \\/ q")
        assert "The reason is ''" in ada.words
        await fill(ada, reason="it is there already")
        assert isinstance(ada.screen, Maxims)
        assert "prove the goal's left side first." in await ada.reads("end") and "First here: left" in ada.words
        assert maxims(tmp_path)[3].modified_by == "the teacher"
        await ada.keys("e")
        await fill(ada, advice="avoid nested", goal="p \\/ q", also="came last", remark="Wait.", reason="r")
        assert maxims(tmp_path)[3].scope == Scope("or(atom,atom)", "left side", "imply4", ("came last",))
        assert maxims(tmp_path)[3].category == AVOID and "Wait." in ada.words
        await ada.keys("x")
        await fill(ada, reason="of no use")
        assert list(maxims(tmp_path)) == [1, 2] and "Wait." not in ada.words
    with open_classroom(tmp_path / "class.db") as store:
        last = Library(store).history()[-1]
    assert (last.operation, last.maxim, last.reason, last.by) == ("delete", 3, "of no use", "the teacher")


async def test_what_cannot_be_written_is_told_in_the_form_and_no_file_is_read(tmp_path: Path) -> None:
    learned(tmp_path)
    (tmp_path / "secret.p").write_text("fof(a, conjecture, ( secret )).")
    async with teaching(tmp_path, "m", "a") as ada:
        for line, said in (
            ({"advice": "love left", "lemma": "p", "reason": "r"}, "The advice is one of prefer, avoid"),
            ({"advice": "prefer magic"}, "magic is not a tactic"),
            ({"advice": "prefer destruct_or", "goal": "p \\/ _"}, "leaves one side open"),
            ({"goal": "_ \\/ _", "hypothesis": "_ \\/ _"}, "Maxim 1 is about the same"),
            ({"goal": "", "lemma": str(tmp_path / "secret.p")}, "has no meaning in a formula"),
        ):
            await fill(ada, **line)
            assert said in ada.words, ada.words
            assert "secret" not in str(ada.screen.query_one("#form-said", Static).render())
    assert list(maxims(tmp_path)) == [1, 2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class in which Bob lost the proof of a lemma, came back to it, and then proved it; PEIRCE he has begun."""
    clock = iter(stamp(seconds) for seconds in [0, 0, 3, 8, 608, 609, *range(700, 900)])
    monkeypatch.setattr(desks, "now", lambda: next(clock))
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
        bob = local(store, "Bob")
        attempt = sit(bob, OR_COMM)
        make(attempt, parse_script("intro; left"))
        with pytest.raises(IllegalMove):
            attempt.make(Move("split"))
        attempt.jump(0)
        make(again(bob, OR_COMM), PROOF)
        make(sit(bob, PEIRCE), PROOF[:1])
        make(sit(local(store, "Eve"), PEIRCE), PROOF[:1])
    return tmp_path


def keep(folder: Path, record: Record, formula: str = "", more: Sequence[KeptEvent] = ()) -> None:
    """Store another attempt of Bob's, which may be damaged, in the file of the class."""
    kept = record.kept()
    with open_classroom(folder / "class.db") as store:
        bob = local(store, "Bob").student
        store.keep(bob.id, kept._replace(formula=formula or kept.formula), 0, [*record.events, *more])


def place_of(ada: Person, problem: str) -> int:
    """Return the first row of the page with a problem."""
    return next(row for row, line in enumerate(ada.shown.splitlines()[2:]) if problem in line)


# A page and an attempt


async def test_the_page_shows_what_has_come_of_each_problem_and_keys_lead_through_it(folder: Path) -> None:
    async with teaching(folder, "enter") as ada:
        lines = ada.shown.splitlines()
        assert lines[0].startswith(" Bob  1 of 2 done, 9 points, ")
        assert [line.split() for line in lines[2:4]] == [
            ["✓", "or_comm", "cases", "6", "9", "2", "0", "2:16"],
            ["○", "peirce", "cases", "0", "1", "0", "0:02"],
        ]
        assert "Eve" not in ada.shown
        for key, problem in (("end", "peirce"), ("home", "or_comm")):
            assert problem in await ada.sees(key, "enter")
            await ada.keys("escape")
        await ada.keys("v")
        assert "peirce" in ada.shown.splitlines()[2]
        with open_classroom(folder / "class.db") as store:
            make(again(local(store, "Bob"), PEIRCE), PROOF[:1])
        await ada.keys("g")
        assert ada.shown.splitlines()[2].split()[4] == "2"
        assert "Sorted by problem" in await ada.sees("o")
        assert "A row for each problem" in await ada.sees("question_mark")


async def test_what_has_come_from_a_file_says_so_and_what_is_only_asked_for_has_no_attempts(folder: Path) -> None:
    keep(folder, Record(PEIRCE, stamp(0), events=[KeptEvent(stamp(1), "asked", "")], imported=stamp(2)))
    lesson = Lesson.parse('title = "Both"\nlemmas = ["textbook/and_comm"]\n', "week.toml", "week", folder)
    async with teaching(folder, "enter", lessons=(lesson,)) as ada:
        place = place_of(ada, "peirce")
        assert ada.shown.splitlines()[2 + place].split()[2:6] == ["cases", "0", "*2", "0"]
        assert "○ and_comm" in await ada.sees("enter") and "This problem is not begun yet." in ada.shown
        await ada.keys(*["down"] * place, "enter", "p")
        assert "attempt 1 of 2" in ada.words and "not done, 0:01, from a file" in ada.words
    async with teaching(folder, "2") as ada:
        assert re.search(r"peirce .* \*\d", ada.shown)


async def test_what_cannot_be_read_is_said_and_nothing_is_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with teaching(folder, "enter") as ada:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Register, "marks", busy)
            meanwhile.setattr(Marks, "attempts", busy)
            assert "This could not be read; Enter tries again." in await ada.sees("enter")
            assert "This could not be read; g tries again." in await ada.sees("g")
        assert isinstance(await ada.opens("g", "enter"), History)


async def test_the_newest_attempt_is_shown_first_and_keys_lead_to_the_others_and_back(folder: Path) -> None:
    async with teaching(folder, "enter", "enter") as ada:
        assert "or_comm: p ∨ q → q ∨ p" in ada.shown
        assert "Bob, cases, attempt 2 of 2, " in ada.shown and "n Later" not in ada.shown
        assert "✓   6" in await ada.sees("end") and "Nothing is left to prove." in ada.shown
        assert "attempt 1 of 2" in await ada.sees("p", "p") and "p Earlier" not in ada.shown
        await ada.resize_terminal(*WIDE)
        assert "What happened in an attempt" in await ada.sees("question_mark")
        assert "esc  Back" in ada.shown and "n, →  Later" in ada.shown
        assert "See the attempt before" not in ada.shown, "there is none"
        assert "attempt 2 of 2" in await ada.sees("escape", "right")
        assert isinstance(await ada.opens("L"), History), "nobody leaves with the class open behind them"
        assert isinstance(await ada.opens("escape"), StudentPage)
        assert "Type the teacher's passphrase" in await ada.sees("escape", "k")


async def test_walking_shows_what_was_to_be_proved_when_that_was_and_what_a_teacher_says(folder: Path) -> None:
    async with teaching(folder, "enter", "enter", "p") as ada:
        seen = []
        for _ in range(5):
            text = ada.shown
            conclusion = next(line for line in text.splitlines() if "⊢" in line).partition("⊢")[2].rstrip("│ ").strip()
            seen.append((conclusion, text.splitlines()[-2].strip()))
            await ada.keys("down")
        still, lost = "● This can still be proved.", "✗ The proof is lost since 2: made left."
        assert seen == [("p ∨ q → q ∨ p", still), ("q ∨ p", still), ("q", lost), ("q", lost), ("p ∨ q → q ∨ p", still)]
        place = ada.screen.query_one(Moments).content_region
        rows = [line[place.x : place.right] for line in ada.shown.splitlines()[place.y : place.bottom]]
        assert [row.strip() for row in rows if row.strip()] == [
            "0       began",
            "1 0:03  made intro",
            "✗   2 0:05  made left",
            "after a break of 10:00",
            "3       tried split, which does not apply",
            "4 0:01  went back to the beginning",
        ]
        assert f"{NOON.astimezone():%Y-%m-%d}" in ada.shown.splitlines()[-3]


async def test_what_a_teacher_says_comes_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thought = Signal()

    def slowly(self: history.History) -> Iterator[Verdict]:
        for moment in self.moments:
            assert thought.wait(60)
            yield Verdict(False, moment.number == 1, "It is lost.")

    monkeypatch.setattr(history.History, "verdicts", slowly)
    async with teaching(folder, "enter") as ada:
        await ada.press("enter")
        while not isinstance(ada.screen, History):
            await ada.pause()
        await ada.press("down", "down")
        assert "2 moves made" in ada.shown and "Let me see." in ada.shown and "✗" not in ada.shown
        thought.set()
        await ada.settle()
        assert "✗ It is lost." in ada.shown and "✗   1" in ada.shown
        left = ada.screen
        await ada.press("p", "n", "p", "escape")
        await ada.settle()
        assert isinstance(ada.screen, StudentPage) and left._teacher.is_closed, "who has left is not thought about"


async def test_a_damaged_attempt_is_shown_up_to_where_it_stops(folder: Path) -> None:
    begun = [KeptEvent(stamp(1), "move", "intro")]
    keep(folder, Record(PEIRCE, stamp(0), events=begun), more=[KeptEvent(stamp(2), "move", "left")])
    keep(folder, Record(PEIRCE, stamp(3), events=begun), formula="p ->")
    async with teaching(folder, "enter") as ada:
        await ada.keys(*["down"] * place_of(ada, "peirce"), "enter", "p", "p")
        assert "attempt 1 of 3" in ada.words and "1 0:01 made intro" in ada.words
        assert "Here it stops: move left cannot be made again (left:" in ada.words
        assert "Here it stops: the beginning cannot be made again" in await ada.sees("n")
        assert "Nothing can be shown of it." in ada.shown and ada.overflowing == []


async def test_a_student_is_told_what_lost_the_proof_and_the_name_of_a_lemma_once_it_is_done(folder: Path) -> None:
    async with sitting(folder, account="Bob", size=WIDE) as ada:
        identity, weakening, *_ = exercises("arrows")
        ada.prove(identity)
        ada.seat.desk.sit(weakening)
        ada.seat.desk.do(lambda attempt: attempt.make(Move("intro")))
        assert "identity" in await ada.sees("D", "h") and "If and then 2" in ada.shown and "weakening" not in ada.shown
        await ada.keys("end", "enter", "end")
        assert "made intro" in ada.shown and "✗" not in ada.shown and "weakening" not in ada.shown
        assert "Which move loses the proof is told once this lemma is done." in ada.shown
        await ada.keys("escape", "home")
        await ada.keys(*["down"] * place_of(ada, "or_comm"), "enter", "p", "down", "down")
        assert "✗ The proof is lost since 2: made left." in ada.shown


@pytest.mark.parametrize("is_own", [False, True])
async def test_the_page_says_by_when_it_should_be_done(tmp_path: Path, is_own: bool) -> None:
    due = datetime(2030, 9, 20, 12, tzinfo=UTC)
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
        make(sit(local(store, "Bob"), replace(PEIRCE, terms=Terms(due=due))), PROOF[:1])
        make(sit(local(store, "Bob"), replace(OR_COMM, terms=Terms(due=due))), PROOF)
    async with sitting(tmp_path, account="Bob", teacher=not is_own) as ada:
        await (ada.keys("D", "h") if is_own else ada.fill_in(OPEN_SESAME, ""))
        begun, done = ada.shown.splitlines()[2:4]
        assert begun.endswith(f" {due.astimezone():%Y-%m-%d}") and done.endswith(" on time")
