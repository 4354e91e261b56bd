"""The programs in examples/ that are about students; those of networks and of doors are tested beside these."""

from __future__ import annotations

import json
import re
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from oasis.rewards import Transition, Uses
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import apply
from tests.book.pages import ROOT
from tests.cli.conftest import environment
from tests.cli.forks import Forks

EXAMPLES = ROOT / "examples"


def _example(name: str) -> ModuleType:
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_study_of_ones_own_says_what_the_lab_says(capsys: pytest.CaptureFixture[str]) -> None:
    study = _example("compare_learners")
    study.main(["--seeds", "10"])
    heads, *lines = capsys.readouterr().out.splitlines()
    assert heads.split()[:3] == ["episodes", "q-learning", "and-or-q"]
    told = [[float(number) for number in re.findall(r"[-+]?\d+(?:\.\d+)?", line)] for line in lines]
    assert [row[0] for row in told] == list(study.EXAMINED_AFTER)
    for _, ones, others, value, low, high in told:
        assert value == pytest.approx(others - ones, abs=0.11) and low <= value <= high
    assert told[1][4] > 0, "after ten episodes and-or-q knows more, as docs/which-learner.md has it"


@pytest.mark.slow
def test_rewards_of_ones_own_pay_students(forks: Forks, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "own_reward.py", tmp_path)
    names = ["terminating", "own_reward:FewGoals", "own_reward:NewRules"]
    command = ["compare", "SYJ203.2", "--learner", "q-learning", "--reward", ",".join(names), "--episodes", "40"]
    answer = forks.run([*command, "--seeds", "2", "--workers", "1", "--json"], tmp_path, environment())
    assert answer.returncode == 0, answer.stderr
    found = json.loads(answer.stdout)
    shares = [variant["proofs"]["value"] for variant in found["variants"]]
    assert len(set(shares)) == 3, "each of the rewards makes other students"


def test_a_reward_that_counts_goes_on_from_what_was_stored() -> None:
    module = _example("own_reward")
    goal = initial(parse("p -> p"))
    intro = Move("intro")
    after = apply(goal, intro)
    counted = module.NewRules()
    counted.refresh({Transition(goal, intro, after): Uses(3, 3)})
    again = module.NewRules()
    again.restore(json.loads(json.dumps(counted.state())))
    paid = [reward.step(goal, intro, after, False) for reward in (module.NewRules(), counted, again)]
    assert paid == pytest.approx([0.1, 0.025, 0.025])
