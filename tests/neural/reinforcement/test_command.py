"""`oasis policy grpo` and `oasis policy ppo` as people call them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor
from typer.testing import CliRunner

from oasis.cli.main import app
from oasis.neural.reinforcement import train
from oasis.neural.training.checkpoint import load
from oasis.neural.training.loop import Loop
from tactics.errors import InputError
from tests.neural.reinforcement.quick import SETS, started

LEMMAS = "week.txt"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Five theorems stand for all that networks are examined on, and the folder is empty."""
    threads = torch.get_num_threads()
    monkeypatch.setattr(train, "examined", lambda: SETS)
    monkeypatch.setattr(train, "hundred", lambda: SETS["hard"])
    monkeypatch.chdir(tmp_path)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def week(tmp_path: Path) -> list[str]:
    """A file of lemmas, and few plays of them."""
    (tmp_path / LEMMAS).write_text("A -> A \\/ B\nA -> B \\/ A\nA -> A\n~(A /\\ ~A)\nA \\/ B -> B \\/ A\n")
    return ["--drawn", "2", "--mixed", "1", "--rounds", "1", "--group", "4", "--every", "1", "--lemmas", f"./{LEMMAS}"]


@pytest.mark.parametrize("kind", ["grpo", "ppo"])
def test_a_network_goes_on_by_practice_and_the_file_says_how(week: list[str], kind: str) -> None:
    run = CliRunner().invoke(app, ["policy", kind, "tiny", "--json", "--steps", "4", *week])
    assert run.exit_code == 0, run.stderr
    told = json.loads(run.stdout)
    assert (told["training"], told["step"], told["settings"]["group"]) == (kind, 4, 4)
    assert len(told["settings"]["start"]) == 32 and len(told["settings"]["pool"]["lemmas"]) == 3
    assert {*told["examined"]["start"]} == {*SETS} == {*told["examined"]["best"]}
    assert "Left out, no choice to make: " in run.stderr and "examined: ordinary" in run.stderr
    assert load(Path("policy.safetensors")).about["training"] == kind
    listed = json.loads(CliRunner().invoke(app, ["policy", "list", "--json"]).stdout)["policies"][-1]
    assert (listed["policy"], listed["training"], listed["state"]) == ("policy.safetensors", kind, "finished")


def test_a_new_network_begins_from_nothing(week: list[str]) -> None:
    run = CliRunner().invoke(app, ["policy", "grpo", "--network", "decoder", "--steps", "2", "--seed", "3", *week])
    assert run.exit_code == 0, run.stderr
    assert "policy.safetensors: 2 steps; proved " in run.stdout
    assert load(Path("policy.safetensors")).about["settings"]["start"] == ""


def test_a_preset_is_what_options_are_that_are_left_out(week: list[str]) -> None:
    run = CliRunner().invoke(
        app, ["policy", "grpo", "tiny", "--preset", "deepseek", "--kl", "0.5", "--json", "--steps", "2", *week]
    )
    settings = json.loads(run.stdout)["settings"]
    assert (settings["divergence"], settings["learning_rate"], settings["falling"]) == (0.5, 5e-6, False)
    assert (settings["credit"], settings["advantage"], settings["aggregation"]) == ("play", "std", "sequence")
    assert settings["group"] == 4


def test_a_reward_that_pays_on_the_way_is_learned_from_by_what_is_to_go(week: list[str]) -> None:
    run = CliRunner().invoke(
        app, ["policy", "grpo", "tiny", "--reward", "dagger:sound", "--json", "--steps", "2", *week]
    )
    assert run.exit_code == 0, run.stderr
    assert json.loads(run.stdout)["settings"]["credit"] == "to-go"


def test_the_command_goes_on_with_what_was_cut_short(week: list[str]) -> None:
    training = started("ppo", 6, Path("net"))
    training.stopping = True
    list(training)
    run = CliRunner().invoke(app, ["policy", "ppo", "--resume", "net", "--json"])
    assert json.loads(run.stdout)["step"] == 6


def test_what_an_update_needs_is_no_more_than_can_be_drawn(week: list[str]) -> None:
    without = week[:2] + week[4:]
    run = CliRunner().invoke(app, ["policy", "grpo", "tiny", "--json", "--steps", "2", *without])
    assert run.exit_code == 0, run.stderr
    assert json.loads(run.stdout)["settings"]["mixed"] == 2
    failed = CliRunner().invoke(app, ["policy", "grpo", "tiny", "-o", "other", "--mixed", "3", *without])
    assert isinstance(failed.exception, InputError) and "mixed is 3" in str(failed.exception)


