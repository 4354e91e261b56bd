"""A whole class at one file, and processes that are killed: no move is lost, and none becomes another's."""

from __future__ import annotations

import json
import multiprocessing
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk.record import Record
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.overview import overview
from oasis.classroom.register.register import Register
from tactics.parser import parse
from tests.classroom.people import LONG, attend, in_letters, simulate
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

STUDENTS, EVENTS = 30, 200
ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_thirty_students_at_one_file_lose_nothing_and_get_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(STUDENTS)
    people = [context.Process(target=simulate, args=(number, path, together, EVENTS)) for number in range(STUDENTS)]
    for process in people:
        process.start()
    for process in people:
        process.join()
    assert [process.exitcode for process in people] == [0] * STUDENTS
    with open_classroom(path) as store:
        assert len(store.attempts()) == STUDENTS
        for number in range(STUDENTS):
            student = store.student(f"student {number}")
            assert student is not None
            (attempt,) = store.attempts(student.id)
            formula = in_letters(LONG, [f"{letter}{number}" for letter in "abcd"])
            assert parse(attempt.kept.formula) is formula
            stored = store.events(attempt.kept.uuid)
            seen = json.loads(path.with_name(f"{number}.json").read_text())
            assert [[event.kind, event.what] for event in stored] == seen
            assert len(stored) == EVENTS
            again = Record(Exercise("long", formula, "thirty"), attempt.kept.started, attempt.kept.uuid, stored)
            assert again.kept()._replace(changed=attempt.kept.changed) == attempt.kept


@pytest.mark.parametrize(("students", "lemmas"), [(3, 8), *thoroughly((8, 15))])
def test_a_teacher_who_looks_all_the_time_at_a_class_at_work_meets_no_error_and_sees_every_move(
    tmp_path: Path, students: int, lemmas: int
) -> None:
    path, seen = tmp_path / "oasis.db", dict[str, int]()
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(students + 1)
    people = [context.Process(target=attend, args=(number, path, together, lemmas, 0.01)) for number in range(students)]
    for process in people:
        process.start()
    with open_classroom(path) as store:
        register, reads = Register(store), 0
        together.wait(60)
        deadline = time.monotonic() + 120
        while sum(seen.values()) < students * lemmas:
            assert time.monotonic() < deadline, seen
            problems, whereabouts = register.problems(), register.whereabouts()
            assert {problem.lemma for problem in problems} <= {f"lemma {number}" for number in range(lemmas)}
            for each in overview(whereabouts, register.marks()):
                assert each.total.done >= seen.get(each.where.name, 0)
                seen[each.where.name] = each.total.done
            reads += 1
    for process in people:
        process.join()
    assert [process.exitcode for process in people] == [0] * students
    assert seen == {f"Student {number}": lemmas for number in range(students)}
    assert reads > 3


def test_a_process_that_is_killed_at_any_moment_loses_at_most_the_last_move(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    code = f"from pathlib import Path; from tests.classroom.people import *; report_each_event(Path({str(path)!r}))"
    before = 0
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(random.uniform(0, 0.2))
        process.kill()
        told = [first, *process.stdout.readlines()]
        process.wait()
        process.stdout.close()
        reported = int([line for line in told if line.endswith("\n")][-1])
        with open_classroom(path) as store:
            stored = sum(row.events for row in store.attempts())
        assert reported <= stored - before <= reported + 1
        before = stored
