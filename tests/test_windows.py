"""What is ours asks for nothing that Windows lacks; see `tests.windows` for how far that goes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import thoroughly

PRETENDING = Path(__file__).with_name("windows.py")
# Beside that program lie folders of tests that are called as packages are.
HERE = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (PRETENDING.parents[1], PRETENDING.parent)))}
PROVED_ON_SCREEN = """
import asyncio, importlib, pkgutil, sys
from pathlib import Path

import windows

windows.pretend()
for top in windows.OURS:
    for module in pkgutil.walk_packages([top], top + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

from curricula import resolve_lemma
from tui.app import Classroom
from tui.setup import Setup


async def prove():
    lemma = resolve_lemma("A -> A")
    app = Classroom(Setup(database=Path(sys.argv[1]), account="ada", lemma=lemma, provers=(), tour=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause(0.5)
        await pilot.press("slash", *"intro", "enter", *"assumption", "enter")
        while not app.export_screenshot().count("Proved"):
            await pilot.pause(0.1)


asyncio.run(prove())
"""
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("prove SYJ203.2 --search best-first", "intro; imply3 H"),
        *thoroughly(
            ("doctor", "not asked from Windows itself"),
            ("train SYJ203.1 --episodes 200 --seeds 2 --certify none", "2 students, seeds 0 to 1"),
            ("countermodel textbook/peirce", "At world 0"),
        ),
    ],
)
def test_commands_do_what_they_do_elsewhere(command: str, said: str, tmp_path: Path) -> None:
    started = [sys.executable, str(PRETENDING), *command.split()]
    done = subprocess.run(started, cwd=tmp_path, env=HERE, capture_output=True, text=True, timeout=300, check=False)
    assert said in done.stdout, done.stderr
    assert done.returncode in (0, 1)  # 1 is the doctor's, where a prover is missing


@pytest.mark.thorough
def test_every_module_is_imported_and_a_proof_is_made_on_the_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", PROVED_ON_SCREEN, str(tmp_path / "oasis.db")]
    done = subprocess.run(
        command, cwd=PRETENDING.parents[1], env=HERE, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
