"""An attempt against a list of states: whatever is made, taken back and made again, it stands where it should."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.proving.attempt import Attempt, Event, NotAllowed
from oasis.classroom.proving.exercise import POINTS, Terms
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove, apply, legal_moves
from tactics.script import parse_script, replay
from tests.strategies import Walk, walks

AND_COMM = parse("A /\\ B -> B /\\ A")


def after(script: str, terms: Terms | None = None) -> Attempt:
    attempt = Attempt(AND_COMM, terms=terms or Terms())
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
    attempt = after("intro", Terms(light=False))
    assert [attempt.take_hint() for _ in range(6)] == [1, 2, 3, 4, 4, 4]
    attempt.make(Move("split"))
    assert attempt.take_hint() == 1
    attempt.undo()
    assert attempt.take_hint() == 4
    assert [hint.step for hint in attempt.hints] == [1] * 4 + [2]


@given(walks(), st.data())
def test_the_events_of_an_attempt_make_it_again(walk: Walk, data: st.DataObject) -> None:
    events: list[Event] = []
    attempt = Attempt(walk.formula, record=events.append)
    for move in walk.script:
        attempt.make(move)
        match data.draw(st.sampled_from(["go on", "undo", "jump", "hint", "claim", "redo", "refuse", "give", "ask"])):
            case "undo":
                attempt.undo()
                attempt.redo()
            case "redo":
                attempt.undo()
                attempt.make(move)
            case "jump":
                attempt.jump(data.draw(st.integers(0, len(attempt.made))))
                attempt.jump(len(attempt.made) + len(attempt.undone))
            case "hint":
                attempt.take_hint()
            case "claim":
                attempt.claim(right=False)
            case "refuse" if not attempt.proved:
                with pytest.raises(IllegalMove):
                    attempt.make(Move("imply1", "nobody"))
            case "give":
                attempt.take_over(attempt.script)
            case "ask":
                attempt.ask_agent()
    again = Attempt(walk.formula)
    again.happen(events)
    assert again == attempt
    assert again.states == attempt.states


def test_what_could_never_have_happened_is_refused_in_words() -> None:
    for event in [Event("undo"), Event("redo"), Event("jump", "3"), Event("move", "left"), Event("dance")]:
        with pytest.raises(InputError):
            Attempt(AND_COMM).happen([event])


def test_terms_say_which_moves_are_on_offer_and_allowed() -> None:
    attempt = after("intro", Terms(rules=("intro", "split")))
    assert [offer.move for offer in attempt.offers()] == [Move("split")]
    with pytest.raises(NotAllowed, match="destruct_and is not allowed here; the tactics are intro, split"):
        attempt.make(Move("destruct_and", "H"))


def test_help_costs_what_the_terms_say_and_never_all() -> None:
    terms = Terms(hint_cost=3)
    attempt = after("intro", terms)
    attempt.take_hint()
    attempt.take_hint()
    assert attempt.points == 0
    for move in parse_script("destruct_and H; split; assumption; assumption"):
        attempt.make(move)
    assert attempt.points == POINTS - 6
    for _ in range(3):
        attempt.claim(right=False)
    assert attempt.points == 1


def test_the_last_hint_again_costs_nothing_and_is_not_written_down() -> None:
    attempt = after("intro")
    for _ in range(5):
        attempt.take_hint()
    assert [hint.level for hint in attempt.hints] == [2, 3, 4]
    assert attempt.helped == 3


def test_without_hints_in_the_terms_none_is_given() -> None:
    for terms in (Terms(hints=0), Terms(hints=1, light=True)):
        with pytest.raises(NotAllowed, match="no hints"):
            after("intro", terms).take_hint()
    assert after("intro", Terms(hints=2)).take_hint() == 2


def test_moves_of_others_can_be_taken_over_and_are_counted() -> None:
    attempt = after("intro; split")
    attempt.take_over(parse_script("intro; destruct_and H; split"))
    assert attempt.given == 2
    assert attempt.script == parse_script("intro; destruct_and H; split")
    with pytest.raises(InputError):
        attempt.take_over(parse_script("intro; left"))
    assert len(attempt.made) == 3


def test_a_lemma_rightly_said_to_have_no_proof_is_done() -> None:
    attempt = Attempt(parse("p \\/ ~p"))
    attempt.claim(right=True)
    assert attempt.is_over
    assert not attempt.proved
    assert attempt.points == POINTS
