"""Learn and the lessons, also when they change meanwhile; how one gets to a first proof; and an exam, had alone."""

import re
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from curricula.course import course
from oasis.classroom import clock
from oasis.classroom.admission import open_classroom, set_teacher_passphrase
from oasis.classroom.desk.progress import exercise, exercises
from oasis.classroom.lessons.exams import give
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.classroom.people import PROOF, local, sit
from tests.classroom.people import make as store_proof
from tests.tui.rooms import ASCII, NARROW, WIDE, Person, sitting
from tests.tui.school import LESSON, MONDAY, OPEN_SESAME, busy, school, teaching
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.moment import Moment
from tui.screens.proof import ProofRoom
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn

pytestmark = pytest.mark.slow


def week_of(folder: Path, text: str) -> Lesson:
    return Lesson.parse(text, "week_1.toml", "week_1", folder)


def both(ada: Person) -> str:
    """Return the texts above and below the lemmas."""
    lines = [ada.screen.query_one(f"#{name}").render() for name in ("about", "how")]
    return " ".join(" ".join(str(line) for line in lines).split())


async def test_from_nothing_to_the_first_proof_in_three_keys_and_on_to_the_next_world(tmp_path: Path) -> None:
    tasks = exercises("arrows")
    async with sitting(tmp_path) as ada:
        assert "Enter begins the lemma under the cursor" in ada.shown
        assert "Both (opens after If and then)" in await ada.sees("left", "down")
        assert not isinstance(await ada.opens("enter", "enter"), Prove), "it lets nobody in"
        await ada.keys("left", "up", "right", "enter", "0", "0")
        assert isinstance(ada.screen, Prove) and "proved in 2 moves" in ada.shown
        assert "p → q → p" in await ada.sees("n") and ada.seat.exercise == tasks[1]
        assert re.search(r"✓  1 p → p +2 moves +10/10", await ada.sees("L"))
        assert f"1/{len(tasks)}" in ada.shown and ada.screen.query_one("#lemmas", OptionList).highlighted == 1
        for exercise in tasks[1:-2]:
            ada.prove(exercise)
        await ada.keys("P", "escape", "L", "left", "down", "enter", "enter")
        assert isinstance(ada.screen, Prove), "all but two of the world before are done"
        assert ada.seat.exercise == exercises(course()[1].name)[0]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_results_stand_in_columns_and_what_a_lemma_says_below(tmp_path: Path, size: tuple[int, int]) -> None:
    async with sitting(tmp_path, size=size) as ada:
        assert "converse" not in ada.shown
        for exercise in exercises("arrows")[:5]:
            ada.prove(exercise)
        await ada.keys("P", "L", "up", "up")
        lines = [line for line in ada.shown.splitlines() if "10/10" in line]
        for column in (" moves| proof", "10/10"):
            assert len({match.end() for line in lines for match in re.finditer(column, line)}) == 1
        assert [re.findall(r"(\d) [p(]", line) for line in lines] == [[number] for number in "12345"]
        assert "no proof" in lines[3]
        named = any("converse" in line for line in lines)
        assert named == (size != NARROW), "names stand beside the formulas where there is room"
        assert "converse: Where q holds and p does not, p → q is true, and p still fails." in both(ada)
        assert ada.overflowing == []
        await ada.keys("end")
        assert "→ ((p → r) → p) → p" in (both(ada) if size == NARROW else ada.shown)
        assert "staircase" not in ada.shown


async def test_enter_alone_begins_the_first_lemma_makes_no_move_and_costs_nothing(tmp_path: Path) -> None:
    often = ("enter",) * 4
    async with sitting(tmp_path) as ada:
        assert isinstance(await ada.opens("L", *often * 2), Prove) and ada.seat.exercise == exercises("arrows")[0]
        for tasks in (exercises("cases"), exercises("nested")):
            ada.seat.take(tasks[2], tasks)
            assert isinstance(await ada.opens("L", "P", *often), Prove) and ada.seat.exercise == tasks[2]
            there = ada.attempt
            assert (there.made, there.is_over, there.helped, there.slips) == ([], False, 0, 0)


