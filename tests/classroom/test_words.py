"""What is said of points, in the same words everywhere."""

from __future__ import annotations

from datetime import datetime

import pytest

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.exercise import Terms
from oasis.classroom.proving.words import cost, slip, worth
from tactics.goal import Move
from tactics.parser import parse


def attempt(terms: Terms | None = None) -> Attempt:
    """One with two hints, a wrong claim and a slip."""
    begun = Attempt(parse("p \\/ q -> q \\/ p"), terms=terms or Terms())
    begun.make(Move("intro"))
    begun.take_hint()
    begun.take_hint()
    begun.claim(right=False)
    with pytest.raises(Refused):
        begun.make(Move("split"))
    return begun


def test_what_points_were_lost_for_is_told_and_what_was_before_is_told_apart() -> None:
    begun = attempt()
    now = worth(5, begun, begun.helped, begun.slips, listed=False)
    assert now == "5 of 10 points: two hints, a wrong claim, a slip"
    more = worth(1, begun, begun.helped + 1, begun.slips + 2, listed=True)
    assert more == "1 of 10 points: two hints, a wrong claim, earlier help, three slips, the list"


def test_where_nothing_was_lost_nothing_is_told() -> None:
    assert worth(10, Attempt(parse("p -> p")), 0, 0, listed=False) == "10 of 10 points"
    due = datetime(2020, 12, 1, 18).astimezone()
    late = worth(9, Attempt(parse("p -> p")), 0, 2, listed=False, late=due)
    assert late == "9 of 10 points: two slips; late, as it was due 2020-12-01 18:00"


def test_what_others_have_done_is_told() -> None:
    begun = Attempt(parse("p -> p -> p"))
    begun.take_over((Move("intro"), Move("intro")))
    assert worth(8, begun, begun.helped, begun.slips, listed=False) == "8 of 10 points: two moves of somebody else's"


def test_costs_are_told_before_they_are_taken() -> None:
    assert (cost(1), cost(3), cost(0)) == ("a point", "three points", "nothing")
    assert cost(0, is_done=True) == "nothing, as this lemma is done"
    assert slip(0, 1) == "That is a slip; every second one costs a point."
    assert slip(1, 1) == "That is a slip, and every second one costs a point: this one does."
    assert slip(0, 0) == "That is a slip, which costs nothing any more."
