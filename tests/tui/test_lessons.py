"""The lessons as they are seen, also when they change meanwhile; and an exam, which is had alone."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk.progress import exercise
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out
from oasis.classroom.lessons.lesson import Lesson
from oasis.store import StoreError
from tests.classroom.people import PROOF, local, sit
from tests.classroom.people import make as store_proof
from tests.tui.rooms import WIDE, Person, sitting
from tests.tui.school import LESSON, MONDAY, OPEN_SESAME, school, teaching
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.proof import ProofRoom
from tui.widgets.key_bar import KeyBar

pytestmark = pytest.mark.slow


ONE, TWO = 'title = "Monday"\nlemmas = ["textbook/or_comm"]', 'title = "Tuesday"\nlemmas = ["textbook/and_comm"]'
TERMS = 'hints = 0\nlight = false\nagent = "hidden"\nmoves = "type"\n'
EXAM = f'title = "Finals"\nexam = true\n{TERMS}lemmas = ["textbook/or_comm", "textbook/contraction"]\n'
BEFORE = 'title = "Finals"\nlemmas = ["textbook/contraction"]\n'


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """The file of a lesson."""
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    return path


async def change(ada: Person, file: Path, text: str) -> None:
    """The teacher writes another lesson while somebody is in."""
    file.write_text(text)
    await ada.follow()


async def test_a_student_sees_the_lesson_as_it_is_now_and_why_one_cannot_be_read(tmp_path: Path, lesson: Path) -> None:
    async with sitting(tmp_path, lesson_files=(lesson,)) as ada:
        assert "Monday" in ada.shown
        await change(ada, lesson, TWO)
        assert "The lessons have changed." in ada.notified
        assert "Tuesday" in ada.shown and "Monday" not in ada.shown
        await change(ada, lesson, "lemmas = [")
        assert "A lesson cannot be read, so it stays as it was" in ada.notified and "Tuesday" in ada.shown
    assert not ada.app.screen_stack
    ada.app._follow()  # as timers do that were about to go off: who has ended is told of nothing
    ada.app._tend()
    async with sitting(tmp_path, lesson_files=(lesson,)) as ada:
        assert "A lesson cannot be read" in ada.notified


async def test_a_place_that_is_still_being_made_shows_the_lesson_when_it_is_there(
    tmp_path: Path, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(tmp_path, lesson_files=(lesson,)) as ada:
        monkeypatch.setattr(ada.session, "tend", lambda: True)
        lesson.write_text(TWO)
        ada.app.add_mode("again", lambda: Learn(ada.session))
        there = ada.app.switch_mode("again")
        ada.app._follow()
        ada.app._tend()
        await there
        await ada.follow()
        assert "The lessons have changed." in ada.notified and "Tuesday" in ada.shown


async def test_in_a_browser_nobody_but_the_teacher_is_told_of_a_broken_lesson(tmp_path: Path, lesson: Path) -> None:
    school(tmp_path).close()
    followed, handed = FollowedLessons([lesson]), tmp_path / "handed"
    hand_out(followed, handed)

    def change(text: str) -> None:
        lesson.write_text(text)
        followed.renew()
        hand_out(followed, handed)

    change("lemmas = [")
    setup: dict[str, Any] = {"account": None, "handed_lessons": handed}
    async with sitting(tmp_path, size=WIDE, **setup) as ada:
        assert ada.notified == "" and "week.toml" not in ada.shown
        await ada.fill_in("zoe", OPEN_SESAME, OPEN_SESAME)
        assert "Monday" in ada.shown
        change("lemmas = {")
        await ada.follow()
        assert ada.notified == ""
    async with sitting(tmp_path, size=WIDE, **setup) as ada:
        await ada.click("#other-door")
        await ada.settle()
        assert "week.toml" not in ada.shown
        await ada.fill_in(OPEN_SESAME)
        await ada.follow()
        assert "A lesson cannot be read, so it stays as it was:" in ada.shown
        change(TWO)
        await ada.follow()
        assert "A lesson cannot be read" not in ada.shown


async def test_the_class_is_asked_what_the_lesson_asks_for_now(tmp_path: Path, lesson: Path) -> None:
    async with teaching(tmp_path, "2", "l", lesson_files=(lesson,)) as ada:
        assert "and_comm" not in ada.shown
        assert "alone" not in ada.shown and "One lesson" not in ada.palette, "there is but one"
        lesson.write_text(TWO)
        await ada.follow()
        assert [line.split()[2] for line in ada.shown.splitlines() if line.startswith(" and_comm")] == ["0/2"]
        await ada.keys("1", "enter")
        lesson.write_text(MONDAY)
        await ada.follow()
        await ada.keys("escape")
        assert "of 4 problems done" in ada.shown


async def test_the_lesson_is_checked_and_its_shortest_proofs_are_shown(tmp_path: Path) -> None:
    async with teaching(tmp_path, "4", lessons=(Lesson.parse(LESSON, "week.toml", "week", tmp_path),)) as ada:
        lines = ada.shown.splitlines()
        assert [line.split()[1:3] for line in lines if line.startswith(" and_comm")] == [["provable", "5"]]
        assert any("not with these tactics" in line for line in lines)
        assert "Both: 2 of 3 exercises cannot be given like this." in ada.shown
        await ada.keys("down")
        assert "It has no proof; take another lemma" in ada.shown
        await ada.keys("enter")
        assert "Tactics: intro, assumption, split, destruct_and." in ada.shown and "● true" in ada.shown


async def test_one_of_several_lessons_is_looked_at_alone_and_so_is_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(MONDAY)
    finals.write_text(EXAM)
    async with teaching(tmp_path, "2", lesson_files=files) as ada:
        exported = ada.saves(monkeypatch)

        def places() -> set[str]:
            return {row.problem.place for row in ada.sheet("problems")._given}

        rows = [line.split()[:2] for line in ada.shown.splitlines() if "or_comm" in line]
        assert ["or_comm", "Monday"] in rows and ["or_comm", "Finals"] in rows
        assert places() == {"week", "finals", "cases"}
        await ada.keys("l")
        assert places() == {"week"} and "Monday alone: " in ada.shown
        await ada.keys("l", "s", "c", "p")
        assert places() == {"finals"} and "Finals alone: " in ada.shown
        assert {line.split(",")[1] for line in exported["students.csv"].splitlines()[1:]} == {"finals"}
        assert {line.split(",")[0] for line in exported["problems.csv"].splitlines()[1:]} == {"finals"}
        finals.write_text(EXAM.replace("Finals", "Finale"))
        await ada.follow()
        assert places() == {"finals"} and "Finale alone: " in ada.shown
        await ada.keys("l")
        assert places() == {"week", "finals", "cases"} and "alone" not in ada.shown


# An exam.


@pytest.fixture
def finals(tmp_path: Path) -> Path:
    """The file of what is no exam yet; ada has proved in the course what will be in it."""
    (tmp_path / "week.toml").write_text(MONDAY)
    with open_classroom(tmp_path / "class.db") as store:
        store_proof(sit(local(store, "ada"), exercise("textbook/or_comm")), PROOF)
    path = tmp_path / "finals.toml"
    path.write_text(BEFORE)
    return path


def attending(folder: Path, lemma: str | None = None) -> AbstractAsyncContextManager[Person]:
    """Ada in a class that has a lesson and finals."""
    return sitting(folder, lemma, WIDE, lesson_files=(folder / "week.toml", folder / "finals.toml"))


def chapters(ada: Person) -> str:
    listed = ada.screen.query_one("#chapters", OptionList)
    return " ".join(str(option.prompt) for option in listed.options)


def footer(ada: Person) -> set[str]:
    return {key.label for key in ada.screen.query_one(KeyBar).keys}


async def test_a_student_has_the_exam_alone_without_partners_and_without_work_of_before(
    tmp_path: Path, finals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finals.write_text(EXAM)
    async with attending(tmp_path, "textbook/peirce") as ada:
        exported = ada.saves(monkeypatch)
        assert isinstance(ada.screen, Learn), "the lemma that it is opened with is left out"
        assert "Finals" in chapters(ada) and ada.screen.query_one("#chapters", OptionList).option_count == 1
        assert "This is an exam: the course, other lessons" in ada.words
        for keys in (("T", "escape"), ("W", "n", "o", "H")):
            await ada.keys(*keys)
            assert "there is no partner" in ada.words and "at no price" not in ada.words
        assert {each.place for each in (ada.seat.exercise, *ada.seat.others)} == {"finals"}
        await ada.keys("D")
        assert not {"Look back", "Take along", "Bring back"} & ada.palette
        assert "Look back" not in ada.shown and "In an exam nobody looks back" in ada.words
        await ada.keys("h", "e", "i")
        for action in ("history", "export_work", "import_work"):
            await ada.screen.run_action(action)
            await ada.settle()
        assert len(ada.app.screen_stack) == 1 and not exported
        listed = ada.screen.query_one("#commands", OptionList)
        assert [option.id for option in listed.options] == ["passphrase", "theme", "sign_out"]


async def test_in_an_exam_no_hint_is_to_be_had_no_proof_is_saved_and_after_the_last_lemma_comes_no_other(
    tmp_path: Path, finals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finals.write_text(EXAM)
    async with attending(tmp_path) as ada:
        written = ada.saves(monkeypatch)
        await ada.keys("P")
        await ada.make("intro")
        await ada.keys("escape", "h", "h")
        assert "There are no hints in this exercise." in ada.told and not ada.attempt.hints
        await ada.keys("c")
        assert "c shows why only after x has said rightly" in ada.told and len(ada.app.screen_stack) == 1
        await ada.make(*map(str, PROOF[1:]))
        await ada.keys("w", "e")
        assert isinstance(ada.screen, Moment) and "Save" not in ada.shown
        await ada.keys("escape", "e")
        assert isinstance(ada.screen, ProofRoom) and "Save" not in ada.shown
        await ada.screen.run_action("save_proof")
        await ada.settle()
        assert isinstance(ada.screen, ProofRoom) and not written
        assert "In an exam proofs are not saved as files" in ada.told
        await ada.keys("n")
        assert ada.seat.exercise.name == "textbook/contraction"
        await ada.make("intro", "intro", "imply1 H", "imply1 H", "assumption")
        await ada.keys("n")
        assert isinstance(ada.screen, Learn) and chapters(ada).count("2/2") == 1


async def test_old_proofs_and_forms_for_them_go_when_an_exam_begins_and_come_back_after_it(
    tmp_path: Path, finals: Path
) -> None:
    async with attending(tmp_path) as ada:
        await ada.keys("D", "h", "enter")
        assert isinstance(ada.screen, History)
        await change(ada, finals, EXAM)
        assert isinstance(ada.screen, Learn) and len(ada.app.screen_stack) == 1
        assert "An exam begins: you have it alone." in ada.notified and "Monday" not in chapters(ada)
        await ada.keys("D")
        assert len(ada.app.screen_stack) == 1 and "Look back" not in ada.palette
        await change(ada, finals, BEFORE)
        assert "The exam is over, and all else is there again." in ada.notified
        assert {"Look back", "Take along", "Bring back"} <= ada.palette
        await ada.keys("L")
        assert "Monday" in chapters(ada)
        await ada.keys("D", "i")
        assert len(ada.app.screen_stack) == 2
        await change(ada, finals, EXAM)
        assert isinstance(ada.screen, Learn) and len(ada.app.screen_stack) == 1


async def test_what_was_said_and_watched_goes_when_an_exam_begins_and_its_exercises_have_its_terms(
    tmp_path: Path, finals: Path
) -> None:
    async with attending(tmp_path, "textbook/de_morgan_not_or") as ada:
        await ada.keys("h", "h")
        assert ada.attempt.hints
        told = ada.told
        await ada.keys("W", "n")
        assert "the lemma before you again" in ada.words
        await change(ada, finals, EXAM)
        await ada.keys("W")
        assert "there is no partner" in ada.words
        await ada.keys("P")
        assert ada.seat.exercise.place == "finals" and told not in ada.shown and told != ada.told
        await change(ada, finals, BEFORE)
        ada.seat.take(ada.session.lessons[1].exercises_for("ada")[0])
        await ada.keys("P")
        await ada.make("intro")
        assert ada.attempt.terms.hints
        await change(ada, finals, EXAM)
        assert isinstance(ada.screen, Learn)
        await ada.keys("P")
        assert not ada.attempt.terms.hints and "Hint" not in footer(ada)
        await change(ada, finals, f"due = 2040-01-01\n{EXAM}")
        assert not isinstance(ada.screen, Learn), "more time leaves a student there"
        assert ada.attempt.terms.due is not None and [str(move) for move in ada.attempt.made] == ["intro"]


async def test_who_could_not_be_sent_to_an_exam_at_once_is_sent_again_or_finds_it_wherever_they_go(
    tmp_path: Path, finals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy() -> bool:
        raise StoreError("The file is busy.")

    async with attending(tmp_path, "textbook/peirce") as ada:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(ada.session, "keep_to_exam", busy)
            await change(ada, finals, EXAM)
            assert "The file is busy." in ada.notified
        await ada.follow()
        assert isinstance(ada.screen, Learn) and ada.seat.exercise.place == "finals"
        await change(ada, finals, BEFORE)
        ada.seat.take(exercise("textbook/or_comm"))
        finals.write_text(EXAM)
        ada.session.following.renew()  # as if nobody had sat there yet
        await ada.keys("T")
        assert ada.seat.exercise.place == "finals"


async def test_when_time_is_up_a_student_is_told_once_and_points_and_date_say_so(tmp_path: Path, finals: Path) -> None:
    finals.write_text(f"due = 2020-01-31T10:00:00\n{EXAM}")
    async with attending(tmp_path) as ada:
        assert "It was due 2020-01-31 10:00: what is done now counts, and is late." in ada.words
        await ada.keys("P", "escape")
        assert not {"Hint", "Preview", "Rule"} & footer(ada) and {"Type", "List", "No proof"} <= footer(ada)
        await ada.follow()
        assert "Time is up" not in ada.notified, "it was when the student came"
        ada.session._in_time = ada.seat.exercise
        for _ in range(2):
            await ada.follow()
        assert ada.notified.count("Time is up: what is done from now on counts, and is late.") == 1
        assert "worth 10 of 10 points; late, as it was due 2020-01-31 10:00" in ada.shown
        await ada.make(*map(str, PROOF))
        assert "10 of 10 points; late, as it was due 2020-01-31 10:00." in ada.told
        await ada.keys("L")
        assert "6 moves, late" in ada.shown
        await ada.keys("P", "n", "escape", "x", "x", "m", "m")
        assert ada.attempt.wrong_claims == 1 and not {"No proof", "List"} & footer(ada) and "Preview" in footer(ada)
