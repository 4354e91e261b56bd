"""The options of reinforcement do what they are called: each reaches what it is about, by hand on a few plays."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.neural.modules import rollouts, train
from tests.neural.reinforcement.quick import started


def plays(lemma: list[int], goal: list[list[int]], closed: list[list[bool]]) -> rollouts.Plays:
    """Plays with a lemma each, and with the goals of their choices and whether these closed them."""
    lengths = [len(each) for each in goal]
    number = np.repeat(np.arange(len(goal)), lengths)
    nothing = np.zeros(len(number))
    at: Any = SimpleNamespace(all=[SimpleNamespace(logs=np.log([0.5, 0.5]))] * 8)
    return rollouts.Plays(
        lemmas=[],
        goals=at,
        lemma=np.array(lemma),
        moves=np.array(lengths),
        proved=np.array([all(each) for each in closed]),
        is_cut=np.zeros(len(goal), np.bool_),
        play=number,
        goal=np.concatenate(goal),
        place=nothing.astype(np.int64),
        before=nothing.astype(np.int64),
        closed=np.concatenate(closed),
        value=nothing,
    )


PAID = np.array([1.0, 2.0, 0.0, 0.0, -1.0, 1.0, 4.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("credit", "advantage", "by_hand"),
    [
        ("goal", "mean", [0.5, 0, -1.5, 0, 0, 0.5, 1, -1, 0.5]),
        ("goal", "std", [0.5, 0, -1.5, 0, 0, 0.5, 1 / sqrt(2), -1 / sqrt(2), 0.5]),
        ("play", "leave-one-out", [3, 3, -3, -3, -3, 0, 2, -2, -2]),
        ("play", "std", [1, 1, -1, -1, -1, 0, 1 / sqrt(2), -1 / sqrt(2), -1 / sqrt(2)]),
        ("to-go", "mean", [2, 1.5, -2, -1.5, 0, 0, 1, -1, 0]),
        ("to-go", "leave-one-out", [3, 3, -3, -3, 0, 0, 2, -2, 0]),
    ],
)
def test_a_choice_answers_for_what_its_credit_says_and_is_held_against_others_as_its_advantage_says(
    tmp_path: Path, credit: str, advantage: str, by_hand: list[float]
) -> None:
    """Of two lemmas three plays and two; goals 7 and 4 are proved by some choices there, 2 by both, 5 by none."""
    five = plays(
        lemma=[0, 0, 0, 1, 1],
        goal=[[7, 2], [7, 2, 5], [7], [4], [4, 7]],
        closed=[[True, True], [False, True, False], [True], [True], [False, True]],
    )
    training = started("grpo", 2, tmp_path / "net", credit=credit, advantage=advantage)
    weighed = training.weighed(train.Played([0, 1], five, PAID, np.array([2, 1]), 0))
    np.testing.assert_allclose(weighed.advantages, by_hand, atol=1e-12)
    assert weighed.told_apart.tolist() == weighed.learned.tolist() == [each != 0 for each in by_hand]


@pytest.mark.parametrize(
    ("others", "learned"),
    [
        ({}, [True, False, True, False, False, False]),
        ({"entropy": 0.01}, [True, True, True, False, False, False]),
        ({"divergence": 0.02}, [True, True, True, False, False, False]),
    ],
)
def test_other_choices_of_a_lemma_are_learned_from_only_where_the_entropy_or_the_divergence_counts(
    tmp_path: Path, others: dict[str, float], learned: list[bool]
) -> None:
    """Two lemmas: of the first one two choices at a goal ended differently, of the second one none."""
    both = plays([0, 0, 1, 1], [[7, 2], [7], [4], [4, 5]], [[True, True], [False], [True], [True, True]])
    training = started("grpo", 2, tmp_path / "net", **others)
    found = train.Played([0, 1], both, np.zeros(6), np.array([1, 2]), 0)
    weighed = training.weighed(found)
    assert weighed.told_apart.tolist() == [True, False, True, False, False, False]
    assert weighed.learned.tolist() == learned
    choices = training.choices(found, weighed)
    assert choices is not None
    assert len(choices.goal) == sum(learned)


def test_ppo_learns_from_all_choices_and_tells_lemmas_apart_that_were_both_proved_and_lost(tmp_path: Path) -> None:
    """Three lemmas with two plays each: both proved, one proved and one lost, both lost."""
    six = plays([0, 0, 1, 1, 2, 2], [[number] for number in range(6)], [[True]] * 3 + [[False]] * 3)
    training = started("ppo", 2, tmp_path / "net", group=2)
    found = train.Played([0, 1, 2], six, np.zeros(6), np.array([2, 1, 0]), 0)
    weighed = training.weighed(found)
    assert weighed.told_apart.tolist() == [False, False, True, True, False, False]
    choices = training.choices(found, weighed)
    assert choices is not None
    assert choices.advantage.tolist() == pytest.approx([1, 1, 1, -1, -1, -1])


@pytest.mark.parametrize(
    ("aggregation", "short", "long"), [("sequence", 1 / 4, 1 / 16), ("token", 0.1, 0.1), ("constant", 1 / 8, 1 / 8)]
)
def test_choices_of_plays_of_two_and_of_eight_weigh_as_the_aggregation_says(
    tmp_path: Path, aggregation: str, short: float, long: float
) -> None:
    """With `constant`, each choice counts 1/(4 · 2): four choices are usual, and there are two plays."""
    both, everywhere = plays([0, 0], [[0] * 2, [0] * 8], [[True] * 2, [False] * 8]), np.ones(10, np.bool_)
    training = started("grpo", 2, tmp_path / "net", aggregation=aggregation, usual=4.0)
    played = train.Played([0], both, np.zeros(10), np.array([1]), 0)
    found = training.choices(played, train.Weighed(np.arange(10.0), everywhere, everywhere))
    assert found is not None
    weights = dict(zip(found.advantage.tolist(), found.share.tolist(), strict=True))
    assert [weights[choice] for choice in range(10)] == pytest.approx([short] * 2 + [long] * 8)


@pytest.mark.parametrize(("kind", "others", "value"), [("grpo", {}, 0.0), ("ppo", {"value": 0.7}, 0.7)])
def test_what_counts_beside_the_surrogate_is_what_the_settings_say(
    tmp_path: Path, kind: str, others: dict[str, float], value: float
) -> None:
    """Unless told otherwise both clip a fifth below and a little more above."""
    usual = started(kind, 2, tmp_path / "net").weights
    assert (usual.lower, usual.upper, usual.entropy, usual.divergence, usual.temperature) == (0.2, 0.28, 0, 0, 1)
    told = {"lower": 0.1, "upper": 0.4, "entropy": 0.01, "divergence": 0.02, "temperature": 1.5}
    assert started(kind, 2, tmp_path / "net", **told, **others).weights == replace(usual, **told, value=value)
