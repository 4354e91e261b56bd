"""A student's own work: taken along and brought back, left to nobody else, and stored as soon as it can be."""

from __future__ import annotations

import tomllib
import weakref
from pathlib import Path
from time import sleep

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from oasis.classroom.admission import NotAdmitted, Origin, admit, open_classroom, set_teacher_passphrase
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import export_work
from oasis.store import Store, StoreError
from tactics.goal import Move
from tests.classroom import people
from tests.classroom.people import local, sit
from tests.tui.partners import until
from tests.tui.rooms import (
    OR_COMM,
    PROOF,
    attempt,
    burst,
    classroom,
    fill_in,
    make,
    notified,
    opened,
    overflowing,
    palette,
    press,
    said,
    saved,
    settle,
    shown,
    sitting,
    words,
)
from tui.screens.data import Data
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn
from tui.screens.student_page import StudentPage
from tui.session import Session
from tui.setup import Setup

pytestmark = pytest.mark.slow


OPEN_SESAME = "open sesame"


def worked(folder: Path, name: str = "ada") -> str:
    """What a student has exported who has proved one lemma and begun another."""
    folder.mkdir(exist_ok=True)
    with open_classroom(folder / "class.db") as store:
        desk = local(store, name)
        people.make(sit(desk, people.OR_COMM), people.PROOF)
        people.make(sit(desk, people.PEIRCE), people.PROOF[:1])
        return export_work(desk)


async def paste(pilot: Pilot[None], text: str) -> None:
    """Paste a text, and leave the pad for the button below it."""
    pilot.app.screen.query_one(TextArea).focus()
    await pilot.pause()
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)
    await press(pilot, "tab", "enter")


async def test_what_was_done_is_summed_up_looked_back_at_and_taken_along_without_that_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = worked(tmp_path)
    worked(tmp_path, "bob")
    app = classroom(tmp_path, "textbook/or_comm")
    files = saved(app, monkeypatch)
    async with opened(app) as pilot:
        await press(pilot, "D")
        rows = {line.split()[0]: line.split()[1:5] for line in shown(app).splitlines() if "0:0" in line}
        assert rows == {"cases": ["1/2", "10/20", "2", "0:00"], "all": ["1/2", "10/20", "2", "0:00"]}
        await press(pilot, "h")
        assert isinstance(app.screen, StudentPage)
        assert "ada" in shown(app) and "bob" not in shown(app) and "1 of 2 done, 10 points" in shown(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, History) and "made assumption, which proves it" in shown(app)
        await press(pilot, "escape", "escape")
        assert app.current_mode == "data"
        await press(pilot, "e")
        assert "Everything that you have done is in this file." in words(app)
        assert export_work(app.session.seat.desk) == files["ada-oasis.json"]
    attempts = text.partition('"attempts":')[2]
    assert attempts.rstrip("\n ]}") in files["ada-oasis.json"] and "bob" not in files["ada-oasis.json"]


async def test_it_is_brought_back_by_the_name_of_its_file_or_told_why_not_and_counts_once(tmp_path: Path) -> None:
    (tmp_path / "ada.json").write_text(worked(tmp_path / "there"), encoding="utf-8")
    async with sitting(tmp_path) as (app, pilot):
        await press(pilot, "D")
        assert "Nothing yet. L leads to the lemmas" in words(app)
        await press(pilot, "i")
        for file, why in (("", "There is nothing here yet"), ("missing.json", "cannot be read (No such")):
            await fill_in(pilot, file)
            assert why in words(app)
        for said in ("2; here already: 0.", "0; here already: 2."):
            app.screen.query_one("#file", Input).value = str(tmp_path / "ada.json")
            await press(pilot, "enter")
            assert f"Attempts brought back: {said}" in words(app)
            assert "From a file: 2 of these attempts." in words(app) and "10/20" in shown(app)
            await press(pilot, "i")
    with open_classroom(tmp_path / "class.db") as store:
        attempts = store.attempts(local(store, "ada").student.id)
    assert sum(row.kept.place == "cases" for row in attempts) == 2


