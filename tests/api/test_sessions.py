"""Sessions of a server leave nothing behind: no objects, and no memory that is free and kept."""

from __future__ import annotations

import gc
import json
import platform
import subprocess
import sys

import pytest

from oasis.api import Limits, call, sessions
from oasis.api.sessions import Sessions
from oasis.api.states import Position
from tactics.formula import Formula
from tactics.goal import Goal
from tests.api.conftest import running
from tests.api.fuzzing import fuzz


@pytest.mark.slow
def test_nothing_of_sessions_that_have_ended_is_kept() -> None:
    def kept() -> dict[str, int]:
        gc.collect()
        kinds = [type(each) for each in gc.get_objects()]
        return {kind.__name__: sum(issubclass(each, kind) for each in kinds) for kind in (Goal, Formula, Position)}

    with running(Sessions(Limits(seconds=0.2))) as server:
        fuzz(server.port, 100, 2, 1)
        before = kept()
        fuzz(server.port, 200, 2, 2)
        after = kept()
    assert after["Position"] == before["Position"] == 0
    assert after["Goal"] <= before["Goal"] + 20
    assert after["Formula"] <= before["Formula"] + 100  # of those whose text is remembered


def test_memory_is_returned_when_sessions_end_and_not_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, returned = [0.0], list[float]()
    monkeypatch.setattr(sessions, "return_memory", lambda: returned.append(now[0]))
    held = Sessions(seconds=100, clock=lambda: now[0])
    first, second, third = (held.open() for _ in range(3))
    call(held.get(third).session, "start", {"lemma": "A -> A"})
    held.close(first)
    held.close(second)
    assert returned == [0.0]
    now[0] = 99.0
    held.open()
    assert returned == [0.0]
    now[0] = 150.0
    held.open()  # the third has ended by itself
    assert returned == [0.0, 150.0]


_THREADS = """
import json, os, threading
from oasis.api.sessions import return_memory
from oasis.backends.processes import resident

def work():
    pieces = [bytes(5_000) for _ in range(4_000)]
    kept.append(bytes(5_000))  # which lies above what is free then

kept, sizes = [], []
for thread in [threading.Thread(target=work) for _ in range(4)]:
    thread.start()
    thread.join()
sizes.append(resident(os.getpid()))
return_memory()
sizes.append(resident(os.getpid()))
print(json.dumps(sizes))
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no memory for each thread")
def test_what_threads_gave_free_is_returned() -> None:
    before, after = json.loads(subprocess.run([sys.executable, "-c", _THREADS], capture_output=True, check=True).stdout)
    assert before - after > 10 << 20
