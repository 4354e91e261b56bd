"""A network learns from proofs what they choose, and proves with that what nobody showed it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from math import hypot
from typing import Any

import pytest

from oasis.committed import committed
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import apply
from tactics.script import Script, parse_script
from tests.neural.modules import cloning, loss, networks, policy, torch
from tests.neural.small import small

OR_COMM = parse("A \\/ B -> B \\/ A")
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


def shown(network: networks.Network, proofs: Mapping[Formula, Script]) -> cloning.Demonstrations:
    """Return proofs, read by a network."""
    read = cloning.Demonstrations(network.form)
    read.read(proofs)
    return read


def steps(number: int) -> Callable[[], float]:
    """Return a clock by which so many steps take a second."""
    ticks = count()
    return lambda: next(ticks) / number


def learned(
    network: networks.Network, *, seconds: float = 1e9, clock: Callable[[], float] = lambda: 0.0, **how: Any
) -> int:
    """Return what `clone` gives when it learns from one proof."""
    return cloning.clone(network, shown(network, {OR_COMM: PROOF}), **{"seed": 0, **how}, seconds=seconds, clock=clock)


def proves(asked: policy.NetworkPolicy, lemma: Formula) -> bool:
    (play,) = committed(asked, [lemma])
    return play.proved


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


def test_proofs_are_read_once_the_short_ones_first_and_with_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Move] = []

    def counted(state: State, move: Move) -> State:
        made.append(move)
        return apply(state, move)

    monkeypatch.setattr(cloning, "apply", counted)
    proofs = {OR_COMM: PROOF, parse("A -> A \\/ B"): parse_script("intro; left; assumption")}
    read, found = cloning.Demonstrations(small().form), []
    for so_far in range(9):
        read.read(proofs, partial(lambda most: len(made) > most, so_far))
        found.append(len(read.choices))
    assert found == [0, 1, 1, 1, 1, 2, 2, 3, 3]
    read.read(proofs)
    assert len(made) == 9, "nothing is read again"


def test_goals_that_are_too_large_for_a_look_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for largest, choices in ((3, 2), (2, 0)):
        monkeypatch.setattr(cloning, "LARGEST", largest)
        assert len(shown(small(), {OR_COMM: PROOF}).choices) == choices


def test_a_policy_proves_what_it_was_shown_under_other_names_as_well() -> None:
    asked = policy.NetworkPolicy(small())
    asked.probabilities([initial(OR_COMM)])  # and keeps the answer, which is another one afterwards
    assert not proves(asked, OR_COMM)
    asked.learn({OR_COMM: PROOF}, seed=0, seconds=1, clock=steps(40))
    assert proves(asked, OR_COMM)
    assert proves(asked, parse("P \\/ Q -> Q \\/ P"))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The choices that were learned from, step by step."""
    steps_made: list[int] = []

    def counted(network: networks.Network, *labelled: Any) -> loss.Loss:
        found = loss.labelled_loss(network, *labelled)
        steps_made.append(found.choices)
        return found

    monkeypatch.setattr(cloning, "labelled_loss", counted)
    return steps_made


def test_it_ends_with_the_time_and_when_it_is_told_to(made: list[int]) -> None:
    learned(small(), seconds=1, clock=steps(10))
    assert 5 <= len(made) <= 10
    made.clear()
    learned(small(), stop=lambda: len(made) == 3)
    assert made == [2, 2, 2]


def test_who_knows_it_all_learns_no_longer(made: list[int]) -> None:
    network = small()
    learned(network)
    before = len(made)
    learned(network)
    assert len(made) == before + 1


def test_nothing_is_learned_where_there_is_no_choice() -> None:
    network = small()
    proofs = shown(network, {parse("A -> A"): parse_script("intro; assumption")})
    assert not cloning.clone(network, proofs, seed=0, seconds=1, clock=steps(10))


def scaling(monkeypatch: pytest.MonkeyPatch, *factors: float) -> None:
    """Multiply the losses of the first steps by factors."""
    coming = iter(factors)

    def scaled(network: networks.Network, *labelled: Any) -> loss.Loss:
        found = loss.labelled_loss(network, *labelled)
        return found._replace(policy=found.policy * next(coming))

    monkeypatch.setattr(cloning, "labelled_loss", scaled)


