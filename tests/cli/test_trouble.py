"""Bad input and bad circumstances: one sentence, the right exit code, and nothing lost."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import MetaPathFinder
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Event
from typing import Any

import pytest

from oasis.__main__ import main
from oasis.cli.exits import EXIT_INTERRUPTED
from oasis.ground.signals import interrupts_kept
from oasis.store import Store
from tests.commands import PATIENCE, START, Oasis, environment, in_process
from tests.optional import missing
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow


def test_a_traceback_is_shown_only_on_request(oasis: Oasis) -> None:
    assert "Traceback" in oasis("train", "p ->", env=environment(OASIS_DEBUG="1")).stderr


def test_a_foreign_database_is_refused_and_left_alone(oasis: Oasis, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "oasis.db") as connection:
        connection.execute("CREATE TABLE photographs (taken TEXT)")
    connection.close()
    (tmp_path / "letter.db").write_text("Dear reader, " * 200)
    for name, sentence in [("oasis.db", "is a database of another program"), ("letter.db", "is not a database")]:
        before = (tmp_path / name).read_bytes()
        for command in (["train", "thesis/41"], ["runs", "list"]):
            assert oasis.refused(*command, "--db", name) == f"{name} {sentence}; name another file with --db."
        assert (tmp_path / name).read_bytes() == before


def test_a_locked_database_is_awaited_then_named(oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    oasis("train", "thesis/41", "--episodes", "3", "--quiet")
    defaults = Store.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "patience", 0.1)
    connection = sqlite3.connect(tmp_path / "oasis.db", isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    answer = oasis("train", "thesis/41", "--episodes", "3")
    connection.execute("ROLLBACK")
    connection.close()
    assert answer.returncode == 2
    assert "oasis.db is in use by another process; wait for it" in answer.stderr
    assert oasis.json("runs", "list")["runs"][0]["episodes"] == 3


def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    without_privileges: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            missing("root may write anywhere, and setpriv is not there to give that up")
        without_privileges = ["setpriv", "--bounding-set=-dac_override"]
    tmp_path.chmod(0o555)
    try:
        command = [*without_privileges, *START, "train", "thesis/41"]
        answer = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    finally:
        tmp_path.chmod(0o755)
    assert answer.returncode == 2
    assert answer.stderr == "oasis: oasis.db cannot be written here; name another file with --db or OASIS_DB.\n"


LONG = ["train", "thesis", "--levels", "1-3", "--episodes", "1500000", "--seed", "5", "--quiet", "--json"]
"""Some seconds of practice, of which a part is stored after the first."""


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The lemmas of a run that nobody disturbed."""
    answer = in_process(LONG, tmp_path_factory.mktemp("uninterrupted"), environment())
    return _without_times(json.loads(answer.stdout)["lemmas"])


def _without_times(lemmas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in lemma.items() if name != "seconds"} for lemma in lemmas]


@pytest.fixture
def halfway(tmp_path: Path) -> Iterator[Popen[str]]:
    """The same run while the store already holds a part of it."""
    process = Popen([*START, *LONG], cwd=tmp_path, env=environment(), stdout=PIPE, stderr=PIPE, text=True)
    deadline = time.monotonic() + 60
    while _stored_episodes(tmp_path / "oasis.db") < 1000:
        assert process.poll() is None, "the run was over before it could be disturbed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield process
    process.kill()
    process.communicate()


def _stored_episodes(path: Path) -> int:
    if not path.exists():
        return 0
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        (count,) = connection.execute("SELECT coalesce(sum(practised), 0) FROM lemmas").fetchone()
    except sqlite3.OperationalError:
        return 0  # its tables are not there yet
    finally:
        connection.close()
    return int(count)


