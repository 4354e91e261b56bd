"""Comparing ladders: what is proved by a table, a search, a network, or one after the other, in the same time.

Time is that of the processor, so that who else uses the machine meanwhile takes none of it. A unit is a lemma that may
be a theorem, as a seed changes little; if there is only one, it is a seed.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import ceil, inf
from time import process_time
from typing import ClassVar, Final

import numpy as np

from curricula.lemma import Status
from oasis.escalation.escalation import Climbing
from oasis.escalation.ladder import EXPLORER, STAGES, Asked, Ladder
from oasis.escalation.stages import BY, LANGUAGE, TABLE
from oasis.ground.plural import conjunction, listed, named
from oasis.lab.measure import Family, Measure, Trial, share, whole, yes_or_no
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.lab.searches.trial import arrays, came_to
from oasis.neural.policies import is_run, policy_named
from oasis.play.solving import OPEN, PROVED, REFUTED, Attempt, Budget, solve_all
from oasis.student.settings import MAIN_JOB, Settings
from tactics.errors import InputError

_WHO: Final = np.array(["", *(BY[stage] for stage in STAGES)])
"""Who settled a lemma, by what a trial's `stage` counts: the place of a stage in `STAGES` from 1; 0 is nobody."""


@dataclass(frozen=True)
class Climber:
    """A ladder by its name, which is unique in its plan."""

    name: str
    ladder: Ladder


@dataclass(frozen=True)
class ClimbPlan(Work):
    """Every ladder on the same lemmas, with the same seeds; raises InputError if they do not fit together.

    Attributes:
        lemmas: at least one may be a theorem.
        seeds: of students, searches and plays.
        seconds: of processor time for all lemmas together.
        student: its settings but for the seed.
    """

    noun: ClassVar[str] = "climbs"
    unit: ClassVar[str] = "ms of processor time"
    scripts: ClassVar[tuple[str, ...]] = ("script",)
    variants: tuple[Climber, ...]
    seconds: float
    student: Settings = field(default=MAIN_JOB)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.seconds < inf:
            raise InputError("Ladders need a time, as in --budget 5m.")
        if all(lemma.status == Status.NON_THEOREM for lemma in self.lemmas):
            raise InputError(f"{self.name} has no theorems; ladders are compared by what they prove.")

    @property
    def effort(self) -> int:
        """Milliseconds of a trial."""
        return ceil(1000 * self.seconds)

    @property
    def within(self) -> str:
        """The budget in words."""
        return f"{self.seconds:g} s of processor time for all lemmas together"

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Of the students."""
        return (self.student,) if any(TABLE in each.ladder.stages for each in self.variants) else ()

    def attempt(self, variant: int, seed: int) -> Trial:
        """Let every lemma climb a ladder, named by its place, with a seed; return what became of them.

        Of shape (lemmas,): `stage` that settled it, by its place in `STAGES` from 1, 0 if none did; `settled`, seconds
        that the whole climb had taken then, infinity if the lemma was not settled; and what `arrays` gives. Of shape
        (): `spent`, seconds of the whole climb with the studies of its network; and `had_more`, whether there was
        anything more to try when the time was over.
        """
        found = self._climbed(self.variants[variant].ladder, seed)
        gc.collect()  # the student's states, of which the next trial needs none, and which nothing else frees in time
        return found

    def _climbed(self, ladder: Ladder, seed: int) -> Trial:
        settled = np.full(len(self.lemmas), np.inf)
        climbing = Climbing(ladder=ladder, asked=_asked(ladder), seed=seed, settings=self.student, clock=process_time)

        def watch(place: int, attempt: Attempt) -> None:
            if attempt.status is not OPEN and climbing.escalation is not None:
                settled[place] = min(settled[place], climbing.escalation.climb.pace.spent)

        formulas, budget = self.formulas(seed), Budget(seconds=self.seconds / len(self.lemmas))
        attempts = [*solve_all(formulas, climbing, budget, watch).values()]
        if len(attempts) < len(formulas) or any(each.is_stopped for each in attempts):  # perhaps before it began
            raise KeyboardInterrupt
        assert climbing.escalation is not None
        climb = climbing.escalation.climb
        return {
            **arrays(attempts, ("episodes", "expansions", "plays", "forwards", "seconds")),
            "stage": np.array([1 + STAGES.index(each.by) if each.by in STAGES else 0 for each in attempts], np.uint8),
            "settled": settled,
            "spent": np.array(climb.pace.spent),
            "had_more": np.array(not climb.is_done),
        }

    def report(self, trials: Mapping[str, Sequence[Trial]]) -> Report:
        """Return what trials come to, by the names of ladders."""
        found = {name: [_of_theorems(self, trial) for trial in each] for name, each in trials.items()}
        names = [*_theorems(self).values()]
        return Report(_family(self), found, names, [*_remarks(self.within, names, found)])


def climbers(ladders: str, network: str, search: str = EXPLORER, language: str = "") -> tuple[Climber, ...]:
    """Every ladder of a comma list. Raises InputError if one is none, or there is no such network."""
    if is_run(network) or is_run(language):
        raise InputError("Ladders ask networks and language models, not runs; name a file, tiny, or hf:FOLDER.")
    names = map(str.strip, ladders.split(","))
    made = tuple(Climber(name, Ladder.named(name, network, search, language)) for name in names)
    for each in made:
        _asked(each.ladder)  # which says if there is none
    return made


def _asked(ladder: Ladder) -> Asked:
    asked = {"network": ladder.network, "language": ladder.language}
    return Asked(**{who: policy_named(name, None) for who, name in asked.items() if name})


def _remarks(within: str, names: Sequence[str], trials: Mapping[str, Sequence[Trial]]) -> Iterator[str]:
    """Say how long a climb was, which ladders needed no more time, and what one proves that another one never does."""
    yield f"A climb has {within}."
    proved = {name: np.stack([_proved(trial) for trial in each]) for name, each in trials.items()}
    if idle := [
        name for name, each in trials.items() if not any(trial["had_more"] for trial in each) and not proved[name].all()
    ]:
        yield (
            f"{conjunction(map(named, idle))} had nothing more to try before the time was over, so more time would "
            "change nothing."
        )
    for one, other in permutations(proved, 2):
        only = np.flatnonzero(proved[one].any(axis=0) & ~proved[other].any(axis=0))
        if only.size:
            lemmas = [names[place] for place in only.tolist()]
            yield f"{named(one)} proves with some seed what {named(other)} never does: {listed(lemmas)}."


def _theorems(plan: ClimbPlan) -> dict[int, str]:
    """The names of the lemmas that may be theorems, as far as their source says, by their places."""
    return {place: each.name for place, each in enumerate(plan.lemmas) if each.status is not Status.NON_THEOREM}


def _of_theorems(plan: ClimbPlan, trial: Trial) -> Trial:
    """A trial's arrays of theorems alone, and how many lemmas it refuted."""
    theorems = [*_theorems(plan)]
    found = {name: trial[name][theorems] for name in ("status", "stage", "settled")}
    return {**trial, **found, "refuted": came_to(REFUTED)(trial).sum()}