def test_a_gradient_that_is_no_number_leaves_the_network_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    network = small()
    before = [parameter.clone() for parameter in network.module.parameters()]
    scaling(monkeypatch, 1.0, 1.0, float("nan"))  # there is no fourth step
    learned(network)
    assert all(map(torch.equal, before, network.module.parameters()))


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float]]:
    """The rate and the length of the gradient at each step, none of which changes anything."""
    found: list[tuple[float, float]] = []
    optimizer_of = cloning.optimizer_of

    def idle(parameters: list[torch.Tensor]) -> torch.optim.Optimizer:
        made = optimizer_of(parameters)

        def note() -> None:
            lengths = [float(each.grad.norm()) for each in parameters if each.grad is not None]
            found.append((made.param_groups[0]["lr"], hypot(*lengths)))

        made.step = note  # type: ignore[method-assign, assignment]
        return made

    monkeypatch.setattr(cloning, "optimizer_of", idle)
    return found


def test_the_rate_rises_in_the_first_steps_and_falls_with_the_time(asleep: list[tuple[float, float]]) -> None:
    highest = cloning.RATE
    learned(small(), stop=lambda: len(asleep) == 22)
    assert [rate for rate, _ in asleep] == pytest.approx([highest * min(step / 20, 1) for step in range(1, 23)])
    asleep.clear()
    learned(small(), seconds=1, clock=steps(4))
    wanted = [highest / 20 * 3 / 4, highest / 10 * 2 / 4, highest * 3 / 20 * 1 / 4]
    assert [rate for rate, _ in asleep] == pytest.approx(wanted)


def test_a_large_gradient_is_cut_to_one(asleep: list[tuple[float, float]], monkeypatch: pytest.MonkeyPatch) -> None:
    scaling(monkeypatch, 1e4, 1e-4)
    learned(small(), stop=lambda: len(asleep) == 2)
    (_, large), (_, little) = asleep
    assert large == pytest.approx(1, abs=1e-3)
    assert 0 < little < 1e-2


@pytest.mark.usefixtures("asleep")
def test_the_seed_says_in_which_order_batches_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloning, "_NODES", 1)
    network = small()
    proofs = shown(network, {OR_COMM: PROOF})
    places = {id(each.goal): place for place, each in enumerate(proofs.choices)}

    def order(seed: int) -> list[int]:
        found: list[int] = []

        def noted(network: networks.Network, goals: list[Any], *labels: Any) -> loss.Loss:
            found.extend(places[id(goal)] for goal in goals)
            return loss.labelled_loss(network, goals, *labels)

        monkeypatch.setattr(cloning, "labelled_loss", noted)
        cloning.clone(network, proofs, seed=seed, seconds=1e9, clock=lambda: 0.0, stop=lambda: len(found) == 16)
        return found

    one, other = order(0), order(1)
    assert sorted(one) == sorted(other) == [0] * 8 + [1] * 8
    assert one != other


def test_the_same_seed_learns_the_same() -> None:
    one, two = small(), small()
    for network in (one, two):
        learned(network, seed=3, seconds=1, clock=steps(10))
    assert all(map(torch.equal, one.module.parameters(), two.module.parameters()))
    assert not all(map(torch.equal, one.module.parameters(), small().module.parameters()))


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


@pytest.fixture
def cloned(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """How a policy had its network cloned, which learns nothing."""
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


def test_who_has_read_no_choice_yet_learns_nothing(reading: Reading) -> None:
    asked = policy.NetworkPolicy(small())
    assert not asked.learn({OR_COMM: PROOF}, seed=0, seconds=0.5, clock=reading)
    assert (reading.moves, asked.forwards) == (2, 0)


def test_reading_and_cloning_end_when_they_are_told_to(reading: Reading, cloned: list[dict[str, Any]]) -> None:
    def stop() -> bool:
        return reading.moves >= 3

    policy.NetworkPolicy(small()).learn({OR_COMM: PROOF}, seed=0, seconds=1e9, clock=reading, stop=stop)
    assert reading.moves == 3
    assert cloned[0]["stop"] is stop


def test_who_reads_beyond_the_time_learns_nothing() -> None:
    asked, times = policy.NetworkPolicy(small()), iter([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0])
    assert not asked.learn({OR_COMM: PROOF}, seed=0, seconds=1, clock=lambda: next(times))
    assert asked.forwards == 0
