"""Experiments that are kept end as they would have undisturbed, on engines that all give the same numbers."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import oasis
from oasis.ground import cluster
from oasis.ground.plugins import PluginError
from oasis.lab import engines
from oasis.lab import experiment as module
from oasis.lab.engines import ENGINES, EngineError, Kind, Processes, Ray, Serial, divided, engine
from oasis.lab.experiment import Experiment, Maker, packed, unpacked
from oasis.lab.measure import Trial
from oasis.lab.students.plan import Plan, Variant
from oasis.store import Store, StoreError
from tactics.errors import InputError, LibraryMissing
from tests.lab.plans import LEMMAS, PLAN, SETTINGS, VARIANTS, Apprenticeship, begin, broken, same, shortened, trials
from tests.optional import missing
from tests.thorough import examples

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_processes")]
ROOT = Path(__file__).resolve().parents[2]
TOTAL = len(PLAN.variants) * len(PLAN.seeds)
LONG = replace(shortened(PLAN, 2), seeds=tuple(range(20)))


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, list[Trial]]:
    return trials(Serial())


def test_an_experiment_has_the_trials_of_its_plan(store: Store, uninterrupted: dict[str, list[Trial]]) -> None:
    experiment = begin(store, PLAN)
    assert (experiment.number, experiment.done, experiment.total, experiment.finished) == (1, 0, TOTAL, False)
    assert experiment.trials(PLAN.name) == {variant.name: [] for variant in PLAN.variants}
    told = list(experiment.run(Serial()))
    assert [progress.done for progress in told] == [*range(1, TOTAL + 1)]
    assert [progress.effort for progress in told] == [PLAN.episodes * number for number in range(1, TOTAL + 1)]
    assert {(progress.part, progress.variant, progress.seed) for progress in told} == {
        (PLAN.name, variant.name, seed) for variant in PLAN.variants for seed in PLAN.seeds
    }
    assert (experiment.done, experiment.finished) == (TOTAL, True)
    for each in (experiment, again := Experiment.resume(store, 1)):
        assert same(each.trials(PLAN.name), uninterrupted)
    assert again.finished and list(again.run(Serial())) == []


@settings(max_examples=examples(30), deadline=None)
@given(stops=st.lists(st.integers(0, TOTAL), max_size=4))
def test_an_experiment_stopped_and_resumed_ends_as_one_that_was_not(
    uninterrupted: dict[str, list[Trial]], stops: list[int]
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "JOB_EFFORT", 100)  # jobs of up to two trials
        path = Path(folder) / "oasis.db"
        with Store(path) as store:
            begin(store, PLAN)
        for number in stops:
            with Store(path) as store:
                experiment = Experiment.resume(store)
                before = experiment.done
                told = list(islice(experiment.run(Serial()), number))
                assert [progress.done for progress in told] == [*range(before + 1, before + len(told) + 1)]
                assert experiment.done >= before + len(told)
        with Store(path) as store:
            experiment = Experiment.resume(store)
            list(experiment.run(Serial()))
            assert experiment.finished
            assert same(experiment.trials(PLAN.name), uninterrupted)


@pytest.mark.usefixtures("short_jobs")
def test_what_was_done_before_a_worker_died_is_kept_and_the_other_workers_end(store: Store) -> None:
    experiment = begin(store, LONG)
    run = experiment.run(Processes(2))
    assert [progress.done for progress in islice(run, 5)] == [1, 2, 3, 4, 5]
    child = multiprocessing.active_children()[0]
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(EngineError) as failed:
        list(run)
    assert str(failed.value) == (
        "A worker process has died (SIGKILL, perhaps because memory ran out); if it happens again, ask for fewer "
        "--workers."
    )
    assert multiprocessing.active_children() == []
    assert 5 <= experiment.done < experiment.total
    assert not experiment.finished
    assert next(Experiment.resume(store).run(Serial())).done == experiment.done


@pytest.mark.usefixtures("short_jobs")
def test_leaving_a_run_early_ends_its_processes_and_keeps_what_was_done(store: Store) -> None:
    experiment = begin(store, LONG)
    with closing(experiment.run(Processes(1))) as run:
        assert next(run).done == 1
        assert len(multiprocessing.active_children()) == 1
    assert multiprocessing.active_children() == []
    assert experiment.done == 1


PROGRAM = """
import sys
from pathlib import Path
from oasis.lab import engines
from oasis.lab.engines import Processes
from oasis.store import Store
from tests.lab.test_experiment import LONG, begin
engines.JOB_EFFORT = 1
engines.WORTH_STARTING = 0
with Store(Path(sys.argv[1])) as store:
    try:
        for progress in begin(store, LONG).run(Processes(2)):
            if progress.done == 10:
                print("ten are done", flush=True)
                sys.stdin.read()
    except KeyboardInterrupt:
        sys.exit(42)
