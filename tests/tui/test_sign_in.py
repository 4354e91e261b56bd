"""Signing in: who comes in straight away, who has to say more, who has to wait, and who does not come in at all."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from textual import events
from textual.widget import Widget
from textual.widgets import Input

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.people.roll import Roll
from oasis.cli.main import main
from oasis.store import StoreError
from tests.tui.partners import until
from tests.tui.rooms import (
    burst,
    classroom,
    fill_in,
    opened,
    overflowing,
    palette,
    press,
    settle,
    shown,
    sitting,
    words,
)
from tui.app import Classroom
from tui.screens.learn import Learn
from tui.screens.sign_in import SignIn
from tui.widgets.key_bar import KeyBar
from tui.widgets.line import Line

pytestmark = pytest.mark.slow

OPEN_SESAME = "open sesame"


def join(folder: Path, name: str, *, passphrase: str | None = None, account: str | None = None) -> None:
    """A student who has been here before."""
    with open_classroom(folder / "class.db") as store:
        admit(store, name, passphrase=passphrase, account=account)


async def test_a_new_student_chooses_a_passphrase_that_will_do_and_types_it_twice(tmp_path: Path) -> None:
    async with sitting(tmp_path, account=None) as (app, pilot):
        assert "Type your name and Enter." in shown(app) and palette(app) == {"Colours"}
        await press(pilot, *"bob", "ctrl+a", *"zoe", "enter")
        assert app.screen.query_one("#name", Line).value == "zoe", "Ctrl-A selects what is typed over"
        await press(pilot, "enter", "tab", "enter")
        assert "choose a passphrase" in words(app) and isinstance(app.screen, SignIn)
        app.screen.query_one("#passphrase").focus()
        await fill_in(pilot, "short")
        assert "at least 8 characters" in words(app) and not app.screen.query_one("#again").display
        await fill_in(pilot, OPEN_SESAME)
        assert "You are new" in shown(app) and app.session.store.students() == []
        await fill_in(pilot, "open barley")
        assert "The two differ" in shown(app) and app.session.store.students() == []
        await fill_in(pilot, OPEN_SESAME)
        assert isinstance(app.screen, Learn)
    with open_classroom(tmp_path / "class.db") as store:
        assert admit(store, "Zoe", passphrase=OPEN_SESAME, create=False).name == "zoe"
    async with sitting(tmp_path, account=None) as (app, pilot):
        burst(app, f"Zoe\t{OPEN_SESAME}\r")  # tabs lead on before what follows them
        await until(pilot, lambda: isinstance(app.screen, Learn))
        assert app.session.seat.desk.name == "zoe" and len(app.session.store.students()) == 1


async def test_what_is_typed_in_one_burst_lands_in_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is busy hands on many keys at once, and answers none of them before it has them all."""
    seen: list[tuple[str | None, str]] = []
    monkeypatch.setattr(Line, "watch_value", lambda line, value: seen.append((line.id, value)), raising=False)
    async with sitting(tmp_path, account=None) as (app, pilot):
        for line in ("zoe", OPEN_SESAME, OPEN_SESAME):
            burst(app, line + "\r")
        await until(pilot, lambda: isinstance(app.screen, Learn))
        assert app.session.seat.desk.name == "zoe"
    assert {value for name, value in seen if name == "name"} == {"z", "zo", "zoe"}
    with open_classroom(tmp_path / "class.db") as store:
        assert admit(store, "zoe", passphrase=OPEN_SESAME, create=False).name == "zoe"


async def test_the_user_of_this_machine_comes_in_by_a_name_of_theirs_alone(tmp_path: Path) -> None:
    join(tmp_path, "ada", account="ada")
    join(tmp_path, "bob", account="bob")
    with open_classroom(tmp_path / "class.db") as store:
        Roll(store).rename("ada", "Ada Lovelace")
    async with sitting(tmp_path) as (app, _):
        assert isinstance(app.screen, Learn) and app.session.seat.desk.name == "Ada Lovelace"
    async with sitting(tmp_path, student="bob") as (app, pilot):
        assert "bob works under another account of this machine" in words(app)
        app.screen.query_one("#name", Input).value = "Ada Lovelace"
        app.screen.query_one("#name", Input).focus()
        await press(pilot, "enter")
        assert app.session.seat.desk.name == "Ada Lovelace"
        assert len(app.session.store.students()) == 2
    with open_classroom(tmp_path / "class.db") as store:
        Roll(store).dismiss("Ada Lovelace")
    async with sitting(tmp_path) as (app, pilot):
        assert "Ada Lovelace is no longer in this class; ask your teacher" in words(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, SignIn)


