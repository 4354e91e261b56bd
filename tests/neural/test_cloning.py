"""A network learns from proofs what they choose, and proves with that what nobody showed it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any

import pytest
import torch

from oasis.committed import committed
from oasis.neural import cloning
from oasis.neural.cloning import Demonstrations, clone
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import from_json
from oasis.neural.policy import NetworkPolicy
from oasis.neural.training.loss import Loss, labelled_loss
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import apply
from tactics.script import Script, parse_script

OR_COMM = parse("A \\/ B -> B \\/ A")
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


def untaught() -> Network:
    torch.manual_seed(0)
    return from_json({"kind": "relational", "width": 16, "layers": 2, "heads": 2})


def shown(network: Network, proofs: Mapping[Formula, Script]) -> Demonstrations:
    """Proofs, read by a network."""
    read = Demonstrations(network.form)
    read.read(proofs)
    return read


def steps(number: int) -> Callable[[], float]:
    """A clock by which so many steps take a second."""
    ticks = count()
    return lambda: next(ticks) / number


def learned(network: Network, **how: Any) -> int:
    """What `clone` gives when it learns from one proof."""
    return clone(network, shown(network, {OR_COMM: PROOF}), **how)


def proves(network: Network, lemma: Formula) -> bool:
    (play,) = committed(NetworkPolicy(network), [lemma])
    return play.proved


def test_what_is_learned_is_what_a_proof_does_where_there_is_a_choice() -> None:
    first, second = shown(untaught(), {OR_COMM: PROOF}).choices
    assert [[move.rule for move in each.options] for each in (first, second)] == [["left", "right"]] * 2
    assert [first.chosen.tolist(), second.chosen.tolist()] == [[False, True], [True, False]]


def test_what_two_proofs_do_at_one_goal_is_right_both_times() -> None:
    lemma, other = parse("A -> A \\/ A"), parse("A -> A -> A \\/ A")
    proofs = {lemma: parse_script("intro; left; assumption"), other: parse_script("intro; intro; right; assumption")}
    (both,) = shown(untaught(), proofs).choices
    assert both.chosen.tolist() == [True, True]


def test_proofs_are_read_once_the_short_ones_first_and_with_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Move] = []

    def counted(state: State, move: Move) -> State:
        made.append(move)
        return apply(state, move)

    monkeypatch.setattr(cloning, "apply", counted)
    proofs = {OR_COMM: PROOF, parse("A -> A \\/ B"): parse_script("intro; left; assumption")}
    read, found = Demonstrations(untaught().form), []
    for so_far in range(9):
        read.read(proofs, partial(lambda most: len(made) > most, so_far))
        found.append(len(read.choices))
    assert found == [0, 1, 1, 1, 1, 2, 2, 3, 3]
    read.read(proofs)
    assert len(made) == 9, "nothing is read again"


def test_goals_that_are_too_large_for_a_look_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for largest, learned in ((3, 2), (2, 0), (1, 0)):
        monkeypatch.setattr(cloning, "LARGEST", largest)
        assert len(shown(untaught(), {OR_COMM: PROOF}).choices) == learned


def test_it_proves_what_it_was_shown_under_other_names_as_well() -> None:
    network = untaught()
    assert not proves(network, OR_COMM)
    learned(network, seed=0, seconds=1, clock=steps(120))
    assert proves(network, OR_COMM)
    assert proves(network, parse("P \\/ Q -> Q \\/ P"))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The choices that were learned from, step by step."""
    steps_made: list[int] = []

    def counted(network: Network, *labelled: Any) -> Loss:
        found = labelled_loss(network, *labelled)
        steps_made.append(found.choices)
        return found

    monkeypatch.setattr(cloning, "labelled_loss", counted)
    return steps_made


def test_it_ends_with_the_time(made: list[int]) -> None:
    learned(untaught(), seed=0, seconds=1, clock=steps(10))
    assert 5 <= len(made) <= 10


def test_it_ends_when_it_is_told_to(made: list[int]) -> None:
    learned(untaught(), seed=0, seconds=1e9, clock=steps(10), stop=lambda: len(made) == 3)
    assert made == [2, 2, 2]


def test_who_knows_it_all_learns_no_longer(made: list[int]) -> None:
    network = untaught()
    learned(network, seed=0, seconds=1e9, clock=steps(10))
    before = len(made)
    learned(network, seed=0, seconds=1e9, clock=steps(10))
    assert len(made) == before + 1


def test_nothing_is_learned_where_there_is_no_choice() -> None:
    network = untaught()
    proofs = shown(network, {parse("A -> A"): parse_script("intro; assumption")})
    assert not clone(network, proofs, seed=0, seconds=1, clock=steps(10))


def test_a_gradient_that_is_no_number_leaves_the_network_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    network = untaught()
    before = [parameter.clone() for parameter in network.module.parameters()]
    factors = iter([1.0, 1.0, float("nan")])

    def broken(network: Network, *labelled: Any) -> Loss:
        found = labelled_loss(network, *labelled)
        return found._replace(policy=found.policy * next(factors))

    monkeypatch.setattr(cloning, "labelled_loss", broken)
    learned(network, seed=0, seconds=1, clock=steps(100))
    assert next(factors, None) is None
    assert all(map(torch.equal, before, network.module.parameters()))


def test_the_same_seed_learns_the_same() -> None:
    one, two = untaught(), untaught()
    for network in (one, two):
        learned(network, seed=3, seconds=1, clock=steps(20))
    assert all(map(torch.equal, one.module.parameters(), two.module.parameters()))
    assert not all(map(torch.equal, one.module.parameters(), untaught().module.parameters()))


def test_a_policy_judges_by_what_it_learned() -> None:
    policy = NetworkPolicy(untaught())
    policy.probabilities([initial(OR_COMM)])  # and keeps the answer, which is another one afterwards
    (play,) = committed(policy, [OR_COMM])
    assert not play.proved
    policy.learn({OR_COMM: PROOF}, seed=0, seconds=1, clock=steps(120))
    (play,) = committed(policy, [OR_COMM])
    assert play.proved


def test_half_of_the_time_goes_into_reading_and_what_is_left_is_read_the_next_time() -> None:
    policy, proofs = NetworkPolicy(untaught()), {OR_COMM: PROOF}
    assert not policy.learn(proofs, seed=0, seconds=1, clock=steps(8)), "the first choice is the third move"
    assert policy.forwards == 0
    assert policy.learn(proofs, seed=0, seconds=1, clock=steps(8))
    assert policy.forwards > 0


def test_who_reads_beyond_the_time_learns_nothing() -> None:
    policy, times = NetworkPolicy(untaught()), iter([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0])
    assert not policy.learn({OR_COMM: PROOF}, seed=0, seconds=1, clock=lambda: next(times))
    assert policy.forwards == 0
