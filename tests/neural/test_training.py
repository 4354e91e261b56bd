"""Training: data that no test theorem is in, losses as they are defined, and a training that goes on as it was."""

from __future__ import annotations

import json
import signal
import subprocess
from dataclasses import fields, replace
from functools import partial
from importlib.util import find_spec
from itertools import islice, repeat
from math import log
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from curricula import propl, resolve_lemma
from curricula.propl_lemmas import published
from oasis.cli.main import app
from oasis.neural.encoding.moves import unordered
from oasis.neural.encoding.nodes import encoded
from oasis.neural.labels import shortest_length
from oasis.neural.networks.network import Judgement
from oasis.neural.networks.presets import NETWORKS
from oasis.neural.training import data, sft
from oasis.neural.training.board import CURVES, Board
from oasis.neural.training.data import DataSettings, portion
from oasis.neural.training.loss import loss
from oasis.neural.training.progress import Progress, Window
from oasis.neural.training.reserved import hundred, key, reserved_keys
from oasis.neural.training.sft import SftSettings, Training
from oasis.neural.training.solving import solve_rate
from oasis.neural.training.stream import streamed
from oasis.teacher.policy import Exact
from state_spaces.name import Name
from tactics.errors import InputError, LibraryMissing
from tactics.formula import Formula, atoms, renamed
from tactics.goal import initial
from tactics.parser import parse
from tactics.printer import show
from tests.cli.conftest import START, environment

SMALL = DataSettings(theorems=5, plays=2)


def test_theorems_of_the_test_sets_are_left_out_under_other_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(reserved_keys()) > 3_000
    first = next(iter(published()["propl-test-hard"]))
    formula = propl.formula(first.number, first.n)
    names = {atom.name: f"q{place}" for place, atom in enumerate(reversed(atoms(formula)))}
    assert Name().view(initial(renamed(formula, names))).key in reserved_keys()
    assert all(key(theorem) in reserved_keys() for theorem in hundred())

    learned: list[Formula] = []

    def noted(goal: tuple[Formula, ...], most: int) -> int | None:
        length = shortest_length(goal, most)
        if length is not None:
            learned.append(goal[0])
        return length

    monkeypatch.setattr(data, "shortest_length", noted)
    before = portion(SMALL, 0, encoded)
    assert len(learned) == SMALL.theorems
    keys = frozenset(Name().view(initial(theorem)).key for theorem in learned[:1])
    monkeypatch.setattr(data, "reserved_keys", lambda: keys)
    after = portion(SMALL, 0, encoded)
    assert len(learned) == 2 * SMALL.theorems + 1
    assert not any(np.array_equal(goal.tokens, before.goals[0].tokens) for goal in after.goals[:1])


def test_a_portion_has_both_kinds_of_goals_and_moves() -> None:
    made = portion(SMALL, 3, encoded)
    assert 0 < made.provable.mean() < 1
    for goal, keeps, provable in zip(made.goals, made.keeps, made.provable, strict=True):
        assert len(goal.moves) == len(keeps)
        assert not len(keeps) or (provable and keeps.any() and not keeps.all())


def test_goals_without_a_losing_move_are_learned_from_where_that_is_asked_for() -> None:
    some, every = (portion(replace(SMALL, certain=share), 3, encoded) for share in (0.5, 1.0))
    without, between, whole = (
        sum(len(keeps) > 0 and bool(keeps.all()) for keeps in made.keeps)
        for made in (portion(SMALL, 3, encoded), some, every)
    )
    assert without == 0 < between < whole
    for met in data.theorems(replace(SMALL, certain=1.0), 3):
        assert unordered((met.theorem,)) in met.labelled  # where every proof begins
    for goal, keeps, provable in zip(every.goals, every.keeps, every.provable, strict=True):
        assert len(goal.moves) == len(keeps) and (not len(keeps) or (provable and keeps.any()))
    for share in (-0.1, 1.1):
        with pytest.raises(InputError, match="share of certain goals is"):
            replace(SMALL, certain=share)


def test_portions_take_turns_with_the_size_of_theorems() -> None:
    both = DataSettings(theorems=5, plays=2, connectives=(16, 40))
    small, large = (np.mean([len(goal.tokens) for goal in portion(both, number, encoded).goals]) for number in (0, 1))
    assert large > 1.3 * small
    assert portion(both, 0, encoded).digest == portion(SMALL, 0, encoded).digest


@pytest.mark.some_days
@pytest.mark.slow
def test_processes_make_the_portions_that_this_one_makes() -> None:
    here = [made.digest for made in islice(streamed(partial(portion, SMALL, form=encoded), 1, workers=0), 4)]
    there = [made.digest for made in islice(streamed(partial(portion, SMALL, form=encoded), 1, workers=2), 4)]
    assert here == there
    assert len(set(here)) == 4