async def test_a_lesson_comes_first_with_its_own_terms_and_leads_back_when_all_of_it_is_done(tmp_path: Path) -> None:
    text = 'title = "Week 1"\nabout = "Warm up."\nlemmas = ["p -> p", "a -> a -> a"]\ntactics = ["intro", "assumption"]'
    async with sitting(tmp_path, lessons=(week_of(tmp_path, text),)) as ada:
        assert "Week 1" in ada.shown and "Warm up." in ada.shown
        await ada.keys("enter", "0", "0", "n", "0", "0")
        assert ada.attempt.made == [Move("intro"), Move("intro")]
        assert "1/2" in await ada.sees("L")
        await ada.keys("P", "slash", *"assumption", "enter", "escape", "n")
        assert not isinstance(ada.screen, Prove) and "2/2" in ada.shown


async def test_each_student_has_other_letters_if_the_lesson_says_so_and_finds_what_they_left(tmp_path: Path) -> None:
    text = 'letters = "own"\nlemmas = ["p -> p", "swap : A /\\\\ B /\\\\ C -> C /\\\\ A"]'
    week, seen = week_of(tmp_path, text), set()
    for name in ("ada", "grace"):
        async with sitting(tmp_path, account=name, lessons=(week,)) as ada:
            await ada.keys("down", "enter", "0")
        async with sitting(tmp_path, account=name, lessons=(week,)) as ada:
            assert ada.seat.exercise.name == "swap" and len(ada.attempt.made) == 1
            seen.add(ada.seat.exercise.formula)
    assert len(seen) > 1


OWN_TERMS = """
title = "Week one"
about = "Warm up with implications, and then go on to pairs."
tactics = ["intro", "assumption"]
due = 2030-12-01T18:00:00
lemmas = ["p -> p", "a -> a -> a", "p -> q -> p", "p -> q -> q", "p -> q -> r -> p"]
[[exercise]]
lemma = "last : p -> q -> r -> q"
due = 2031-01-02T12:00:00
hints = 2
"""


async def test_what_exercises_share_stands_above_and_what_is_different_with_the_cursor_on_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, lessons=(week_of(tmp_path, OWN_TERMS),), look=ASCII) as ada:
        assert "Tactics: intro, assumption. Moves are pointed at or typed" in both(ada)
        assert "Due 2030-12-01 18:00." in both(ada) and "For this one" not in both(ada)
        await ada.keys("end")
        assert "For this one: Hints go up to level 2, and each costs 1 of 10 points. Due 2031-01-02 12:00." in both(ada)
        assert "Due 2030-12-01 18:00." in both(ada)
        assert "last" in ada.shown and ada.overflowing == [], "the cursor stays in sight"
        await ada.keys("up")
        assert "For this one" not in both(ada)
        await ada.resize_terminal(56, 15)
        await ada.keys("end")
        assert any(line.endswith(" ... ? shows all of it") for line in ada.shown.splitlines())
        assert "Due" not in ada.shown and "q -> r -> q" in ada.shown
        await ada.keys("question_mark")
        told = ""
        for _ in range(20):
            told += " ".join(ada.shown.replace("|", " ").split())
            await ada.keys("down")
        assert "12-01 18:00." in told and "01-02 12:00." in told


async def test_who_one_is_and_where_is_seen_without_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sitting(tmp_path) as ada:
        for each in ada.screen.query(OptionList):
            assert each.get_component_rich_style("option-list--option-highlighted").reverse
        assert "You work here as ada." in ada.shown and "D, then o: somebody else." in ada.shown
        assert ada.overflowing == []
    async with sitting(tmp_path, student="bob") as ada:
        assert "bob" in ada.shown and "You work here" not in ada.shown


# Lessons that change

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
    """Write another lesson as the teacher, while a student is in."""
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
        assert "of 4 problems done" in await ada.sees("escape")


