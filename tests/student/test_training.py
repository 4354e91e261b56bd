"""Runs and their store: the same seed, the same rows, however often the run was stopped or killed in between."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curricula.lemma import Curriculum, Lemma
from curricula.resolve import resolve
from oasis.splitmix import SplitMix64
from oasis.store import Store, StoreError
from oasis.student import training as module
from oasis.student.policy import greedy
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Progress, Training, play
from oasis.version import commit, version
from tactics.parser import parse
from tactics.script import parse_script, replay
from tests.student.pupils import environment, taught

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    "((p \\/ (p -> f)) -> f) -> f",
    "p",
    "p \\/ ~ p",
    "q -> q",
    "p /\\ q -> q /\\ p",
    "q -> q \\/ p",  # goes through a state of the lemma before the last one
]
CURRICULUM = Curriculum("six", "small lemmas", tuple(Lemma(f"L{n}", parse(t), None, "") for n, t in enumerate(TEXTS)))
EPISODES = 12
TOTAL = EPISODES * len(TEXTS)
KINDS = {
    "q-learning": Settings(episodes=EPISODES, seed=3),
    "sarsa": Settings(learner="sarsa", reward="standard-qed", actions="simplify", episodes=EPISODES, seed=4),
    "epsilon-soft": Settings(learner="epsilon-soft", reward="standard", episodes=EPISODES, seed=5),
    "blind, forgetting": Settings(actions="blind", forget_errors=True, max_steps=20, episodes=EPISODES, seed=6),
    "blind": Settings(learner="sarsa", actions="blind", max_steps=20, episodes=EPISODES, seed=7),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
# The tables without what a clock or a stop may change.
TABLES = {
    "runs": "id, finished IS NOT NULL, version, [commit], curriculum, settings, rng",
    "lemmas": "run, position, name, formula, status, level, finished, greedy_proved, greedy_length, greedy_script",
    "episodes": "*",
    "states": "*",
    "pairs": "*",
}
Contents = dict[str, list[tuple[Any, ...]]]


def contents(path: Path) -> Contents:
    """Every row of a database, in an order of their own."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: sorted(connection.execute(f"SELECT {columns} FROM {name}").fetchall(), key=repr)
            for name, columns in TABLES.items()
        }


def train(path: Path, kind: str) -> Contents:
    """The database of an uninterrupted run."""
    with Store(path) as store:
        assert len(list(Training.start(store, CURRICULUM, KINDS[kind]))) == TOTAL
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


def continued(store: Store, kind: str) -> Training:
    """The run of a store, started if there is none."""
    return Training(store, 1) if store.runs() else Training.start(store, CURRICULUM, KINDS[kind])


@every_kind
def test_the_same_seed_gives_the_same_rows(kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path) -> None:
    first, second = uninterrupted(kind), train(tmp_path / "again.db", kind)
    assert first == second
    assert len(first["episodes"]) == TOTAL
    assert len(first["pairs"]) > 15


def test_another_seed_gives_other_episodes(tmp_path: Path) -> None:
    scripts = []
    for seed in (1, 2):
        with Store(tmp_path / f"{seed}.db") as store:
            run = Training.start(store, CURRICULUM, Settings(episodes=EPISODES, seed=seed))
            assert len(list(run)) == TOTAL
            scripts.append([episode["script"] for episode in store.episodes(1)])
    assert scripts[0] != scripts[1]