def test_a_clip_that_bit_is_told_at_the_end(week: list[str]) -> None:
    practise = ["policy", "grpo", "tiny", "--steps", "2", *week, "--reward"]
    assert "The clip of R†" in CliRunner().invoke(app, [*practise, "dagger:seed:clip=0.5"]).stderr
    assert "The clip" not in CliRunner().invoke(app, [*practise, "dagger:sound", "-o", "sound"]).stderr


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA out of memory"), RuntimeError("can't allocate memory: 8 GB"), MemoryError()]
)
def test_memory_that_runs_out_is_one_sentence_and_loses_nothing_saved(
    week: list[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    descend = Loop.descend

    def failing(self: Loop, losses: Iterable[Tensor]) -> bool:
        if self.step >= 2:
            raise error
        return descend(self, losses)

    monkeypatch.setattr(Loop, "descend", failing)
    run = CliRunner().invoke(app, ["policy", "ppo", "--steps", "6", *week])
    assert isinstance(run.exception, InputError)
    assert "The memory was not enough for step " in str(run.exception) and "ppo --resume policy.safetensors" in str(
        run.exception
    )
    monkeypatch.setattr(Loop, "descend", descend)
    assert "6 steps" in CliRunner().invoke(app, ["policy", "ppo", "--resume", "policy.safetensors"]).stdout


def test_a_disk_that_is_full_is_one_sentence_and_loses_nothing_saved(
    week: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    half_written = Path("policy.safetensors.part")

    def full(tensors: dict[str, Tensor], path: Path, about: dict[str, str]) -> None:
        if Path("policy.safetensors").exists():
            half_written.write_bytes(b"half")
            # As safetensors says it, which raises no OSError.
            raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")
        save_file(tensors, path, about)

    monkeypatch.setattr("oasis.neural.training.checkpoint.save_file", full)
    run = CliRunner().invoke(app, ["policy", "ppo", "--steps", "6", *week])
    assert str(run.exception) == (
        "policy.safetensors cannot be written because the disk is full; make room and go on with --resume, as the file "
        "is as it was before."
    )
    assert not half_written.exists()
    monkeypatch.setattr("oasis.neural.training.checkpoint.save_file", save_file)
    assert "6 steps" in CliRunner().invoke(app, ["policy", "ppo", "--resume", "policy.safetensors"]).stdout


def test_another_error_is_not_taken_for_one_of_memory(week: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Loop, "descend", lambda *_: (_ for _ in ()).throw(RuntimeError("shapes differ")))
    run = CliRunner().invoke(app, ["policy", "ppo", "--steps", "6", *week])
    assert isinstance(run.exception, RuntimeError) and str(run.exception) == "shapes differ"


OWN = """
from pathlib import Path
from oasis.rewards import Dependence, Reward

Path("imported").touch()


class Own(Reward):
    dependence = Dependence.TRANSITION

    def step(self, before, move, after, ended):
        return float(not after)
"""


def test_a_file_imports_a_reward_only_if_a_person_names_it(week: list[str]) -> None:
    Path("own_reward_of_a_test.py").write_text(OWN)
    reward = "own_reward_of_a_test:Own"
    training = started("grpo", 4, Path("net"), credit="play")
    training.stopping = True
    list(training)
    training.settings = replace(training.settings, reward=reward)
    training.save()
    again = ["policy", "grpo", "--resume", "net"]
    for arguments in (again, [*again, "--reward", "terminating"], [*again, "--reward", "other:Own"]):
        failed = CliRunner().invoke(app, arguments)
        assert isinstance(failed.exception, InputError)
        assert str(failed.exception).endswith(f"if you trust it, add --reward {reward}.")
        assert not Path("imported").exists()
    run = CliRunner().invoke(app, [*again, "--reward", reward])
    assert run.exit_code == 0, run.stderr
    assert Path("imported").exists() and "net: 4 steps" in run.stdout


def test_what_cannot_be_is_one_sentence(week: list[str]) -> None:
    training = started("grpo", 6, Path("net"))
    training.stopping = True
    list(training)
    for arguments, sentence in (
        (["grpo", "--resume", "net", "--kl", "0.1"], "leave out --divergence"),
        (["grpo", "--resume", "net", "--reward", "terminating"], "leave out --reward"),
        (["grpo", "tiny", "--resume", "net"], "leave out the checkpoint"),
        (["ppo", "--resume", "net"], "go on with oasis policy grpo --resume net"),
        (["grpo", "tiny", "-o", "net"], "net is there already"),
        (["grpo", "tiny", "--network", "decoder"], "--network is about a new network"),
        (["grpo", "tiny", "--preset", "gpt"], "--preset is one of"),
        (["grpo", "--network", "table"], "--network is one of"),
        (["grpo", "tiny", "--credit", "goal", "--reward", "standard"], "pays for more than how a play ends"),
        (["grpo", "tiny", "--levels", "1"], "--levels goes with --lemmas"),
        (["grpo", "tiny", "--lemmas", "textbook", "--pool", "7"], "leave it out beside --lemmas"),
        (["grpo", "tiny", "--lemmas", "propl-test-hard"], "nothing to practise in propl-test-hard"),
        (["grpo", "nowhere.safetensors"], "There is no file nowhere.safetensors"),
        (["ppo", "tiny", "--trace-decay", "2"], "trace_decay is 2"),
    ):
        failed = CliRunner().invoke(app, ["policy", *arguments])
        assert isinstance(failed.exception, InputError) and sentence in str(failed.exception), (arguments, failed)
