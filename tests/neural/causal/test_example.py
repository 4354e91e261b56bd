"""The example of a language model of one's own: TRL's trainers on demonstrations and by calls of tools."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from oasis.dagger.reward import RewardDagger
from oasis.neural.causal.files import causal

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "own_model.py"


def test_a_model_is_taught_and_then_rewarded(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(how: str, *arguments: str) -> str:
        """What the script says; in this process, since importing what it needs takes longer than what it does."""
        few = ("--steps", "2", "--learning-rate", "0.01", "--curriculum", "SYJ203.2")
        monkeypatch.setattr(sys, "argv", ["own_model.py", how, *arguments, *few])
        runpy.run_path(str(EXAMPLE), run_name="__main__")
        return capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    how = ("--answer", "tools", "--style", "lean", "--batch", "2", "--rank", "0")
    taught = run("sft", str(folder), "-o", "taught", *how)
    assert "taught: proves " in taught
    counted: list[int] = []
    monkeypatch.setattr(
        RewardDagger, "refresh", lambda _, steps: counted.append(sum(each.times for each in steps.values()))
    )
    rewarded = run(
        *("grpo", "taught", "-o", "rewarded", "--batch", "2", "--group", "2", "--rank", "2"),
        *("--tokens", "32", "--reward", "dagger:sound:round=2", "--exam", "SYJ203.1"),
    )
    assert re.search(r"rewarded: proves [01] of 1 theorems of SYJ203.1", rewarded)
    assert counted, "the reward learns of the conversations of all environments"
    policy = causal(f"hf:{tmp_path / 'rewarded'}")
    assert (policy.form.style, policy.form.answer) == ("lean", "tools")
    with pytest.raises(SystemExit):
        run("grpo", "taught", "-o", "none", "--template", "qwen2_5_training")
    assert "another --template may do. It says: Unrecognized chat template" in capsys.readouterr().err