_proved = came_to(PROVED)


def _family(plan: ClimbPlan) -> Family:
    writers = [BY[LANGUAGE]] if any(each.ladder.language for each in plan.variants) else []
    return Family(
        "climbs",
        "s",
        (
            Measure(
                "time",
                "processor time that the climb of all lemmas took until the theorem was proved, and all of the budget "
                "if it never was",
                lambda trial: np.where(_proved(trial), np.minimum(trial["settled"], plan.seconds), plan.seconds),
                "less",
                tested=True,
                headline=True,
                by_lemma=True,
                least=0,
                most=plan.seconds,
                digits=2,
                unit="s",
                never=lambda trial: ~_proved(trial),
            ),
            yes_or_no("proved", "share of lemmas that may be theorems which are proved", _proved, tested=True),
            *map(_by, ("table", "search", "network", *writers)),
            Measure("refuted", "lemmas that a search refutes by trying everything", whole("refuted"), least=0),
            Measure(
                "time in all",
                "processor time for all lemmas and the studies of the network; less than the budget if nobody on the "
                "ladder has anything more to try",
                share("spent"),
                "less",
                least=0,
                unit="s",
            ),
            yes_or_no("had more", "share of climbs with more to try when the time was over", share("had_more")),
        ),
        across="lemmas" if len(_theorems(plan)) > 1 else "seeds",
    )


def _by(who: str) -> Measure:
    says = f"share of theorems that the {who} proves first"
    return yes_or_no(f"by {who}", says, lambda trial: _proved(trial) & (_WHO[trial["stage"]] == who))
