"""The example of a language model of one's own: TRL's trainers on demonstrations and by calls of tools."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from oasis.neural.causal.files import causal
from tests.cli.conftest import environment
from tests.neural.causal.small import small_model

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

ROOT = Path(__file__).resolve().parents[3]


def test_a_model_is_taught_and_then_rewarded(tmp_path: Path) -> None:
    small_model(tmp_path / "small")
    taught = _run(
        *(tmp_path, "sft", "small", "-o", "taught", "--answer", "tools", "--style", "lean", "--batch", "2"),
        *("--rank", "0"),
    )
    assert "taught: proves " in taught
    rewarded = _run(
        *(tmp_path, "grpo", "taught", "-o", "rewarded", "--batch", "2", "--group", "2", "--rank", "2"),
        *("--tokens", "32", "--reward", "standard"),
    )
    assert re.search(r"rewarded: proves [01] of 1 theorems", rewarded)
    policy = causal(f"hf:{tmp_path / 'rewarded'}")
    assert (policy.form.style, policy.form.answer) == ("lean", "tools")


def _run(folder: Path, how: str, *arguments: str) -> str:
    few = ("--steps", "2", "--learning-rate", "0.01", "--curriculum", "SYJ203.2")
    answer = subprocess.run(
        [sys.executable, ROOT / "examples" / "own_model.py", how, *arguments, *few],
        cwd=folder,
        env={**environment(), "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join([str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout
