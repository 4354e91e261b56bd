"""What every engine is: it takes jobs of some plans and gives back their trials as they are done, in any order.

A trial depends on its plan, the variant and the seed alone, so engines differ in nothing but the time they take.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from oasis.lab.plan import Plan, Trial, stacked
from oasis.lab.trials import attempt
from oasis.student.school import School
from oasis.student.settings import Settings
from tactics.errors import InputError

JOB_EPISODES: Final = 20_000
"""Fewer episodes than this are not worth sending to another process by themselves."""
JOBS_EACH: Final = 4
"""At least so many jobs for each worker, so that all of them end at about the same time."""


class EngineError(InputError):
    """Trials cannot be run, or no longer; the text is one plain sentence."""


class Kind(NamedTuple):
    """One kind of student: a variant of a plan, both by their places."""

    plan: int
    variant: int


class Job(NamedTuple):
    """Some trials of one kind of student, done one after the other by one worker.

    Attributes:
        kind: of the students.
        seeds: at least one.
    """

    kind: Kind
    seeds: tuple[int, ...]


class Outcome(NamedTuple):
    """A trial that is done: of which kind of student, and with which seed."""

    kind: Kind
    seed: int
    trial: Trial


Jobs = Generator[list[Outcome], None, None]
"""What was done, a job at a time."""
Seeds = Mapping[Kind, Sequence[int]]
"""Which trials to do: seeds by kind of student."""


class Engine(Protocol):
    """Runs trials."""

    def run(self, plans: Sequence[Plan], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early ends all workers.

        Raises EngineError when a worker dies or cannot be had.
        """
        ...


def every_trial(plans: Sequence[Plan]) -> dict[Kind, tuple[int, ...]]:
    """All seeds of all kinds of students, plan by plan."""
    return {Kind(place, number): plan.seeds for place, plan in enumerate(plans) for number in range(len(plan.variants))}


def by_variant(plan: Plan, outcomes: Iterable[tuple[int, int, Trial]]) -> dict[str, Trial]:
    """Stack all trials of a plan by name of their variant, side by side in the order of the plan's seeds.

    Args:
        plan: of which they are.
        outcomes: place of the variant, seed and trial, in any order.
    """
    trials = {(variant, seed): trial for variant, seed, trial in outcomes}
    return {
        variant.name: stacked([trials[place, seed] for seed in plan.seeds])
        for place, variant in enumerate(plan.variants)
    }


def episodes(plans: Sequence[Plan], seeds: Seeds) -> int:
    """The number of episodes in these trials."""
    return sum(len(left) * plans[kind.plan].episodes for kind, left in seeds.items())


def divided(plans: Sequence[Plan], seeds: Seeds, workers: int) -> list[Job]:
    """Divide trials into jobs for so many workers: many trials where they are short, few where all is soon done."""
    most = min(JOB_EPISODES, episodes(plans, seeds) // (JOBS_EACH * workers))
    sizes = [max(1, most // plan.episodes) for plan in plans]
    return [
        Job(kind, tuple(left[first : first + sizes[kind.plan]]))
        for kind, left in seeds.items()
        for first in range(0, len(left), sizes[kind.plan])
    ]


def work(plans: Sequence[Plan], job: Job) -> list[Outcome]:
    """Do a job here."""
    plan = plans[job.kind.plan]
    variant = plan.variants[job.kind.variant]
    # Students with letters of their own have no states in common, which would gather in a school.
    school = School if plan.renamed else _school
    return [Outcome(job.kind, seed, attempt(plan, variant, seed, school(variant.settings))) for seed in job.seeds]


# A school is costly to make and large, and the jobs of one kind come one after the other.
@lru_cache(maxsize=1)
def _school(settings: Settings) -> School:
    return School(settings)
