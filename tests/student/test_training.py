"""Runs and their store: the same seed, the same contents, however often the run was stopped or killed in between."""

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
from oasis.exam import examine
from oasis.policy import Policy, Uniform
from oasis.splitmix import SplitMix64
from oasis.store import Store, StoreError
from oasis.student import training as module
from oasis.student.learners import LEARNERS
from oasis.student.plain import PlainStudent
from oasis.student.report import episodes, report
from oasis.student.school import School, why_plain
from oasis.student.settings import Settings
from oasis.student.training import Progress, Training
from oasis.teacher.exact.values import shortest_script
from oasis.version import commit, version
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.script import Script, replay
from tests.student.runs import CURRICULUM, FORMULAS, Contents, contents

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
EPISODES = 12
TOTAL = EPISODES * len(FORMULAS)
COMPILED = {
    "q-learning": Settings(episodes=EPISODES, seed=3),
    "and-or-q": Settings(learner="and-or-q", episodes=EPISODES, seed=4),
    "dyna-q": Settings(learner="dyna-q", planning=3, reward="standard", episodes=EPISODES, seed=5),
    "sarsa-lambda, simple": Settings(
        learner="sarsa-lambda", reward="standard-qed", actions="simplify", episodes=EPISODES, seed=6
    ),
    "name": Settings(state_space="name", epsilon="0.9..0.1", alpha="1/n^0.6", episodes=EPISODES, seed=7),
    "blind, forgetting": Settings(actions="blind", forget_errors=True, max_steps=20, episodes=EPISODES, seed=8),
    "history": Settings(reward="tests.student.plugins:Curious", episodes=EPISODES, seed=9),
    "shown proofs": Settings(search="somebody", shown=2, episodes=EPISODES, seed=12),
}
PLAIN = {
    "own learner": Settings(learner="tests.student.plugins:HALFWAY", episodes=EPISODES, seed=10),
    "own learner, forgetting": Settings(
        learner="tests.student.plugins:HALFWAY",
        actions="blind",
        forget_errors=True,
        max_steps=20,
        episodes=EPISODES,
        seed=11,
    ),
}
KINDS = {**COMPILED, **PLAIN}
every_kind = pytest.mark.parametrize("kind", KINDS)
a_kind_of_each = pytest.mark.parametrize("kind", ["q-learning", "own learner"])
several_examples = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one episode, so that a run can be stopped after each."""
    monkeypatch.setattr(module, "BLOCK_SECONDS", 0.0)


def somebody(settings: Settings, formula: Formula, _: Policy) -> Script | None:
    """Who shows a proof of each lemma that has one to a student of that kind."""
    return shortest_script(formula) if settings.search else None


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


def continued(store: Store, kind: str) -> Training:
    """The run of a store, started if there is none."""
    return Training(store, 1, teach=somebody) if store.runs() else new(store, kind)


def new(store: Store, kind: str) -> Training:
    """A run that has just begun."""
    return Training.start(store, CURRICULUM, KINDS[kind], teach=somebody)


def test_what_can_be_compiled_is() -> None:
    assert {kind for kind, chosen in KINDS.items() if why_plain(chosen) is None} == set(COMPILED)


@every_kind
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


def test_another_seed_gives_other_episodes(tmp_path: Path) -> None:
    blocks = []
    for seed in (1, 2):
        with Store(tmp_path / f"{seed}.db") as store:
            list(Training.start(store, CURRICULUM, Settings(episodes=EPISODES, seed=seed)))
        blocks.append(contents(tmp_path / f"{seed}.db")["blocks"])
    assert blocks[0] != blocks[1]


@every_kind
@several_examples
@given(stops=st.lists(st.integers(1, TOTAL), min_size=1, max_size=4))
def test_a_run_stopped_and_resumed_ends_as_one_that_was_not(
    kind: str, uninterrupted: Callable[[str], Contents], stops: list[int]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        done = 0
        for blocks in [*stops, inf]:
            with Store(path) as store:
                training = continued(store, kind)
                for number, progress in enumerate(training, 1):
                    assert (progress.position, progress.episode - 1) == divmod(done, EPISODES)
                    done += 1
                    if number == blocks:
                        training.stop_requested = signal.SIGINT
                assert sum(lemma["episodes"] for lemma in store.lemmas(1)) == done
        assert training.finished
        assert contents(path) == uninterrupted(kind)


@every_kind
@several_examples
@given(deaths=st.lists(st.tuples(st.integers(1, TOTAL), st.integers(0, 15)), min_size=1, max_size=3))
def test_a_run_that_died_between_checkpoints_ends_as_one_that_did_not(
    kind: str, uninterrupted: Callable[[str], Contents], deaths: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        for checkpoint, more in [*deaths, (0, -1)]:
            with Store(path) as store:
                training = continued(store, kind)
                for number, _ in enumerate(training, 1):
                    if number == checkpoint:
                        training._stored_at = -inf  # this block is stored when the next one is asked for
                    if number == checkpoint + more:
                        break
        assert training.finished
        assert contents(path) == uninterrupted(kind)


@pytest.mark.slow
@a_kind_of_each
def test_the_process_can_be_killed(kind: str, tmp_path: Path) -> None:
    learner = KINDS[kind].learner
    program = f"""
