"""Reinforcement as a whole: its updates, what it learns and keeps, and that it goes on as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import propl
from oasis.neural.reinforcement import lemmas
from oasis.neural.reinforcement.exams import Scores
from oasis.neural.reinforcement.settings import ExpertSettings, PoolSettings
from oasis.neural.training.header import header
from tactics.errors import InputError
from tactics.parser import parse
from tests.neural.modules import checkpoint, goals, learning, networks, policy, ranks, rollouts, sft, torch, train
from tests.neural.small import (
    LEMMAS,
    SETS,
    check_goes_on_as_it_was,
    kind_of,
    numbers,
    practice_settings,
    small,
    started,
    stopped,
    weights,
)
from tests.thorough import thoroughly

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("five_theorems")]


@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("grpo", {"divergence": 0.02, "reward": "dagger:seed", "credit": "play"}),
        ("ppo", {"network": "lm"}),
        ("grpo", {"network": "decoder", "writing": "free", "sampler": "rmaxts", "exam": 1}),
        ("ppo", {"divergence": 0.02, "reward": "dagger:seed", "sampler": "rmaxts"}),
        *thoroughly(("grpo", {}), ("grpo", {"divergence": 0.02}), ("grpo", {"reward": "dagger:seed"})),
    ],
)
def test_a_training_that_was_cut_short_goes_on_with_the_same_numbers(
    tmp_path: Path, kind: str, others: dict[str, Any]
) -> None:
    check_goes_on_as_it_was(lambda name: started(kind, 16, tmp_path / name, **others), stop=10, kept=8)


@pytest.mark.parametrize("network", ["relational", *thoroughly("decoder", "lm", "lm-writer")])
def test_expert_iteration_learns_and_goes_on_from_wherever_it_ended(tmp_path: Path, network: str) -> None:
    from oasis.neural.reinforcement.expert import Expert

    how: dict[str, Any] = {"drawn": 7, "group": 8, "samples": 8, "learning_rate": 1e-2, "warm_up": 2, "practice": 4}
    settings = ExpertSettings(rounds=2, steps=60, pool=PoolSettings(lemmas=LEMMAS), **how)
    whole, cut = (Expert(settings, tmp_path / name, 0, small(network, seed=3)) for name in ("whole", "cut"))
    list(whole)
    assert len(whole.table) == 8 and whole.table[-2]["pass"][1] > whole.table[0]["pass"][1] + 0.25
    next(told for told in cut.steps() if told.step == 5)  # and no more, as if it was killed
    while not cut.is_over:
        cut = Expert.resumed(cut.file, 0)
        for number, _ in enumerate(cut.steps()):
            cut.stopping = number > 6
    assert cut.table == whole.table and cut.file.read_bytes() == whole.file.read_bytes()
    with pytest.raises(InputError, match="No play proved anything"):
        list(Expert(replace(settings, writing="free"), tmp_path / "net", 0, small("decoder", seed=3)))


@pytest.mark.parametrize(("kind", "other", "learns"), [("ppo", "B", True), ("ppo", "A", False), ("grpo", "A", False)])
def test_a_group_in_which_all_plays_end_alike_teaches_nothing_and_others_are_counted_on_after_a_stop(
    tmp_path: Path, kind: str, other: str, learns: bool
) -> None:
    training = started(kind, 8, tmp_path / "net", pool=PoolSettings(lemmas=(f"A -> A \\/ {other}",)), group=16)
    before, coming = weights(training.network), iter(training)
    told = [next(coming)]
    training.stop()
    told.append(next(coming))
    assert header(tmp_path / "net")["examined"]["learned_from"] == sum(each.mixed for each in told)
    assert any(each.mixed for each in told) == learns
    resumed = kind_of(kind).resumed(tmp_path / "net", 0)
    assert ("nothing was learned" in resumed.remark()) != learns
    told += list(resumed)
    assert len(told) == 4 and all(each.mixed + each.dropped == 1 for each in told)
    assert header(tmp_path / "net")["examined"]["learned_from"] == sum(each.mixed for each in told)
    assert (weights(resumed.network) == before) != learns
    assert learns or resumed.kept.startswith("no update was better than what it began with, which the file holds: ord")


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


def test_the_same_seed_gives_the_same_training_and_another_one_another(tmp_path: Path) -> None:
    one, same, other = (numbers(started("ppo", 4, tmp_path / "net", seed=seed)) for seed in (1, 1, 2))
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


NAN, INFINITE = float("nan"), float("inf")
WRONG: list[tuple[str, str, Any, str]] = [
    *(("examined", "start", each, "does not hold") for each in (None, {"foo": [1, 2]})),
    *(("examined", name, value, "does not hold") for name, value in (("best", []), ("solved", NAN))),
    *(("examined", "learned_from", each, "does not hold") for each in ("a", [1], -5, 1.5, True, NAN)),
    *(("at", "step", each, "does not hold") for each in (INFINITE, 8, -2)),
    ("pool", "portions", INFINITE, "does not hold"),
    ("settings", "sampler", "mcts", "net: --sampler is one of"),
    ("settings", "pool", None, "net: None stands where settings are to stand; give them by name."),
    ("settings", "reward", 5, "net: --reward is 5; give its name, as text;"),
]


def test_a_file_that_tells_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path) -> None:
    stopped("grpo", 8, tmp_path / "net")
    kept = checkpoint.load(tmp_path / "net")
    for part, name, wrong, sentence in WRONG:
        about = {**kept.about, part: {**kept.about[part], name: wrong}}
        checkpoint.save(tmp_path / "net", replace(kept, about=about))
        with pytest.raises(InputError, match=re.escape(sentence)):
            kind_of("grpo").resumed(tmp_path / "net", 0)


def test_another_command_and_several_processes_are_refused(tmp_path: Path) -> None:
    training = stopped("grpo", 8, tmp_path / "net")
    with pytest.raises(InputError, match="of another training; go on with oasis policy grpo --resume "):
        sft.Training.resumed(tmp_path / "net")
    with pytest.raises(InputError, match="trains in one process"):
        training.join(ranks.Ranks(0, 2))


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    free: dict[str, Any] = {"network": "decoder", "writing": "free"}
    for how, said in (
        ({"reward": "standard", "credit": "goal"}, "pays for more than how a play ends"),
        (free | {"reward": "standard"}, "what is no move has no price of its own"),
        ({"writing": "free"}, "is for networks that write moves"),
        (free | {"temperature": 2.0}, "leave out --temperature"),
    ):
        with pytest.raises(InputError, match=said):
            started("grpo", 8, tmp_path / "net", **how)


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


def drawn_share(network: networks.Network) -> float:
    known = goals.Goals(network)
    plays = rollouts.played(known, [*map(parse, LEMMAS)], 50, most=50, rng=np.random.default_rng(7))
    return float(plays.proved.mean())


@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("grpo", {"credit": "to-go", "reward": "dagger:all"}),
        ("grpo", {"credit": "play", "advantage": "std", "aggregation": "sequence", "divergence": 0.02}),
        ("ppo", {"trace_decay": 1.0, "divergence": 0.02}),
        ("ppo", {"reward": "dagger:all"}),
        *thoroughly(
            ("grpo", {"sampler": "rmaxts"}),
            ("ppo", {"reward": "standard-qed", "sampler": "rmaxts"}),
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
    assert not training.kept and not training.remark()
    told = list(training)
    assert drawn_share(training.network) > max(0.9, before + 0.1)
    assert told[-1].step == 60 and header(tmp_path / "net")["training"] == kind
    best = max((each for each in told if each.is_best), key=lambda each: each.step)
    assert f"the file holds the best network: ordinary {best.ordinary:.1%}" in training.kept
    assert not training.remark()
    assert any(each.mixed for each in told) and all(each.mixed + each.dropped == each.lemmas for each in told)


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

    def losses(network: networks.Network, reference: Any, choices: learning.Choices, *others: Any) -> Iterator[Any]:
        learned.append(choices)
        return learning.losses(network, reference, choices, *others)

    monkeypatch.setattr(train, "losses", losses)
    training = started(kind, 2, tmp_path / "net", temperature=1.5, epochs=1, drawn=7, group=8, **others)
    training.pool.fill()
    found, kept, tally = training.update()

    number, met = found.plays.goal, found.plays.goals.all
    sizes = np.array([nodes(met[each]) for each in number.tolist()])
    fits = sizes <= largest
    assert ({4, 6} <= {*sizes.tolist()} and not fits.all()) if largest == 4 else fits.all()
    assert not any(np.ptp(met[each].logs) for each in number[~fits].tolist())
    weighed, (choices,) = training.weighed(found), learned
    wanted = np.sort(number[fits & weighed.learned])
    assert sorted(choices.goals[place].number for place in choices.goal) == wanted.tolist()
    assert kept == found.mixed(fits & weighed.told_apart)
    assert tally.sums[1] == pytest.approx((choices.share * choices.advantage).sum(), abs=1e-6)


@pytest.mark.parametrize(
    ("falling", "rates"), [(False, [0.005, 0.01, 0.01, 0.01, 0.01]), (True, [0.005, 0.008, 0.006, 0.004, 0.002])]
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
    few = started("grpo", 2, tmp_path / "net", exam=1).examine()
    assert few == (Scores({name: (int(solved) * (name == "hard"), 1) for name in SETS}), solved)


def test_a_training_keeps_the_weights_by_which_it_was_paid(tmp_path: Path) -> None:
    training = started("grpo", 6, tmp_path / "net", reward="dagger", credit="play")
    assert asdict(training.settings)["reward"] == "dagger:steady"
    meanings = {"dagger": "dagger:all", "dagger::P=0.3": "dagger:all:P=0.3", "dagger:seed": "dagger:seed"}
    for kept, meant in meanings.items():
        content = {**asdict(practice_settings("grpo", 6)), "reward": kept}
        assert asdict(kind_of("grpo").SETTINGS.from_json(content))["reward"] == meant


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
