"""A student's page and an attempt moment by moment, by keyboard alone, as the teacher and the student see them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event as Signal
from typing import TypeVar, cast

import pytest
from textual.pilot import Pilot

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk import desk as desks
from oasis.classroom.desk.progress import exercises
from oasis.classroom.desk.record import Record
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import Terms
from oasis.classroom.register import history
from oasis.classroom.register.history import Verdict
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent
from tactics.goal import Move
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import LONG, OR_COMM, PEIRCE, again, local, make, sit
from tests.classroom.test_history import NOON, stamp
from tests.tui.rooms import ASCII, NARROW, SIZES, WIDE, classroom, opened, overflowing, press, settle, shown
from tests.tui.test_teach import school, taught, taught_in
from tui.app import Classroom
from tui.look import Look
from tui.screens.history import History
from tui.screens.learn import Learn
from tui.screens.student_page import Ask, StudentPage
from tui.screens.teach import Teach
from tui.widgets.moments import Moments

pytestmark = pytest.mark.slow

PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
_Answer = TypeVar("_Answer")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class in which Bob lost the proof of a lemma, came back to it, and then proved it; PEIRCE he has begun."""
    clock = iter(stamp(seconds) for seconds in [0, 0, 3, 8, 608, 609, *range(700, 800)])
    monkeypatch.setattr(desks, "now", lambda: next(clock))
    with open_classroom(tmp_path / "class.db") as store:
        bob = local(store, "Bob")
        attempt = sit(bob, OR_COMM)
        make(attempt, parse_script("intro; left"))
        with pytest.raises(IllegalMove):
            attempt.make(Move("split"))
        attempt.jump(0)
        make(again(bob, OR_COMM), PROOF)
        make(sit(bob, PEIRCE), PROOF[:1])
        make(sit(local(store, "Eve"), PEIRCE), PROOF[:1])
    return tmp_path


def asking(folder: Path, *, own: bool = False, lesson: Lesson | None = None) -> Ask:
    """Questions to the class, or to Bob's own marks."""

    async def ask(question: Callable[[Marks], _Answer]) -> _Answer | None:
        def answer() -> _Answer:
            with open_classroom(folder / "class.db") as store:
                return question(
                    Marks(store, student=local(store, "Bob").student)
                    if own
                    else Register(store, [] if lesson is None else [lesson])
                )

        return await asyncio.to_thread(answer)

    return ask


@asynccontextmanager
async def page(
    app: Classroom, ask: Ask, *keys: str, is_own: bool = False, size: tuple[int, int] = NARROW
) -> AsyncIterator[Pilot[None]]:
    """Bob's page, after some keys."""
    async with opened(app, size) as pilot:
        await app.push_screen(StudentPage(app.session, "Bob", ask, is_own=is_own))
        await settle(pilot)
        await press(pilot, *keys)
        yield pilot


# The page.


async def test_the_page_shows_what_has_come_of_each_problem_of_this_student(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder)):
        lines = shown(app).splitlines()
        assert lines[0].startswith(" Bob  1 of 2 done, 9 points, ")
        assert [line.split() for line in lines[2:4]] == [
            ["✓", "or_comm", "cases", "6", "9", "2", "0", "2:16"],
            ["○", "peirce", "cases", "0", "1", "0", "0:02"],
        ]
        assert "Eve" not in shown(app)


async def test_what_has_come_from_a_file_says_so(folder: Path) -> None:
    with open_classroom(folder / "class.db") as store:
        bob = local(store, "Bob")
        made = Record(PEIRCE, stamp(0), events=[KeptEvent(stamp(1), "asked", "")], imported=stamp(2))
        store.keep(bob.student.id, made.kept(), 0, made.events)
    app = classroom(folder)
    async with page(app, asking(folder)) as pilot:
        (line,) = (line for line in shown(app).splitlines() if "peirce" in line)
        assert line.split()[2:6] == ["cases", "0", "*2", "0"]
        await press(pilot, *["down"] * ("peirce" in shown(app).splitlines()[3]), "enter", "p")
        text = " ".join(shown(app).split())
        assert "attempt 1 of 2" in text
        assert "not done, 0:01, from a file" in text


@pytest.mark.parametrize("is_own", [False, True])
async def test_the_page_says_by_when_it_should_be_done(tmp_path: Path, is_own: bool) -> None:
    due = datetime(2030, 9, 20, 12, tzinfo=UTC)
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "Bob"), replace(PEIRCE, terms=Terms(due=due))), PROOF[:1])
        make(sit(local(store, "Bob"), replace(OR_COMM, terms=Terms(due=due))), PROOF)
    async with page(classroom(tmp_path), asking(tmp_path, own=is_own), is_own=is_own) as pilot:
        begun, done = shown(cast("Classroom", pilot.app)).splitlines()[2:4]
        assert begun.endswith(" 2030-09-20") and done.endswith(" on time")


