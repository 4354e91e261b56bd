"""What it costs to have an agent beside one: `python -m pytest benchmarks/test_agents.py -s`.

Nothing is asserted about time. A keypress is to be answered within 50 ms while the agent plays at full speed, so what
is measured is how late an event loop is with agents at full speed and without, how long a question to one takes, what
a report costs at either end, and how many episodes are left of those of a plain student whom nobody watches.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Sequence
from statistics import median
from threading import Thread
from time import perf_counter, perf_counter_ns

import pytest

from curricula.resolve import resolve_lemma
from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.beside import Beside
from oasis.classroom.partner.messages import Look, Pause, Play, Report
from oasis.classroom.partner.partners import PARTNERS
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.goal import initial
from tests.classroom.partner.agents import answer

LEMMAS = ["textbook/and_comm", "SYJ203.2", "SYJ203.3", "SYJ203.6"]
SECONDS = 2.0


def told(times: Sequence[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[int(0.99 * len(ordered))]
    return f"median {median(ordered):.2f} ms, p99 {p99:.2f} ms, most {ordered[-1]:.2f} ms"


def rate(play: Callable[[int], object]) -> float:
    """Episodes a second."""
    done, began = 0, perf_counter()
    while perf_counter() - began < SECONDS:
        play(100)
        done += 100
    return done / (perf_counter() - began)


@pytest.mark.parametrize("lemma", LEMMAS)
def test_episodes_of_an_agent_against_those_of_a_plain_student(lemma: str) -> None:
    formula = resolve_lemma(lemma).formula
    student, agent = PlainStudent(Settings()), Agent(formula, Settings())
    plain, own = rate(lambda episodes: student.practise(formula, episodes)), rate(agent.practise)
    with Beside(formula, Settings()) as beside:
        answer(beside, Play())
        began = perf_counter()
        while perf_counter() - began < SECONDS:
            beside.receive()
        played = answer(beside, Pause()).knows.episodes
        beside_rate = played / (perf_counter() - began)
    print(
        f"\n{lemma}, episodes a second: plain student {plain:,.0f}, agent {own:,.0f}, "
        f"in its own process with reports {beside_rate:,.0f}"
    )


def test_the_start_of_an_agent() -> None:
    formula = resolve_lemma("SYJ203.3").formula
    returned, reported = [], []
    for _ in range(8):
        began = perf_counter()
        with Beside(formula, Settings()) as beside:
            returned.append((perf_counter() - began) * 1e3)
            beside.receive()
            reported.append((perf_counter() - began) * 1e3)
    print(f"\nstart: the caller waits {told(returned)}; until the first report {told(reported)}")


@pytest.mark.parametrize("kind", PARTNERS)
def test_the_start_of_a_partner(kind: str) -> None:
    """Until the first report, until what is said of a state, and until all voices say something of it."""
    formula = resolve_lemma("SYJ203.3").formula
    reported, said, complete = [], [], []
    for _ in range(5):
        began = perf_counter()
        with Beside(formula, Settings(), kind=kind) as beside:
            beside.receive()
            reported.append((perf_counter() - began) * 1e3)
            report = answer(beside, Look(initial(formula)))
            said.append((perf_counter() - began) * 1e3)
            while report.opinion is None or any("coming" in voice.sentence for voice in report.opinion.voices):
                heard = beside.receive()
                assert heard is not None
                report = heard
            complete.append((perf_counter() - began) * 1e3)
    print(f"\n{kind}: first report {told(reported)}; an opinion {told(said)}; of all voices {told(complete)}")


@pytest.mark.parametrize("lemma", ["SYJ203.3", "SYJ202.3"])
@pytest.mark.parametrize("kind", PARTNERS)
def test_a_question_to_a_partner_that_plays_at_full_speed(kind: str, lemma: str) -> None:
    formula = resolve_lemma(lemma).formula
    with Beside(formula, Settings(), kind=kind) as beside:
        answer(beside, Play())
        times, began = [], perf_counter()
        while perf_counter() - began < 5 * SECONDS:
            asked = perf_counter_ns()
            answer(beside, Look(initial(formula)))
            times.append((perf_counter_ns() - asked) / 1e6)
    print(f"\n{kind}, {lemma}, {len(times)} questions: {told(times)}")


@pytest.mark.parametrize("lemma", LEMMAS)
def test_a_question_to_an_agent_that_plays_at_full_speed(lemma: str) -> None:
    formula = resolve_lemma(lemma).formula
    with Beside(formula, Settings()) as beside:
        answer(beside, Play())
        times, began = [], perf_counter()
        while perf_counter() - began < SECONDS:
            asked = perf_counter_ns()
            answer(beside, Look(initial(formula)))
            times.append((perf_counter_ns() - asked) / 1e6)
    print(f"\n{lemma}, {len(times)} questions: {told(times)}")


@pytest.mark.parametrize("lemma", LEMMAS)
def test_what_a_report_costs(lemma: str) -> None:
    formula = resolve_lemma(lemma).formula
    with Beside(formula, Settings()) as beside:
        answer(beside, Play())
        answer(beside, Look(initial(formula)))
        began = perf_counter()
        while perf_counter() - began < SECONDS:
            report = beside.receive()
        answer(beside, Pause())
        times = []
        for _ in range(50):
            asked = perf_counter_ns()
            answer(beside, Look(initial(formula)))
            times.append((perf_counter_ns() - asked) / 1e6)
    sent = pickle.dumps(report)
    began = perf_counter()
    for _ in range(50):
        pickle.loads(sent)
    read = (perf_counter() - began) / 50 * 1e3
    print(f"\n{lemma}: {len(sent):,} bytes, read in {read:.2f} ms; asked and read from an agent at rest {told(times)}")


async def lateness() -> list[float]:
    """By how many milliseconds the event loop comes late to something every 5 ms."""
    late, began = [], perf_counter()
    while perf_counter() - began < SECONDS:
        due = perf_counter() + 0.005
        await asyncio.sleep(0.005)
        late.append((perf_counter() - due) * 1e3)
    return late


async def lateness_beside(lemma: str, agents: int) -> list[float]:
    """The same while agents play at full speed and their reports come to the loop from a thread each."""
    loop, formula = asyncio.get_running_loop(), resolve_lemma(lemma).formula
    shown: list[Report] = []

    def listen(beside: Beside) -> None:
        while (report := beside.receive()) is not None:
            loop.call_soon_threadsafe(shown.append, report)

    besides = [Beside(formula, Settings(seed=seed)) for seed in range(agents)]
    threads = [Thread(target=listen, args=(beside,)) for beside in besides]
    for beside, thread in zip(besides, threads, strict=True):
        thread.start()
        beside.ask(Play())
    while len(shown) < 5 * agents:
        await asyncio.sleep(0.05)
    late = await lateness()
    for beside, thread in zip(besides, threads, strict=True):
        beside.close()
        await asyncio.to_thread(thread.join)
    return late


@pytest.mark.parametrize("agents", [1, 2])
@pytest.mark.parametrize("lemma", ["SYJ203.3", "SYJ203.6"])
async def test_how_late_the_event_loop_is(lemma: str, agents: int) -> None:
    alone, beside = await lateness(), await lateness_beside(lemma, agents)
    print(
        f"\n{lemma}, {agents} at full speed: {told(beside)}; none: {told(alone)}; "
        f"ratio of the medians {median(beside) / median(alone):.1f}"
    )
