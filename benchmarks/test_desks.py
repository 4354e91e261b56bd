"""How long a move waits until it is stored, alone and with a class: python -m pytest benchmarks/test_desks.py -s."""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import pytest

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise
from tactics.goal import Move
from tactics.parser import parse

EVENTS = 200


def work(number: int, path: Path, pause: float) -> None:
    """A student who makes a move and takes it back again and again; the times go to a file of their own."""
    chance, times = random.Random(number), []
    with open_classroom(path) as store:
        desk = admit(store, f"student {number}", account=str(number))
        desk.sit(Exercise("long", parse("p -> q -> p")))
        for event in range(EVENTS):
            sleep(chance.uniform(0, 2 * pause))
            began = perf_counter()
            desk.do(lambda attempt: attempt.make(Move("intro"))) if event % 2 == 0 else desk.do(Attempt.undo)
            times.append((perf_counter() - began) * 1000)
            assert not desk.trouble
    path.with_name(f"{number}.json").write_text(json.dumps(times))


@pytest.mark.parametrize(("students", "pause"), [(1, 0.0), (30, 0.0), (30, 0.1)])
def test_the_time_of_a_stored_move(tmp_path: Path, students: int, pause: float) -> None:
    context = multiprocessing.get_context("spawn")
    people = [context.Process(target=work, args=(number, tmp_path / "c.db", pause)) for number in range(students)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    times = sorted(
        moment for number in range(students) for moment in json.loads((tmp_path / f"{number}.json").read_text())
    )
    assert len(times) == students * EVENTS
    p99 = times[int(0.99 * len(times))]
    print(
        f"\n{students} students, {pause} s between moves: "
        f"median {median(times):.2f} ms, p99 {p99:.2f} ms, most {times[-1]:.0f} ms"
    )
