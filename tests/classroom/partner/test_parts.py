"""The parts of a partner: its curve, its pace, its plan, its switches, and what a student may see of it."""

from dataclasses import replace
from math import inf
from multiprocessing import Pipe
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.desk.sight import Sight, is_free, seen, sight, unpaid
from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.curve import Curve
from oasis.classroom.partner.messages import Look, Report
from oasis.classroom.partner.pace import Pace
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.plan import Difference, Planned, difference
from oasis.classroom.partner.switches import KEPT_THROUGH, SWITCHES, called, switched
from oasis.classroom.partner.worker import Worker
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import NotAllowed
from oasis.classroom.proving.exercise import Terms
from oasis.play.exam import Exam
from oasis.rewards.named import recorded
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.goal import Move, initial
from tactics.script import parse_script
from tests.classroom.partner.agents import AND_COMM
from tests.classroom.people import OR_COMM, PROOF, make

LENGTHS = st.lists(st.sampled_from([0, 0, 1, 2, 5, 9]), max_size=100)


@given(LENGTHS, st.sampled_from([1, 2, 4, 7, 200]), st.sampled_from([1, 3, 10, 1000]))
def test_every_stretch_says_what_its_episodes_say(lengths: list[int], kept: int, most: int) -> None:
    curve = Curve(kept)
    for moves in lengths:
        curve.add(moves)
    points = curve.points(most)
    assert curve.episodes == len(lengths)
    assert len(points.last) <= most and curve.width * max(kept, 2) < 2 * max(len(lengths), kept, 2) + 4
    first = 0
    for last, proved, mean, shortest in zip(points.last, points.proved, points.mean, points.shortest, strict=True):
        proofs = [moves for moves in lengths[first:last] if moves]
        assert proved == len(proofs) / (last - first)
        assert shortest == min(proofs, default=0)
        assert np.isnan(mean) if not proofs else mean == sum(proofs) / len(proofs)
        first = last
    assert first == len(lengths)


def test_examinations_get_rarer_and_proofs_shown_are_no_episodes() -> None:
    curve = Curve()
    for _ in range(5000):
        curve.add(7)
        if curve.exam_is_due:
            curve.add_exam(Exam(3, (6, 4) if curve.episodes % 2 else (6,), None))
    curve.add_shown()
    points = curve.points()
    assert list(points.exams[:5]) == [1, 2, 3, 4, 5]
    assert 100 < len(points.exams) < 200 and set(points.greedy) == {0, 6}
    assert list(points.shown) == [5000] and curve.episodes == 5000


def test_steps_are_due_at_the_speed_that_was_set_and_a_single_one_at_once() -> None:
    assert Pace().due() == inf
    pace = Pace(speed=4, episodes=1)
    pace.step(100.0)
    assert pace.due() == 100.25
    pace.speed = inf
    assert pace.is_full and pace.due() == 100.0
    single = Pace(speed=1, last=5.0, steps=1)
    assert single.due() == -inf
    single.step(6.0)
    assert single.due() == inf


def test_when_all_episodes_are_played_or_it_is_stopped_none_is_due() -> None:
    pace = Pace(episodes=2)
    for is_due in (True, False, False):
        pace.end()
        assert (pace.due() < inf) == is_due and pace.episodes == is_due
    endless = Pace(episodes=inf)
    endless.end()
    assert endless.is_full
    endless.stop()
    assert endless.due() == inf


def test_where_there_is_no_step_to_make_none_is_due_unless_it_comes_to_an_end() -> None:
    pace = Pace(episodes=inf, steps=1)
    pace.end_without_step()
    assert pace.due() == inf and pace.episodes == 0
    pace = Pace(episodes=2)
    pace.end_without_step()
    assert pace.episodes == 2


# Where two plans part: at the first different choice, else at the first different figure, else nowhere.


def plan(script: str, *figures: float) -> list[Planned]:
    return [Planned(move, (move,), ("Q", figure)) for move, figure in zip(parse_script(script), figures, strict=True)]