async def test_the_lesson_is_checked_and_its_shortest_proofs_are_shown(tmp_path: Path) -> None:
    async with teaching(tmp_path, "4", lessons=(Lesson.parse(LESSON, "week.toml", "week", tmp_path),)) as ada:
        lines = ada.shown.splitlines()
        assert [line.split()[1:3] for line in lines if line.startswith(" and_comm")] == [["provable", "5"]]
        assert any("not with these tactics" in line for line in lines)
        assert "Both: 2 of 3 exercises cannot be given like this." in ada.shown
        assert "It has no proof; take another lemma" in await ada.sees("down")
        assert "Tactics: intro, assumption, split, destruct_and." in await ada.sees("enter") and "● true" in ada.shown


async def test_one_of_several_lessons_is_looked_at_alone_and_so_is_what_is_saved(tmp_path: Path) -> None:
    files = week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(MONDAY)
    finals.write_text(EXAM)
    async with teaching(tmp_path, "2", lesson_files=files) as ada:
        exported = ada.saves()

        def places() -> set[str]:
            return {row.problem.place for row in ada.sheet("problems")._given}

        rows = [line.split()[:2] for line in ada.shown.splitlines() if "or_comm" in line]
        assert ["or_comm", "Monday"] in rows and ["or_comm", "Finals"] in rows
        assert places() == {"week", "finals", "cases"}
        assert "Monday alone: " in await ada.sees("l") and places() == {"week"}
        assert "Finals alone: " in await ada.sees("l", "s", "c", "p") and places() == {"finals"}
        assert {line.split(",")[1] for line in exported["students.csv"].splitlines()[1:]} == {"finals"}
        assert {line.split(",")[0] for line in exported["problems.csv"].splitlines()[1:]} == {"finals"}
        finals.write_text(EXAM.replace("Finals", "Finale"))
        await ada.follow()
        assert places() == {"finals"} and "Finale alone: " in ada.shown
        assert "alone" not in await ada.sees("l", "p") and places() == {"week", "finals", "cases"}
        assert exported["class.csv"].startswith("\ufeffstudent,identifier,")
        assert "left loses the proof at" in exported["problems.csv"]


# An exam


@pytest.fixture
def finals(tmp_path: Path) -> Path:
    """The file of finals that are no exam yet; Ada has proved their lemma in the course."""
    (tmp_path / "week.toml").write_text(MONDAY)
    with open_classroom(tmp_path / "class.db") as store:
        store_proof(sit(local(store, "ada"), exercise("textbook/or_comm")), PROOF)
    path = tmp_path / "finals.toml"
    path.write_text(BEFORE)
    return path


def attending(folder: Path, lemma: str | None = None) -> AbstractAsyncContextManager[Person]:
    """Open Ada's classroom with a lesson and finals."""
    return sitting(folder, lemma, WIDE, lesson_files=(folder / "week.toml", folder / "finals.toml"))


def chapters(ada: Person) -> str:
    listed = ada.screen.query_one("#chapters", OptionList)
    return " ".join(str(option.prompt) for option in listed.options)


async def test_a_student_has_the_exam_alone_without_partners_or_earlier_work(tmp_path: Path, finals: Path) -> None:
    finals.write_text(EXAM)
    async with attending(tmp_path, "textbook/peirce") as ada:
        exported = ada.saves()
        assert isinstance(ada.screen, Learn), "the lemma that it is opened with is left out"
        assert "Finals" in chapters(ada) and ada.screen.query_one("#chapters", OptionList).option_count == 1
        assert "This is an exam: the course, other lessons" in ada.words
        for keys in (("T", "escape"), ("W", "n", "o", "H")):
            assert "there is no partner" in await ada.reads(*keys) and "at no price" not in ada.words
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


async def test_in_an_exam_there_are_no_hints_no_saved_proofs_and_no_other_lemma(tmp_path: Path, finals: Path) -> None:
    finals.write_text(EXAM)
    async with attending(tmp_path) as ada:
        written = ada.saves()
        await ada.keys("P")
        await ada.make("intro")
        assert "There are no hints in this exercise." in await ada.hears("escape", "h", "h") and not ada.attempt.hints
        assert "c shows why only after x has said rightly" in await ada.hears("c") and len(ada.app.screen_stack) == 1
        await ada.make(*map(str, PROOF[1:]))
        assert "Save" not in await ada.sees("w", "e") and isinstance(ada.screen, Moment)
        assert "Save" not in await ada.sees("escape", "e") and isinstance(ada.screen, ProofRoom)
        await ada.screen.run_action("save_proof")
        await ada.settle()
        assert isinstance(ada.screen, ProofRoom) and not written
        assert "In an exam proofs are not saved as files" in ada.told
        await ada.keys("n")
        assert ada.seat.exercise.name == "textbook/contraction"
        await ada.make("intro", "intro", "imply1 H", "imply1 H", "assumption")
        assert isinstance(await ada.opens("n"), Learn) and chapters(ada).count("2/2") == 1


