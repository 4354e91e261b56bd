"""Supervised training and imitation: data, losses, and that they go on as they were, in one process or several."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from importlib.util import find_spec
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from curricula import resolve, resolve_lemma
from oasis.ground.board import Board
from oasis.neural.encoding.nodes import encoded
from oasis.neural.labels import Labelled
from oasis.neural.training import data
from oasis.neural.training.data import Met, Portion, portion, theorems
from oasis.neural.training.header import header
from oasis.neural.training.progress import CURVES
from oasis.neural.training.settings import DataSettings, ImitationSettings, SftSettings
from tactics.errors import InputError, LibraryMissing
from tactics.parser import parse
from tactics.printer import show
from tests.commands import Oasis, environment
from tests.neural.modules import (
    checkpoint,
    devices,
    imitate,
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
from tests.neural.small import KINDS, check_goes_on_as_it_was, is_provable, numbers, small, tiny_llama
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow
SMALL = DataSettings(theorems=5, plays=2)


@pytest.fixture
def quick(quickly: None) -> SftSettings:
    """Settings of a training of half a second."""
    return SftSettings(steps=15, nodes=300, data=SMALL, warm_up=4, learning_rate=3e-3)


@pytest.fixture
def of_kind(quick: SftSettings, tmp_path: Path) -> Callable[[str], SftSettings]:
    """The same for a kind of network; a language model begins with the weights of a tiny one in a folder."""

    def of(kind: str) -> SftSettings:
        if not kind.startswith("lm"):
            return replace(quick, network=kind)
        data = DataSettings(**{**presets.usual_of(kind).data, "theorems": 5, "plays": 2})
        llama = str(tiny_llama(tmp_path / "llama"))
        return replace(quick, network=kind, model=llama, layers=2, data=data, learning_rate=1e-2)

    return of


@pytest.mark.parametrize(("kind", "sampler"), [*((kind, "oracle") for kind in KINDS), ("relational", "rmaxts")])
def test_a_training_that_was_cut_short_goes_on_with_the_same_losses(
    of_kind: Callable[[str], SftSettings], tmp_path: Path, kind: str, sampler: str
) -> None:
    quick = replace(of_kind(kind), sampler=sampler, group=4)
    check_goes_on_as_it_was(lambda name: sft.Training(quick, tmp_path / name, workers=0), stop=9, kept=6)


def of_batch(network: networks.Network, learned: Portion, batch: np.ndarray) -> loss.Loss:
    """Return the loss of a network on the goals of a portion at some places."""
    goals, keeps = [learned.goals[place] for place in batch], [learned.keeps[place] for place in batch]
    return loss.labelled_loss(network, goals, keeps, learned.provable[batch])


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_made_by_the_loss_of_what_the_network_says(
    of_kind: Callable[[str], SftSettings], tmp_path: Path, kind: str
) -> None:
    training = sft.Training(of_kind(kind), tmp_path / "net", workers=0)
    learned = portion(training.settings.data, 0, training.network.form)
    batch, window = training.batches_of(learned)[0], progress.Window()
    found = of_batch(training.network, learned, batch)
    training.learn(learned, batch, window)
    made = window.progress(1)
    assert made.policy_loss == pytest.approx(found.policy.item() / found.choices, rel=1e-5)
    assert made.provability_loss == pytest.approx(found.provability.item() / len(batch), rel=1e-5)


def forever(learned: Portion, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let trainings learn from one portion again and again."""
    monkeypatch.setattr(sft, "streamed", lambda *_: repeat(learned))


