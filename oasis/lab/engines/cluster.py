"""The engine for more than one machine: jobs are tasks of a Ray cluster, every machine of which needs this Oasis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from oasis.ground.cluster import check_edition, connected, edition, need_ray, told
from oasis.lab.engines.base import EngineError, Job, Jobs, Outcome, Seeds, divided, work
from oasis.lab.plans import Work


class Ray:
    """Tasks of a Ray cluster, or of one that is started on this machine and ends with the run.

    Args:
        workers: how many tasks at a time; None for as many as Ray has cores.
        address: of a running cluster, as Ray writes it; None starts one here. A Ray that this process is connected to
            already is used as it is.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        need_ray("--engine ray")
        self.workers, self.address = workers, address

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early ends the tasks.

        Raises EngineError when the cluster does not answer, is lost, or has another version of Oasis.
        """
        import ray

        with connected(self.workers, self.address, EngineError) as workers, told(EngineError):
            jobs, ours = iter(divided(plans, seeds, workers)), edition()
            task, shared = ray.remote(_task), ray.put(plans)

            def submit(number: int) -> list[ray.ObjectRef[list[Outcome]]]:
                return [task.remote(shared, job, ours) for job in islice(jobs, number)]

            # Ray holds what has no core yet; with a number of workers asked for, no more than these run.
            running = submit(self.workers or 2 * workers)
            try:
                while running:
                    done, running = ray.wait(running)
                    outcomes = ray.get(done[0])
                    running += submit(1)
                    yield outcomes
            finally:
                for reference in running:
                    ray.cancel(reference, force=True)


def _task(plans: Sequence[Work], job: Job, expected: str) -> list[Outcome]:
    """A job on some machine of the cluster."""
    check_edition(expected, EngineError)
    return work(plans, job)
