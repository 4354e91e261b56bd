"""A student's page and an attempt moment by moment, by keyboard alone, as the teacher and the student see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event as Signal

import pytest

from oasis.classroom.admission import open_classroom, set_teacher_passphrase
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
from oasis.store import KeptEvent, StoreError
from tactics.goal import Move
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import LONG, OR_COMM, PEIRCE, PROOF, again, local, make, sit
from tests.classroom.test_history import NOON, stamp
from tests.tui.rooms import ASCII, WIDE, fill_in, overflowing, press, settle, shown, sitting, words
from tests.tui.school import OPEN_SESAME, teaching
from tui.app import Classroom
from tui.screens.history import History
from tui.screens.student_page import StudentPage
from tui.widgets.moments import Moments

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class in which Bob lost the proof of a lemma, came back to it, and then proved it; PEIRCE he has begun."""
    clock = iter(stamp(seconds) for seconds in [0, 0, 3, 8, 608, 609, *range(700, 900)])
    monkeypatch.setattr(desks, "now", lambda: next(clock))
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
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


def keep(folder: Path, record: Record, formula: str = "", more: Sequence[KeptEvent] = ()) -> None:
    """Put another attempt of Bob's into the file of the class, which may be damaged."""
    kept = record.kept()
    with open_classroom(folder / "class.db") as store:
        bob = local(store, "Bob").student
        store.keep(bob.id, kept._replace(formula=formula or kept.formula), 0, [*record.events, *more])


def place_of(app: Classroom, problem: str) -> int:
    """In which row of the page a problem stands first."""
    return next(row for row, line in enumerate(shown(app).splitlines()[2:]) if problem in line)


# The page, as the teacher sees it.


async def test_the_page_shows_what_has_come_of_each_problem_and_keys_sort_renew_and_lead_through_it(
    folder: Path,
) -> None:
    async with teaching(folder, "enter") as (app, pilot):
        lines = shown(app).splitlines()
        assert lines[0].startswith(" Bob  1 of 2 done, 9 points, ")
        assert [line.split() for line in lines[2:4]] == [
            ["✓", "or_comm", "cases", "6", "9", "2", "0", "2:16"],
            ["○", "peirce", "cases", "0", "1", "0", "0:02"],
        ]
        assert "Eve" not in shown(app)
        for key, problem in (("end", "peirce"), ("home", "or_comm")):
            await press(pilot, key, "enter")
            assert problem in shown(app)
            await press(pilot, "escape")
        await press(pilot, "v")
        assert "peirce" in shown(app).splitlines()[2]
        with open_classroom(folder / "class.db") as store:
            make(again(local(store, "Bob"), PEIRCE), PROOF[:1])
        await press(pilot, "g")
        assert shown(app).splitlines()[2].split()[4] == "2"
        await press(pilot, "o")
        assert "Sorted by problem" in shown(app)
        await press(pilot, "question_mark")
        assert "A row for each problem" in shown(app)


async def test_what_has_come_from_a_file_says_so_and_what_is_only_asked_for_has_no_attempts(folder: Path) -> None:
    keep(folder, Record(PEIRCE, stamp(0), events=[KeptEvent(stamp(1), "asked", "")], imported=stamp(2)))
    lesson = Lesson.parse('title = "Both"\nlemmas = ["textbook/and_comm"]\n', "week.toml", "week", folder)
    async with teaching(folder, "enter", lessons=(lesson,)) as (app, pilot):
        place = place_of(app, "peirce")
        assert shown(app).splitlines()[2 + place].split()[2:6] == ["cases", "0", "*2", "0"]
        await press(pilot, "enter")
        assert "○ and_comm" in shown(app) and "This problem is not begun yet." in shown(app)
        await press(pilot, *["down"] * place, "enter", "p")
        assert "attempt 1 of 2" in words(app) and "not done, 0:01, from a file" in words(app)


async def test_what_cannot_be_read_is_said_and_nothing_is_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise StoreError("class.db is in use by another process; wait for it.")

    async with teaching(folder, "enter") as (app, pilot):
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Register, "marks", busy)
            meanwhile.setattr(Marks, "attempts", busy)
            await press(pilot, "enter")
            assert "This could not be read; Enter tries again." in shown(app)
            await press(pilot, "g")
            assert "This could not be read; g tries again." in shown(app)
        await press(pilot, "g", "enter")
        assert isinstance(app.screen, History)


# An attempt.


async def test_the_newest_attempt_is_shown_first_and_keys_lead_to_the_others_and_back(folder: Path) -> None:
    async with teaching(folder, "enter", "enter") as (app, pilot):
        assert "or_comm: p ∨ q → q ∨ p" in shown(app)
        assert "Bob, cases, attempt 2 of 2, " in shown(app) and "n Later" not in shown(app)
        await press(pilot, "end")
        assert "✓   6" in shown(app) and "Nothing is left to prove." in shown(app)
        await press(pilot, "p", "p")
        assert "attempt 1 of 2" in shown(app) and "p Earlier" not in shown(app)
        await pilot.resize_terminal(*WIDE)
        await press(pilot, "question_mark")
        assert "What happened in an attempt" in shown(app)
        assert "esc  Back" in shown(app) and "n, →  Later" in shown(app)
        assert "See the attempt before" not in shown(app), "there is none"
        await press(pilot, "escape", "right")
        assert "attempt 2 of 2" in shown(app)
        await press(pilot, "L")
        assert isinstance(app.screen, History), "nobody leaves with the class open behind them"
        await press(pilot, "escape")
        assert isinstance(app.screen, StudentPage)
        await press(pilot, "escape", "k")
        assert "Type the teacher's passphrase" in shown(app)