@pytest.mark.parametrize(
    ("one", "other", "parted"),
    [
        (("intro; split; left", 0.5, 0.6, 0.7), ("intro; split; right", 0.1, 0.6, 0.7), ("intro; split", True, False)),
        (("intro", 0.5), ("intro; left", 0.5, 0.6), ("intro", True, False)),
        (("",), ("intro", 0.5), ("", True, False)),
        (("intro; split", 0.5001, 0.6), ("intro; split", 0.5, 0.8), ("intro", False, True)),
        (("intro; split", 0.5, 0.6), ("intro; split", 0.5, 0.6), ("intro; split", False, False)),
        (("",), ("",), ("", False, False)),
    ],
)
def test_plans_part_at_another_choice_or_figure(
    one: tuple[Any, ...], other: tuple[Any, ...], parted: tuple[str, bool, bool]
) -> None:
    script, of_choice, of_value = parted
    assert difference(plan(*one), plan(*other)) == Difference(parse_script(script), of_choice, of_value)


def test_a_step_of_several_moves_leads_past_all_of_them() -> None:
    moves = parse_script("intro; split")
    step = Planned(Move("simplify"), moves, ("Q", 0.5))
    assert difference([step, *plan("left", 0.1)], [step, *plan("right", 0.1)]).script == moves


# Switches: one key goes through all values of a setting, past those that do not go with the others.


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_goes_through_its_values_in_order_and_back(name: str) -> None:
    before = Settings()
    values = SWITCHES[name].values
    place = values.index(getattr(before, name))
    went = [before]
    for _ in values:
        went.append(switched(went[-1], name))
    kept = [recorded(value) if name == "reward" else value for value in values]
    assert [getattr(each, name) for each in went] == [*kept[place:], *kept[:place], kept[place]]
    assert went[-1] == before


def test_what_does_not_go_together_is_left_out() -> None:
    assert switched(Settings(learner="and-or-q", actions="blind"), "actions").actions == "legal"
    names = SWITCHES["learner"].values
    following = (*names[names.index("dyna-q") + 1 :], *names)
    of_moves = next(name for name in following if name != "and-or-q")
    assert switched(Settings(learner="dyna-q", actions="simplify"), "learner").learner == of_moves
    assert not switched(Settings(actions="blind", forget_errors=True), "actions").forget_errors
    assert switched(Settings(epsilon="0.5..0.1"), "epsilon").epsilon == SWITCHES["epsilon"].values[0]
    with pytest.raises(InputError, match="A switch is one of learner, epsilon"):
        switched(Settings(), "seed")


def test_a_setting_that_keeps_what_was_learned_is_known_before_it_is_switched() -> None:
    for name in SWITCHES:
        agent = Agent(AND_COMM, Settings())
        agent.practise(3)
        said = agent.change(**{name: getattr(switched(agent.settings, name), name)})
        assert (agent.knows.episodes == 3) == (name in KEPT_THROUGH), name
        assert called(name) in said


# What a student may see of a partner before a lemma is done, whatever the partner has tried.


def at(*moves: str, terms: Terms | None = None) -> Attempt:
    """Return an attempt after some moves."""
    attempt = Attempt(OR_COMM.formula, terms=terms or Terms())
    make(attempt, parse_script("; ".join(moves)))
    return attempt


def told(partner: Partner, attempt: Attempt) -> Report:
    """Return what a partner would report of itself and of the student's state."""
    here, there = Pipe()
    with here, there:
        worker = Worker(there, partner)
        worker._do(Look(attempt.state, plan=True))
        worker._report()
        return cast("Report", here.recv())


@pytest.fixture(scope="module")
def practised() -> Agent:
    """An agent that has found proofs."""
    agent = Agent(OR_COMM.formula, Settings())
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
    assert is_free(at(*map(str, PROOF)), is_done=False)
    assert is_free(at("intro"), is_done=True)
    assert is_free(at("intro", terms=Terms(agent="shown")), is_done=False)
    assert sight(at("intro"), is_done=True, is_new=False) is Sight.ALL


def test_unpaid_a_partner_that_proves_looks_as_one_that_does_not(practised: Agent) -> None:
    attempt = at("intro")
    report = told(practised, attempt)
    hidden = seen(report, Sight.TRIES, attempt)
    assert hidden.knows.episodes == 100 and hidden.hides_tries and hidden.hides_where
    assert (hidden.knows.proved, hidden.knows.best, hidden.knows.exam, hidden.knows.states) == (0, None, None, 0)
    assert (hidden.state, hidden.script, hidden.intends) == (initial(OR_COMM.formula), (), None)
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