async def test_what_is_pasted_is_brought_back_however_soon_tab_and_enter_follow(tmp_path: Path) -> None:
    text, of_bob = worked(tmp_path / "there"), worked(tmp_path / "bob", "bob")
    async with sitting(tmp_path) as (app, pilot):
        await press(pilot, "D")
        for damaged, why in (
            ("Dear diary", "This work is damaged: it is not the JSON that"),
            (of_bob, "This is the work of bob, not of ada; come in as bob to bring it back,"),
        ):
            await press(pilot, "i")
            await paste(pilot, damaged)
            assert why in words(app) and app.screen.query(TextArea), "the form stays"
            await press(pilot, "escape")
        assert isinstance(app.screen, Data) and "Nothing yet." in words(app)
        await press(pilot, "i")
        app.screen.query_one(TextArea).focus()
        await pilot.pause()
        app.post_message(events.Paste(text))
        burst(app, "\t\r")
        await settle(pilot)
        assert "Attempts brought back: 2; here already: 0." in words(app)


async def test_in_a_served_classroom_work_is_pasted_and_nothing_is_said_about_files(tmp_path: Path) -> None:
    text = worked(tmp_path / "there")
    async with sitting(tmp_path, account=None, preferences=None) as (app, pilot):
        await fill_in(pilot, "ada", OPEN_SESAME, OPEN_SESAME)
        await press(pilot, "D")
        assert "class.db" not in shown(app) and ".toml" not in shown(app)
        await press(pilot, "i")
        assert not app.screen.query(Input) and str(tmp_path) not in shown(app)
        await paste(pilot, text)
        assert "Attempts brought back: 2; here already: 0." in words(app)


async def test_a_passphrase_is_typed_twice_and_another_one_needs_it(tmp_path: Path) -> None:
    async with sitting(tmp_path) as (app, pilot):
        await press(pilot, "D", "p")
        await fill_in(pilot, OPEN_SESAME, "open barley")
        assert "The two are not the same; type them again." in words(app)
        await fill_in(pilot, OPEN_SESAME, OPEN_SESAME)
        assert "This is your passphrase from now on" in words(app) and isinstance(app.screen, Data)
        assert admit(app.session.store, "ada", passphrase=OPEN_SESAME).name == "ada"
        await press(pilot, "p")
        await fill_in(pilot, "open barley", "open wheat", "open wheat")
        assert "That is not the passphrase of ada" in words(app)
        with pytest.raises(NotAdmitted):
            admit(app.session.store, "ada", passphrase="open wheat")
        await fill_in(pilot, OPEN_SESAME, "open wheat", "open wheat")
        assert admit(app.session.store, "ada", passphrase="open wheat").name == "ada"
    async with sitting(tmp_path) as (app, pilot):
        assert isinstance(app.screen, SignIn), "it is asked for at this machine, too"
        await fill_in(pilot, "open wheat")
        assert app.session.seat.desk.name == "ada"


@pytest.mark.parametrize("has_file", [True, False])
async def test_a_theme_is_tried_on_and_kept_or_put_back(tmp_path: Path, has_file: bool) -> None:
    preferences = tmp_path / "classroom.toml"
    async with sitting(tmp_path, preferences=preferences if has_file else None) as (app, pilot):
        before = app.theme
        await press(pilot, "D", "t", "home")
        tried = app.theme
        assert tried != before
        await press(pilot, "escape")
        assert app.theme == before and not preferences.exists()
        await press(pilot, "t", "home", "enter")
        assert app.theme == tried
        assert f"{tried}, {'and so it will be next time' if has_file else 'until you leave'}." in notified(app)
    if has_file:
        assert tomllib.loads(preferences.read_text(encoding="utf-8")) == {"theme": tried}


