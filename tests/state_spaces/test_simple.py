"""Simple: the key is the printed text and the slot the move."""

import json
from itertools import combinations

from hypothesis import given, settings

from curricula.library import textbook_lemma, textbook_names
from state_spaces import Simple
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import apply, legal_moves
from tests.strategies import PLAIN_NAMES, Walk, walks

TEXTBOOK = [textbook_lemma(name).formula for name in textbook_names()]
simple = Simple()
patiently = settings(deadline=None)


def text(state: State) -> str:
    """Return all goals in their order as a person reads them, nothing abbreviated."""
    return "\n\n".join(
        "\n".join(f"{name} : {show(formula, sugar=False)}" for name, formula in goal.hypotheses)
        + f"\n|- {show(goal.conclusion, sugar=False)}"
        for goal in state
    )


def distances(formula: Formula, limit: int = 300) -> dict[State, int]:
    """Return up to `limit` states, in an order that is the same in every process, with their fewest moves."""
    seen = {initial(formula): 0}
    for state in (pending := [*seen]):
        for move in legal_moves(state[0]) if state else ():
            after = apply(state, move)
            if after not in seen and len(seen) < limit:
                seen[after] = seen[state] + 1
                pending.append(after)
    return seen


def reachable(formula: Formula, limit: int = 300) -> list[State]:
    return list(distances(formula, limit))


def digest(state: State) -> bytes:
    """Return the digest of a state, the same in every process."""
    return simple.digest(simple.view(state).key)


@patiently
@given(walks(PLAIN_NAMES), walks(PLAIN_NAMES))
def test_keys_are_equal_exactly_if_the_text_is(one: Walk, other: Walk) -> None:
    for first, second in combinations({*one.states, *other.states}, 2):
        same = text(first) == text(second)
        assert (simple.view(first).key == simple.view(second).key) == same
        assert (digest(first) == digest(second)) == same


def test_an_atom_out_of_sight_makes_a_difference_where_it_takes_a_name() -> None:
    # Both read `p -> p`, but the atom H of the first lemma makes its next hypothesis H0: they do not go on alike.
    hidden, plain = apply(initial(parse("H \\/ (p -> p)")), Move("right")), initial(parse("p -> p"))
    assert text(hidden) == text(plain)
    assert text(apply(hidden, Move("intro"))) != text(apply(plain, Move("intro")))
    assert simple.view(hidden).key != simple.view(plain).key
    assert digest(hidden) != digest(plain)
    assert simple.view(apply(initial(parse("q \\/ (p -> p)")), Move("right"))).key == simple.view(plain).key


@patiently
@given(walks())
def test_the_slot_of_a_move_is_its_rule_and_the_name_of_its_hypothesis(walk: Walk) -> None:
    for state in walk.states[:-1]:
        view = simple.view(state)
        moves = [*legal_moves(state[0]), *(Move("imply4", name) for name, _ in state[0].hypotheses), Move("simplify")]
        assert [view.slot(move) for move in moves] == [(move.rule, move.hypothesis) for move in moves]
        assert all(tuple(json.loads(json.dumps(view.slot(move)))) == view.slot(move) for move in moves)
