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
from oasis.classroom.proving.exercise import Terms
from oasis.classroom.register import history
from oasis.classroom.register.history import Verdict
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, StoreError
from tactics.goal import Move
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, again, local, make, sit
from tests.classroom.test_history import NOON, stamp
from tests.tui.rooms import WIDE, Person, sitting
from tests.tui.school import OPEN_SESAME, teaching
from tests.tui.test_learn import do
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


def place_of(ada: Person, problem: str) -> int:
    """In which row of the page a problem stands first."""
    return next(row for row, line in enumerate(ada.shown.splitlines()[2:]) if problem in line)


# The page, as the teacher sees it.


async def test_the_page_shows_what_has_come_of_each_problem_and_keys_sort_renew_and_lead_through_it(
    folder: Path,
) -> None:
    async with teaching(folder, "enter") as ada:
        lines = ada.shown.splitlines()
        assert lines[0].startswith(" Bob  1 of 2 done, 9 points, ")
        assert [line.split() for line in lines[2:4]] == [
            ["✓", "or_comm", "cases", "6", "9", "2", "0", "2:16"],
            ["○", "peirce", "cases", "0", "1", "0", "0:02"],
        ]
        assert "Eve" not in ada.shown
        for key, problem in (("end", "peirce"), ("home", "or_comm")):
            await ada.keys(key, "enter")
            assert problem in ada.shown
            await ada.keys("escape")
        await ada.keys("v")
        assert "peirce" in ada.shown.splitlines()[2]
        with open_classroom(folder / "class.db") as store:
            make(again(local(store, "Bob"), PEIRCE), PROOF[:1])
        await ada.keys("g")
        assert ada.shown.splitlines()[2].split()[4] == "2"
        await ada.keys("o")
        assert "Sorted by problem" in ada.shown
        await ada.keys("question_mark")
        assert "A row for each problem" in ada.shown


async def test_what_has_come_from_a_file_says_so_and_what_is_only_asked_for_has_no_attempts(folder: Path) -> None:
    keep(folder, Record(PEIRCE, stamp(0), events=[KeptEvent(stamp(1), "asked", "")], imported=stamp(2)))
    lesson = Lesson.parse('title = "Both"\nlemmas = ["textbook/and_comm"]\n', "week.toml", "week", folder)
    async with teaching(folder, "enter", lessons=(lesson,)) as ada:
        place = place_of(ada, "peirce")
        assert ada.shown.splitlines()[2 + place].split()[2:6] == ["cases", "0", "*2", "0"]
        await ada.keys("enter")
        assert "○ and_comm" in ada.shown and "This problem is not begun yet." in ada.shown
        await ada.keys(*["down"] * place, "enter", "p")
        assert "attempt 1 of 2" in ada.words and "not done, 0:01, from a file" in ada.words


async def test_what_cannot_be_read_is_said_and_nothing_is_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise StoreError("class.db is in use by another process; wait for it.")

    async with teaching(folder, "enter") as ada:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Register, "marks", busy)
            meanwhile.setattr(Marks, "attempts", busy)
            await ada.keys("enter")
            assert "This could not be read; Enter tries again." in ada.shown
            await ada.keys("g")
            assert "This could not be read; g tries again." in ada.shown
        await ada.keys("g", "enter")
        assert isinstance(ada.screen, History)


# An attempt.


async def test_the_newest_attempt_is_shown_first_and_keys_lead_to_the_others_and_back(folder: Path) -> None:
    async with teaching(folder, "enter", "enter") as ada:
        assert "or_comm: p ∨ q → q ∨ p" in ada.shown
        assert "Bob, cases, attempt 2 of 2, " in ada.shown and "n Later" not in ada.shown
        await ada.keys("end")
        assert "✓   6" in ada.shown and "Nothing is left to prove." in ada.shown
        await ada.keys("p", "p")
        assert "attempt 1 of 2" in ada.shown and "p Earlier" not in ada.shown
        await ada.resize_terminal(*WIDE)
        await ada.keys("question_mark")
        assert "What happened in an attempt" in ada.shown
        assert "esc  Back" in ada.shown and "n, →  Later" in ada.shown
        assert "See the attempt before" not in ada.shown, "there is none"
        await ada.keys("escape", "right")
        assert "attempt 2 of 2" in ada.shown
        await ada.keys("L")
        assert isinstance(ada.screen, History), "nobody leaves with the class open behind them"
        await ada.keys("escape")
        assert isinstance(ada.screen, StudentPage)
        await ada.keys("escape", "k")
        assert "Type the teacher's passphrase" in ada.shown


