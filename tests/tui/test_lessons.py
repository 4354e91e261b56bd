"""The lessons as they are seen, also when they change meanwhile; and an exam, which is had alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk.progress import exercise
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out
from oasis.classroom.lessons.lesson import Lesson
from oasis.store import StoreError
from tests.classroom.people import PROOF, local, sit
from tests.classroom.people import make as store_proof
from tests.tui.rooms import (
    WIDE,
    attempt,
    classroom,
    fill_in,
    follow,
    make,
    notified,
    opened,
    palette,
    press,
    said,
    saved,
    settle,
    shown,
    sitting,
    words,
)
from tests.tui.school import LESSON, MONDAY, OPEN_SESAME, school, sheet, teaching
from tui.app import Classroom
from tui.screens.dialogs import SaveProof
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.proof import ProofRoom
from tui.widgets.key_bar import KeyBar

pytestmark = pytest.mark.slow


ONE, TWO = 'title = "Monday"\nlemmas = ["textbook/or_comm"]', 'title = "Tuesday"\nlemmas = ["textbook/and_comm"]'
FINALS = 'title = "Finals"\nexam = true\nlemmas = ["textbook/or_comm", "textbook/contraction"]\n'


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """The file of a lesson."""
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    return path


async def test_a_student_sees_the_lesson_as_it_is_now_and_reads_why_one_cannot_be_read(
    tmp_path: Path, lesson: Path
) -> None:
    async with sitting(tmp_path, lesson_files=(lesson,)) as (app, pilot):
        assert "Monday" in shown(app)
        lesson.write_text(TWO)
        await follow(pilot)
        assert "The lessons have changed." in notified(app)
        assert "Tuesday" in shown(app) and "Monday" not in shown(app)
        lesson.write_text("lemmas = [")
        await follow(pilot)
        assert "A lesson cannot be read, so it stays as it was" in notified(app) and "Tuesday" in shown(app)
    assert not app.screen_stack
    app._follow()  # as timers do that were about to go off: who has ended is told of nothing
    app._tend()
    async with sitting(tmp_path, lesson_files=(lesson,)) as (app, _):
        assert "A lesson cannot be read" in notified(app)


async def test_a_place_that_is_still_being_made_is_told_of_nothing_and_shows_it_when_it_is_there(
    tmp_path: Path, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(tmp_path, lesson_files=(lesson,)) as (app, pilot):
        monkeypatch.setattr(app.session, "tend", lambda: True)
        lesson.write_text(TWO)
        app.add_mode("again", lambda: Learn(app.session))
        there = app.switch_mode("again")
        app._follow()
        app._tend()
        await there
        await follow(pilot)
        assert "The lessons have changed." in notified(app) and "Tuesday" in shown(app)


async def test_a_place_that_is_being_taken_down_is_told_of_nothing(
    tmp_path: Path, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(tmp_path, lesson_files=(lesson,)) as (app, _):
        monkeypatch.setattr(app.session, "tend", lambda: True)
        close, went_off = app._close_all, list[Screen[object]]()

        async def close_slowly() -> None:
            lesson.write_text(TWO)
            await app.screen.query("*").remove()  # as its end does, part by part, while timers go off
            app._tend()
            app._follow()
            went_off.append(app.screen)
            await close()

        monkeypatch.setattr(app, "_close_all", close_slowly)
    assert len(went_off) == 1


async def test_in_a_browser_nobody_but_the_teacher_is_told_of_a_broken_lesson(tmp_path: Path, lesson: Path) -> None:
    school(tmp_path).close()
    followed, handed = FollowedLessons([lesson]), tmp_path / "handed"
    hand_out(followed, handed)

    def change(text: str) -> None:
        lesson.write_text(text)
        followed.renew()
        hand_out(followed, handed)

    change("lemmas = [")
    student, teacher = (classroom(tmp_path, account=None, handed_lessons=handed) for _ in range(2))
    async with opened(student, WIDE) as pilot:
        assert notified(student) == "" and "week.toml" not in shown(student)
        await fill_in(pilot, "zoe", OPEN_SESAME, OPEN_SESAME)
        assert "Monday" in shown(student)
        for text in (ONE, "lemmas = {"):
            change(text)
            await follow(pilot)
        assert notified(student) == ""
    async with opened(teacher, WIDE) as pilot:
        await pilot.click("#other-door")
        await settle(pilot)
        assert "week.toml" not in shown(teacher)
        await fill_in(pilot, OPEN_SESAME)
        await follow(pilot)
        assert "A lesson cannot be read, so it stays as it was:" in shown(teacher)
        change(TWO)
        await follow(pilot)
        assert "A lesson cannot be read" not in shown(teacher)


async def test_the_class_is_asked_what_the_lesson_asks_for_now_also_while_a_student_is_looked_at(
    tmp_path: Path, lesson: Path
) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, "2", "l", lesson_files=(lesson,)) as (app, pilot):
        assert "and_comm" not in shown(app)
        assert "alone" not in shown(app) and "One lesson" not in palette(app), "there is but one"
        lesson.write_text(TWO)
        await follow(pilot)
        assert [line.split()[2] for line in shown(app).splitlines() if line.startswith(" and_comm")] == ["0/2"]
        await press(pilot, "1", "enter")
        lesson.write_text(MONDAY)
        await follow(pilot)
        await press(pilot, "escape")
        assert "of 4 problems done" in shown(app)


async def test_the_lesson_is_checked_and_its_shortest_proofs_are_shown(tmp_path: Path) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, "4", lessons=(Lesson.parse(LESSON, "week.toml", "week", tmp_path),)) as (app, pilot):
        lines = shown(app).splitlines()
        assert [line.split()[1:3] for line in lines if line.startswith(" and_comm")] == [["provable", "5"]]
        assert any("not with these tactics" in line for line in lines)
        assert "Both: 2 of 3 exercises cannot be given like this." in shown(app)
        await press(pilot, "down")
        assert "It has no proof; take another lemma" in shown(app)
        await press(pilot, "enter")
        assert "Tactics: intro, assumption, split, destruct_and." in shown(app) and "● true" in shown(app)


async def test_one_of_several_lessons_exam_or_not_is_looked_at_alone_and_so_is_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    files = week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(MONDAY)
    finals.write_text(FINALS)
    async with teaching(tmp_path, "2", lesson_files=files) as (app, pilot):
        exported = saved(app, monkeypatch)

        def places() -> set[str]:
            return {row.problem.place for row in sheet(app, "problems")._given}

        rows = [line.split()[:2] for line in shown(app).splitlines() if "or_comm" in line]
        assert ["or_comm", "Monday"] in rows and ["or_comm", "Finals"] in rows
        assert places() == {"week", "finals", "cases"}
        await press(pilot, "l")
        assert places() == {"week"} and "Monday alone: " in shown(app)
        await press(pilot, "l", "s", "c", "p")
        assert places() == {"finals"} and "Finals alone: " in shown(app)
        assert {line.split(",")[1] for line in exported["students.csv"].splitlines()[1:]} == {"finals"}
        assert {line.split(",")[0] for line in exported["problems.csv"].splitlines()[1:]} == {"finals"}
        finals.write_text(FINALS.replace("Finals", "Finale"))
        await follow(pilot)
        assert places() == {"finals"} and "Finale alone: " in shown(app)
        await press(pilot, "l")
        assert places() == {"week", "finals", "cases"} and "alone" not in shown(app)


TERMS = 'hints = 0\nlight = false\nagent = "hidden"\nmoves = "type"\n'
EXAM = f'title = "Finals"\nexam = true\n{TERMS}lemmas = ["textbook/or_comm", "textbook/contraction"]\n'
BEFORE = 'title = "Finals"\nlemmas = ["textbook/contraction"]\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The file of a lesson, and that of what is no exam yet; ada has proved in the course what will be in it."""
    week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(MONDAY)
    finals.write_text(BEFORE)
    with open_classroom(tmp_path / "class.db") as store:
        store_proof(sit(local(store, "ada"), exercise("textbook/or_comm")), PROOF)
    return week, finals