def test_the_loss_is_the_mass_on_the_good_moves_and_the_cross_entropy() -> None:
    judgement = Judgement(torch.tensor([log(1.0), log(2.0), log(5.0), 3.0]), torch.tensor([0.0, log(3.0), -log(3.0)]))
    found = loss(
        judgement,
        torch.tensor([0, 0, 0, 2]),
        torch.tensor([True, False, True, True]),
        torch.tensor([True, True, True]),
    )
    assert found.policy.item() == pytest.approx(-log(6 / 8))
    assert found.provability.item() == pytest.approx(-log(1 / 2) - log(3 / 4) - log(1 / 4))
    assert (found.choices, int(found.right_choices), int(found.right_verdicts)) == (2, 2, 1)


def test_a_loss_without_moves_or_with_huge_scores_is_a_number() -> None:
    none = loss(
        Judgement(torch.zeros(0), torch.zeros(2)),
        torch.zeros(0, dtype=torch.long),
        torch.zeros(0).bool(),
        torch.ones(2).bool(),
    )
    assert none.policy.item() == 0
    scores = torch.tensor([1e4, -1e4], requires_grad=True)
    huge = loss(
        Judgement(scores, torch.zeros(1)), torch.tensor([0, 0]), torch.tensor([False, True]), torch.ones(1).bool()
    )
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
def quick(quickly: None) -> SftSettings:
    """Settings of a training of a second."""
    return SftSettings(steps=24, nodes=300, data=SMALL, warm_up=4)


def losses(progress: list[Progress]) -> list[tuple[object, ...]]:
    return [(each.step, each.policy_loss, each.provability_loss, each.choices, each.verdicts) for each in progress]


@pytest.mark.parametrize("network", NETWORKS)
def test_a_training_that_was_cut_short_goes_on_with_the_same_losses(
    quick: SftSettings, tmp_path: Path, network: str
) -> None:
    quick = replace(quick, network=network)
    whole = list(Training(quick, tmp_path / "whole", workers=0))
    cut = Training(quick, tmp_path / "cut", workers=0)
    for told in cut:
        if told.step >= 15:
            break  # three steps after the last checkpoint, as a kill would
    resumed = Training.resumed(tmp_path / "cut", workers=0)
    assert resumed.step == 12
    rest = list(resumed)
    assert losses(rest) == losses([told for told in whole if told.step > 12])
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    with pytest.raises(InputError, match="is over"):
        Training.resumed(tmp_path / "cut")


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_step_is_made_by_the_loss_of_what_the_network_says(quick: SftSettings, tmp_path: Path, kind: str) -> None:
    training = Training(replace(quick, network=kind), tmp_path / "net", workers=0)
    learned = portion(SMALL, 0, training.network.form)
    batch, window = training.batches_of(learned)[0], Window()
    goals = [learned.goals[place] for place in batch]
    of_moves = torch.from_numpy(np.repeat(np.arange(len(goals)), [len(goal.moves) for goal in goals]))
    keeps = torch.from_numpy(np.concatenate([learned.keeps[place] for place in batch]))
    found = loss(training.network.judged(goals), of_moves, keeps, torch.from_numpy(learned.provable[batch]))
    training.learn(learned, batch, window)
    told = window.progress(1)
    assert told.policy_loss == pytest.approx(found.policy.item() / found.choices, rel=1e-5)
    assert told.provability_loss == pytest.approx(found.provability.item() / len(goals), rel=1e-5)


def test_stopping_leaves_a_checkpoint_to_go_on_with(quick: SftSettings, tmp_path: Path) -> None:
    training = Training(quick, tmp_path / "net", workers=0)
    for _ in training:
        training.stopping = True
    assert training.step == 4
    assert Training.resumed(tmp_path / "net").step == 4


@pytest.mark.parametrize("network", NETWORKS)
def test_training_learns(quick: SftSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: str) -> None:
    training = Training(replace(quick, steps=60, network=network), tmp_path / "net", workers=0)
    learned = portion(SMALL, 0, training.network.form)
    monkeypatch.setattr(sft, "streamed", lambda *_: repeat(learned))
    told = list(training)
    assert told[-1].policy_loss < 0.75 * told[0].policy_loss
    assert told[-1].provability_loss < told[0].provability_loss / 2
    assert told[-1].solved is not None and told[0].solved is None


def test_curves_need_tensorboard(tmp_path: Path) -> None:
    if find_spec("tensorboard") is None:
        with pytest.raises(LibraryMissing, match=r"--tensorboard needs TensorBoard, .*\[tensorboard\]"):
            Board(tmp_path)
        return
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with Board(tmp_path) as board:
        for step in (50, 100):
            board.write(Progress(step, 0.5, 25 / step, 0.75, 0.5, 1.0, 1.0, solved=0.25 if step == 100 else None))
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    told = {each.name for each in fields(Progress)} - {"step"}
    assert {*CURVES} == told and {*events.Tags()["scalars"]} == {*CURVES.values()} - {CURVES["lost"]}
    found = {name: [(each.step, each.value) for each in events.Scalars(name)] for name in events.Tags()["scalars"]}
    assert found["loss/provability"] == [(50, 0.5), (100, 0.25)]
    assert found["proved/of the fixed hundred"] == [(100, 0.25)]


