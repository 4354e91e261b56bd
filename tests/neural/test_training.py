"""Supervised training: its data, its losses, and that it goes on as it was, in one process or several."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import fields, replace
from functools import cache, partial
from importlib.util import find_spec
from itertools import chain, islice, repeat
from math import log
from pathlib import Path

import numpy as np
import pytest

from curricula import propl, resolve_lemma
from curricula.propl_lemmas import published
from oasis.neural.encoding.moves import unordered
from oasis.neural.encoding.nodes import encoded
from oasis.neural.labels import shortest_length
from oasis.neural.training import data
from oasis.neural.training.board import CURVES, Board
from oasis.neural.training.data import DataSettings, Portion, portion
from oasis.neural.training.reserved import hundred, key, reserved_keys
from oasis.neural.training.solving import solve_rate
from oasis.neural.training.stream import streamed
from oasis.teacher.policy import Exact
from state_spaces.name import Name
from tactics.errors import InputError, LibraryMissing
from tactics.formula import Formula, atoms, renamed
from tactics.goal import initial
from tactics.parser import parse
from tactics.printer import show
from tests.commands import Oasis, environment
from tests.neural.modules import (
    checkpoint,
    devices,
    loss,
    networks,
    policy,
    presets,
    progress,
    quick_training,
    ranks,
    sft,
    torch,
)
from tests.neural.small import KINDS, losses

SMALL = DataSettings(theorems=5, plays=2)


@cache
def learned(settings: DataSettings = SMALL, number: int = 3) -> Portion:
    """Return a portion for networks that relate nodes; tests only read it."""
    return portion(settings, number, encoded)


def test_theorems_of_the_test_sets_are_left_out_under_other_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(reserved_keys()) > 3_000
    first = next(iter(published()["propl-test-hard"]))
    formula = propl.formula(first.number, first.n)
    names = {atom.name: f"q{place}" for place, atom in enumerate(reversed(atoms(formula)))}
    assert Name().view(initial(renamed(formula, names))).key in reserved_keys()
    assert all(key(theorem) in reserved_keys() for theorem in hundred())

    found: list[Formula] = []

    def noted(goal: tuple[Formula, ...], most: int) -> int | None:
        length = shortest_length(goal, most)
        if length is not None:
            found.append(goal[0])
        return length

    monkeypatch.setattr(data, "shortest_length", noted)
    before = portion(SMALL, 0, encoded)
    assert len(found) == SMALL.theorems
    keys = frozenset(Name().view(initial(theorem)).key for theorem in found[:1])
    monkeypatch.setattr(data, "reserved_keys", lambda: keys)
    after = portion(SMALL, 0, encoded)
    assert len(found) == 2 * SMALL.theorems + 1
    assert not any(np.array_equal(goal.tokens, before.goals[0].tokens) for goal in after.goals[:1])


def test_a_portion_has_both_kinds_of_goals_and_moves() -> None:
    assert 0 < learned().provable.mean() < 1
    for goal, keeps, provable in zip(learned().goals, learned().keeps, learned().provable, strict=True):
        assert len(goal.moves) == len(keeps)
        assert not len(keeps) or (provable and keeps.any() and not keeps.all())


def test_goals_without_a_losing_move_are_learned_from_where_that_is_asked_for() -> None:
    every = learned(replace(SMALL, certain=1.0))
    without, between, whole = (
        sum(len(keeps) > 0 and bool(keeps.all()) for keeps in made.keeps)
        for made in (learned(), learned(replace(SMALL, certain=0.5)), every)
    )
    assert without == 0 < between < whole
    of_shares = [data.theorems(replace(SMALL, certain=share), 3) for share in (0.5, 1.0)]
    some, all_of_them = (
        sum(all(each.keeps) for met in of_share for each in met.labelled.values()) for of_share in of_shares
    )
    assert 0 < some < all_of_them
    for met in of_shares[1]:
        assert unordered((met.theorem,)) in met.labelled  # where every proof begins
    for goal, keeps, provable in zip(every.goals, every.keeps, every.provable, strict=True):
        assert len(goal.moves) == len(keeps) and (not len(keeps) or (provable and keeps.any()))
    for share in (-0.1, 1.1):
        with pytest.raises(InputError, match="share of certain goals is"):
            replace(SMALL, certain=share)


def test_portions_take_turns_with_the_size_of_theorems() -> None:
    both = DataSettings(theorems=5, plays=2, connectives=(16, 40))
    few, many = (np.mean([len(goal.tokens) for goal in learned(both, number).goals]) for number in (0, 1))
    assert many > 1.3 * few
    assert learned(both, 0).digest == learned(SMALL, 0).digest


def test_lemmas_of_ones_own_take_turns() -> None:
    texts = tuple(f"A{number} -> B \\/ A{number} \\/ C" for number in range(5))
    settings = DataSettings(theorems=2, plays=1, lemmas=texts)
    turns = [show(met.theorem) for number in range(5) for met in data.theorems(settings, number)]
    assert sorted(turns[:5]) == sorted(turns[5:]) == sorted(texts)


@pytest.mark.slow
def test_processes_make_the_portions_that_this_one_makes() -> None:
    here, there = (
        [made.digest for made in islice(streamed(partial(portion, SMALL, form=encoded), 1, workers), 4)]
        for workers in (0, 2)
    )
    assert here == there
    assert len(set(here)) == 4


def test_the_loss_is_the_mass_on_the_good_moves_and_the_cross_entropy() -> None:
    scores = torch.tensor([log(1.0), log(2.0), log(5.0), 3.0])
    judgement = networks.Judgement(scores, torch.tensor([0.0, log(3.0), -log(3.0)]))
    keeps, provable = torch.tensor([True, False, True, True]), torch.tensor([True, True, True])
    found = loss.loss(judgement, torch.tensor([0, 0, 0, 2]), keeps, provable)
    assert found.policy.item() == pytest.approx(-log(6 / 8))
    assert found.provability.item() == pytest.approx(-log(1 / 2) - log(3 / 4) - log(1 / 4))
    assert (found.choices, int(found.right_choices), int(found.right_verdicts)) == (2, 2, 1)


def test_a_loss_without_moves_or_with_huge_scores_is_a_number() -> None:
    nothing = torch.zeros(0, dtype=torch.long)
    none = networks.Judgement(torch.zeros(0), torch.zeros(2))
    assert loss.loss(none, nothing, nothing.bool(), torch.ones(2).bool()).policy.item() == 0
    scores = torch.tensor([1e4, -1e4], requires_grad=True)
    judgement = networks.Judgement(scores, torch.zeros(1))
    huge = loss.loss(judgement, torch.tensor([0, 0]), torch.tensor([False, True]), torch.ones(1).bool())
    huge.policy.backward()  # type: ignore[no-untyped-call]
    assert huge.policy.item() == pytest.approx(2e4)
    assert scores.grad is not None and torch.isfinite(scores.grad).all()


def test_the_solve_rate_is_of_committed_play() -> None:
    theorems = [parse(text) for text in ("A -> A", "A -> B \\/ A", "A -> A \\/ B")]

    class First(Exact):
        def probabilities(self, states):  # type: ignore[no-untyped-def]
            return [np.ones(len(shares)) for shares in super().probabilities(states)]

    assert solve_rate(Exact(), theorems) == 1
    assert solve_rate(First(), theorems) == pytest.approx(2 / 3)


@pytest.fixture
def quick(quickly: None) -> sft.SftSettings:
    """Settings of a training of half a second."""
    return sft.SftSettings(steps=15, nodes=300, data=SMALL, warm_up=4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_that_was_cut_short_goes_on_with_the_same_losses(
    quick: sft.SftSettings, tmp_path: Path, kind: str
) -> None:
    quick = replace(quick, network=kind)
    whole = list(sft.Training(quick, tmp_path / "whole", workers=0))
    cut = sft.Training(quick, tmp_path / "cut", workers=0)
    for each in cut:
        if each.step >= 9:
            break  # three steps after the last checkpoint, as a kill would
    resumed = sft.Training.resumed(tmp_path / "cut", workers=0)
    assert resumed.step == 6
    assert losses(list(resumed)) == losses([each for each in whole if each.step > 6])
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    with pytest.raises(InputError, match="is over"):
        sft.Training.resumed(tmp_path / "cut")


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_made_by_the_loss_of_what_the_network_says(quick: sft.SftSettings, tmp_path: Path, kind: str) -> None:
    training = sft.Training(replace(quick, network=kind), tmp_path / "net", workers=0)
    learned = portion(SMALL, 0, training.network.form)
    batch, window = training.batches_of(learned)[0], progress.Window()
    goals = [learned.goals[place] for place in batch]
    of_moves = torch.from_numpy(np.repeat(np.arange(len(goals)), [len(goal.moves) for goal in goals]))
    keeps = torch.from_numpy(np.concatenate([learned.keeps[place] for place in batch]))
    found = loss.loss(training.network.judged(goals), of_moves, keeps, torch.from_numpy(learned.provable[batch]))
    training.learn(learned, batch, window)
    made = window.progress(1)
    assert made.policy_loss == pytest.approx(found.policy.item() / found.choices, rel=1e-5)
    assert made.provability_loss == pytest.approx(found.provability.item() / len(goals), rel=1e-5)


def forever(learned: Portion, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let trainings learn from one portion again and again."""
    monkeypatch.setattr(sft, "streamed", lambda *_: repeat(learned))


