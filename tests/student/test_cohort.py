"""Students of the same settings side by side, in processes of their own."""

import multiprocessing
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curricula.resolve import resolve
from oasis.store import Store
from oasis.student.cohort import Cohort
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training
from tactics.errors import InputError
from tactics.formula import Formula

pytestmark = pytest.mark.slow
SETTINGS = Settings(learner="q-learning", episodes=400)


def no_optimum(formula: Formula) -> None:
    """Return nothing: the optimum is not worked out."""
    return


def deadly(formula: Formula) -> int | None:
    """Kill the process that asks."""
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def started(store: Store, seeds: int, episodes: int = 400) -> list[int]:
    """Start runs of neighbouring seeds."""
    chosen = replace(SETTINGS, episodes=episodes)
    return [Training.start(store, resolve("SYJ203.2"), replace(chosen, seed=seed)).run for seed in range(seeds)]


def results_of(store: Store, runs: list[int]) -> list[dict[str, Any]]:
    """Return the results of runs, without times and numbers of runs."""
    found = [report(store, run).to_json() for run in runs]
    return [{**each, "run": 0, "lemmas": [{**lemma, "seconds": 0} for lemma in each["lemmas"]]} for each in found]


def test_side_by_side_is_one_after_the_other(tmp_path: Path) -> None:
    with Store(tmp_path / "side.db") as store, Store(tmp_path / "one.db") as other:
        runs = started(store, 3)
        told = list(Cohort(store, runs, no_optimum, workers=2))
        assert told[-1] == 3 == Cohort(store, runs, no_optimum).total
        for run in started(other, 3):
            list(Training(other, run))
        assert results_of(store, runs) == results_of(other, runs)


def test_a_stop_ends_all(tmp_path: Path) -> None:
    with Store(tmp_path / "side.db") as store:
        runs = started(store, 2, episodes=10**9)
        cohort = Cohort(store, runs, no_optimum, workers=2)
        for _ in cohort:
            if all(store.lemmas(run)[0]["practised"] for run in runs):
                cohort.stop_requested = signal.SIGINT
        assert not cohort.finished
        assert cohort.done == 0


def test_a_process_that_dies_is_told_of(tmp_path: Path) -> None:
    with Store(tmp_path / "side.db") as store:
        runs = started(store, 1)
        with pytest.raises(InputError, match="has died; go on with: oasis train --resume"):
            list(Cohort(store, runs, deadly))
        assert list(Training(store, runs[0]))  # the rest is done later


def test_what_fails_in_a_process_is_told_in_words(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings = replace(SETTINGS, reward="tests.student.plugins:Numberless")
    with Store(tmp_path / "side.db") as store:
        run = Training.start(store, resolve("SYJ203.2"), settings).run
        with pytest.raises(InputError, match=r"The reward Numberless pays nan; .* go on with: oasis train --resume"):
            list(Cohort(store, [run], no_optimum))
    assert "Traceback" not in capfd.readouterr().err


def test_ctrl_c_while_processes_begin_ends_them_in_silence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path / "side.db") as store:
        cohort = Cohort(store, started(store, 1, episodes=10**9), no_optimum)
        told = iter(cohort)
        next(told)
        for process in multiprocessing.active_children():
            assert process.pid is not None
            os.kill(process.pid, signal.SIGINT)
        assert list(told)[-1] == 0
        assert not cohort.finished
    assert "Traceback" not in capfd.readouterr().err
