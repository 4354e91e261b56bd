"""What every engine is: it takes jobs of a plan and gives back their trials as they are done, in any order.

A trial depends on the plan, the variant and the seed alone, so engines differ in nothing but the time they take.
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
    """Trials cannot be run, or no longer; the text is one plain sentence with what to do now."""


class Job(NamedTuple):
    """Some trials of one variant, done one after the other by one worker.

    Attributes:
        variant: its place in the plan.
        seeds: at least one.
    """

    variant: int
    seeds: tuple[int, ...]


class Outcome(NamedTuple):
    """A trial that is done: of which variant, by its place in the plan, and with which seed."""

    variant: int
    seed: int
    trial: Trial


Jobs = Generator[list[Outcome], None, None]
"""What was done, a job at a time."""
Seeds = Mapping[int, Sequence[int]]
"""Which trials to do: seeds by the place of their variant in the plan."""


class Engine(Protocol):
    """Runs trials."""

    def run(self, plan: Plan, seeds: Seeds) -> Jobs:
        """The outcomes of each job when it is done; leaving the iteration early ends all workers.

        Raises EngineError when a worker dies or cannot be had.
        """
        ...


def by_variant(plan: Plan, outcomes: Iterable[Outcome]) -> dict[str, Trial]:
    """All trials of a plan by name of their variant, side by side in the order of the plan's seeds."""
    trials = {(place, seed): trial for place, seed, trial in outcomes}
    return {
        variant.name: stacked([trials[place, seed] for seed in plan.seeds])
        for place, variant in enumerate(plan.variants)
    }


def divided(plan: Plan, seeds: Seeds, workers: int) -> list[Job]:
    """Jobs for so many workers: long ones where trials are short, and short ones towards an even end."""
    total = sum(map(len, seeds.values()))
    size = max(1, min(JOB_EPISODES // plan.episodes, total // (JOBS_EACH * workers)))
    return [
        Job(variant, tuple(left[first : first + size]))
        for variant, left in seeds.items()
        for first in range(0, len(left), size)
    ]


def work(plan: Plan, job: Job) -> list[Outcome]:
    """Do a job here."""
    variant = plan.variants[job.variant]
    school = _school(variant.settings)
    return [Outcome(job.variant, seed, attempt(plan, variant, seed, school)) for seed in job.seeds]


# A school is costly to make and large, and the jobs of one variant come one after the other.
@lru_cache(maxsize=1)
def _school(settings: Settings) -> School:
    return School(settings)
