"""An agent in its own process: it says what it would say here, ends when it should, and its end is told in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import pytest

from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.beside import Beside, PartnerGone
from oasis.classroom.partner.messages import Change, Look, Play, Why
from oasis.student.settings import Settings
from tactics.formula import subformulas
from tactics.goal import initial
from tactics.parser import parse
from tests.classroom.partner.agents import AND_COMM, SYJ203_2, answer
from tests.optional import missing

pytestmark = pytest.mark.slow


@pytest.fixture
def beside() -> Iterator[Beside]:
    with Beside(SYJ203_2, Settings(seed=3)) as beside:
        yield beside


def hear_to_the_end(beside: Beside) -> None:
    while beside.receive() is not None:
        pass


def test_it_says_what_an_agent_says_here(beside: Beside) -> None:
    report = answer(beside, Play(200))
    while report.playing:
        received = beside.receive()
        assert received is not None
        report = received
    agent = Agent(SYJ203_2, Settings(seed=3))
    agent.practise(200)
    assert report.knows == agent.knows
    assert answer(beside, Look(initial(SYJ203_2))).opinion == agent.opinion(initial(SYJ203_2))
    answer(beside, Play())
    counts = [answer(beside, Look(initial(SYJ203_2))).knows.episodes for _ in range(20)]
    assert counts == sorted(counts) and answer(beside, Look(None)).playing


def test_a_network_comes_to_the_escalating_student_and_says_what_it_looked_at() -> None:
    if find_spec("torch") is None:
        missing("torch is not installed")
    dummett = parse("(p -> q) \\/ (q -> p)")  # of which neither table nor search has a proof
    with Beside(dummett, Settings(), kind="escalating") as beside:
        report = answer(beside, Look(initial(dummett)))
        while report.opinion is None or report.opinion.mover != "network":
            received = beside.receive()
            assert received is not None
            report = received
        voice = report.opinion.voices[-1]
        assert voice.name == "network" and voice.sentence.startswith("Provable with ")
        likely, left = (column.figures for column in voice.columns)
        assert sum(share or 0 for share in likely) == pytest.approx(1)
        assert all(value is not None and 0 <= value <= 1 for value in left)
        reason = answer(beside, Why(initial(dummett))).reason
        assert reason is not None and (reason.voice, reason.move) == ("network", voice.choice)
        assert {formula for formula, _ in reason.parts} <= set(subformulas(dummett)) and reason.parts
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
    with pytest.raises(
        PartnerGone, match=r"was ended from outside \(signal 9\).*; start it again, and it begins anew\.$"
    ):
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
