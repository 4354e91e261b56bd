"""What was fitted is kept under a name of its own, whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from oasis.store import Store, StoreError


def add(store: Store, name: str, content: bytes = b"x") -> None:
    store.add_fitted(name, version="1", origin={"seed": 0}, content=content)


def test_what_was_stored_comes_back(path: Path, store: Store) -> None:
    add(store, "b", bytes(range(256)))
    add(store, "a")
    with Store(path) as again:
        assert [row["name"] for row in again.fitted_list()] == ["b", "a"]
        row = again.fitted("b")
    assert (row["content"], row["origin"], row["version"]) == (bytes(range(256)), {"seed": 0}, "1")


def test_a_name_is_given_once(store: Store) -> None:
    add(store, "a")
    with pytest.raises(StoreError, match="called a already; give another --name"):
        add(store, "a", b"y")
    assert store.fitted("a")["content"] == b"x"


def test_a_name_that_nobody_gave_is_unknown(store: Store) -> None:
    with pytest.raises(StoreError, match=r"Nothing fitted is called a in .*; see `oasis dagger list`"):
        store.fitted("a")


@pytest.mark.slow
@pytest.mark.thorough
def test_a_process_that_is_killed_leaves_what_it_stored_whole(path: Path) -> None:
    program = (
        "import sys; from hashlib import sha256; from pathlib import Path; from oasis.store import Store\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    for number in range(10**6):\n"
        "        content = str(number).encode() * 100_000\n"
        "        version = sha256(content).hexdigest()\n"
        "        store.add_fitted(str(number), version=version, origin={}, content=content)\n"
        "        print(number, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while process.stdout.readline() != "20\n":
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with Store(path) as store:
        rows = [store.fitted(each["name"]) for each in store.fitted_list()]
    assert len(rows) >= 21
    assert all(sha256(row["content"]).hexdigest() == row["version"] for row in rows)
