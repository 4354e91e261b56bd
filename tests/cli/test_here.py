"""A command in the process of its test is the command: nothing shows of where it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import environment, in_process, read_at_start, started

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("command", "typed"),
    [("countermodel -", "A \\/ ~A\n"), ("train thesis/nothing", ""), ("tui", ""), ("", "")],
)
def test_a_command_says_the_same_here_and_in_a_process_of_its_own(tmp_path: Path, command: str, typed: str) -> None:
    answers = []
    for name, run in (("here", in_process), ("started", started)):
        folder = tmp_path / name
        folder.mkdir()
        answer = run(command.split(), folder, environment(), typed)
        left = sorted(path.name for path in folder.iterdir())
        answers.append((answer.returncode, answer.stdout, answer.stderr, left))
    assert answers[0] == answers[1]


def test_a_command_for_which_python_would_start_otherwise_gets_a_process() -> None:
    here = read_at_start(environment())
    assert read_at_start(environment(OASIS_DB="other.db", PATH="/nowhere")) == here
    assert here not in (read_at_start(environment(PYTHONHASHSEED="1")), read_at_start(environment(LC_ALL="C")))
