"""Goals as numbers: the same up to the order of the nodes, whatever they are called, and how nodes are related."""

from __future__ import annotations

from itertools import chain, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from curricula import resolve_lemma
from oasis.neural.encoding import batch
from oasis.neural.encoding.batch import RELATIONS, batched, chunked
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.nodes import NONE, TOKENS, Encoded, encoded, nodes_of
from tactics.formula import Atom, Binary, Implies, Or, subformulas
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import legal_moves, premises
from tactics.sequent import parse_state
from tests.state_spaces.variants import disguised, randoms, states
from tests.strategies import goals


def encoding(goal: Goal) -> Encoded:
    return encoded(formulas_of(goal), options(formulas_of(goal)))


def relation(text: str, one: str, other: str) -> tuple[int, bool, bool]:
    """How two nodes of a goal are related: the kind, and whether each is a formula of the goal."""
    (goal,) = parse_state(text)
    names = [show(part) for part in dict.fromkeys(chain.from_iterable(map(subformulas, formulas_of(goal))))]
    found = int(batched([encoding(goal)]).relations[0, names.index(one), names.index(other)])
    return found // 4, bool(found & 2), bool(found & 1)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("A /\\ B -> A", "A /\\ B -> A", batch.SELF),
        ("A /\\ B -> A", "A /\\ B", batch.LEFT_SIDE),
        ("A /\\ B", "B", batch.RIGHT_SIDE),
        ("C \\/ C", "C", batch.BOTH_SIDES),
        ("A /\\ B", "A /\\ B -> A", batch.HAS_ON_LEFT),
        ("A", "A /\\ B -> A", batch.HAS_ON_RIGHT),
        ("C", "C \\/ C", batch.HAS_ON_BOTH),
        ("A /\\ B -> A", "B", batch.PART),
        ("B", "A /\\ B -> A", batch.WHOLE),
        ("A", "B", batch.SAME_FORMULA),
        ("A /\\ B", "C", batch.APART),
    ],
)
def test_nodes_are_related_as_they_stand_in_the_formulas(one: str, other: str, kind: int) -> None:
    whole = {"A /\\ B -> A", "C \\/ C"}
    assert relation("H : A /\\ B -> A ⊢ C \\/ C", one, other) == (kind, one in whole, other in whole)


@given(states(), randoms)
def test_a_goal_in_disguise_is_the_same_up_to_the_order_of_its_nodes(state: State, rng: Random) -> None:
    for goal in state[:1]:
        (other,) = disguised((goal,), rng).state
        assert canonical(goal) == canonical(other)


def canonical(goal: Goal) -> list[bytes]:
    """What each node is and how it is related to the others, refined until nothing changes, without their order."""
    found = batched([encoding(goal)])
    colours = [str(token) for token in found.tokens[0]]
    for _ in range(3):
        rows = [
            (colour, sorted(zip(row.tolist(), colours, strict=True)))
            for colour, row in zip(colours, found.relations[0], strict=True)
        ]
        colours = [str(hash(str(row))) for row in rows]
    return sorted(colour.encode() for colour in colours)


@given(goals(), st.integers(0, 3), st.integers(0, 5))
def test_other_goals_and_padding_change_nothing(goal: Goal, others: int, padding: int) -> None:
    alone = batched([encoding(goal)])
    size = alone.tokens.shape[1]
    company = [encoding(goal), *[encoding(parse_state("H : A -> B ⊢ A /\\ B")[0])] * others]
    beside = batched(company, max(len(each.tokens) for each in company) + padding)
    assert (beside.tokens[0, :size] == alone.tokens[0]).all()
    assert (beside.relations[0, :size, :size] == alone.relations[0]).all()
    assert (beside.sides[0, :size] == alone.sides[0]).all()
    assert beside.there[0].sum() == size
    assert beside.conclusions[0] == alone.conclusions[0]
    assert (beside.moves[: len(alone.moves)] == alone.moves).all()


@given(goals())
def test_moves_are_the_legal_ones_and_leave_what_the_calculus_leaves(goal: Goal) -> None:
    formulas = dict(goal.hypotheses)
    legal = {
        (move.rule, goal.conclusion if move.hypothesis is None else formulas[move.hypothesis]): [
            unordered(premise) for premise in premises(goal, move)
        ]
        for move in legal_moves(goal)
    }
    once = len(formulas) == len(set(formulas.values()))
    found = {
        (move.rule, move.principal): [(premise[0], frozenset(premise[1:])) for premise in move.premises]
        for move in options(formulas_of(goal))
    }
    assert found.keys() == legal.keys()
    assert found == legal or not once


def unordered(goal: Goal) -> tuple[object, frozenset[object]]:
    return goal.conclusion, frozenset(formula for _, formula in goal.hypotheses)


@given(goals())
def test_sides_stand_before_the_whole_and_numbers_are_in_range(goal: Goal) -> None:
    found = encoding(goal)
    assert len(found.tokens) == len(found.sides)
    for place, sides in enumerate(found.sides):
        assert all(NONE <= side < place for side in sides)
    assert (found.tokens < TOKENS).all()
    relations = batched([found]).relations
    assert ((relations >= 0) & (relations < RELATIONS)).all()


def test_equal_subformulas_are_one_node() -> None:
    lemma = resolve_lemma("SYN007.14")
    assert lemma.formula.size > 10_000
    assert len(encoding(initial(lemma.formula)[0]).tokens) < 200
    assert len(encoding(initial(parse("True -> A"))[0]).tokens) == 3


def test_a_goal_of_more_nodes_than_16_bits_can_count_is_encoded_as_well() -> None:
    atoms = [Atom(f"A{number}") for number in range(16_400)]
    formulas = (Or(atoms[-2], atoms[-1]), *(Implies(one, other) for one, other in pairwise(atoms)))
    found, nodes = encoded(formulas, options(formulas)), nodes_of(formulas)
    assert len(nodes) > 1 << 15
    assert all(
        (nodes[left], nodes[right]) == (whole.left, whole.right)
        for whole, (left, right) in zip(nodes, found.sides.tolist(), strict=True)
        if isinstance(whole, Binary)
    )


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60), st.integers(1, 2000))
def test_chunks_hold_every_goal_once_and_keep_to_the_budget(sizes: list[int], budget: int) -> None:
    counts: NDArray[np.int64] = np.array(sizes)
    chunks = list(chunked(counts, budget))
    assert sorted(np.concatenate(chunks).tolist()) == list(range(len(sizes)))
    for chunk in chunks:
        longest = int(counts[chunk].max())
        assert len(chunk) == 1 or (len(chunk) * longest <= budget and len(chunk) * longest**2 <= 64 * budget)
