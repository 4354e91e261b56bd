"""Pointing at formulas, and the proof as a tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.pointing import Place, as_they_came, moves_at, places
from oasis.classroom.proving.tree import Node, ProofTree
from tactics.goal import Move
from tactics.parser import parse
from tactics.printer import COQ, UNICODE, Notation, brief
from tactics.rules import RULES, legal_moves, premises
from tactics.script import ScriptError, parse_script
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


def test_one_half_of_a_disjunction_is_a_choice_and_what_is_not_allowed_follows_only_where_nothing_else_does() -> None:
    assert [at("|- p \\/ q", None, half) for half in ("left", "right")] == [["left"], ["right"]]
    assert at("p \\/ q |- p \\/ q", None, "right") == ["right"]
    assert at("|- p -> q", None, "right") == ["intro"]
    assert at("|- p \\/ q", None, rules="left intro") == ["left"]
    assert at("p /\\ q |- q", "H", rules="intro") == ["destruct_and H"]


# The proof as a tree: every goal stands where its move left it, and an outline fits where it is drawn.


OR_COMM = parse("p \\/ q -> q \\/ p")


def tree(script: str) -> ProofTree:
    return ProofTree.of(OR_COMM, parse_script(script))


@given(walks())
def test_every_goal_stands_where_its_move_left_it_and_moves_where_their_goals_were_in_focus(walk: Walk) -> None:
    found = ProofTree.of(walk.formula, walk.script)
    assert (found.root.goal,) == walk.states[0]
    for node in found.nodes():
        left = () if node.move is None else premises(node.goal, node.move)
        assert tuple(child.goal for child in node.children) == left
    made = [node for node in found.nodes() if node.move is not None]
    assert [(node.step, node.move) for node in made] == list(enumerate(walk.script))
    assert [node.goal for node in made] == [state[0] for state in walk.states[:-1]]
    still_open = [node for node in found.nodes() if node.move is None]
    assert tuple(node.goal for node in still_open) == walk.states[-1]
    assert found.focused is (still_open[0] if still_open else None)
    if found.focused is not None:
        assert found.focused.step == len(walk.script)


@given(walks())
def test_of_the_lines_of_an_outline_those_that_are_set_in_have_goals_beside_them(walk: Walk) -> None:
    found = ProofTree.of(walk.formula, walk.script)
    lines = list(found.lines())
    splits: dict[Node, int] = {lines[0].node: 0}
    for line in lines[1:]:
        assert line.parent is not None
        splits[line.node] = splits[line.parent] + (len(line.parent.children) > 1)
        assert len(line.branch) == 2 * splits[line.node]
        assert (line.branch[-2:] in ("├ ", "└ ")) == (len(line.parent.children) > 1)


@given(walks(), st.integers(0, 100), st.sampled_from([COQ, UNICODE]))
def test_an_outline_says_all_that_fits_and_else_what_is_new(walk: Walk, width: int, notation: Notation) -> None:
    found = ProofTree.of(walk.formula, walk.script)
    lines, whole = (found.outline(notation, width=room).split("\n") for room in (width, None))
    assert len(lines) == len(whole) == len(list(found.nodes()))
    for line, all_of_it, (node, _, parent) in zip(lines, whole, found.lines(), strict=True):
        if cell_len(all_of_it) <= width:
            assert line == all_of_it
            continue
        shared = set() if parent is None else set(parent.goal.hypotheses)
        for each in node.goal.hypotheses:
            assert each in shared or f"{each.name} : {brief(each.formula, notation)}" in line
        assert line.endswith(f"{notation.turnstile} {brief(node.goal.conclusion, notation)}")
        assert cell_len(line) <= cell_len(all_of_it)


@given(walks(names=("A", "B", "H")))
def test_an_outline_in_ascii_is_in_ascii(walk: Walk) -> None:
    assert ProofTree.of(walk.formula, walk.script).outline(ascii_only=True, width=40).isascii()


def test_an_outline_reads_as_expected() -> None:
    assert tree("intro; destruct_or H; right; assumption").outline(UNICODE).split("\n") == [
        "intro          ⊢ p ∨ q → q ∨ p",
        "destruct_or H  H : p ∨ q ⊢ q ∨ p",
        "├ right        H : p ⊢ q ∨ p",
        "│ assumption   H : p ⊢ p",
        "└ here         H : q ⊢ q ∨ p",
    ]
    *_, now, later = tree("intro; destruct_or H").outline().split("\n")
    assert now.startswith("├ here ") and later.startswith("└ open "), "a goal that waits is open"
    with pytest.raises(ScriptError, match="Step 2: split"):
        tree("intro; split")