@pytest.mark.parametrize("kind", KINDS)
def test_training_learns(quick: sft.SftSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    training = sft.Training(replace(quick, steps=60, network=kind), tmp_path / "net", workers=0)
    forever(portion(SMALL, 0, training.network.form), monkeypatch)
    first, *_, last = training
    assert last.policy_loss < 0.75 * first.policy_loss
    assert last.provability_loss < first.provability_loss / 2
    assert last.solved is not None and first.solved is None


def test_plays_in_which_no_move_could_lose_are_passed_over(quick: sft.SftSettings, tmp_path: Path) -> None:
    few = DataSettings(theorems=1, plays=1, lemmas=(show(resolve_lemma("thesis/42").formula),))
    training = sft.Training(replace(quick, steps=4, data=few), tmp_path / "few", workers=0)
    assert 0 in [len(portion.goals) for portion, _ in zip(training.data(), range(8), strict=False)]
    assert list(sft.Training(replace(quick, steps=4, data=few), tmp_path / "other", workers=0))[-1].step == 4


def test_curves_need_tensorboard(tmp_path: Path) -> None:
    if find_spec("tensorboard") is None:
        with pytest.raises(LibraryMissing, match=r"--tensorboard needs TensorBoard, .*\[tensorboard\]"):
            Board(tmp_path)
        return
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    steps = (progress.Progress(50, 0.5, 0.5, 0.75, 0.5, 1, 1), progress.Progress(100, 0.5, 0.25, 0.75, 0.5, 1, 1, 0.25))
    with Board(tmp_path) as board:
        for each in steps:
            board.write(each)
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    curves = {*events.Tags()["scalars"]}
    assert {*CURVES} == {each.name for each in fields(progress.Progress)} - {"step"}
    assert curves == {*CURVES.values()} - {CURVES["lost"]}
    found = {name: [(each.step, each.value) for each in events.Scalars(name)] for name in curves}
    assert found["loss/provability"] == [(50, 0.5), (100, 0.25)]
    assert found["proved/of the fixed hundred"] == [(100, 0.25)]


def test_the_command_writes_a_checkpoint_and_overwrites_none(
    quickly: None, oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    forever(learned(SMALL, 0), monkeypatch)
    found = oasis.ran("policy", "sft", "--steps", "2")
    assert "policy.safetensors: 2 steps; " in found.stdout and "2 of 2 steps: loss " in found.stderr
    for arguments, sentence in (
        ([], "policy.safetensors is there already"),
        (["--resume", "policy.safetensors", "--steps", "7"], "leave out --steps"),
        (["--resume", "policy.safetensors"], "is over"),
        (["-o", "nowhere/net"], "cannot be written"),
        (["-o", "."], "is a folder; name a file in it, as in -o policy.safetensors"),
        (["-o", "net", "--connectives", "many"], "give whole numbers"),
        (["-o", "net", "--nodes", "0"], "nodes"),
        (["-o", "net", "--levels", "1"], "--levels goes with --lemmas"),
    ):
        assert sentence in oasis.refused("policy", "sft", *arguments)


def test_the_command_learns_from_lemmas_of_ones_own(quickly: None, oasis: Oasis, tmp_path: Path) -> None:
    own = "one : A -> A \\/ B\nanother : (A -> B) -> ((C -> A -> B) -> D \\/ E) -> E \\/ D\nnone : A \\/ ~A\n"
    (tmp_path / "own.lemmas").write_text(own)
    asked = ["policy", "sft", "--workers", "0", "--lemmas", "own.lemmas"]
    assert "Left out, no theorem: none." in oasis.ran(*asked, "--steps", "1", "-o", "first").stderr
    found = oasis.json(*asked, "--steps", "4")
    wanted = [show(parse(line.partition(":")[2])) for line in own.splitlines()[:2]]
    assert found["settings"]["data"]["lemmas"] == wanted
    assert (found["step"], found["portions"] > 1, found["last"]["solved"] is not None) == (4, True, True)
    for more, sentence in (
        (["--lemmas", "textbook/peirce"], "nothing to learn from in textbook/peirce (1: no theorem)"),
        (["--connectives", "3"], "--connectives is about PropL's"),
        (["--longest", "3"], "--longest is about PropL's"),
    ):
        assert sentence in oasis.refused(*asked, "-o", "net", *more)


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
