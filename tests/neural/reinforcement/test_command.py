"""`oasis policy grpo`, `ppo` and `expert` as people call them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from oasis.neural.training.header import header
from tests.commands import Oasis
from tests.neural.modules import arrays, checkpoint, loop, safetensors, torch
from tests.neural.small import SETS, stopped

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("five_theorems")]
FILE = Path("policy.safetensors")
DRAWN = ("--drawn", "2", "--rounds", "1", "--group", "4", "--every", "1", "--lemmas", "./week.txt")
WEEK = ("--mixed", "1", *DRAWN)
"""A file of lemmas, and few plays of them."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("week.txt").write_text("A -> A \\/ B\nA -> B \\/ A\nA -> A\n~(A /\\ ~A)\nA \\/ B -> B \\/ A\n")


@pytest.mark.parametrize(("kind", "others"), [("grpo", "--sampler rmaxts"), ("ppo", "--reward dagger:all")])
def test_a_network_goes_on_by_practice_and_the_file_says_how(oasis: Oasis, kind: str, others: str) -> None:
    found = oasis.json("policy", kind, "tiny", "--steps", "4", *WEEK, *others.split())
    assert (found["training"], found["step"], found["settings"]["group"]) == (kind, 4, 4)
    assert len(found["settings"]["start"]) == 32 and len(found["settings"]["pool"]["lemmas"]) == 3
    assert {*found["examined"]["start"]} == {*SETS} == {*found["examined"]["best"]}
    assert header(FILE)["training"] == kind
    listed = oasis.json("policy", "list")["policies"][-1]
    assert (listed["policy"], listed["training"], listed["state"]) == (str(FILE), kind, "finished")


def test_expert_iteration_says_after_each_round_what_is_proved(oasis: Oasis) -> None:
    few = ("policy", "expert", "tiny", "--steps", "2", "--rounds", "2", "--samples", "4", "--lemmas", "./week.txt")
    run, found = oasis.ran(*few), oasis.json(*few, "-o", "again")
    shown = [line.split()[1] for line in run.stdout.splitlines() if line.lstrip()[:1].isdigit()]
    assert shown == [row["stage"].split()[0] for row in found["table"]] == ["base", "+", "sft", "+", "sft", "+"]
    assert "round 2, + search: pass@1 " in run.stderr and oasis.json("policy", "list")["policies"][-1]["step"] == 2


def test_a_new_network_begins_from_nothing_and_a_clip_that_bit_is_told_at_the_end(oasis: Oasis) -> None:
    practise = ("policy", "grpo", "--network", "decoder", "--steps", "2", "--seed", "3", *WEEK, "--reward")
    run = oasis.ran(*practise, "dagger:seed:clip=0.05")
    assert "policy.safetensors: 2 steps; proved " in run.stdout and "The clip of R†" in run.stderr
    assert "Left out, no choice to make: " in run.stderr and "examined: ordinary" in run.stderr
    assert header(FILE)["settings"]["start"] == ""
    assert "The clip" not in oasis.ran(*practise, "dagger:all", "-o", "all").stderr


def test_a_preset_is_what_options_are_that_are_left_out(oasis: Oasis) -> None:
    practise = ("policy", "grpo", "tiny", "--steps", "2", *WEEK)
    settings = oasis.json(*practise, "--preset", "deepseek", "--kl", "0.5")["settings"]
    assert (settings["divergence"], settings["learning_rate"], settings["falling"]) == (0.5, 5e-6, False)
    assert (settings["credit"], settings["advantage"], settings["aggregation"]) == ("play", "std", "sequence")
    assert settings["group"] == 4


def test_an_update_needs_no_more_than_can_be_drawn_and_credit_is_what_suits_the_reward(oasis: Oasis) -> None:
    settings = oasis.json("policy", "grpo", "tiny", "--reward", "dagger:all", "--steps", "2", *DRAWN)["settings"]
    assert (settings["mixed"], settings["credit"]) == (2, "to-go")
    assert "--mixed is 3" in oasis.refused("policy", "grpo", "tiny", "-o", "other", "--mixed", "3", *DRAWN)


