"""What the README shows can be run as it stands."""

import re
import shlex
import shutil
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, DocTestParser, DocTestRunner
from pathlib import Path

import pytest

from tests.cli.conftest import environment
from tests.cli.forks import Forks

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_every_command_in_the_readme_succeeds(forks: Forks, tmp_path: Path) -> None:
    commands = [
        shlex.split(line, comments=True)[1:]
        for block in _blocks("sh")
        for line in block.splitlines()
        if line.startswith("oasis ")
    ]
    # Networks are trained for minutes, which tests/neural does, and torch hangs in a fork of a process with threads.
    with_torch = r"\.safetensors|\.jsonl|--escalate"
    commands = [command for command in commands if not re.search(with_torch, " ".join(command))]
    assert len(commands) >= 10
    (own_reward,) = _blocks("python")
    (tmp_path / "mine.py").write_text(own_reward)
    (weights,) = (block for block in _blocks("toml") if block.startswith("# weights.toml"))
    (tmp_path / "weights.toml").write_text(weights)
    shutil.copy(ROOT / "examples" / "own_policy.py", tmp_path)
    for command in commands:
        # A few episodes show that the command is right; how much it learns is tested elsewhere.
        has_episodes = command[0] in ("train", "compare") and not {"--resume", "--search", "--ladder"} & set(command)
        few = ["--episodes", "5"] if has_episodes else []
        answer = forks.run([*command, *few], tmp_path, environment())
        # Nobody types anything, so a lemma that is to be played is not proved; and there is no terminal here.
        expected = {"play": 1, "tui": 2}.get(command[0], 0)
        assert answer.returncode == expected, (command, answer.stderr)
        assert answer.stdout or command[0] == "tui" or command[:2] == ["lesson", "new"] or "-o" in command


@pytest.mark.parametrize("example", _blocks("pycon"), ids=["Gymnasium", "oasis"])
def test_what_the_readme_shows_in_python_is_what_comes(example: str) -> None:
    test = DocTestParser().get_doctest(example, {}, "README.md", None, 0)
    said: list[str] = []
    failed, tried = DocTestRunner(optionflags=ELLIPSIS | NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert tried
    assert not failed, "".join(said)
