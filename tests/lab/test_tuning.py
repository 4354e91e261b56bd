"""Tuning R†: trials that are kept and gone on with, weights that can be read again, and who confirms them."""

import json
import re
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
from oasis.ground.tuning import Told, Tuning
from oasis.lab.engines import Jobs, Seeds, Serial
from oasis.lab.plans import Work
from oasis.lab.students.grid import Grid
from oasis.lab.tuning import TUNED, Weighing, as_toml, confirmed, scores
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.parser import parse
from tests.commands import Oasis
from tests.optional import missing

LEMMA = resolve_lemma("textbook/or_comm")
TASK = Weighing((LEMMA,), weights_named("sparse"), Settings(episodes=10), (0, 1))


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
    return list(tuning.run(scores(tuning.task, Serial()), trials))  # type: ignore[arg-type]


def test_it_begins_with_the_preset_c_alone_and_each_term_and_tries_again_what_was_broken_off(tmp_path: Path) -> None:
    path, begins_with = tmp_path / "study.db", len(TERMS) + 1
    tuning = Tuning(TASK, path)
    kept = told(tuning, 4)
    assert [each.chosen for each in kept] == ["C C_beta=0.1", "C", "C P=0.1", "C E=0.1"]
    assert [each.trials for each in kept] == [1, 2, 3, 4]
    assert all(0 <= each.score <= 1 for each in kept)
    best, score = tuning.ranked[0]
    assert (TASK.said(best), score) == (kept[-1].best, max(each.score for each in kept))
    with pytest.raises(KeyboardInterrupt):
        list(Tuning(TASK, path).run(scores(TASK, Dying(1)), begins_with))
    again = Tuning(TASK, path)
    assert again.done == 4
    tried = [each.chosen for each in (*kept, *told(again, begins_with))]
    assert len(tried) == begins_with and all(f"C {name}=0.1" in tried for name in [*TERMS][1:])
    assert told(again, 3) == []


def test_time_ends_it_between_batches(tmp_path: Path) -> None:
    tuning = Tuning(TASK, tmp_path / "study.db")
    assert list(tuning.run(scores(TASK, Serial()), 5, seconds=0.0)) == []
    with pytest.raises(InputError, match="No trial is done yet"):
        _ = tuning.ranked


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


def test_combinations_of_a_grid_are_tried_and_ranked_each_kind_of_student_once(tmp_path: Path) -> None:
    lists: dict[str, Any] = {"learner": ["uniform", "q-learning"], "epsilon": [0.1, 0.4], "gamma": [0.9]}
    grid = Grid("one", (LEMMA,), Settings(episodes=60), lists, (0, 1))
    tuning = Tuning(grid, tmp_path / "study.db")
    kept = told(tuning, 12)
    names = [grid.variant(chosen).name for chosen, _ in tuning.ranked]
    assert {*names} == {each.chosen for each in kept} == {"uniform", "q-learning, ε 0.1", "q-learning, ε 0.4"}
    scores = [score for _, score in tuning.ranked]
    assert scores == sorted(scores, reverse=True) and names[-1] == "uniform"
    assert Tuning(replace(grid, seeds=(5,)), tmp_path / "study.db").done == 0  # which is another study
    assert Tuning(grid, tmp_path / "study.db").done == 12
    with pytest.raises(InputError, match=r"^There is nothing to choose among; give "):
        _ = replace(grid, lists={"learner": ["sarsa"]}).choices


def test_the_best_combinations_are_compared(oasis: Oasis) -> None:
    grid = ("--learner", "uniform,q-learning", "--sweep", "epsilon=0.1:0.4:0.1", "--episodes", "30", "--seeds", "2")
    found = oasis.ran("compare", "SYJ203.1", *grid, "--choose", "4", "--engine", "serial", "--json")
    assert re.search(r"The \d best of 4 trials are compared, by students with other seeds\.", found.stderr)
    assert 1 <= len(json.loads(found.stdout)["kinds"]) <= 5


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
