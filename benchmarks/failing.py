"""What it costs to see where a class is failing: python -m benchmarks.failing [STUDENTS] [EVENTS].

So many students have done so many things each, at random, at two lemmas. Then they do one thing more each, ten times,
and it is looked each time where they are failing. Prints milliseconds of the processor.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from oasis.classroom.clock import now
from oasis.classroom.desk.record import Record
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.mistakes import Examiner
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, KeptTab, Store
from tests.classroom.people import LONG, fumble, local, or_comm

LATER = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="milliseconds")


def record(number: int, events: int) -> Record:
    """Return what a student has done at random without proving anything."""
    exercise = Exercise("long", LONG, "cases") if number % 2 else or_comm("xy")
    attempt, random, happened = Attempt(exercise.formula), Random(number), list[KeptEvent]()
    while len(happened) < events:
        trial = attempt.copy()
        event = fumble(trial, random.randrange)
        if event is not None and not trial.is_over:
            attempt.happen([event])
            happened.append(KeptEvent(now(), *event))
    return Record(exercise, now(), events=happened)


def measure(store: Store, students: int, events: int) -> list[float]:
    """Return the milliseconds of the first look and of ten more."""
    records = [(local(store, f"Student {number}").student.id, record(number, events)) for number in range(students)]
    for student, each in records:
        store.keep(student, each.kept(), 0, each.events)
        tab = KeptTab(each.uuid, "", student, now(), now(), LATER, attempt=each.uuid)
        store.open_tab(tab)
        store.renew_tab(tab)
    register, examiner, times = Register(store), Examiner(), list[float]()
    for _ in range(11):
        began = process_time()
        examiner.failing(register.here(), datetime.now(UTC), 60)
        times.append((process_time() - began) * 1000)
        for student, each in records:
            each.events.append(KeptEvent(now(), "refused", "split"))
            store.keep(student, each.kept(), len(each.events) - 1, each.events[-1:])
    return times


if __name__ == "__main__":
    students, events = (int(each) for each in (sys.argv[1:] or ("30", "1000")))
    with TemporaryDirectory() as folder, Store(Path(folder) / "class.db") as store:
        first, *more = measure(store, students, events)
    print(f"first look {first:.0f} ms; then {median(more):.0f} ms in the median, {min(more):.0f} to {max(more):.0f}")