def seen_whole(app: Classroom, name: str) -> bool:
    """Whether nothing of a widget is cut off by what it is in."""
    widget = app.screen.query_one(name)
    around = [each.region for each in widget.ancestors if isinstance(each, Widget)]
    footer = app.screen.query_one(KeyBar).region
    return all(each.contains_region(widget.region) for each in around) and not footer.overlaps(widget.region)


async def test_the_form_fits_a_small_screen_and_on_a_lower_one_the_line_that_is_typed_in_is_in_sight(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, account=None, size=(60, 15)) as (app, pilot):
        assert seen_whole(app, "#name")
        await fill_in(pilot, "zoe", OPEN_SESAME)
        assert seen_whole(app, "#again") and "You are new: type your passphrase again." in shown(app)
        for name in ("#come-in", "#other-door", "#name", "#passphrase", "#again"):
            await press(pilot, "tab")
            await pilot.wait_for_scheduled_animations()
            assert seen_whole(app, name), name
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert overflowing(app) == []
        for name in ("#sign-in", "#name", "#passphrase", "#again", "#come-in"):
            assert seen_whole(app, name), name


# A class that only those on its list come into.


async def test_who_is_on_the_list_comes_in_with_what_the_teacher_has_handed_out(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        (ticket,) = Roll(store).add(["Zoe"])
    async with sitting(tmp_path, account=None, listed_only=True) as (app, pilot):
        assert shown(app).count("as it is on the list") == 2, "above the lines, and in the first of them"
        await fill_in(pilot, "zoe", ticket.passphrase)
        assert app.session.seat.desk.name == "Zoe"
    async with sitting(tmp_path, listed_only=True) as (app, pilot):
        assert "Type your name, as it is on the list of the class" in words(app), "the user of this machine is not"
        assert overflowing(app) == []
        app.screen.query_one("#name", Input).value = "Zoe"
        await fill_in(pilot, ticket.passphrase)
        assert app.session.seat.desk.name == "Zoe"
        assert [student.account for student in app.session.store.students()] == [None]


@pytest.mark.usefixtures("no_time_passes")
async def test_the_form_does_not_tell_which_names_are_on_the_list(tmp_path: Path) -> None:
    join(tmp_path, "zoe", passphrase=OPEN_SESAME)
    told = []
    for name in ("zoe", "Mallory"):
        async with sitting(tmp_path, account=None, listed_only=True) as (app, pilot):
            await fill_in(pilot, name, "open barley")
            told.append([shown(app)])
            for typed in ("open wheat", "open oats", "open rye"):
                assert app.screen.query_one("#passphrase", Input).value == ""
                await fill_in(pilot, typed)
                told[-1].append(shown(app))
            assert isinstance(app.screen, SignIn)
            assert [student.name for student in app.session.store.students()] == ["zoe"]
    known, unknown = told
    assert "That name and that passphrase do not go together" in " ".join(known[0].split())
    assert "too many wrong tries; wait" in " ".join(known[-1].split())
    assert [screen.replace("zoe    ", "Mallory") for screen in known] == unknown


# A file that is none, or is busy.


def test_a_file_that_is_no_class_is_told_before_any_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "class.db")) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
        connection.commit()
    monkeypatch.chdir(tmp_path)  # which is gone back from
    monkeypatch.setattr(sys, "argv", ["oasis", "tui", "--served", "--db", str(tmp_path / "class.db")])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    said = capsys.readouterr()
    # Where it is, is nobody's business who comes over a network.
    assert said.err == "oasis: class.db is a database of another program; name another file with --db.\n"
    assert said.out == ""


async def test_who_comes_in_while_another_process_writes_waits_and_the_screen_does_not_and_what_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, account=None)

    def fail(*_: object) -> None:
        raise StoreError("class.db cannot grow because the disk is full; make room and go on.")

    async with opened(app) as pilot:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(type(app.session.store), "students", fail)
            await fill_in(pilot, "zoe", OPEN_SESAME)
            assert "the disk is full" in words(app) and isinstance(app.screen, SignIn)
        with open_classroom(tmp_path / "class.db") as other:
            other._connection.execute("BEGIN IMMEDIATE")
            for line in (OPEN_SESAME, OPEN_SESAME):
                app.post_message(events.Paste(line))
                await pilot.press("enter")
                await pilot.pause()
            assert "One moment." in shown(app)
            before = app.focused
            await pilot.press("tab")
            assert app.focused is not before and isinstance(app.screen, SignIn)
            other._connection.execute("COMMIT")
        await settle(pilot)
        assert app.session.seat.desk.name == "zoe"
