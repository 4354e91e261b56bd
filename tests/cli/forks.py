"""Many commands at the price of one start: a process that has imported Oasis forks for each.

A fork does what `python -m oasis` does, from the first line of `oasis/__main__.py` to the exit code, in a process of
its own; only, Python is not started once more, nothing is imported, and no learner is read from its file.
"""

from __future__ import annotations

import atexit
import faulthandler
import gc
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = ("oasis.api", "oasis.neural", "oasis.server")
"""What few commands need, and is dear to import: torch above all, which does not stand a fork, either."""
PATIENCE = 120.0
"""Seconds until a command that never ends is ended, with a traceback on its stderr."""


class Forks:
    """Runs commands one after the other, each in a fork of one process.

    Args:
        environment: what that process starts with. A command may be given another one, but for what Python reads when
            it starts (`read_at_start`).
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, arguments: Sequence[str], folder: Path, environment: dict[str, str], typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder, with `typed` as its standard input."""
        with TemporaryDirectory() as streams:
            stdin, stdout, stderr = (Path(streams) / name for name in ("stdin", "stdout", "stderr"))
            stdin.write_text(typed, encoding="utf-8")
            assert self._process.stdin is not None and self._process.stdout is not None
            print(json.dumps([arguments, str(folder), environment, streams]), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
            assert answer, "the process that forks has ended"
            said = stdout.read_text(encoding="utf-8"), stderr.read_text(encoding="utf-8")
        return subprocess.CompletedProcess(["oasis", *arguments], int(answer), *said)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def read_at_start(environment: dict[str, str]) -> dict[str, str]:
    """Return what Python reads of an environment when it starts, and never again."""
    return {name: value for name, value in environment.items() if name.startswith(("PYTHON", "LC_", "LANG"))}


_left_with: list[int | str | None] = []


def _serve() -> None:
    atexit.register(_leave)  # the first to be registered is the last to be called
    with os.fdopen(os.dup(0)) as orders, os.fdopen(os.dup(1), "w") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        _import_what_commands_need()
        gc.freeze()  # or the first collection in each fork would copy all of this
        for order in orders:
            child = os.fork()
            if child == 0:
                orders.close()
                answers.close()
                _become(*json.loads(order))
                return
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


def _import_what_commands_need() -> None:
    import pydantic.main  # noqa: F401
    import scipy.special  # noqa: F401

    import oasis
    from oasis.cli.main import app
    from tests.student.compile_all import load_learners

    for module in walk_packages(oasis.__path__, "oasis."):
        if module.name != "oasis.__main__" and not module.name.startswith(LEFT_OUT):
            import_module(module.name)
    # Both bring more when they are first used.
    load_learners(compiling=False)
    app(["--version"], standalone_mode=False)


def _become(arguments: list[str], folder: str, environment: dict[str, str], streams: str) -> None:
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        opened = os.open(Path(streams) / name, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    sys.argv = ["oasis", *arguments]
    try:
        runpy.run_module("oasis", run_name="__main__", alter_sys=True)
    except SystemExit as leaving:
        _left_with.append(leaving.code)
        raise


def _leave() -> None:
    """End when all else is done: taking apart what was imported would cost as much as a command."""
    sys.stdout.flush()
    sys.stderr.flush()
    match _left_with:
        case [int(code)]:
            os._exit(code)
        case [None]:
            os._exit(0)
        case _:  # a message, or a traceback
            os._exit(1)


if __name__ == "__main__":
    _serve()