async def test_who_signs_out_leaves_nothing_to_the_next_and_no_screen_in_memory(tmp_path: Path) -> None:
    worked(tmp_path)
    async with sitting(tmp_path) as (app, pilot):
        await press(pilot, "P", "0", "D")
        places = {place: app._screen_stacks[place] for place in ("learn", "prove", "data")}
        screens = [weakref.ref(screen) for stack in places.values() for screen in stack]
        del places
        await press(pilot, "o", "escape")
        assert isinstance(app.screen, SignIn) and palette(app) == {"Colours"}
        app.screen.query_one("#name", Input).focus()
        await fill_in(pilot, "zoe")
        assert isinstance(app.screen, Learn) and app.session.seat.desk.name == "zoe"
        assert len(screens) == 3 and [screen() for screen in screens if screen() is not None] == []
        for place in "PD":
            await press(pilot, place)
            assert "zoe" in shown(app) and "ada" not in shown(app).splitlines()[0]
        assert "Nothing yet." in words(app)
        await press(pilot, "P")
        assert isinstance(app.screen, Prove) and app.screen.attempt.made == []
        await press(pilot, "D", "o")
        await fill_in(pilot, "ada")
        assert app.session.seat.desk.name == "ada"
        assert [student.name for student in app.session.store.students()] == ["ada", "zoe"]


def _full_disk(*_: object) -> None:
    raise StoreError("class.db cannot grow because the disk is full; make room.")


async def test_what_cannot_be_stored_is_told_can_be_taken_along_and_signing_out_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, OR_COMM)
    files = saved(app, monkeypatch)
    async with opened(app) as pilot:
        with monkeypatch.context() as broken:
            broken.setattr(Store, "keep", _full_disk)
            await press(pilot, "0")
            assert "the disk is full" in said(app) and attempt(app).made == [Move("intro")]
            await press(pilot, "D")
            assert "Not stored yet: class.db cannot grow" in words(app)
            await press(pilot, "o")
            assert isinstance(app.screen, Data)
            await press(pilot, "e")
            assert '"intro"' in files["ada-oasis.json"]
            await press(pilot, "s")
            assert "Not stored yet" in words(app)
        await press(pilot, "s")
        assert "Everything is stored now." in words(app) and not app.session.seat.desk.trouble
        await press(pilot, "P", "1")
        assert "the disk is full" not in said(app)
        await press(pilot, "D", "o")
        assert isinstance(app.screen, SignIn)
    with open_classroom(tmp_path / "class.db") as store:
        assert [row.events for row in store.attempts()] == [2]


async def test_while_another_process_writes_keys_are_answered_and_who_leaves_is_warned(tmp_path: Path) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        with Store(tmp_path / "class.db") as other:
            other._connection.execute("BEGIN IMMEDIATE")
            await make(pilot, *PROOF[:3])
            assert len(attempt(app).made) == 3
            assert "not stored yet  ada" in shown(app).splitlines()[0]
            assert "the file of the class is busy" in said(app)
            assert overflowing(app) == []
            await press(pilot, "ctrl+q")
            assert not app._exit and "Leaving now loses it; Q again leaves." in notified(app)
            other._connection.execute("COMMIT")
        await until(pilot, lambda: "not stored yet" not in shown(app))
        await press(pilot, "Q")
        assert app._exit
    with Store(tmp_path / "class.db") as store:
        assert [row.events for row in store.attempts()] == [3]


async def test_a_file_that_cannot_be_read_any_more_is_told_and_the_place_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(tmp_path, OR_COMM) as (app, pilot):
        monkeypatch.setattr(app.session.store, "attempts", _full_disk)
        await press(pilot, "L")
        assert "the disk is full" in notified(app)
        await press(pilot, "P", "0")
        assert attempt(app).made == [Move("intro")]
        monkeypatch.setattr(Desk, "results", _full_disk)
        await press(pilot, "D")
        assert "the disk is full" in words(app)


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
