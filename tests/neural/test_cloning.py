"""A network learns from proofs what they choose, and proves with that what nobody showed it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
import torch

from oasis.committed import committed
from oasis.neural import cloning
from oasis.neural.cloning import choices, clone
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import from_json
from oasis.neural.policy import NetworkPolicy
from oasis.neural.training.loss import Loss, labelled_loss
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import parse_script

OR_COMM = parse("A \\/ B -> B \\/ A")
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


def untaught() -> Network:
    torch.manual_seed(0)
    return from_json({"kind": "relational", "width": 16, "layers": 2, "heads": 2})


def steps(number: int) -> Callable[[], float]:
    """A clock by which so many steps take a second."""
    ticks = count()
    return lambda: next(ticks) / number


def proves(network: Network, lemma: Formula) -> bool:
    (play,) = committed(NetworkPolicy(network), [lemma])
    return play.proved


def test_what_is_learned_is_what_a_proof_does_where_there_is_a_choice() -> None:
    first, second = choices({OR_COMM: PROOF})
    assert [[move.rule for move in each.options] for each in (first, second)] == [["left", "right"]] * 2
    assert [first.chosen, second.chosen] == [[False, True], [True, False]]


def test_what_two_proofs_do_at_one_goal_is_right_both_times() -> None:
    lemma, other = parse("A -> A \\/ A"), parse("A -> A -> A \\/ A")
    (both,) = choices(
        {lemma: parse_script("intro; left; assumption"), other: parse_script("intro; intro; right; assumption")}
    )
    assert both.chosen == [True, True]


def test_it_proves_what_it_was_shown_under_other_names_as_well() -> None:
    network = untaught()
    assert not proves(network, OR_COMM)
    clone(network, {OR_COMM: PROOF}, seed=0, seconds=1, clock=steps(120))
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
    clone(untaught(), {OR_COMM: PROOF}, seed=0, seconds=1, clock=steps(10))
    assert 5 <= len(made) <= 10


def test_it_ends_when_it_is_told_to(made: list[int]) -> None:
    clone(untaught(), {OR_COMM: PROOF}, seed=0, seconds=1e9, clock=steps(10), stop=lambda: len(made) == 3)
    assert made == [2, 2, 2]


def test_who_knows_it_all_learns_no_longer(made: list[int]) -> None:
    network = untaught()
    clone(network, {OR_COMM: PROOF}, seed=0, seconds=1e9, clock=steps(10))
    before = len(made)
    clone(network, {OR_COMM: PROOF}, seed=0, seconds=1e9, clock=steps(10))
    assert len(made) == before + 1


def test_nothing_is_learned_where_there_is_no_choice() -> None:
    network = untaught()
    clone(network, {parse("A -> A"): parse_script("intro; assumption")}, seed=0, seconds=1, clock=steps(10))


def test_a_gradient_that_is_no_number_leaves_the_network_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    network = untaught()
    before = [parameter.clone() for parameter in network.module.parameters()]
    factors = iter([1.0, 1.0, float("nan")])

    def broken(network: Network, *labelled: Any) -> Loss:
        found = labelled_loss(network, *labelled)
        return found._replace(policy=found.policy * next(factors))

    monkeypatch.setattr(cloning, "labelled_loss", broken)
    clone(network, {OR_COMM: PROOF}, seed=0, seconds=1, clock=steps(100))
    assert next(factors, None) is None
    assert all(map(torch.equal, before, network.module.parameters()))


def test_the_same_seed_learns_the_same() -> None:
    one, two = untaught(), untaught()
    for network in (one, two):
        clone(network, {OR_COMM: PROOF}, seed=3, seconds=1, clock=steps(20))
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
