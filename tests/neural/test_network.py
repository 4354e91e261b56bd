"""What networks say does not depend on names, order, company or padding, and is never NaN."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oasis.committed import EAGER, choices
from oasis.neural.encoding.batch import batched
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.nodes import Encoded, encoded
from oasis.neural.networks.network import Judgement, Network
from oasis.neural.networks.presets import PRESETS, from_json, made, to_json
from oasis.neural.networks.relational import Relational
from oasis.neural.networks.transformer import Shape
from oasis.neural.policy import NetworkPolicy
from state_spaces.name import Name
from tactics.errors import InputError
from tactics.goal import Goal, State
from tactics.rules import legal_moves
from tactics.sequent import parse_state
from tests.state_spaces.variants import disguised, randoms, states
from tests.strategies import goals
from tests.thorough import examples

few = settings(max_examples=examples(60))
NEAR = 1e-5


@cache
def network() -> Network:
    return from_json({"kind": "relational", "width": 16, "layers": 2, "heads": 2})


def encoding(goal: Goal) -> Encoded:
    return encoded(formulas_of(goal), options(formulas_of(goal)))


@few
@given(states(), randoms)
def test_what_it_says_of_a_goal_in_disguise_corresponds_by_the_slots_of_its_moves(state: State, rng: Random) -> None:
    policy = NetworkPolicy(network())
    for goal in state[:1]:
        (other,) = disguised((goal,), rng).state
        assume(is_judged_by_choices(goal) and is_judged_by_choices(other))
        assert policy.values([goal]) == pytest.approx(policy.values([other]), abs=NEAR)
        one, two = (by_slot(policy, each) for each in (goal, other))
        assert [slot for slot, _ in one] == [slot for slot, _ in two]
        assert [share for _, share in one] == pytest.approx([share for _, share in two], abs=NEAR)


def is_judged_by_choices(goal: Goal) -> bool:
    """Whether making the moves that nobody has to choose came to an end: which are made first depends on the order."""
    return all(len(EAGER.candidates(each)) > 1 for each in choices(goal) or ())


def by_slot(policy: NetworkPolicy, goal: Goal) -> list[tuple[object, float]]:
    """The probability of each move of a goal by its slot, slots in their order."""
    view = Name().view((goal,))
    (shares,) = policy.probabilities([(goal,)])
    found = [(view.slot(move), share) for move, share in zip(legal_moves(goal), shares.tolist(), strict=True)]
    return sorted(found, key=lambda each: (str(each[0]), each[1]))


@few
@given(st.lists(goals(), min_size=1, max_size=20))
def test_a_goal_is_judged_alone_as_in_a_batch(asked: list[Goal]) -> None:
    together, alone = NetworkPolicy(network()), NetworkPolicy(network(), nodes=1)
    assert together.values(asked) == pytest.approx(alone.values(asked), abs=NEAR)
    of_states = [(goal,) for goal in asked]
    for one, other in zip(together.probabilities(of_states), alone.probabilities(of_states), strict=True):
        assert one == pytest.approx(other, abs=NEAR)


def test_a_batch_of_256_says_what_256_batches_say() -> None:
    goal = parse_state("H : (A -> B) -> C, H0 : A \\/ B ⊢ C \\/ (A -> D)")[0]
    one = network().judged([encoding(goal)])
    many = network().judged([encoding(goal)] * 256)
    torch.testing.assert_close(many.moves.view(256, -1), one.moves.expand(256, -1), atol=NEAR, rtol=0)
    torch.testing.assert_close(many.provable, one.provable.expand(256), atol=NEAR, rtol=0)


@few
@given(goals())
def test_probabilities_are_of_the_legal_moves_and_sum_to_one(goal: Goal) -> None:
    policy = NetworkPolicy(network())
    shares, nothing = policy.probabilities([(goal,), ()])
    assert len(shares) == len(legal_moves(goal)) and not len(nothing)
    assert not len(shares) or (shares.sum() == pytest.approx(1) and (shares > 0).all())
    (value,) = policy.values([goal])
    assert 0 <= value <= 1


def test_rows_that_are_all_padding_give_no_nan() -> None:
    found = batched([encoding(parse_state("⊢ A -> A")[0])] * 2)
    found.there[1] = False
    judgement = network().module(*map(torch.from_numpy, found))
    assert torch.isfinite(judgement.moves).all() and torch.isfinite(judgement.provable).all()
    (judgement.moves.sum() + judgement.provable.sum()).backward()
    for parameter in network().module.parameters():
        assert parameter.grad is not None and torch.isfinite(parameter.grad).all()


def test_each_distinct_goal_goes_through_the_network_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    judge = Relational.judged

    def counted(self: Relational, encodings: Sequence[Encoded]) -> Judgement:
        asked.append(len(encodings))
        return judge(self, encodings)

    monkeypatch.setattr(Relational, "judged", counted)
    policy = NetworkPolicy(network())
    one, same, other = (parse_state(text)[0] for text in ("H : A, H0 : B ⊢ A", "X : B, Y : A ⊢ A", "H : A ⊢ B"))
    policy.probabilities([(one,), (same,), (other,), (one, other)])
    policy.probabilities([(one,)])
    policy.values([one, same])
    assert sum(asked) == 2


def test_what_is_too_large_for_a_look_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    small = parse_state("H : A, H0 : B -> A ⊢ A | B")
    large = parse_state("H : A -> B, H0 : B -> C, H1 : C -> A ⊢ A | (B | (C -> A))")
    before = NetworkPolicy(network()).probabilities([small, large])
    monkeypatch.setattr("oasis.neural.policy.LARGEST", len(encoding(small[0]).tokens))
    policy = NetworkPolicy(network())
    of_small, of_large = policy.probabilities([small, large])
    assert of_small == pytest.approx(before[0])
    assert of_large == pytest.approx(np.full(len(before[1]), 1 / len(before[1])))
    assert policy.forwards == 1
    assert policy.values(large) == [0.5]


@pytest.mark.parametrize(("preset", "millions"), [("tiny", 0.19), ("small", 1.1), ("base", 10.6), ("large", 27.4)])
def test_presets_have_the_size_that_is_told(preset: str, millions: float) -> None:
    with torch.device("meta"):
        module = from_json({"kind": "relational", **PRESETS["relational"][preset]}).module
    assert sum(parameter.numel() for parameter in module.parameters()) / 1e6 == pytest.approx(millions, rel=0.05)


def test_a_seed_gives_the_same_weights_and_leaves_other_chance_alone() -> None:
    before = torch.random.get_rng_state()
    one, same, other = (made("relational", "tiny", seed).module.state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["tokens.weight"], other["tokens.weight"])
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_network_is_built_again_from_what_it_tells_of_itself() -> None:
    assert to_json(from_json(to_json(network()))) == to_json(network())


@pytest.mark.parametrize("numbers", [(0, 1, 1), (10, 1, 3), (2**20, 1, 1), (8, 2.0, 2), (8, True, 2)])
def test_a_shape_that_cannot_be_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="network"):
        Shape(*numbers)


def test_an_unknown_preset_is_one_sentence() -> None:
    with pytest.raises(InputError, match="--preset is one of tiny, small, base, large, not 'huge'"):
        made("relational", "huge", 0)


def test_the_network_prefers_nothing_by_its_place() -> None:
    """Two moves that a symmetry of the goal exchanges are equally likely."""
    (goal,) = parse_state("H : (A -> B) -> C, H0 : (B -> A) -> C ⊢ C")
    (shares,) = NetworkPolicy(network()).probabilities([(goal,)])
    assert np.ptp(shares) < NEAR


def test_goals_are_judged_by_those_at_which_it_comes_to_a_choice() -> None:
    policy = NetworkPolicy(network())
    closed, stuck, joined, one, other = (
        parse_state(text)[0]
        for text in (
            "H : A, H0 : A -> B ⊢ B /\\ A",
            "H : A ⊢ A /\\ B",
            "H : C ⊢ (A \\/ B -> A \\/ C) /\\ (A -> B \\/ (C -> D))",
            "H : C, H0 : A ⊢ B \\/ (C -> D)",
            "H : C, H0 : B ⊢ A \\/ C",
        )
    )
    left, right, whole = policy.values([one, other, joined])
    first = policy.values([parse_state("H : C, H0 : A ⊢ A \\/ C")[0]])[0]
    assert policy.values([closed, stuck]).tolist() == [1, 0]
    assert whole == pytest.approx(left * right * first, abs=NEAR)
