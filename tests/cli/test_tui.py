"""`oasis tui`: what keeps it from opening is told in one sentence, and a terminal is left as it was."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands import Oasis
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow


def test_who_comes_over_a_network_is_not_told_where_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "class.db").write_text("nothing of ours, and long enough to be looked at" * 100)
    said = Oasis(tmp_path.parent).refused("tui", "--served", "--db", str(tmp_path / "class.db"))
    assert said.startswith("class.db ") and str(tmp_path) not in said


def on_a_terminal(folder: Path, keys: bytes, until: bytes, told: signal.Signals | None = None) -> tuple[int, bytes]:
    """Type keys to `oasis tui` on a real terminal once it has drawn; return its exit code and what it wrote.

    A signal is sent after the keys.
    """
    main, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "OASIS_PREFERENCES": str(folder / "none.toml")}
    command = [sys.executable, "-m", "oasis", "tui", "--db", str(folder / "class.db")]
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=environment) as process:
        os.close(side)
        written, sent, deadline = b"", False, time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([main], [], [], 0.2)[0]:
                try:
                    written += os.read(main, 65536)
                except OSError:  # the other side is closed: the application has ended
                    break
            if not sent and until in written:
                os.write(main, keys)
                if told is not None:
                    process.send_signal(told)
                sent = True
        try:
            code = process.wait(timeout=20)
        finally:
            process.kill()  # nothing where it has ended
    os.close(main)
    return code, written


def test_on_a_terminal_it_opens_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    code, written = on_a_terminal(tmp_path, b"\x11", b"Close (Esc)")
    assert code == 0
    assert written.rstrip().endswith((b"\x1b[?25h", b"\x1b[?1004l", b"\x1b[?2004l", b"l", b"h"))


@pytest.mark.parametrize("told", [signal.SIGHUP, *thoroughly(signal.SIGTERM)])
def test_told_to_end_it_leaves_the_file_of_the_class_closed(tmp_path: Path, told: signal.Signals) -> None:
    code, _ = on_a_terminal(tmp_path, b"", b"Close (Esc)", told)
    assert code == 0
    assert [each.name for each in tmp_path.glob("class.db*")] == ["class.db"]


def test_a_file_of_another_program_is_told_in_words_on_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "class.db").write_text("not a database, but a long enough text to be read as one" * 20)
    code, written = on_a_terminal(tmp_path, b"", b"nothing of this kind")
    assert code == 2
    assert b"is not a database" in written
    assert b"Traceback" not in written
