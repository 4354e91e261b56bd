"""How long a person waits in the classroom: for the first screen, and for the answer to a key while an agent trains.

On a real terminal (a pseudo one), from the key written to the text read: python -m pytest benchmarks/test_tui.py
"""

from __future__ import annotations

import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from fcntl import ioctl
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Self

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from oasis.classroom.admission import open_classroom, set_teacher_passphrase
from oasis.classroom.desk.progress import course_exercises
from tests.classroom.people import fumble, local, sit

PASSPHRASE = "open sesame"
LEMMA = "SYJ203.3"
HARD = "SYJ202.3"
"""That neither a table nor a search proves in a moment, so that all voices are asked again and again."""
ANSWERS = ((b"c", b"c shows why"), (b"r", b"no move to make again"))
"""Keys that are answered with a sentence at once."""


class Terminal:
    """`oasis tui` on a terminal of so many columns and rows."""

    def __init__(self, folder: Path, *arguments: str, size: tuple[int, int] = (80, 24)) -> None:
        self._main, side = pty.openpty()
        columns, rows = size
        ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "OASIS_PREFERENCES": str(folder / "none.toml")}
        command = [sys.executable, "-m", "oasis", "tui", "--db", str(folder / "class.db"), *arguments]
        self._process = subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=environment)
        os.close(side)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._main)

    def pass_by_the_tour(self) -> None:
        """Close what is shown to who comes for the first time."""
        self.read_until(b"Where things are")
        self.type(b"\x1b")

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._main, keys)

    def read_until(self, text: bytes, seconds: float = 30.0) -> float:
        """Read what is drawn until this is; the seconds that it took."""
        began, seen = time.perf_counter(), b""
        while text not in seen:
            left = seconds - (time.perf_counter() - began)
            if left <= 0 or not select.select([self._main], [], [], left)[0]:
                raise TimeoutError(f"{text!r} was not drawn")
            seen += os.read(self._main, 65536)
        return time.perf_counter() - began

    def read_for(self, seconds: float) -> int:
        """Read what is drawn for a while; how many bytes."""
        ends, count = time.perf_counter() + seconds, 0
        while (left := ends - time.perf_counter()) > 0:
            if select.select([self._main], [], [], left)[0]:
                count += len(os.read(self._main, 65536))
        return count


def test_the_first_screen(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    folders = (tmp_path / str(number) for number in range(100))

    def start() -> None:
        folder = next(folders)
        folder.mkdir()
        with Terminal(folder) as terminal:
            terminal.read_until(b"Where things are")

    benchmark.pedantic(start, rounds=7, warmup_rounds=1)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("agent", ["rests", "trains", "escalates"])
def test_the_answer_to_a_key(benchmark: BenchmarkFixture, tmp_path: Path, agent: str, size: tuple[int, int]) -> None:
    with Terminal(tmp_path, HARD if agent == "escalates" else LEMMA, size=size) as terminal:
        terminal.pass_by_the_tour()
        terminal.read_until(b"no hypotheses yet")
        terminal.type(b"0")  # where only one move applies a partner is not asked
        terminal.read_for(2.0)
        terminal.type(b"T")
        terminal.read_until(b"resting")
        if agent == "escalates":  # and loads its network meanwhile
            terminal.type(b"B")
            terminal.read_until(b"Escalating student")
            terminal.read_until(b"resting")
        if agent != "rests":
            terminal.type(b"++++g")
            if agent == "escalates":
                terminal.read_until(b"g again lets it")
                terminal.type(b"g")
            # Where there is little room, what it says stands in place of its pace.
            terminal.read_until(b"Where it stands: one move" if agent == "escalates" else b"playing")
        terminal.read_for(2.0)
        _press(benchmark, terminal, ANSWERS, 200, 0.05, agent, size)


def test_the_answer_to_a_key_before_a_class_of_thirty(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    rng = Random(0)
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, PASSPHRASE)
        for number in range(30):
            desk = local(store, f"Student {number}")
            for exercise in rng.sample(course_exercises()[:30], 10):
                attempt = sit(desk, exercise)
                with store.together():
                    for _ in range(50):
                        fumble(attempt, rng.randrange)
    with Terminal(tmp_path, "--teacher", size=(120, 40)) as terminal:
        terminal.read_until(b"Enter.")
        terminal.type(PASSPHRASE.encode() + b"\r")
        terminal.read_until(b"Student 29")
        terminal.read_for(2.0)
        answers = ((b"2", b"As they were begun"), (b"1", b"Sorted by now"), (b"v", b"from below"), (b"v", b"by"))
        _press(benchmark, terminal, answers, 100, 0.3, "class")


def _press(
    benchmark: BenchmarkFixture,
    terminal: Terminal,
    expected: Sequence[tuple[bytes, bytes]],
    rounds: int,
    pause: float,
    *what: object,
) -> None:
    """Press keys in turn, each some seconds after the answer to the one before; how long the answers take."""
    answers, waits = cycle(expected), []

    def press() -> None:
        key, answer = next(answers)
        terminal.type(key)
        waits.append(terminal.read_until(answer))
        terminal.read_for(pause)

    benchmark.pedantic(press, rounds=rounds)  # type: ignore[no-untyped-call]
    benchmark.extra_info["median_ms"] = round(median(waits) * 1000, 1)
    benchmark.extra_info["p99_ms"] = round(quantiles(waits, n=100)[98] * 1000, 1)
    benchmark.extra_info["most_ms"] = round(max(waits) * 1000, 1)
    print(*what, benchmark.extra_info)
