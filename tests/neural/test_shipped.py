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
from oasis.neural.training.header import header
from tactics.errors import InputError
from tactics.goal import initial
from tests.neural.small import TINY


def test_the_network_that_comes_along_is_the_file_that_it_is() -> None:
    states = [initial(lemma.formula) for lemma in resolve("textbook").lemmas[:8]]
    named, read = (policy_named(name, None).probabilities(states) for name in ("tiny", str(TINY)))
    assert all(np.array_equal(one, other) for one, other in zip(named, read, strict=True))
    assert TINY.stat().st_size < 2_000_000
    assert header(TINY)["at"]["step"] == 6_000


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
