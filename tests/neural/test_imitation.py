"""Imitation: who chooses, what the oracle says of where it leads, and a training that goes on as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from curricula import resolve
from oasis.cli.main import app
from oasis.neural.encoding.moves import Formulas
from oasis.neural.labels import Labelled, Oracle, answered
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import from_json
from oasis.neural.training import data, imitate
from oasis.neural.training.checkpoint import load
from oasis.neural.training.data import DataSettings, Met, losing, theorems
from oasis.neural.training.imitate import Imitation, ImitationSettings, play_round
from oasis.neural.training.progress import Progress
from oasis.neural.training.sft import Training
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.errors import InputError
from tactics.parser import parse
from tactics.printer import show

DATA = DataSettings(theorems=6, plays=2)
SETTINGS = ImitationSettings(steps=24, rounds=4, nodes=600, warm_up=4, data=DATA)


def fresh() -> Network:
    torch.manual_seed(3)
    return from_json({"kind": "relational", "width": 16, "layers": 2, "heads": 2})


def is_provable(goal: Formulas) -> bool:
    return isinstance(Intuit().decide(goal[1:], goal[0]), Proved)


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
    played = play_round(fresh(), theorems(DATA, 0), SETTINGS, number=30)
    assert played.lost is not None and 0 < played.lost < 1
    assert {labelled.provable for labelled in met} == {True, False}
    for labelled in met:
        assert labelled.provable == is_provable(labelled.formulas)
        for move, keeps in zip(labelled.options, labelled.keeps, strict=True):
            assert keeps == all(map(is_provable, move.premises))
    examples = {example.formulas: example for example in played.examples}
    for labelled in met:
        learned = examples[labelled.formulas]
        assert learned.provable == labelled.provable
        assert learned.options == (labelled.options if labelled.provable else ())


def test_in_the_first_round_the_oracle_alone_plays(met: list[Labelled]) -> None:
    assert SETTINGS.share_of_oracle(0) == 1 > SETTINGS.share_of_oracle(1) > SETTINGS.share_of_oracle(2)
    played = play_round(fresh(), theorems(DATA, 0), SETTINGS, number=0)
    assert played.lost is None
    assert all(labelled.provable for labelled in met)


def test_a_greedy_player_makes_its_likeliest_move_wherever_it_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    r"""A network that always scores `right` highest loses A -> A \/ B, and one that scores `left` highest does not."""
    theorem = parse("A -> A \\/ B")
    for rule, lost in (("right", 1.0), ("left", 0.0)):

        def scores(_, asked, rule=rule):  # type: ignore[no-untyped-def]
            return {each.formulas: np.array([float(move.rule == rule) for move in each.options]) for each in asked}

        monkeypatch.setattr(imitate, "_scores", scores)
        settings = replace(SETTINGS, greedy=True, beta=0.0)
        assert play_round(fresh(), [Met(theorem, {})], settings, 1).lost == lost


def test_a_draw_follows_the_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = np.log([1.0, 3.0])
    monkeypatch.setattr(imitate, "_scores", lambda _, asked: {each.formulas: odds for each in asked})
    settings = replace(SETTINGS, beta=0.0, data=DataSettings(theorems=1, plays=2000))
    lost = play_round(fresh(), [Met(parse("A -> A \\/ B"), {})], settings, 1).lost
    assert lost == pytest.approx(0.75, abs=0.05)


def test_a_play_is_broken_off_after_so_many_choices(met: list[Labelled]) -> None:
    settings = replace(SETTINGS, choices=1, data=replace(DATA, plays=1))
    of_plays = theorems(DATA, 0)
    play_round(fresh(), of_plays, settings, number=30)
    assert 0 < len(met) <= len(of_plays)


def test_goals_are_gathered_over_the_rounds_and_each_round_has_its_steps(quickly: None, tmp_path: Path) -> None:
    training = Imitation(SETTINGS, tmp_path / "net", 0, fresh())
    sizes = [(training.portions, len(training._gathered.goals)) for _ in training]
    assert [rounds for rounds, _ in sizes] == [0, 0, 1, 1, 2, 2, 3, 3]
    goals = sorted({goals for _, goals in sizes})
    assert len(goals) == 4
    assert not load(tmp_path / "net").examples


def losses(progress: list[Progress]) -> list[tuple[object, ...]]:
    return [(each.step, each.policy_loss, each.provability_loss, each.lost) for each in progress]


@pytest.mark.parametrize(("steps", "rounds", "stop"), [(24, 4, 15), (24, 2, 9), (24, 8, 21)])
def test_an_imitation_that_was_cut_short_goes_on_with_the_same_losses(
    quickly: None, tmp_path: Path, steps: int, rounds: int, stop: int
) -> None:
    settings = replace(SETTINGS, steps=steps, rounds=rounds)
    whole = list(Imitation(settings, tmp_path / "whole", 0, fresh()))
    for told in Imitation(settings, tmp_path / "cut", 0, fresh()):
        if told.step >= stop:
            break  # three steps after the last checkpoint, as a kill would
    resumed = Imitation.resumed(tmp_path / "cut", workers=0)
    assert resumed.step == stop - 3
    assert losses(list(resumed)) == losses([told for told in whole if told.step > stop - 3])
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    with pytest.raises(InputError, match="is over"):
        Imitation.resumed(tmp_path / "cut")


def test_each_kind_of_training_goes_on_with_its_own_files(quickly: None, tmp_path: Path) -> None:
    training = Imitation(SETTINGS, tmp_path / "net", 0, fresh())
    training.stopping = True
    list(training)
    with pytest.raises(InputError, match="of another training; go on with oasis policy imitate --resume "):
        Training.resumed(tmp_path / "net")


@pytest.mark.some_days
def test_processes_make_the_same_rounds(quickly: None, tmp_path: Path) -> None:
    alone, helped = (Imitation(replace(SETTINGS, steps=6, rounds=2), tmp_path / str(n), n, fresh()) for n in (0, 1))
    assert losses(list(alone)) == losses(list(helped))
    assert alone.digest == helped.digest != ""


@pytest.mark.some_days
def test_imitation_teaches_what_the_network_gets_wrong(quickly: None, tmp_path: Path) -> None:
    """A network with random weights loses less of its own plays, round after round, of the same few theorems."""
    settings = replace(SETTINGS, steps=120, rounds=6, beta=0.0, learning_rate=1e-2)
    few = theorems(DATA, 0)
    network = fresh()
    before = play_round(network, few, settings, 9).lost
    list(Imitation(settings, tmp_path / "net", 0, network))
    after = play_round(network, few, settings, 9).lost
    assert before is not None and after is not None and after < before / 2


@pytest.mark.parametrize(
    "wrong", [{"rounds": 0}, {"rounds": 25}, {"beta": -0.1}, {"beta": 1.5}, {"choices": 0}, {"steps": 0}]
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        replace(SETTINGS, **wrong)  # type: ignore[arg-type]


def test_the_command_goes_on_from_the_network_that_comes_along(
    quickly: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--steps", "3", "--rounds", "2", "--theorems", "3", "--workers", "0"]
    run = CliRunner().invoke(app, ["policy", "imitate", "tiny", "--json", *few])
    told = json.loads(run.stdout)
    assert (told["training"], told["step"], told["portions"]) == ("imitate", 3, 1)
    assert load(tmp_path / "policy.safetensors").about["training"] == "imitate"
    assert len(told["settings"]["start"]) == 32
    for arguments, sentence in (
        (["tiny"], "policy.safetensors is there already"),
        ([], "Name the checkpoint to go on from"),
        (["tiny", "--resume", "policy.safetensors"], "Name the checkpoint to go on from"),
        (["--resume", "policy.safetensors", "--beta", "0.1"], "leave out --beta"),
        (["--resume", "policy.safetensors"], "is over"),
        (["nowhere.safetensors", "-o", "net"], "There is no file nowhere.safetensors"),
        (["tiny", "-o", "net", "--beta", "7"], "beta is 7"),
    ):
        failed = CliRunner().invoke(app, ["policy", "imitate", *arguments])
        assert isinstance(failed.exception, InputError) and sentence in str(failed.exception), arguments


def test_the_theorems_may_be_those_of_a_curriculum(
    quickly: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--steps", "2", "--rounds", "1", "--theorems", "3", "--workers", "0"]
    run = CliRunner().invoke(
        app, ["policy", "imitate", "tiny", "--json", *few, "--lemmas", "SYJ203", "--levels", "1-2"]
    )
    (learned,) = resolve("SYJ203", levels=(2,)).lemmas
    assert json.loads(run.stdout)["settings"]["data"]["lemmas"] == [show(learned.formula)]
    assert "Left out, no wrong move in 3 plays: SYJ203.1" in run.stderr
    for arguments, sentence in (
        (["--levels", "1"], "--levels goes with --lemmas"),
        (["--lemmas", "SYJ203", "--longest", "4"], "--longest is about PropL's theorems"),
    ):
        failed = CliRunner().invoke(app, ["policy", "imitate", "tiny", "-o", "net", *arguments])
        assert isinstance(failed.exception, InputError) and sentence in str(failed.exception), arguments


def test_the_command_goes_on_with_what_was_cut_short(
    quickly: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    training = Imitation(SETTINGS, tmp_path / "net", 0, fresh())
    training.stopping = True
    list(training)
    run = CliRunner().invoke(app, ["policy", "imitate", "--resume", str(tmp_path / "net"), "--json", "--workers", "0"])
    assert json.loads(run.stdout)["step"] == SETTINGS.steps
    assert "% of its own" in run.stderr


@pytest.mark.parametrize(("eager", "provable"), product((True, False), (True, False)))
def test_plays_that_somebody_chooses_for_meet_truly_labelled_goals(eager: bool, provable: bool) -> None:
    play = Oracle().play((parse("A -> (B \\/ C) \\/ (B \\/ A)"),), lambda: 0.5, eager)
    labelled: Labelled | None = next(play)
    seen = []
    while labelled is not None:
        seen.append(labelled)
        assert labelled.provable == is_provable(labelled.formulas)
        wanted = [place for place, keeps in enumerate(labelled.keeps) if keeps == provable]
        labelled = answered(play, (wanted or [0])[0])
    assert provable == all(each.provable for each in seen)
    assert losing(seen)


def test_a_round_in_which_no_move_can_be_wrong_teaches_nothing_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rounds = imitate.play_round, list[int]()

    def first_finds_nothing(network, theorems, settings, number):  # type: ignore[no-untyped-def]
        rounds.append(number)
        return real(network, theorems, settings, number) if number else imitate.Round([], None)

    monkeypatch.setattr(imitate, "play_round", first_finds_nothing)
    training = Imitation(SETTINGS, tmp_path / "net", 0, fresh())
    told = list(training)
    assert told[-1].step == SETTINGS.steps
    assert rounds == [0, 1, 2, 3, 4], "its steps are made up for"
