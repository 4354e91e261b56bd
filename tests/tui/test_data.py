"""Data: a student's own work, taken along and brought back, and a seat that is left to somebody else."""

from __future__ import annotations

import tomllib
import weakref
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from oasis.classroom.admission import NotAdmitted, admit, open_classroom
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import export_work
from oasis.store import StoreError
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, local, make, sit
from tests.tui.rooms import ASCII, burst, classroom, notified, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.screens.data import Data
from tui.screens.learn import Learn
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn

pytestmark = pytest.mark.slow

OPEN_SESAME = "open sesame"
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they cost is tested elsewhere."""
    monkeypatch.setattr("oasis.classroom.people.passphrases._COST", 2**8)


def worked(folder: Path, name: str = "ada") -> str:
    """What a student has exported who has proved one lemma and begun another."""
    folder.mkdir(exist_ok=True)
    with open_classroom(folder / "class.db") as store:
        desk = local(store, name)
        make(sit(desk, OR_COMM), PROOF)
        make(sit(desk, PEIRCE), PROOF[:1])
        return export_work(desk)


def saved(app: Classroom, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is delivered, by the name of the file."""
    files: dict[str, str] = {}
    monkeypatch.setattr(app.session, "save", lambda text, name: files.update({name: text}))
    return files


def words(app: Classroom) -> str:
    """What is on the screen, without frames and line ends."""
    return " ".join(shown(app).replace("│", " ").split())


async def type_in(pilot: Pilot[None], *lines: str) -> None:
    """Fill in lines, each with Enter; pasted, which is quicker than key by key."""
    for line in lines:
        pilot.app.post_message(events.Paste(line))
        await press(pilot, "enter")


async def paste(pilot: Pilot[None], text: str) -> None:
    pilot.app.screen.query_one(TextArea).focus()
    await pilot.pause()
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)


async def test_what_was_done_is_summed_up_place_by_place(tmp_path: Path) -> None:
    worked(tmp_path)
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D")
        rows = {line.split()[0]: line.split()[1:5] for line in shown(app).splitlines() if "0:0" in line}
        assert rows == {"cases": ["1/2", "10/20", "2", "0:00"], "all": ["1/2", "10/20", "2", "0:00"]}


async def test_who_has_done_nothing_is_told_where_to_begin(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D")
        assert "Nothing yet. L leads to the lemmas" in words(app)


# Taking along and bringing back.


async def test_what_is_taken_along_is_all_of_ones_own_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = worked(tmp_path)
    worked(tmp_path, "bob")
    app = classroom(tmp_path, "textbook/or_comm")
    files = saved(app, monkeypatch)
    async with opened(app) as pilot:
        await press(pilot, "D", "e")
        assert "Everything that you have done is in this file." in words(app)
        assert export_work(app.session.seat.desk) == files["ada-oasis.json"]
    attempts = text.partition('"attempts":')[2]
    assert attempts.rstrip("\n ]}") in files["ada-oasis.json"]
    assert "bob" not in files["ada-oasis.json"]


async def test_it_is_brought_back_by_the_name_of_its_file(tmp_path: Path) -> None:
    text = worked(tmp_path / "there")
    (tmp_path / "ada.json").write_text(text, encoding="utf-8")
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D", "i")
        app.screen.query_one("#file", Input).value = str(tmp_path / "ada.json")
        await press(pilot, "enter")
        assert "Attempts brought back: 2; here already: 0." in words(app)
        assert "From a file: 2 of these attempts." in words(app)
        assert "10/20" in shown(app)
        await press(pilot, "i")
        app.screen.query_one("#file", Input).value = str(tmp_path / "ada.json")
        await press(pilot, "enter")
        assert "Attempts brought back: 0; here already: 2." in words(app)
    with open_classroom(tmp_path / "class.db") as store:
        attempts = store.attempts(local(store, "ada").student.id)
    assert sum(row.kept.place == "cases" for row in attempts) == 2


@pytest.mark.parametrize("account", ["ada", None])
async def test_it_is_brought_back_by_pasting_it(tmp_path: Path, account: str | None) -> None:
    text = worked(tmp_path / "there")
    app = classroom(tmp_path, account=account)
    async with opened(app) as pilot:
        if account is None:
            await type_in(pilot, "ada", OPEN_SESAME, OPEN_SESAME)
        await press(pilot, "D", "i")
        await paste(pilot, text)
        await press(pilot, "tab", "enter")
        assert "Attempts brought back: 2; here already: 0." in words(app)


async def test_what_is_pasted_is_brought_back_however_soon_tab_and_enter_follow(tmp_path: Path) -> None:
    text = worked(tmp_path / "there")
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D", "i")
        app.screen.query_one(TextArea).focus()
        await pilot.pause()
        app.post_message(events.Paste(text))
        burst(app, "\t\r")
        await settle(pilot)
        assert "Attempts brought back: 2; here already: 0." in words(app)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Dear diary", "This work is damaged: it is not the JSON that"),
        ('{"format": 99}', "This work was exported by a newer version of Oasis"),
        (None, "This is the work of bob, not of ada; come in as bob to bring it back,"),
    ],
)
async def test_what_cannot_be_brought_back_is_told_and_the_form_stays(
    tmp_path: Path, text: str | None, why: str
) -> None:
    text = worked(tmp_path / "there", "bob") if text is None else text
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D", "i")
        await paste(pilot, text)
        await press(pilot, "tab", "enter")
        assert why in words(app)
        assert app.screen.query(TextArea)
        await press(pilot, "escape")
        assert isinstance(app.screen, Data)
        assert "Nothing yet." in words(app)


