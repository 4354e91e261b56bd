"""The agent's process, as a thread and for real: it says what an agent would say who was asked the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from oasis.classroom.partner import worker
from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.beside import Beside, PartnerGone
from oasis.classroom.partner.escalating import Escalating
from oasis.classroom.partner.exact import Exact
from oasis.classroom.partner.messages import (
    Change,
    Follow,
    Look,
    Pause,
    Play,
    Report,
    Request,
    Speed,
    StartFrom,
    Step,
    Why,
)
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.worker import Worker
from oasis.neural.policies import policy_named
from oasis.play.policy import Policy
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula, subformulas
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import replay
from tests.classroom.partner.agents import AND_COMM, DUMMETT, PROOF, SYJ203_2, answer
from tests.optional import missing

pytestmark = pytest.mark.slow


class Asked:
    """The other end of a worker's pipe."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._asked = 0
        self.first: Report = connection.recv()

    def ask(self, request: Request) -> Report:
        """Send a request; return the report that answers it."""
        self._connection.send(request)
        self._asked += 1
        return next(report for report in self.reports() if report.answered == self._asked)

    def reports(self) -> Iterator[Report]:
        """Yield every report that comes."""
        while True:
            yield self._connection.recv()

    def rest(self, request: Request) -> Report:
        """Return the report with which it has done all that it was asked to do."""
        report = self.ask(request)
        while report.playing or report.intends is not None:
            report = next(self.reports())
        return report

    def is_silent(self) -> bool:
        """Return True if no report comes for a while."""
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


def test_a_partner_that_waits_for_a_network_is_paused_at_once_and_goes_on_when_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_come = Event()

    def named_later(name: str, store: None) -> Policy:
        may_come.wait(20)
        return policy_named(name, store)

    monkeypatch.setattr("oasis.neural.policies.policy_named", named_later)
    partner = Escalating(DUMMETT, Settings(), network="uniform")
    for asked in served(partner):
        assert asked.ask(Play()).playing
        assert not asked.ask(Pause()).playing
        opinion = asked.ask(Look(initial(DUMMETT))).opinion
        assert partner.is_coming and opinion is not None
        assert opinion.mover == "" and opinion.voices[2].sentence == "It is coming."
        may_come.set()
        report = asked.rest(Play(1))
        assert report.knows.episodes == 1 and report.shares[2].moves == len(report.script) > 0


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
    report = asked.ask(Step())
    while not report.script:  # else all that follows might be asked before the episode begins
        report = next(asked.reports())
    assert asked.ask(Look(initial(AND_COMM))).looked_at == initial(AND_COMM)
    assert asked.ask(Follow(PROOF)).said.startswith("It has played your proof ")
    report = asked.ask(Change({"epsilon": 0.1}))
    assert report.settings.epsilon == 0.1 and report.intends is not None, "the episode goes on"
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
    ("kind", "lemma"), [(Exact, "A \\/ ~A"), (Agent, "A"), (partial(Escalating, network="no such network"), "A \\/ ~A")]
)
def test_without_moves_a_step_or_play_is_one_episode(kind: Callable[[Formula, Settings], Partner], lemma: str) -> None:
    endless: tuple[Request, ...] = (Step(), Play())
    for asked in served(kind(parse(lemma), Settings())):
        for episodes, request in enumerate(endless, 1):
            asked.ask(request)
            report = next(report for report in asked.reports() if report.said == "It makes no move here.")
            assert (report.knows.episodes, report.playing, report.script) == (episodes, False, ())
            assert asked.is_silent()
        assert asked.rest(Play(3)).knows.episodes == 5  # as many as were asked for end by themselves


def test_what_cannot_be_done_is_said_in_a_sentence_and_it_goes_on(asked: Asked) -> None:
    assert "Only a whole proof" in asked.ask(Follow(PROOF[:2])).said
    assert "; give a number from 0 to 1" in asked.ask(Change({"epsilon": 3})).said
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


# An agent in its own process: it answers as it would here, ends when it should, and its end is told in words.


@pytest.fixture
def beside() -> Iterator[Beside]:
    with Beside(SYJ203_2, Settings(seed=3)) as beside:
        yield beside


def hear_to_the_end(beside: Beside) -> None:
    while beside.receive() is not None:
        pass


def hear_until(beside: Beside, request: Request, is_so: Callable[[Report], bool]) -> Report:
    """Send a request; return the first report for which `is_so` holds."""
    report = answer(beside, request)
    while not is_so(report):
        received = beside.receive()
        assert received is not None
        report = received
    return report


