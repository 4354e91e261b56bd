"""Exact lengths, values and policy, against searches over states that know nothing of goals as units."""

import gc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.rewards import REWARDS
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths, Payoff, Values, lengths
from oasis.teacher.policy import Exact
from tactics.formula import Formula
from tactics.goal import Goal, Move, initial, sequent
from tactics.parser import parse
from tactics.rules import RULES, apply, legal_moves, premises
from tactics.unnamed import NONE
from tests.strategies import PAID_BY_KIND, goals
from tests.student.truth import longest_route, solve
from tests.teacher.models import EXAMPLES
from tests.teacher.reached import below
from tests.teacher.test_restricted import shortest

TEXTBOOK = {name: textbook_lemma(name) for name in textbook_names()}
textbook = pytest.mark.parametrize("name", TEXTBOOK)
LEMMAS = {
    "SYJ203.1": resolve_lemma("SYJ203.1").formula,
    "SYJ203.2": resolve_lemma("SYJ203.2").formula,
    **{name: TEXTBOOK[name].formula for name in ("or_comm", "and_over_or", "excluded_middle", "peirce", "scott")},
    "twice the same hypothesis": parse("(p | q) => ((p | q) => ((r => p) => (q | p)))"),
    "an atom": parse("p"),
}
lemmas = pytest.mark.parametrize("lemma", LEMMAS.values(), ids=LEMMAS)


@given(goals())
def test_the_graph_has_every_goal_and_every_move(root: Goal) -> None:
    reached = below(root)
    graph = GoalGraph([root])
    assert set(graph.number) == {sequent(goal) for goal in reached}
    assert len(graph) == len(graph.number)
    for goal in reached:
        number = graph.number[sequent(goal)]
        moves = graph.moves(goal)
        assert list(moves) == list(legal_moves(goal))
        assert set(moves.values()) == set(range(graph.first_move[number], graph.first_move[number + 1]))
        for place, times in Counter(moves.values()).items():
            assert graph.times[place] == times
        for move, place in moves.items():
            assert list(RULES)[graph.rule[place]] == move.rule
            left = [graph.number[sequent(premise)] for premise in premises(goal, move)]
            assert [each for each in graph.premises[place] if each != NONE] == left
            assert all(each < number for each in left)


def test_a_graph_knows_its_goals_when_all_of_them_were_forgotten_and_made_again() -> None:
    text = "((passing -> q) -> r) -> (passing \\/ s -> q) -> r"
    graph = GoalGraph(initial(parse(text)))
    gc.collect()
    (root,) = initial(parse(text))
    for goal in below(root):
        assert list(graph.moves(goal)) == list(legal_moves(goal))


@lemmas
def test_the_longest_episode_is_the_longest_proof_or_the_longest_way_to_be_stuck(lemma: Formula) -> None:
    _, longest, stuck = lengths(lemma).ends(initial(lemma))
    assert max(longest, stuck) == longest_route(lemma)


@lemmas
def test_each_move_has_the_length_of_the_proof_that_begins_with_it(lemma: Formula) -> None:
    found = lengths(lemma)
    for goal in below(*initial(lemma)):
        for move, length in found.by_move(goal).items():
            rest = found.shortest_proof(premises(goal, move))
            assert length == (None if rest is None else 1 + rest)


@lemmas
@pytest.mark.parametrize("reward", PAID_BY_KIND)
@pytest.mark.parametrize(("gamma", "epsilon"), [(0.5, 0.0), (0.9, 0.4), (1.0, 0.0), (0.99, 1.0)])
def test_every_state_has_the_value_a_search_finds(lemma: Formula, reward: str, gamma: float, epsilon: float) -> None:
    truth = solve(lemma, "legal", REWARDS[reward](), gamma, epsilon)
    found = Values(lengths(lemma), Payoff.of(REWARDS[reward]()), gamma, epsilon)
    assert found.v(()) == 0
    for state, value in truth.v.items():
        assert found.v(state) == pytest.approx(value, rel=1e-12, abs=1e-12)


def test_a_goal_that_cannot_be_proved_spoils_a_state_only_when_it_is_reached() -> None:
    # The first goal is proved in two moves; then the second is stuck, so the second move pays -1.
    hopeless = apply(initial(parse("(p => p) & q")), Move("split"))
    found = Values(Lengths(GoalGraph(hopeless)), Payoff.of(REWARDS["terminating"]()), 0.9)
    assert found.v(hopeless) == pytest.approx(-0.9)
    assert found.v(hopeless[1:]) == 0


def test_too_many_goals_are_refused() -> None:
    lemma = resolve_lemma("SYJ203.3").formula
    assert len(lengths(lemma, max_goals=339).graph) == 339
    with pytest.raises(LimitReached, match="338 goals were not enough"):
        lengths(lemma, max_goals=338)


def test_the_clock_is_looked_at_while_goals_are_explored_and_values_worked_out() -> None:
    lemma = resolve_lemma("SYJ203.3").formula
    with pytest.raises(LimitReached, match="0 seconds were not enough"):
        lengths(lemma, Limit(0))
    with pytest.raises(LimitReached, match="0 seconds were not enough"):
        Values(lengths(lemma), Payoff.of(REWARDS["standard"]()), 0.9, 0.4, Limit(0)).v(initial(lemma))


def test_a_payoff_for_which_the_formulas_do_not_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="no less than to be stuck"):
        Values(lengths(LEMMAS["an atom"]), Payoff(0, 1, 1), 0.9)


# The exact policy: it plays shortest proofs, prefers none of them, and knows what can be proved.


def expected(goal: Goal) -> list[float]:
    """Return the probabilities of legal moves, from a search that tries all proofs."""
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
    for lemma in [*TEXTBOOK.values()] * 2:
        state = initial(lemma.formula)
        expected = free.probabilities([state])[0]
        if len(free._lengths) and (known := free._lengths_of(state[0])) and len(known.graph) <= 60:
            assert np.array_equal(bounded.probabilities([state])[0], expected)
        assert len(bounded._lengths) <= 122
