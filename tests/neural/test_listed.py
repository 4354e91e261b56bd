"""What becomes of checkpoints: they are listed, and a temperature that changes no order is fitted and kept in them."""

from __future__ import annotations

import os
import signal
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from oasis.neural.checkpoints import register_again
from oasis.neural.files import network
from oasis.neural.training.header import digest, header
from oasis.neural.training.reserved import key, reserved_keys
from oasis.play.committed import Choosing, committed
from oasis.store import Store
from tactics.errors import InputError
from tactics.goal import initial
from tests.commands import Oasis
from tests.neural.modules import checkpoint, cooling, sft
from tests.neural.small import TINY

pytestmark = pytest.mark.slow
SFT = ("policy", "sft", "--workers", "0", "-q", "--lemmas", "A -> A \\/ B")


@pytest.fixture(autouse=True)
def here(quickly: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trained(oasis: Oasis, *more: str) -> Path:
    """Train a network for two steps; return its file."""
    oasis.ran(*SFT, "--steps", "2", "-o", "one.safetensors", *more)
    return Path("one.safetensors")


def listed(oasis: Oasis) -> list[dict[str, Any]]:
    policies: list[dict[str, Any]] = oasis.json("policy", "list")["policies"]
    return policies


def test_what_trainings_wrote_is_listed_with_what_became_of_it(oasis: Oasis, here: Path) -> None:
    assert [each["policy"] for each in listed(oasis)] == ["tiny"]
    assert not list(here.iterdir())
    file = trained(oasis)
    few = ["--steps", "2", "--rounds", "1", "--theorems", "2", "--workers", "0", "-q"]
    oasis.ran("policy", "imitate", str(file), "-o", "two.safetensors", *few)
    _, one, two = listed(oasis)
    assert (one["policy"], one["training"], one["step"], one["state"]) == ("one.safetensors", "sft", 2, "finished")
    assert (two["policy"], two["training"], two["steps"]) == ("two.safetensors", "imitate", 2)
    assert two["settings"]["start"] == digest(file)
    assert 0 <= one["solved"] <= 1
    assert (one["invertible"], one["data"]) == ("free", header(file)["data"])
    file.unlink()
    Path("two.safetensors").write_bytes(b"something else")
    assert [each["state"] for each in listed(oasis)] == ["finished", "gone", "changed"]
    names = [line.split()[0] for line in oasis.ran("policy", "list").stdout.splitlines()[3:] if line.strip()]
    assert names == ["tiny", "one.safetensors", "two.safetensors"]
    trained(oasis, "--seed", "1")
    assert [each["state"] for each in listed(oasis)[1:]] == ["changed", "changed", "finished"]
    with sqlite3.connect("oasis.db") as connection:
        assert connection.execute("SELECT count(*) FROM checkpoints").fetchone() == (3,)


def test_a_training_that_is_interrupted_is_unfinished_and_stays_one_row_when_it_goes_on(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = sft.Training.learn

    def interrupted(self: sft.Training, *more: Any) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        return learn(self, *more)

    with monkeypatch.context() as patched:
        patched.setattr(sft.Training, "learn", interrupted)
        said = oasis.stopped(*SFT, "--steps", "6", "-o", "one.safetensors")
    assert said.startswith("Stopped after step 1; go on with oasis policy sft --resume")
    assert [(each["step"], each["state"]) for each in listed(oasis)[1:]] == [(1, "unfinished")]
    oasis.ran("policy", "sft", "--resume", "one.safetensors", "--workers", "0", "-q")
    assert [(each["step"], each["state"]) for each in listed(oasis)[1:]] == [(6, "finished")]


def test_a_file_that_was_calibrated_is_listed_as_it_is_now(oasis: Oasis, here: Path) -> None:
    file = trained(oasis)
    assert not oasis.ran("policy", "calibrate", "one.safetensors", "--theorems", "100", "-q").stderr
    _, one = listed(oasis)
    assert (one["policy"], one["state"]) == ("one.safetensors", "finished")
    before = digest(file)
    with Store(here / "oasis.db") as store:
        for name in ("two", "other"):
            (here / f"{name}.safetensors").write_bytes(file.read_bytes())
        register_again(store, here / "one.safetensors", before, here / "two.safetensors")
        register_again(store, here / "other.safetensors", before, here / "other.safetensors")
    _, one, two = listed(oasis)  # a file that no training wrote is not listed
    assert {**one, "policy": "two.safetensors", "written": two["written"]} == two


def test_a_database_that_cannot_be_written_costs_a_remark_and_not_the_training(oasis: Oasis) -> None:
    Path("oasis.db").write_text("not a database, but long enough for one " * 50)
    run = oasis.ran(*SFT, "--steps", "2", "-o", "one.safetensors")
    assert "one.safetensors is not listed: " in run.stderr
    assert header(Path("one.safetensors"))["at"]["step"] == 2


def test_a_header_is_read_or_refused_in_a_sentence(oasis: Oasis, here: Path) -> None:
    content = trained(oasis).read_bytes()
    assert header(Path("one.safetensors"))["training"] == "sft"
    for broken in (b"", content[:100], b"\xff" * 100, content.replace(b"oasis", b"other")):
        Path("broken").write_bytes(broken)
        with pytest.raises(InputError, match="broken is no checkpoint"):
            header(Path("broken"))
    with pytest.raises(InputError, match="cannot be read"):
        header(here)


# Temperature

HARD = [lemma.formula for lemma in resolve("propl-test-hard").lemmas[:40]]


@pytest.fixture(scope="module")
def cold() -> checkpoint.Checkpoint:
    """The shipped network without its temperature."""
    found = checkpoint.load(TINY)
    return checkpoint.Checkpoint(found.network, {**found.about, "temperature": 1.0}, found.optimizer)


@pytest.fixture(scope="module")
def played(cold: checkpoint.Checkpoint) -> cooling.Cooling:
    """The goals that a temperature of it is fitted to, played to the end."""
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