@every_kind
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stops=st.lists(st.integers(1, TOTAL), min_size=1, max_size=4))
def test_a_run_stopped_and_resumed_ends_as_one_that_was_not(
    kind: str, uninterrupted: Callable[[str], Contents], stops: list[int]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        done = 0
        for episodes in [*stops, inf]:
            with Store(path) as store:
                training = continued(store, kind)
                for number, progress in enumerate(training, 1):
                    assert (progress.position, progress.episode - 1) == divmod(done, EPISODES)
                    done += 1
                    if number == episodes:
                        training.stop_requested = signal.SIGINT
                assert sum(lemma["episodes"] for lemma in store.lemmas(1)) == done
        assert training.finished
        assert contents(path) == uninterrupted(kind)


@every_kind
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deaths=st.lists(st.tuples(st.integers(1, TOTAL), st.integers(0, 15)), min_size=1, max_size=3))
def test_a_run_that_died_between_checkpoints_ends_as_one_that_did_not(
    kind: str, uninterrupted: Callable[[str], Contents], deaths: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "oasis.db"
        for checkpoint, more in [*deaths, (0, -1)]:
            with Store(path) as store:
                training = continued(store, kind)
                for number, _ in enumerate(training, 1):
                    # Stored after this episode or not; the end of a lemma is stored in any case.
                    patch.setattr(module, "CHECKPOINT_SECONDS", -1 if number == checkpoint else inf)
                    if number == checkpoint + more:
                        break
        assert training.finished
        assert contents(path) == uninterrupted(kind)


def test_the_process_can_be_killed(tmp_path: Path) -> None:
    chosen = Settings(episodes=1500, seed=11)
    program = f"""
import time
from pathlib import Path
from curricula.resolve import resolve
from oasis.store import Store
from oasis.student import training
from oasis.student.settings import Settings
from oasis.splitmix import SplitMix64
training.CHECKPOINT_SECONDS = 0.03
with Store(Path({str(tmp_path / "killed.db")!r})) as store:
    for _ in training.Training.start(store, resolve("SYJ203.2"), {chosen!r}):
        time.sleep(0.001)
"""
    child = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        deadline = time.monotonic() + 60
        stored = 0
        while stored < 200:
            assert child.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
            if (tmp_path / "killed.db").exists():
                with closing(sqlite3.connect(tmp_path / "killed.db")) as connection:
                    tables = connection.execute("SELECT name FROM sqlite_master WHERE name = 'episodes'").fetchall()
                    stored = connection.execute("SELECT count(*) FROM episodes").fetchone()[0] if tables else 0
    finally:
        child.kill()
        child.wait()
    with Store(tmp_path / "killed.db") as store:
        training = Training(store, store.newest_run(unfinished_first=True))
        kept = training.lemmas[0]["episodes"]
        assert 200 <= kept < 1500
        assert [progress.episode for progress in training] == [*range(kept + 1, 1501)]
    with Store(tmp_path / "whole.db") as store:
        assert len(list(Training.start(store, resolve("SYJ203.2"), chosen))) == 1500
    assert contents(tmp_path / "killed.db") == contents(tmp_path / "whole.db")


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    train(tmp_path / "oasis.db", "q-learning")
    before = contents(tmp_path / "oasis.db")
    with Store(tmp_path / "oasis.db") as store:
        training = Training(store, 1)
        assert training.finished
        assert list(training) == []
    assert contents(tmp_path / "oasis.db") == before


def test_a_run_stopped_after_its_last_episode_is_still_to_be_finished(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = continued(store, "q-learning")
        for number, _ in enumerate(training, 1):
            training.stop_requested = int(number == TOTAL)
        assert not training.finished
        assert report(store, 1).finished is None
        assert [lemma.finished for lemma in report(store, 1).lemmas] == [True] * 5 + [False]
    with Store(tmp_path / "oasis.db") as store:
        assert list(continued(store, "q-learning")) == []
        assert report(store, 1).finished is not None
        assert all(lemma.finished for lemma in report(store, 1).lemmas)


def test_two_trainings_of_the_same_run_do_not_mix(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as one, Store(tmp_path / "oasis.db") as other:
        first = iter(continued(one, "q-learning"))
        second = iter(continued(other, "q-learning"))
        next(first), next(second)
        assert len(list(first)) == TOTAL - 1
        with pytest.raises(StoreError, match="another process is training the same run"):
            list(second)
    train(tmp_path / "alone.db", "q-learning")
    assert contents(tmp_path / "oasis.db") == contents(tmp_path / "alone.db")


def test_a_stopped_training_can_be_iterated_again(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = continued(store, "q-learning")
        for number, _ in enumerate(training, 1):
            training.stop_requested = number == 5
        training.stop_requested = 0
        assert len(list(training)) == TOTAL - 5
        assert training.finished
    train(tmp_path / "alone.db", "q-learning")
    assert contents(tmp_path / "oasis.db") == contents(tmp_path / "alone.db")


def test_runs_in_one_store_do_not_know_each_other(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        reports = []
        for _ in range(2):
            training = Training.start(store, CURRICULUM, KINDS["epsilon-soft"])
            assert len(list(training)) == TOTAL
            reports.append(report(store, training.run))
    assert [found.run for found in reports] == [1, 2]
    assert _without_seconds(reports[0].to_json()) == _without_seconds(reports[1].to_json())


def _without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    lemmas = [{name: value for name, value in lemma.items() if name != "seconds"} for lemma in found["lemmas"]]
    return {**found, "run": None, "lemmas": lemmas}


@every_kind
def test_every_stored_script_proves_its_lemma_and_has_the_stored_length(
    kind: str, uninterrupted: Callable[[str], Contents]
) -> None:
    rows = uninterrupted(kind)
    proved = 0
    for _, position, _, steps, is_proved, length, script in rows["episodes"]:
        assert (script is not None) == bool(is_proved)
        assert steps <= KINDS[kind].max_steps
        if script is not None:
            proved += 1
            assert replay(parse(TEXTS[position]), parse_script(script))[-1] == ()
            assert length == len(parse_script(script))
    assert proved > EPISODES
    for _, position, _, _, _, _, finished, greedy_proved, greedy_length, greedy_script in rows["lemmas"]:
        states = replay(parse(TEXTS[position]), parse_script(greedy_script))
        assert (finished, greedy_proved, greedy_length) == (1, states[-1] == (), len(states) - 1)


def test_a_run_of_one_lemma_learns_what_its_learner_learns(tmp_path: Path) -> None:
    chosen = Settings(episodes=200, seed=9)
    lemma = parse(TEXTS[0])
    with Store(tmp_path / "oasis.db") as store:
        run = Training.start(store, Curriculum("one", "", (Lemma("L", lemma, None, ""),)), chosen)
        assert len(list(run)) == 200
        memory = taught(lemma, chosen)
        play(proving := environment(lemma, memory), greedy(memory))
        found = report(store, 1).lemmas[0]
        assert found.greedy == tuple(proving.script)
        for record in memory.changes()[1]:
            kept = {slot: (value, visits) for slot, value, visits, _ in store.recall(1, record.state) or []}
            assert (record.value, record.visits) in kept.values()


def test_progress_tells_of_every_episode_as_it_is_stored(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        told = [*continued(store, "epsilon-soft")]
        rows = store.episodes(1)
    names = [lemma.name for lemma in CURRICULUM.lemmas]
    assert told == [
        Progress(names.index(row["lemma"]), row["lemma"], row["episode"], bool(row["proved"]), row["steps"])
        for row in rows
    ]


def test_what_was_learned_on_one_lemma_is_known_in_the_next(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        list(continued(store, "epsilon-soft"))
        new_states = [lemma.states for lemma in report(store, 1).lemmas]
    # The last lemma meets `q -> q \/ p`, `q |- q \/ p`, `q |- p`; `q |- q` was met before.
    assert new_states[-1] == 3


def test_a_run_records_its_seed_settings_version_and_commit(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        Training.start(store, CURRICULUM, KINDS["blind, forgetting"])
        found = report(store, 1)
        assert Settings(**found.settings) == KINDS["blind, forgetting"]
        assert found.to_json()["seed"] == 6
        assert found.version == version()
        assert found.commit == commit()
        assert store.run(1)["rng"] == SplitMix64.seeded(6).state


def test_a_run_is_in_the_store_before_its_first_episode(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        continued(store, "q-learning")
    with Store(tmp_path / "oasis.db", create=False) as store:
        assert [lemma.name for lemma in report(store, 1).lemmas] == [lemma.name for lemma in CURRICULUM.lemmas]


def test_an_episode_waits_no_longer_than_the_interval_to_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every look at the clock takes 0.3 s: an episode with its two looks and one at its end takes 0.9 s.
    clock: Iterator[float] = (0.3 * tick for tick in count())
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    with Store(tmp_path / "oasis.db") as store, Store(tmp_path / "oasis.db") as reader:
        waiting = []
        for number, _ in enumerate(continued(store, "q-learning"), 1):
            waiting.append(number - len(reader.episodes(1)))
    assert 1 < max(waiting) <= 3
