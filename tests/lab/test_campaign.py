"""Comparisons that are kept: however often one is stopped or killed, it ends as one that was not."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from oasis.lab import campaign as module
from oasis.lab.campaign import Campaign, Maker, packed, unpacked
from oasis.lab.engines import Engine, EngineError, Processes, Serial, base
from oasis.lab.plan import Variant
from oasis.lab.trials import Trial
from oasis.plugins import PluginError
from oasis.store import Store, StoreError
from oasis.version import version
from tactics.errors import InputError
from tests.lab.experiments import begin
from tests.lab.plans import PLAN, SETTINGS, same, shortened, trials
from tests.thorough import examples, thoroughly

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_processes")]
ROOT = Path(__file__).resolve().parents[2]
TOTAL = len(PLAN.variants) * len(PLAN.seeds)
LONG = replace(shortened(PLAN, 2), seeds=tuple(range(20)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "oasis.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, Trial]:
    return trials(Serial())


@pytest.mark.parametrize("engine", [Serial(), *thoroughly(Processes(2))], ids=["serial", "processes"])
def test_a_campaign_has_the_trials_of_its_plan(store: Store, engine: Engine, uninterrupted: dict[str, Trial]) -> None:
    campaign = begin(store, PLAN)
    assert (campaign.number, campaign.done, campaign.total, campaign.finished) == (1, 0, TOTAL, False)
    with pytest.raises(InputError, match=f"^Experiment 1 has {TOTAL} trials to go; resume it first.$"):
        campaign.trials(PLAN.name)
    told = list(campaign.run(engine))
    assert [progress.done for progress in told] == [*range(1, TOTAL + 1)]
    assert [progress.effort for progress in told] == [PLAN.episodes * number for number in range(1, TOTAL + 1)]
    assert {progress.part for progress in told} == {PLAN.name}
    assert {(progress.variant, progress.seed) for progress in told} == {
        (variant.name, seed) for variant in PLAN.variants for seed in PLAN.seeds
    }
    assert (campaign.done, campaign.finished) == (TOTAL, True)
    for each in (campaign, again := Campaign.resume(store, 1)):
        assert same(each.trials(PLAN.name), uninterrupted)
    assert again.finished and list(again.run(Serial())) == []


@settings(max_examples=examples(30), deadline=None)
@given(stops=st.lists(st.integers(0, TOTAL), max_size=4))
def test_a_campaign_stopped_and_resumed_ends_as_one_that_was_not(
    uninterrupted: dict[str, Trial], stops: list[int]
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "JOB_EFFORT", 100)  # jobs of up to two trials
        path = Path(folder) / "oasis.db"
        with Store(path) as store:
            begin(store, PLAN)
        for number in stops:
            with Store(path) as store:
                campaign = Campaign.resume(store)
                before = campaign.done
                told = list(islice(campaign.run(Serial()), number))
                assert [progress.done for progress in told] == [*range(before + 1, before + len(told) + 1)]
                assert campaign.done >= before + len(told)
        with Store(path) as store:
            campaign = Campaign.resume(store)
            list(campaign.run(Serial()))
            assert campaign.finished
            assert same(campaign.trials(PLAN.name), uninterrupted)


@pytest.mark.usefixtures("short_jobs")
def test_what_was_done_before_a_worker_died_is_kept_and_the_other_workers_end(store: Store) -> None:
    campaign = begin(store, LONG)
    run = campaign.run(Processes(2))
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
    assert 5 <= campaign.done < campaign.total
    assert not campaign.finished
    assert next(Campaign.resume(store).run(Serial())).done == campaign.done


@pytest.mark.usefixtures("short_jobs")
def test_leaving_a_run_early_ends_its_processes_and_keeps_what_was_done(store: Store) -> None:
    campaign = begin(store, LONG)
    with closing(campaign.run(Processes(1))) as run:
        assert next(run).done == 1
        assert len(multiprocessing.active_children()) == 1
    assert multiprocessing.active_children() == []
    assert campaign.done == 1


# Processes that are killed or interrupted.

PROGRAM = """
import sys
from pathlib import Path
from oasis.lab.engines import Processes, base, local
from oasis.store import Store
from tests.lab.experiments import begin
from tests.lab.test_campaign import LONG
base.JOB_EFFORT = 1
local.WORTH_STARTING = 0
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
        campaign = Campaign.resume(store)
        assert campaign.done == 10
        assert len(list(campaign.run(Serial()))) == campaign.total - 10
        assert same(campaign.trials(PLAN.name), trials(Serial(), LONG))


