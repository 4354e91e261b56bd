"""Runs of an older version, whose episodes and pairs are rows: they are opened, shown and gone on with."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from sqlite_utils import Database

from oasis.splitmix import SplitMix64
from oasis.store import Store
from oasis.store.database import APPLICATION_ID
from oasis.store.schema import migrations
from oasis.student.plain import PlainStudent
from oasis.student.report import episodes, report
from oasis.student.settings import Settings
from oasis.student.training import Training
from tactics.printer import show
from tactics.script import show_script
from tests.student.runs import CURRICULUM, FORMULAS, reachable

EPISODES = 10
KINDS = {
    "legal": Settings(episodes=EPISODES, seed=3),
    "forgetting": Settings(actions="blind", forget_errors=True, max_steps=20, episodes=EPISODES, seed=4),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def former(path: Path, settings: Settings, played: int) -> None:
    """The database of a run of the former version that was stopped after so many episodes, all lemmas counted."""
    student = PlainStudent(settings)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrations.apply(Database(connection), stop_before="blocks_exams_and_snapshots")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "INSERT INTO runs (id, started, version, curriculum, settings, rng) "
            "VALUES (1, '2025', '0.1', 'six', ?, '')",
            (json.dumps(asdict(settings)),),
        )
        for position, lemma in enumerate(CURRICULUM.lemmas):
            text = show(lemma.formula, quantified=True)
            row = "INSERT INTO lemmas (run, position, name, formula) VALUES (1, ?, ?, ?)"
            connection.execute(row, (position, lemma.name, text))
            number = max(0, min(EPISODES, played - position * EPISODES))
            for episode in range(1, number + 1):
                practice = student.practise(lemma.formula, 1)
                script = student.best(lemma.formula) if practice.proved[0] else None
                connection.execute(
                    "INSERT INTO episodes VALUES (1, ?, ?, ?, ?, ?, ?)",
                    (
                        position,
                        episode,
                        int(practice.steps[0]),
                        script is not None,
                        len(script or ()),
                        None if script is None else show_script(script),
                    ),
                )
            states, records = student.memory.changes()
            connection.executemany("INSERT INTO states VALUES (1, ?, ?)", [(state, position) for state in states])
            connection.executemany(
                "INSERT OR REPLACE INTO pairs VALUES (1, ?, ?, ?, ?, ?)",
                [(record.state, json.dumps(record.slot), *record[2:]) for record in records],
            )
            if number == EPISODES:
                connection.execute(
                    "UPDATE lemmas SET finished = 1, greedy_proved = 0, greedy_length = 0, greedy_script = '' "
                    "WHERE position = ?",
                    (position,),
                )
        connection.execute("UPDATE runs SET rng = ?", (json.dumps(student.rng.state),))


@every_kind
@pytest.mark.parametrize("played", [0, 4, EPISODES, 3 * EPISODES + 7])
def test_a_former_run_goes_on_as_if_nothing_had_happened(kind: str, played: int, tmp_path: Path) -> None:
    settings = KINDS[kind]
    former(tmp_path / "oasis.db", settings, played)
    student = PlainStudent(settings)
    practised = [student.practise(formula, EPISODES) for formula in FORMULAS]
    with Store(tmp_path / "oasis.db") as store:
        training = Training(store, 1)
        assert training.is_plain
        assert sum(lemma["episodes"] for lemma in training.lemmas) == played
        assert sum(progress.episodes for progress in training) == EPISODES * len(FORMULAS) - played
        listed, lemmas = episodes(store, 1), report(store, 1).lemmas
        for formula, lemma, practice in zip(FORMULAS, lemmas, practised, strict=True):
            of_lemma = sorted((row["episode"], row["steps"]) for row in listed if row["lemma"] == lemma.name)
            assert of_lemma == [*enumerate(practice.steps.tolist(), 1)]
            assert (lemma.episodes, lemma.finished) == (EPISODES, True)
            assert (lemma.steps, lemma.proved_episodes) == (practice.steps.sum(), practice.proved.sum())
            best = student.best(formula)
            if lemma.exam is None or lemma.exam.script is None:
                assert len(lemma.best or ()) == len(best or ())
            first = 1 + int(practice.proved.argmax()) if practice.proved.any() else None
            assert lemma.first_proof_episode == first
        assert store.run(1)["rng"] == student.rng.state
        for record in student.memory.changes()[1]:
            kept = {slot: (value, visits) for slot, value, visits, _ in store.recall(1, record.state) or []}
            assert kept.get(json.dumps(record.slot)) == (record.value, record.visits)


@every_kind
def test_a_former_run_is_shown_with_its_episodes_and_without_an_exam(kind: str, tmp_path: Path) -> None:
    former(tmp_path / "oasis.db", KINDS[kind], 6 * EPISODES)
    with Store(tmp_path / "oasis.db") as store:
        (run,) = store.runs()
        assert (run["episodes"], run["lemmas"], run["lemmas_finished"]) == (6 * EPISODES, 6, 6)
        lemmas = report(store, 1).lemmas
        assert [lemma.exam for lemma in lemmas] == [lemma.untaught for lemma in lemmas] == [None] * 6
        assert [lemma.best is not None for lemma in lemmas] == [lemma.proved_episodes > 0 for lemma in lemmas]
        assert sum(lemma.states for lemma in lemmas) >= len(reachable(FORMULAS[1]))
        assert {row["length"] is not None for row in episodes(store, 1)} == {True}


def test_the_generator_of_a_still_older_run_seeds_ours(tmp_path: Path) -> None:
    former(tmp_path / "oasis.db", KINDS["legal"], 4)
    with closing(sqlite3.connect(tmp_path / "oasis.db")) as connection, connection:
        connection.execute("UPDATE runs SET rng = ?", (json.dumps([3, [1, 2, 624], None]),))
    with Store(tmp_path / "oasis.db") as store:
        assert [*Training(store, 1)][-1].episode == EPISODES
        assert isinstance(store.run(1)["rng"], int)
        assert store.run(1)["rng"] != SplitMix64.seeded(3).state
