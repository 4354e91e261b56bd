"""The network that comes along, as a policy and as a belief of R†, by its name and from a file."""

from __future__ import annotations

import shutil
from math import prod
from pathlib import Path

import pytest

from curricula import resolve
from oasis.committed import Choosing, committed
from oasis.dagger.beliefs.registry import believed
from oasis.dagger.fit import default_fitted
from oasis.dagger.making import dagger
from oasis.exam import SMALL
from oasis.lab.policies import from_anywhere, policy_named
from oasis.neural.belief import Provability
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.sequent import parse_state
from tests.neural.small import TINY


def test_it_proves_hard_theorems_that_a_uniform_player_loses() -> None:
    formulas = [lemma.formula for lemma in resolve("propl-test-hard").lemmas[:60]]
    choosing = Choosing(judge=True)
    assert sum(play.proved for play in committed(policy_named("tiny", None), formulas, choosing)) >= 58
    assert sum(play.proved for play in committed(policy_named("uniform", None), formulas, Choosing())) <= 30


def test_a_network_in_a_file_of_any_ending_is_a_policy_and_what_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("net.txt", "net"):
        shutil.copy(TINY, name)
    assert policy_named("net.txt", None).probabilities([SMALL])
    assert policy_named("judging:./net", None).probabilities([SMALL])
    Path("net.safetensors").mkdir()
    Path("broken.safetensors").write_bytes(TINY.read_bytes()[:5000])
    for name, sentence in (
        *((folder, "is a folder, and no checkpoint; name the file") for folder in ("net.safetensors", "./")),
        ("broken.safetensors", "broken.safetensors is no checkpoint"),
        ("none.safetensors", "There is no file none.safetensors"),
        ("n" * 5_000, "--policy is one of"),
    ):
        with pytest.raises(InputError, match=sentence):
            policy_named(name, None)


def test_a_name_is_made_to_stand_for_the_same_in_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    for name in ("tiny", "1", "mine:Own", "judging:tiny"):
        assert from_anywhere(name) == name
    for name in ("net.safetensors", "judging:net.safetensors", "hf:model", "hf:model:style=lean"):
        assert from_anywhere(name) == name.replace("net.", f"{tmp_path}/net.").replace("model", f"{tmp_path}/model")


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
