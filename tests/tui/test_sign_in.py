"""Signing in, and a student's own work: taken along and brought back, and stored as soon as it can be."""

import tomllib
import weakref
from pathlib import Path
from time import sleep
from unittest.mock import patch

import pytest
from textual import events
from textual.widget import Widget
from textual.widgets import Input, TextArea

from oasis.classroom.admission import Origin, admit, open_classroom, set_teacher_passphrase
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import export_work
from oasis.classroom.people.roll import Roll
from oasis.classroom.people.tabs import Presence
from oasis.store import Store
from tactics.goal import Move
from tests.classroom import people
from tests.classroom.people import local, sit
from tests.tui.rooms import OR_COMM, PATIENCE, PROOF, Person, sitting
from tests.tui.school import OPEN_SESAME, busy
from tui.screens.data import Data
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn
from tui.screens.student_page import StudentPage
from tui.session import Session
from tui.setup import Setup
from tui.widgets.key_bar import KeyBar
from tui.widgets.line import Line

pytestmark = pytest.mark.slow


def join(folder: Path, name: str, *, passphrase: str | None = None, account: str | None = None) -> None:
    """Enrol a student who has been here before."""
    with open_classroom(folder / "class.db") as store:
        admit(store, name, passphrase=passphrase, account=account)


async def test_a_new_student_chooses_a_passphrase_that_will_do_and_types_it_twice(tmp_path: Path) -> None:
    async with sitting(tmp_path, account=None) as ada:
        assert "Type your name and Enter." in ada.shown and ada.palette == {"Colours"}
        await ada.keys(*"bob", "ctrl+a", *"zoe", "enter")
        assert ada.screen.query_one("#name", Line).value == "zoe", "Ctrl-A selects what is typed over"
        assert "choose a passphrase" in await ada.reads("enter", "tab", "enter") and isinstance(ada.screen, SignIn)
        ada.screen.query_one("#passphrase").focus()
        await ada.fill_in("short")
        assert "at least 8 characters" in ada.words and not ada.screen.query_one("#again").display
        await ada.fill_in(OPEN_SESAME)
        assert "You are new" in ada.shown and ada.session.store.students() == []
        await ada.fill_in("open barley")
        assert "The two differ" in ada.shown and ada.session.store.students() == []
        await ada.fill_in(OPEN_SESAME)
        assert isinstance(ada.screen, Learn)
    with open_classroom(tmp_path / "class.db") as store:
        assert admit(store, "Zoe", passphrase=OPEN_SESAME, create=False).name == "zoe"


async def test_what_is_typed_in_one_burst_lands_in_its_lines(tmp_path: Path) -> None:
    """A server that is busy hands on many keys at once, and answers none of them before it has them all."""
    for typed in (f"zoe\r{OPEN_SESAME}\r{OPEN_SESAME}\r", f"Zoe\t{OPEN_SESAME}\r"):  # tabs lead on, too
        async with sitting(tmp_path, account=None) as ada:
            ada.burst(typed)
            await ada.until(lambda: isinstance(ada.screen, Learn))
            assert ada.seat.desk.name == "zoe" and len(ada.session.store.students()) == 1
    with open_classroom(tmp_path / "class.db") as store:
        assert admit(store, "zoe", passphrase=OPEN_SESAME, create=False).name == "zoe"


async def test_the_user_of_this_machine_comes_in_by_a_name_of_theirs_alone(tmp_path: Path) -> None:
    join(tmp_path, "ada", account="ada")
    join(tmp_path, "bob", account="bob")
    with open_classroom(tmp_path / "class.db") as store:
        Roll(store).rename("ada", "Ada Lovelace")
    async with sitting(tmp_path) as ada:
        assert isinstance(ada.screen, Learn) and ada.seat.desk.name == "Ada Lovelace"
    async with sitting(tmp_path, student="bob") as ada:
        assert "bob works under another account of this machine" in ada.words
        ada.screen.query_one("#name", Input).value = "Ada Lovelace"
        ada.screen.query_one("#name", Input).focus()
        await ada.keys("enter")
        assert ada.seat.desk.name == "Ada Lovelace"
        assert len(ada.session.store.students()) == 2
    with open_classroom(tmp_path / "class.db") as store:
        Roll(store).dismiss("Ada Lovelace")
    async with sitting(tmp_path) as ada:
        assert "Ada Lovelace is no longer in this class; ask your teacher" in ada.words
        assert isinstance(await ada.opens("enter"), SignIn)


