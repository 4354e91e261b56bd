"""Training on devices, in several processes that torchrun starts, and in one that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from oasis.neural.training.data import DataSettings, Portion, portion
from tactics.errors import InputError
from tests.commands import Oasis, environment
from tests.neural.modules import checkpoint, devices, loss, networks, policy, presets, quick_training, ranks, sft, torch
from tests.neural.small import KINDS, losses

ALONE = [sys.executable, "-m", "tests.neural.quick_training"]
TOGETHER = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *ALONE[1:]]
TOLERANCE = 0.03
"""Of a probability that a GPU works out, or 16-bit numbers."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    env = environment(OMP_NUM_THREADS="1")
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)


def learned_from_both(steps: int) -> networks.Network:
    """What two processes learn, worked out by one: a step with the mean of the gradients of two batches."""
    told = quick_training.settings(steps)
    training = sft.Training(told, Path("unused"), 0)
    parameters = list(training.network.module.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=0.0, betas=(0.9, 0.98), weight_decay=told.weight_decay)
    step = 0
    for number in range(steps):
        training.portions = number
        learned = portion(told.data, number, training.network.form)
        batches = training.batches_of(learned)
        for pair in zip(batches[::2], batches[1::2], strict=False):
            gradients = [gradients_of(training.network, learned, batch) for batch in pair]
            for parameter, one, other in zip(parameters, *gradients, strict=True):
                parameter.grad = (one + other) / 2
            torch.nn.utils.clip_grad_norm_(parameters, told.largest_gradient)
            rate = told.learning_rate * min(1.0, (step + 1) / told.warm_up) * (1 + np.cos(np.pi * step / steps)) / 2
            optimizer.param_groups[0]["lr"] = rate
            optimizer.step()
            step += 1
            if step == steps:
                return training.network
    raise AssertionError("there is always another portion")


def gradients_of(network: networks.Network, learned: Portion, batch: np.ndarray) -> list[torch.Tensor]:
    goals = [learned.goals[place] for place in batch]
    goal_of_move = torch.tensor(list(chain.from_iterable([n] * len(goal.moves) for n, goal in enumerate(goals))))
    keeps = torch.from_numpy(np.concatenate([learned.keeps[place] for place in batch]))
    found = loss.loss(network.judged(goals), goal_of_move.long(), keeps, torch.from_numpy(learned.provable[batch]))
    total = (found.policy + found.provability) / len(goals)
    return list(torch.autograd.grad(total, list(network.module.parameters()), materialize_grads=True))


@pytest.mark.thorough
@pytest.mark.slow
def test_two_processes_learn_by_the_mean_of_their_gradients(quickly: None, tmp_path: Path) -> None:
    done = run(*TOGETHER, str(tmp_path / "net"), "9")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["3", "6", "9"]  # one of them speaks
    wanted = learned_from_both(9).module.state_dict()
    for name, weights in checkpoint.load(tmp_path / "net").network.module.state_dict().items():
        torch.testing.assert_close(weights, wanted[name], atol=1e-5, rtol=1e-4)


@pytest.mark.slow
def test_a_training_that_is_killed_goes_on_with_the_same_losses(quickly: None, tmp_path: Path) -> None:
    killed = run(*ALONE, str(tmp_path / "killed"), "12", "9")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert [line.split()[0] for line in killed.stdout.splitlines()] == ["3", "6", "9"]
    training = sft.Training.resumed(tmp_path / "killed", 0)
    assert training.step == 6
    whole = list(sft.Training(quick_training.settings(12), tmp_path / "whole", 0))
    assert losses(list(training)) == losses(whole[2:])
    assert (tmp_path / "killed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_training_is_gone_on_with_by_as_many_processes_and_by_no_more_than_batches(
    quickly: None, tmp_path: Path
) -> None:
    training = sft.Training(quick_training.settings(12), tmp_path / "net", 0)
    training.join(ranks.Ranks(0, 1000))
    with pytest.raises(InputError, match="start fewer"):
        next(iter(training))
    training.join(ranks.Ranks())
    training.stopping = True
    list(training)
    with pytest.raises(InputError, match=r"by 1 processes together, and here are 2; .* torchrun"):
        sft.Training.resumed(tmp_path / "net", 0).join(ranks.Ranks(0, 2))


def test_a_gpu_that_is_not_there_is_a_sentence(oasis: Oasis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert devices.device_named("auto") == devices.CPU
    assert "none here" in oasis.refused("policy", "sft", "--steps", "1", "--workers", "0", "--device", "cuda")


@pytest.mark.parametrize("kind", KINDS)
def test_sixteen_bits_and_a_gpu_judge_as_thirty_two_bits_do_on_the_cpu(kind: str) -> None:
    network = presets.made(kind, "tiny", 3)
    goals = portion(DataSettings(theorems=3), 0, network.form).goals[:30]
    scores, values = policy.judged(network, goals)
    with torch.autocast("cpu", torch.bfloat16):
        np.testing.assert_allclose(policy.judged(network, goals)[1], values, atol=TOLERANCE)
    if torch.cuda.is_available():
        network.module.to("cuda")
        there = policy.judged(network, goals)
        np.testing.assert_allclose(there[0], scores, atol=1e-4)
        np.testing.assert_allclose(there[1], values, atol=1e-5)
        with torch.autocast("cuda", torch.bfloat16):
            np.testing.assert_allclose(policy.judged(network, goals)[1], values, atol=TOLERANCE)