import sys, time
from pathlib import Path
from curricula.resolve import resolve
from oasis.store import Store
from oasis.student import training
from oasis.student.settings import Settings
training.CHECKPOINT_SECONDS, training.BLOCK_SECONDS = 0.03, 0.0
with Store(Path(sys.argv[1])) as store:
    for _ in training.Training.start(store, resolve("SYJ203.2"), Settings(episodes=800, seed=11, learner={learner!r})):
        time.sleep(float(sys.argv[2]))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    path, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    child = subprocess.Popen([sys.executable, "-c", program, str(path), "0.01"], cwd=ROOT, env=environment)
    try:
        deadline = time.monotonic() + 120
        while (stored := _practised(path)) < 100:
            assert child.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        child.kill()
        child.wait()
    assert 100 <= stored < 800
    with Store(path) as store:
        training = Training(store, store.newest_run(unfinished_first=True))
        kept = training.lemmas[0]["episodes"]
        assert [progress.episode for progress in training] == [*range(kept + 1, 801)]
    subprocess.run([sys.executable, "-c", program, str(whole), "0"], cwd=ROOT, env=environment, check=True)
    assert contents(path) == contents(whole)


def _practised(path: Path) -> int:
    """The number of episodes in a database that may not be there yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        try:
            found = connection.execute("SELECT sum(practised) FROM lemmas").fetchone()
        except sqlite3.OperationalError:  # the tables are not there yet
            return 0
    return found[0] or 0


@a_kind_of_each
def test_a_finished_run_has_nothing_left_to_do(kind: str, tmp_path: Path) -> None:
    before = train(tmp_path / "oasis.db", kind)
    with Store(tmp_path / "oasis.db") as store:
        training = Training(store, 1)
        assert training.finished
        assert list(training) == []
    assert contents(tmp_path / "oasis.db") == before


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


@a_kind_of_each
def test_runs_in_one_store_do_not_know_each_other(kind: str, tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        reports = []
        for _ in range(2):
            training = Training.start(store, CURRICULUM, KINDS[kind])
            assert len(list(training)) == TOTAL
            reports.append(report(store, training.run))
    assert [found.run for found in reports] == [1, 2]
    assert _without_seconds(reports[0].to_json()) == _without_seconds(reports[1].to_json())


def _without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    lemmas = [{name: value for name, value in lemma.items() if name != "seconds"} for lemma in found["lemmas"]]
    return {**found, "run": None, "lemmas": lemmas}


@every_kind
def test_a_run_reports_what_its_student_does(kind: str, tmp_path: Path) -> None:
    student = School(KINDS[kind]).student(KINDS[kind].seed)
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, CURRICULUM, KINDS[kind], shortest=lambda formula: 77))
        listed, found = episodes(store, 1), report(store, 1).lemmas
    proofs = 0
    for position, (formula, lemma) in enumerate(zip(FORMULAS, found, strict=True)):
        practice = student.practise(formula, EPISODES)
        of_lemma = [row for row in listed if row["lemma"] == lemma.name]
        assert [row["episode"] for row in of_lemma] == [*range(1, EPISODES + 1)]
        assert [row["steps"] for row in of_lemma] == practice.steps.tolist()
        assert [bool(row["proved"]) for row in of_lemma] == practice.proved.tolist()
        assert (lemma.episodes, lemma.steps, lemma.proved_episodes) == (
            EPISODES,
            practice.steps.sum(),
            practice.proved.sum(),
        )
        first = 1 + int(practice.proved.argmax()) if practice.proved.any() else None
        assert (lemma.first_proof_episode, lemma.optimum) == (first, 77)
        assert lemma.exam == student.examine(formula)
        shortest = [len(script) for script in (student.best(formula), lemma.exam.script) if script is not None]
        assert len(lemma.best or ()) == min(shortest, default=0)
        for proof in lemma.proofs:
            proofs += 1
            assert replay(FORMULAS[position], proof)[-1] == ()
    assert proofs >= 6


def test_who_knows_nothing_is_examined_beside_the_student(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        chosen = Settings(episodes=400, seed=9)
        list(Training.start(store, resolve("SYJ203.2"), chosen))
        (lemma,) = report(store, 1).lemmas
    assert lemma.exam is not None
    assert lemma.untaught is not None
    seed = SplitMix64.seeded(9).state
    assert lemma.untaught == examine(Uniform(), resolve("SYJ203.2").lemmas[0].formula, seed=seed)
    assert lemma.untaught.share < 1 == lemma.exam.share


def test_a_run_of_one_lemma_stores_what_its_student_remembers(tmp_path: Path) -> None:
    chosen, lemma = PLAIN["own learner"], FORMULAS[0]
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, Curriculum("one", "", (Lemma("L", lemma, None, ""),)), chosen))
        student = PlainStudent(chosen)
        student.practise(lemma, EPISODES)
        states, records = student.memory.changes()
        assert len(records) > 5
        for record in records:
            kept = {slot: (value, visits) for slot, value, visits, _ in store.recall(1, record.state) or []}
            assert (record.value, record.visits) in kept.values()
        assert report(store, 1).lemmas[0].states == len(states)


def test_progress_tells_of_every_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)
    with Store(tmp_path / "oasis.db") as store:
        told = [*continued(store, "q-learning")]
        rows = episodes(store, 1)
    assert [progress.episodes for progress in told] == [1, 4, 7] * len(FORMULAS)
    done = 0
    for progress in told:
        block = rows[done : done + progress.episodes]
        done += progress.episodes
        position = CURRICULUM.lemmas.index(next(each for each in CURRICULUM.lemmas if each.name == block[0]["lemma"]))
        proved = sum(row["proved"] for row in block)
        last = block[-1]
        assert progress == Progress(position, last["lemma"], last["episode"], len(block), proved)
    assert done == TOTAL


@a_kind_of_each
def test_what_was_learned_on_one_lemma_is_known_in_the_next(kind: str, tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        list(continued(store, kind))
        new_states = [lemma.states for lemma in report(store, 1).lemmas]
    # The last lemma meets `q -> q \/ p`, `q |- q \/ p`, `q |- p`; `q |- q` was met before.
    assert new_states[-1] == 3


def test_lemmas_of_an_exam_are_not_practised(tmp_path: Path) -> None:
    exam = Curriculum("exam", "", CURRICULUM.lemmas[3:])
    practised = Curriculum("practised", "", CURRICULUM.lemmas[:3])
    for kind, chosen in KINDS.items():
        with Store(tmp_path / f"{kind}.db") as store:
            training = Training.start(store, practised, chosen, exam=exam)
            assert training.episodes == 3 * EPISODES
            assert sum(progress.episodes for progress in training) == 3 * EPISODES
            found = report(store, 1).lemmas
        assert [lemma.only_examined for lemma in found] == [False] * 3 + [True] * 3
        student = School(chosen).student(chosen.seed)
        for formula in FORMULAS[:3]:
            student.practise(formula, EPISODES)
        for formula, lemma in zip(FORMULAS[3:], found[3:], strict=True):
            assert (lemma.episodes, lemma.states, lemma.steps, lemma.finished) == (0, 0, 0, True)
            assert lemma.exam == student.examine(formula)
            assert lemma.best == lemma.exam.script


def test_a_run_records_its_seed_settings_version_and_commit(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        Training.start(store, CURRICULUM, KINDS["blind, forgetting"])
        found = report(store, 1)
        assert Settings(**found.settings) == KINDS["blind, forgetting"]
        assert found.to_json()["seed"] == 8
        assert found.version == version()
        assert found.commit == commit()
        assert store.run(1)["rng"] == SplitMix64.seeded(8).state


def test_a_run_is_in_the_store_before_its_first_episode(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        continued(store, "q-learning")
    with Store(tmp_path / "oasis.db", create=False) as store:
        assert [lemma.name for lemma in report(store, 1).lemmas] == [lemma.name for lemma in CURRICULUM.lemmas]


def test_a_run_whose_settings_this_version_does_not_know_is_refused_in_words(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        continued(store, "q-learning")
        with closing(sqlite3.connect(tmp_path / "oasis.db")) as connection, connection:
            connection.execute("UPDATE runs SET settings = '{\"telepathy\": true}', version = '9.9'")
        with pytest.raises(InputError, match=r"not those of this version .*telepathy.* go on with it in version 9\.9"):
            Training(store, 1)


def test_a_plain_student_whose_reward_has_counters_is_not_resumed_wrongly(tmp_path: Path) -> None:
    chosen = Settings(
        learner="tests.student.plugins:HALFWAY", reward="tests.student.plugins:Curious", episodes=EPISODES
    )
    with Store(tmp_path / "oasis.db") as store:
        training = Training.start(store, CURRICULUM, chosen)
        for _ in training:
            training.stop_requested = 1
        with pytest.raises(InputError, match="Run 1 cannot be resumed: its reward depends on what happened before"):
            list(Training(store, 1))


def test_an_episode_waits_no_longer_than_the_interval_to_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every look at the clock takes 0.1 s: a block with its two looks and the one behind it takes 0.3 s, storing 0.1 s.
    clock: Iterator[float] = (0.1 * tick for tick in count())
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    with Store(tmp_path / "oasis.db") as store, Store(tmp_path / "oasis.db") as reader:
        waiting = []
        for number, _ in enumerate(continued(store, "q-learning"), 1):
            waiting.append(number - len(episodes(reader, 1)))
    assert 1 < max(waiting) <= 5


def test_every_learner_of_ours_trains_compiled() -> None:
    assert [why_plain(Settings(learner=learner)) for learner in LEARNERS] == [None] * len(LEARNERS)


def test_what_a_student_was_shown_is_kept_and_reported(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        list(new(store, "shown proofs"))
        lemmas = report(store, 1).lemmas
    for lemma, formula in zip(lemmas, FORMULAS, strict=True):
        assert lemma.shown == shortest_script(formula)
        assert lemma.shown is None or lemma.shown in lemma.proofs
        assert lemma.shown is None or lemma.states > 0
        assert lemma.to_json()["shown"]["length"] == (lemma.shown and len(lemma.shown))
