"""What a run stores and reports: its student's practice and exams, its settings, and its progress."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from curricula.lemma import Curriculum
from curricula.resolve import resolve
from oasis.exam import examine
from oasis.policy import Uniform
from oasis.splitmix import SplitMix64
from oasis.store import Store
from oasis.student import training as module
from oasis.student.learners import LEARNERS
from oasis.student.report import episodes, report
from oasis.student.school import School, why_plain
from oasis.student.settings import Settings
from oasis.student.training import Progress, Training
from oasis.teacher.exact.values import shortest_script
from oasis.version import commit, version
from tactics.errors import InputError
from tactics.script import replay
from tests.student.kinds import EPISODES, KINDS, continued, different_kinds, new
from tests.student.runs import CURRICULUM, FORMULAS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_by_one")]


@different_kinds
def test_a_run_reports_what_its_student_does(kind: str, tmp_path: Path) -> None:
    """The last two lemmas are only examined."""
    student = School(KINDS[kind]).student(KINDS[kind].seed)
    practised, exam = Curriculum("four", "", CURRICULUM.lemmas[:4]), Curriculum("two", "", CURRICULUM.lemmas[4:])
    with Store(tmp_path / "oasis.db") as store:
        training = Training.start(store, practised, KINDS[kind], shortest=lambda formula: 77, exam=exam)
        assert sum(progress.episodes for progress in training) == training.episodes == 4 * EPISODES
        listed, found = episodes(store, 1), report(store, 1).lemmas
    assert [lemma.only_examined for lemma in found] == [False] * 4 + [True] * 2
    proofs = known = 0
    for position, (formula, lemma) in enumerate(zip(FORMULAS, found, strict=True)):
        if lemma.only_examined:
            assert (lemma.episodes, lemma.states, lemma.steps, lemma.finished) == (0, 0, 0, True)
            assert (lemma.exam, lemma.best) == (student.examine(formula), lemma.exam and lemma.exam.script)
            continue
        practice = student.practise(formula, EPISODES)
        known, before = student.states, known
        assert lemma.states == known - before
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
    assert proofs >= 4


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


def test_progress_tells_of_every_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)
    with Store(tmp_path / "oasis.db") as store:
        told = [*continued(store, "q-learning")]
        rows = episodes(store, 1)
    assert [progress.episodes for progress in told] == [1, 4, 7] * len(FORMULAS)
    for progress in told:
        block, rows = rows[: progress.episodes], rows[progress.episodes :]
        last, proved = block[-1], sum(row["proved"] for row in block)
        assert progress == Progress(int(last["lemma"][1:]), last["lemma"], last["episode"], len(block), proved)
    assert rows == []


def test_a_run_is_stored_with_its_seed_settings_and_version_before_its_first_episode(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        Training.start(store, CURRICULUM, KINDS["blind, forgetting"])
    with Store(tmp_path / "oasis.db", create=False) as store:
        found = report(store, 1)
        assert [lemma.name for lemma in found.lemmas] == [lemma.name for lemma in CURRICULUM.lemmas]
        assert Settings(**found.settings) == KINDS["blind, forgetting"]
        assert found.to_json()["seed"] == 8
        assert found.version == version()
        assert found.commit == commit()
        assert store.run(1)["rng"] == SplitMix64.seeded(8).state


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
