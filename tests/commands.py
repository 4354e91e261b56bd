"""Running `oasis` as a person would: in an empty folder, with nothing of our environment, here or in a process."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import chdir
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer.main import get_command

from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_USAGE
from oasis.cli.main import app, main

START = [sys.executable, "-m", "oasis"]
OASIS = " ".join(START)
PATIENCE = 120.0
"""Seconds after which a command that never ends is ended."""


def every_command() -> dict[str, Any]:
    """Return each group and each command by what is typed behind `oasis`; nothing is typed for `oasis` itself."""
    return dict(_with_those_below("", get_command(app)))


def _with_those_below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from _with_those_below(f"{name} {word}".strip(), below)


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OASIS_", "COLUMNS", "FORCE_"))}
    return {**kept, "OASIS_CERTIFY": "none", "PYTHONPATH": str(Path(__file__).resolve().parents[1]), **more}


def read_at_start(environment: dict[str, str]) -> dict[str, str]:
    """Return what Python reads of an environment when it starts, and not later as PYTHONBREAKPOINT, which Ray sets."""
    found = {name: value for name, value in environment.items() if name.startswith(("PYTHON", "LC_", "LANG"))}
    found.pop("PYTHONBREAKPOINT", None)
    return found


class Oasis:
    """Runs `oasis` with arguments in a folder: in this process, or in a new one if Python would start otherwise.

    What only a process of its own shows (Ctrl-C, signals, streams that are closed) is asked of `started`, `interrupted`
    and `in_bash`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self, *arguments: str, env: dict[str, str] | None = None, typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command with `typed` as its standard input."""
        env = environment() if env is None else env
        run_it = in_process if read_at_start(env) == read_at_start(environment()) else started
        return run_it(arguments, self._folder, env, typed)

    def ran(
        self, *arguments: str, env: dict[str, str] | None = None, typed: str = "", code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run a command, which must end with an exit code."""
        answer = self(*arguments, env=env, typed=typed)
        assert answer.returncode == code, answer.stderr
        return answer

    def json(self, *arguments: str, env: dict[str, str] | None = None, typed: str = "", code: int = 0) -> Any:
        """Return the JSON that a command answers."""
        return json.loads(self.ran(*arguments, "--json", env=env, typed=typed, code=code).stdout)

    def rows(self, file: str) -> list[dict[str, str]]:
        """Return the rows of a CSV file in the folder."""
        with (self._folder / file).open(newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    def refused(
        self, *arguments: str, env: dict[str, str] | None = None, typed: str = "", code: int = EXIT_USAGE
    ) -> str:
        """Return the sentence with which a command that answers nothing is refused."""
        answer = self.ran(*arguments, env=env, typed=typed, code=code)
        assert answer.stdout == ""
        *_, said = answer.stderr.splitlines()
        assert said.startswith("oasis: "), answer.stderr
        return said.removeprefix("oasis: ")

    def stopped(self, *arguments: str) -> str:
        """Return the sentence with which a command ends that is interrupted before it answers."""
        return self.refused(*arguments, code=EXIT_INTERRUPTED)


def in_process(
    arguments: Sequence[str], folder: Path, env: dict[str, str], typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `oasis` in this process, which a command costs some milliseconds, and take back what it did to it."""
    stdin, stdout, stderr = (TextIOWrapper(BytesIO(text.encode()), encoding="utf-8") for text in (typed, "", ""))
    modules, path = set(sys.modules), [*sys.path]
    with (
        chdir(folder),
        patch.dict(os.environ, env, clear=True),
        patch.multiple(sys, argv=["oasis", *arguments], stdin=stdin, stdout=stdout, stderr=stderr),
    ):
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code
        except Exception:  # with OASIS_DEBUG
            code = 1
            traceback.print_exc()
        finally:
            _forget(folder, modules, path)
    said = []
    for stream in (stdout, stderr):
        stream.flush()
        assert isinstance(stream.buffer, BytesIO)
        said.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(["oasis", *arguments], int(code or 0), *said)


def _forget(folder: Path, modules: set[str], path: list[str]) -> None:
    """Forget the modules of a folder, and what was kept by the name that a database has in it."""
    from oasis.dagger import making
    from oasis.lab.searches import trial

    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(f"{folder}{os.sep}"):
            del sys.modules[name]
    making._fitted.cache_clear()
    trial.practised.cache_clear()


def started(
    arguments: Sequence[str], folder: Path, env: dict[str, str], typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `oasis` in a new Python process."""
    return subprocess.run(
        [*START, *arguments],
        cwd=folder,
        env=env,
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def interrupted(arguments: Sequence[str], folder: Path, said: str) -> subprocess.CompletedProcess[str]:
    """Run `oasis` in a process of its own, which Ctrl-C ends after the first line on stderr that matches a pattern.

    What it gives as stderr is what was said after that line.
    """
    command = [*START, *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        assert any(re.search(said, line) for line in running.stderr), f"{said!r} was not said"
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=PATIENCE)
    # Python ends by the signal itself if Ctrl-C came within `exec` of a text; shells call both 130.
    assert running.returncode in (EXIT_INTERRUPTED, -signal.SIGINT), (running.returncode, stderr)
    return subprocess.CompletedProcess(command, EXIT_INTERRUPTED, stdout, stderr)


def in_bash(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in a folder; a program that never ends is stopped after two minutes."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