@pytest.mark.parametrize(
    ("number", "returncode"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), *thoroughly((signal.SIGTERM, 143))]
)
def test_a_disturbed_run_goes_on_to_the_same_table(
    oasis: Oasis, halfway: Popen[str], uninterrupted: list[dict[str, Any]], number: signal.Signals, returncode: int
) -> None:
    halfway.send_signal(number)
    stdout, stderr = halfway.communicate(timeout=30)
    assert halfway.returncode == returncode
    assert stdout == ""
    if number != signal.SIGKILL:
        soon, stderr = stderr.split("\n", 1)
        assert soon == "Stopping after this block of episodes; Ctrl-C again stops at once."
        assert re.fullmatch(r"oasis: Stopped; run 1 is kept in oasis.db and goes on with: .*--resume\n", stderr)
    resumed = oasis.json("train", "--resume", "--quiet")
    assert resumed["run"] == 1
    assert _without_times(resumed["lemmas"]) == uninterrupted


def test_resuming_a_finished_run_shows_it_again(oasis: Oasis) -> None:
    oasis("train", "thesis/41", "--episodes", "20", "--quiet")
    again = oasis("train", "thesis/41", "--episodes", "20", "--resume", "--json")
    assert json.loads(again.stdout)["lemmas"][0]["episodes"] == 20
    assert again.stderr.startswith("Run 1 is finished already.\n")


def test_resuming_with_other_settings_is_refused(oasis: Oasis) -> None:
    oasis("train", "thesis/41", "--episodes", "5", "--quiet")
    for more, sentence in (
        ("--epsilon 0.2", "Run 1 has --epsilon 0.4, not 0.2"),
        ("thesis/42", "Run 1 has other lemmas"),
        ("--seeds 3", "Run 1 has --seeds 1, not 3"),
        ("--exam SYJ203.2", "Run 1 has another exam"),
        ("--run 7", "There is no run 7 in oasis.db"),
    ):
        assert oasis.refused("train", "--resume", *more.split()).startswith(sentence)


def test_a_file_in_the_folder_does_not_stand_in_for_what_was_typed(oasis: Oasis, tmp_path: Path) -> None:
    for name in ("False", "p", "assumption", "p |- p"):
        (tmp_path / name).write_text("A -> A")
    answer = oasis.ran("check", "False", "assumption", "--with", "native", code=1)
    assert answer.stdout.startswith("False\nthe embedded calculus rejected: Step 1: assumption")
    assert oasis.json("decide", "p/\\q -> p")["results"][0]["lemma"] == "p/\\q -> p"
    assert oasis.json("same", "p |- p", "q |- q")["name"] is True


def test_a_script_is_read_from_a_file_that_is_named_as_one(oasis: Oasis, tmp_path: Path) -> None:
    for name in ("proof", "proof.txt"):
        (tmp_path / name).write_text("intro\nassumption\n")
    for script in ("./proof", "file:proof", "proof.txt", "file:proof.txt"):
        answer = oasis("check", "A -> A", script, "--with", "native")
        assert (answer.returncode, answer.stdout) == (0, "A -> A\nthe embedded calculus accepted\n")
    answer = oasis.ran("check", "A -> A", "proof", "--with", "native", code=2)
    assert answer.stderr.endswith("\n  There is a file called proof; write ./proof for the file of this name.\n")


def test_ctrl_c_during_import_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Interrupting(MetaPathFinder):
        def find_spec(self, fullname: str, path: object, target: object = None) -> None:
            if fullname == "oasis.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "oasis.cli.main", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == EXIT_INTERRUPTED
    assert capsys.readouterr().err == "oasis: Interrupted.\n"


def test_a_ctrl_c_that_python_drops_comes_again_after_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dropping:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    (tmp_path / "deaf.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    deaf = (tmp_path / "deaf.py").read_text()
    hands_over = compile(deaf, "/anywhere/llvmlite/binding/module.py", "exec")
    for lose in (Dropping, lambda: import_module("deaf"), lambda: exec(hands_over, {})):
        with pytest.raises(KeyboardInterrupt), interrupts_kept():  # noqa: PT012
            lose()
            Event().wait(PATIENCE)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
