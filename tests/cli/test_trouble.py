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
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

from oasis.__main__ import main
from oasis.cli.exits import EXIT_INTERRUPTED
from tests.cli.conftest import OASIS, START, Oasis, environment, in_bash
from tests.optional import missing

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "p -> (q"], "column 6: this ( is never closed; add a )\n  p -> (q\n       ^"),
        (["train", "p -> q)"], "column 7: this ) closes nothing"),
        (["train", "thesys"], "There is no lemma, curriculum or file called thesys; did you mean thesis"),
        (["train", "thesis/47"], "There is no lemma, curriculum or file called thesis/47"),
        (["train", "forall n : nat, n"], "column 12: only propositions can be quantified here"),
        (["train", "empty.txt"], "empty.txt has no lemmas in it"),
        (["train", "folder"], "There is no lemma, curriculum or file called folder; write ./folder for the file"),
        (["train", "folder/"], "folder has no problems in it"),
        (["train", "missing.p"], "There is no lemma, curriculum or file called missing.p"),
        (["train", "latin.txt"], "latin.txt"),
        (["train", "-"], "standard input has no lemmas in it"),
        (["train", "--epsilon", "2"], "--epsilon must lie between 0 and 1, not 2."),
        (["train", "--epsilon", "nan"], "--epsilon: 'nan' is no schedule; write a number, 0.5..0.05, 1/n"),
        (["train", "--alpha", "0"], "--alpha must be above 0"),
        (["train", "--gamma", "-0.1"], "--gamma must lie between 0 and 1"),
        (["train", "--episodes", "0"], "--episodes must be at least 1, not 0."),
        (["train", "--episodes", "9" * 20], "--episodes must be at most 1,000,000,000,000, not 99,999"),
        (["train", "--initial-value", "1e308"], "--initial-value must be a number from -1e+100 to 1e+100"),
        (["train", "--episodes", "many"], "--episodes should be a whole number, not 'many'."),
        (["train", "textbook", "--escalate", "--budget", ""], "--budget is a time, as in 90s, 30m or 2h, not ''."),
        (["compare", "SYJ203.1", "--ladder", "table", "--budget", ""], "--budget is a time"),
        (["prove", "SYJ203.1", "--search", "best-first", "--budget", ""], "--budget is a number of expansions"),
        (["train", "--max-steps", "0"], "--max-steps must be at least 1"),
        (["train", "--learner", "oracle"], "--learner is one of uniform, epsilon-soft, sarsa, q-learning"),
        (["train", "--reward", "money"], "--reward is one of"),
        (["train", "--state-space", "outer"], "--state-space is one of simple"),
        (["train", "--actions", "all"], "--actions is one of legal, blind, simplify"),
        (["train", "--forget-errors"], "--forget-errors goes with --actions blind"),
        (["train", "--levels", "7"], "thesis has no lemma of the levels asked for"),
        (["train", "--levels", "3-1"], "The range 3-1 is empty"),
        (["train", "--resume"], "There is no database oasis.db yet"),
        (["train", "--student", "1"], "There is no database oasis.db yet"),
        (["train", "--run", "1"], "--run goes with --resume"),
        (["train", "--db", "nowhere/oasis.db"], "nowhere/oasis.db cannot be written here"),
        (["train", "--db", "folder"], "folder is a folder; name a file in it with --db."),
        (["policy", "eval", "uniform", "--db", "folder"], "folder is a folder; name a file in it with --db."),
        (
            ["policy", "eval", "uniform", "--benchmark", "textbook", "--samples", "0"],
            "--samples is 0; take at least 2.",
        ),
        (["policy", "eval", "uniform", "--k", "2"], "--k and --temperature are about plays that --samples asks for"),
        (["train", "--seed", "-1"], "A seed lies between 0 and 9223372036854775807, and -1 does not; choose another"),
        (["train", "--frobnicate"], "No such option: --frobnicate. See oasis train --help"),
        (["fly"], "No such command 'fly'"),
        (["curricula", "show", "thesis", "--format", "word"], "--format is one of coq, tptp, unicode, not 'word'."),
        (["replay", "thesis", "intro"], "thesis has 6 lemmas and here one is needed"),
        (["replay", "thesis/41"], "Missing argument 'SCRIPT'. See oasis replay --help"),
        (["replay", "thesis/41", "fly H"], "Step 1: fly is not a rule"),
        (["replay", "thesis/41", "imply1 H"], "Step 1: imply1: no hypothesis is called H; there are none yet."),
        (["replay", "-", "-"], "Only one of LEMMA and SCRIPT"),
        (["runs", "list"], "There is no database oasis.db yet"),
    ],
)
def test_bad_input_gets_one_sentence_and_leaves_nothing_behind(
    oasis: Oasis, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin.txt").write_bytes("caf\xe9 -> A".encode("latin-1"))
    answer = oasis(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == "" or arguments[0] == "replay"
    assert answer.stderr.startswith(f"oasis: {sentence}"), answer.stderr
    assert "Traceback" not in answer.stderr
    assert not (tmp_path / "oasis.db").exists()


def test_a_group_of_commands_says_which_there_are(oasis: Oasis) -> None:
    answer = oasis("runs")
    assert answer.returncode == 2
    assert answer.stderr == "oasis: Say which: list, show, export. See oasis runs --help\n"


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
            answer = oasis(*command, "--db", name)
            assert answer.returncode == 2
            assert answer.stderr == f"oasis: {name} {sentence}; name another file with --db.\n"
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.some_days
def test_a_locked_database_is_waited_for_and_then_named(oasis: Oasis, tmp_path: Path) -> None:
    oasis("train", "thesis/41", "--episodes", "3", "--quiet")
    connection = sqlite3.connect(tmp_path / "oasis.db", isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    answer = oasis("train", "thesis/41", "--episodes", "3")
    connection.execute("ROLLBACK")
    connection.close()
    assert answer.returncode == 2
    assert "oasis.db is in use by another process; wait for it" in answer.stderr
    assert json.loads(oasis("runs", "list", "--json").stdout)["runs"][0]["episodes"] == 3


def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    without_privileges: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            missing("root may write anywhere, and setpriv is not there to give that up")
        without_privileges = ["setpriv", "--bounding-set=-dac_override"]
    tmp_path.chmod(0o555)
    try:
        answer = subprocess.run(
            [*without_privileges, *START, "train", "thesis/41"],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        tmp_path.chmod(0o755)
    assert answer.returncode == 2
    assert answer.stderr == "oasis: oasis.db cannot be written here; name another file with --db or OASIS_DB.\n"


@pytest.mark.some_days
def test_a_closed_pipe_ends_quietly_and_the_run_is_kept(oasis: Oasis, tmp_path: Path) -> None:
    answer = in_bash(f"{OASIS} train thesis/41 --episodes 50 --quiet --json | true; echo ${{PIPESTATUS[0]}}", tmp_path)
    assert (answer.stdout, answer.stderr) == ("141\n", "")
    assert json.loads(oasis("runs", "list", "--json").stdout)["runs"][0]["finished"]


LONG = ["train", "thesis", "--levels", "1-3", "--episodes", "500000", "--seed", "5", "--quiet", "--json"]
"""Some seconds of practice."""


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The lemmas of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    answer = subprocess.run([*START, *LONG], cwd=folder, env=environment(), capture_output=True, text=True, check=True)
    return _without_times(json.loads(answer.stdout)["lemmas"])


def _without_times(lemmas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in lemma.items() if name != "seconds"} for lemma in lemmas]


@pytest.fixture
def halfway(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The same run while the store already holds a part of it."""
    process = subprocess.Popen(
        [*START, *LONG], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
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


@pytest.mark.some_variants(1)
@pytest.mark.parametrize(("number", "returncode"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_disturbed_run_goes_on_to_the_same_table(
    oasis: Oasis,
    halfway: subprocess.Popen[str],
    uninterrupted: list[dict[str, Any]],
    number: signal.Signals,
    returncode: int,
) -> None:
    halfway.send_signal(number)
    stdout, stderr = halfway.communicate(timeout=30)
    assert halfway.returncode == returncode
    assert stdout == ""
    if number != signal.SIGKILL:
        soon, stderr = stderr.split("\n", 1)
        assert soon == "Stopping after this block of episodes; Ctrl-C again stops at once."
        assert re.fullmatch(r"oasis: Stopped; run 1 is kept in oasis.db and goes on with: .*--resume\n", stderr)
    resumed = oasis("train", "--resume", "--quiet", "--json")
    assert resumed.returncode == 0, resumed.stderr
    content = json.loads(resumed.stdout)
    assert content["run"] == 1
    assert _without_times(content["lemmas"]) == uninterrupted


def test_resuming_a_finished_run_shows_it_again(oasis: Oasis) -> None:
    oasis("train", "thesis/41", "--episodes", "20", "--quiet")
    again = oasis("train", "thesis/41", "--episodes", "20", "--resume", "--json")
    assert json.loads(again.stdout)["lemmas"][0]["episodes"] == 20
    assert again.stderr.startswith("Run 1 is finished already.\n")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--epsilon", "0.2"], "Run 1 has --epsilon 0.4, not 0.2"),
        (["thesis/42"], "Run 1 has other lemmas"),
        (["--seeds", "3"], "Run 1 has --seeds 1, not 3"),
        (["--exam", "SYJ203.2"], "Run 1 has another exam"),
        (["--run", "7"], "There is no run 7 in oasis.db"),
    ],
)
def test_resuming_with_other_settings_is_refused(oasis: Oasis, more: list[str], sentence: str) -> None:
    oasis("train", "thesis/41", "--episodes", "5", "--quiet")
    answer = oasis("train", "--resume", *more)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"oasis: {sentence}")


def test_a_file_in_the_folder_does_not_stand_in_for_what_was_typed(oasis: Oasis, tmp_path: Path) -> None:
    for name in ("False", "p", "assumption", "p |- p"):
        (tmp_path / name).write_text("A -> A")
    answer = oasis("check", "False", "assumption", "--with", "native")
    assert answer.returncode == 1
    assert answer.stdout.startswith("False\nthe embedded calculus rejected: Step 1: assumption")
    assert json.loads(oasis("decide", "p/\\q -> p", "--json").stdout)["results"][0]["lemma"] == "p/\\q -> p"
    assert json.loads(oasis("same", "p |- p", "q |- q", "--json").stdout)["name"] is True


def test_a_script_is_read_from_a_file_that_is_named_as_one(oasis: Oasis, tmp_path: Path) -> None:
    for name in ("proof", "proof.txt"):
        (tmp_path / name).write_text("intro\nassumption\n")
    for script in ("./proof", "file:proof", "proof.txt", "file:proof.txt"):
        answer = oasis("check", "A -> A", script, "--with", "native")
        assert (answer.returncode, answer.stdout) == (0, "A -> A\nthe embedded calculus accepted\n")
    answer = oasis("check", "A -> A", "proof", "--with", "native")
    assert answer.returncode == 2
    assert answer.stderr.endswith("\n  There is a file called proof; write ./proof for the file of this name.\n")


def test_ctrl_c_while_the_command_is_imported_is_a_word_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
