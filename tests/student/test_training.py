"""Runs and their store: the same seed, the same contents, however often the run was stopped or killed in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve
from oasis.store import Store, StoreError
from oasis.student import training as module
from oasis.student.report import report
from oasis.student.school import why_plain
from oasis.student.settings import Settings
from oasis.student.training import Training
from tests.student.kinds import (
    COMPILED,
    EPISODES,
    KINDS,
    PLAIN,
    TOTAL,
    a_kind_of_each,
    continued,
    different_kinds,
    somebody,
)
from tests.student.runs import CURRICULUM, Contents, contents
from tests.thorough import thoroughly

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_by_one")]

ROOT = Path(__file__).resolve().parents[2]
several_examples = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def train(path: Path, kind: str) -> Contents:
    """The database of an uninterrupted run."""
    with Store(path) as store:
        assert [*Training.start(store, CURRICULUM, KINDS[kind], teach=somebody)][-1].episode == EPISODES
    return contents(path)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Contents]:
    """What an uninterrupted run of a kind stores."""
    known: dict[str, Contents] = {}

    def run(kind: str) -> Contents:
        if kind not in known:
            known[kind] = train(tmp_path_factory.mktemp("uninterrupted") / "oasis.db", kind)
        return known[kind]

    return run


def test_what_can_be_compiled_is() -> None:
    assert {kind for kind, chosen in KINDS.items() if why_plain(chosen) is None} == set(COMPILED)


@different_kinds
def test_the_same_seed_gives_the_same_contents_whatever_the_blocks(
    kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)
    first, second = uninterrupted(kind), train(tmp_path / "again.db", kind)
    assert first == second
    assert sum(map(len, first["blocks"].values())) == TOTAL
    known = first["students"][1]["pairs"] if kind in COMPILED else first["pairs"]
    assert len(known) > 15
    assert bool(first["pairs"]) == (kind in PLAIN)
    with Store(tmp_path / "again.db") as store:
        training = Training(store, 1)
        assert training.finished
        assert list(training) == []
    assert contents(tmp_path / "again.db") == second


@different_kinds
@several_examples
@given(ends=st.lists(st.tuples(st.integers(1, TOTAL), st.none() | st.integers(0, 15)), min_size=1, max_size=4))
def test_a_run_stopped_or_killed_and_resumed_ends_as_one_that_was_not(
    kind: str, uninterrupted: Callable[[str], Contents], ends: list[tuple[int, int | None]]
) -> None:
    """`ends` says after how many blocks a process is stopped, or stores them and dies so many blocks later."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        for stored, more in [*ends, (inf, 0)]:
            with Store(path) as store:
                training = continued(store, kind)
                done = sum(lemma["practised"] for lemma in store.lemmas(1))
                for number, progress in enumerate(training, 1):
                    assert (progress.position, progress.episode - 1) == divmod(done, EPISODES)
                    done += 1
                    if number == stored:
                        training.stop_requested = more is None and signal.SIGINT
                        training._stored_at = -inf  # this block is stored when the next one is asked for
                    if more is not None and number == stored + more:
                        break
                assert more is not None or sum(lemma["practised"] for lemma in store.lemmas(1)) == done
        assert training.finished
        assert contents(path) == uninterrupted(kind)


@pytest.mark.parametrize("kind", ["q-learning", *thoroughly("own learner")])
def test_the_process_can_be_killed(kind: str, tmp_path: Path) -> None:
    program = """
import sys
from math import inf
from pathlib import Path
from curricula.resolve import resolve
from oasis.store import Store
from oasis.student import training
from oasis.student.settings import Settings
training.CHECKPOINT_SECONDS, training.BLOCK_SECONDS = 0.03, 0.0
with Store(Path(sys.argv[1])) as store:
    run = training.Training.start(store, resolve("SYJ203.2"), eval(sys.argv[2]))
    for progress in run:
        if progress.episode == 100:
            run._stored_at = -inf  # this block is stored when the next one is asked for
        if progress.episode == 110:
            print("stored", flush=True)
        if progress.episode == 400:
            sys.stdin.read()
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    path, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    chosen = Settings(episodes=500, seed=11, learner=KINDS[kind].learner)
    command = [sys.executable, "-c", program, str(path), repr(chosen)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "stored\n"
        child.kill()
    with Store(path) as store:
        training = Training(store, store.newest_run(unfinished_first=True))
        kept = training.lemmas[0]["practised"]
        assert 100 <= kept <= 400
        assert [progress.episode for progress in training] == [*range(kept + 1, 501)]
    with Store(whole) as store:
        list(Training.start(store, resolve("SYJ203.2"), chosen))
    assert contents(path) == contents(whole)


@a_kind_of_each
def test_a_run_stopped_after_its_last_episode_is_still_to_be_examined(kind: str, tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = continued(store, kind)
        for number, _ in enumerate(training, 1):
            training.stop_requested = int(number == TOTAL)
        assert not training.finished
        assert report(store, 1).finished is None
        assert [lemma.finished for lemma in report(store, 1).lemmas] == [True] * 5 + [False]
        assert report(store, 1).lemmas[-1].exam is None
    with Store(tmp_path / "oasis.db") as store:
        assert list(continued(store, kind)) == []
        assert report(store, 1).finished is not None
        assert all(lemma.finished and lemma.exam for lemma in report(store, 1).lemmas)


@a_kind_of_each
def test_two_trainings_of_the_same_run_do_not_mix(
    kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path
) -> None:
    with Store(tmp_path / "oasis.db") as one, Store(tmp_path / "oasis.db") as other:
        first = iter(continued(one, kind))
        second = iter(continued(other, kind))
        next(first), next(second)
        assert len(list(first)) == TOTAL - 1
        with pytest.raises(StoreError, match="another process is training the same run"):
            list(second)
    assert contents(tmp_path / "oasis.db") == uninterrupted(kind)


@a_kind_of_each
def test_a_stopped_training_can_be_iterated_again(
    kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path
) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = continued(store, kind)
        for number, _ in enumerate(training, 1):
            training.stop_requested = number == 5
        training.stop_requested = 0
        assert len(list(training)) == TOTAL - 5
        assert training.finished
    assert contents(tmp_path / "oasis.db") == uninterrupted(kind)