async def test_old_proofs_and_forms_go_when_an_exam_begins_and_are_there_after_it(tmp_path: Path, finals: Path) -> None:
    async with attending(tmp_path) as ada:
        assert isinstance(await ada.opens("D", "h", "enter"), History)
        await change(ada, finals, EXAM)
        assert isinstance(ada.screen, Learn) and len(ada.app.screen_stack) == 1
        assert "An exam begins: you have it alone." in ada.notified and "Monday" not in chapters(ada)
        await ada.keys("D")
        assert len(ada.app.screen_stack) == 1 and "Look back" not in ada.palette
        await change(ada, finals, BEFORE)
        assert "The exam is over: what you have done is handed in, and all else is there again." in ada.notified
        assert {"Look back", "Take along", "Bring back"} <= ada.palette
        await ada.keys("L")
        assert "Monday" in chapters(ada)
        await ada.keys("D", "i")
        assert len(ada.app.screen_stack) == 2
        await change(ada, finals, EXAM)
        assert isinstance(ada.screen, Learn) and len(ada.app.screen_stack) == 1


async def test_an_exam_that_begins_takes_what_was_told_and_brings_its_own_terms(tmp_path: Path, finals: Path) -> None:
    async with attending(tmp_path, "textbook/de_morgan_not_or") as ada:
        await ada.keys("h", "h")
        assert ada.attempt.hints
        told = ada.told
        assert "the lemma before you again" in await ada.reads("W", "n")
        await change(ada, finals, EXAM)
        assert "there is no partner" in await ada.reads("W")
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
        assert not ada.attempt.terms.hints and "Hint" not in ada.footer
        await change(ada, finals, f"due = 2040-01-01\n{EXAM}")
        assert not isinstance(ada.screen, Learn), "more time leaves a student there"
        assert ada.attempt.terms.due is not None and [str(move) for move in ada.attempt.made] == ["intro"]


