"""A network learns from proofs what they choose, and proves with that what nobody showed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from math import hypot, inf
from typing import Any

import numpy as np
import pytest

from oasis.play.committed import committed
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import apply
from tactics.script import Script, parse_script
from tests.neural.modules import cloning, descent, loss, networks, policy, torch
from tests.neural.small import small

pytestmark = pytest.mark.slow
OR_COMM = parse("A \\/ B -> B \\/ A")
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


def shown(network: networks.Network, proofs: Mapping[Formula, Script]) -> cloning.Demonstrations:
    """Return proofs, read by a network."""
    read = cloning.Demonstrations(network.form)
    read.read(proofs)
    return read


def steps(number: int) -> Callable[[], float]:
    """Return a clock by which so many steps take a second."""
    return (tick / number for tick in count()).__next__


class Reading:
    """A clock by which reading a move of a proof takes an eighth of a second, and nothing else any time."""

    moves = 0

    def __call__(self) -> float:
        return self.moves / 8

    def apply(self, state: State, move: Move) -> State:
        self.moves += 1
        return apply(state, move)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Reading:
    clock = Reading()
    monkeypatch.setattr(cloning, "apply", clock.apply)
    return clock


def test_what_is_learned_is_what_proofs_do_where_there_is_a_choice() -> None:
    first, second = shown(small(), {OR_COMM: PROOF}).choices
    assert [[move.rule for move in each.options] for each in (first, second)] == [["left", "right"]] * 2
    assert [first.chosen.tolist(), second.chosen.tolist()] == [[False, True], [True, False]]
    assert not shown(small(), {parse("A -> A"): parse_script("intro; assumption")}).choices


@pytest.mark.parametrize(
    ("other", "script"),
    [
        ("A -> A \\/ A", "intro; right; assumption"),
        ("A -> A -> A \\/ A", "intro; intro; right; assumption"),  # which comes to the same goal
    ],
)
def test_what_two_proofs_do_at_one_goal_is_right_both_times(other: str, script: str) -> None:
    read = shown(small(), {parse("A -> A \\/ A"): parse_script("intro; left; assumption")})
    assert [each.chosen.tolist() for each in read.choices] == [[True, False]]
    read.read({parse(other): parse_script(script)})
    assert [each.chosen.tolist() for each in read.choices] == [[True, True]]


def test_proofs_are_read_once_the_short_ones_first_and_with_pauses(reading: Reading) -> None:
    proofs = {OR_COMM: PROOF, parse("A -> A \\/ B"): parse_script("intro; left; assumption")}
    read, found = cloning.Demonstrations(small().form), []
    for so_far in range(9):
        read.read(proofs, partial(lambda most: reading.moves > most, so_far))
        found.append(len(read.choices))
    assert found == [0, 1, 1, 1, 1, 2, 2, 3, 3]
    read.read(proofs)
    assert reading.moves == 9, "nothing is read again"


def test_goals_that_are_too_large_for_a_look_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for largest, choices in ((3, 2), (2, 0)):
        monkeypatch.setattr(cloning, "LARGEST", largest)
        assert len(shown(small(), {OR_COMM: PROOF}).choices) == choices


def test_a_policy_proves_what_it_was_shown_under_other_names_as_well() -> None:
    asked, lemmas = policy.NetworkPolicy(small()), [OR_COMM, parse("P \\/ Q -> Q \\/ P")]
    asked.probabilities([initial(OR_COMM)])  # and keeps the answer, which is another one afterwards
    assert [play.proved for play in committed(asked, lemmas)] == [False, False]
    asked.learn({OR_COMM: PROOF}, seed=0, seconds=1, clock=steps(40))
    assert [play.proved for play in committed(asked, lemmas)] == [True, True]


class Learning:
    """Learns from one proof, and notes what is chosen at the goals of each step, its rate, and its gradient's length.

    Attributes:
        factors: of the losses of the first steps.
        asleep: whether steps change nothing.
    """

    def __init__(self) -> None:
        self.chosen: list[list[list[bool]]] = []
        self.rates: list[float] = []
        self.lengths: list[float] = []
        self.factors: Iterator[float] = iter(())
        self.asleep = False

    def labelled_loss(
        self, network: networks.Network, goals: list[Any], chosen: list[np.ndarray], *provable: Any
    ) -> loss.Loss:
        self.chosen.append([each.tolist() for each in chosen])
        found = loss.labelled_loss(network, goals, chosen, *provable)
        return found._replace(policy=found.policy * next(self.factors, 1.0))

    def descending(self, network: networks.Network, weight_decay: float) -> descent.Descent:
        made = descent.Descent(network, weight_decay)
        step = made.step

        def noted(rate: float) -> bool:
            is_made = step(0.0 if self.asleep else rate)
            self.rates.append(rate)
            self.lengths.append(hypot(*(float(each.grad.norm()) for each in made.parameters if each.grad is not None)))
            return is_made

        made.step = noted  # type: ignore[method-assign]
        return made

    def learned(self, network: networks.Network | None = None, most: float = inf, **how: Any) -> networks.Network:
        """Return a network that learned for so many steps at most."""
        network = network or small()
        usual = {"seed": 0, "seconds": 1e9, "clock": lambda: 0.0, "stop": lambda: len(self.chosen) >= most}
        cloning.clone(network, shown(network, {OR_COMM: PROOF}), **{**usual, **how})
        return network


@pytest.fixture
def learning(monkeypatch: pytest.MonkeyPatch) -> Learning:
    learning = Learning()
    monkeypatch.setattr(cloning, "labelled_loss", learning.labelled_loss)
    monkeypatch.setattr(cloning, "Descent", learning.descending)
    return learning


def test_it_ends_with_the_time_and_when_it_is_told_to(learning: Learning) -> None:
    learning.learned(seconds=1, clock=steps(10))
    assert 5 <= len(learning.chosen) <= 10
    learning.chosen.clear()
    learning.learned(most=3)
    assert [len(chosen) for chosen in learning.chosen] == [2, 2, 2]


def test_a_network_that_knows_its_proofs_stops_learning(learning: Learning) -> None:
    network = learning.learned()
    before = len(learning.chosen)
    learning.learned(network)
    assert len(learning.chosen) == before + 1


def test_a_gradient_that_is_no_number_leaves_the_network_as_it_was(learning: Learning) -> None:
    learning.factors = iter([1.0, 1.0, float("nan")])
    network = learning.learned()
    assert len(learning.chosen) == 3
    assert all(map(torch.equal, network.module.parameters(), small().module.parameters()))


def test_the_rate_rises_in_the_first_steps_and_falls_with_the_time(learning: Learning) -> None:
    learning.asleep, highest = True, cloning.RATE
    learning.learned(most=22)
    assert learning.rates == pytest.approx([highest * min(step / 20, 1) for step in range(1, 23)])
    learning.rates.clear()
    learning.learned(seconds=1, clock=steps(4))
    assert learning.rates == pytest.approx([highest / 20 * 3 / 4, highest / 10 * 2 / 4, highest * 3 / 20 * 1 / 4])


def test_a_large_gradient_is_cut_to_one(learning: Learning) -> None:
    learning.asleep, learning.factors = True, iter([1e4, 1e-4])
    learning.learned(most=2)
    large, little = learning.lengths
    assert large == pytest.approx(1, abs=1e-3)
    assert 0 < little < 1e-2


def test_the_seed_says_in_which_order_batches_are_learned_from(
    learning: Learning, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloning, "_NODES", 1)
    learning.asleep = True

    def order(seed: int) -> list[list[bool]]:
        learning.chosen.clear()
        learning.learned(seed=seed, most=16)
        return [chosen for (chosen,) in learning.chosen]

    one, other = order(0), order(1)
    assert sorted(one) == sorted(other) == 8 * [[False, True]] + 8 * [[True, False]]
    assert order(0) == one != other


@pytest.fixture
def cloned(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The calls with which a policy had its network cloned; the network learns nothing."""
    asked: list[dict[str, Any]] = []

    def noted(network: networks.Network, proofs: cloning.Demonstrations, **how: Any) -> int:
        asked.append(how)
        return len(proofs.choices)

    monkeypatch.setattr(policy, "clone", noted)
    return asked