async def test_walking_shows_what_was_to_be_proved_then_when_that_was_and_what_a_teacher_says_of_it(
    folder: Path,
) -> None:
    async with teaching(folder, "enter", "enter", "p") as (app, pilot):
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


async def test_what_a_teacher_says_comes_later_and_nobody_waits_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = Signal()

    def slowly(self: history.History) -> Iterator[Verdict]:
        for moment in self.moments:
            assert thought.wait(60)
            yield Verdict(False, moment.number == 1, "It is lost.")

    monkeypatch.setattr(history.History, "verdicts", slowly)
    async with teaching(folder, "enter") as (app, pilot):
        await pilot.press("enter")
        while not isinstance(app.screen, History):
            await pilot.pause()
        await pilot.press("down", "down")
        assert "2 moves made" in shown(app) and "Let me see." in shown(app) and "✗" not in shown(app)
        thought.set()
        await settle(pilot)
        assert "✗ It is lost." in shown(app) and "✗   1" in shown(app)
        left = app.screen
        await pilot.press("p", "n", "p", "escape")
        await settle(pilot)
        assert isinstance(app.screen, StudentPage) and left._teacher.is_closed, "who has left is not thought about"


async def test_a_damaged_attempt_is_shown_up_to_where_it_stops(folder: Path) -> None:
    begun = [KeptEvent(stamp(1), "move", "intro")]
    keep(folder, Record(PEIRCE, stamp(0), events=begun), more=[KeptEvent(stamp(2), "move", "left")])
    keep(folder, Record(PEIRCE, stamp(3), events=begun), formula="p ->")
    async with teaching(folder, "enter") as (app, pilot):
        await press(pilot, *["down"] * place_of(app, "peirce"), "enter", "p", "p")
        assert "attempt 1 of 3" in words(app) and "1 0:01 made intro" in words(app)
        assert "Here it stops: move left cannot be made again (left:" in words(app)
        await press(pilot, "n")
        assert "Here it stops: the beginning cannot be made again" in shown(app)
        assert "Nothing can be shown of it." in shown(app) and overflowing(app) == []


# Of one's own.


async def test_a_student_is_told_what_lost_the_proof_once_the_lemma_is_done_and_not_before(folder: Path) -> None:
    async with sitting(folder, account="Bob") as (app, pilot):
        await press(pilot, "D", "h", "down", "enter", "end")
        assert "1 0:02  made intro" in shown(app) and "✗" not in shown(app)
        assert "Which move loses the proof is told once this lemma is done." in shown(app)
        await press(pilot, "escape", "home", "enter", "p", "down", "down")
        assert "✗ The proof is lost since 2: made left." in shown(app)


@pytest.mark.parametrize("is_own", [False, True])
async def test_the_page_says_by_when_it_should_be_done(tmp_path: Path, is_own: bool) -> None:
    due = datetime(2030, 9, 20, 12, tzinfo=UTC)
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
        make(sit(local(store, "Bob"), replace(PEIRCE, terms=Terms(due=due))), PROOF[:1])
        make(sit(local(store, "Bob"), replace(OR_COMM, terms=Terms(due=due))), PROOF)
    async with sitting(tmp_path, account="Bob", teacher=not is_own) as (app, pilot):
        await (press(pilot, "D", "h") if is_own else fill_in(pilot, OPEN_SESAME, ""))
        begun, done = shown(app).splitlines()[2:4]
        assert begun.endswith(f" {due.astimezone():%Y-%m-%d}") and done.endswith(" on time")


async def test_a_lemma_of_the_course_has_its_name_in_ones_own_work_when_it_is_done(tmp_path: Path) -> None:
    async with sitting(tmp_path, size=WIDE) as (app, pilot):
        for task, moves in zip(exercises("arrows"), ("intro; assumption", "intro"), strict=False):
            app.session.seat.desk.sit(task)
            for move in parse_script(moves):
                app.session.seat.desk.do(lambda attempt, move=move: attempt.make(move))  # type: ignore[misc]
        await press(pilot, "D", "h")
        assert "identity" in shown(app) and "If and then 2" in shown(app) and "weakening" not in shown(app)
        await press(pilot, "end", "enter")
        assert "If and then 2: p → q → p" in shown(app)


async def test_the_longest_lines_fit_and_are_ascii_where_nothing_else_may_be(folder: Path) -> None:
    events = [Event("hint", "4"), Event("claim", "wrong"), Event("refused", "destruct_or H17"), Event("asked")]
    kept = [KeptEvent(stamp(1000.0 * number), *event) for number, event in enumerate(events * 4, 1)]
    keep(folder, Record(replace(PEIRCE, formula=LONG), stamp(0), events=kept))
    async with teaching(folder, "enter", look=ASCII) as (app, pilot):
        walk = ("enter", "end", "p", "down", "question_mark", "escape", "escape")
        for key in ("o", *walk, "down", *walk, "down", *walk):
            await press(pilot, key)
            assert overflowing(app) == [] and shown(app).isascii()