async def test_who_could_not_be_sent_to_an_exam_at_once_is_sent_again_or_finds_it_wherever_they_go(
    tmp_path: Path, finals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with attending(tmp_path, "textbook/peirce") as ada:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(ada.session, "keep_to_exam", busy)
            await change(ada, finals, EXAM)
            assert "in use by another process" in ada.notified
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
        assert not {"Hint", "Preview", "Rule"} & ada.footer and {"Type", "List", "No proof"} <= ada.footer
        await ada.follow()
        assert "Time is up" not in ada.notified, "it was when the student came"
        ada.session._in_time = ada.seat.exercise
        for _ in range(2):
            await ada.follow()
        assert ada.notified.count("Time is up: what is done from now on counts, and is late.") == 1
        assert "worth 10 of 10 points; late, as it was due 2020-01-31 10:00" in ada.shown
        await ada.make(*map(str, PROOF))
        assert "10 of 10 points; late, as it was due 2020-01-31 10:00." in ada.told
        assert "6 moves, late" in await ada.sees("L")
        await ada.keys("P", "n", "escape", "x", "x", "m", "m")
        assert ada.attempt.wrong_claims == 1 and not {"No proof", "List"} & ada.footer and "Preview" in ada.footer


async def test_an_exam_opens_and_closes_before_a_student_who_is_told_minutes_before(
    tmp_path: Path, finals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens = datetime(2030, 12, 1, 9, tzinfo=UTC)
    times = f"opens = {opens:%Y-%m-%dT%H:%M:%SZ}\ncloses = {opens + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}\n"
    finals.write_text(f'{times}results = "when shown"\n{EXAM}')
    with open_classroom(tmp_path / "class.db") as store:
        give(store, [Lesson.read(finals)])

    def at(minute: float) -> None:
        monkeypatch.setattr(clock, "utc", lambda: opens + timedelta(minutes=minute))

    at(-1)
    async with attending(tmp_path) as ada:
        assert ada.seat.exercise.place == "week" and "Monday" in chapters(ada) and "Finals" in chapters(ada)
        assert "Finals (not open yet)" in await ada.sees("left", "down") and "It opens 2030-12-01" in ada.words
        assert "->" not in ada.shown, "its lemmas are not told before"
        await ada.keys("P")
        at(0)
        await ada.follow()
        assert isinstance(ada.screen, Learn) and ada.notified == "An exam begins: you have it alone."
        await ada.keys("P")
        assert "worth" not in ada.words
        await ada.make(*map(str, PROOF[:-1]))
        for minute in (49, 51, 51, 54.5, 59.5):
            at(minute)
            await ada.follow()
        told = [f"Finals closes in {left}; what is there then is handed in." for left in ("9 minutes", "6 minutes")]
        assert ada.notified.count(told[0]) == 1 and told[1] not in ada.notified and "in 1 minute;" in ada.notified
        at(61)
        await ada.follow()
        assert "The exam is over: what you have done is handed in, and all else is there again." in ada.notified
        await ada.make(str(PROOF[-1]))
        assert "Finals is closed since 2030-12-01" in ada.told and len(ada.attempt.made) == len(PROOF) - 1
        await ada.keys("L")
        assert "This exam is closed: what was done by then is handed in" in ada.words


async def test_points_that_the_teacher_shows_are_seen_from_then_on(tmp_path: Path, finals: Path) -> None:
    finals.write_text(f'results = "when shown"\n{EXAM}')
    lesson = Lesson.read(finals)
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
        give(store, [lesson])
    async with attending(tmp_path) as ada:
        await ada.keys("P")
        await ada.make(*map(str, PROOF))
        assert "Handed in; your teacher shows the points." in ada.told and "10 points" not in ada.shown
        assert "handed in" in await ada.sees("L") and "/10" not in ada.shown
        await ada.keys("D")
        assert "The points of an exam are told when your teacher shows them." in ada.words
    async with teaching(tmp_path, "r", lesson_files=(finals,)) as teacher:
        assert "again shows all students their points of Finals." in teacher.words
        await teacher.keys("r")
        assert "The students see their points of Finals from now on." in teacher.words
    async with attending(tmp_path) as ada:
        assert "10/10" in ada.shown


async def test_who_opened_other_lessons_is_sent_away_from_an_exam_also_if_it_opens_later(
    tmp_path: Path, finals: Path
) -> None:
    finals.write_text(EXAM)
    async with sitting(tmp_path, None, WIDE) as ada:
        assert isinstance(ada.screen, Learn)
        with open_classroom(tmp_path / "class.db") as store:
            give(store, [Lesson.read(finals)])
        for _ in range(2):
            await ada.follow()
        assert isinstance(ada.screen, SignIn) and "Come in where your teacher gives it." in ada.words
    async with sitting(tmp_path, None, WIDE) as ada:
        assert isinstance(ada.screen, SignIn) and "Finals is an exam that is open to you" in ada.words


async def test_a_student_sees_the_habit_that_cost_most_moves_and_nothing_in_an_exam(
    tmp_path: Path, finals: Path
) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        for name, text in (("one", "p -> p \\/ q"), ("two", "r -> r \\/ q")):
            attempt = sit(local(store, "ada"), Exercise(name, parse(text), "cases"))
            store_proof(attempt, parse_script("intro; right"))
            attempt.undo()
            store_proof(attempt, parse_script("left; assumption"))
    async with attending(tmp_path) as ada:
        await ada.keys("D")
        assert "A habit that cost you moves" in ada.shown and "That cost 2 moves in 2 lemmas; for example" in ada.words
        assert "do not make a move that can lose yet." in ada.words and "right at" in ada.words
        await change(ada, finals, EXAM)
        assert "That cost" not in await ada.sees("D")
