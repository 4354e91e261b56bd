"""Reinforcement as a whole: what it learns, what it keeps, and that it goes on as it was."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from oasis.neural.reinforcement import lemmas, train
from oasis.neural.reinforcement.exams import Scores
from oasis.neural.reinforcement.grpo import Grpo
from oasis.neural.reinforcement.ppo import Ppo
from oasis.neural.reinforcement.practice import Practice
from oasis.neural.reinforcement.train import Reinforcement
from oasis.neural.training.checkpoint import load, save
from oasis.neural.training.ranks import Ranks
from oasis.neural.training.sft import Training
from tactics.errors import InputError
from tests.neural.reinforcement import quick
from tests.neural.reinforcement.quick import KINDS, LEMMAS, SETS, settings, started, weights

pytestmark = pytest.mark.usefixtures("small")


def numbers(told: Practice) -> tuple[object, ...]:
    return told.step, told.surrogate, told.entropy, told.proved, told.value, told.divergence, told.mixed


@pytest.mark.some_variants(2)
@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("grpo", {}),
        ("grpo", {"divergence": 0.02}),
        ("grpo", {"reward": "dagger:seed", "credit": "play"}),
        ("ppo", {}),
    ],
)
def test_a_training_that_was_cut_short_goes_on_with_the_same_numbers(
    tmp_path: Path, kind: str, others: dict[str, Any]
) -> None:
    whole = list(started(kind, 24, tmp_path / "whole", **others))
    for told in started(kind, 24, tmp_path / "cut", **others):
        if told.step >= 14:
            break  # an update after the last checkpoint, as a kill would
    resumed = KINDS[kind][0].resumed(tmp_path / "cut", 0)
    assert resumed.step == 12
    assert [*map(numbers, resumed)] == [numbers(told) for told in whole if told.step > 12]
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    with pytest.raises(InputError, match="is over"):
        KINDS[kind][0].resumed(tmp_path / "cut", 0)


@pytest.mark.parametrize(("lemma", "learns"), [("A -> A \\/ B", True), ("A -> A \\/ A", False)])
def test_from_how_many_lemmas_was_learned_is_counted_on_after_a_stop(tmp_path: Path, lemma: str, learns: bool) -> None:
    training = started("ppo", 8, tmp_path / "net", pool=lemmas.PoolSettings(lemmas=(lemma,)), group=16)
    coming = iter(training)
    mixed = [next(coming).mixed]
    training.stop()
    mixed.append(next(coming).mixed)
    assert load(tmp_path / "net").about["examined"]["learned_from"] == sum(mixed)
    assert (sum(mixed) > 0) == learns
    resumed = Ppo.resumed(tmp_path / "net", 0)
    assert ("nothing was learned" in resumed.remark()) != learns
    mixed += [told.mixed for told in resumed]
    assert len(mixed) == 4
    assert load(tmp_path / "net").about["examined"]["learned_from"] == sum(mixed)


@pytest.mark.parametrize("kind", ["grpo", "ppo"])
@pytest.mark.parametrize("updates", [1, 3, 4])
def test_where_a_training_is_stopped_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, updates: int
) -> None:
    exams: list[int] = []

    def examine(self: Reinforcement) -> tuple[Scores, float]:  # each network is better than all before
        exams.append(self.step)
        return Scores({"hard": (self.step, 100)}), self.step / 100

    monkeypatch.setattr(train, "examined", lambda: {"hard": SETS["hard"] * 100})
    monkeypatch.setattr(Reinforcement, "examine", examine)
    list(started(kind, 14, tmp_path / "whole", every=4))
    assert exams == [0, 8, 14]
    training = started(kind, 14, tmp_path / "cut", every=4)
    coming = iter(training)
    for _ in range(updates - 1):
        next(coming)
    training.stop()
    (last,) = coming
    assert (last.step, last.solved) == (2 * updates, training.solved)
    list(KINDS[kind][0].resumed(tmp_path / "cut", 0))
    assert exams[3:] == [0, 8, 14]
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()


@pytest.mark.some_variants(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grpo", "ppo"])
def test_a_killed_process_goes_on_as_if_nothing_had_been(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    command = [sys.executable, "-m", "tests.neural.reinforcement.quick", kind, str(tmp_path / "cut"), "20"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("10 "):
                os.kill(process.pid, signal.SIGKILL)
                break
    quick.main(kind, tmp_path / "whole", 20)
    whole = capsys.readouterr().out.splitlines()
    quick.main(kind, tmp_path / "cut", None)
    rest = capsys.readouterr().out.splitlines()
    assert 0 < len(rest) < len(whole)
    assert rest == whole[-len(rest) :]
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()


@pytest.mark.parametrize("kind", ["grpo", "ppo"])
def test_the_same_seed_gives_the_same_training_and_another_one_another(tmp_path: Path, kind: str) -> None:
    one, same, other = (
        [*map(numbers, started(kind, 8, tmp_path / str(place), seed=seed))] for place, seed in enumerate((1, 1, 2))
    )
    assert one == same != other


def scores(*shares: int) -> Scores:
    return Scores({name: (share, 100) for name, share in zip(("ordinary", "hard"), shares, strict=True)})


@pytest.mark.parametrize(
    ("start", "best", "others"),
    [
        (scores(90, 50), scores(90, 60), (scores(70, 99), scores(90, 55))),
        (scores(90, 50), scores(84, 60), (scores(86, 58), scores(78, 70))),  # equal, and losing little by little
    ],
)
def test_the_file_holds_the_best_network_by_all_sets_and_not_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Scores, best: Scores, others: tuple[Scores, ...]
) -> None:
    coming, solved = iter([start, best, *others]), iter([0.5, 0.6, 0.9, 0.4])
    monkeypatch.setattr(Reinforcement, "examine", lambda self: (next(coming), next(solved)))
    training = started("grpo", 12, tmp_path / "net")
    kept = []
    for told in training:
        if told.solved is not None:
            assert told.solved == 0.6
            kept.append((told.is_best, weights(training.network), weights(load(tmp_path / "net").network)))
    assert [is_best for is_best, *_ in kept] == [True, False, False]
    assert kept[0][1] == kept[0][2] == kept[1][2] == kept[2][2] != kept[2][1]
    assert load(tmp_path / "net").about["examined"]["best"] == best.to_json()


def test_nothing_that_was_known_is_given_up_for_more_of_something_else() -> None:
    start = scores(100, 90)
    assert scores(100, 92).is_better_than(start, start)
    assert scores(98, 93).is_better_than(start, start)  # so few can be chance
    assert not scores(94, 99).is_better_than(start, start)
    assert not scores(100, 92).is_better_than(scores(100, 95), start)


def test_as_good_as_the_best_is_not_better() -> None:
    start = scores(90, 50)
    assert not start.is_better_than(start, start)
    assert not scores(91, 50).is_better_than(scores(90, 51), start)


def test_what_was_lost_is_counted_from_the_start_and_not_from_the_best() -> None:
    assert scores(60, 95).is_better_than(scores(90, 50), scores(50, 50))
    start, best = scores(90, 50), scores(84, 60)
    assert best.is_better_than(start, start)
    assert scores(78, 70).is_better_than(best, best)
    assert not scores(78, 70).is_better_than(best, start)


@pytest.mark.parametrize(
    ("part", "wrong", "sentence"),
    [
        ("examined", {"start": None}, "does not hold"),
        ("examined", {"start": {"foo": [1, 2]}}, "does not hold"),
        ("examined", {"best": []}, "does not hold"),
        ("examined", {"solved": float("nan")}, "does not hold"),
        *[("examined", {"learned_from": each}, "does not hold") for each in ("a", [1], -5, 1.5, True, float("nan"))],
        ("at", {"step": float("inf")}, "does not hold"),
        ("at", {"step": 8}, "does not hold"),
        ("at", {"step": -2}, "does not hold"),
        ("pool", {"numbers": [[1_000_000, -5]] * len(LEMMAS)}, "does not hold"),
        ("pool", {"numbers": [[16, 3]] * len(LEMMAS)}, "does not hold"),
        ("pool", {"portions": float("inf")}, "does not hold"),
        ("settings", {"pool": None}, "does not hold"),
        ("settings", {"reward": 5}, "net: The reward is 5; give the name of one."),
        ("settings", {"seed": "a"}, "net: seed is a; give a whole number from 0 on."),
        ("settings", {"seed": -1}, "net: seed is -1; give a whole number from 0 on."),
        ("settings", {"drawn": 2.5}, "net: drawn is 2.5; give a whole number from 1 on."),
    ],
)
def test_a_file_that_tells_what_cannot_be_is_refused_in_a_sentence(
    tmp_path: Path, part: str, wrong: dict[str, Any], sentence: str
) -> None:
    training = started("grpo", 8, tmp_path / "net")
    training.stop()
    list(training)
    kept = load(tmp_path / "net")
    about = {**kept.about, part: {**kept.about[part], **wrong}}
    save(tmp_path / "net", replace(kept, about=about))
    with pytest.raises(InputError, match=re.escape(sentence)):
        Grpo.resumed(tmp_path / "net", 0)


def test_another_command_and_several_processes_are_refused(tmp_path: Path) -> None:
    training = started("grpo", 8, tmp_path / "net")
    training.stopping = True
    list(training)
    with pytest.raises(InputError, match="of another training; go on with oasis policy grpo --resume "):
        Training.resumed(tmp_path / "net")
    with pytest.raises(InputError, match="trains in one process"):
        training.join(Ranks(0, 2))


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("grpo", {"group": 1}),
        ("grpo", {"mixed": 100}),
        ("grpo", {"seed": -1}),
        ("grpo", {"credit": "none"}),
        ("grpo", {"advantage": "median"}),
        ("grpo", {"aggregation": "none"}),
        ("grpo", {"temperature": 0.0}),
        ("grpo", {"lower": 1.0}),
        ("grpo", {"divergence": -0.1}),
        ("grpo", {"epochs": 0}),
        ("grpo", {"invertible": "never"}),
        ("ppo", {"trace_decay": 1.5}),
        ("ppo", {"value": -1.0}),
    ],
)
def test_settings_that_cannot_be_are_refused(kind: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        settings(kind, 8, **wrong)


@pytest.mark.parametrize("kind", ["grpo", "ppo"])
def test_a_reward_that_pays_on_the_way_is_refused_where_only_ends_count(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match="pays for more than how a play ends"):
        started(kind, 8, tmp_path / "net", reward="standard")


def test_a_gradient_that_is_no_number_ends_it_in_a_sentence_and_keeps_the_file(tmp_path: Path) -> None:
    training = started("grpo", 40, tmp_path / "net")
    coming = iter(training)
    while next(coming).solved is None:
        pass
    kept = (tmp_path / "net").read_bytes()
    with torch.no_grad():
        next(training.network.module.parameters()).fill_(float("nan"))
    with pytest.raises(InputError, match="smaller --learning-rate"):
        list(coming)
    assert (tmp_path / "net").read_bytes() == kept
    assert Grpo.resumed(tmp_path / "net", 0).step > 0
