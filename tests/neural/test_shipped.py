"""The network that comes along, by its name and as a file."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from curricula import resolve
from oasis.committed import Choosing, committed
from oasis.exam import SMALL
from oasis.lab.policies import from_anywhere, policy_named
from oasis.neural.training.checkpoint import load
from tactics.errors import InputError
from tactics.goal import initial

DATA = Path(__file__).parents[2] / "oasis/neural/data/tiny.safetensors"


def test_the_network_that_comes_along_is_the_file_that_it_is() -> None:
    states = [initial(lemma.formula) for lemma in resolve("textbook").lemmas[:8]]
    named, read = (policy_named(name, None).probabilities(states) for name in ("tiny", str(DATA)))
    assert all(np.array_equal(one, other) for one, other in zip(named, read, strict=True))
    assert DATA.stat().st_size < 2_000_000
    assert load(DATA).about["at"]["step"] == 6_000


def test_it_proves_hard_theorems_that_a_uniform_player_loses() -> None:
    formulas = [lemma.formula for lemma in resolve("propl-test-hard").lemmas[:60]]
    choosing = Choosing(judge=True)
    assert sum(play.proved for play in committed(policy_named("tiny", None), formulas, choosing)) >= 58
    assert sum(play.proved for play in committed(policy_named("uniform", None), formulas, Choosing())) <= 30


def test_a_file_that_is_no_network_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "broken.safetensors"
    path.write_bytes(DATA.read_bytes()[:5000])
    for name in (path, tmp_path / "none.safetensors"):
        with pytest.raises(InputError, match=rf"{name.name}"):
            policy_named(str(name), None)


def test_a_network_in_a_file_of_any_ending_is_a_policy_and_a_folder_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("net.txt", "net"):
        shutil.copy(DATA, name)
    assert policy_named("net.txt", None).probabilities([SMALL])
    assert policy_named("judging:./net", None).probabilities([SMALL])
    Path("net.safetensors").mkdir()
    for folder in ("net.safetensors", "./"):
        with pytest.raises(InputError, match=r"is a folder, and no checkpoint; name the file"):
            policy_named(folder, None)
    with pytest.raises(InputError, match="--policy is one of"):
        policy_named("n" * 5_000, None)


def test_a_name_is_made_to_stand_for_the_same_in_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    for name in ("tiny", "1", "mine:Own", "judging:tiny"):
        assert from_anywhere(name) == name
    for name in ("net.safetensors", "judging:net.safetensors", "hf:model", "hf:model:style=lean"):
        assert from_anywhere(name) == name.replace("net.", f"{tmp_path}/net.").replace("model", f"{tmp_path}/model")
