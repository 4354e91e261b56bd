"""Tuning R†: trials that are kept and gone on with, weights that can be read again, and who confirms them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from curricula import resolve_lemma
from oasis.dagger.fit import default_fitted, fit
from oasis.dagger.fitting import write
from oasis.dagger.making import weights_of
from oasis.dagger.weights import NAMES, weights_named
from oasis.lab.engines import Serial
from oasis.lab.engines.base import Jobs, Seeds
from oasis.lab.rewarding.tuning import LADDER, TUNED, Task, Told, Tuning, as_toml, confirmed
from oasis.lab.work import Work
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.parser import parse
from tests.cli.conftest import START, Oasis, environment, interrupted, oasis
from tests.optional import missing

__all__ = ["oasis"]
LEMMA = resolve_lemma("textbook/or_comm")
TASK = Task((LEMMA,), weights_named("sparse"), Settings(episodes=10), (0, 1))


@pytest.fixture(autouse=True)
def _optuna(request: pytest.FixtureRequest) -> None:
    if find_spec("optuna") is None and "toml" not in request.node.name:
        missing("optuna is not installed")


class Dying(Serial):
    """An engine that dies after some trials of students."""

    def __init__(self, jobs: int) -> None:
        self.left = jobs

    def run(self, plans: Sequence[Work[Any]], seeds: Seeds) -> Jobs:
        for job in super().run(plans, seeds):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield job


def told(tuning: Tuning, trials: int) -> list[Told]:
    return list(tuning.run(Serial(), trials))


@pytest.mark.some_days
def test_it_begins_with_the_preset_with_c_alone_and_with_each_term(tmp_path: Path) -> None:
    tuning = Tuning(TASK, tmp_path / "study.db")
    found = told(tuning, 4)
    assert [dict(each.weights) for each in found] == [{"C_beta": 0.1}, {}, {"P": 0.1}, {"E": 0.1}]
    assert [each.trials for each in found] == [1, 2, 3, 4]
    assert all(0 <= each.score <= 1 for each in found)
    assert tuning.best == (TASK.named(found[-1].best), max(each.score for each in found))


@pytest.mark.thorough
@pytest.mark.slow
def test_later_trials_are_drawn_from_the_ladder_and_the_same_seed_draws_the_same(tmp_path: Path) -> None:
    several = len(NAMES) + 3
    one, other = (told(Tuning(TASK, tmp_path / name, seed=5), several) for name in ("a.db", "b.db"))
    assert one == other
    drawn = one[-1].weights
    assert len(drawn) > 1 and set(drawn.values()) <= set(LADDER)
    elsewhere = told(Tuning(TASK, tmp_path / "c.db", seed=6), several)
    assert elsewhere[-1].weights != drawn


@pytest.mark.some_days
def test_what_was_told_is_kept_and_what_was_broken_off_is_tried_again(tmp_path: Path) -> None:
    path, begins_with = tmp_path / "study.db", len(NAMES) + 1
    kept = told(Tuning(TASK, path), 3)
    with pytest.raises(KeyboardInterrupt):
        list(Tuning(TASK, path).run(Dying(1), begins_with))
    again = Tuning(TASK, path)
    assert again.done == 3
    rest = told(again, begins_with)
    tried = [dict(each.weights) for each in (*kept, *rest)]
    assert len(tried) == begins_with and all({name: 0.1} in tried for name in NAMES[1:])
    assert told(again, 3) == []


@pytest.mark.some_days
def test_time_ends_it_between_batches(tmp_path: Path) -> None:
    assert list(Tuning(TASK, tmp_path / "study.db").run(Serial(), 5, seconds=0.0)) == []
    with pytest.raises(InputError, match="No trial is done yet"):
        _ = Tuning(TASK, tmp_path / "study.db").best


def test_a_study_of_something_else_is_refused(tmp_path: Path) -> None:
    Tuning(TASK, tmp_path / "study.db")
    other = Task(TASK.lemmas, weights_named("seed"), TASK.settings, TASK.seeds)
    with pytest.raises(InputError, match="a study of something else"):
        Tuning(other, tmp_path / "study.db")
    with pytest.raises(InputError, match="a study of something else"):  # though its name is the same
        Tuning(replace(TASK, lemmas=(replace(LEMMA, formula=parse("A -> A")),)), tmp_path / "study.db")
    (tmp_path / "text.db").write_text("This is no database. " * 100)
    with pytest.raises(InputError, match="cannot be used for a study"):
        Tuning(TASK, tmp_path / "text.db")
    with pytest.raises(InputError, match="cannot be used for a study"):
        Tuning(TASK, tmp_path / "nowhere" / "study.db")


def test_a_study_does_not_go_on_with_other_knowledge(tmp_path: Path) -> None:
    file = tmp_path / "k.json"
    task = replace(TASK, base=replace(TASK.base, knowledge=str(file)))
    write(default_fitted(), file)
    Tuning(task, tmp_path / "study.db")
    write(fit(()), file)
    with pytest.raises(InputError, match="a study of something else"):
        Tuning(task, tmp_path / "study.db")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "no/w.toml"], "no/w.toml cannot be written; name a file in a folder that is there."),
        (["-o", "."], ". cannot be written; name a file in a folder that is there."),
        (["--seconds", "nan"], "--seconds must be above 0, not nan."),
        (["--preset", "dagger:sound:Q=1"], "There is no 'Q'"),
    ],
)
def test_what_cannot_be_tuned_is_refused_before_any_trial(
    oasis: Oasis, tmp_path: Path, options: list[str], words: str
) -> None:
    refused = oasis("dagger", "tune", "A -> A", "--trials", "1", *options)
    assert refused.returncode == 2 and words in refused.stderr and not [*tmp_path.iterdir()]


def test_weights_as_toml_are_read_again(tmp_path: Path) -> None:
    for name in ("sound", "seed", "correct:P=0.3:belief=oasis.proving%3ACertain:signed=false"):
        weights = weights_of(f"dagger:{name}")
        (tmp_path / "w.toml").write_text(as_toml(weights, ["Made by a test."]))
        assert weights_named(str(tmp_path / "w.toml")) == weights


def test_those_who_confirm_have_the_four_rewards() -> None:
    found = confirmed([LEMMA], weights_named("correct"), TASK, (7, 8), Serial(), {"sparse": TASK.base})
    assert [*found] == ["terminating", "C", "R†", TUNED, "sparse"]
    assert found["sparse"].plays.tolist() == found["R†"].plays.tolist()
    assert found["C"].plays.tolist() == found[TUNED].plays.tolist()  # which is C alone
    assert found["R†"].episodes.shape == (2, 1) and found["R†"].limit.max() == 10


@pytest.mark.thorough
@pytest.mark.slow
def test_the_command_survives_a_kill_and_writes_what_can_be_trained_with(oasis: Oasis, tmp_path: Path) -> None:
    arguments = [
        "dagger",
        "tune",
        "textbook/or_comm",
        "SYJ203.2",
        "--episodes",
        "30",
        "--seeds",
        "2",
        "--engine",
        "serial",
    ]
    with subprocess.Popen(
        [*START, *arguments, "--trials", "1000"], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if line.startswith("3 of 1000 trials"):
                break
        os.kill(running.pid, signal.SIGKILL)
    done = oasis(
        *arguments,
        "--trials",
        "5",
        "--confirm-seeds",
        "2",
        "--also",
        "correct:E=0.3",
        "--holdout",
        "textbook/and_comm",
        "-o",
        "w.toml",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["trials"] >= 5 and content["confirmed_on"] == ["textbook/and_comm"]
    assert "going on with it" in done.stderr
    trained = oasis(
        "train", "textbook/or_comm", "--learner", "q-learning", "--reward", "dagger:w.toml", "--episodes", "5"
    )
    assert trained.returncode == 0, trained.stderr


@pytest.mark.some_days
@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    command = ["dagger", "tune", "SYJ203.1", "--seeds", "1", "--trials", "100000", "--engine", "serial"]
    stopped = interrupted(command, tmp_path, "^1 of")
    assert stopped.returncode == 130
    assert "trials are kept in oasis.tuning.db, and the same command goes on" in stopped.stderr