def test_it_says_what_an_agent_says_here(beside: Beside) -> None:
    report = hear_until(beside, Play(200), lambda report: not report.playing)
    agent = Agent(SYJ203_2, Settings(seed=3))
    agent.practise(200)
    assert report.knows == agent.knows and report.opinion is None and report.plan == ()
    np.testing.assert_equal(tuple(report.curve), tuple(agent.curve.points(worker.POINTS)))
    looked = answer(beside, Look(initial(SYJ203_2), plan=True))
    assert looked.opinion == agent.opinion(initial(SYJ203_2)) and looked.plan == agent.plan() != ()
    answer(beside, Play())
    counts = [answer(beside, Look(initial(SYJ203_2))).knows.episodes for _ in range(20)]
    assert counts == sorted(counts) and answer(beside, Look(None)).playing


def test_a_network_comes_to_the_escalating_student_and_says_what_it_looked_at() -> None:
    if find_spec("torch") is None:
        missing("torch is not installed")
    start = initial(DUMMETT)
    with Beside(DUMMETT, Settings(), kind="escalating") as beside:
        report = hear_until(beside, Look(start), lambda report: getattr(report.opinion, "mover", "") == "network")
        assert report.opinion is not None
        voice = report.opinion.voices[-1]
        assert voice.name == "network" and voice.sentence.startswith("Provable with ")
        likely, left = (column.figures for column in voice.columns)
        assert sum(share or 0 for share in likely) == pytest.approx(1)
        assert all(value is not None and 0 <= value <= 1 for value in left)
        reason = answer(beside, Why(start)).reason
        assert reason is not None and (reason.voice, reason.move) == ("network", voice.choice)
        assert {formula for formula, _ in reason.parts} <= set(subformulas(DUMMETT)) and reason.parts
        assert answer(beside, Look(None)).reason is None  # told once


def test_closing_it_ends_the_process_and_whoever_waits_for_a_report(beside: Beside) -> None:
    answer(beside, Look(None))
    received: list[object] = []
    waits = Thread(target=lambda: received.append(beside.receive()))
    waits.start()
    beside.close()
    waits.join(10)
    assert received == [None]
    assert beside.exitcode == -signal.SIGKILL
    beside.close()
    beside.ask(Play())
    unused = Beside(AND_COMM, Settings())
    unused.close()
    assert unused.receive() is None and unused.exitcode is not None


def test_a_death_is_told_in_one_sentence_and_another_begins_with_the_same_settings(beside: Beside) -> None:
    answer(beside, Change({"learner": "sarsa"}))
    answer(beside, Look(initial(SYJ203_2)))
    answer(beside, Play())
    assert beside.pid is not None
    os.kill(beside.pid, signal.SIGKILL)
    with pytest.raises(PartnerGone, match=r"ended from outside \(signal 9\).*; start it again, and it begins anew\.$"):
        hear_to_the_end(beside)
    beside.ask(Play())  # which nobody hears
    with beside.again() as other:
        report = answer(other, Play(1))
        assert (report.settings.learner, report.looked_at) == ("sarsa", initial(SYJ203_2))
        assert report.knows.episodes <= 1


def test_a_mistake_in_the_program_is_told_in_words(beside: Beside, capfd: pytest.CaptureFixture[str]) -> None:
    beside.ask(Change({"nonsense": 1}))
    with pytest.raises(PartnerGone, match=r"broke down over TypeError: .*nonsense.*; start it again"):
        hear_to_the_end(beside)
    assert capfd.readouterr().err == ""


SCRIPT = """
import sys, time
from oasis.classroom.partner.beside import Beside
from oasis.classroom.partner.messages import Play
from oasis.student.settings import Settings
from tactics.parser import parse

if __name__ == "__main__":
    beside = Beside(parse(sys.argv[1]), Settings())
    if sys.argv[2] == "begun":
        beside.ask(Play())
        beside.receive()
    try:
        print("here", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        if sys.argv[2] == "begun":
            print(beside.receive().settings.learner, flush=True)
        beside.close()
"""


@pytest.fixture(params=["begun", "starting"])
def parent(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process with an agent beside it, which has begun to play or is only starting."""
    script = tmp_path / "parent.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, str(script), "A -> A", request.param],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        yield process
        process.kill()


def test_when_the_parent_is_killed_the_agent_leaves(parent: subprocess.Popen[str]) -> None:
    parent.kill()
    # This ends when the last process has closed its output, and so the agent's.
    parent.communicate(timeout=30)


def test_ctrl_c_reaches_only_the_parent_and_shows_nothing(parent: subprocess.Popen[str]) -> None:
    os.killpg(parent.pid, signal.SIGINT)  # as a terminal does
    output, _ = parent.communicate(timeout=30)
    assert output in ("", "q-learning\n")
    assert parent.returncode == 0
