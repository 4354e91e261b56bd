"""Signing in: who comes in straight away, who has to say more, who has to wait, and who does not come in at all."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.people.roll import Roll
from oasis.cli.main import main
from oasis.store import StoreError
from tests.tui.partners import until
from tests.tui.rooms import burst, classroom, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.screens.learn import Learn
from tui.screens.sign_in import SignIn
from tui.widgets.key_bar import KeyBar
from tui.widgets.line import Line

pytestmark = pytest.mark.slow

OPEN_SESAME = "open sesame"
KEYS = ["space" if letter == " " else letter for letter in OPEN_SESAME]


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they cost is tested elsewhere."""
    monkeypatch.setattr("oasis.classroom.people.passphrases._COST", 2**8)


async def fill_in(pilot: Pilot[None], *lines: str) -> None:
    """Fill in lines, each with Enter; pasted, which is quicker than key by key."""
    for line in lines:
        pilot.app.post_message(events.Paste(line))
        await press(pilot, "enter")


def join(folder: Path, name: str, *, passphrase: str | None = None, account: str | None = None) -> None:
    """A student who has been here before."""
    with open_classroom(folder / "class.db") as store:
        admit(store, name, passphrase=passphrase, account=account)


async def test_the_user_of_this_machine_comes_straight_in(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app):
        assert isinstance(app.screen, Learn)
        assert app.session.seat.desk.name == "ada"