async def test_the_page_is_sorted_and_read_again_by_keys(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder), "v") as pilot:
        assert "peirce" in shown(app).splitlines()[2]
        with open_classroom(folder / "class.db") as store:
            make(again(local(store, "Bob"), PEIRCE), PROOF[:1])
        await press(pilot, "g")
        assert shown(app).splitlines()[2].split()[4] == "2"
        await press(pilot, "o")
        assert "Sorted by problem" in shown(app)


async def test_home_and_end_lead_to_the_first_and_the_last_problem(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder), "end", "enter") as pilot:
        assert "peirce" in shown(app)
        await press(pilot, "escape", "home", "enter")
        assert "or_comm" in shown(app)


@pytest.mark.some_days
@pytest.mark.parametrize("look", [Look(), ASCII])
async def test_both_screens_explain_themselves_and_their_keys(folder: Path, look: Look) -> None:
    app = classroom(folder, look=look)
    async with page(app, asking(folder), "question_mark", size=WIDE) as pilot:
        text = shown(app)
        assert "A row for each problem" in text
        for command in ("Back", "Sort", "Reverse", "Renew", "Help"):
            assert command in text
        await press(pilot, "escape", "enter", "p", "question_mark")
        text = shown(app)
        assert "What happened in an attempt" in text
        assert "esc  Back" in text
        assert ("n, right  Later" if look.ascii_only else "n, →  Later") in text
        assert "See the attempt before" not in text, "there is none"
        assert text.isascii() == look.ascii_only
        await press(pilot, "escape", "right", "question_mark")
        assert "See the attempt before this one." in shown(app)
        await press(pilot, "escape", "left")
        assert "attempt 1 of 2" in shown(app)


async def test_what_cannot_be_read_is_said_and_nothing_is_lost(folder: Path) -> None:
    app, ask, closed = classroom(folder), asking(folder), False

    async def sometimes(question: Callable[[Marks], _Answer]) -> _Answer | None:
        return None if closed else await ask(question)

    async with page(app, sometimes) as pilot:
        closed = True
        await press(pilot, "enter")
        assert "This could not be read; Enter tries again." in shown(app)
        await press(pilot, "g")
        assert "This could not be read; g tries again." in shown(app)
        closed = False
        await press(pilot, "g", "enter")
        assert isinstance(app.screen, History)


async def test_a_problem_that_is_asked_for_and_not_begun_has_no_attempts(folder: Path) -> None:
    lesson = Lesson.parse('title = "Both"\nlemmas = ["textbook/and_comm"]\n', "week.toml", "week", folder)
    app = classroom(folder)
    async with page(app, asking(folder, lesson=lesson), "enter"):
        assert "○ and_comm" in shown(app)
        assert "This problem is not begun yet." in shown(app)


# An attempt.


async def test_the_newest_attempt_is_shown_first_and_keys_lead_to_the_others_and_back(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder), "enter") as pilot:
        assert "or_comm: p ∨ q → q ∨ p" in shown(app)
        assert "Bob, cases, attempt 2 of 2, " in shown(app)
        assert "n Later" not in shown(app)
        await press(pilot, "p")
        assert "attempt 1 of 2" in shown(app)
        assert "p Earlier" not in shown(app)
        await press(pilot, "p")
        assert "attempt 1 of 2" in shown(app)
        await press(pilot, "n")
        assert "attempt 2 of 2" in shown(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, StudentPage)
        await press(pilot, "escape")
        assert isinstance(app.screen, Learn)


async def test_walking_shows_what_was_to_be_proved_then_and_what_a_teacher_says_of_it(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder), "enter", "p") as pilot:
        seen = []
        for _ in range(5):
            text = shown(app)
            conclusion = next(line for line in text.splitlines() if "⊢" in line).partition("⊢")[2].rstrip("│ ").strip()
            seen.append((conclusion, text.splitlines()[-2].strip()))
            await press(pilot, "down")
        still, lost = "● This can still be proved.", "✗ The proof is lost since 2: made left."
        assert seen == [
            ("p ∨ q → q ∨ p", still),
            ("q ∨ p", still),
            ("q", lost),
            ("q", lost),
            ("p ∨ q → q ∨ p", still),
        ]


async def test_moments_have_their_times_breaks_and_marks(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder), "enter", "p", "end") as pilot:
        place = app.screen.query_one(Moments).content_region
        rows = [line[place.x : place.right] for line in shown(app).splitlines()[place.y : place.bottom]]
        assert [row.strip() for row in rows if row.strip()] == [
            "0       began",
            "1 0:03  made intro",
            "✗   2 0:05  made left",
            "after a break of 10:00",
            "3       tried split, which does not apply",
            "4 0:01  went back to the beginning",
        ]
        assert f"{NOON.astimezone():%Y-%m-%d}" in shown(app).splitlines()[-3]
        await press(pilot, "n", "end")
        assert "✓   6" in shown(app)
        assert "Nothing is left to prove." in shown(app)