"""


@pytest.mark.parametrize("how", ["killed", "interrupted"])
def test_a_process_that_ends_early_takes_its_workers_along_and_keeps_what_was_done(how: str, tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as child:
        assert child.stdout is not None and child.stdout.readline() == "ten are done\n"
        if how == "killed":
            child.kill()
        else:
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does
        output, _ = child.communicate(timeout=60)  # which ends when the last of them has closed its output
    assert (output, child.returncode) == ("", -signal.SIGKILL if how == "killed" else 42)
    with Store(path) as store:
        experiment = Experiment.resume(store)
        assert experiment.done == 10
        assert len(list(experiment.run(Serial()))) == experiment.total - 10
        assert same(experiment.trials(PLAN.name), trials(Serial(), LONG))


def test_an_experiment_killed_after_its_last_trial_is_still_to_be_finished(store: Store) -> None:
    small = replace(PLAN, variants=PLAN.variants[:1])
    run = begin(store, small).run(Serial())
    list(islice(run, len(PLAN.seeds)))
    experiment = Experiment.resume(store)
    assert (experiment.done, experiment.finished) == (experiment.total, False)
    assert list(experiment.run(Serial())) == []
    assert Experiment.resume(store).finished


def test_what_is_done_so_far_is_the_experiment_that_asked_for_no_more(
    store: Store, uninterrupted: dict[str, list[Trial]]
) -> None:
    experiment = begin(store, PLAN)
    with pytest.raises(InputError, match=r"^Experiment 1 does not have two students of one kind yet"):
        experiment.so_far()
    for done in experiment.run(Serial()):
        if done.done == TOTAL // 2 + 3:
            break
    cut = experiment.so_far()
    (plan,) = cut.plans.values()
    assert {variant.name for variant in plan.variants} < {variant.name for variant in PLAN.variants} or len(
        plan.seeds
    ) < len(PLAN.seeds)
    assert len(plan.variants) * len(plan.seeds) <= experiment.done
    places = [PLAN.seeds.index(seed) for seed in plan.seeds]
    asked = {each.name: [uninterrupted[each.name][place] for place in places] for each in plan.variants}
    assert same(cut.trials(PLAN.name), asked)
    assert [*experiment.run(Serial())]  # the whole experiment goes on


def test_a_pilot_is_the_first_seeds_of_an_experiment_that_goes_on_to_all_of_them(
    store: Store, uninterrupted: dict[str, list[Trial]]
) -> None:
    experiment = begin(store, PLAN)
    pilot = experiment.first(2)
    assert [progress.done for progress in pilot.run(Serial())] == [*range(1, TOTAL // 2 + 1)]
    assert pilot.seeds_done() == {variant.name: list(PLAN.seeds[:2]) for variant in PLAN.variants}
    assert not Experiment.resume(store).finished and list(experiment.first(2).run(Serial())) == []
    assert len(list(experiment.run(Serial()))) == TOTAL // 2 and experiment.finished
    assert same(experiment.trials(), uninterrupted)
    assert (pilot.report().seeds, experiment.report().seeds) == (2, len(PLAN.seeds))


@pytest.mark.parametrize(
    ("done", "kinds", "seeds"),
    [
        ({"a": {1, 2, 3}, "b": {1, 2, 3}, "c": {1}}, ["a", "b"], {1, 2, 3}),
        ({"a": {1, 2, 3}, "b": {1, 2}, "c": {1, 2}}, ["a", "b", "c"], {1, 2}),
        ({"a": {1, 2, 3, 4}, "b": {1, 2}, "c": {5, 6}}, ["a", "b"], {1, 2}),
        ({"a": {1}, "b": set()}, [], set()),
    ],
)
def test_kinds_are_shown_so_far_with_the_seeds_that_all_of_them_have(
    done: dict[str, set[int]], kinds: list[str], seeds: set[int]
) -> None:
    assert module.shared(done) == (kinds, seeds)


def test_what_somebody_brought_along_is_tried_before_anything_is_begun(store: Store) -> None:
    fallen = replace(SETTINGS, learner="tests.student.test_seams:fallen")
    plan = replace(PLAN, variants=(*PLAN.variants, Variant("fallen", fallen)))
    with pytest.raises(PluginError, match=r"The learner tests\.student\.test_seams:fallen fails .*test_seams.py, line"):
        begin(store, plan)
    assert store.experiments() == []


def opened_by(
    patch: pytest.MonkeyPatch, store: Store, plan: Plan, version: str, commit: str | None
) -> Experiment[Plan]:
    """Begin or resume an experiment as an Oasis of this version and commit."""
    patch.setattr(module, "version", lambda: version)
    patch.setattr(module, "commit", lambda: commit)
    return Experiment.resume(store) if store.experiments() else begin(store, plan)


@pytest.mark.parametrize(
    ("then", "now", "same_version"),
    [
        (("1.0", None), ("1.0", None), True),
        (("1.0", None), ("1.1", None), False),
        (("1.0", "abc"), ("1.1", "abc"), True),  # the sources are the same whatever the installation calls itself
        (("1.0", "abc"), ("1.0", "abd"), False),
    ],
)
def test_an_experiment_of_another_version_says_so(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    then: tuple[str, str | None],
    now: tuple[str, str | None],
    same_version: bool,
) -> None:
    for version_and_commit in (then, now):
        experiment = opened_by(monkeypatch, store, PLAN, *version_and_commit)
    assert experiment.same_version is same_version
    assert experiment.begun_with == ("1.0" if then[1] is None else "1.0 (abc)")


def test_the_plans_of_an_experiment_are_done_side_by_side(store: Store) -> None:
    short = replace(shortened(PLAN, 2), name="short", seeds=(1, 2))
    renamed = replace(short, name="renamed", seeds=(3,), renamed=True)
    experiment = begin(store, short, renamed)
    assert (experiment.total, experiment.effort) == (6, 6 * PLAN.episodes)
    run = experiment.run(Serial())
    assert [next(run).part for _ in range(4)] == ["short"] * 4
    assert experiment.finished_parts() == ["short"]
    assert {name: len(each) for name, each in experiment.trials("short").items()} == {"fixed": 2, "shuffled": 2}
    with pytest.raises(InputError, match=r"^Experiment 1 has the parts short and renamed; name one of them\.$"):
        experiment.trials()
    again = Experiment.resume(store)
    assert again.plans == {"short": short, "renamed": renamed}
    assert [progress.part for progress in again.run(Serial())] == ["renamed"] * 2
    for plan in (short, renamed):
        assert same(again.trials(plan.name), trials(Serial(), plan))


def test_a_stored_experiment_opens_in_python_as_far_as_it_is_done_and_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    with Store(path) as store:
        with pytest.raises(StoreError, match=r"^There is no experiment in .*oasis.db yet; start one with oasis"):
            oasis.experiment(db=path)
        begin(store, shortened(PLAN, 1))
        started = Experiment.start(store, {"two": shortened(PLAN, 2)}, command="sharing", name="two")
        next(started.run(Serial()))
        done = store.done(started.number)
    before = path.read_bytes()
    found = oasis.experiment(db=path)
    with closing(found.store):
        assert (found.number, found.plan, found.finished) == (2, shortened(PLAN, 2), False)
        seeds, trials = found.seeds_done(), found.trials()
        assert {(name, seed) for name in seeds for seed in seeds[name]} == done
        assert {name: len(each) for name, each in trials.items()} == {name: len(each) for name, each in seeds.items()}
        assert trials["fixed"][0]["proved"].shape == (PLAN.episodes,)
    assert path.read_bytes() == before


def test_a_trial_that_cannot_be_read_is_refused_in_a_sentence_that_says_what_to_do(store: Store) -> None:
    for stored in (b"", b"no arrays", packed({"proved": np.zeros(3)})[:-9]):
        experiment = begin(store, shortened(PLAN, 1))
        store.add_trials(experiment.number, [("fixed", PLAN.seeds[0], stored)], version="1", commit=None)
        with pytest.raises(StoreError, match=r"^A trial of experiment \d in .* cannot be read: .*; begin a new "):
            experiment.trials()


def test_an_experiment_is_resumed_by_the_command_that_began_it(store: Store) -> None:
    Experiment.start(store, {PLAN.name: PLAN}, command="thesis", name="Figure 7.1")
    assert begin(store, PLAN).number == 2
    assert Experiment.resume(store, command="thesis").number == 1
    assert Experiment.resume(store).number == 2
    with pytest.raises(InputError) as refused:
        Experiment.resume(store, 1)
    assert str(refused.value) == (
        "Experiment 1 was begun with oasis thesis; go on with: oasis thesis --resume --experiment 1"
    )
    with pytest.raises(StoreError, match="There is no experiment of `oasis sharing` in"):
        Experiment.resume(store, command="sharing")


def test_an_experiment_knows_which_versions_made_its_trials(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(shortened(PLAN, 1), seeds=(1, 2, 3))
    monkeypatch.setattr(engines, "JOB_EFFORT", 1)
    for commit_now, number in (("a" * 40, 2), ("b" * 40, 1)):
        experiment = opened_by(monkeypatch, store, small, "1.0", commit_now)
        list(islice(experiment.run(Serial()), number))
    assert experiment.makers == [Maker("1.0", "a" * 40, 2), Maker("1.0", "b" * 40, 1)]
    assert experiment.made_by == "1.0 (aaaaaaaaa) and 1.0 (bbbbbbbbb)"


def test_two_processes_can_work_on_one_experiment(
    store: Store, tmp_path: Path, uninterrupted: dict[str, list[Trial]]
) -> None:
    begin(store, PLAN)
    with Store(tmp_path / "oasis.db") as other:
        runs = [Experiment.resume(each).run(Serial()) for each in (store, other)]
        next(runs[0]), next(runs[1])
        for run in runs:
            list(run)
    assert same(Experiment.resume(store, 1).trials(PLAN.name), uninterrupted)


def test_a_family_of_ones_own_is_kept_and_found_again(store: Store) -> None:
    own = Apprenticeship("own", LEMMAS, VARIANTS[:1], (1, 2), (1,))
    Experiment.start(store, {"own": own}, name="own")
    again = Experiment.resume(store)
    assert (again.plan, again.noun) == (own, "apprentices")


def test_an_experiment_that_is_not_there_or_of_another_sort_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="There is no experiment of `oasis compare` in"):
        Experiment.resume(store)
    with pytest.raises(StoreError, match="There is no experiment 3 in"):
        Experiment.resume(store, 3)
    store.start_experiment(
        command="compare", name="x", plan={"of": "poets", "plans": {"x": {}}}, version="9", commit=""
    )
    with pytest.raises(InputError, match="Experiment 1 is about poets, of which this version of Oasis knows nothing"):
        Experiment.resume(store)


# Engines

scripts = st.sampled_from(["", "intro; assumption", "intro; destruct_and H; assumption"])


@given(st.data(), st.integers(0, 5), st.integers(0, 5), st.integers(1, 5))
def test_a_trial_is_stored_bit_for_bit(data: st.DataObject, episodes: int, checkpoints: int, lemmas: int) -> None:
    types = (np.int32, np.bool_, np.int32, np.int32, *[np.float64] * 3)
    shapes = [(episodes,)] * 4 + [(checkpoints, lemmas)] * 3
    numbers = [data.draw(arrays(dtype, shape)) for dtype, shape in zip(types, shapes, strict=True)]
    texts = [np.array(data.draw(st.lists(scripts, min_size=lemmas, max_size=lemmas))) for _ in range(2)]
    trial = {f"KL by γ, {place}": array for place, array in enumerate([*numbers, *texts])}
    assert same({"": [unpacked(packed(trial))]}, {"": [trial]})


def test_processes_give_the_numbers_of_this_one() -> None:
    plan = shortened(PLAN, 3)
    here = trials(Serial(), plan)
    assert same(here, trials(Processes(2), plan))
    assert sum(not np.array_equal(trial["steps"], here["fixed"][0]["steps"]) for trial in here["fixed"]) == 3


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
    early = [(kind, seed) for kind, left in seeds.items() for seed in left[: max(2, len(left) // engines.EARLY)]]
    assert done[: len(early)] == early  # so that kinds can be compared before all is done
    for job in jobs:
        assert job.seeds
        assert len(job.seeds) == 1 or len(job.seeds) * plans[job.kind.plan].episodes <= engines.JOB_EFFORT


def die_while_writing(pipe: Connection[Any, Any]) -> None:
    """Be killed in the middle of an answer: the length of a message, and a little of it."""
    pipe.recv(), pipe.recv()
    os.write(pipe.fileno(), struct.pack("!i", 1_000_000) + b"x" * 100_000)
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_in_the_middle_of_its_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_serve", die_while_writing)
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
    monkeypatch.setattr(engines, "WORTH_STARTING", 10**9)
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
    with pytest.raises(InputError, match=r"^--workers must be at least 1, not 0\.$"):
        engine("processes", workers=0)


@pytest.fixture
def ray_installed() -> None:
    if find_spec("ray") is None:
        missing("Ray is not installed: pip install '.[cluster]'")


@pytest.fixture
def connected(ray_installed: None) -> Iterator[Ray]:
    """A worker of a Ray that is there for one test."""
    import ray

    before = signal.getsignal(signal.SIGTERM)
    with cluster.connected(1, None, EngineError):
        assert signal.getsignal(signal.SIGTERM) is before
        yield Ray(1)
    assert not ray.is_initialized()


def test_ray_gives_the_numbers_of_this_process_and_raises_what_goes_wrong_in_a_task(connected: Ray) -> None:
    plan = shortened(PLAN, 2)
    assert same(trials(connected, plan), trials(Serial(), plan))
    with pytest.raises(KeyError, match="nobody"):
        trials(connected, broken())


@pytest.mark.thorough
@pytest.mark.usefixtures("connected")
def test_a_machine_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(cluster, "commit", lambda: "0123456789")
    elsewhere = Ray(address=ray.get_runtime_context().gcs_address)
    with pytest.raises(EngineError, match=r"has Oasis .* and not 0123456789; install the same on every machine\.$"):
        trials(elsewhere)


@pytest.mark.usefixtures("ray_installed")
def test_a_ray_that_does_not_start_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise Exception("The current node timed out during startup. This could happen because the GCS is overloaded.")  # noqa: TRY002 - as Ray has it

    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", late)
    with pytest.raises(EngineError, match=r"^Ray cannot be used on this machine \(The current node timed out "):
        trials(Ray(2))


@pytest.mark.usefixtures("ray_installed")
def test_an_address_where_nobody_answers_is_said_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(EngineError, match=f"^No Ray cluster answers at {address} "):
            trials(Ray(address=address))
