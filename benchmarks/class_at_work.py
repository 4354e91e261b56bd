"""A class at work beside its teacher's screen: python -m benchmarks.class_at_work [STUDENTS] [SECONDS].

Each student is a process that makes four moves a second and proves a lemma with every second one. It tells how long
after a proof was stored the teacher's screen had it, and how long the screen took to answer a key meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import sys
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep, time

from oasis.classroom.admission import open_classroom, set_teacher_passphrase
from tests.classroom.people import attend
from tests.tui.school import OPEN_SESAME, teaching

PAUSE = 0.25


def study(number: int, path: Path, together: Barrier, lemmas: int) -> None:
    """A student who stays until the teacher has seen everything: processes that end all at once would be measured."""
    attend(number, path, together, lemmas, PAUSE)
    together.wait(300)


async def look(
    folder: Path, students: int, lemmas: int, together: Barrier
) -> tuple[dict[str, list[float]], list[float]]:
    """When the teacher's screen first had each proof of each student, and seconds to the answer of each key.

    The screen is there before the students.
    """
    seen: dict[str, list[float]] = {f"Student {number}": [] for number in range(students)}
    answers = []
    async with teaching(folder, size=(120, 40)) as teacher:
        await asyncio.to_thread(together.wait, 120)
        while any(len(times) < lemmas for times in seen.values()):
            for row in teacher.sheet("students")._rows:
                times = seen.get(row.where.name)
                if times is not None:
                    times += [time()] * (row.total.done - len(times))
            began = perf_counter()
            await teacher.press("v")
            answers.append(perf_counter() - began)
            await teacher.pause(0.05)
    return seen, answers


def main(students: int, seconds: float) -> None:
    """Measure, and tell."""
    lemmas = round(seconds / PAUSE / 2)
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "class.db"
        with open_classroom(path) as store:
            set_teacher_passphrase(store, OPEN_SESAME)
        together = context.Barrier(students + 1)
        people = [context.Process(target=study, args=(n, path, together, lemmas), daemon=True) for n in range(students)]
        for person in people:
            person.start()
        while together.n_waiting < students:
            sleep(0.1)
        began = time()
        seen, answers = asyncio.run(look(Path(folder), students, lemmas, together))
        together.wait(300)
        for person in people:
            person.join()
        assert [person.exitcode for person in people] == [0] * students
        delays = []
        for number in range(students):
            done = json.loads((path.parent / f"{number}.json").read_text())
            delays += [after - before for before, after in zip(done, seen[f"Student {number}"], strict=True)]
        delays.sort()
        with open_classroom(path) as store:
            events = sum(stored.events for stored in store.attempts())
    print(f"{students} students, {events} moves in {time() - began:.0f} s, all stored")
    print(f"proofs on the teacher's screen after: median {median(delays):.2f} s, most {delays[-1]:.2f} s")
    print(f"keys of the teacher answered within: median {median(answers):.3f} s, most {max(answers):.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30, float(sys.argv[2]) if len(sys.argv) > 2 else 30.0)