# What a campaign knows of itself.


def test_a_campaign_is_in_the_store_before_its_first_trial(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        begin(store, PLAN)
    with Store(tmp_path / "oasis.db", create=False) as store:
        campaign = Campaign.resume(store)
        assert campaign.plan == PLAN
        assert campaign.same_version
        assert campaign.begun_with.startswith(version())


def test_a_campaign_killed_after_its_last_trial_is_still_to_be_finished(store: Store) -> None:
    small = replace(PLAN, variants=PLAN.variants[:1])
    run = begin(store, small).run(Serial())
    list(islice(run, len(PLAN.seeds)))
    campaign = Campaign.resume(store)
    assert (campaign.done, campaign.finished) == (campaign.total, False)
    assert list(campaign.run(Serial())) == []
    assert Campaign.resume(store).finished


def test_what_is_done_so_far_is_the_experiment_that_asked_for_no_more(
    store: Store, uninterrupted: dict[str, Trial]
) -> None:
    campaign = begin(store, PLAN)
    with pytest.raises(InputError, match=r"^Experiment 1 does not have two students of one kind yet"):
        campaign.so_far()
    for done in campaign.run(Serial()):
        if done.done == TOTAL // 2 + 3:
            break
    cut = campaign.so_far()
    (plan,) = cut.plans.values()
    assert {variant.name for variant in plan.variants} < {variant.name for variant in PLAN.variants} or len(
        plan.seeds
    ) < len(PLAN.seeds)
    assert len(plan.variants) * len(plan.seeds) <= campaign.done
    places = [PLAN.seeds.index(seed) for seed in plan.seeds]
    asked = {each.name: PLAN.results([array[places] for array in uninterrupted[each.name]]) for each in plan.variants}
    assert same(cut.trials(PLAN.name), asked)
    assert [*campaign.run(Serial())]  # the whole experiment goes on


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


@pytest.mark.parametrize(
    ("then", "now", "same_version"),
    [
        (("1.0", None), ("1.0", None), True),
        (("1.0", None), ("1.1", None), False),
        (("1.0", "abc"), ("1.1", "abc"), True),  # the sources are the same whatever the installation calls itself
        (("1.0", "abc"), ("1.0", "abd"), False),
    ],
)
def test_a_campaign_of_another_version_says_so(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    then: tuple[str, str | None],
    now: tuple[str, str | None],
    same_version: bool,
) -> None:
    for version_now, commit_now in (then, now):
        monkeypatch.setattr(module, "version", lambda name=version_now: name)
        monkeypatch.setattr(module, "commit", lambda name=commit_now: name)
        campaign = Campaign.resume(store) if store.experiments() else begin(store, PLAN)
    assert campaign.same_version is same_version
    assert campaign.begun_with == ("1.0" if then[1] is None else "1.0 (abc)")


def test_the_plans_of_a_campaign_are_done_side_by_side(store: Store) -> None:
    short = replace(shortened(PLAN, 2), name="short", seeds=(1, 2))
    renamed = replace(short, name="renamed", seeds=(3,), renamed=True)
    campaign = begin(store, short, renamed)
    assert (campaign.total, campaign.effort) == (6, 6 * PLAN.episodes)
    run = campaign.run(Serial())
    assert [next(run).part for _ in range(4)] == ["short"] * 4
    assert campaign.finished_parts() == ["short"]
    with pytest.raises(InputError, match="has 2 trials to go"):
        campaign.trials("renamed")
    again = Campaign.resume(store)
    assert again.plans == {"short": short, "renamed": renamed}
    assert [progress.part for progress in again.run(Serial())] == ["renamed"] * 2
    for plan in (short, renamed):
        assert same(again.trials(plan.name), trials(Serial(), plan))


def test_an_experiment_is_resumed_by_the_command_that_began_it(store: Store) -> None:
    Campaign.start(store, {PLAN.name: PLAN}, command="thesis", name="Figure 7.1")
    assert begin(store, PLAN).number == 2
    assert Campaign.resume(store, command="thesis").number == 1
    assert Campaign.resume(store).number == 2
    with pytest.raises(InputError) as refused:
        Campaign.resume(store, 1)
    assert str(refused.value) == (
        "Experiment 1 was begun with oasis thesis; go on with: oasis thesis --resume --experiment 1"
    )
    with pytest.raises(StoreError, match="There is no experiment of `oasis sharing` in"):
        Campaign.resume(store, command="sharing")


def test_a_campaign_knows_which_versions_made_its_trials(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(shortened(PLAN, 1), seeds=(1, 2, 3))
    monkeypatch.setattr(base, "JOB_EFFORT", 1)
    for commit_now, number in (("a" * 40, 2), ("b" * 40, 1)):
        monkeypatch.setattr(module, "version", lambda: "1.0")
        monkeypatch.setattr(module, "commit", lambda name=commit_now: name)
        campaign = Campaign.resume(store) if store.experiments() else begin(store, small)
        list(islice(campaign.run(Serial()), number))
    assert campaign.makers == [Maker("1.0", "a" * 40, 2), Maker("1.0", "b" * 40, 1)]
    assert campaign.made_by == "1.0 (aaaaaaaaa) and 1.0 (bbbbbbbbb)"


def test_two_processes_can_work_on_one_campaign(store: Store, tmp_path: Path, uninterrupted: dict[str, Trial]) -> None:
    begin(store, PLAN)
    with Store(tmp_path / "oasis.db") as other:
        runs = [Campaign.resume(each).run(Serial()) for each in (store, other)]
        next(runs[0]), next(runs[1])
        for run in runs:
            list(run)
    assert same(Campaign.resume(store, 1).trials(PLAN.name), uninterrupted)


def test_an_experiment_that_is_not_there_or_of_another_sort_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="There is no experiment of `oasis compare` in"):
        Campaign.resume(store)
    with pytest.raises(StoreError, match="There is no experiment 3 in"):
        Campaign.resume(store, 3)
    store.start_experiment(
        command="compare", name="x", plan={"of": "poets", "plans": {"x": {}}}, version="9", commit=""
    )
    with pytest.raises(InputError, match="Experiment 1 is about poets, of which this version of Oasis knows nothing"):
        Campaign.resume(store)


scripts = st.sampled_from(["", "intro; assumption", "intro; destruct_and H; assumption"])


@given(st.data(), st.integers(0, 5), st.integers(0, 5), st.integers(1, 5))
def test_a_trial_is_stored_bit_for_bit(data: st.DataObject, episodes: int, checkpoints: int, lemmas: int) -> None:
    types = (np.int32, np.bool_, np.int32, np.int32, *[np.float64] * 3)
    shapes = [(episodes,)] * 4 + [(checkpoints, lemmas)] * 3
    numbers = [data.draw(arrays(dtype, shape)) for dtype, shape in zip(types, shapes, strict=True)]
    texts = [np.array(data.draw(st.lists(scripts, min_size=lemmas, max_size=lemmas))) for _ in range(2)]
    trial = Trial(*numbers, *texts)
    assert same({"": PLAN.results(unpacked(packed(trial)))}, {"": trial})