def during(folder: Path, files: tuple[Path, Path], lemma: str | None = None) -> Classroom:
    """The classroom of ada during the exam."""
    files[1].write_text(EXAM)
    return classroom(folder, lemma, lesson_files=files)


async def change(pilot: Pilot[None], file: Path, text: str) -> None:
    """The teacher writes another lesson while the student is in."""
    file.write_text(text)
    await follow(pilot)


def chapters(app: Classroom) -> str:
    listed = app.screen.query_one("#chapters", OptionList)
    return " ".join(str(option.prompt) for option in listed.options)


def footer(app: Classroom) -> set[str]:
    return {key.label for key in app.screen.query_one(KeyBar).keys}


# Who comes in during an exam.


async def test_a_student_has_the_exam_alone_without_partners_and_without_work_of_before(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = during(tmp_path, files, "textbook/peirce")
    async with opened(app, WIDE) as pilot:
        exported = saved(app, monkeypatch)
        assert isinstance(app.screen, Learn), "the lemma that it is opened with is left out"
        assert "Finals" in chapters(app) and "Monday" not in chapters(app)
        assert app.screen.query_one("#chapters", OptionList).option_count == 1
        assert "This is an exam: the course, other lessons" in words(app)
        assert {each.place for each in (app.session.seat.exercise, *app.session.seat.others)} == {"finals"}
        for keys in (("T", "escape"), ("W", "n", "o", "H")):
            await press(pilot, *keys)
            assert "there is no partner" in words(app) and "at no price" not in words(app)
        assert app.session.seat.exercise.place == "finals"
        await press(pilot, "D")
        assert not {"Look back", "Take along", "Bring back"} & palette(app)
        assert "Look back" not in shown(app) and "In an exam nobody looks back" in words(app)
        await press(pilot, "h", "e", "i")
        for action in ("history", "export_work", "import_work"):
            await app.screen.run_action(action)
            await settle(pilot)
        assert len(app.screen_stack) == 1 and not exported
        listed = app.screen.query_one("#commands", OptionList)
        assert [option.id for option in listed.options] == ["passphrase", "theme", "sign_out"]


async def test_no_hint_is_to_be_had_no_proof_is_saved_to_be_passed_on_and_after_the_last_lemma_comes_no_other(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = during(tmp_path, files)
    async with opened(app, WIDE) as pilot:
        written = saved(app, monkeypatch)
        await press(pilot, "P")
        await make(pilot, "intro")
        await press(pilot, "escape", "h", "h")
        assert "There are no hints in this exercise." in said(app) and not attempt(app).hints
        await press(pilot, "c")
        assert "c shows why only after x has said rightly" in said(app) and len(app.screen_stack) == 1
        await make(pilot, *map(str, PROOF[1:]))
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
        await press(pilot, "n")
        assert app.session.seat.exercise.name == "textbook/contraction"
        await make(pilot, "intro", "intro", "imply1 H", "imply1 H", "assumption")
        assert attempt(app).proved
        await press(pilot, "n")
        assert isinstance(app.screen, Learn) and chapters(app).count("2/2") == 1


# Who was in before it began.


async def test_old_proofs_and_forms_for_them_go_when_an_exam_begins_and_come_back_after_it(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    async with sitting(tmp_path, lesson_files=files, size=WIDE) as (app, pilot):
        await press(pilot, "D", "h", "enter")
        assert isinstance(app.screen, History)
        await change(pilot, files[1], EXAM)
        assert isinstance(app.screen, Learn) and len(app.screen_stack) == 1
        assert "An exam begins: you have it alone." in notified(app) and "Monday" not in chapters(app)
        await press(pilot, "D")
        assert len(app.screen_stack) == 1 and "Look back" not in palette(app)
        await change(pilot, files[1], BEFORE)
        assert "The exam is over, and all else is there again." in notified(app)
        assert {"Look back", "Take along", "Bring back"} <= palette(app)
        await press(pilot, "L")
        assert "Monday" in chapters(app)
        await press(pilot, "D", "i")
        assert len(app.screen_stack) == 2
        await change(pilot, files[1], EXAM)
        assert isinstance(app.screen, Learn) and len(app.screen_stack) == 1


async def test_a_lemma_of_the_course_what_was_said_of_it_and_a_done_one_that_is_watched_go_when_an_exam_begins(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    async with sitting(tmp_path, "textbook/de_morgan_not_or", lesson_files=files, size=WIDE) as (app, pilot):
        await press(pilot, "h", "h")
        assert attempt(app).hints
        told = said(app)
        await press(pilot, "W", "n")
        assert "the lemma before you again" in words(app)
        await change(pilot, files[1], EXAM)
        await press(pilot, "W")
        assert "there is no partner" in words(app)
        await press(pilot, "P")
        assert app.session.seat.exercise.place == "finals" and told not in shown(app) and told != said(app)


async def test_an_exercise_that_becomes_one_of_an_exam_has_its_terms_and_more_time_leaves_a_student_there(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    async with sitting(tmp_path, lesson_files=files, size=WIDE) as (app, pilot):
        app.session.seat.take(app.session.lessons[1].exercises_for("ada")[0])
        await press(pilot, "P")
        await make(pilot, "intro")
        assert attempt(app).terms.hints
        await change(pilot, files[1], EXAM)
        assert isinstance(app.screen, Learn)
        await press(pilot, "P")
        assert not attempt(app).terms.hints and "Hint" not in footer(app)
        await change(pilot, files[1], f"due = 2040-01-01\n{EXAM}")
        assert not isinstance(app.screen, Learn) and attempt(app).terms.due is not None
        assert [str(move) for move in attempt(app).made] == ["intro"]


async def test_who_could_not_be_sent_to_an_exam_at_once_is_sent_again_or_finds_it_wherever_they_go(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, "textbook/peirce", lesson_files=files)

    def busy() -> bool:
        raise StoreError("The file is busy.")

    async with opened(app, WIDE) as pilot:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(app.session, "keep_to_exam", busy)
            await change(pilot, files[1], EXAM)
            assert "The file is busy." in notified(app)
        await follow(pilot)
        assert isinstance(app.screen, Learn) and app.session.seat.exercise.place == "finals"
        await change(pilot, files[1], BEFORE)
        app.session.seat.take(exercise("textbook/or_comm"))
        files[1].write_text(EXAM)
        app.session.following.renew()  # as if nobody had sat there yet
        await press(pilot, "T")
        assert app.session.seat.exercise.place == "finals"


# Its end.


async def test_when_time_is_up_a_student_is_told_once_points_and_date_say_so_and_keys_name_what_they_can_do(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    files[1].write_text(f"due = 2020-01-31T10:00:00\n{EXAM}")
    async with sitting(tmp_path, lesson_files=files, size=WIDE) as (app, pilot):
        assert "It was due 2020-01-31 10:00: what is done now counts, and is late." in words(app)
        await press(pilot, "P", "escape")
        assert not {"Hint", "Preview", "Rule"} & footer(app) and {"Type", "List", "No proof"} <= footer(app)
        await follow(pilot)
        assert "Time is up" not in notified(app), "it was when the student came"
        app.session._in_time = app.session.seat.exercise
        for _ in range(2):
            await follow(pilot)
        assert notified(app).count("Time is up: what is done from now on counts, and is late.") == 1
        assert "worth 10 of 10 points; late, as it was due 2020-01-31 10:00" in shown(app)
        await make(pilot, *map(str, PROOF))
        assert "10 of 10 points; late, as it was due 2020-01-31 10:00." in said(app)
        await press(pilot, "L")
        assert "6 moves, late" in shown(app)
        await press(pilot, "P", "n", "escape", "x", "x", "m", "m")
        assert attempt(app).wrong_claims == 1 and not {"No proof", "List"} & footer(app) and "Preview" in footer(app)
