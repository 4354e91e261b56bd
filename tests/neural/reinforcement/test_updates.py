"""An update of a reinforcement: what is played, what of it is learned from, and by which policy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import propl
from oasis.neural.reinforcement import lemmas
from oasis.neural.reinforcement.exams import Scores
from oasis.neural.reinforcement.lemmas import PoolSettings
from oasis.neural.training.header import header
from tactics.parser import parse
from tests.neural.modules import goals, learning, networks, objective, policy, rollouts, torch, train
from tests.neural.reinforcement.quick import KINDS, LEMMAS, SETS, started, weights
from tests.thorough import thoroughly

pytestmark = pytest.mark.usefixtures("small")


def drawn_share(network: networks.Network) -> float:
    known = goals.Goals(network)
    plays = rollouts.played(known, [*map(parse, LEMMAS)], 50, most=50, rng=np.random.default_rng(7))
    return float(plays.proved.mean())


@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("grpo", {"credit": "to-go", "reward": "dagger:sound"}),
        ("grpo", {"credit": "play", "advantage": "std", "aggregation": "sequence", "divergence": 0.02}),
        ("ppo", {"trace_decay": 1.0, "divergence": 0.02}),
        *thoroughly(
            ("grpo", {"credit": "play"}),
            ("grpo", {"credit": "play", "advantage": "leave-one-out", "aggregation": "token", "entropy": 0.001}),
            ("grpo", {"invertible": "free", "credit": "play"}),
            ("ppo", {}),
        ),
    ],
)
def test_a_network_that_knows_nothing_learns_by_reward_alone(tmp_path: Path, kind: str, others: dict[str, Any]) -> None:
    training = started(kind, 60, tmp_path / "net", **others)
    before = drawn_share(training.network)
    told = list(training)
    assert drawn_share(training.network) > max(0.9, before + 0.1)
    assert told[-1].step == 60 and header(tmp_path / "net")["training"] == kind
    assert any(each.mixed for each in told) and all(each.mixed + each.dropped == each.lemmas for each in told)


def test_it_is_told_what_the_best_network_proves_which_the_file_holds_and_not_the_last_one(tmp_path: Path) -> None:
    training = started("grpo", 60, tmp_path / "net")
    before = drawn_share(training.network)
    assert not training.kept
    assert not training.remark()
    told = list(training)
    assert drawn_share(training.network) > max(0.9, before + 0.1)
    best = max((each for each in told if each.is_best), key=lambda each: each.step)
    assert f"the file holds the best network: ordinary {best.ordinary:.1%}" in training.kept
    assert not training.remark()


def test_a_group_in_which_all_plays_end_alike_teaches_nothing(tmp_path: Path) -> None:
    training = started("grpo", 4, tmp_path / "net", pool=PoolSettings(lemmas=("A -> A \\/ A",)))
    before = weights(training.network)
    told = list(training)
    assert [(each.mixed, each.dropped) for each in told] == [(0, 1), (0, 1)]
    assert weights(training.network) == before
    assert "nothing was learned" in training.remark()
    assert training.kept.startswith("no update was better than what it began with, which the file holds: ordinary ")


def test_more_lemmas_are_drawn_until_enough_are_mixed(tmp_path: Path) -> None:
    few = started("grpo", 40, tmp_path / "few", drawn=1, mixed=2, rounds=7)
    few.pool.fill()
    drawn = []
    for _ in range(8):
        found, mixed, _ = few.update()
        assert mixed == 2 or len(found.lemmas) == 7
        assert len({*found.lemmas}) == len(found.lemmas)
        drawn.append(len(found.lemmas))
    assert min(drawn) < 7


def nodes(goal: goals.Met) -> int:
    assert goal.encoding is not None
    return len(goal.encoding.tokens)


@pytest.mark.parametrize(
    ("kind", "others", "largest"),
    [
        *(("grpo", {}, 4), ("grpo", {"entropy": 0.01}, 4), ("ppo", {}, 4), ("ppo", {}, 4096)),
        *thoroughly(("grpo", {}, 4096), ("grpo", {"entropy": 0.01}, 4096)),
    ],
)
def test_what_is_learned_from_was_looked_at_and_chosen_by_the_policy_that_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, others: dict[str, Any], largest: int
) -> None:
    """Choices at goals of more than `LARGEST` nodes are by lot and left out; before the first step every ratio is 1."""
    for looking in (goals, policy):
        monkeypatch.setattr(looking, "LARGEST", largest)
    learned: list[learning.Choices] = []
    apart: list[torch.Tensor] = []

    def losses(
        network: networks.Network, reference: networks.Network | None, choices: learning.Choices, *others: Any
    ) -> Iterator[torch.Tensor]:
        learned.append(choices)
        return learning.losses(network, reference, choices, *others)

    def surrogate(present: torch.Tensor, old: torch.Tensor, *others: Any) -> torch.Tensor:
        apart.append((present - old).detach())
        return objective.surrogate(present, old, *others)

    monkeypatch.setattr(train, "losses", losses)
    monkeypatch.setattr(learning, "surrogate", surrogate)
    training = started(kind, 2, tmp_path / "net", temperature=1.5, epochs=1, drawn=7, group=8, **others)
    training.pool.fill()
    found, kept, _ = training.update()

    number, met = found.plays.goal, found.plays.goals.all
    sizes = np.array([nodes(met[each]) for each in number.tolist()])
    fits = sizes <= largest
    assert ({4, 6} <= {*sizes.tolist()} and not fits.all()) if largest == 4 else fits.all()
    assert not any(np.ptp(met[each].logs) for each in number[~fits].tolist())
    weighed, (choices,) = training.weighed(found), learned
    wanted = np.sort(number[fits & weighed.learned])
    assert sorted(choices.goals[place].number for place in choices.goal) == wanted.tolist()
    assert kept == found.mixed(fits & weighed.told_apart)
    torch.testing.assert_close(torch.cat(apart), torch.zeros(len(wanted)), atol=2e-6, rtol=0)


@pytest.mark.parametrize("kind", KINDS)
def test_of_goals_that_are_all_too_large_for_a_look_nothing_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    for looking in (goals, policy):
        monkeypatch.setattr(looking, "LARGEST", 2)
    training = started(kind, 4, tmp_path / "net")
    before = weights(training.network)
    assert [(told.step, told.mixed, 0 < told.proved < 1) for told in training] == [(2, 0, True), (4, 0, True)]
    assert weights(training.network) == before
    assert "nothing was learned" in training.remark()


@pytest.mark.parametrize(
    ("falling", "rates"),
    [(False, [0.005, 0.01, 0.01, 0.01, 0.01]), (True, [0.005, 0.008, 0.006, 0.004, 0.002])],
)
def test_the_learning_rate_rises_in_the_first_steps_and_falls_to_nothing_only_if_it_is_to(
    tmp_path: Path, falling: bool, rates: list[float]
) -> None:
    training = started("grpo", 5, tmp_path / "net", falling=falling, epochs=1)
    found = []
    while not training.is_over:
        found.append(training.learning_rate)
        training.descend([])
    assert found == pytest.approx(rates)


@pytest.mark.parametrize(("hard", "solved"), [(("A -> A", "A -> B"), 1.0), (("A -> B", "A -> A"), 0.0)])
def test_what_is_solved_is_a_share_of_the_fixed_hundred_and_of_no_other_hard_theorem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hard: tuple[str, str], solved: float
) -> None:
    theorems = (*map(parse, hard),)
    sets = {name: (parse("A -> B"), parse("B -> A"), parse("A -> A")) for name in SETS} | {"hard": theorems}
    monkeypatch.setattr(train, "examined", lambda: sets)
    monkeypatch.setattr(train, "hundred", lambda: theorems[:1])
    found = started("grpo", 2, tmp_path / "net").examine()
    assert found == (Scores({name: (1, len(sets[name])) for name in SETS}), solved)


def test_each_update_pays_by_what_was_counted_before_it(tmp_path: Path) -> None:
    training = started("grpo", 6, tmp_path / "net", reward="dagger:seed", credit="play")
    training.pool.fill()
    counted = [training.payer.state()]
    while not training.is_over:
        training.update()
        counted.append(training.payer.state())
    assert len(counted) == 4 and all(before != after for before, after in pairwise(counted))


def test_each_update_puts_new_theorems_in_the_place_of_those_that_tell_the_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coming = [*map(parse, ("p1 -> p1 \\/ p2", "p1 -> p1 \\/ p1", "p1 -> p2 \\/ p1", "p1 -> p3 \\/ p1"))]
    numbers = [propl.number(each, 2) for each in coming]
    portions = [numbers[:2], numbers[2:3], numbers[3:]]
    monkeypatch.setattr(lemmas, "portion", lambda settings, number: portions[number])
    pool = PoolSettings(size=2, connectives=(2,))
    training = started("grpo", 4, tmp_path / "net", pool=pool, drawn=2, group=16, seed=1)
    training.pool.fill()
    for new in coming[2:]:
        training.update()
        assert len(training.pool.lemmas) == 2 and coming[1] not in training.pool.lemmas
        counted = dict(zip(training.pool.lemmas, training.pool.proved + training.pool.lost, strict=True))
        assert min(counted.values()) == counted[new] == 0 < max(counted.values())


def test_a_play_that_is_cut_is_lost_for_the_critic_and_in_what_it_is_paid(tmp_path: Path) -> None:
    pool = PoolSettings(lemmas=("A -> A \\/ (B \\/ (B \\/ (B \\/ A)))",))
    training = started("ppo", 2, tmp_path / "net", pool=pool, most_moves=3, trace_decay=1.0, group=16)
    training.pool.fill()
    found, weighed = training.play()
    assert found.plays.is_cut.any() and found.plays.proved.any()
    ends = np.where(found.plays.proved, 1.0, -1.0)[found.plays.play]
    above = ends - (2 * found.plays.value - 1)
    assert np.allclose(weighed.advantages, (above - above.mean()) / above.std())
