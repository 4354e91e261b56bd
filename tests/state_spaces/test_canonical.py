"""Name and Match are exact: keys and slots are equal exactly if some bijection makes what they are of equal."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given

from state_spaces import Match, Name, Simple, View
from state_spaces.base import Slot
from state_spaces.canonical import Invariants, label
from tactics.formula import FALSE, Atom, Formula
from tactics.goal import Goal, Move, State, sequent
from tactics.rules import RULES, legal_moves, premises
from tests.state_spaces.brute import bijections, corresponding, form, isomorphic
from tests.state_spaces.graphs import FAMILIES
from tests.state_spaces.test_simple import TEXTBOOK, reachable
from tests.state_spaces.variants import LEAVES, SMALL, bare, disguised, near, randoms, renamed, state_of, states, tried
from tests.thorough import thoroughly

ROOT = Path(__file__).resolve().parents[2]
simple, name, match = Simple(), Name(), Match()
SPACES: Final = (name, match)


def seen(space: Name | Match, state: State) -> State:
    """Return the goals that a space looks at."""
    return state if space is name else state[:1]


def sorted_goals(state: State, renaming: dict[Atom, Atom]) -> list[tuple[list[bytes], Formula]]:
    """Return the goals under a renaming, hypotheses in an order that does not depend on theirs."""
    return [
        (sorted(renamed(formula, renaming).digest for formula in hypotheses), renamed(conclusion, renaming))
        for hypotheses, conclusion in bare(state)
    ]


# Random states


@tried
@given(states(), randoms)
def test_renaming_atoms_or_hypotheses_or_shuffling_keeps_the_key(state: State, rng: Random) -> None:
    for what in ({"names", "order"}, {"atoms", "order"}, {"atoms", "names"}, set()):
        other = disguised(state, rng, **dict.fromkeys(what, False)).state
        for space in SPACES:
            assert space.view(other).key == space.view(state).key
            assert space.digest(space.view(other).key) == space.digest(space.view(state).key)


@tried
@given(states(), randoms)
def test_a_state_and_one_near_it_have_equal_keys_exactly_if_a_bijection_is_found(state: State, rng: Random) -> None:
    other = disguised(near(state, rng), rng).state
    for space in SPACES:
        same = isomorphic(seen(space, state), seen(space, other))
        assert (space.view(state).key == space.view(other).key) == same


@tried
@given(states(), randoms)
def test_atoms_with_equal_labels_and_formulas_in_equal_places_correspond(state: State, rng: Random) -> None:
    other = disguised(state, rng).state
    one, two = label(state), label(other)
    bijection = dict(zip(one.atoms, two.atoms, strict=True))
    assert sorted_goals(state, bijection) == sorted_goals(other, {})
    assert {atom.name: image.name for atom, image in bijection.items()} in list(bijections(state, other))
    assert [renamed(formula, bijection) for formula in one.formulas] == list(two.formulas)
    assert one.orbits == two.orbits


# Slots: corresponding moves, and no others, have equal ones.


def blind_moves(goal: Goal) -> list[Move]:
    """Return every rule, and every hypothesis for the rules that take one, whether it applies or not."""
    return [
        Move(rule.name, hypothesis)
        for rule in RULES.values()
        for hypothesis in ([each for each, _ in goal.hypotheses] if rule.takes_hypothesis else [None])
    ]


def legal_slots(view: View, state: State) -> list[Slot]:
    return [view.slot(move) for move in legal_moves(state[0])] if state else []


@tried
@given(states(), randoms)
def test_a_move_keeps_its_slot_in_disguise_whether_it_applies_or_not(state: State, rng: Random) -> None:
    disguise = disguised(state, rng)
    for space in SPACES:
        here, there = space.view(state), space.view(disguise.state)
        for move in blind_moves(state[0]) if state else []:
            other = move if move.hypothesis is None else Move(move.rule, disguise.hypotheses[0][move.hypothesis])
            assert here.slot(move) == there.slot(other)
            assert tuple(json.loads(json.dumps(here.slot(move)))) == here.slot(move)
        assert sorted(map(str, legal_slots(here, state))) == sorted(map(str, legal_slots(there, disguise.state)))


@tried
@given(states(), randoms)
def test_positions_are_equal_just_if_a_bijection_takes_one_hypothesis_to_the_other(state: State, rng: Random) -> None:
    """Within a state, and between two that are the same; moves of a rule have equal slots if their positions are."""
    for other in (state, disguised(near(state, rng), rng).state):
        for space in SPACES:
            here, there = space.view(state), space.view(other)
            if here.key != there.key:
                continue
            pairs = corresponding(seen(space, state), seen(space, other))
            for (one, place), (two, other_place) in product(here.positions.items(), there.positions.items()):
                assert (place == other_place) == ((one, two) in pairs)


@tried
@given(states(), randoms)
def test_moves_with_equal_slots_lead_to_equal_states(state: State, rng: Random) -> None:
    """In Match the goals behind the focused one are not seen, so what is equal is what a move makes of that goal."""
    other = disguised(near(state, rng), rng).state
    for space, another in product(SPACES, (state, other)):
        here, there = space.view(state), space.view(another)
        if not state or here.key != there.key:
            continue
        for one, two in product(legal_moves(state[0]), legal_moves(another[0])):
            if here.slot(one) == there.slot(two):
                after = premises(state[0], one) + seen(space, state)[1:]
                other_after = premises(another[0], two) + seen(space, another)[1:]
                assert name.view(after).key == name.view(other_after).key


# The quick look before a labelling


def invariants_of(*goals: Goal) -> list[int]:
    """Return the invariants of some goals, worked out together."""
    formulas = [
        formula for each in goals for formula in (each.conclusion, *(formula for _, formula in each.hypotheses))
    ]
    invariant = Invariants({formula.id: formula for formula in formulas})
    return [invariant(sequent(each)) for each in goals]


@given(states(), randoms)
def test_renaming_atoms_or_shuffling_hypotheses_keeps_the_invariant(state: State, rng: Random) -> None:
    for one, other in zip(state, disguised(state, rng).state, strict=True):
        first, second = invariants_of(one, other)
        assert first == second


@given(states(), states())
def test_goals_with_different_invariants_have_different_keys(one: State, other: State) -> None:
    goals = [*one, *other]
    known: dict[bytes, int] = {}
    for each, invariant in zip(goals, invariants_of(*goals), strict=True):
        assert known.setdefault(label((each,)).key, invariant) == invariant


def test_invariants_tell_all_goals_of_the_textbook_apart_that_differ() -> None:
    goals = list({each for formula in TEXTBOOK for state in reachable(formula) for each in state})
    keys = {label((each,)).key for each in goals}
    assert len(set(invariants_of(*goals))) == len(keys) < len(goals)


# All states of a kind


def test_among_all_small_goals_keys_and_texts_tell_the_same_ones_apart() -> None:
    goals = [
        state_of([(hypotheses, conclusion)])
        for count in range(3)
        for hypotheses in combinations_with_replacement([*LEAVES, *SMALL], count)
        for conclusion in (Atom("A"), FALSE)
    ]
    pairs = {(name.view(goal).key, form(goal)) for goal in goals}
    assert len(goals) > 2_500 and len(pairs) < len(goals) / 2
    for part in zip(*pairs, strict=True):
        assert len(set(part)) == len(pairs)


def relations(size: int, loops: bool = True) -> Iterator[list[Formula]]:
    """Yield all binary relations on some atoms; each atom is a hypothesis as well, so none is out of sight."""
    atoms = [Atom(f"p{number}") for number in range(size)]
    pairs = [one >> other for one, other in product(atoms, repeat=2) if loops or one is not other]
    for bits in product((0, 1), repeat=len(pairs)):
        yield [*atoms, *(pair for pair, bit in zip(pairs, bits, strict=True) if bit)]


def number_of_keys(states: Iterable[Iterable[list[Formula]]]) -> int:
    """Return the number of different keys of states, each given by the hypotheses of its goals."""
    return len({name.view(state_of((hypotheses, FALSE) for hypotheses in goals)).key for goals in states})


@pytest.mark.parametrize(("size", "number"), [(0, 1), (1, 2), (2, 10), (3, 104)])
def test_there_are_as_many_keys_as_relations_up_to_renaming(size: int, number: int) -> None:
    """The numbers are A000595 of the On-Line Encyclopedia of Integer Sequences."""
    assert number_of_keys([relation] for relation in relations(size)) == number


def test_one_bijection_serves_all_goals() -> None:
    """Burnside's lemma: of the 16 * 16 pairs of relations on two atoms, exchanging the atoms keeps 4 * 4."""
    assert number_of_keys(product(relations(2), repeat=2)) == (16 * 16 + 4 * 4) // 2


