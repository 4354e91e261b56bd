"""Standard input, output and error: too much to read, nowhere to write, and text that would steer a terminal."""

import json
import shlex
from pathlib import Path

import pytest
import typer

from oasis.cli import main
from tests.commands import OASIS, Oasis, environment, in_bash, in_process, read_at_start, started
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

LESS_MEMORY = "ulimit -v 4000000;"


@pytest.mark.parametrize(("command", "typed"), [("countermodel -", "A \\/ ~A\n"), ("tui", "")])
def test_a_command_says_the_same_here_and_in_a_process_of_its_own(tmp_path: Path, command: str, typed: str) -> None:
    answers = []
    for name, run in (("here", in_process), ("started", started)):
        (tmp_path / name).mkdir()
        answer = run(command.split(), tmp_path / name, environment(), typed)
        answers.append((answer.returncode, answer.stdout, answer.stderr, [*(tmp_path / name).iterdir()]))
    assert answers[0] == answers[1]
    assert read_at_start(environment(PYTHONHASHSEED="1")) != read_at_start(environment())


@pytest.mark.parametrize("command", ["decide -", *thoroughly("check 'A -> A' - --with native", "replay - intro")])
def test_input_without_end_is_refused_before_the_memory_is_full(command: str, tmp_path: Path) -> None:
    answer = in_bash(f"{LESS_MEMORY} yes 'A -> A' | {OASIS} {command}", tmp_path)
    assert answer.returncode == 2
    assert answer.stderr.startswith("oasis: standard input is longer than 64 MB, the most that is read at once;")


def test_a_line_that_would_fill_the_memory_is_refused_with_its_place(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "long.lemmas").write_text("A -> A\n" + "p -> " * 10**7 + "p\n")
    answer = oasis.ran("decide", "long.lemmas", code=2)
    assert answer.stderr.startswith(
        "oasis: long.lemmas, line 2, column 1: this formula has 50,000,001 characters, and at most 4,000,000 are read\n"
    )
    assert len(answer.stderr) < 400


TOO_LITTLE = "The memory is not enough for this; ask for less at once, or close other programs."


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (MemoryError(), 2, TOO_LITTLE),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: 8 GB"), 2, TOO_LITTLE),
        (EOFError("cut off"), 1, "This should not happen: EOFError: cut off. Set OASIS_DEBUG=1 to see where."),
    ],
)
def test_what_a_command_fails_with_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, code: int, sentence: str
) -> None:
    failing = typer.Typer()

    @failing.command()
    def fail() -> None:
        raise error

    monkeypatch.setattr(main, "app", failing)
    monkeypatch.setattr("sys.argv", ["oasis"])
    with pytest.raises(SystemExit) as left:
        main.main()
    assert left.value.code == code
    assert capsys.readouterr().err.strip() == f"oasis: {sentence}"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "command", ["curricula show iltp", "--version", *thoroughly("decide thesis/41", "decide thesis --json")]
)
def test_output_without_room_is_a_sentence(command: str, tmp_path: Path) -> None:
    answer = in_bash(f"{OASIS} {command} > /dev/full", tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == (
        "oasis: There is no room to write (No space left on device); make room, or write to another place.\n"
    )


@pytest.mark.parametrize("command", ["curricula show iltp", "--help", *thoroughly("train thesis/41 --json -q")])
def test_output_that_nobody_reads_ends_as_a_pipe_does(command: str, tmp_path: Path) -> None:
    answer = in_bash(f"{OASIS} {command} | true; echo ${{PIPESTATUS[0]}}", tmp_path)
    assert (answer.stdout, answer.stderr) == ("141\n", "")


@pytest.mark.parametrize(
    ("command", "returncode"),
    [("train thesis/41 --episodes 5", 0), *thoroughly(("decide thesis/41", 0), ("decide 'A ->'", 2))],
)
def test_without_stderr_the_answer_is_the_same(oasis: Oasis, command: str, returncode: int, tmp_path: Path) -> None:
    answer = oasis(*shlex.split(command))
    closed = in_bash(f"{OASIS} {command} 2>&-", tmp_path)
    assert answer.returncode == closed.returncode == returncode
    assert closed.stdout.count("\n") == answer.stdout.count("\n")
    assert "oasis:" not in closed.stdout


def test_without_stdout_there_is_a_sentence_and_without_stdin_nothing_to_read(tmp_path: Path) -> None:
    answer = in_bash(f"{OASIS} decide thesis/41 >&-", tmp_path)
    assert answer.returncode == 2
    assert answer.stderr.startswith("oasis: Standard output is closed")
    answer = in_bash(f"{OASIS} decide - <&-", tmp_path)
    assert answer.returncode == 2
    assert answer.stderr.startswith("oasis: standard input has no lemmas in it")


EVIL = "x\x1b[31m\x9b2J\u202ey"


@pytest.mark.parametrize(
    "command",
    [
        "decide 'EVIL -> p'",
        "decide EVIL.lemmas",
        "check 'A -> A' 'imply1 EVIL' --with native",
        "check 'A -> A' intro --with EVIL",
        "runs list --db no/EVIL",
        "EVIL",
        "decide --EVIL",
        "decide evil.lemmas",
        "decide evil/names.lemmas",
        "lesson new EVIL.toml",
    ],
)
def test_what_was_typed_or_read_does_not_steer_the_terminal(oasis: Oasis, tmp_path: Path, command: str) -> None:
    (tmp_path / "evil.lemmas").write_text(f"one : A -> A\ntwo : A -> {EVIL}\n")
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "names.lemmas").write_text(f"A -> A (*{EVIL}*)\nA -> A -> A\n")
    answer = oasis(*(word.replace("EVIL", EVIL) for word in shlex.split(command)))
    text = answer.stdout + answer.stderr
    assert text.replace("\n", "").isprintable(), text
    assert text


def test_no_line_of_an_error_can_pass_for_another(oasis: Oasis) -> None:
    answer = oasis.ran("runs", "list", "--db", "gone.db\noasis: All is well.", code=2)
    assert answer.stderr.startswith("oasis: There is no database gone.db\n  oasis: All is well.")


def test_what_a_terminal_cannot_show_is_replaced_and_json_loses_nothing(oasis: Oasis) -> None:
    ascii_only = environment(PYTHONIOENCODING="ascii")
    answer = oasis.ran("dagger", "terms", env=ascii_only)
    assert "?" in answer.stdout and answer.stdout.isascii() and answer.stderr == ""
    narrow, wide = (oasis("dagger", "terms", "--json", env=env) for env in (ascii_only, None))
    assert narrow.stdout.isascii() and not wide.stdout.isascii()
    assert json.loads(narrow.stdout) == json.loads(wide.stdout)


@pytest.mark.parametrize(
    "command",
    [
        "curricula list",
        "countermodel 'A \\/ ~A'",
        *thoroughly("doctor", "train --help"),
        "prove textbook/and_comm --search best-first --draw -",
    ],
)
def test_in_the_plainest_locale_everything_is_shown_as_far_as_it_can_be(oasis: Oasis, command: str) -> None:
    plain = environment(LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    answer = oasis(*shlex.split(command), env=plain)
    assert (answer.returncode, "This should not happen" in answer.stderr) == (0, False), answer.stderr
    assert answer.stdout.isascii()
