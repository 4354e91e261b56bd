"""Slots are exact: corresponding moves, and no others, have equal slots."""

import json
from itertools import product
from random import Random

from hypothesis import given

from state_spaces import View
from state_spaces.base import Slot
from tactics.goal import Goal, Move, State
from tactics.rules import RULES, legal_moves, premises
from tests.state_spaces.brute import corresponding
from tests.state_spaces.test_canonical import SPACES, name, seen
from tests.state_spaces.variants import disguised, near, randoms, states, tried


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