@pytest.mark.some_days
@pytest.mark.slow
def test_the_command_stops_where_it_is_interrupted(tmp_path: Path) -> None:
    command = [*START, "policy", "sft", "--lemmas", "A -> A \\/ B", "--steps", "1000000", "--workers", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert any("parameters; 1,000,000 steps" in line for line in process.stderr)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert "Stopped after step" in process.communicate(timeout=60)[1]
        assert process.returncode == 130


def test_the_command_writes_a_checkpoint_and_overwrites_none(
    quick: SftSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sft, "streamed", lambda *_: repeat(portion(SMALL, 0, encoded)))
    run = CliRunner().invoke(app, ["policy", "sft", "--steps", "2", "--json"])
    told = json.loads(run.stdout)
    assert told["step"] == 2 and told["last"]["solved"] is not None
    assert "2 of 2 steps: loss " in run.stderr
    for arguments, sentence in (
        ([], "policy.safetensors is there already"),
        (["--resume", "policy.safetensors", "--steps", "7"], "leave out --steps"),
        (["--resume", "policy.safetensors"], "is over"),
        (["-o", "nowhere/net"], "cannot be written"),
        (["-o", "."], "is a folder; name a file in it, as in -o policy.safetensors"),
        (["-o", "net", "--connectives", "many"], "give whole numbers"),
    ):
        failed = CliRunner().invoke(app, ["policy", "sft", *arguments])
        assert isinstance(failed.exception, InputError) and sentence in str(failed.exception)


@pytest.mark.some_days
def test_a_training_learns_from_lemmas_of_ones_own(
    quick: SftSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = "one : A -> A \\/ B\nanother : (A -> B) -> ((C -> A -> B) -> D \\/ E) -> E \\/ D\nnone : A \\/ ~A\n"
    (tmp_path / "own.lemmas").write_text(own)
    monkeypatch.chdir(tmp_path)
    arguments = ["policy", "sft", "--lemmas", "own.lemmas", "--steps", "60", "--workers", "0", "--json"]
    run = CliRunner().invoke(app, arguments)
    told = json.loads(run.stdout)
    assert "Left out, no theorem: none." in run.stderr
    assert told["settings"]["data"]["lemmas"] == [show(parse(line.partition(":")[2])) for line in own.splitlines()[:2]]
    assert told["last"]["choices"] == 1 and told["portions"] > 1
    for more, sentence in (
        (["--lemmas", "textbook/peirce"], r"nothing to learn from in textbook/peirce \(1: no theorem\)"),
        (["--lemmas", "own.lemmas", "--connectives", "3"], "--connectives is about PropL's"),
        (["--lemmas", "own.lemmas", "--longest", "3"], "--longest is about PropL's"),
        (["--nodes", "0"], "nodes"),
        (["--levels", "1"], "--levels goes with --lemmas"),
    ):
        with pytest.raises(InputError, match=sentence):
            CliRunner().invoke(app, ["policy", "sft", "-o", "net", "--workers", "0", *more], catch_exceptions=False)


def test_lemmas_of_ones_own_take_turns_and_go_on_after_a_kill(quick: SftSettings, tmp_path: Path) -> None:
    texts = tuple(f"A{number} -> B \\/ A{number} \\/ C" for number in range(5))
    settings = replace(quick, data=DataSettings(theorems=2, plays=1, lemmas=texts))
    turns = [show(met.theorem) for number in range(5) for met in data.theorems(settings.data, number)]
    assert sorted(turns[:5]) == sorted(turns[5:]) == sorted(texts)
    whole = list(Training(settings, tmp_path / "whole", workers=0))
    for told in Training(settings, tmp_path / "cut", workers=0):
        if told.step >= 15:
            break
    assert losses(list(Training.resumed(tmp_path / "cut", workers=0))) == losses(whole)[4:]


def test_plays_in_which_no_move_could_lose_are_passed_over(quick: SftSettings, tmp_path: Path) -> None:
    few = DataSettings(theorems=1, plays=1, lemmas=(show(resolve_lemma("thesis/42").formula),))
    training = Training(replace(quick, steps=8, data=few), tmp_path / "few", workers=0)
    assert 0 in [len(portion.goals) for portion, _ in zip(training.data(), range(8), strict=False)]
    training = Training(replace(quick, steps=8, data=few), tmp_path / "other", workers=0)
    assert list(training)[-1].step == 8
