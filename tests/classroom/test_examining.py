"""Wrong moves looked for in another process: the same as here, and its end is told in words."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from multiprocessing import active_children
from threading import Timer

import pytest

from oasis.classroom.register.examining import ExaminerBeside, ExaminerGone
from oasis.classroom.register.mistakes import Examiner, Work
from oasis.store import KeptEvent
from tactics.rules import RULES
from tests.classroom.people import OR_COMM

LOST = Work(
    1,
    OR_COMM.formula,
    tuple(RULES),
    [KeptEvent("then", "move", "intro"), KeptEvent("then", "move", "left")],
    OR_COMM.formula,
)


@pytest.fixture
def beside() -> Iterator[ExaminerBeside]:
    examiner = ExaminerBeside(60.0)
    yield examiner
    examiner.close()


def pid() -> int | None:
    """The number of the process, once there is one."""
    return next((process.pid for process in active_children() if process.name == "examiner"), None)


def test_it_finds_what_is_found_here_however_often_it_is_asked(beside: ExaminerBeside) -> None:
    here = Examiner(60.0).mistakes([LOST], 60.0)
    assert [str(mistake.move) for mistake in here.moves] == ["left"]
    assert beside.mistakes([LOST], 60.0) == here
    assert beside.mistakes([], 60.0) == Examiner().mistakes([], 60.0)
    assert beside.mistakes([LOST, LOST], 60.0) == Examiner(60.0).mistakes([LOST, LOST], 60.0)


def test_its_end_is_told_and_the_next_question_begins_it_anew(beside: ExaminerBeside) -> None:
    found = beside.mistakes([LOST], 60.0)
    first = pid()
    assert first is not None
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ExaminerGone, match="renew to begin it anew"):
        beside.mistakes([LOST], 60.0)
    assert beside.mistakes([LOST], 60.0) == found
    assert pid() not in (None, first)


def test_a_fault_is_raised_where_it_was_asked_and_the_process_goes_on(beside: ExaminerBeside) -> None:
    with pytest.raises(AttributeError):
        beside.mistakes([LOST._replace(formula="p")], 60.0)  # type: ignore[arg-type]
    assert beside.mistakes([LOST], 60.0).seen == 1


def test_closing_it_ends_the_search_and_the_process(beside: ExaminerBeside) -> None:
    beside.mistakes([LOST], 60.0)
    process = pid()
    assert process is not None
    os.kill(process, signal.SIGSTOP)  # it would think for ever
    Timer(0.2, beside.close).start()
    with pytest.raises(ExaminerGone):
        beside.mistakes([LOST], 60.0)
    deadline = time.monotonic() + 30
    while pid() is not None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert pid() is None
