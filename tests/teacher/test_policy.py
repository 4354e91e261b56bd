"""The exact policy: it plays shortest proofs, prefers none of them, and knows what can be proved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.lemma import Lemma, Status
from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from oasis.policy import Policy, draw
from oasis.splitmix import SplitMix64
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.rules import RULES, apply, legal_moves, premises
from tests.strategies import goals
from tests.teacher.models import EXAMPLES
from tests.teacher.reached import below
from tests.teacher.test_restricted import shortest

TEXTBOOK = [textbook_lemma(name) for name in textbook_names()]
THEOREMS = [lemma for lemma in TEXTBOOK if lemma.status == Status.THEOREM]
SHORTEST = {"SYJ203.1": 4, "SYJ203.2": 10, "SYJ203.3": 16}


def play(policy: Policy, state: State, rng: SplitMix64) -> int:
    """How many moves a player who follows the policy needs to prove a state."""
    moves = 0
    while state:
        (probabilities,) = policy.probabilities([state])
        chosen = draw(probabilities, rng)
        assert chosen is not None
        state = apply(state, legal_moves(state[0])[chosen])
        moves += 1
    return moves


def lemmas_and_lengths() -> Iterator[tuple[Lemma, int]]:
    yield from ((resolve_lemma(name), length) for name, length in SHORTEST.items())
    for lemma in THEOREMS:
        assert lemma.shortest is not None
        yield lemma, lemma.shortest


@pytest.mark.parametrize(("lemma", "length"), [*lemmas_and_lengths()], ids=lambda value: getattr(value, "name", None))
def test_every_play_is_a_shortest_proof(lemma: Lemma, length: int) -> None:
    policy, rng = Exact(), SplitMix64(0)
    assert {play(policy, initial(lemma.formula), rng) for _ in range(20)} == {length}


def expected(goal: Goal) -> list[float]:
    """The probabilities of legal moves, from a search that tries all proofs."""
    every = frozenset(RULES)
    lengths = {move: sum(shortest(each, every) for each in premises(goal, move)) for move in legal_moves(goal)}
    best = [move for move in lengths if lengths[move] == min(lengths.values())]
    return [1 / len(best) if move in best else 0.0 for move in lengths]


@settings(max_examples=EXAMPLES // 10)
@given(goals(("p", "q", "r")))
def test_exactly_the_moves_that_begin_a_shortest_proof_are_equally_likely(goal: Goal) -> None:
    below(goal, most=300)  # gives up an example that leads to more goals
    (probabilities,) = Exact().probabilities([(goal,)])
    assert probabilities.tolist() == pytest.approx(expected(goal))


def test_where_nothing_can_be_proved_all_moves_are_equally_likely() -> None:
    lost = initial(parse("p \\/ q"))
    stuck = initial(parse("p"))
    probabilities = Exact().probabilities([lost, stuck, ()])
    assert [each.tolist() for each in probabilities] == [[0.5, 0.5], [], []]


def test_where_the_limit_is_reached_all_moves_are_equally_likely_and_the_value_says_nothing() -> None:
    state = initial(resolve_lemma("SYJ203.2").formula)
    for policy in (Exact(max_goals=10), Exact(seconds=0)):
        assert set(policy.probabilities([state])[0]) == {1 / len(legal_moves(state[0]))}
    assert Exact(seconds=0).values(state).tolist() == [0.5]
    assert Exact(max_goals=10).values(state).tolist() == [1.0]


@settings(max_examples=EXAMPLES // 10)
@given(st.lists(goals(("p", "q", "r")), max_size=4))
def test_a_goal_is_worth_one_exactly_if_it_is_provable(some: list[Goal]) -> None:
    truth = [Sequents().decide([formula for _, formula in goal.hypotheses], goal.conclusion) for goal in some]
    below(*some, most=300)
    policy = Exact()
    assert policy.values(some).tolist() == truth
    policy.probabilities([(goal,) for goal in some])
    assert policy.values(some).tolist() == truth


def test_what_is_kept_stays_bounded_and_answers_stay_the_same() -> None:
    bounded, free = Exact(max_goals=60), Exact()
    for lemma in TEXTBOOK * 2:
        state = initial(lemma.formula)
        expected = free.probabilities([state])[0]
        if len(free._lengths) and (known := free._lengths_of(state[0])) and len(known.graph) <= 60:
            assert np.array_equal(bounded.probabilities([state])[0], expected)
        assert len(bounded._lengths) <= 122
