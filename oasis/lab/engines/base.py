"""What every engine is: it takes jobs of some plans and gives back their trials as they are done, in any order.

A trial depends on its plan, the variant and the seed alone, so engines differ in nothing but the time they take.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import Final, NamedTuple, Protocol

from oasis.lab.measure import Trial
from oasis.lab.plans import Work
from tactics.errors import InputError

JOB_EFFORT: Final = 20_000
"""Less effort than this is not worth sending to another process by themselves."""
JOBS_EACH: Final = 4
"""At least so many jobs for each worker, so that all of them end at about the same time."""

EARLY: Final = 5
"""One in so many trials of a kind, but two at least, is done before any other, so that kinds can soon be compared."""


class EngineError(InputError):
    """Trials cannot be run, or no longer; the text is one plain sentence."""


class Kind(NamedTuple):
    """One kind of trials: a variant of a plan, both by their places."""

    plan: int
    variant: int


class Job(NamedTuple):
    """Some trials of one kind, done one after the other by one worker.

    Attributes:
        kind: of the trials.
        seeds: at least one.
    """

    kind: Kind
    seeds: tuple[int, ...]


class Outcome(NamedTuple):
    """A trial that is done: of which kind, with which seed, and what it came to."""

    kind: Kind
    seed: int
    trial: Trial


Jobs = Generator[list[Outcome], None, None]
"""What was done, a job at a time."""
Seeds = Mapping[Kind, Sequence[int]]
"""Which trials to do: seeds by kind."""


class Engine(Protocol):
    """Runs trials."""

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early ends all workers.

        Raises EngineError when a worker dies or cannot be had.
        """
        ...


def every_trial(plans: Sequence[Work]) -> dict[Kind, tuple[int, ...]]:
    """All seeds of all kinds, plan by plan."""
    return {Kind(place, number): plan.seeds for place, plan in enumerate(plans) for number in range(len(plan.variants))}


def every_outcome(plans: Mapping[str, Work], engine: Engine) -> dict[str, dict[str, list[Trial]]]:
    """Do all trials of some plans, without keeping them; by part and kind, in the order of the plan's seeds."""
    works = tuple(plans.values())
    found: dict[tuple[Kind, int], Trial] = {}
    with closing(engine.run(works, every_trial(works))) as jobs:
        for outcomes in jobs:
            found |= {(kind, seed): trial for kind, seed, trial in outcomes}
    return {
        part: {
            variant.name: [found[Kind(place, number), seed] for seed in plan.seeds]
            for number, variant in enumerate(plan.variants)
        }
        for place, (part, plan) in enumerate(plans.items())
    }


def effort(plans: Sequence[Work], seeds: Seeds) -> int:
    """How long these trials take, in the units of their plans."""
    return sum(len(left) * plans[kind.plan].effort for kind, left in seeds.items())


def divided(plans: Sequence[Work], seeds: Seeds, workers: int) -> list[Job]:
    """Divide trials into jobs for so many workers: many trials where they are short, few where all is soon done.

    First come the `EARLY` ones, then all others, both times kind by kind: the trials of a kind share what is costly to
    make.
    """
    most = min(JOB_EFFORT, effort(plans, seeds) // (JOBS_EACH * workers))
    sizes = [max(1, most // plan.effort) for plan in plans]
    early = {kind: left[: max(2, len(left) // EARLY)] for kind, left in seeds.items()}
    others = {kind: left[len(early[kind]) :] for kind, left in seeds.items()}
    return [
        Job(kind, tuple(part[first : first + sizes[kind.plan]]))
        for parts in (early, others)
        for kind, part in parts.items()
        for first in range(0, len(part), sizes[kind.plan])
    ]


def work(plans: Sequence[Work], job: Job) -> list[Outcome]:
    """Do a job here."""
    plan = plans[job.kind.plan]
    return [Outcome(job.kind, seed, plan.attempt(job.kind.variant, seed)) for seed in job.seeds]