def seen_whole(ada: Person, name: str) -> bool:
    """Return True if no part of a widget is cut off by its container."""
    widget = ada.screen.query_one(name)
    around = [each.region for each in widget.ancestors if isinstance(each, Widget)]
    footer = ada.screen.query_one(KeyBar).region
    return all(each.contains_region(widget.region) for each in around) and not footer.overlaps(widget.region)


async def test_the_form_fits_a_small_screen_and_on_a_lower_one_the_line_in_use_is_in_sight(tmp_path: Path) -> None:
    async with sitting(tmp_path, account=None, size=(60, 15)) as ada:
        assert seen_whole(ada, "#name")
        await ada.fill_in("zoe", OPEN_SESAME)
        assert seen_whole(ada, "#again") and "You are new: type your passphrase again." in ada.shown
        for name in ("#come-in", "#other-door", "#name", "#passphrase", "#again"):
            await ada.keys("tab")
            await ada.wait_for_scheduled_animations()
            assert seen_whole(ada, name), name
        await ada.resize_terminal(80, 24)
        await ada.settle()
        assert ada.overflowing == []
        for name in ("#sign-in", "#name", "#passphrase", "#again", "#come-in"):
            assert seen_whole(ada, name), name


async def test_who_is_on_the_list_comes_in_with_what_the_teacher_has_handed_out(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        (ticket,) = Roll(store).add(["Zoe"])
    async with sitting(tmp_path, account=None, listed_only=True) as ada:
        assert ada.shown.count("as it is on the list") == 2, "above the lines, and in the first of them"
        await ada.fill_in("zoe", ticket.passphrase)
        assert ada.seat.desk.name == "Zoe"
    async with sitting(tmp_path, listed_only=True) as ada:
        assert "Type your name, as it is on the list of the class" in ada.words, "the user of this machine is not"
        assert ada.overflowing == []
        ada.screen.query_one("#name", Input).value = "Zoe"
        await ada.fill_in(ticket.passphrase)
        assert ada.seat.desk.name == "Zoe"
        assert [student.account for student in ada.session.store.students()] == [None]


@pytest.mark.usefixtures("no_time_passes")
async def test_the_form_does_not_tell_which_names_are_on_the_list(tmp_path: Path) -> None:
    join(tmp_path, "zoe", passphrase=OPEN_SESAME)
    told = []
    for name in ("zoe", "Mallory"):
        async with sitting(tmp_path, account=None, listed_only=True) as ada:
            await ada.fill_in(name, "open barley")
            told.append([ada.shown])
            for typed in ("open wheat", "open oats", "open rye"):
                assert ada.screen.query_one("#passphrase", Input).value == ""
                await ada.fill_in(typed)
                told[-1].append(ada.shown)
            assert isinstance(ada.screen, SignIn)
            assert [student.name for student in ada.session.store.students()] == ["zoe"]
    known, unknown = told
    assert "That name and that passphrase do not go together" in " ".join(known[0].split())
    assert "too many wrong tries; wait" in " ".join(known[-1].split())
    assert [screen.replace("zoe    ", "Mallory") for screen in known] == unknown


async def test_who_comes_in_while_others_write_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with sitting(tmp_path, account=None) as ada:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(type(ada.session.store), "students", busy)
            await ada.fill_in("zoe", OPEN_SESAME)
            assert "in use by another process" in ada.words and isinstance(ada.screen, SignIn)
        with open_classroom(tmp_path / "class.db") as other:
            other._connection.execute("BEGIN IMMEDIATE")
            for line in (OPEN_SESAME, OPEN_SESAME):
                ada.app.post_message(events.Paste(line))
                await ada.press("enter")
                await ada.pause()
            assert "One moment." in ada.shown
            before = ada.app.focused
            await ada.press("tab")
            assert ada.app.focused is not before and isinstance(ada.screen, SignIn)
            other._connection.execute("COMMIT")
        await ada.settle()
        assert ada.seat.desk.name == "zoe"


# A student's own work


def worked(folder: Path, name: str = "ada") -> str:
    """Return the exported work of a student who has proved one lemma and begun another."""
    folder.mkdir(exist_ok=True)
    with open_classroom(folder / "class.db") as store:
        desk = local(store, name)
        people.make(sit(desk, people.OR_COMM), people.PROOF)
        people.make(sit(desk, people.PEIRCE), people.PROOF[:1])
        return export_work(desk)


async def paste(ada: Person, text: str) -> None:
    """Paste a text into the form."""
    ada.screen.query_one(TextArea).focus()
    await ada.pause()
    ada.app.post_message(events.Paste(text))


async def test_what_was_done_is_summed_up_looked_back_at_and_taken_along(tmp_path: Path) -> None:
    text = worked(tmp_path)
    worked(tmp_path, "bob")
    async with sitting(tmp_path, "textbook/or_comm") as ada:
        files = ada.saves()
        await ada.keys("D")
        rows = {line.split()[0]: line.split()[1:5] for line in ada.shown.splitlines() if "0:0" in line}
        assert rows == {"cases": ["1/2", "10/20", "2", "0:00"], "all": ["1/2", "10/20", "2", "0:00"]}
        assert isinstance(await ada.opens("h"), StudentPage)
        assert "ada" in ada.shown and "bob" not in ada.shown and "1 of 2 done, 10 points" in ada.shown
        assert "made assumption, which proves it" in await ada.sees("enter") and isinstance(ada.screen, History)
        await ada.keys("escape", "escape")
        assert ada.app.current_mode == "data"
        assert "Everything that you have done is in this file." in await ada.reads("e")
        assert export_work(ada.seat.desk) == files["ada-oasis.json"]
    attempts = text.partition('"attempts":')[2]
    assert attempts.rstrip("\n ]}") in files["ada-oasis.json"] and "bob" not in files["ada-oasis.json"]


async def test_it_is_brought_back_by_the_name_of_its_file_or_told_why_not_and_counts_once(tmp_path: Path) -> None:
    (tmp_path / "ada.json").write_text(worked(tmp_path / "there"), encoding="utf-8")
    async with sitting(tmp_path) as ada:
        assert "Nothing yet. L leads to the lemmas" in await ada.reads("D")
        await ada.keys("i")
        for file, why in (("", "There is nothing here yet"), ("missing.json", "cannot be read (No such")):
            await ada.fill_in(file)
            assert why in ada.words
        for said in ("2; here already: 0.", "0; here already: 2."):
            ada.screen.query_one("#file", Input).value = str(tmp_path / "ada.json")
            assert f"Attempts brought back: {said}" in await ada.reads("enter")
            assert "From a file: 2 of these attempts." in ada.words and "10/20" in ada.shown
            await ada.keys("i")
    with open_classroom(tmp_path / "class.db") as store:
        attempts = store.attempts(local(store, "ada").student.id)
    assert sum(row.kept.place == "cases" for row in attempts) == 2


async def test_in_a_served_classroom_work_is_pasted_however_soon_tab_and_enter_follow(tmp_path: Path) -> None:
    text, of_bob = worked(tmp_path / "there"), worked(tmp_path / "bob", "bob")
    async with sitting(tmp_path, account=None, preferences=None) as ada:
        await ada.fill_in("ada", OPEN_SESAME, OPEN_SESAME)
        assert "class.db" not in await ada.sees("D") and ".toml" not in ada.shown
        for damaged, why in (
            ("Dear diary", "This work is damaged: it is not the JSON that"),
            (of_bob, "This is the work of bob, not of ada; come in as bob to bring it back,"),
        ):
            await ada.keys("i")
            assert not ada.screen.query(Input) and str(tmp_path) not in ada.shown, "nothing is said about files"
            await paste(ada, damaged)
            assert why in await ada.reads("tab", "enter") and ada.screen.query(TextArea), "the form stays"
            await ada.keys("escape")
        assert isinstance(ada.screen, Data) and "Nothing yet." in ada.words
        await ada.keys("i")
        await paste(ada, text)
        ada.burst("\t\r")
        await ada.settle()
        assert "Attempts brought back: 2; here already: 0." in ada.words


async def test_a_passphrase_is_typed_twice_and_another_one_needs_it(tmp_path: Path) -> None:
    async with sitting(tmp_path) as ada:
        await ada.keys("D", "p")
        await ada.fill_in(OPEN_SESAME, "open barley")
        assert "The two are not the same; type them again." in ada.words
        await ada.fill_in(OPEN_SESAME, OPEN_SESAME)
        assert "This is your passphrase from now on" in ada.words and isinstance(ada.screen, Data)
        assert admit(ada.session.store, "ada", passphrase=OPEN_SESAME).name == "ada"
        await ada.keys("p")
        await ada.fill_in("open barley", "open wheat", "open wheat")
        assert "That is not the passphrase of ada" in ada.words
        await ada.fill_in(OPEN_SESAME, "open wheat", "open wheat")
        assert admit(ada.session.store, "ada", passphrase="open wheat").name == "ada"
    async with sitting(tmp_path) as ada:
        assert isinstance(ada.screen, SignIn), "it is asked for at this machine, too"
        await ada.fill_in("open wheat")
        assert ada.seat.desk.name == "ada"


@pytest.mark.parametrize("has_file", [True, False])
async def test_a_theme_is_tried_on_and_kept_or_put_back(tmp_path: Path, has_file: bool) -> None:
    preferences = tmp_path / "classroom.toml"
    async with sitting(tmp_path, preferences=preferences if has_file else None) as ada:
        before = ada.app.theme
        await ada.keys("D", "t", "home")
        tried = ada.app.theme
        assert tried != before
        await ada.keys("escape")
        assert ada.app.theme == before and not preferences.exists()
        await ada.keys("t", "home", "enter")
        assert ada.app.theme == tried
        assert f"{tried}, {'and so it will be next time' if has_file else 'until you leave'}." in ada.notified
    if has_file:
        assert tomllib.loads(preferences.read_text(encoding="utf-8")) == {"theme": tried}


async def test_who_signs_out_leaves_nothing_to_the_next_and_no_screen_in_memory(tmp_path: Path) -> None:
    worked(tmp_path)
    async with sitting(tmp_path) as ada:
        await ada.keys("P", "0", "D")
        places = {place: ada.app._screen_stacks[place] for place in ("learn", "prove", "data")}
        screens = [weakref.ref(screen) for stack in places.values() for screen in stack]
        del places
        assert isinstance(await ada.opens("o", "escape"), SignIn) and ada.palette == {"Colours"}
        ada.screen.query_one("#name", Input).focus()
        await ada.fill_in("zoe")
        assert isinstance(ada.screen, Learn) and ada.seat.desk.name == "zoe"
        assert len(screens) == 3 and [screen() for screen in screens if screen() is not None] == []
        for place in "PD":
            assert "zoe" in await ada.sees(place) and "ada" not in ada.shown.splitlines()[0]
        assert "Nothing yet." in ada.words
        assert isinstance(await ada.opens("P"), Prove) and ada.attempt.made == []
        await ada.keys("D", "o")
        await ada.fill_in("ada")
        assert ada.seat.desk.name == "ada"
        assert [student.name for student in ada.session.store.students()] == ["ada", "zoe"]


async def test_what_a_student_does_elsewhere_is_told_and_gone_on_with_until_the_teacher_ends_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        path = tmp_path / "class.db"
        with open_classroom(path) as store:
            presence = Presence(open_classroom, path, Origin(), ada.seat.desk.student.id)
            await ada.until(lambda: ada.session.presence is not None and store.tabs_of_students() != [])
            presence.tell("prove", "")
            await ada.until(lambda: "You are signed in 2 times" in ada.notified)
            elsewhere = sit(local(store, "ada"), ada.seat.exercise)
            elsewhere.make(Move("intro"))
            await ada.until(lambda: ada.attempt.made == [Move("intro")])
            assert "You went on with this lemma in another tab" in ada.notified and "H : p ∨ q" in ada.shown
            with patch.object(Session, "catch_up", lambda _: False):  # as when both make a move in the same second
                elsewhere.make(Move("left"))
                await ada.keys("1", until=lambda: "both are kept" in ada.notified)
            assert Roll(store).sign_out("ada") == ("ada", 2)
            await ada.until(lambda: isinstance(ada.screen, SignIn))
            assert "You were signed out, by your teacher" in ada.words
            presence.close("prove", "", signs_out=False)
            presence.wait(PATIENCE)


async def test_what_cannot_be_stored_is_told_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        files = ada.saves()
        with monkeypatch.context() as broken:
            broken.setattr(Store, "keep", busy)
            assert "in use by another process" in await ada.hears("0") and ada.attempt.made == [Move("intro")]
            assert "Not stored yet: class.db is in use" in await ada.reads("D")
            assert isinstance(await ada.opens("o"), Data)
            await ada.keys("e")
            assert '"intro"' in files["ada-oasis.json"]
            assert "Not stored yet" in await ada.reads("s")
        assert "Everything is stored now." in await ada.reads("s") and not ada.seat.desk.trouble
        assert "in use by another process" not in await ada.hears("P", "1")
        assert isinstance(await ada.opens("D", "o"), SignIn)
    with open_classroom(tmp_path / "class.db") as store:
        assert [row.events for row in store.attempts()] == [2]


async def test_while_another_process_writes_keys_are_answered_and_who_leaves_is_warned(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        with Store(tmp_path / "class.db") as other:
            other._connection.execute("BEGIN IMMEDIATE")
            await ada.make(*PROOF[:3])
            assert len(ada.attempt.made) == 3
            assert "not stored yet  ada" in ada.shown.splitlines()[0]
            assert "the file of the class is busy" in ada.told
            assert ada.overflowing == []
            await ada.keys("ctrl+q")
            assert not ada.app._exit and "Leaving now loses it; Q again leaves." in ada.notified
            other._connection.execute("COMMIT")
        await ada.until(lambda: "not stored yet" not in ada.shown)
        await ada.keys("Q")
        assert ada.app._exit
    with Store(tmp_path / "class.db") as store:
        assert [row.events for row in store.attempts()] == [3]


async def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with sitting(tmp_path, OR_COMM) as ada:
        monkeypatch.setattr(ada.session.store, "attempts", busy)
        await ada.keys("L")
        assert "in use by another process" in ada.notified
        await ada.keys("P", "0")
        assert ada.attempt.made == [Move("intro")]
        monkeypatch.setattr(Desk, "results", busy)
        assert "in use by another process" in await ada.reads("D")


async def test_the_teacher_who_leaves_waits_for_who_still_reads_and_leaves_the_file_closed(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    with open_classroom(path) as store:
        set_teacher_passphrase(store, "correct horse")
    session = Session(Setup(database=path, account="ada", origin=Origin.of_account("ada")), lambda *_: None)
    await session.open_class("correct horse")
    reading = session.register._thread.submit(lambda: sleep(0.3))
    assert [each.name for each in tmp_path.glob("class.db*-wal")] == ["class.db-wal"]
    session.close()
    assert reading.done()
    assert [each.name for each in tmp_path.glob("class.db*")] == ["class.db"], "with all of the log in it"
