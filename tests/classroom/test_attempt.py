"""An attempt against a list of states: whatever is made, taken back and made again, it stands where it should."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.attempt import Attempt
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove, apply, legal_moves
from tactics.script import parse_script, replay
from tests.strategies import Walk, walks

AND_COMM = parse("A /\\ B -> B /\\ A")


def after(script: str) -> Attempt:
    attempt = Attempt(AND_COMM)
    for move in parse_script(script):
        attempt.make(move)
    return attempt


@given(walks())
def test_making_moves_is_replaying_their_script(walk: Walk) -> None:
    attempt = Attempt(walk.formula)
    for move in walk.script:
        attempt.make(move)
    assert attempt.states == list(walk.states)
    assert attempt.states == replay(walk.formula, attempt.script)
    assert Attempt(walk.formula, list(walk.script)).states == attempt.states


@given(walks(), st.data())
def test_every_jump_leads_to_the_state_of_that_step_and_loses_nothing(walk: Walk, data: st.DataObject) -> None:
    attempt = Attempt(walk.formula, list(walk.script))
    for _ in range(5):
        step = data.draw(st.integers(0, len(walk.script)))
        attempt.jump(step)
        assert attempt.state == walk.states[step]
        assert attempt.made + attempt.undone[::-1] == list(walk.script)


@given(walks())
def test_what_is_on_offer_applies_and_leaves_what_it_says(walk: Walk) -> None:
    attempt = Attempt(walk.formula, list(walk.script))
    state = attempt.state
    assert [offer.move for offer in attempt.offers()] == list(legal_moves(state[0]) if state else ())
    for offer in attempt.offers():
        assert offer.leaves + state[1:] == apply(state, offer.move)


def test_a_move_after_undo_forgets_what_was_undone_unless_it_is_the_same() -> None:
    attempt = after("intro; destruct_and H; split")
    attempt.jump(1)
    attempt.make(Move("destruct_and", "H"))
    assert attempt.undone == [Move("split")]
    attempt.undo()
    attempt.make(Move("split"))
    assert attempt.undone == []


def test_a_move_that_does_not_apply_changes_nothing() -> None:
    attempt = after("intro")
    attempt.make(Move("split"))
    attempt.undo()
    with pytest.raises(IllegalMove):
        attempt.make(Move("left"))
    assert (attempt.made, attempt.undone) == ([Move("intro")], [Move("split")])


def test_where_nothing_can_be_undone_or_redone_a_sentence_says_so() -> None:
    attempt = Attempt(AND_COMM)
    with pytest.raises(InputError, match="no move to take back"):
        attempt.undo()
    with pytest.raises(InputError, match="no move to make again"):
        attempt.redo()
    with pytest.raises(InputError, match="no step 1; choose one from 0"):
        attempt.jump(1)


def test_hints_say_more_each_time_in_one_state_and_begin_anew_in_the_next() -> None:
    attempt = after("intro")
    assert [attempt.take_hint() for _ in range(6)] == [1, 2, 3, 4, 4, 4]
    attempt.make(Move("split"))
    assert attempt.take_hint() == 1
    attempt.undo()
    assert attempt.take_hint() == 4
    assert [hint.step for hint in attempt.hints] == [1] * 6 + [2, 1]
