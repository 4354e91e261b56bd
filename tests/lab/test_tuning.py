"""Tuning R†: trials that are kept and gone on with, weights that can be read again, and who confirms them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from curricula import resolve_lemma
from oasis.dagger.fit import default_fitted, fit
from oasis.dagger.fitting import write
from oasis.dagger.making import weights_of
from oasis.dagger.weights import weights_named
from oasis.ground.names import TERMS
from oasis.lab.engines import Serial, Work
from oasis.lab.engines.base import Jobs, Seeds
from oasis.lab.tuning import TUNED, Task, Told, Tuning, as_toml, confirmed
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.parser import parse
from tests.commands import Oasis
from tests.optional import missing

LEMMA = resolve_lemma("textbook/or_comm")
TASK = Task((LEMMA,), weights_named("sparse"), Settings(episodes=10), (0, 1))


pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _optuna(request: pytest.FixtureRequest) -> None:
    if find_spec("optuna") is None and "toml" not in request.node.name:
        missing("optuna is not installed")


class Dying(Serial):
    """An engine that dies after some trials of students."""

    def __init__(self, jobs: int) -> None:
        self.left = jobs

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        for job in super().run(plans, seeds):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield job


def told(tuning: Tuning, trials: int) -> list[Told]:
    return list(tuning.run(Serial(), trials))


def test_it_begins_with_the_preset_c_alone_and_each_term_and_tries_again_what_was_broken_off(tmp_path: Path) -> None:
    path, begins_with = tmp_path / "study.db", len(TERMS) + 1
    tuning = Tuning(TASK, path)
    kept = told(tuning, 4)
    assert [dict(each.weights) for each in kept] == [{"C_beta": 0.1}, {}, {"P": 0.1}, {"E": 0.1}]
    assert [each.trials for each in kept] == [1, 2, 3, 4]
    assert all(0 <= each.score <= 1 for each in kept)
    assert tuning.best == (TASK.named(kept[-1].best), max(each.score for each in kept))
    with pytest.raises(KeyboardInterrupt):
        list(Tuning(TASK, path).run(Dying(1), begins_with))
    again = Tuning(TASK, path)
    assert again.done == 4
    tried = [dict(each.weights) for each in (*kept, *told(again, begins_with))]
    assert len(tried) == begins_with and all({name: 0.1} in tried for name in [*TERMS][1:])
    assert told(again, 3) == []


def test_time_ends_it_between_batches(tmp_path: Path) -> None:
    tuning = Tuning(TASK, tmp_path / "study.db")
    assert list(tuning.run(Serial(), 5, seconds=0.0)) == []
    with pytest.raises(InputError, match="No trial is done yet"):
        _ = tuning.best


def test_a_study_of_something_else_is_refused(tmp_path: Path) -> None:
    known = tmp_path / "k.json"
    write(default_fitted(), known)
    task = replace(TASK, base=replace(TASK.base, knowledge=str(known)))
    Tuning(task, tmp_path / "study.db")
    for other in (
        replace(task, base=weights_named("seed")),
        replace(task, lemmas=(replace(LEMMA, formula=parse("A -> A")),)),  # though its name is the same
    ):
        with pytest.raises(InputError, match="a study of something else"):
            Tuning(other, tmp_path / "study.db")
    write(fit(()), known)
    with pytest.raises(InputError, match="a study of something else"):  # as what is known is not the same
        Tuning(task, tmp_path / "study.db")
    (tmp_path / "text.db").write_text("This is no database. " * 100)
    for path in ("text.db", "nowhere/study.db"):
        with pytest.raises(InputError, match="cannot be used for a study"):
            Tuning(TASK, tmp_path / path)


def test_weights_as_toml_are_read_again(tmp_path: Path) -> None:
    for name in ("all", "seed", "correct:P=0.3:belief=oasis.escalation.proving%3ACertain:signed=false"):
        weights = weights_of(f"dagger:{name}")
        (tmp_path / "w.toml").write_text(as_toml(weights, ["Made by a test."]))
        assert weights_named(str(tmp_path / "w.toml")) == weights


def test_those_who_confirm_have_the_four_rewards() -> None:
    found = confirmed([LEMMA], weights_named("correct"), TASK, (7, 8), Serial(), {"sparse": TASK.base})
    assert found.names == ("terminating", "C", "R†", TUNED, "sparse")
    samples = {name: found.samples["proves, end"][name].tolist() for name in found.names}
    assert samples["sparse"] == samples["R†"] and samples["C"] == samples[TUNED]  # which is C alone
    assert found.seeds == 2 and len(found.pairs) == 8


COMMAND = ("dagger", "tune", "SYJ203.1", "--episodes", "10", "--seeds", "2", "--engine", "serial")


def test_the_command_is_stopped_goes_on_and_writes_what_can_be_trained_with(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Tuning.run

    def interrupted(*told: Any) -> Iterator[Told]:
        yield next(run(*told))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Tuning, "run", interrupted)
        assert oasis.stopped(*COMMAND, "--trials", "100") == (
            "Stopped; 1 of 100 trials are kept in oasis.tuning.db, and the same command goes on."
        )
    confirming = ("--confirm-seeds", "2", "--also", "correct:E=0.3", "--holdout", "textbook/and_comm")
    done = oasis.ran(*COMMAND, "--trials", "3", *confirming, "-o", "w.toml", "--json")
    assert "has 1 trials; going on with it." in done.stderr
    content = json.loads(done.stdout)
    assert content["trials"] == 3 and content["confirmed_on"] == ["textbook/and_comm"]
    few = ("--learner", "q-learning", "--episodes", "5", "--certify", "none")
    oasis.ran("train", "textbook/or_comm", "--reward", "dagger:w.toml", *few)
