"""The agent's process, here as a thread: what it says is what an agent would say who was asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from oasis.classroom.partner import worker
from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.escalating import Escalating
from oasis.classroom.partner.exact import Exact
from oasis.classroom.partner.messages import Change, Follow, Look, Pause, Play, Report, Request, Speed, StartFrom, Step
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.worker import Worker
from oasis.lab.policies import policy_named
from oasis.policy import Policy
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import parse_script, replay
from tests.classroom.partner.agents import AND_COMM, AND_COMM_PROOF, SYJ203_2

PROOF = parse_script(AND_COMM_PROOF)


class Asked:
    """The other end of a worker's pipe."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._asked = 0
        self.first: Report = connection.recv()

    def ask(self, request: Request) -> Report:
        """The report in answer to a request."""
        self._connection.send(request)
        self._asked += 1
        return next(report for report in self.reports() if report.answered == self._asked)

    def reports(self) -> Iterator[Report]:
        """Whatever comes."""
        while True:
            yield self._connection.recv()

    def rest(self, request: Request) -> Report:
        """The report when it does nothing any more that it was asked to do."""
        report = self.ask(request)
        while report.playing or report.intends is not None:
            report = next(self.reports())
        return report

    def is_silent(self) -> bool:
        """Whether nothing comes for a while."""
        return not self._connection.poll(0.3)


def served(partner: Partner) -> Iterator[Asked]:
    ours, theirs = Pipe()

    def serve() -> None:
        with suppress(EOFError, ConnectionError):
            Worker(theirs, partner).run()

    thread = Thread(target=serve)
    thread.start()
    yield Asked(ours)
    ours.close()
    thread.join(10)
    assert not thread.is_alive()


@pytest.fixture
def asked() -> Iterator[Asked]:
    yield from served(Agent(AND_COMM, Settings()))


def test_single_steps_are_the_episode_a_move_at_a_time(asked: Asked) -> None:
    agent = Agent(AND_COMM, Settings())
    expected = []
    agent.episode(lambda: expected.append((agent.script, agent.intends)))
    for script, intends in [*expected[1:], (agent.script, None)]:
        report = asked.ask(Step())
        if report.script != script:  # asked just before the step, told again just after it
            report = next(asked.reports())
        assert (report.script, report.intends, report.playing) == (script, intends, False)
        assert replay(AND_COMM, script)[-1] == report.state
    assert asked.is_silent()
    assert asked.ask(Pause()).knows == agent.knows


def test_it_plays_until_it_is_told_to_stop_and_goes_on_from_there(asked: Asked) -> None:
    assert asked.ask(Play()).playing
    assert next(report for report in asked.reports() if report.knows.episodes > 100).playing
    stopped = asked.ask(Pause())
    assert not stopped.playing and asked.is_silent()
    assert asked.rest(Play(1)).knows.episodes == stopped.knows.episodes + 1


def test_who_waits_for_a_network_is_paused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    may_come = Event()

    def named_later(name: str, store: None) -> Policy:
        may_come.wait(20)
        return policy_named(name, store)

    monkeypatch.setattr("oasis.lab.policies.policy_named", named_later)
    lemma = parse("(p -> q) \\/ (q -> p)")  # which neither the table nor the search moves at
    partner = Escalating(lemma, Settings(), network="uniform")
    for asked in served(partner):
        assert asked.ask(Play()).playing
        assert not asked.ask(Pause()).playing
        assert partner.is_coming
        may_come.set()
        assert asked.rest(Play(1)).knows.episodes == 1


def test_while_it_is_watched_every_step_is_seen(asked: Asked) -> None:
    asked.ask(Speed(9.0))
    seen = [asked.ask(Play(1)).script]
    for report in asked.reports():
        seen.append(report.script)
        if not report.playing:
            break
    assert [len(script) for script in dict.fromkeys(seen)] == list(range(len(seen[-1]) + 1))


def test_at_full_speed_it_reports_now_and_then(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "REPORT_SECONDS", 60.0)
    assert asked.ask(Play()).playing
    assert asked.is_silent()
    assert asked.ask(Look(None)).knows.episodes > 0


def test_in_the_midst_of_an_episode_everything_can_be_asked(asked: Asked) -> None:
    asked.ask(Step())
    assert asked.ask(Look(initial(AND_COMM))).looked_at == initial(AND_COMM)
    assert asked.ask(Follow(PROOF)).said.startswith("It has played your proof ")
    assert asked.ask(Change({"epsilon": 0.1})).settings.epsilon == 0.1
    report = asked.ask(Change({"learner": "sarsa"}))
    assert report.said.startswith("It begins anew")
    assert (report.script, report.intends, report.knows.states) == ((), None, 0)
    assert asked.rest(Play(3)).knows.episodes == 3


def test_a_step_after_the_episode_was_left_is_the_first_of_the_next(asked: Asked) -> None:
    asked.ask(Step())
    assert asked.ask(StartFrom(PROOF[:2])).script == PROOF[:2]
    report = asked.ask(Step())
    while len(report.script) == 2:
        report = next(asked.reports())
    assert len(report.script) == 3 and report.script[:2] == PROOF[:2]
    assert asked.rest(Play(1)).knows.helped == 1


@pytest.mark.parametrize(
    "partner",
    [
        lambda: Exact(parse("A \\/ ~A"), Settings()),
        lambda: Agent(parse("A"), Settings()),
        lambda: Escalating(parse("A \\/ ~A"), Settings(), network="no such network"),
    ],
    ids=["exact", "agent", "escalating"],
)
def test_where_there_is_no_move_a_step_and_play_without_end_are_one_episode(partner: Callable[[], Partner]) -> None:
    endless: tuple[Request, ...] = (Step(), Play())
    for asked in served(partner()):
        for episodes, request in enumerate(endless, 1):
            asked.ask(request)
            report = next(report for report in asked.reports() if report.said == "It makes no move here.")
            assert report.knows.episodes == episodes and not report.playing
            assert report.script == ()
            assert asked.is_silent()
        assert asked.rest(Play(3)).knows.episodes == 5  # as many as were asked for end by themselves


def test_what_cannot_be_done_is_said_in_a_sentence_and_it_goes_on(asked: Asked) -> None:
    assert "Only a whole proof" in asked.ask(Follow(PROOF[:2])).said
    assert "--epsilon must lie" in asked.ask(Change({"epsilon": 3})).said
    assert asked.ask(Look(None)).said == ""
    with pytest.raises(InputError, match="more than 0"):
        Speed(0)
    assert asked.rest(Play(2)).knows.episodes == 2


def test_when_there_is_no_room_for_more_states_it_stops_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MOST_STATES", 100)
    for asked in served(Agent(SYJ203_2, Settings())):
        report = asked.rest(Play())
        assert 100 <= report.knows.states < 150
        assert "as many as there is room for" in report.said
        assert asked.rest(Play(5)).knows.episodes == report.knows.episodes + 1
