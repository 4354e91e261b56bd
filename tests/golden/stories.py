"""Stories that commands tell: what `commands.toml` says is run, and each answer is a text that a person can read."""

import json
import shlex
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.commands import Oasis, environment
from tests.golden.scrub import scrub

TABLE: Final = Path(__file__).with_name("commands.toml")
WIDTH: Final = 120
ENVIRONMENT: Final = {"LOGNAME": "ada", "OASIS_PASSPHRASE": "open sesame"}
"""Who works there, and the teacher's passphrase."""


class Story(NamedTuple):
    """Commands that share a folder.

    Attributes:
        name: what it is about.
        commands: by the names of their answers.
        files: that are there at first.
        typed: standard input, by the name of an answer.
        needs: a library without which it is left out.
    """

    name: str
    commands: Mapping[str, str]
    files: Mapping[str, str] = {}
    typed: Mapping[str, str] = {}
    needs: str | None = None

    def answers(self, folder: Path, oasis: Oasis) -> dict[str, str]:
        """Run the commands with `oasis`, which does it in this folder, and return what they answer by its name."""
        for name, content in self.files.items():
            (folder / name).write_text(content, encoding="utf-8")
        return {name: self._answer(name, command, folder, oasis) for name, command in self.commands.items()}

    def _answer(self, name: str, command: str, folder: Path, oasis: Oasis) -> str:
        words, wants_json = shlex.split(command), name.endswith(".json")
        words += ["--json"] if wants_json else []
        said = oasis(*words, env=environment(**ENVIRONMENT), typed=self.typed.get(name, ""))
        if wants_json:
            found = scrub(json.loads(said.stdout or "null"), str(folder))
            return pretty({"oasis": command, "exit code": said.returncode, "answer": found}) + "\n"
        return f"$ oasis {command}\n{scrub(_seen(said), str(folder))}"


def _seen(said: subprocess.CompletedProcess[str]) -> str:
    text = said.stdout
    if said.stderr:
        text += f"-------- stderr\n{said.stderr}"
    if said.returncode:
        text += f"-------- exit code {said.returncode}\n"
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def pretty(value: Any, indent: int = 0, used: int = 0) -> str:
    """Return JSON whose lines are filled as those of a paragraph are; what does not fit in a line has lines of its own.

    Args:
        value: an object, a list, or what stands in one.
        indent: blanks before each line but the first.
        used: characters that stand there already on the first line.
    """
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or indent + used + len(flat) < WIDTH:
        return flat
    parts = value.items() if isinstance(value, dict) else (("", each) for each in value)
    lines: list[str] = []
    for name, each in parts:
        prefix = f"{json.dumps(name, ensure_ascii=False)}: " if isinstance(value, dict) else ""
        part = prefix + pretty(each, indent + 1, len(prefix))
        before = indent + (used if len(lines) == 1 else 0)
        if lines and "\n" not in lines[-1] + part and before + len(lines[-1]) + len(part) + 4 < WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    inner = f",\n{' ' * (indent + 1)}".join(lines)
    return f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]"


def stories() -> list[Story]:
    """Return the stories of the table."""
    return [Story(**each) for each in tomllib.loads(TABLE.read_text(encoding="utf-8"))["story"]]
