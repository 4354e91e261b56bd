"""An exam is had alone: whoever looks for a hint, an old proof or another lesson during one finds none."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk.progress import exercise
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out
from oasis.store import StoreError
from tactics.script import parse_script
from tests.classroom.people import local, sit
from tests.classroom.people import make as store_proof
from tests.tui.rooms import WIDE, WIDEST, attempt, classroom, make, notified, opened, press, said, settle, shown
from tests.tui.test_data import saved, words
from tests.tui.test_sign_in import fill_in
from tests.tui.test_teach import school, taught, taught_in
from tui.app import Classroom
from tui.screens.dialogs import SaveProof
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.proof import ProofRoom
from tui.screens.student_page import StudentPage
from tui.widgets.key_bar import KeyBar

pytestmark = pytest.mark.slow

PASSPHRASE = "open sesame"
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
WEEK = 'title = "Monday"\nlemmas = ["textbook/or_comm", "textbook/and_comm"]\n'
TERMS = 'hints = 0\nlight = false\nagent = "hidden"\nmoves = "type"\n'
EXAM = f'title = "Finals"\nexam = true\n{TERMS}lemmas = ["textbook/or_comm", "textbook/contraction"]\n'
BEFORE = 'title = "Finals"\nlemmas = ["textbook/contraction"]\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The file of a lesson, and that of what is no exam yet; ada has proved in the course what will be in it."""
    week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(WEEK)
    finals.write_text(BEFORE)
    with open_classroom(tmp_path / "class.db") as store:
        store_proof(sit(local(store, "ada"), exercise("textbook/or_comm")), PROOF)
    return week, finals


def during(folder: Path, files: tuple[Path, Path], lemma: str | None = None) -> Classroom:
    """The classroom of ada during the exam."""
    files[1].write_text(EXAM)
    return classroom(folder, lemma, lesson_files=files)


async def change(pilot: Pilot[None], app: Classroom, file: Path, text: str) -> None:
    """The teacher writes another lesson while the student is in."""
    file.write_text(text)
    app._follow()
    await settle(pilot)


def chapters(app: Classroom) -> str:
    listed = app.screen.query_one("#chapters", OptionList)
    return " ".join(str(option.prompt) for option in listed.options)


def commands(app: Classroom) -> set[str]:
    return {command.title for command in app.get_system_commands(app.screen)}


def footer(app: Classroom) -> set[str]:
    return {key.label for key in app.screen.query_one(KeyBar).keys}


# Who comes in during an exam.