# The spaces among each other, and other processes


def test_on_textbook_lemmas_each_space_merges_more_than_the_one_before() -> None:
    found = [state for formula in TEXTBOOK for state in reachable(formula)]
    keys = [tuple(space.view(state).key for space in (simple, name, match)) for state in found]
    simples, names, matches = (len({key[place] for key in keys}) for place in range(3))
    assert simples > names > matches > 100
    assert (len({key[:2] for key in keys}), len({key[1:] for key in keys})) == (simples, names)


def test_the_proved_state_is_the_same_as_no_other() -> None:
    for space in (simple, *SPACES):
        assert space.view(()).positions == {}
        assert space.view(()).key not in {space.view(state_of([([], end)])).key for end in (FALSE, Atom("A"))}


def described(backwards: bool) -> list[list[tuple[str, Mapping[str, str | int]]]]:
    """Return digests and positions of many states, made in one order or the other."""
    sources: list[Callable[[], list[State]]] = [
        *(partial(reachable, formula, 40) for formula in TEXTBOOK),
        *(lambda family=family: [family()] for family in FAMILIES.values()),
    ]
    found = [
        [
            (space.digest(view.key).hex(), view.positions)
            for state in source()
            for space in (simple, *SPACES)
            for view in [space.view(state)]
        ]
        for source in (reversed(sources) if backwards else sources)
    ]
    return found[::-1] if backwards else found


_ELSEWHERE = """
import json
from tactics.formula import Atom
for number in reversed(range(100)):
    Atom(f"p{number}")
from tests.state_spaces.test_canonical import described
print(json.dumps(described(backwards=True)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["1", *thoroughly("2718")])
def test_digests_and_positions_are_the_same_in_another_process(hash_seed: str) -> None:
    """There, formulas have other ids, and sets another order."""
    command = [sys.executable, "-c", _ELSEWHERE]
    other = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(command, env=other, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(answer.stdout) == json.loads(json.dumps(described(backwards=False)))
