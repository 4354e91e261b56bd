"""`oasis policy list`: the network that comes along, what trainings wrote, and what became of it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from oasis.cli.main import app
from oasis.lab.checkpoints import register_again
from oasis.neural.training.checkpoint import load
from oasis.neural.training.header import digest, header
from oasis.store import Store
from tactics.errors import InputError

SFT = ["policy", "sft", "--workers", "0", "-q", "--lemmas", "A -> A \\/ B"]


@pytest.fixture(autouse=True)
def here(quickly: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed() -> list[dict[str, Any]]:
    run = CliRunner().invoke(app, ["policy", "list", "--json"])
    policies: list[dict[str, Any]] = json.loads(run.stdout)["policies"]
    return policies


def test_without_a_database_the_one_that_comes_along_is_listed(here: Path) -> None:
    (tiny,) = listed()
    assert (tiny["policy"], tiny["training"], tiny["step"], tiny["state"]) == ("tiny", "sft", 6000, "finished")
    assert tiny["parameters"] == 189_970
    assert not list(here.iterdir())


def test_what_trainings_wrote_is_listed_with_what_became_of_it(here: Path) -> None:
    assert CliRunner().invoke(app, [*SFT, "--steps", "6", "-o", "one.safetensors"]).exception is None
    few = ["--steps", "2", "--rounds", "1", "--theorems", "2", "--workers", "0", "-q"]
    run = CliRunner().invoke(app, ["policy", "imitate", "one.safetensors", "-o", "two.safetensors", *few])
    assert run.exception is None
    _, one, two = listed()
    assert (one["policy"], one["training"], one["step"], one["state"]) == ("one.safetensors", "sft", 6, "finished")
    assert (two["policy"], two["training"], two["steps"]) == ("two.safetensors", "imitate", 2)
    assert two["settings"]["start"] == digest(here / "one.safetensors")
    assert 0 <= one["solved"] <= 1
    assert one["invertible"] == "free"
    assert one["data"] == load(here / "one.safetensors").about["data"]
    (here / "one.safetensors").unlink()
    (here / "two.safetensors").write_bytes(b"something else")
    assert [each["state"] for each in listed()] == ["finished", "gone", "changed"]
    shown = CliRunner().invoke(app, ["policy", "list"]).stdout
    assert [line.split()[0] for line in shown.splitlines()[3:] if line.strip()] == [
        "tiny",
        "one.safetensors",
        "two.safetensors",
    ]


def test_a_training_that_was_stopped_is_unfinished_and_stays_one_row_when_it_goes_on(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from oasis.neural.training.sft import Training

    learn = Training.learn

    def stopping(self: Training, *more: Any) -> bool:
        self.stopping = True
        return learn(self, *more)

    with monkeypatch.context() as patched:
        patched.setattr(Training, "learn", stopping)
        run = CliRunner().invoke(app, [*SFT, "--steps", "6", "-o", "one.safetensors"])
        assert "Stopped after step 1" in str(run.exception or run.stderr)
    assert [(each["step"], each["state"]) for each in listed()[1:]] == [(1, "unfinished")]
    CliRunner().invoke(app, ["policy", "sft", "--resume", "one.safetensors", "--workers", "0", "-q"])
    assert [(each["step"], each["state"]) for each in listed()[1:]] == [(6, "finished")]


def test_a_file_that_was_calibrated_is_listed_as_it_is_now(here: Path) -> None:
    CliRunner().invoke(app, [*SFT, "--steps", "2", "-o", "one.safetensors"])
    run = CliRunner().invoke(app, ["policy", "calibrate", "one.safetensors", "--theorems", "100", "-q"])
    assert run.exception is None and not run.stderr
    _, one = listed()
    assert (one["policy"], one["state"]) == ("one.safetensors", "finished")
    before = digest(here / "one.safetensors")
    with Store(here / "oasis.db") as store:
        for name in ("two", "other"):
            (here / f"{name}.safetensors").write_bytes((here / "one.safetensors").read_bytes())
        register_again(store, here / "one.safetensors", before, here / "two.safetensors")
        register_again(store, here / "other.safetensors", before, here / "other.safetensors")
    _, one, two = listed()  # a file that no training wrote is not listed
    assert {**one, "policy": "two.safetensors", "written": two["written"]} == two


def test_a_database_that_cannot_be_written_costs_a_remark_and_not_the_training(here: Path) -> None:
    (here / "oasis.db").write_text("not a database, but long enough for one " * 50)
    run = CliRunner().invoke(app, [*SFT, "--steps", "2", "-o", "one.safetensors"])
    assert run.exception is None and "one.safetensors is not listed: " in run.stderr
    assert load(here / "one.safetensors").about["at"]["step"] == 2


def test_rows_stay_when_files_go(here: Path) -> None:
    CliRunner().invoke(app, [*SFT, "--steps", "2", "-o", "one.safetensors"])
    (here / "one.safetensors").unlink()
    listed()
    CliRunner().invoke(app, [*SFT, "--steps", "2", "--seed", "1", "-o", "one.safetensors"])
    assert [each["state"] for each in listed()[1:]] == ["changed", "finished"]
    with sqlite3.connect("oasis.db") as connection:
        assert connection.execute("SELECT count(*) FROM checkpoints").fetchone() == (2,)


def test_a_header_is_read_without_torch_or_refused_in_a_sentence(here: Path) -> None:
    CliRunner().invoke(app, [*SFT, "--steps", "2", "-o", "one.safetensors"])
    assert header(Path("one.safetensors"))["training"] == "sft"
    content = Path("one.safetensors").read_bytes()
    for broken in (b"", content[:100], b"\xff" * 100, content.replace(b"oasis", b"other")):
        Path("broken").write_bytes(broken)
        with pytest.raises(InputError, match="broken is no checkpoint"):
            header(Path("broken"))
    with pytest.raises(InputError, match="cannot be read"):
        header(here)
