"""M1: a network as a belief of R†, by its name and from a file."""

from __future__ import annotations

import subprocess
import sys
from math import prod
from pathlib import Path

import pytest

from oasis.dagger.beliefs.registry import believed
from oasis.dagger.fit import default_fitted
from oasis.dagger.making import dagger
from oasis.lab.policies import policy_named
from oasis.neural.belief import Provability
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.sequent import parse_state
from tests.neural.small import TINY

STATE = (
    *parse_state("H : (A -> B) -> C, H0 : D ⊢ C \\/ (A -> D)"),
    *parse_state("H : A ⊢ B \\/ C"),
    *parse_state("H : A, H0 : B -> C ⊢ (A -> B) \\/ (B -> A)"),
)


def of(name: str) -> list[float]:
    return believed(default_fitted().belief(name), [STATE, STATE[:1], STATE[2:]])


def test_a_state_is_as_likely_as_its_goals_together() -> None:
    goals = policy_named("tiny", None).values(list(STATE))
    assert goals is not None
    assert of("tiny") == pytest.approx([prod(goals), goals[0], goals[2]])
    assert believed(Provability(Exact(), "exact"), [STATE, STATE[:1], STATE[2:]]) == [0, 1, 1]


def test_the_belief_that_comes_along_is_that_of_its_file_and_rewards_are_made_with_it(tmp_path: Path) -> None:
    assert of("tiny") == of(str(TINY))
    named, read = (default_fitted().belief(name) for name in ("tiny", str(TINY)))
    assert named.version == read.version and not named.leaks
    reward = dagger(f"dagger:sound:belief={TINY}")
    assert reward.context.belief.probabilities([STATE])[0] == pytest.approx(of("tiny")[0])
    with pytest.raises(InputError, match=r"There is no file .*none\.safetensors"):
        default_fitted().belief(str(tmp_path / "none.safetensors"))


@pytest.mark.slow
def test_beliefs_are_looked_up_without_torch() -> None:
    code = "import sys, oasis.dagger.beliefs.registry, oasis.neural.belief; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
