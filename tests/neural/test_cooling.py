"""Temperature scaling: fitted to goals that no test holds, kept in the checkpoint, and changing no order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from curricula import resolve
from oasis.committed import Choosing, committed
from oasis.neural.files import network
from oasis.neural.training.reserved import key, reserved_keys
from tactics.errors import InputError
from tactics.goal import initial
from tests.commands import Oasis
from tests.neural.modules import checkpoint, cooling
from tests.neural.small import TINY

pytestmark = pytest.mark.slow
HARD = [lemma.formula for lemma in resolve("propl-test-hard").lemmas[:40]]


@pytest.fixture(scope="module")
def cold() -> checkpoint.Checkpoint:
    """The network that comes along, without a temperature."""
    found = checkpoint.load(TINY)
    return checkpoint.Checkpoint(found.network, {**found.about, "temperature": 1.0}, found.optimizer)


@pytest.fixture(scope="module")
def played(cold: checkpoint.Checkpoint) -> cooling.Cooling:
    """What a temperature of it is fitted to, played to the end."""
    made = cooling.Cooling(cold, 60)
    assert list(made.play())[-1] == 60
    return made


def test_a_temperature_is_kept_and_used_and_changes_no_choice(
    cold: checkpoint.Checkpoint, played: cooling.Cooling, tmp_path: Path
) -> None:
    found = played.fitted()
    assert found.after.log_loss <= found.before.log_loss and found.before.states > 100
    assert found.after.accuracy == found.before.accuracy and found.after.auc == pytest.approx(found.before.auc)
    files = tmp_path / "cold.safetensors", tmp_path / "hot.safetensors"
    for file, each in zip(files, (cold, cooling.with_temperature(cold, found)), strict=True):
        checkpoint.save(file, each)
    assert [checkpoint.load(file).temperature for file in files] == [1, found.temperature]
    assert found.temperature != 1
    one, other = map(network, files)
    goals = [goal for lemma in HARD for goal in initial(lemma)]
    before, after = one.values(goals), other.values(goals)
    sure = (before > 1e-9) & (before < 1 - 1e-9)
    assert np.log(after[sure] / (1 - after[sure])) * found.temperature == pytest.approx(
        np.log(before[sure] / (1 - before[sure])), rel=1e-4, abs=1e-6
    )
    plays = [[play.script for play in committed(each, HARD, Choosing(judge=True))] for each in (one, other)]
    assert plays[0] == plays[1]


def test_what_it_is_fitted_to_is_in_no_test_set(cold: checkpoint.Checkpoint) -> None:
    theorems = cooling.Cooling(cold).theorems
    assert len(theorems) == 1_000
    assert not reserved_keys() & {key(theorem) for theorem in theorems}


def test_goals_that_are_all_provable_tell_no_temperature(cold: checkpoint.Checkpoint) -> None:
    with pytest.raises(InputError, match="take more with --theorems"):
        cooling.Cooling(cold, 1).fitted()
    with pytest.raises(InputError, match="--theorems is 0; give a whole number from 1 to 10000"):
        cooling.Cooling(cold, 0)


def test_the_command_writes_in_place_or_elsewhere_and_overwrites_nothing_else(
    cold: checkpoint.Checkpoint, oasis: Oasis, tmp_path: Path
) -> None:
    checkpoint.save(tmp_path / "net", cold)
    asked = ["policy", "calibrate", "net", "--theorems", "60", "--quiet"]
    before = (tmp_path / "net").read_bytes()
    elsewhere = oasis.json(*asked, "-o", "other")
    assert elsewhere["after"]["log_loss"] <= elsewhere["before"]["log_loss"]
    assert (tmp_path / "net").read_bytes() == before != (tmp_path / "other").read_bytes()
    assert "is there already" in oasis.refused(*asked, "-o", "other")
    assert oasis.json(*asked) == {**elsewhere, "file": "net"}
    assert (tmp_path / "net").read_bytes() == (tmp_path / "other").read_bytes()


def test_the_shipped_network_is_not_far_from_its_temperature(played: cooling.Cooling) -> None:
    """If it is replaced, it is to be calibrated again: oasis policy calibrate."""
    assert 0.6 < played.fitted().temperature / checkpoint.load(TINY).temperature < 1.7
