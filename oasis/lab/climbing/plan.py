"""What ladders are compared on: which stages, on which lemmas, within which time.

Time is that of the processor, so that who else uses the machine meanwhile takes none of it.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf
from time import process_time
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma, Status
from oasis.escalation.climb import Climb
from oasis.escalation.escalation import Escalation, new_pupil
from oasis.escalation.ladder import EXPLORER, NETWORK, Ladder
from oasis.escalation.stages import SEARCH, TABLE
from oasis.lab.experiment import check_plan, lemma_from_json, lemma_to_json
from oasis.lab.searching.trials import STATUSES, lines
from oasis.neural.policies import is_run, policy_named
from oasis.play.policy import Policy
from oasis.play.solving import OPEN
from oasis.student.settings import MAIN_JOB, Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.script import show_script

STAGES: Final = (TABLE, SEARCH, *NETWORK)
"""What `Climbs.stage` counts, from 1; 0 is nobody."""


class Climbs(NamedTuple):
    """What became of every lemma on one ladder: a variant with one seed.

    Shapes are (lemmas,), and of texts and what there is once a climb ().

    Attributes:
        status: of the lemma, by its place in `STATUSES`.
        stage: that settled it, by its place in `STAGES` from 1; 0 if none did.
        settled: seconds that the whole climb had taken then; infinity if the lemma was not settled.
        length: moves of the proof, 0 if there is none.
        episodes: of the student.
        expansions: of searches.
        plays: of the network.
        forwards: goals that went through the network.
        seconds: that the lemma took.
        script: the proofs, one a line; empty lines where there is none.
        spent: seconds that the whole climb took, the studies of its network among them.
        had_more: whether there was anything more to try when the time was over.
    """

    status: NDArray[np.uint8]
    stage: NDArray[np.uint8]
    settled: NDArray[np.float64]
    length: NDArray[np.int64]
    episodes: NDArray[np.int64]
    expansions: NDArray[np.int64]
    plays: NDArray[np.int64]
    forwards: NDArray[np.int64]
    seconds: NDArray[np.float64]
    script: NDArray[np.str_]
    spent: NDArray[np.float64]
    had_more: NDArray[np.bool_]

    @property
    def scripts(self) -> tuple[NDArray[Any], ...]:
        """The scripts, each by itself; shape (..., lemmas)."""
        return (lines(self.script),)


@dataclass(frozen=True)
class Climber:
    """A ladder by its name, which is unique in its plan."""

    name: str
    ladder: Ladder


@dataclass(frozen=True)
class ClimbPlan:
    """Every ladder on the same lemmas, with the same seeds; raises InputError if they do not fit together.

    Attributes:
        name: of the lemma or the curriculum.
        lemmas: at least one that may be a theorem, no two of one name.
        variants: at least one, no two of one name.
        seeds: of students, searches and plays; at least one, no two equal.
        seconds: of processor time for all lemmas together.
        student: its settings but for the seed.
    """

    noun: ClassVar[str] = "climbs"
    unit: ClassVar[str] = "ms of processor time"
    scripts: ClassVar[tuple[str, ...]] = ("script",)
    name: str
    lemmas: tuple[Lemma, ...]
    variants: tuple[Climber, ...]
    seeds: tuple[int, ...]
    seconds: float
    student: Settings = field(default=MAIN_JOB)

    def __post_init__(self) -> None:
        check_plan(self)
        if not 0 < self.seconds < inf:
            raise InputError("Ladders need a time, as in --budget 5m.")
        if all(lemma.status == Status.NON_THEOREM for lemma in self.lemmas):
            raise InputError(f"{self.name} has no theorems; ladders are compared by what they prove.")

    @property
    def effort(self) -> int:
        """Milliseconds of a trial."""
        return ceil(1000 * self.seconds)

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Of the students."""
        return (self.student,) if any(TABLE in each.ladder.stages for each in self.variants) else ()

    def formulas(self, seed: int) -> list[Formula]:
        """What is to be proved, lemma by lemma, the same with every seed."""
        return [lemma.formula for lemma in self.lemmas]

    def attempt(self, variant: int, seed: int) -> Climbs:
        """Let every lemma climb a ladder, named by its place, with a seed."""
        ladder = self.variants[variant].ladder
        escalation = Escalation(
            ladder,
            self.formulas(seed),
            pupil=new_pupil(replace(self.student, seed=seed)) if TABLE in ladder.stages else None,
            network=_network(ladder),
            seconds=self.seconds,
            seed=seed,
            clock=process_time,
        )
        settled = np.full(len(self.lemmas), np.inf)
        for visit in escalation:
            if visit.record.status is not OPEN:
                settled[visit.position] = escalation.climb.pace.spent
        found = _climbs(escalation.climb, settled)
        del escalation
        gc.collect()  # the student's states, of which the next trial needs none, and which nothing else frees in time
        return found

    def results(self, arrays: Sequence[NDArray[Any]]) -> Climbs:
        """What became of lemmas, or that of several trials side by side."""
        return Climbs(*arrays)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it, formulas as closed text; `from_json` gives back an equal plan."""
        return {
            "name": self.name,
            "lemmas": list(map(lemma_to_json, self.lemmas)),
            "variants": [{"name": each.name, "ladder": each.ladder.to_json()} for each in self.variants],
            "seeds": list(self.seeds),
            "seconds": self.seconds,
            "student": vars(self.student),
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> ClimbPlan:
        """The plan that `to_json` wrote. Raises InputError if this version cannot read it."""
        try:
            return cls(
                name=stored["name"],
                lemmas=tuple(map(lemma_from_json, stored["lemmas"])),
                variants=tuple(Climber(each["name"], Ladder(**each["ladder"])) for each in stored["variants"]),
                seeds=tuple(stored["seeds"]),
                seconds=stored["seconds"],
                student=Settings(**stored["student"]),
            )
        except (KeyError, TypeError) as error:
            raise InputError(
                f"This experiment was written by another version of Oasis ({error}); go on with it in that one."
            ) from error


def climbers(ladders: str, network: str, search: str = EXPLORER) -> tuple[Climber, ...]:
    """Every ladder of a comma list. Raises InputError if one is none, or there is no such network."""
    if is_run(network):
        raise InputError("--policy names the network that ladders ask, which is no run; name a file, or tiny.")
    made = tuple(Climber(name, Ladder.named(name, network, search)) for name in map(str.strip, ladders.split(",")))
    for each in made:
        _network(each.ladder)  # which says if there is none
    return made


def _network(ladder: Ladder) -> Policy | None:
    return policy_named(ladder.network, None) if ladder.asks_network else None


def _climbs(climb: Climb, settled: NDArray[np.float64]) -> Climbs:
    records = climb.records
    costs = [record.cost for record in records]
    scripts = [record.script for record in records]
    counts = [
        np.array([getattr(cost, name) for cost in costs], np.int64)
        for name in ("episodes", "expansions", "plays", "forwards")
    ]
    arrays: list[NDArray[Any]] = [
        np.array([STATUSES.index(record.status) for record in records], np.uint8),
        np.array([STAGES.index(record.stage) + 1 if record.stage else 0 for record in records], np.uint8),
        settled,
        np.array([0 if script is None else len(script) for script in scripts], np.int64),
        *counts,
        np.array([cost.seconds for cost in costs], np.float64),
        np.array("\n".join("" if script is None else show_script(script) for script in scripts)),
        np.array(climb.pace.spent),
        np.array(not climb.is_done),
    ]
    return Climbs(*arrays)
