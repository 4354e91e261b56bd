"""A command in a fork is the command: nothing shows of where it was forked, nor of the command before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import environment, started
from tests.cli.forks import Forks

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("countermodel -", "A \\/ ~A\n"),
        ("play A->A", "intro\nassumption\n"),
        ("prove thesis/43 --format unicode", ""),
        ("train thesis/nothing", ""),
        ("prove --nonsense", ""),
        ("tui", ""),
        ("", ""),
    ],
)
def test_a_forked_command_says_what_a_started_one_says(forks: Forks, tmp_path: Path, command: str, typed: str) -> None:
    answers = []
    for name, run in (("forked", forks.run), ("started", started)):
        folder = tmp_path / name
        folder.mkdir()
        answer = run(command.split(), folder, environment(), typed)
        answers.append(
            (answer.returncode, answer.stdout, answer.stderr, sorted(path.name for path in folder.iterdir()))
        )
    assert answers[0] == answers[1]


def test_what_python_reads_when_it_starts_is_not_for_a_fork(forks: Forks) -> None:
    assert forks.started_alike(environment(OASIS_DB="other.db", PATH="/nowhere"))
    assert not forks.started_alike(environment(PYTHONHASHSEED="1"))
    assert not forks.started_alike(environment(LC_ALL="C"))
