"""What it buys a student that two states count as the same: the same experiments in each of the state spaces.

A student keeps one memory through all lemmas of an experiment, so whatever counts as the same is shared between them.
Students of one seed get the same lemmas and the same random numbers in every space: what differs is the space alone.
What the numbers say is put into words elsewhere (`oasis.lab.sharing.findings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from curricula.library import THESIS_LEVELS, textbook_lemma, thesis_lemma
from oasis.lab.statistics import Floats
from oasis.lab.students.copies import at_once, copies
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.students.trial import Trial
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.printer import show

CHOICES: Final = (
    "or_intro",
    "or_comm",
    "triple_negation",
    "and_absorption",
    "or_assoc",
    "triple_negation_iff",
    "and_over_or",
    "or_over_and",
    "double_negation_and",
)
"""The textbook's theorems in which a move can lead to a dead end. In all its others every game ends in a proof."""
_LETTERINGS: Final = ("1st", "2nd", "3rd", "4th", "5th")
_AT_ONCE: Final = ("one", "two", "three", "four", "five")


@dataclass(frozen=True)
class Experiment:
    """Lemmas that a student practises in each of the state spaces.

    Attributes:
        name: one word for it.
        title: what a person reads above its results.
        lemmas: in their order, no two of one name.
        renamed: whether every student has them in letters of its own.
        episodes: for each lemma, at least 1.
        parts: names of the parts, of equal length, for each of which the share of proofs is asked; none if only as a
            whole.
        one_proof_is_enough: whether what is asked is the share of students with a proof, and not that of episodes.
    """

    name: str
    title: str
    lemmas: tuple[Lemma, ...]
    renamed: bool = False
    episodes: int = 1
    parts: tuple[str, ...] = ()
    one_proof_is_enough: bool = False


def experiments(lemma: Lemma, number: int) -> tuple[Experiment, ...]:
    """Renamed copies of a lemma, the same lemma as often, and what else sharing is tried on.

    `copies` and `levels` are the thesis's second and first experiment on state spaces (7.4). Raises InputError for less
    than one copy, or a lemma that has no atoms to rename.
    """
    if number < 1:
        raise InputError(f"--copies must be at least 1, not {number}.")
    copies(lemma.formula, 1, Random(0))
    one = textbook_lemma("or_comm")
    return (
        Experiment(
            "copies",
            f"{number} renamed copies of {lemma.name}, one episode each",
            tuple(replace(lemma, name=f"{lemma.name}, copy {place}") for place in range(1, number + 1)),
            renamed=True,
        ),
        Experiment("same", f"{lemma.name} itself, {number} episodes", (lemma,), episodes=number),
        Experiment(
            "letterings",
            "The textbook's lemmas in which one can go wrong, five letterings of 5 episodes: share of proofs in each",
            tuple(
                replace(each, name=f"{each.name}, {lettering} lettering")
                for lettering in _LETTERINGS
                for each in map(textbook_lemma, CHOICES)
            ),
            renamed=True,
            episodes=5,
            parts=_LETTERINGS,
        ),
        Experiment(
            "at-once",
            "p \\/ q -> q \\/ p, one to five of it in one lemma, 40 episodes each: share of students with a proof",
            tuple(
                replace(one, name=f"{one.name}, {many} at once", formula=formula)
                for many, formula in zip(_AT_ONCE, at_once(one.formula, len(_AT_ONCE)), strict=True)
            ),
            renamed=True,
            episodes=40,
            parts=_AT_ONCE,
            one_proof_is_enough=True,
        ),
        Experiment(
            "levels", "SYJ203, levels 1 to 6, one episode each", tuple(thesis_lemma(name) for name in THESIS_LEVELS)
        ),
    )


def plans(lemma: Lemma, settings: Settings, *, copies: int, students: int) -> dict[str, Plan]:
    """Return what all experiments have to do, by their names.

    Args:
        lemma: which is copied.
        settings: of the students; the state space and the number of episodes are set by the experiments.
        copies: of the lemma.
        students: their number, at least 2; their seeds go up from that of the settings.

    Raises InputError for what is out of range.
    """
    if students < 2:
        raise InputError(f"--seeds must be at least 2, not {students}: one student alone has no interval.")
    return {
        experiment.name: Plan(
            experiment.title,
            experiment.lemmas,
            tuple(
                Variant(space, replace(settings, state_space=space, episodes=experiment.episodes))
                for space in STATE_SPACES
            ),
            tuple(range(settings.seed, settings.seed + students)),
            checkpoints=(),
            renamed=experiment.renamed,
        )
        for experiment in experiments(lemma, copies)
    }


class Record(NamedTuple):
    """What students of one space did in an experiment; arrays of shape (students, episodes).

    Attributes:
        states: in memory after each episode.
        steps: that it took.
        proved: 1 if it ended in a proof, else 0.
    """

    states: Floats
    steps: Floats
    proved: Floats


class Sharing:
    """All experiments with their students, who are done.

    Args:
        plans: as `plans` made them.
        trials: by experiment and space what the students did.

    Attributes:
        lemma: which was copied.
        settings: of the students, but for the state space and the number of episodes.
        copies: of the lemma.
        seeds: of the students.
        experiments: with their lemmas.
    """

    def __init__(self, plans: Mapping[str, Plan], trials: Mapping[str, Mapping[str, Trial]]) -> None:
        plan = plans["same"]
        (self.lemma,) = plan.lemmas
        self.settings = plan.variants[0].settings
        self.copies = self.settings.episodes
        self.seeds = plan.seeds
        self.experiments = experiments(self.lemma, self.copies)
        self._trials = trials

    def record(self, experiment: str, space: str) -> Record:
        """Return what the students of a space did in an experiment."""
        trial = self._trials[experiment][space]
        return Record(*(array.astype(np.float64) for array in (trial.states, trial.steps, trial.proved)))

    def to_json(self) -> dict[str, Any]:
        """Return who was taught what, as `--json` prints it."""
        settings = asdict(self.settings)
        for set_by_experiments in ("state_space", "episodes"):
            del settings[set_by_experiments]
        return {
            "lemma": self.lemma.name,
            "formula": show(self.lemma.formula, quantified=True),
            "copies": self.copies,
            "students": len(self.seeds),
            "settings": settings,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield every episode of every student, as a line of a table."""
        for place, seed in enumerate(self.seeds):
            for experiment, spaces in self._trials.items():
                for space, trial in spaces.items():
                    columns = (array[place].tolist() for array in (trial.states, trial.steps, trial.proved))
                    for episode, (states, steps, proved) in enumerate(zip(*columns, strict=True), 1):
                        yield {
                            "experiment": experiment,
                            "state_space": space,
                            "seed": seed,
                            "episode": episode,
                            "states": states,
                            "steps": steps,
                            "proved": proved,
                        }
