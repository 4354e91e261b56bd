"""What networks say does not depend on names, order, company or padding, and is never NaN."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oasis.committed import EAGER, choices
from oasis.neural.encoding.batch import batched
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.nodes import Encoded, encoded
from oasis.policy import Policy
from state_spaces.name import Name
from tactics.errors import InputError
from tactics.goal import Goal, State
from tactics.rules import legal_moves
from tactics.sequent import parse_state
from tests.neural.modules import networks, policy, presets, relational, torch, transformer
from tests.neural.small import KINDS, small
from tests.state_spaces.variants import disguised, randoms, state_of, states
from tests.strategies import goals
from tests.thorough import examples

few = settings(max_examples=examples(60))
NEAR = 1e-5


@cache
def network(kind: str = "relational") -> networks.Network:
    return small(kind)


def asking(kind: str = "relational", nodes: int | None = None) -> policy.NetworkPolicy:
    return type(policy.policy_of(network(kind)))(network(kind), nodes)


def encoding(goal: Goal) -> Encoded:
    return encoded(formulas_of(goal), options(formulas_of(goal)))


@few
@given(states(), randoms)
@pytest.mark.parametrize("kind", KINDS)
def test_what_it_says_of_a_goal_in_disguise_corresponds_by_the_slots_of_its_moves(
    kind: str, state: State, rng: Random
) -> None:
    asked = asking(kind)
    for goal in state[:1]:
        if kind == "decoder":  # which reads a hypothesis that comes twice once
            (goal,) = state_of([(formulas_of(goal)[1:], goal.conclusion)])
        (other,) = disguised((goal,), rng).state
        assume(is_judged_by_choices(goal) and is_judged_by_choices(other))
        assert asked.values([goal]) == pytest.approx(asked.values([other]), abs=NEAR)
        one, two = (by_slot(asked, each) for each in (goal, other))
        assert [slot for slot, _ in one] == [slot for slot, _ in two]
        assert [share for _, share in one] == pytest.approx([share for _, share in two], abs=NEAR)


def is_judged_by_choices(goal: Goal) -> bool:
    """Whether making the moves that nobody has to choose came to an end: which are made first depends on the order."""
    return all(len(EAGER.candidates(each)) > 1 for each in choices(goal) or ())


def by_slot(asked: Policy, goal: Goal) -> list[tuple[object, float]]:
    """The probability of each move of a goal by its slot; those of one slot, as a symmetry exchanges them, in order."""
    view = Name().view((goal,))
    (shares,) = asked.probabilities([(goal,)])
    found = [(view.slot(move), share) for move, share in zip(legal_moves(goal), shares.tolist(), strict=True)]
    return sorted(found, key=lambda each: (str(each[0]), each[1]))


@few
@given(st.lists(goals(), min_size=1, max_size=20))
@pytest.mark.parametrize("kind", KINDS)
def test_a_goal_is_judged_alone_as_in_a_batch(kind: str, asked: list[Goal]) -> None:
    together, alone = asking(kind), asking(kind, nodes=1)
    assert together.values(asked) == pytest.approx(alone.values(asked), abs=NEAR)
    of_states = [(goal,) for goal in asked]
    for one, other in zip(together.probabilities(of_states), alone.probabilities(of_states), strict=True):
        assert one == pytest.approx(other, abs=NEAR)
    if isinstance(together, policy.WritingPolicy):
        assert together.written(asked) == [together.written([goal])[0] for goal in asked]


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_256_says_what_256_batches_say(kind: str) -> None:
    formulas = formulas_of(parse_state("H : (A -> B) -> C, H0 : A \\/ B ⊢ C \\/ (A -> D)")[0])
    goal = network(kind).form(formulas, options(formulas))
    one, many = network(kind).judged([goal]), network(kind).judged([goal] * 256)
    torch.testing.assert_close(many.moves.view(256, -1), one.moves.expand(256, -1), atol=NEAR, rtol=0)
    torch.testing.assert_close(many.provable, one.provable.expand(256), atol=NEAR, rtol=0)


@few
@given(goals())
def test_probabilities_are_of_the_legal_moves_and_sum_to_one(goal: Goal) -> None:
    asked = asking()
    shares, nothing = asked.probabilities([(goal,), ()])
    assert len(shares) == len(legal_moves(goal)) and not len(nothing)
    assert not len(shares) or (shares.sum() == pytest.approx(1) and (shares > 0).all())
    (value,) = asked.values([goal])
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
    kind = type(network())
    judge = kind.judged

    def counted(self: relational.Relational, encodings: Sequence[Encoded]) -> networks.Judgement:
        asked.append(len(encodings))
        return judge(self, encodings)

    monkeypatch.setattr(kind, "judged", counted)
    by_network = asking()
    one, same, other = (parse_state(text)[0] for text in ("H : A, H0 : B ⊢ A", "X : B, Y : A ⊢ A", "H : A ⊢ B"))
    by_network.probabilities([(one,), (same,), (other,), (one, other)])
    by_network.probabilities([(one,)])
    by_network.values([one, same])
    assert sum(asked) == 2


def test_what_is_too_large_for_a_look_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    little = parse_state("H : A, H0 : B -> A ⊢ A | B")
    large = parse_state("H : A -> B, H0 : B -> C, H1 : C -> A ⊢ A | (B | (C -> A))")
    before = asking().probabilities([little, large])
    monkeypatch.setattr(policy, "LARGEST", len(encoding(little[0]).tokens))
    asked = asking()
    of_little, of_large = asked.probabilities([little, large])
    assert of_little == pytest.approx(before[0])
    assert of_large == pytest.approx(np.full(len(before[1]), 1 / len(before[1])))
    assert asked.forwards == 1
    assert asked.values(large) == [0.5]


MILLIONS = {"relational": (0.19, 1.1, 10.6, 27.4), "decoder": (0.16, 1.0, 10.0, 25.6)}


@pytest.mark.parametrize("kind", KINDS)
def test_presets_have_the_size_that_is_told(kind: str) -> None:
    assert (*presets.NETWORKS,) == KINDS
    assert [*presets.PRESETS[kind]] == ["tiny", "small", "base", "large"]
    for shape, millions in zip(presets.PRESETS[kind].values(), MILLIONS[kind], strict=True):
        with torch.device("meta"):
            module = presets.from_json({"kind": kind, **shape}).module
        assert sum(parameter.numel() for parameter in module.parameters()) / 1e6 == pytest.approx(millions, rel=0.05)


def test_a_seed_gives_the_same_weights_and_leaves_other_chance_alone() -> None:
    before = torch.random.get_rng_state()
    one, same, other = (presets.made("relational", "tiny", seed).module.state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["tokens.weight"], other["tokens.weight"])
    assert torch.equal(torch.random.get_rng_state(), before)
    with pytest.raises(InputError, match="--preset is one of tiny, small, base, large, not 'huge'"):
        presets.made("relational", "huge", 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_network_is_built_again_from_what_it_tells_of_itself(kind: str) -> None:
    told = presets.to_json(small(kind))
    assert told == {"kind": kind, "width": 16, "layers": 2, "heads": 2, "hidden": 4}
    assert presets.to_json(presets.from_json(told)) == told


@pytest.mark.parametrize("numbers", [(0, 1, 1), (10, 1, 3), (2**20, 1, 1), (8, 2.0, 2), (8, True, 2)])
def test_a_shape_that_cannot_be_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="network"):
        transformer.Shape(*numbers)
    with pytest.raises(ValueError, match="even"):
        presets.from_json({"kind": "decoder", "width": 6, "layers": 1, "heads": 2})


def test_the_network_prefers_nothing_by_its_place() -> None:
    """Two moves that a symmetry of the goal exchanges are equally likely."""
    (goal,) = parse_state("H : (A -> B) -> C, H0 : (B -> A) -> C ⊢ C")
    (shares,) = asking().probabilities([(goal,)])
    assert np.ptp(shares) < NEAR


def test_goals_are_judged_by_those_at_which_it_comes_to_a_choice() -> None:
    closed, stuck, joined, *apart = (
        parse_state(text)[0]
        for text in (
            "H : A, H0 : A -> B ⊢ B /\\ A",
            "H : A ⊢ A /\\ B",
            "H : C ⊢ (A \\/ B -> A \\/ C) /\\ (A -> B \\/ (C -> D))",
            "H : C, H0 : A ⊢ B \\/ (C -> D)",
            "H : C, H0 : B ⊢ A \\/ C",
            "H : C, H0 : A ⊢ A \\/ C",
        )
    )
    asked = asking()
    assert asked.values([closed, stuck]).tolist() == [1, 0]
    assert asked.values([joined]) == pytest.approx(np.prod(asked.values(apart)), abs=NEAR)
