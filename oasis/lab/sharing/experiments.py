"""What it buys a student that two states count as the same: the same lessons in each of the state spaces.

A student keeps one memory through all lemmas of an experiment, so whatever counts as the same is shared between them.
Students of one seed get the same lemmas and the same random numbers in every space: what differs is the space alone.
What the numbers say is put into words elsewhere (`oasis.lab.sharing.findings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from curricula.library import THESIS_LEVELS, textbook_lemma, thesis_lemma
from oasis.lab.copies import at_once, choices, copies, letterings
from oasis.lab.statistics import Floats
from oasis.student.school import School
from oasis.student.settings import Settings
from oasis.version import commit, version
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.printer import show

_LETTERINGS: Final = ("1st", "2nd", "3rd", "4th", "5th")
_AT_ONCE: Final = ("one", "two", "three", "four", "five")


class Episode(NamedTuple):
    """One attempt: the states in memory after it, the steps it took, and whether it ended in a proof."""

    states: int
    steps: int
    proved: bool


def study(lemmas: Iterable[Formula], settings: Settings) -> list[Episode]:
    """One student practises each lemma for `settings.episodes` episodes and forgets nothing in between."""
    student = School(settings).student(settings.seed)
    practice = [student.practise(lemma, settings.episodes) for lemma in lemmas]
    return [
        Episode(states, steps, proved)
        for part in practice
        for states, steps, proved in zip(part.states.tolist(), part.steps.tolist(), part.proved.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class Experiment:
    """Lessons that a student takes in each of the state spaces.

    Attributes:
        name: one word for it.
        title: what a person reads above its results.
        lemmas: draws the lemmas, in their order.
        episodes: for each lemma, at least 1.
        parts: names of the parts, of equal length, for each of which the share of proofs is asked; none if only as a
            whole.
        one_proof_is_enough: whether what is asked is the share of students with a proof, and not that of episodes.
    """

    name: str
    title: str
    lemmas: Callable[[Random], list[Formula]]
    episodes: int = 1
    parts: tuple[str, ...] = ()
    one_proof_is_enough: bool = False


def experiments(lemma: Lemma, number: int) -> tuple[Experiment, ...]:
    """Renamed copies of a lemma, the same lemma as often, and what else sharing is tried on.

    `copies` and `levels` are the thesis's second and first experiment on state spaces (7.4). Raises InputError for less
    than one copy.
    """
    if number < 1:
        raise InputError(f"--copies must be at least 1, not {number}.")
    return (
        Experiment(
            "copies",
            f"{number} renamed copies of {lemma.name}, one episode each",
            lambda rng: copies(lemma.formula, number, rng),
        ),
        Experiment("same", f"{lemma.name} itself, {number} episodes", lambda _: [lemma.formula], number),
        Experiment(
            "letterings",
            "The textbook's lemmas in which one can go wrong, five letterings of 5 episodes: share of proofs in each",
            lambda rng: letterings(choices(), len(_LETTERINGS), rng),
            5,
            _LETTERINGS,
        ),
        Experiment(
            "at-once",
            "p \\/ q -> q \\/ p, one to five of it in one lemma, 40 episodes each: share of students with a proof",
            lambda rng: at_once(textbook_lemma("or_comm").formula, len(_AT_ONCE), rng),
            40,
            _AT_ONCE,
            one_proof_is_enough=True,
        ),
        Experiment(
            "levels",
            "SYJ203, levels 1 to 6, one episode each",
            lambda _: [thesis_lemma(name).formula for name in THESIS_LEVELS],
        ),
    )


class Record(NamedTuple):
    """What students of one space did in an experiment: arrays of shape (students, episodes), as in `Episode`."""

    states: Floats
    steps: Floats
    proved: Floats


Taught = dict[tuple[str, str], list[Episode]]
"""What the students of one seed did, by experiment and space."""


class Sharing:
    """All experiments with many students; iterating takes one more through all of them in every space.

    Args:
        lemma: which is copied.
        settings: of the students; the state space and the number of episodes are set by the experiments.
        copies: of the lemma.
        students: their number, at least 2; their seeds go up from that of the settings.
    """

    def __init__(self, lemma: Lemma, settings: Settings, *, copies: int, students: int) -> None:
        if students < 2:
            raise InputError(f"--seeds must be at least 2, not {students}: one student alone has no interval.")
        self.lemma, self.settings, self.copies, self.students = lemma, settings, copies, students
        self.experiments = experiments(lemma, copies)
        self.taught: list[Taught] = []

    def __iter__(self) -> Iterator[int]:
        """Teach the students that are left, and yield how many are done; one that is interrupted leaves no trace."""
        while self.done < self.students:
            self.taught.append(self._teach(self.settings.seed + self.done))
            yield self.done

    def _teach(self, seed: int) -> Taught:
        taught: Taught = {}
        for experiment in self.experiments:
            lemmas = experiment.lemmas(Random(f"letters {seed}"))
            settings = replace(self.settings, episodes=experiment.episodes, seed=seed)
            taught |= {
                (experiment.name, space): study(lemmas, replace(settings, state_space=space)) for space in STATE_SPACES
            }
        return taught

    @property
    def done(self) -> int:
        """The number of students that are through."""
        return len(self.taught)

    def record(self, experiment: str, space: str) -> Record:
        """What the students that are done did."""
        table = np.array([taught[experiment, space] for taught in self.taught], dtype=np.float64)
        return Record(*np.moveaxis(table, -1, 0))

    def to_json(self) -> dict[str, Any]:
        """Who was taught what, as `--json` prints it."""
        settings = asdict(self.settings)
        for set_by_experiments in ("state_space", "episodes"):
            del settings[set_by_experiments]
        return {
            "lemma": self.lemma.name,
            "formula": show(self.lemma.formula, quantified=True),
            "copies": self.copies,
            "students": self.done,
            "settings": settings,
            "version": version(),
            "commit": commit(),
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every episode of every student, as a line of a table."""
        for seed, taught in enumerate(self.taught, self.settings.seed):
            for (experiment, space), episodes in taught.items():
                for number, episode in enumerate(episodes, 1):
                    yield {
                        "experiment": experiment,
                        "state_space": space,
                        "seed": seed,
                        "episode": number,
                        **episode._asdict(),
                    }
