"""Where trials are run: in this process, in several on this machine, or by Ray on many, with the same numbers.

An engine takes jobs of some plans and gives back their trials as they are done, in any order. A trial depends on its
plan, the variant and the seed alone, so engines differ in nothing but the time they take.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from oasis.ground import cluster
from oasis.ground.signals import end_with_parent
from oasis.ground.workers import answer, answers, cores, started
from oasis.lab.measure import Trial
from oasis.lab.plans import Work
from tactics.errors import InputError, check_choice

if TYPE_CHECKING:
    from oasis.ground.workers import Pipe

ENGINES: Final = ("serial", "processes", "ray")
JOB_EFFORT: Final = 20_000
"""Less effort than this is not worth sending to another process by themselves."""
JOBS_EACH: Final = 4
"""At least so many jobs for each worker, so that all of them end at about the same time."""
EARLY: Final = 5
"""One in so many trials of a kind, but two at least, is done before any other, so that kinds can soon be compared."""
WORTH_STARTING: Final = 100_000
"""Less effort than this is done here before another process has started."""


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


def every_outcome(
    plans: Mapping[str, Work], engine: Engine, show: Callable[[int], None] = lambda done: None
) -> dict[str, dict[str, list[Trial]]]:
    """Do all trials of some plans, without keeping them; by part and kind, in the order of the plan's seeds.

    Whenever trials are done, `show` is told how many are by now.
    """
    works = tuple(plans.values())
    found: dict[tuple[Kind, int], Trial] = {}
    with closing(engine.run(works, every_trial(works))) as jobs:
        for outcomes in jobs:
            found |= {(kind, seed): trial for kind, seed, trial in outcomes}
            show(len(found))
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


def engine(name: str, *, workers: int | None = None, address: str | None = None) -> Engine:
    """An engine.

    Args:
        name: one of `ENGINES`.
        workers: how many trials at a time, at least 1; None for one on each core, or on each that Ray has.
        address: of a Ray cluster; None starts Ray on this machine.

    Raises InputError for an unknown name or number, LibraryMissing without Ray.
    """
    check_choice("--engine", name, ENGINES)
    if workers is not None and workers < 1:
        raise InputError(f"--workers must be at least 1, not {workers}.")
    if address is not None and name != "ray":
        raise InputError("--ray-address goes with --engine ray.")
    if name == "ray":
        return Ray(workers, address)
    if name == "processes":
        return Processes(workers or cores())
    return Serial()


class Serial:
    """One trial after the other in this process."""

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done."""
        for job in divided(plans, seeds, workers=1):
            yield work(plans, job)


class Processes:
    """Several processes on this machine; they end when this one does, however it does. Little work is done here."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early kills the processes.

        Raises EngineError when one of them dies or cannot be started.
        """
        if effort(plans, seeds) < WORTH_STARTING:
            yield from Serial().run(plans, seeds)
            return
        jobs = divided(plans, seeds, self.workers)
        number = min(self.workers, len(jobs))

        def refused(why: str) -> EngineError:
            return EngineError(f"{number} worker processes cannot be started ({why}); ask for fewer --workers.")

        def died(how: str) -> EngineError:
            return EngineError(f"A worker process has died ({how}); if it happens again, ask for fewer --workers.")

        with started(number, _serve, refused) as workers:
            yield from answers(workers, plans, jobs, died)


class Ray:
    """Tasks of a Ray cluster, or of one that is started on this machine and ends with the run.

    Args:
        workers: how many tasks at a time; None for as many as Ray has cores.
        address: of a running cluster, as Ray writes it; None starts one here. A Ray that this process is connected to
            already is used as it is.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        cluster.need_ray("--engine ray")
        self.workers, self.address = workers, address

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early ends the tasks.

        Raises EngineError when the cluster does not answer, is lost, or has another version of Oasis.
        """
        import ray

        with cluster.connected(self.workers, self.address, EngineError) as workers:
            jobs, number = divided(plans, seeds, workers), self.workers or 2 * workers
            with closing(cluster.answers(work, ray.put(plans), jobs, number, EngineError)) as outcomes:
                yield from outcomes


def _serve(pipe: Pipe) -> None:
    """Do one job after the other in a worker process, until the other end of the pipe is closed."""
    gc.set_threshold(100_000)  # objects here stay and form no cycles, so collecting garbage gains nothing
    end_with_parent()
    with suppress(EOFError, OSError):
        plans = pipe.recv()
        while True:
            pipe.send(answer(work, plans, pipe.recv()))
