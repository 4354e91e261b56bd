"""A command in a fork or in this process is the command: nothing shows of where it runs, nor of the command before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import environment, in_process, started
from tests.cli.forks import Forks, read_at_start

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("command", "typed"),
    [("countermodel -", "A \\/ ~A\n"), ("train thesis/nothing", ""), ("tui", ""), ("", "")],
)
def test_a_command_says_the_same_in_a_fork_in_this_process_and_in_one_of_its_own(
    forks: Forks, tmp_path: Path, command: str, typed: str
) -> None:
    answers = []
    for name, run in (("forked", forks.run), ("here", in_process), ("started", started)):
        folder = tmp_path / name
        folder.mkdir()
        answer = run(command.split(), folder, environment(), typed)
        answers.append(
            (answer.returncode, answer.stdout, answer.stderr, sorted(path.name for path in folder.iterdir()))
        )
    assert answers[0] == answers[1] == answers[2]


def test_what_python_reads_when_it_starts_is_not_for_a_fork() -> None:
    here = read_at_start(environment())
    assert read_at_start(environment(OASIS_DB="other.db", PATH="/nowhere")) == here
    assert here not in (read_at_start(environment(PYTHONHASHSEED="1")), read_at_start(environment(LC_ALL="C")))
