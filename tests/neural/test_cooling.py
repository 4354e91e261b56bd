"""Temperature scaling: fitted to goals that no test holds, kept in the checkpoint, and changing no order."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from typer.testing import CliRunner

from curricula import resolve
from oasis.cli.main import app
from oasis.committed import Choosing, committed
from oasis.neural.files import network
from oasis.neural.training.checkpoint import Checkpoint, load, save
from oasis.neural.training.cooling import Cooling, with_temperature
from oasis.neural.training.reserved import key, reserved_keys
from tactics.errors import InputError
from tactics.goal import initial

DATA = Path(__file__).parents[2] / "oasis/neural/data/tiny.safetensors"
HARD = [lemma.formula for lemma in resolve("propl-test-hard").lemmas[:40]]


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    found = load(DATA)
    return Checkpoint(found.network, {**found.about, "temperature": 1.0}, found.optimizer)


def test_a_temperature_is_kept_and_used_and_changes_no_choice(checkpoint: Checkpoint, tmp_path: Path) -> None:
    cooling = Cooling(checkpoint, 60)
    assert list(cooling.play())[-1] == 60
    found = cooling.fitted()
    assert found.after.log_loss <= found.before.log_loss and found.before.states > 100
    assert found.after.accuracy == found.before.accuracy and found.after.auc == pytest.approx(found.before.auc)
    hot, cold = tmp_path / "hot.safetensors", tmp_path / "cold.safetensors"
    save(cold, checkpoint)
    save(hot, with_temperature(checkpoint, found))
    assert load(hot).temperature == found.temperature != load(cold).temperature == 1
    one, other = network(cold), network(hot)
    goals = [goal for lemma in HARD for goal in initial(lemma)]
    before, after = one.values(goals), other.values(goals)
    sure = (before > 1e-9) & (before < 1 - 1e-9)
    assert np.log(after[sure] / (1 - after[sure])) * found.temperature == pytest.approx(
        np.log(before[sure] / (1 - before[sure])), rel=1e-4, abs=1e-6
    )
    plays = [[play.script for play in committed(each, HARD, Choosing(judge=True))] for each in (one, other)]
    assert plays[0] == plays[1]


def test_what_it_is_fitted_to_is_in_no_test_set(checkpoint: Checkpoint) -> None:
    theorems = Cooling(checkpoint).theorems
    assert len(theorems) == 1_000
    assert not reserved_keys() & {key(theorem) for theorem in theorems}


def test_goals_that_are_all_provable_tell_no_temperature(checkpoint: Checkpoint) -> None:
    with pytest.raises(InputError, match="take more with --theorems"):
        Cooling(checkpoint, 1).fitted()
    with pytest.raises(InputError, match="--theorems is 0; give a whole number from 1 to 10000"):
        Cooling(checkpoint, 0)


@pytest.mark.parametrize("text", ["0", "NaN", "-1", "1e9", '"2"', "[1]"])
def test_a_temperature_that_cannot_be_is_no_checkpoint(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.safetensors"
    with safe_open(DATA, "pt") as file:
        about = file.metadata()["oasis"]
    save_file(load_file(DATA), path, {"oasis": about[:-1] + f', "temperature": {text}}}'})
    with pytest.raises(InputError, match="is no checkpoint"):
        load(path)


def test_the_command_writes_in_place_or_elsewhere_and_overwrites_nothing_else(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save(Path("net"), checkpoint)
    asked = ["policy", "calibrate", "net", "--theorems", "60", "--quiet", "--json"]
    before = Path("net").read_bytes()
    told = json.loads(CliRunner().invoke(app, [*asked, "-o", "other"]).stdout)
    assert told["after"]["log_loss"] <= told["before"]["log_loss"]
    assert Path("net").read_bytes() == before != Path("other").read_bytes()
    failed = CliRunner().invoke(app, [*asked, "-o", "other"])
    assert isinstance(failed.exception, InputError) and "is there already" in str(failed.exception)
    assert json.loads(CliRunner().invoke(app, asked).stdout) == {**told, "file": "net"}
    assert Path("net").read_bytes() == Path("other").read_bytes()


def test_the_shipped_network_is_not_far_from_its_temperature() -> None:
    """Where it is replaced, it is to be calibrated again: oasis policy calibrate."""
    found = load(DATA)
    cooling = Cooling(found, 100)
    assert list(cooling.play()) == [100]
    assert 0.6 < cooling.fitted().temperature / found.temperature < 1.7
