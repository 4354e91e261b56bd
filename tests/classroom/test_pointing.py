"""Pointing at formulas: every move follows from one, and where none does a reason is given."""

from __future__ import annotations

import pytest
from hypothesis import given

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.pointing import Place, as_they_came, moves_at, places
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import RULES, legal_moves
from tactics.script import parse_script
from tactics.sequent import parse_state
from tests.strategies import Walk, walks


def at(goal: str, place: str | None, side: str = "", rules: str = " ".join(RULES)) -> list[str]:
    """What follows from pointing at a hypothesis, or the conclusion, of a goal."""
    (parsed,) = parse_state(goal)
    return sorted(map(str, moves_at(parsed, Place(place, side), rules.split())))


@given(walks())
def test_every_move_that_applies_follows_from_pointing_and_no_other_does(walk: Walk) -> None:
    for state in walk.states:
        for goal in state[:1]:
            legal = set(legal_moves(goal))
            found = {place: moves_at(goal, place, RULES) for place in places(goal)}
            assert legal <= {move for moves in found.values() for move in moves}
            for place, moves in found.items():
                assert moves and len(set(moves)) == len(moves)
                assert set(moves) <= legal or (len(moves) == 1 and not set(moves) & legal)
                assert all(move.hypothesis in (None, place.hypothesis) for move in moves)


@given(walks())
def test_every_hypothesis_stays_in_its_row_and_what_takes_its_place_stands_there(walk: Walk) -> None:
    for move, before, after in zip(walk.script, walk.states, walk.states[1:], strict=False):
        rows = [each.name for each in as_they_came(before[0])]
        for goal in after[: len(after) - len(before) + 1]:
            now = as_they_came(goal)
            assert [each.name for each in now][: len(rows)] == rows, move
            assert sorted(now) == sorted(goal.hypotheses)


@pytest.mark.parametrize("rule", ["imply2 H", "imply4 H", "imply3 H"])
def test_curry_nested_and_split_or_leave_the_rows_above_and_below_where_they_are(rule: str) -> None:
    ways = {"imply2 H": "p /\\ q -> r", "imply3 H": "p \\/ q -> r", "imply4 H": "(p -> q) -> r"}
    attempt = Attempt(parse(f"({ways[rule]}) -> (s -> p) -> s -> r"))
    for move in parse_script(f"intro; intro; intro; {rule}"):
        attempt.make(move)
    names = [each.name for each in attempt.state[0].hypotheses]
    shown = [place.hypothesis for place in places(attempt.state[0])[:-1]]
    assert names[0] != "H", "the calculus puts it behind the others"
    assert shown[:3] == ["H", "H0", "H1"]


@given(walks())
def test_where_no_move_follows_the_one_that_was_meant_is_refused(walk: Walk) -> None:
    attempt = Attempt(walk.formula, list(walk.script))
    for place in places(attempt.state[0]) if attempt.state else ():
        (move, *_) = moves_at(attempt.state[0], place, RULES)
        if move not in legal_moves(attempt.state[0]):
            with pytest.raises(Refused):
                attempt.make(move)


@pytest.mark.parametrize(
    ("goal", "place", "moves"),
    [
        ("|- p -> q", None, ["intro"]),
        ("|- p /\\ q", None, ["split"]),
        ("|- p \\/ q", None, ["left", "right"]),
        ("p |- p", None, ["assumption"]),
        ("p |- p", "H", ["assumption"]),
        ("p -> q |- p -> q", None, ["assumption", "intro"]),
        ("p -> q, p |- p -> q", "H", ["assumption", "imply1 H"]),
        ("False |- q", "H", ["contradiction"]),
        ("False |- False", "H", ["assumption", "contradiction"]),
        ("False |- q", None, ["assumption"]),
        ("p /\\ q |- q", "H", ["destruct_and H"]),
        ("p \\/ q |- q", "H", ["destruct_or H"]),
        ("p -> q |- q", "H", ["imply1 H"]),
        ("(p /\\ q) -> r, p /\\ q |- q", "H", ["imply1 H", "imply2 H"]),
        ("(p -> q) -> r |- q", "H", ["imply4 H"]),
        ("q |- p", "H", ["assumption"]),
        ("q, p |- p", "H", ["imply1 H"]),
    ],
)
def test_the_connective_says_what_to_do(goal: str, place: str | None, moves: list[str]) -> None:
    assert at(goal, place) == moves


def test_one_half_of_a_disjunction_is_a_choice() -> None:
    assert at("|- p \\/ q", None, "left") == ["left"]
    assert at("|- p \\/ q", None, "right") == ["right"]
    assert at("p \\/ q |- p \\/ q", None, "right") == ["right"]
    assert at("|- p -> q", None, "right") == ["intro"]


def test_what_is_not_allowed_follows_only_where_nothing_else_does() -> None:
    assert at("|- p \\/ q", None, rules="left intro") == ["left"]
    assert at("p /\\ q |- q", "H", rules="intro") == ["destruct_and H"]


def test_the_order_of_several_moves_says_nothing() -> None:
    first = [moves_at(parse_state(f"|- a{number} \\/ b")[0], Place(None))[0] for number in range(40)]
    assert 10 <= first.count(Move("left")) <= 30
