"""Engines: the same numbers from all of them, and no process outlives the run that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.lab.engines import ENGINES, EngineError, Processes, Serial, base, by_variant, cluster, engine, local
from oasis.lab.engines.base import Jobs, Seeds, divided
from tactics.errors import InputError, LibraryMissing
from tests.lab.plans import PLAN, VARIANTS, broken, different, same, shortened, trials

pytestmark = pytest.mark.usefixtures("in_processes")
MANY = replace(shortened(PLAN, 2), seeds=tuple(range(300)))


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_give_the_numbers_of_this_one(workers: int) -> None:
    here = trials(Serial())
    assert same(here, trials(Processes(workers)))
    assert different(here["fixed"]) == len(PLAN.seeds) - 1


@settings(max_examples=20)
@given(job_episodes=st.integers(1, 200), jobs_each=st.integers(1, 9), order=st.permutations(range(len(PLAN.seeds))))
def test_how_trials_are_divided_and_ordered_changes_nothing(
    job_episodes: int, jobs_each: int, order: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "JOB_EPISODES", job_episodes)
        patch.setattr(base, "JOBS_EACH", jobs_each)
        plan = shortened(PLAN, 2)
        seeds: Seeds = {1: [plan.seeds[place] for place in order], 0: [plan.seeds[place] for place in reversed(order)]}
        divided_otherwise = by_variant(plan, (outcome for job in Serial().run(plan, seeds) for outcome in job))
    assert same(divided_otherwise, trials(Serial(), plan))


@given(
    st.dictionaries(st.integers(0, len(VARIANTS) - 1), st.lists(st.integers(0, 999), unique=True, max_size=60)),
    st.integers(1, 64),
    st.integers(1, 20_000),
)
def test_jobs_are_all_trials_once(seeds: dict[int, list[int]], workers: int, episodes: int) -> None:
    variants = tuple(replace(each, settings=replace(each.settings, episodes=episodes)) for each in VARIANTS)
    plan = replace(PLAN, variants=variants, checkpoints=())
    jobs = divided(plan, seeds, workers)
    assert [(job.variant, seed) for job in jobs for seed in job.seeds] == [
        (variant, seed) for variant, left in seeds.items() for seed in left
    ]
    for job in jobs:
        assert job.seeds
        assert len(job.seeds) == 1 or len(job.seeds) * plan.episodes <= base.JOB_EPISODES


def begun(engine: Processes) -> Jobs:
    """A run with its first job done and hundreds to go."""
    run = engine.run(MANY, dict.fromkeys(range(len(MANY.variants)), MANY.seeds))
    assert len(next(run)) == 1
    assert len(multiprocessing.active_children()) == engine.workers
    return run


@pytest.mark.usefixtures("short_jobs")
def test_leaving_a_run_early_ends_its_processes() -> None:
    run = begun(Processes(2))
    run.close()
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("short_jobs")
def test_a_process_that_dies_is_an_error_in_one_sentence_and_the_others_end() -> None:
    run = begun(Processes(2))
    child = multiprocessing.active_children()[0]
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(EngineError) as failed:
        list(run)
    assert str(failed.value).startswith("A worker process was ended from outside")
    assert "\n" not in str(failed.value)
    assert multiprocessing.active_children() == []


def test_what_goes_wrong_in_a_worker_is_raised_here() -> None:
    with pytest.raises(KeyError, match="nobody"):
        trials(Processes(1), broken())
    assert multiprocessing.active_children() == []


def test_little_work_is_not_worth_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "WORTH_STARTING", 10**9)
    run = Processes(2).run(PLAN, {0: PLAN.seeds})
    next(run)
    assert multiprocessing.active_children() == []


def test_engines_are_made_by_name() -> None:
    assert isinstance(engine("serial"), Serial)
    processes = engine("processes", workers=3)
    assert isinstance(processes, Processes) and processes.workers == 3
    assert ENGINES == ("serial", "processes", "ray")


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


def test_without_ray_the_command_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(LibraryMissing, match=r"pip install .*\[cluster\]'$"):
        engine("ray")
    assert issubclass(LibraryMissing, InputError)
