"""Work in the background: in order, and nobody who leaves waits for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import CancelledError

import pytest

from oasis.classroom.background import Background


async def test_things_are_done_in_order_and_answers_and_errors_come_back() -> None:
    done: list[int] = []
    thread = Background("test")
    first, second = thread.submit(done.append, 1), thread.submit(done.append, 2)
    assert await thread.ask(lambda: threading.current_thread().name) == "test"
    assert done == [1, 2] and first.done() and second.done()
    with pytest.raises(ZeroDivisionError):
        await thread.ask(lambda: 1 / 0)
    thread.close()


def test_after_the_end_nothing_begins_but_the_last_thing() -> None:
    thread, begun, go, done = Background("test"), threading.Event(), threading.Event(), threading.Event()

    def wait() -> bool:
        begun.set()
        return go.wait(60)

    began = thread.submit(wait)
    assert begun.wait(60)
    never = thread.submit(pytest.fail)
    thread.close(done.set)
    go.set()
    assert done.wait(60) and began.result() and never.cancelled()
    with pytest.raises(CancelledError):
        thread.submit(pytest.fail).result()


def test_a_program_ends_while_something_in_the_background_takes_for_ever() -> None:
    code = """
import threading, time
from oasis.classroom.background import Background
began = threading.Event()
Background("slow").submit(lambda: (began.set(), time.sleep(600)))
began.wait()
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