async def test_a_new_student_chooses_a_passphrase_and_types_it_twice(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await pilot.press("z", "o", "e", "enter", *KEYS, "enter")
        await settle(pilot)
        assert "You are new" in shown(app)
        assert app.session.store.students() == []
        await fill_in(pilot, OPEN_SESAME)
        assert isinstance(app.screen, Learn)
    with open_classroom(tmp_path / "class.db") as store:
        assert admit(store, "Zoe", passphrase=OPEN_SESAME, create=False).name == "zoe"


async def test_ctrl_a_selects_all_of_a_line_so_that_what_is_typed_replaces_it(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await pilot.press("b", "o", "b", "ctrl+a", "z", "o", "e")
        assert app.screen.query_one("#name", Line).value == "zoe"


async def test_tabs_in_a_burst_lead_on_before_what_follows_them(tmp_path: Path) -> None:
    join(tmp_path, "zoe", passphrase=OPEN_SESAME)
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        burst(app, f"zoe\t{OPEN_SESAME}\r")
        await until(pilot, lambda: isinstance(app.screen, Learn))
        assert app.session.seat.desk.name == "zoe"


async def test_what_is_typed_in_one_burst_lands_in_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is busy hands on many keys at once, and answers none of them before it has them all."""
    seen: list[tuple[str | None, str]] = []
    monkeypatch.setattr(Line, "watch_value", lambda line, value: seen.append((line.id, value)), raising=False)
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        for line in ("zoe", OPEN_SESAME, OPEN_SESAME):
            burst(app, line + "\r")
        await until(pilot, lambda: isinstance(app.screen, Learn))
        assert app.session.seat.desk.name == "zoe"
    assert {value for name, value in seen if name == "name"} == {"z", "zo", "zoe"}
    with open_classroom(tmp_path / "class.db") as store:
        assert admit(store, "zoe", passphrase=OPEN_SESAME, create=False).name == "zoe"


async def test_two_passphrases_that_differ_make_no_student(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await fill_in(pilot, "zoe", OPEN_SESAME, "open barley")
        assert "The two differ" in shown(app)
        assert app.session.store.students() == []


async def test_without_a_passphrase_nobody_joins_and_what_to_do_is_said(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await fill_in(pilot, "zoe", "")
        await press(pilot, "tab", "enter")
        assert "choose a passphrase" in " ".join(shown(app).split())
        assert isinstance(app.screen, SignIn)


@pytest.mark.parametrize(
    ("name", "passphrase", "why"),
    [("zoe", "short", "at least 8 characters"), ("zoe; bob", OPEN_SESAME, "A name has no semicolon")],
)
async def test_what_will_not_do_is_refused_before_it_is_typed_once_more(
    tmp_path: Path, name: str, passphrase: str, why: str
) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await fill_in(pilot, name, passphrase)
        assert why in " ".join(shown(app).split())
        assert not app.screen.query_one("#again").display


async def test_a_known_student_comes_in_with_their_own_work(tmp_path: Path) -> None:
    join(tmp_path, "zoe", passphrase=OPEN_SESAME)
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await fill_in(pilot, "Zoe", OPEN_SESAME)
        assert app.session.seat.desk.name == "zoe"
        assert len(app.session.store.students()) == 1


@pytest.mark.usefixtures("no_time_passes")
async def test_wrong_passphrases_are_told_emptied_and_slowed(tmp_path: Path) -> None:
    join(tmp_path, "zoe", passphrase=OPEN_SESAME)
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await fill_in(pilot, "zoe", "open barley")
        assert "That is not the passphrase of zoe" in shown(app)
        assert app.screen.query_one("#passphrase", Input).value == ""
        await fill_in(pilot, "open barley", "open wheat", OPEN_SESAME)
        assert "too many wrong tries; wait" in " ".join(shown(app).split())
        assert isinstance(app.screen, SignIn)


async def test_the_name_of_another_account_is_refused_in_words(tmp_path: Path) -> None:
    join(tmp_path, "bob", account="bob")
    app = classroom(tmp_path, student="bob")
    async with opened(app) as pilot:
        assert isinstance(app.screen, SignIn)
        assert "bob works under another account of this machine" in " ".join(shown(app).split())
        app.screen.query_one("#name", Input).value = "ada"
        app.screen.query_one("#name", Input).focus()
        await press(pilot, "enter")
        assert app.session.seat.desk.name == "ada"


async def test_someone_elses_passphrase_is_asked_for_at_this_machine_too(tmp_path: Path) -> None:
    join(tmp_path, "bob", passphrase=OPEN_SESAME, account="bob")
    app = classroom(tmp_path, student="bob")
    async with opened(app) as pilot:
        assert "bob has a passphrase; type it." in shown(app)
        await fill_in(pilot, OPEN_SESAME)
        assert app.session.seat.desk.name == "bob"


async def test_before_the_door_the_palette_leads_nowhere(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app):
        assert [command.title for command in app.get_system_commands(app.screen)] == ["Colours"]


def seen_whole(app: Classroom, name: str) -> bool:
    """Whether nothing of a widget is cut off by what it is in."""
    widget = app.screen.query_one(name)
    around = [each.region for each in widget.ancestors if isinstance(each, Widget)]
    footer = app.screen.query_one(KeyBar).region
    return all(each.contains_region(widget.region) for each in around) and not footer.overlaps(widget.region)


async def test_the_form_fits_the_smallest_screen(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await fill_in(pilot, "zoe", OPEN_SESAME)
        assert overflowing(app) == []
        for name in ("#sign-in", "#name", "#passphrase", "#again", "#come-in"):
            assert seen_whole(app, name), name


async def test_on_a_lower_one_the_line_that_is_typed_in_is_in_sight(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app, (60, 15)) as pilot:
        assert seen_whole(app, "#name")
        await fill_in(pilot, "zoe", OPEN_SESAME)
        assert seen_whole(app, "#again")
        assert "You are new: type your passphrase again." in shown(app)
        for name in ("#come-in", "#other-door", "#name", "#passphrase", "#again"):
            await press(pilot, "tab")
            await pilot.wait_for_scheduled_animations()
            assert seen_whole(app, name), name


async def test_what_is_asked_for_first_is_said_first(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app):
        assert "Type your name and Enter." in shown(app)


# A class that only those on its list come into.


async def test_who_is_on_the_list_comes_in_with_what_the_teacher_has_handed_out(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        (ticket,) = Roll(store).add(["Zoe"])
    app = classroom(tmp_path, account=None, listed_only=True)
    async with opened(app) as pilot:
        assert shown(app).count("as it is on the list") == 2, "above the lines, and in the first of them"
        await fill_in(pilot, "zoe", ticket.passphrase)
        assert app.session.seat.desk.name == "Zoe"


@pytest.mark.usefixtures("no_time_passes")
async def test_the_form_does_not_tell_which_names_are_on_the_list(tmp_path: Path) -> None:
    join(tmp_path, "zoe", passphrase=OPEN_SESAME)
    told = []
    for name in ("zoe", "Mallory"):
        app = classroom(tmp_path, account=None, listed_only=True)
        async with opened(app) as pilot:
            await fill_in(pilot, name, "open barley")
            told.append([shown(app)])
            for typed in ("open wheat", "open oats", "open rye"):
                await fill_in(pilot, typed)
                told[-1].append(shown(app))
            assert isinstance(app.screen, SignIn)
            assert [student.name for student in app.session.store.students()] == ["zoe"]
    known, unknown = told
    assert "That name and that passphrase do not go together" in " ".join(known[0].split())
    assert "too many wrong tries; wait" in " ".join(known[-1].split())
    assert [screen.replace("zoe    ", "Mallory") for screen in known] == unknown


async def test_the_user_of_this_machine_who_is_not_on_the_list_is_asked_who_it_is(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        (ticket,) = Roll(store).add(["Ada Lovelace"])
    app = classroom(tmp_path, listed_only=True)
    async with opened(app) as pilot:
        assert "Type your name, as it is on the list of the class" in " ".join(shown(app).split())
        assert overflowing(app) == []
        app.screen.query_one("#name", Input).value = "Ada Lovelace"
        await fill_in(pilot, ticket.passphrase)
        assert app.session.seat.desk.name == "Ada Lovelace"
        assert [student.account for student in app.session.store.students()] == [None]


async def test_who_left_the_class_is_told_so_at_their_own_machine(tmp_path: Path) -> None:
    join(tmp_path, "ada", account="ada")
    with open_classroom(tmp_path / "class.db") as store:
        Roll(store).dismiss("ada")
    app = classroom(tmp_path)
    async with opened(app):
        assert isinstance(app.screen, SignIn)
        assert "ada is no longer in this class; ask your teacher" in " ".join(shown(app).split())


async def test_whose_name_was_corrected_comes_straight_in_by_the_new_one(tmp_path: Path) -> None:
    join(tmp_path, "ada", account="ada")
    with open_classroom(tmp_path / "class.db") as store:
        Roll(store).rename("ada", "Ada Lovelace")
    app = classroom(tmp_path)
    async with opened(app):
        assert app.session.seat.desk.name == "Ada Lovelace"
        assert len(app.session.store.students()) == 1


# A file that is none.


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
        connection.commit()


def damaged(path: Path) -> None:
    open_classroom(path).close()
    path.write_bytes(path.read_bytes()[:5000])


def text(path: Path) -> None:
    path.write_text("Dear diary, today I proved nothing at all. " * 30)


def folder(path: Path) -> None:
    path.mkdir()


FILES = [
    (foreign, "is a database of another program; name another file with --db."),
    (damaged, "is damaged (database disk image is malformed); put back a copy of it"),
    (text, "is not a database; name another file with --db."),
    (folder, "is a folder; name a file in it with --db."),
]


@pytest.mark.parametrize(("make", "why"), FILES)
def test_a_file_that_is_no_class_is_told_before_any_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], make: object, why: str
) -> None:
    path = tmp_path / "class.db"
    assert callable(make)
    make(path)
    monkeypatch.chdir(tmp_path)  # which is gone back from
    monkeypatch.setattr(sys, "argv", ["oasis", "tui", "--served", "--db", str(path)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.err.startswith("oasis: class.db ")  # where it is, is nobody's business who comes over a network
    assert why in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


async def test_a_file_that_fails_at_the_door_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path, account=None)

    def fail(*_: object) -> None:
        raise StoreError("class.db cannot grow because the disk is full; make room and go on.")

    async with opened(app) as pilot:
        monkeypatch.setattr(type(app.session.store), "students", fail)
        await fill_in(pilot, "zoe", OPEN_SESAME)
        await settle(pilot)
        assert "the disk is full" in " ".join(shown(app).split())
        assert isinstance(app.screen, SignIn)


async def test_who_comes_in_while_another_process_writes_waits_and_the_screen_does_not(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        with open_classroom(tmp_path / "class.db") as other:
            other._connection.execute("BEGIN IMMEDIATE")
            for line in ("zoe", OPEN_SESAME, OPEN_SESAME):
                pilot.app.post_message(events.Paste(line))
                await pilot.press("enter")
                await pilot.pause()
            assert "One moment." in shown(app)
            before = app.focused
            await pilot.press("tab")
            assert app.focused is not before
            assert isinstance(app.screen, SignIn)
            other._connection.execute("COMMIT")
        await settle(pilot)
        assert app.session.seat.desk.name == "zoe"
