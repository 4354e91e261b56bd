"""Maxims by hand: shapes as people write them, changes with their reasons, and goals that show what is meant."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from oasis.experience import by_hand
from oasis.experience.by_hand import shape, written_scope
from oasis.experience.example import example
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim
from oasis.experience.scope import ANY, LEFT_SIDE, Scope, scopes
from tactics.errors import InputError
from tactics.rules import RULES, legal_moves
from tests.experience.test_scope import KINDS

LEFT = Scope(ANY, LEFT_SIDE, "left")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", ANY),
        ("_", ANY),
        ("any", ANY),
        ("or(atom,implies)", "or(atom,implies)"),
        ("_ \\/ _", "or"),
        ("p \\/ q", "or(atom,atom)"),
        ("p \\/ (q -> r)", "or(atom,implies)"),
        ("p ∨ (_ → _)", "or(atom,implies)"),
        ("~p", "implies(atom,false)"),
        ("p <-> q", "and(implies,implies)"),
        ("False", "false"),
        ("p", "atom"),
    ],
)
def test_a_shape_is_written_as_an_example(text: str, meant: str) -> None:
    assert shape(text) == meant


@pytest.mark.parametrize("text", ["p \\/ _", "~_", "p \\/", "or(any,atom)", "left side"])
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        shape(text)


def test_every_shape_of_the_journal_is_understood_and_a_side_of_the_goal_is_a_hypothesis() -> None:
    for one, left, right in product(KINDS[:3], KINDS, KINDS):
        assert shape(f"{one}({left},{right})") == f"{one}({left},{right})"
    assert written_scope("left", "", " left  side ") == LEFT
    assert written_scope("nested").rule == "imply4"
    with pytest.raises(InputError, match="magic is not a tactic"):
        written_scope("magic")


def added(library: Library, **more: Any) -> int:
    return by_hand.add(library, PREFER, LEFT, **{"lemma": "p -> p \\/ q", "by": "me", "reason": "r", **more})


def test_what_is_added_is_worded_and_weighs_as_somebody_believes(library: Library) -> None:
    one = library.maxim(added(library, odds=9))
    assert one.content == "Where a hypothesis is the left side of the goal, prove the goal's left side first."
    assert one.evidence == Evidence(8, 0) and one.source == "p -> p \\/ q"
    other = by_hand.add(
        library, AVOID, LEFT._replace(hypothesis=ANY), lemma="p", by="me", reason="r", content="Not it."
    )
    assert library.maxim(other).content == "Not it." and library.maxim(other).evidence.odds == 1 / 4
    with pytest.raises(InputError, match="Maxim 1 is about the same: Where"):
        added(library)
    for odds in (1.0, 0.5, 1e9, float("nan")):
        with pytest.raises(InputError, match="The odds are"):
            by_hand.add(library, PREFER, Scope(ANY, ANY, "split"), lemma="p", by="me", reason="r", odds=odds)


def test_what_is_changed_is_worded_anew_and_loses_what_was_counted_for_something_else(library: Library) -> None:
    number = added(library)
    library.modify(number, {"evidence": [40, 2]}, by="distill", reason="counted")
    by_hand.change(library, number, by="me", reason="other words", content="Go left.")
    assert library.maxim(number).content == "Go left." and library.maxim(number).evidence == Evidence(40, 2)
    with pytest.raises(InputError, match="in words of somebody's own"):
        by_hand.change(library, number, by="me", reason="r", category=AVOID)
    by_hand.change(library, number, by="me", reason="r", category=AVOID, content="Do not go left.", odds=3)
    assert library.maxim(number).category == AVOID and library.maxim(number).evidence == Evidence(0, 2)
    with pytest.raises(InputError, match="Nothing of maxim 1 would change"):
        by_hand.change(library, number, by="me", reason="r", content="Do not go left.")
    with pytest.raises(InputError, match="Maxim 7 is not there"):
        by_hand.change(library, 7, by="me", reason="r", odds=2)
    assert [entry.reason for entry in library.history()] == ["r", "counted", "other words", "r"]


@pytest.mark.parametrize("rule", RULES)
def test_a_goal_shows_what_a_maxim_is_about_and_leaves_a_choice(rule: str) -> None:
    lemmas = {
        "contradiction": "False -> p -> p",
        "assumption": "p -> q /\\ r -> p",
        "intro": "p /\\ q -> p -> p",
        "split": "p /\\ q -> p /\\ q",
        "imply1": "(p -> q) -> p -> p \\/ q",
        "imply2": "(p /\\ q -> r) -> p -> p \\/ r",
        "imply3": "(p \\/ q -> r) -> p -> p \\/ r",
        "imply4": "((p -> q) -> r) -> p -> p \\/ r",
        "destruct_and": "p /\\ q -> p \\/ q",
    }
    source = lemmas.get(rule, "p \\/ q -> q \\/ p")
    maxim = Maxim(1, "Say it.", PREFER, Scope(ANY, ANY, rule), source, "t", "t", "me", Evidence(3, 0))
    shown = example(maxim)
    assert shown is not None and all(move.rule == rule for move in shown.moves)
    assert set(shown.moves) < set(legal_moves(shown.goal))
    assert all(maxim.scope in scopes(shown.goal, move) for move in shown.moves)


def test_no_goal_is_shown_where_none_is_known(tmp_path: Path) -> None:
    (tmp_path / "secret.p").write_text("fof(a, conjecture, ( p )).")
    for source in ("a lemma of a lost file", str(tmp_path / "secret.p"), "p -> p", "file:secret.p"):
        maxim = Maxim(1, "Say it.", PREFER, LEFT, source, "t", "t", "me", Evidence(3, 0))
        assert example(maxim) is None


# As a person types it.