async def test_what_a_teacher_says_comes_later_and_nobody_waits_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = Signal()

    def slowly(self: history.History) -> Iterator[Verdict]:
        for moment in self.moments:
            assert thought.wait(60)
            yield Verdict(False, moment.number == 1, "It is lost.")

    monkeypatch.setattr(history.History, "verdicts", slowly)
    app = classroom(folder)
    async with page(app, asking(folder)) as pilot:
        await pilot.press("enter")
        while not isinstance(app.screen, History):
            await pilot.pause()
        await pilot.press("down", "down")
        assert "2 moves made" in shown(app)
        assert "Let me see." in shown(app)
        assert "✗" not in shown(app)
        thought.set()
        await settle(pilot)
        assert "✗ It is lost." in shown(app)
        assert "✗   1" in shown(app)


async def test_an_attempt_that_is_left_is_not_thought_about_any_more(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder)) as pilot:
        await pilot.press("enter")
        while not isinstance(app.screen, History):
            await pilot.pause()
        left = app.screen
        await pilot.press("p", "n", "p", "escape")
        await settle(pilot)
        assert isinstance(app.screen, StudentPage)
        assert left._teacher.is_closed


async def test_a_damaged_attempt_is_shown_up_to_where_it_stops(folder: Path) -> None:
    with open_classroom(folder / "class.db") as store:
        bob = local(store, "Bob")
        made = Record(PEIRCE, stamp(0), events=[KeptEvent(stamp(1), "move", "intro")])
        store.keep(bob.student.id, made.kept(), 0, [*made.events, KeptEvent(stamp(2), "move", "left")])
        broken = Record(PEIRCE, stamp(3)).kept()._replace(formula="p ->")
        store.keep(bob.student.id, broken, 0, made.events)
    app = classroom(folder)
    async with page(app, asking(folder)) as pilot:
        lines = shown(app).splitlines()
        await press(pilot, *["down"] * (["peirce" in line for line in lines].index(True) - 2), "enter", "p", "p")
        text = " ".join(shown(app).split())
        assert "attempt 1 of 3" in text
        assert "Here it stops: move left cannot be made again (left:" in text
        assert "1 0:01 made intro" in text
        await press(pilot, "n")
        assert "Here it stops: the beginning cannot be made again" in shown(app)
        assert "Nothing can be shown of it." in shown(app)
        assert overflowing(app) == []


# Of one's own.


async def test_a_student_is_not_told_what_lost_the_proof_before_the_lemma_is_done(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder, own=True), "down", "enter", "end", is_own=True):
        assert "1 0:02  made intro" in shown(app)
        assert "Which move loses the proof is told once this lemma is done." in shown(app)
        assert "✗" not in shown(app)


async def test_a_student_is_told_once_it_is(folder: Path) -> None:
    app = classroom(folder)
    async with page(app, asking(folder, own=True), "enter", "p", "down", "down", is_own=True):
        assert "✗ The proof is lost since 2: made left." in shown(app)


async def test_a_lemma_of_the_course_has_its_name_in_ones_own_work_when_it_is_done(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, WIDE) as pilot:
        for task, moves in zip(exercises("arrows"), ("intro; assumption", "intro"), strict=False):
            app.session.seat.desk.sit(task)
            for move in parse_script(moves):
                app.session.seat.desk.do(lambda attempt, move=move: attempt.make(move))  # type: ignore[misc]
        await press(pilot, "D", "h")
        assert "identity" in shown(app) and "If and then 2" in shown(app) and "weakening" not in shown(app)
        await press(pilot, "end", "enter")
        assert "If and then 2: p → q → p" in shown(app)


# In front of the class.


@pytest.mark.some_days
async def test_the_teachers_place_answers_the_page(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app) as pilot:
        assert isinstance(app.screen, Teach)
        await app.push_screen(StudentPage(app.session, "[b]eve", app.screen._ask))
        await settle(pilot)
        assert "[b]eve  0 of 2 done" in shown(app)
        await press(pilot, "enter", "end")
        assert "✗ The proof is lost since 4: made left." in shown(app)
        await press(pilot, "L")
        assert isinstance(app.screen, History), "nobody leaves with the class open behind them"
        await press(pilot, "escape", "escape", "k")
        assert "Type the teacher's passphrase" in shown(app)


@pytest.mark.some_days
@pytest.mark.parametrize("size", SIZES)
async def test_nothing_overflows_and_in_ascii_nothing_else_is_drawn(folder: Path, size: str) -> None:
    with open_classroom(folder / "class.db") as store:
        bob = local(store, "Bob")
        events = [Event("hint", "4"), Event("claim", "wrong"), Event("refused", "destruct_or H17"), Event("asked")]
        kept = [KeptEvent(stamp(1000.0 * number), *event) for number, event in enumerate(events * 4, 1)]
        made = Record(replace(PEIRCE, formula=LONG), stamp(0), events=kept)
        store.keep(bob.student.id, made.kept(), 0, made.events)
    app = classroom(folder, look=ASCII)
    async with page(app, asking(folder), size=SIZES[size]) as pilot:
        walk = ("enter", "end", "p", "down", "escape")
        for key in ("o", *walk, "down", *walk, "down", *walk):
            await press(pilot, key)
            assert overflowing(app) == []
            assert shown(app).isascii(), [letter for letter in shown(app) if not letter.isascii()]
