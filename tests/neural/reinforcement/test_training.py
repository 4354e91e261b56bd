"""Reinforcement as a whole: what it learns, what it keeps, and that it goes on as it was."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oasis.neural.reinforcement import lemmas
from oasis.neural.reinforcement.exams import Scores
from oasis.neural.training.header import header
from tactics.errors import InputError
from tests.neural.modules import checkpoint, practice, ranks, sft, torch, train
from tests.neural.reinforcement.quick import KINDS, LEMMAS, SETS, kind_of, settings, started, stopped, weights
from tests.thorough import thoroughly

pytestmark = pytest.mark.usefixtures("small")


def numbers(told: practice.Practice) -> tuple[object, ...]:
    return told.step, told.surrogate, told.entropy, told.proved, told.value, told.divergence, told.mixed


@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("grpo", {"divergence": 0.02, "reward": "dagger:seed", "credit": "play"}),
        ("ppo", {}),
        *thoroughly(
            ("grpo", {}), ("grpo", {"divergence": 0.02}), ("grpo", {"reward": "dagger:seed", "credit": "play"})
        ),
    ],
)
def test_a_training_that_was_cut_short_goes_on_with_the_same_numbers(
    tmp_path: Path, kind: str, others: dict[str, Any]
) -> None:
    whole = list(started(kind, 16, tmp_path / "whole", **others))
    for told in started(kind, 16, tmp_path / "cut", **others):
        if told.step >= 10:
            break  # an update after the last checkpoint, as a kill would
    resumed = kind_of(kind).resumed(tmp_path / "cut", 0)
    assert resumed.step == 8
    assert [*map(numbers, resumed)] == [numbers(told) for told in whole if told.step > 8]
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    with pytest.raises(InputError, match="is over"):
        kind_of(kind).resumed(tmp_path / "cut", 0)


@pytest.mark.parametrize(("lemma", "learns"), [("A -> A \\/ B", True), ("A -> A \\/ A", False)])
def test_from_how_many_lemmas_was_learned_is_counted_on_after_a_stop(tmp_path: Path, lemma: str, learns: bool) -> None:
    training = started("ppo", 8, tmp_path / "net", pool=lemmas.PoolSettings(lemmas=(lemma,)), group=16)
    coming = iter(training)
    mixed = [next(coming).mixed]
    training.stop()
    mixed.append(next(coming).mixed)
    assert header(tmp_path / "net")["examined"]["learned_from"] == sum(mixed)
    assert (sum(mixed) > 0) == learns
    resumed = kind_of("ppo").resumed(tmp_path / "net", 0)
    assert ("nothing was learned" in resumed.remark()) != learns
    mixed += [told.mixed for told in resumed]
    assert len(mixed) == 4
    assert header(tmp_path / "net")["examined"]["learned_from"] == sum(mixed)


@pytest.mark.parametrize(
    ("kind", "updates"), [("grpo", 3), ("ppo", 4), *thoroughly(("grpo", 1), ("grpo", 4), ("ppo", 1), ("ppo", 3))]
)
def test_where_a_training_is_stopped_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, updates: int
) -> None:
    exams: list[int] = []

    def examine(self: train.Reinforcement) -> tuple[Scores, float]:  # each network is better than all before
        exams.append(self.step)
        return Scores({"hard": (self.step, 100)}), self.step / 100

    monkeypatch.setattr(train, "examined", lambda: {"hard": SETS["hard"] * 100})
    monkeypatch.setattr(train.Reinforcement, "examine", examine)
    list(started(kind, 14, tmp_path / "whole", every=4))
    assert exams == [0, 8, 14]
    training = started(kind, 14, tmp_path / "cut", every=4)
    coming = iter(training)
    for _ in range(updates - 1):
        next(coming)
    training.stop()
    (last,) = coming
    assert (last.step, last.solved) == (2 * updates, training.solved)
    list(kind_of(kind).resumed(tmp_path / "cut", 0))
    assert exams[3:] == [0, 8, 14]
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_training_and_another_one_another(tmp_path: Path, kind: str) -> None:
    one, same, other = (
        [*map(numbers, started(kind, 4, tmp_path / str(place), seed=seed))] for place, seed in enumerate((1, 1, 2))
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
    monkeypatch.setattr(train.Reinforcement, "examine", lambda self: (next(coming), next(solved)))
    training = started("grpo", 12, tmp_path / "net")
    kept = []
    for told in training:
        if told.solved is not None:
            assert told.solved == 0.6
            held = checkpoint.load(tmp_path / "net").network
            kept.append((told.is_best, weights(training.network), weights(held)))
    assert [is_best for is_best, *_ in kept] == [True, False, False]
    assert kept[0][1] == kept[0][2] == kept[1][2] == kept[2][2] != kept[2][1]
    assert header(tmp_path / "net")["examined"]["best"] == best.to_json()


@pytest.mark.parametrize(
    ("one", "best", "start", "is_better"),
    [
        ((100, 92), (100, 90), (100, 90), True),
        ((98, 93), (100, 90), (100, 90), True),  # so few can be chance
        ((94, 99), (100, 90), (100, 90), False),  # nothing that was known is given up
        ((100, 92), (100, 95), (100, 90), False),
        ((90, 50), (90, 50), (90, 50), False),  # as good is not better
        ((91, 50), (90, 51), (90, 50), False),
        ((60, 95), (90, 50), (50, 50), True),  # what was lost is counted from the start
        ((84, 60), (90, 50), (90, 50), True),
        ((78, 70), (84, 60), (84, 60), True),
        ((78, 70), (84, 60), (90, 50), False),  # and not from the best
    ],
)
def test_a_network_is_better_if_it_proves_more_and_has_lost_little_since_the_start(
    one: tuple[int, int], best: tuple[int, int], start: tuple[int, int], is_better: bool
) -> None:
    assert scores(*one).is_better_than(scores(*best), scores(*start)) == is_better


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("examined", {"start": None}),
    ("examined", {"start": {"foo": [1, 2]}}),
    ("examined", {"best": []}),
    ("examined", {"solved": float("nan")}),
    *[("examined", {"learned_from": each}) for each in ("a", [1], -5, 1.5, True, float("nan"))],
    ("at", {"step": float("inf")}),
    ("at", {"step": 8}),
    ("at", {"step": -2}),
    ("pool", {"numbers": [[1_000_000, -5]] * len(LEMMAS)}),
    ("pool", {"numbers": [[16, 3]] * len(LEMMAS)}),
    ("pool", {"portions": float("inf")}),
    ("settings", {"pool": None}),
]
TOLD = {
    "reward": (5, "net: The reward is 5; give the name of one."),
    "seed": (-1, "net: seed is -1; give a whole number from 0 on."),
    "drawn": (2.5, "net: drawn is 2.5; give a whole number from 1 on."),
}


def test_a_file_that_tells_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path) -> None:
    stopped("grpo", 8, tmp_path / "net")
    kept = checkpoint.load(tmp_path / "net")
    for part, wrong, sentence in (
        *((part, wrong, "does not hold") for part, wrong in WRONG),
        *(("settings", {name: value}, sentence) for name, (value, sentence) in TOLD.items()),
    ):
        about = {**kept.about, part: {**kept.about[part], **wrong}}
        checkpoint.save(tmp_path / "net", replace(kept, about=about))
        with pytest.raises(InputError, match=re.escape(sentence)):
            kind_of("grpo").resumed(tmp_path / "net", 0)


def test_another_command_and_several_processes_are_refused(tmp_path: Path) -> None:
    training = stopped("grpo", 8, tmp_path / "net")
    with pytest.raises(InputError, match="of another training; go on with oasis policy grpo --resume "):
        sft.Training.resumed(tmp_path / "net")
    with pytest.raises(InputError, match="trains in one process"):
        training.join(ranks.Ranks(0, 2))


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
    with pytest.raises(InputError, match=f"{next(iter(wrong))} is "):
        settings(kind, 8, **wrong)


@pytest.mark.parametrize("kind", KINDS)
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
    assert kind_of("grpo").resumed(tmp_path / "net", 0).step > 0