@pytest.mark.parametrize("message", ["CUDA out of memory", "can't allocate memory: 8 GB", "", "shapes differ"])
def test_memory_that_runs_out_is_one_sentence_and_loses_nothing_saved(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    kinds: dict[str, type[Exception]] = {"CUDA out of memory": torch.OutOfMemoryError, "": MemoryError}
    descend = loop.Loop.descend

    def failing(self: loop.Loop, losses: Iterable[torch.Tensor]) -> bool:
        if self.step >= 2:
            raise kinds.get(message, RuntimeError)(message)
        return descend(self, losses)

    with monkeypatch.context() as patched:
        patched.setattr(loop.Loop, "descend", failing)
        if message == "shapes differ":
            assert message in oasis.refused("policy", "ppo", "--steps", "6", *WEEK, code=1)
            return
        sentence = oasis.refused("policy", "ppo", "--steps", "6", *WEEK)
    assert "The memory was not enough for step " in sentence and "ppo --resume policy.safetensors" in sentence
    assert "6 steps" in oasis.ran("policy", "ppo", "--resume", str(FILE)).stdout


def test_a_disk_that_is_full_is_one_sentence_and_loses_nothing_saved(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    half_written = Path("policy.safetensors.part")

    def full(tensors: dict[str, torch.Tensor], path: Path, about: dict[str, str]) -> None:
        if FILE.exists():
            half_written.write_bytes(b"half")
            # As safetensors says it, which raises no OSError.
            raise safetensors.SafetensorError(
                "Error while serializing: I/O error: No space left on device (os error 28)"
            )
        arrays.save_file(tensors, path, about)

    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "save_file", full)
        assert oasis.refused("policy", "ppo", "--steps", "6", *WEEK) == (
            "policy.safetensors cannot be written because the disk is full; make room and go on with --resume, as the "
            "file is as it was before."
        )
    assert not half_written.exists()
    assert "6 steps" in oasis.ran("policy", "ppo", "--resume", str(FILE)).stdout


OWN = """
from pathlib import Path
from oasis.rewards import Dependence, Reward

Path("imported").touch()


class Own(Reward):
    dependence = Dependence.TRANSITION

    def step(self, before, move, after, ended):
        return float(not after)
"""


def test_a_file_imports_a_reward_only_if_a_person_names_it(oasis: Oasis) -> None:
    Path("own_reward_of_a_test.py").write_text(OWN)
    reward = "own_reward_of_a_test:Own"
    training = stopped("grpo", 4, Path("net"), credit="play")
    training.settings = replace(training.settings, reward=reward)
    training.save()
    again = ("policy", "grpo", "--resume", "net")
    for arguments in (again, (*again, "--reward", "terminating"), (*again, "--reward", "other:Own")):
        assert oasis.refused(*arguments).endswith(f"if you trust it, add --reward {reward}.")
        assert not Path("imported").exists()
    assert "net: 4 steps" in oasis.ran(*again, "--reward", reward).stdout
    assert Path("imported").exists()


def test_what_cannot_be_is_one_sentence(oasis: Oasis) -> None:
    stopped("grpo", 6, Path("net"))
    for arguments, sentence in (
        (["grpo", "--resume", "net", "--kl", "0.1"], "leave out --divergence"),
        (["grpo", "--resume", "net", "--reward", "terminating"], "leave out --reward"),
        (["grpo", "tiny", "--resume", "net"], "leave out the checkpoint"),
        (["ppo", "--resume", "net"], "go on with oasis policy grpo --resume net"),
        (["grpo", "tiny", "-o", "net"], "net is there already"),
        (["grpo", "tiny", "--lemmas", "propl-test-hard"], "nothing to practise in propl-test-hard"),
    ):
        assert sentence in oasis.refused("policy", *arguments)
