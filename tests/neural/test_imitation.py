"""Imitation: who chooses, what the oracle says of where it leads, and a training that goes on as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from oasis.neural.labels import Labelled
from oasis.neural.training import data
from oasis.neural.training.data import DataSettings, Met, theorems
from oasis.neural.training.header import header
from tactics.errors import InputError
from tactics.parser import parse
from tactics.printer import show
from tests.commands import Oasis
from tests.neural.modules import checkpoint, imitate, sft
from tests.neural.small import is_provable, losses, small
from tests.thorough import thoroughly

DATA = DataSettings(theorems=6, plays=2)


def settings(**others: Any) -> imitate.ImitationSettings:
    usual = {"steps": 12, "rounds": 4, "nodes": 600, "warm_up": 4, "data": DATA}
    return imitate.ImitationSettings(**{**usual, **others})


def imitation(file: Path, workers: int = 0, **others: Any) -> imitate.Imitation:
    return imitate.Imitation(settings(**others), file, workers, small(seed=3))


def stopped(file: Path) -> None:
    """Write the file of an imitation that was stopped after its first step."""
    training = imitation(file)
    training.stopping = True
    list(training)


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> list[Labelled]:
    """The goals that rounds meet."""
    noted: list[Labelled] = []

    def listening(labelled, certain):  # type: ignore[no-untyped-def]
        noted.extend(labelled.values())
        return data.examples(labelled, certain)

    monkeypatch.setattr(imitate, "examples", listening)
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
    played = imitate.play_round(small(seed=3), theorems(DATA, 0), settings(), number=0)
    assert played.lost is None
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
    whole = list(imitation(tmp_path / "whole", steps=steps, rounds=rounds))
    for each in imitation(tmp_path / "cut", steps=steps, rounds=rounds):
        if each.step >= stop:
            break  # three steps after the last checkpoint, as a kill would
    resumed = imitate.Imitation.resumed(tmp_path / "cut", workers=0)
    assert resumed.step == stop - 3
    assert losses(list(resumed)) == losses([each for each in whole if each.step > stop - 3])
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    with pytest.raises(InputError, match="is over"):
        imitate.Imitation.resumed(tmp_path / "cut")


def test_each_kind_of_training_goes_on_with_its_own_files(quickly: None, oasis: Oasis, tmp_path: Path) -> None:
    stopped(tmp_path / "net")
    with pytest.raises(InputError, match="of another training; go on with oasis policy imitate --resume "):
        sft.Training.resumed(tmp_path / "net")
    run = oasis.ran("policy", "imitate", "--resume", "net", "--workers", "0")
    assert "net: 12 steps" in run.stdout
    assert "% of its own" in run.stderr


@pytest.mark.thorough
@pytest.mark.slow
def test_processes_make_the_same_rounds(quickly: None, tmp_path: Path) -> None:
    alone, helped = (imitation(tmp_path / str(workers), workers, steps=6, rounds=2) for workers in (0, 1))
    assert losses(list(alone)) == losses(list(helped))
    assert alone.digest == helped.digest != ""


def test_imitation_teaches_what_the_network_gets_wrong(quickly: None, tmp_path: Path) -> None:
    """A network with random weights loses less of its own plays, round after round, of the same few theorems."""
    few, training = theorems(DATA, 0), imitation(tmp_path / "net", steps=120, rounds=6, beta=0.0, learning_rate=1e-2)
    before = imitate.play_round(training.network, few, settings(beta=0.0), 9).lost
    list(training)
    after = imitate.play_round(training.network, few, settings(beta=0.0), 9).lost
    assert before is not None and after is not None and after < before / 2


@pytest.mark.parametrize(
    "wrong", [{"rounds": 0}, {"rounds": 25}, {"beta": -0.1}, {"beta": 1.5}, {"choices": 0}, {"steps": 0}]
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        settings(**{"steps": 24, **wrong})


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
        ([], "Name the checkpoint to go on from"),
        (["tiny", "--resume", "policy.safetensors"], "Name the checkpoint to go on from"),
        (["--resume", "policy.safetensors", "--beta", "0.1"], "leave out --beta"),
        (["--resume", "policy.safetensors"], "is over"),
        (["nowhere.safetensors", "-o", "net"], "There is no file nowhere.safetensors"),
        (["tiny", "-o", "net", "--beta", "7"], "beta is 7"),
        (["tiny", "-o", "net", "--levels", "1"], "--levels goes with --lemmas"),
        (["tiny", "-o", "net", "--lemmas", "SYJ203", "--longest", "4"], "--longest is about PropL's theorems"),
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
