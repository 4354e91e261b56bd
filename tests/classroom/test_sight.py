"""What may be seen of a partner before a lemma is done, whatever came of its tries."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import Pipe
from typing import cast

import pytest

from oasis.classroom.desk.sight import Sight, is_free, seen, sight, unpaid
from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.messages import Look, Report
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.worker import Worker
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import NotAllowed
from oasis.classroom.proving.exercise import Terms
from oasis.student.settings import Settings
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.script import parse_script
from tests.classroom.people import PROOF

OR_COMM = parse("p \\/ q -> q \\/ p")


def at(*moves: str, terms: Terms | None = None) -> Attempt:
    """An attempt after some moves."""
    attempt = Attempt(OR_COMM, terms=terms or Terms())
    for move in moves:
        attempt.make(parse_script(move)[0])
    return attempt


def told(partner: Partner, attempt: Attempt) -> Report:
    """What a partner would report of itself and of the student's state."""
    here, there = Pipe()
    with here, there:
        worker = Worker(there, partner)
        worker._do(Look(attempt.state, plan=True))
        worker._report()
        return cast("Report", here.recv())


@pytest.fixture(scope="module")
def practised() -> Agent:
    """An agent that has found proofs."""
    agent = Agent(OR_COMM, Settings())
    agent.practise(100)
    assert agent.knows.best is not None and agent.plan()
    return agent


def test_what_was_found_out_has_the_price_of_all_hints_of_the_state_once_for_each() -> None:
    attempt = at("intro")
    assert sight(attempt, is_done=False, is_new=True) is Sight.ALL, "who knows nothing gives nothing away"
    assert sight(attempt, is_done=False, is_new=False) is Sight.TRIES and unpaid(attempt) == 3
    assert attempt.helped == 0  # to ask for the price costs nothing
    attempt.be_told()
    assert attempt.helped == 3
    assert sight(attempt, is_done=False, is_new=False) is Sight.STATE
    attempt.make(Move("left"))
    assert sight(attempt, is_done=False, is_new=False) is Sight.TRIES


def test_where_there_is_no_choice_or_nobody_may_tell_nothing_can_be_paid() -> None:
    for attempt in (at(), at("intro", terms=Terms(hints=2))):
        assert sight(attempt, is_done=False, is_new=False) is Sight.TRIES
        with pytest.raises(NotAllowed):
            unpaid(attempt)


def test_everything_is_free_when_the_exercise_is_done_or_shows_it() -> None:
    proved = at()
    for move in PROOF:
        proved.make(move)
    assert is_free(proved, is_done=False)
    assert is_free(at("intro"), is_done=True)
    assert is_free(at("intro", terms=Terms(agent="shown")), is_done=False)
    assert sight(at("intro"), is_done=True, is_new=False) is Sight.ALL


def test_unpaid_a_partner_that_proves_looks_as_one_that_does_not(practised: Agent) -> None:
    attempt = at("intro")
    report = told(practised, attempt)
    hidden = seen(report, Sight.TRIES, attempt)
    assert hidden.knows.episodes == 100 and hidden.hides_tries and hidden.hides_where
    assert (hidden.knows.proved, hidden.knows.best, hidden.knows.exam, hidden.knows.states) == (0, None, None, 0)
    assert (hidden.state, hidden.script, hidden.intends) == (initial(OR_COMM), (), None)
    assert (hidden.opinion, hidden.reason, hidden.plan, hidden.shares) == (None, None, (), ())
    assert len(hidden.curve.last) == len(hidden.curve.exams) == 0


def test_paid_it_tells_all_of_the_state_and_nothing_of_the_way_on(practised: Agent) -> None:
    attempt = at("intro")
    report = told(practised, attempt)
    assert len(report.script) > 2
    paid = seen(report, Sight.STATE, attempt)
    assert paid.opinion == report.opinion is not None and paid.knows == report.knows and not paid.hides_tries
    assert paid.plan == () and paid.hides_where and paid.script == ()
    assert seen(report, Sight.ALL, attempt) is report


@pytest.mark.parametrize(("moves", "is_seen"), [(1, True), (2, True), (3, False), (6, False)])
def test_paid_it_is_seen_no_farther_than_one_move_from_the_student(practised: Agent, moves: int, is_seen: bool) -> None:
    attempt = at("intro")
    beyond = replace(told(practised, attempt), script=PROOF[:moves], intends=Move("right"), playing=False)
    paid = seen(beyond, Sight.STATE, attempt)
    assert paid.hides_where is not is_seen
    assert paid.script == (PROOF[:moves] if is_seen else ())
    assert paid.intends == (Move("right") if moves == 1 else None)
    assert seen(replace(beyond, playing=True), Sight.STATE, attempt).hides_where
