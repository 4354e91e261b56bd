"""Where a class fails, what its teacher sends to those students and leaves at attempts, and what they see of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from oasis.classroom.clock import now
from oasis.classroom.desk.notes import written
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.register.register import Register
from oasis.classroom.register.results import results_json
from oasis.store import KeptTab, Store
from tactics.goal import Move
from tests.classroom.people import OR_COMM, Sitting, local, make, or_comm, sit
from tests.tui.rooms import sitting
from tests.tui.school import LESSON, school, teaching
from tui.screens.failing_page import FailingPage
from tui.screens.note_forms import LeaveNote, SendNote
from tui.screens.teach import Teach

pytestmark = pytest.mark.slow
LATER = (datetime.now(UTC) + timedelta(hours=9)).isoformat(timespec="milliseconds")
"""When tabs were seen open, so that they are open however long a test takes."""


def present(store: Store, name: str) -> None:
    """Have a student's tab open, at what they took up last."""
    desk = local(store, name)
    newest = max(store.attempts(desk.student.id), key=lambda each: each.kept.changed)
    tab = KeptTab(name, "", desk.student.id, now(), now(), LATER, attempt=newest.kept.uuid)
    store.open_tab(tab)
    store.renew_tab(tab)


def losing(store: Store, name: str, letters: str) -> Sitting:
    """Have a student lose the proof of `OR_COMM` in some letters, with a tab open."""
    attempt = sit(local(store, name), or_comm(letters))
    make(attempt, (Move("intro"), Move("left")))
    present(store, name)
    return attempt


async def test_the_state_at_which_students_fail_is_shown_as_long_as_they_do(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        sit(local(store, "[b]eve"), OR_COMM)
        present(store, "[b]eve")
        zoe = losing(store, "zoe", "uv")
        async with teaching(tmp_path, "5") as ada:
            assert "2 3 2 x left loses the proof H : p ∨ q ⊢ q ∨ p" in ada.words
            assert isinstance(await ada.opens("enter"), FailingPage)
            assert "2 students fail at this state now: [b]eve (or_comm, now), zoe (or_comm, now)" in ada.words
            assert "does not apply" in ada.words and ada.sheet("tried").row_count == 2
            zoe.undo()
            zoe.make(Move("destruct_or", "H"))
            ada.screen.renew()  # type: ignore[attr-defined]
            await ada.settle()
            assert "1 student fails at this state now: [b]eve" in ada.words
            assert isinstance(await ada.opens("escape"), Teach) and ada.sheet("failing").row_count == 1
            store.end_tabs(local(store, "[b]eve").student.id)
            assert "Nobody is failing now." in await ada.reads("g")


async def test_what_is_sent_goes_to_those_who_fail_there_and_to_nobody_else(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        losing(store, "zoe", "uv")
        losing(store, "eve", "ab")
        async with teaching(tmp_path, "5", "enter") as ada:
            form = await ada.opens("s")
            assert isinstance(form, SendNote) and "This goes to zoe and eve, and stands" in ada.words
            await ada.fill_in("", "")
            assert "Nothing is written yet; write something first." in ada.words
            await ada.fill_in("Which of the two do you know?", "half : p -> p \\/ q")
            assert isinstance(ada.screen, FailingPage)
            assert "Sent to 2 students, and to nobody else." in ada.notified
        names = {student.id: student.name for student in store.students()}
        notes = [(names[note.student], note.text, note.lemma) for note in store.notes()]
        assert notes == [(name, "Which of the two do you know?", "half") for name in ("zoe", "eve")]


async def test_a_student_is_told_until_it_is_read_and_finds_the_lemma_among_the_lessons(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        register = Register(store)
        async with sitting(tmp_path, account="bob") as bob:
            register.send(["[b]eve"], written("Not for bob."))
            register.send(["bob"], written("Look at the disjunction."))
            await bob.until(lambda: "Your teacher: Look at the disjunction. (M: read)" in bob.words)
            register.send(["bob"], written("", "half : p -> p \\/ q"))
            await bob.until(lambda: "(M: read; 1 more)" in bob.words)
            assert "From the teacher" in bob.words and "Not for bob" not in bob.words
        async with sitting(tmp_path, account="bob") as bob:
            await bob.until(lambda: "Look at the disjunction." in bob.words)
            await bob.keys("P")
            assert "Your teacher: Prove p → p ∨ q: see From the teacher in Learn. (M: read)" in await bob.reads("M")
            assert "Your teacher" not in await bob.reads("M")
            bob.prove(bob.session.sent(bob.seat.desk)[0])
            assert "From the teacher 1/1" in await bob.reads("L")
        assert all(note.read for note in store.notes(local(store, "bob").student.id))
        async with sitting(tmp_path, account="bob") as bob:
            assert "Your teacher" not in bob.words


async def test_in_an_exam_a_sentence_may_be_sent_and_is_known_for_that(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        losing(store, "eve", "ab")
        exam = Lesson.parse(f"exam = true\n{LESSON}", "exam.toml", "exam", tmp_path)
        async with teaching(tmp_path, "5", "enter", "s", lessons=(exam,)) as ada:
            assert "the results say that you wrote this in it" in ada.words
            await ada.fill_in("Read it again.", "textbook/and_comm")
            assert "Students have the exam alone; send a sentence now" in ada.words
            ada.screen.query_one("#note-lemma").value = ""  # type: ignore[attr-defined]
            await ada.keys("tab", "enter")
        assert [(note.text, note.exam) for note in store.notes()] == [("Read it again.", 1)]


async def test_a_word_at_a_move_is_told_to_its_student_and_stands_there_for_both(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        register = Register(store)
        async with teaching(tmp_path, "down", "enter", "enter", "down") as ada:
            assert isinstance(await ada.opens("w"), LeaveNote) and "at 1: made intro." in ada.words
            await ada.fill_in("Well begun.")
            assert "Teacher: Well begun." in ada.words and "1 note of the teacher" in ada.words
        (noted,) = results_json(register, "student", register.mistakes)["notes"]
        assert (noted["student"], noted["text"], noted["attempt"]["moment"]) == ("bob", "Well begun.", 1)
        async with sitting(tmp_path, account="bob") as bob:
            await bob.until(lambda: "Your teacher: On your attempt at textbook/or_comm: Well begun." in bob.words)
            assert "Teacher: Well begun." in await bob.reads("D", "h", "enter")
            assert "1 note of the teacher" in bob.words and "Write" not in bob.footer
