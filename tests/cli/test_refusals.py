"""What cannot be done is refused in one sentence, before any work: exit code 2, no answer, and no file left behind.

Each row of refusals.txt is a command and the beginning of what it says behind `oasis: `; words with = before it are its
environment. Every wrong value of a setting or of a file is asked of `Settings` and of the reader; here one of a kind.
"""

import shlex
from pathlib import Path

import pytest

from tests.commands import Oasis, environment

LINES = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").splitlines()
ROWS = [line.split(" = ", 1) for line in LINES if line and not line.startswith("# ")]


@pytest.mark.parametrize(("command", "sentence"), ROWS)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    oasis: Oasis, tmp_path: Path, command: str, sentence: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.txt").touch()
    (tmp_path / "latin.txt").write_bytes("café -> A".encode("latin-1"))
    (tmp_path / "letter.txt").write_text("Dear teacher, " * 100)
    (tmp_path / "template.toml").write_text('lemmas = ["p -> p"]')
    (tmp_path / "exam.toml").write_text('title = "Finals"\nexam = true\nlemmas = ["textbook/or_comm"]')
    (tmp_path / "lesson.toml").write_text('title = "A"\nhnts = 3\nlemmas = ["p -> p"]')
    before = sorted(tmp_path.iterdir())
    words = shlex.split(command)
    if words[1:2] and words[1] in ("sft", "imitate", "grpo", "show"):
        pytest.importorskip("safetensors")
    env = environment(**dict([words.pop(0).split("=")]) if "=" in words[0] else {})
    answer = oasis(*words, env=env)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"oasis: {sentence}"), answer.stderr
    assert all(line.startswith("  ") for line in answer.stderr.splitlines()[1:]), "one sentence, and its place"
    assert sorted(tmp_path.iterdir()) == before