def test_half_of_the_time_goes_into_reading_and_what_is_left_is_read_the_next_time(
    reading: Reading, cloned: list[dict[str, Any]]
) -> None:
    asked, proofs = policy.NetworkPolicy(small()), {OR_COMM: PROOF}
    assert asked.learn(proofs, seed=7, seconds=1, clock=reading)
    assert reading.moves == 4, "of six, in half a second"
    assert asked.forwards == 1, "the first choice is the third move, and the next one the fifth"
    assert asked.learn(proofs, seed=8, seconds=1, clock=reading)
    assert (reading.moves, asked.forwards) == (6, 1 + 2)
    assert [(how["seed"], how["seconds"], how["clock"]) for how in cloned] == [(7, 0.5, reading), (8, 0.75, reading)]


def test_a_policy_that_has_read_no_choice_or_reads_beyond_the_time_learns_nothing(reading: Reading) -> None:
    asked = policy.NetworkPolicy(small())
    assert not asked.learn({OR_COMM: PROOF}, seed=0, seconds=0.5, clock=reading)
    assert (reading.moves, asked.forwards) == (2, 0)
    times = iter([0.0] * 7 + [9.0, 9.0])
    assert not policy.NetworkPolicy(small()).learn({OR_COMM: PROOF}, seed=0, seconds=1, clock=lambda: next(times))


def test_reading_and_cloning_end_when_they_are_told_to(reading: Reading, cloned: list[dict[str, Any]]) -> None:
    def stop() -> bool:
        return reading.moves >= 3

    policy.NetworkPolicy(small()).learn({OR_COMM: PROOF}, seed=0, seconds=1e9, clock=reading, stop=stop)
    assert reading.moves == 3
    assert cloned[0]["stop"] is stop