@pytest.mark.parametrize(
    ("file", "why"), [("", "There is nothing here yet"), ("missing.json", "cannot be read (No such")]
)
async def test_a_file_that_is_not_there_is_told(tmp_path: Path, file: str, why: str) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D", "i")
        await type_in(pilot, file)
        assert why in words(app)


async def test_in_a_served_classroom_nothing_is_said_about_files_and_none_is_read(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None, preferences=None)
    async with opened(app) as pilot:
        await type_in(pilot, "zoe", OPEN_SESAME, OPEN_SESAME)
        await press(pilot, "D")
        text = shown(app)
        assert "class.db" not in text
        assert ".toml" not in text
        await press(pilot, "i")
        assert not app.screen.query(Input)
        assert str(tmp_path) not in shown(app)


# Passphrase and colours.


async def test_a_first_passphrase_is_typed_twice_and_opens_from_then_on(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D", "p")
        await type_in(pilot, OPEN_SESAME, "open barley")
        assert "The two are not the same; type them again." in words(app)
        await type_in(pilot, OPEN_SESAME, OPEN_SESAME)
        assert "This is your passphrase from now on" in words(app)
        assert isinstance(app.screen, Data)
        assert admit(app.session.store, "ada", passphrase=OPEN_SESAME).name == "ada"


@pytest.mark.some_days
async def test_another_passphrase_needs_the_one_until_now(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        admit(store, "ada", passphrase=OPEN_SESAME, account="ada")
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        assert isinstance(app.screen, SignIn)
        await type_in(pilot, OPEN_SESAME)
        await press(pilot, "D", "p")
        await type_in(pilot, "open barley", "open wheat", "open wheat")
        assert "That is not the passphrase of ada" in words(app)
        with pytest.raises(NotAdmitted):
            admit(app.session.store, "ada", passphrase="open wheat")
        await type_in(pilot, OPEN_SESAME, "open wheat", "open wheat")
        assert admit(app.session.store, "ada", passphrase="open wheat").name == "ada"


async def test_a_theme_is_tried_on_and_kept_or_put_back(tmp_path: Path) -> None:
    preferences = tmp_path / "classroom.toml"
    app = classroom(tmp_path, preferences=preferences)
    async with opened(app) as pilot:
        before = app.theme
        await press(pilot, "D", "t", "home")
        tried = app.theme
        assert tried != before
        await press(pilot, "escape")
        assert app.theme == before
        assert not preferences.exists()
        await press(pilot, "t", "home", "enter")
        assert app.theme == tried
        assert tomllib.loads(preferences.read_text(encoding="utf-8")) == {"theme": tried}


async def test_without_a_file_of_preferences_a_theme_lasts_until_one_leaves(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "D", "t", "home", "enter")
        assert f"{app.theme}, until you leave." in notified(app)


# Signing out.


@pytest.mark.some_days
async def test_who_signs_out_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    worked(tmp_path)
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "P", "0", "D", "o")
        assert isinstance(app.screen, SignIn)
        await press(pilot, "escape")
        assert isinstance(app.screen, SignIn)
        assert [command.title for command in app.get_system_commands(app.screen)] == ["Colours"]
        app.screen.query_one("#name", Input).focus()
        await type_in(pilot, "zoe")
        assert isinstance(app.screen, Learn)
        assert app.session.seat.desk.name == "zoe"
        for place in "PD":
            await press(pilot, place)
            assert "zoe" in shown(app)
            assert "ada" not in shown(app).splitlines()[0]
        assert "Nothing yet." in words(app)
        await press(pilot, "P")
        assert isinstance(app.screen, Prove)
        assert app.screen.attempt.made == []


@pytest.mark.some_days
async def test_one_may_sign_out_and_in_again_and_again(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        for name in ("zoe", "ada"):
            await press(pilot, "D", "o")
            await type_in(pilot, name)
            assert app.session.seat.desk.name == name
        assert [student.name for student in app.session.store.students()] == ["ada", "zoe"]


# When nothing can be stored.


@pytest.mark.some_days
async def test_trouble_is_told_tried_again_and_signing_out_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, "textbook/or_comm")
    files = saved(app, monkeypatch)
    keep = type(app.session.store).keep

    def fail(*_: object) -> bool:
        raise StoreError("class.db cannot grow because the disk is full; make room and go on.")

    async with opened(app) as pilot:
        monkeypatch.setattr(type(app.session.store), "keep", fail)
        await press(pilot, "0", "D")
        assert "Not stored yet: class.db cannot grow" in words(app)
        await press(pilot, "o")
        assert isinstance(app.screen, Data)
        await press(pilot, "e")
        assert '"intro"' in files["ada-oasis.json"]
        await press(pilot, "s")
        assert "Not stored yet" in words(app)
        monkeypatch.setattr(type(app.session.store), "keep", keep)
        await press(pilot, "s")
        assert "Everything is stored now." in words(app)
        assert not app.session.seat.desk.trouble
        await press(pilot, "o")
        assert isinstance(app.screen, SignIn)
    with open_classroom(tmp_path / "class.db") as store:
        assert [row.events for row in store.attempts()] == [1]


async def test_a_desk_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = classroom(tmp_path)

    def fail(_: Desk) -> None:
        raise StoreError("class.db is damaged; put back a copy of it.")

    async with opened(app) as pilot:
        monkeypatch.setattr(Desk, "results", fail)
        await press(pilot, "D")
        assert "class.db is damaged; put back a copy of it." in words(app)


@pytest.mark.some_days
@pytest.mark.parametrize("key", ["", "i", "p", "t", "o"])
async def test_nothing_overflows_and_in_ascii_nothing_else_is_drawn(tmp_path: Path, key: str) -> None:
    worked(tmp_path)
    app = classroom(tmp_path, look=ASCII, preferences=Path("preferences.toml"), database=tmp_path / "class.db")
    async with opened(app) as pilot:
        await press(pilot, "D", *key)
        assert overflowing(app) == []
        if key == "p":
            await pilot.press(*"secret")
        assert shown(app).isascii(), [c for c in shown(app) if not c.isascii()]


@pytest.mark.some_days
async def test_of_who_has_signed_out_no_screen_stays_in_memory(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "P", "D")
        places = {place: app._screen_stacks[place] for place in ("learn", "prove", "data")}
        screens = [weakref.ref(screen) for stack in places.values() for screen in stack]
        del places
        await press(pilot, "o", *"zoe", "enter")
        assert app.session.seat.desk.name == "zoe"
        await settle(pilot)
        assert len(screens) == 3 and [screen() for screen in screens if screen() is not None] == []