async def test_a_student_has_the_exam_alone(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        assert "Finals" in chapters(app) and "Monday" not in chapters(app)
        assert app.screen.query_one("#chapters", OptionList).option_count == 1
        assert "This is an exam: the course, other lessons" in words(app)
        await press(pilot, "P")
        assert app.session.seat.exercise.place == "finals"
        assert {each.place for each in app.session.seat.others} == {"finals"}


async def test_work_of_before_is_neither_seen_nor_carried_in_or_out(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        exported = saved(app, monkeypatch)
        await press(pilot, "D")
        assert not {"Look back", "Take along", "Bring back"} & commands(app)
        assert "Look back" not in shown(app) and "In an exam nobody looks back" in words(app)
        for key in ("h", "e", "i"):
            await press(pilot, key)
            assert len(app.screen_stack) == 1
        for action in ("history", "export_work", "import_work"):
            await app.screen.run_action(action)
            await settle(pilot)
        assert len(app.screen_stack) == 1 and not exported
        listed = app.screen.query_one("#commands", OptionList)
        assert [option.id for option in listed.options] == ["passphrase", "theme", "sign_out"]


async def test_no_partner_shows_a_lemma_that_was_done_before(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "T")
        assert "there is no partner" in words(app)
        await press(pilot, "W", "n", "o", "H")
        assert "there is no partner" in words(app) and "at no price" not in words(app)
        assert app.session.seat.exercise.place == "finals"


async def test_a_finished_proof_is_not_saved_to_be_passed_on(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        written = saved(app, monkeypatch)
        await press(pilot, "P")
        await make(pilot, "intro; destruct_or H; right; assumption; left; assumption")
        assert attempt(app).proved
        await press(pilot, "w")
        assert isinstance(app.screen, Moment) and "Save" not in shown(app)
        await press(pilot, "e")
        assert isinstance(app.screen, Moment)
        await press(pilot, "escape")
        assert isinstance(app.screen, ProofRoom) and "Save" not in shown(app)
        await press(pilot, "e")
        await app.screen.run_action("save_proof")
        await settle(pilot)
        assert not isinstance(app.screen, SaveProof) and not written
        assert "In an exam proofs are not saved as files" in said(app)


async def test_a_hint_and_a_countermodel_are_not_to_be_had(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "P")
        await make(pilot, "intro")
        await press(pilot, "escape", "h", "h")
        assert "There are no hints in this exercise." in said(app)
        await press(pilot, "c")
        assert "c shows why only after x has said rightly" in said(app) and len(app.screen_stack) == 1
        assert not attempt(app).hints


async def test_after_the_last_lemma_of_an_exam_comes_no_other_one(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "P")
        await make(pilot, *map(str, PROOF))
        await press(pilot, "n")
        assert app.session.seat.exercise.name == "textbook/contraction"
        await make(pilot, "intro", "intro", "imply1 H", "imply1 H", "assumption")
        assert attempt(app).proved
        await press(pilot, "n")
        assert isinstance(app.screen, Learn) and chapters(app).count("2/2") == 1


async def test_a_lemma_that_the_classroom_is_opened_with_is_left_out(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files, "textbook/peirce")
    async with opened(app, WIDE):
        assert isinstance(app.screen, Learn)
        assert app.session.seat.exercise.place == "finals"


@pytest.mark.some_days
async def test_who_signs_out_and_in_again_has_the_exam_alone(tmp_path: Path, files: tuple[Path, Path]) -> None:
    files[1].write_text(EXAM)
    followed, handed = FollowedLessons(files), tmp_path / "handed"
    hand_out(followed, handed)
    app = classroom(tmp_path, account=None, handed_lessons=handed)
    async with opened(app, WIDE) as pilot:
        for again in ([PASSPHRASE], []):
            await fill_in(pilot, "zoe", PASSPHRASE, *again)
            assert chapters(app).startswith(app.session.look.mark("todo")) and "Monday" not in chapters(app)
            assert app.session.seat.exercise.place == "finals"
            await press(pilot, "D", "o")


# Who was in before it began.


async def test_an_old_proof_that_is_looked_at_goes_when_an_exam_begins(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    app = classroom(tmp_path, lesson_files=files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "D", "h")
        assert isinstance(app.screen, StudentPage)
        await press(pilot, "enter")
        assert isinstance(app.screen, History)
        await change(pilot, app, files[1], EXAM)
        assert isinstance(app.screen, Learn) and len(app.screen_stack) == 1
        assert "An exam begins: you have it alone." in notified(app)
        assert "Monday" not in chapters(app)
        await press(pilot, "D")
        assert len(app.screen_stack) == 1 and "Look back" not in commands(app)


async def test_a_form_for_old_work_goes_when_an_exam_begins(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = classroom(tmp_path, lesson_files=files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "D", "i")
        assert len(app.screen_stack) == 2
        await change(pilot, app, files[1], EXAM)
        assert isinstance(app.screen, Learn) and len(app.screen_stack) == 1


async def test_a_lemma_of_the_course_and_what_was_said_of_it_go_when_an_exam_begins(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    app = classroom(tmp_path, "textbook/de_morgan_not_or", lesson_files=files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "h", "h")
        assert attempt(app).hints
        told = said(app)
        await change(pilot, app, files[1], EXAM)
        assert isinstance(app.screen, Learn)
        await press(pilot, "P")
        assert app.session.seat.exercise.place == "finals"
        assert told not in shown(app) and told != said(app)


@pytest.mark.some_days
async def test_a_done_lemma_that_is_watched_goes_when_an_exam_begins(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = classroom(tmp_path, "textbook/de_morgan_not_or", lesson_files=files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "W", "n")
        assert "the lemma before you again" in words(app)
        await change(pilot, app, files[1], EXAM)
        await press(pilot, "W")
        assert "there is no partner" in words(app)


async def test_an_exercise_that_becomes_one_of_an_exam_has_its_terms(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = classroom(tmp_path, lesson_files=files)
    async with opened(app, WIDE) as pilot:
        lesson = app.session.lessons[1]
        app.session.seat.take(lesson.exercises_for("ada")[0])
        await press(pilot, "P")
        await make(pilot, "intro")
        assert attempt(app).terms.hints
        await change(pilot, app, files[1], EXAM)
        assert isinstance(app.screen, Learn)
        await press(pilot, "P")
        assert [str(move) for move in attempt(app).made] == ["intro"]
        assert not attempt(app).terms.hints and "Hint" not in footer(app)


async def test_more_time_leaves_a_student_where_they_are(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "P")
        await make(pilot, "intro")
        await change(pilot, app, files[1], f"due = 2040-01-01\n{EXAM}")
        assert app.screen.id != "learn" and not isinstance(app.screen, Learn)
        assert attempt(app).terms.due is not None
        assert [str(move) for move in attempt(app).made] == ["intro"]


async def test_who_could_not_be_sent_to_an_exam_at_once_is_sent_again(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, "textbook/peirce", lesson_files=files)

    def busy() -> bool:
        raise StoreError("The file is busy.")

    async with opened(app, WIDE) as pilot:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(app.session, "keep_to_exam", busy)
            await change(pilot, app, files[1], EXAM)
            assert "The file is busy." in notified(app)
        app._follow()
        await settle(pilot)
        assert isinstance(app.screen, Learn) and app.session.seat.exercise.place == "finals"


async def test_who_came_in_just_when_an_exam_began_has_it_alone_in_every_place(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    app = classroom(tmp_path, "textbook/peirce", lesson_files=files)
    async with opened(app, WIDE) as pilot:
        files[1].write_text(EXAM)
        app.session.following.renew()  # as if nobody had sat there yet
        await press(pilot, "T")
        assert app.session.seat.exercise.place == "finals"


async def test_after_an_exam_all_is_there_again(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        await change(pilot, app, files[1], BEFORE)
        assert "The exam is over, and all else is there again." in notified(app)
        assert "Monday" in chapters(app)
        await press(pilot, "D")
        assert {"Look back", "Take along", "Bring back"} <= commands(app)


# Its teacher, its keys, and its end.


async def test_the_teacher_sees_all_as_always(tmp_path: Path, files: tuple[Path, Path]) -> None:
    school(tmp_path).close()
    files[1].write_text(EXAM)
    async with taught(taught_in(tmp_path, lesson_files=files), "2", size=WIDEST) as pilot:
        lines = shown(pilot.app).splitlines()  # type: ignore[arg-type]
        assert [line for line in lines if "or_comm" in line and "Monday" in line]
        assert [line for line in lines if "or_comm" in line and "Finals" in line]


async def test_keys_that_can_do_nothing_in_an_exercise_are_not_named(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "P", "escape")
        assert not {"Hint", "Preview", "Rule"} & footer(app)
        assert {"Type", "List", "No proof"} <= footer(app)
        await press(pilot, "x", "x")
        assert attempt(app).wrong_claims == 1 and "No proof" not in footer(app)
        await press(pilot, "m", "m")
        assert "Preview" in footer(app) and "List" not in footer(app)


async def test_an_exam_whose_time_is_up_says_so_with_its_date_and_its_points(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    app = during(tmp_path, files)
    files[1].write_text(f"due = 2020-01-31T10:00:00\n{EXAM}")
    app.session.following.renew()
    async with opened(app, WIDE) as pilot:
        assert "It was due 2020-01-31 10:00: what is done now counts, and is late." in words(app)
        await press(pilot, "P", "escape")
        assert "worth 10 of 10 points; late, as it was due 2020-01-31 10:00" in shown(app)
        await make(pilot, *map(str, PROOF))
        assert "10 of 10 points; late, as it was due 2020-01-31 10:00." in said(app)
        await press(pilot, "L")
        assert "6 moves, late" in shown(app)


async def test_when_time_is_up_a_student_who_is_at_work_is_told(tmp_path: Path, files: tuple[Path, Path]) -> None:
    files[1].write_text(f"due = 2020-01-31T10:00:00\n{EXAM}")
    app = classroom(tmp_path, lesson_files=files)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "P")
        app._follow()
        await settle(pilot)
        assert "Time is up" not in notified(app)  # it was when the student came
        app.session._in_time = app.session.seat.exercise
        app._follow()
        app._follow()
        await settle(pilot)
        assert notified(app).count("Time is up: what is done from now on counts, and is late.") == 1
