"""A proof that students learn and give up: the curve of docs/student.md, and what R† pays before and after.

`python -m benchmarks.unlearning` prints the numbers as one JSON object, `python -m benchmarks.unlearning FOLDER` draws
the picture, as `scripts/pictures` does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from curricula.lemma import Lemma
from oasis.dagger.episodes import replayed
from oasis.dagger.explain import explain
from oasis.dagger.reward import RewardDagger
from oasis.ground.pictures import save
from oasis.lab.engines import Serial, every_outcome
from oasis.lab.measure import Trial
from oasis.lab.pictures import panels, single
from oasis.lab.report import Report
from oasis.lab.students.measures import STUDENTS
from oasis.lab.students.plan import Plan, Variant, checkpoints
from oasis.student.settings import Settings
from oasis.student.student import School
from tactics.parser import parse
from tactics.script import parse_script

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEMMA: Final = Lemma("chain of 12", parse(rf"Z \/ ({' -> '.join(f'A{n}' for n in range(1, 13))} -> A1)"), None, "")
PLAYS: Final = {"proof": parse_script("right; " + "intro; " * 12 + "assumption"), "left": parse_script("left")}
ALL: Final = "dagger:all"
SETTINGS: Final = Settings(learner="q-learning", episodes=20_000)
SEEDS: Final = tuple(range(20))


def practised() -> dict[str, list[Trial]]:
    """Let students practise who are paid by all terms of R†, and by `terminating`; return their trials."""
    kinds = tuple(Variant(reward, replace(SETTINGS, reward=reward)) for reward in (ALL, "terminating"))
    plan = Plan(LEMMA.name, (LEMMA,), kinds, SEEDS, checkpoints(SETTINGS.episodes))
    return every_outcome({LEMMA.name: plan}, Serial())[LEMMA.name]


def draw(path: Path) -> None:
    """Draw the chance that a greedy play proves, by episodes."""
    report = Report(STUDENTS, practised(), [LEMMA.name])
    panel = next(each for each in panels(report) if each.title.startswith("proves"))

    def drawn() -> Figure:
        figure = single(report, panel)
        figure.axes[0].set_ylabel("greedy plays that prove (%)")
        return figure

    save(path, drawn)


def numbers() -> dict[str, Any]:
    """Return when students know the lemma and no longer do, and what R† pays for each play around the first round."""
    found = {reward: [_spans(each) for each in trials] for reward, trials in practised().items()}
    student = School(replace(SETTINGS, reward=ALL)).student(0)
    reward = student.reward
    assert isinstance(reward, RewardDagger)
    paid, done = {}, 0
    for episodes in (reward.round - 1, reward.round, SETTINGS.episodes):
        student.practise(LEMMA.formula, episodes - done)
        done = episodes
        told = {name: explain(reward, replayed(LEMMA.formula, script)) for name, script in PLAYS.items()}
        paid[episodes] = {name: {"discounted": each.discounted, **each.worth} for name, each in told.items()}
        paid[episodes]["R_alpha of the third move"] = {
            "value": told["proof"].steps[2].terms["R_alpha"].value,
            "tactics": float(len(reward.context.knowledge.tactics)),
        }
    return {"knows": found, "paid": paid}


def _spans(trial: Trial) -> Sequence[tuple[int, int]]:
    """Return from and to which checkpoint every greedy play of a student proves, span by span."""
    known = np.concatenate([[False], trial["chance"][:, 0] > 1 - 1e-9, [False]])
    turns = np.flatnonzero(np.diff(known.astype(int)))
    asked = trial["checkpoints"]
    return [(int(asked[first]), int(asked[last - 1])) for first, last in turns.reshape(-1, 2)]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]) / "unlearning.svg")
    else:
        print(json.dumps(numbers(), indent=1))
