"""Engines: the same numbers from all of them, and no process outlives the run that started it."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import struct
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.lab.engines import ENGINES, EngineError, Kind, Processes, Serial, base, by_variant, cluster, engine, local
from oasis.lab.engines.base import Seeds, divided
from tactics.errors import InputError, LibraryMissing
from tests.lab.plans import PLAN, VARIANTS, broken, different, same, shortened, trials
from tests.thorough import examples

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_processes")]


def test_processes_give_the_numbers_of_this_one() -> None:
    plan = shortened(PLAN, 3)
    here = trials(Serial(), plan)
    assert same(here, trials(Processes(2), plan))
    assert different(here["fixed"]) == len(PLAN.seeds) - 1


@settings(max_examples=examples(60))
@given(job_episodes=st.integers(1, 200), jobs_each=st.integers(1, 9), order=st.permutations(range(len(PLAN.seeds))))
def test_how_trials_are_divided_and_ordered_changes_nothing(
    job_episodes: int, jobs_each: int, order: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "JOB_EFFORT", job_episodes)
        patch.setattr(base, "JOBS_EACH", jobs_each)
        plan = shortened(PLAN, 2)
        seeds: Seeds = {
            Kind(0, 1): [plan.seeds[place] for place in order],
            Kind(0, 0): [plan.seeds[place] for place in reversed(order)],
        }
        done = (outcome for job in Serial().run([plan], seeds) for outcome in job)
        divided_otherwise = by_variant(plan, ((kind.variant, seed, trial) for kind, seed, trial in done))
    assert same(divided_otherwise, trials(Serial(), plan))


@given(
    st.dictionaries(
        st.builds(Kind, st.integers(0, 1), st.integers(0, len(VARIANTS) - 1)),
        st.lists(st.integers(0, 999), unique=True, max_size=60),
    ),
    st.integers(1, 64),
    st.tuples(st.integers(1, 20_000), st.integers(1, 20_000)),
)
def test_jobs_are_all_trials_once(seeds: dict[Kind, list[int]], workers: int, episodes: tuple[int, int]) -> None:
    plans = [
        replace(
            PLAN,
            variants=tuple(replace(each, settings=replace(each.settings, episodes=number)) for each in VARIANTS),
            checkpoints=(),
        )
        for number in episodes
    ]
    jobs = divided(plans, seeds, workers)
    done = [(job.kind, seed) for job in jobs for seed in job.seeds]
    assert sorted(done) == sorted((kind, seed) for kind, left in seeds.items() for seed in left)
    early = [(kind, seed) for kind, left in seeds.items() for seed in left[: max(2, len(left) // base.EARLY)]]
    assert done[: len(early)] == early  # so that kinds can be compared before all is done
    for job in jobs:
        assert job.seeds
        assert len(job.seeds) == 1 or len(job.seeds) * plans[job.kind.plan].episodes <= base.JOB_EFFORT


def die_while_writing(pipe: Connection[Any, Any]) -> None:
    """Be killed in the middle of an answer: the length of a message, and a little of it."""
    pipe.recv(), pipe.recv()
    os.write(pipe.fileno(), struct.pack("!i", 1_000_000) + b"x" * 100_000)
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_in_the_middle_of_its_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_serve", die_while_writing)
    with pytest.raises(EngineError, match=r"^A worker process has died \(SIGKILL"):
        trials(Processes(1))
    assert multiprocessing.active_children() == []


def test_ctrl_c_while_processes_are_started_waits_until_all_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[SpawnProcess] = []

    def make(_: SpawnContext, **options: Any) -> SpawnProcess:
        signal.raise_signal(signal.SIGINT)
        made.append(SpawnProcess(**options))
        return made[-1]

    monkeypatch.setattr(SpawnContext, "Process", make)
    with pytest.raises(KeyboardInterrupt):
        trials(Processes(2))
    assert [process.exitcode for process in made] == [-signal.SIGKILL] * 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_processes_that_cannot_be_started_are_an_error_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: SpawnProcess) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(SpawnProcess, "start", refuse)
    with pytest.raises(EngineError) as failed:
        trials(Processes(2))
    assert str(failed.value) == (
        "2 worker processes cannot be started (Resource temporarily unavailable); ask for fewer --workers."
    )


def test_what_goes_wrong_in_a_worker_is_raised_here_with_where_it_did() -> None:
    with pytest.raises(KeyError, match="nobody") as failed:
        trials(Processes(1), broken())
    assert "in attempt" in failed.value.__notes__[0]
    assert multiprocessing.active_children() == []


def test_little_work_is_not_worth_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "WORTH_STARTING", 10**9)
    run = Processes(2).run([PLAN], {Kind(0, 0): PLAN.seeds})
    next(run)
    assert multiprocessing.active_children() == []


def test_engines_are_made_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(engine("serial"), Serial)
    processes = engine("processes", workers=3)
    assert isinstance(processes, Processes) and processes.workers == 3
    assert ENGINES == ("serial", "processes", "ray")
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(LibraryMissing, match=r"pip install .*\[cluster\]'$"):
        engine("ray")


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("steam", {}, "--engine is one of serial, processes, ray, not 'steam'."),
        ("processes", {"workers": 0}, "--workers must be at least 1, not 0."),
        ("serial", {"address": "auto"}, "--ray-address goes with --engine ray."),
    ],
)
def test_an_engine_that_is_not_is_refused(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        engine(name, **options)  # type: ignore[arg-type]
    assert str(refused.value) == sentence