@pytest.mark.parametrize("kind", KINDS)
def test_training_learns(
    of_kind: Callable[[str], SftSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    training = sft.Training(replace(of_kind(kind), steps=60), tmp_path / "net", workers=0)
    forever(portion(training.settings.data, 0, training.network.form), monkeypatch)
    first, *_, last = training
    assert last.policy_loss < 0.75 * first.policy_loss
    assert last.provability_loss < (0.8 if kind == "lm-writer" else 0.6) * first.provability_loss
    assert last.solved is not None and first.solved is None


def test_what_is_told_between_two_reports_changes_none(quick: SftSettings, tmp_path: Path) -> None:
    told = [*sft.Training(quick, tmp_path / "told", workers=0).steps()]
    assert [each.step for each in told] == [*range(1, 16)]
    reports = [each for each in told if not isinstance(each, progress.SoFar)]
    assert numbers(reports) == numbers(sft.Training(quick, tmp_path / "other", workers=0))


def test_plays_in_which_no_move_could_lose_are_passed_over(quick: SftSettings, tmp_path: Path) -> None:
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
    from tensorboard.util.tensor_util import make_ndarray

    with Board(tmp_path) as board:
        board.write(progress.Progress(50, 0.5, 0.5, 0.75, 0.5, 1, 1), CURVES)
        board.write(progress.Progress(100, 0.5, 0.25, 0.75, 0.5, 1, 1, 0.25), CURVES)
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert {*CURVES} == {each.name for each in fields(progress.Progress)} - {"step"}
    assert {*events.Tags()["tensors"]} == {*CURVES.values()} - {CURVES["lost"]}
    for name, wanted in (("loss/provability", [(50, 0.5), (100, 0.25)]), (CURVES["solved"], [(100, 0.25)])):
        assert [(each.step, make_ndarray(each.tensor_proto)) for each in events.Tensors(name)] == wanted


def test_curves_for_weights_and_biases_stay_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, logged, ended = dict[str, Any](), list[dict[str, float]](), list[bool]()
    run = SimpleNamespace(define_metric=lambda *_, **__: None, log=logged.append, finish=lambda: ended.append(True))

    def init(**settings: Any) -> Any:
        made.update(settings)
        return run

    with monkeypatch.context() as without:
        without.setattr("oasis.ground.board.find_spec", lambda name: None)
        with pytest.raises(LibraryMissing, match=r"--wandb-offline needs Weights & Biases, .*\[wandb\]"):
            Board(tmp_path, "wandb_offline")
    monkeypatch.setattr("oasis.ground.board.find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init, Settings=SimpleNamespace))
    with Board(tmp_path / "curves", "wandb_offline") as board:
        board.write(progress.Progress(50, 0.5, 0.5, 0.75, 0.5, 1, 1), CURVES)
        assert not ended
    assert (made["mode"], made["dir"], ended) == ("offline", str(tmp_path / "curves"), [True])
    assert {"loss/provability": 0.5, "step": 50} in logged and CURVES["solved"] not in {*chain(*logged)}


def test_the_command_writes_a_checkpoint_and_overwrites_none(
    quickly: None, oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    forever(portion(SMALL, 0, encoded), monkeypatch)
    monkeypatch.setattr("oasis.cli.progress._SILENT_SECONDS", 0)
    found = oasis.ran("policy", "sft", "--steps", "2")
    assert "policy.safetensors: 2 steps; " in found.stdout
    assert all(f"{step} of 2 steps: loss " in found.stderr for step in (1, 2)), "also between two reports"
    for arguments, sentence in (
        ([], "policy.safetensors is there already"),
        (["--resume", "policy.safetensors", "--steps", "7"], "leave out --steps"),
        (["--resume", "policy.safetensors"], "is over"),
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
    nothing = "nothing to learn from in textbook/peirce (1: no theorem)"
    assert nothing in oasis.refused(*asked, "-o", "net", "--lemmas", "textbook/peirce")


# Several processes, and a GPU

ALONE = [sys.executable, "-m", "tests.neural.quick_training"]
TOGETHER = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *ALONE[1:]]
TOLERANCE = 0.03
"""Of a probability that a GPU works out, or 16-bit numbers."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    env = environment(OMP_NUM_THREADS="1")
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)


def learned_from_both(steps: int) -> networks.Network:
    """Return what two processes learn, worked out by one: a step with the mean of the gradients of two batches."""
    training = sft.Training(quick_training.settings(steps), Path("unused"), 0)
    for training.portions in range(steps):
        learned = portion(training.settings.data, training.portions, training.network.form)
        batches = training.batches_of(learned)
        for pair in zip(batches[::2], batches[1::2], strict=False):
            found = [(of_batch(training.network, learned, batch), len(batch)) for batch in pair]
            training.descend([(each.policy + each.provability) / goals / 2 for each, goals in found])
            if training.is_over:
                return training.network
    raise AssertionError("there is always another portion")


@pytest.mark.thorough
def test_two_processes_learn_by_the_mean_of_their_gradients(quickly: None, tmp_path: Path) -> None:
    done = run(*TOGETHER, str(tmp_path / "net"), "9")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["3", "6", "9"]  # one of them speaks
    wanted = learned_from_both(9).module.state_dict()
    for name, weights in checkpoint.load(tmp_path / "net").network.module.state_dict().items():
        torch.testing.assert_close(weights, wanted[name], atol=1e-5, rtol=1e-4)


def test_a_training_that_is_killed_goes_on_with_the_same_losses(quickly: None, tmp_path: Path) -> None:
    killed = run(*ALONE, str(tmp_path / "killed"), "12", "9")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert [line.split()[0] for line in killed.stdout.splitlines()] == ["3", "6", "9"]
    training = sft.Training.resumed(tmp_path / "killed", 0)
    assert training.step == 6
    whole = list(sft.Training(quick_training.settings(12), tmp_path / "whole", 0))
    assert numbers(training) == numbers(whole[2:])
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


def test_steps_of_5e_6_are_not_lost_where_matrices_are_multiplied_in_sixteen_bits(
    quickly: None, oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forever(portion(SMALL, 0, encoded), monkeypatch)
    weights = [presets.made("relational", "tiny", 0)]
    for name in ("float32", "bfloat16"):
        how = ("--steps=1", "--learning-rate=5e-4", f"--precision={name}", "-o", name)  # the first of a hundred rising
        oasis.ran("policy", "sft", *how)
        weights.append(checkpoint.load(tmp_path / name).network)
    begun, whole, halved = (torch.cat([each.flatten() for each in net.module.parameters()]) for net in weights)
    has_moved = (whole - begun).abs() > 4e-6
    assert has_moved.float().mean() > 0.5 and not torch.equal(whole, halved)
    assert ((halved - whole).abs() < 1e-6)[has_moved].float().mean() > 0.9, "all but as far, and the same way"
    assert (whole.bfloat16() == begun.bfloat16()).float().mean() > 0.9, "16 bits alone would not hold it"


@pytest.mark.thorough
def test_what_a_gpu_learns_in_ten_minutes_is_rehearsed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import gpu_lm

    network, file = presets.made("lm", "tiny", 0, "none", 1), tmp_path / "lm.npz"
    assert gpu_lm.write(network, file) > gpu_lm.write(gpu_lm.read(file), file) == 0, "16 levels are kept as they are"
    smallest = ["--rehearse", "--steps=1", "--drawn=1", "--group=2", "--pool=2"]
    gpu_lm.main([str(file), *smallest, "-o", str(tmp_path / "lines")])
    stages = "begun", "sft", "proved after sft", "grpo", "proved after grpo", "proved by shape"
    said = capsys.readouterr().out
    assert all(f"{stage}: 1 steps, " in said for stage in stages)


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


# Imitation

DATA = DataSettings(theorems=6, plays=2)


def settings(**others: Any) -> ImitationSettings:
    usual = {"steps": 12, "rounds": 4, "nodes": 600, "warm_up": 4, "data": DATA}
    return ImitationSettings(**{**usual, **others})


def imitation(file: Path, workers: int = 0, kind: str = "relational", **others: Any) -> imitate.Imitation:
    return imitate.Imitation(settings(**others), file, workers, small(kind, seed=3))


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> list[Labelled]:
    """The goals that rounds meet."""
    noted: list[Labelled] = []

    def listening(labelled, *how):  # type: ignore[no-untyped-def]
        noted.extend(labelled.values())
        return data.lessons(labelled, *how)

    monkeypatch.setattr(imitate, "lessons", listening)
    return noted


def test_the_oracle_labels_what_the_network_comes_to_and_lost_goals_teach_verdicts_alone(met: list[Labelled]) -> None:
    played = imitate.play_round(small(seed=3), theorems(DATA, 0), settings(), number=30)
    assert played.lost is not None and 0 < played.lost < 1
    assert {labelled.provable for labelled in met} == {True, False}
    examples = {example.formulas: example for example in played.examples}
    for labelled in met:
        assert labelled.provable == is_provable(labelled.formulas)
        for move, keeps in zip(labelled.options, labelled.keeps, strict=True):
            assert keeps == all(map(is_provable, move.premises))
        learned = examples[labelled.formulas]
        assert learned.provable == labelled.provable
        assert learned.options == (labelled.options if labelled.provable else ())


def test_in_the_first_round_the_oracle_alone_plays(met: list[Labelled]) -> None:
    shares = [settings().share_of_oracle(number) for number in range(3)]
    assert shares[0] == 1 > shares[1] > shares[2]
    assert imitate.play_round(small(seed=3), theorems(DATA, 0), settings(), number=0).lost is None
    assert all(labelled.provable for labelled in met)


@pytest.mark.parametrize(("rule", "lost"), [("right", 1.0), ("left", 0.0)])
def test_a_greedy_player_makes_its_likeliest_move_wherever_it_comes_to(
    monkeypatch: pytest.MonkeyPatch, rule: str, lost: float
) -> None:
    r"""A network that always scores `right` highest loses A -> A \/ B, and one that scores `left` highest does not."""

    def scores(_, asked):  # type: ignore[no-untyped-def]
        return {each.formulas: np.array([float(move.rule == rule) for move in each.options]) for each in asked}

    monkeypatch.setattr(imitate, "_scores", scores)
    played = imitate.play_round(small(), [Met(parse("A -> A \\/ B"), {})], settings(greedy=True, beta=0.0), 1)
    assert played.lost == lost


def test_a_draw_follows_the_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = np.log([1.0, 3.0])
    monkeypatch.setattr(imitate, "_scores", lambda _, asked: {each.formulas: odds for each in asked})
    drawing = settings(beta=0.0, data=DataSettings(theorems=1, plays=2000))
    lost = imitate.play_round(small(), [Met(parse("A -> A \\/ B"), {})], drawing, 1).lost
    assert lost == pytest.approx(0.75, abs=0.05)


def test_a_play_is_broken_off_after_so_many_choices(met: list[Labelled]) -> None:
    of_plays = theorems(DATA, 0)
    imitate.play_round(small(seed=3), of_plays, settings(choices=1, data=replace(DATA, plays=1)), number=30)
    assert 0 < len(met) <= len(of_plays)


def test_goals_are_gathered_over_the_rounds_and_each_round_has_its_steps(quickly: None, tmp_path: Path) -> None:
    training = imitation(tmp_path / "net")
    sizes = [(training.portions, len(training._gathered.goals)) for _ in training]
    assert [rounds for rounds, _ in sizes] == [0, 1, 2, 3]
    assert len({goals for _, goals in sizes}) == 4
    assert not checkpoint.load(tmp_path / "net").examples


@pytest.mark.parametrize(
    ("steps", "rounds", "stop"), [(12, 2, 9), (12, 3, 9), *thoroughly((24, 8, 21), (24, 2, 9), (24, 4, 15))]
)
def test_an_imitation_that_was_cut_short_goes_on_with_the_same_losses(
    quickly: None, tmp_path: Path, steps: int, rounds: int, stop: int
) -> None:
    """At the beginning of a round, and in the midst of one."""
    check_goes_on_as_it_was(lambda name: imitation(tmp_path / name, steps=steps, rounds=rounds), stop, stop - 3)


def test_the_command_goes_on_with_an_imitation_that_was_stopped(quickly: None, oasis: Oasis, tmp_path: Path) -> None:
    training = imitation(tmp_path / "net")
    training.stopping = True
    list(training)
    run = oasis.ran("policy", "imitate", "--resume", "net", "--workers", "0")
    assert "net: 12 steps" in run.stdout
    assert "% of its own" in run.stderr


def test_a_language_model_that_imitates_learns_answers_and_goes_on_with_them(quickly: None, tmp_path: Path) -> None:
    how: dict[str, Any] = {"kind": "lm", "data": DataSettings(theorems=3, plays=2, parts=4)}
    check_goes_on_as_it_was(lambda name: imitation(tmp_path / name, **how), 9, 6)
    learned: list[Any] = next(imitation(tmp_path / "other", **how).data()).goals
    assert all(len(goal.answers) == len(goal.questions) for goal in learned)
    assert any(len({*goal.moves}) < len(goal.questions) - 1 for goal in learned), "also of subformulas"


@pytest.mark.thorough
def test_processes_make_the_same_rounds(quickly: None, tmp_path: Path) -> None:
    alone, helped = (imitation(tmp_path / str(workers), workers, steps=6, rounds=2) for workers in (0, 1))
    assert numbers(alone) == numbers(helped)
    assert alone.digest == helped.digest != ""


def test_imitation_teaches_what_the_network_gets_wrong(quickly: None, tmp_path: Path) -> None:
    """A network with random weights loses less of its own plays, round after round, of the same few theorems."""
    few, training = theorems(DATA, 0), imitation(tmp_path / "net", steps=120, rounds=6, beta=0.0, learning_rate=1e-2)
    before = imitate.play_round(training.network, few, settings(beta=0.0), 9).lost
    list(training)
    after = imitate.play_round(training.network, few, settings(beta=0.0), 9).lost
    assert before is not None and after is not None and after < before / 2


def test_a_round_in_which_no_move_can_be_wrong_teaches_nothing_and_the_next_one_goes_on(
    quickly: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rounds = imitate.play_round, list[int]()

    def first_finds_nothing(network, theorems, settings, number):  # type: ignore[no-untyped-def]
        rounds.append(number)
        return real(network, theorems, settings, number) if number else imitate.Round([], None)

    monkeypatch.setattr(imitate, "play_round", first_finds_nothing)
    assert list(imitation(tmp_path / "net"))[-1].step == 12
    assert rounds == [0, 1, 2, 3, 4], "its steps are made up for"


FEW = ("--steps", "3", "--rounds", "2", "--theorems", "3", "--workers", "0")


def test_the_command_goes_on_from_the_network_that_comes_along(
    quickly: None, oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = oasis.json("policy", "imitate", "tiny", *FEW)
    assert (found["training"], found["step"], found["portions"]) == ("imitate", 3, 1)
    assert header(Path("policy.safetensors"))["training"] == "imitate"
    assert len(found["settings"]["start"]) == 32
    for arguments, sentence in (
        (["tiny"], "policy.safetensors is there already"),
        (["--resume", "policy.safetensors", "--beta", "0.1"], "leave out --beta"),
        (["--resume", "policy.safetensors"], "is over"),
    ):
        assert sentence in oasis.refused("policy", "imitate", *arguments)


def test_the_theorems_may_be_those_of_a_curriculum(
    quickly: None, oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = oasis.ran("policy", "imitate", "tiny", *FEW, "--lemmas", "SYJ203", "--levels", "1-2")
    (learned,) = resolve("SYJ203", levels=(2,)).lemmas
    assert header(Path("policy.safetensors"))["settings"]["data"]["lemmas"] == [show(learned.formula)]
    assert "Left out, no wrong move in 3 plays: SYJ203.1" in run.stderr