async def test_walking_shows_what_was_to_be_proved_then_when_that_was_and_what_a_teacher_says_of_it(
    folder: Path,
) -> None:
    async with teaching(folder, "enter", "enter", "p") as ada:
        seen = []
        for _ in range(5):
            text = ada.shown
            conclusion = next(line for line in text.splitlines() if "⊢" in line).partition("⊢")[2].rstrip("│ ").strip()
            seen.append((conclusion, text.splitlines()[-2].strip()))
            await ada.keys("down")
        still, lost = "● This can still be proved.", "✗ The proof is lost since 2: made left."
        assert seen == [
            ("p ∨ q → q ∨ p", still),
            ("q ∨ p", still),
            ("q", lost),
            ("q", lost),
            ("p ∨ q → q ∨ p", still),
        ]
        place = ada.screen.query_one(Moments).content_region
        rows = [line[place.x : place.right] for line in ada.shown.splitlines()[place.y : place.bottom]]
        assert [row.strip() for row in rows if row.strip()] == [
            "0       began",
            "1 0:03  made intro",
            "✗   2 0:05  made left",
            "after a break of 10:00",
            "3       tried split, which does not apply",
            "4 0:01  went back to the beginning",
        ]
        assert f"{NOON.astimezone():%Y-%m-%d}" in ada.shown.splitlines()[-3]


async def test_what_a_teacher_says_comes_later_and_nobody_waits_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = Signal()

    def slowly(self: history.History) -> Iterator[Verdict]:
        for moment in self.moments:
            assert thought.wait(60)
            yield Verdict(False, moment.number == 1, "It is lost.")

    monkeypatch.setattr(history.History, "verdicts", slowly)
    async with teaching(folder, "enter") as ada:
        await ada.press("enter")
        while not isinstance(ada.screen, History):
            await ada.pause()
        await ada.press("down", "down")
        assert "2 moves made" in ada.shown and "Let me see." in ada.shown and "✗" not in ada.shown
        thought.set()
        await ada.settle()
        assert "✗ It is lost." in ada.shown and "✗   1" in ada.shown
        left = ada.screen
        await ada.press("p", "n", "p", "escape")
        await ada.settle()
        assert isinstance(ada.screen, StudentPage) and left._teacher.is_closed, "who has left is not thought about"


async def test_a_damaged_attempt_is_shown_up_to_where_it_stops(folder: Path) -> None:
    begun = [KeptEvent(stamp(1), "move", "intro")]
    keep(folder, Record(PEIRCE, stamp(0), events=begun), more=[KeptEvent(stamp(2), "move", "left")])
    keep(folder, Record(PEIRCE, stamp(3), events=begun), formula="p ->")
    async with teaching(folder, "enter") as ada:
        await ada.keys(*["down"] * place_of(ada, "peirce"), "enter", "p", "p")
        assert "attempt 1 of 3" in ada.words and "1 0:01 made intro" in ada.words
        assert "Here it stops: move left cannot be made again (left:" in ada.words
        await ada.keys("n")
        assert "Here it stops: the beginning cannot be made again" in ada.shown
        assert "Nothing can be shown of it." in ada.shown and ada.overflowing == []


# Of one's own.


async def test_a_student_is_told_what_lost_the_proof_and_the_name_of_a_lemma_once_it_is_done(folder: Path) -> None:
    async with sitting(folder, account="Bob", size=WIDE) as ada:
        identity, weakening, *_ = exercises("arrows")
        do(ada, identity)
        ada.seat.desk.sit(weakening)
        ada.seat.desk.do(lambda attempt: attempt.make(Move("intro")))
        await ada.keys("D", "h")
        assert "identity" in ada.shown and "If and then 2" in ada.shown and "weakening" not in ada.shown
        await ada.keys("end", "enter", "end")
        assert "made intro" in ada.shown and "✗" not in ada.shown and "weakening" not in ada.shown
        assert "Which move loses the proof is told once this lemma is done." in ada.shown
        await ada.keys("escape", "home")
        await ada.keys(*["down"] * place_of(ada, "or_comm"), "enter", "p", "down", "down")
        assert "✗ The proof is lost since 2: made left." in ada.shown


@pytest.mark.parametrize("is_own", [False, True])
async def test_the_page_says_by_when_it_should_be_done(tmp_path: Path, is_own: bool) -> None:
    due = datetime(2030, 9, 20, 12, tzinfo=UTC)
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
        make(sit(local(store, "Bob"), replace(PEIRCE, terms=Terms(due=due))), PROOF[:1])
        make(sit(local(store, "Bob"), replace(OR_COMM, terms=Terms(due=due))), PROOF)
    async with sitting(tmp_path, account="Bob", teacher=not is_own) as ada:
        await (ada.keys("D", "h") if is_own else ada.fill_in(OPEN_SESAME, ""))
        begun, done = ada.shown.splitlines()[2:4]
        assert begun.endswith(f" {due.astimezone():%Y-%m-%d}") and done.endswith(" on time")
