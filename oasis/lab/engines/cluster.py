"""The engine for more than one machine: Ray (Moritz et al. 2018), an optional library.

Jobs are Ray tasks. One that dies with its machine is run again on another, which changes nothing: a trial depends on
the plan and its seed alone. Which task runs where is left to Ray. Every machine needs this version of Oasis.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from platform import node
from urllib.parse import urlsplit

from oasis.ground.version import commit, version
from oasis.lab.engines.base import EngineError, Job, Jobs, Outcome, Seeds, divided, work
from oasis.lab.plans import Work
from tactics.errors import LibraryMissing, install_command


class Ray:
    """Tasks of a Ray cluster, or of one that is started on this machine and ends with the run.

    Args:
        workers: how many tasks at a time; None for as many as Ray has cores.
        address: of a running cluster, as Ray writes it; None starts one here. A Ray that this process is connected to
            already is used as it is.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        if find_spec("ray") is None:
            raise LibraryMissing(f"--engine ray needs Ray, which is not installed: {install_command('cluster')}")
        self.workers, self.address = workers, address

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early ends the tasks.

        Raises EngineError when the cluster does not answer, is lost, or has another version of Oasis.
        """
        import ray
        from ray.exceptions import RayError, RayTaskError

        with self._connected():
            workers = self.workers or int(ray.cluster_resources()["CPU"])  # type: ignore[no-untyped-call]
            jobs = iter(divided(plans, seeds, workers))
            task, shared = ray.remote(_task), ray.put(plans)
            edition = _edition() if self.address else None

            def submit(number: int) -> list[ray.ObjectRef[list[Outcome]]]:
                return [task.remote(shared, job, edition) for job in islice(jobs, number)]

            # Ray holds what has no core yet; with a number of workers asked for, no more than these run.
            running = submit(self.workers or 2 * workers)
            try:
                while running:
                    done, running = ray.wait(running)
                    outcomes = ray.get(done[0])
                    running += submit(1)
                    yield outcomes
            except RayTaskError as error:
                # What the task raised, not how Ray brought it here.
                raise error.cause from error
            except RayError as error:
                raise EngineError(f"Ray has lost its workers ({type(error).__name__}).") from error
            finally:
                for reference in running:
                    ray.cancel(reference, force=True)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        import ray

        _knock(self.address)
        if ray.is_initialized():
            yield
            return
        # Without being asked, Ray reports to its makers, and prints the error of every task beside the one we raise.
        for variable, value in (("RAY_USAGE_STATS_ENABLED", "0"), ("RAY_IGNORE_UNHANDLED_ERRORS", "1")):
            os.environ.setdefault(variable, value)
        with _handler_kept():
            try:
                ray.init(
                    self.address or "local",
                    num_cpus=None if self.address else self.workers,
                    include_dashboard=None if self.address else False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
            except Exception as error:  # Ray raises no narrower one where a machine is too slow to start it
                where = f"at {self.address}" if self.address else "on this machine"
                reason = str(error).split(". ")[0].rstrip(".")
                raise EngineError(
                    f"Ray cannot be used {where} ({reason}); see that it runs there, with the same Ray and Python, and "
                    "set RAY_AUTH_MODE=token if it asks for a token."
                ) from error
        try:
            yield
        finally:
            ray.shutdown()


def _knock(address: str | None) -> None:
    """Ray itself would wait for minutes where nobody answers."""
    place = urlsplit(address if address and "://" in address else f"//{address or ''}")
    try:
        if place.hostname and place.port:
            socket.create_connection((place.hostname, place.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise EngineError(
            f"No Ray cluster answers at {address} ({error}); start one there with `ray start --head`, or leave out "
            "--ray-address to have it on this machine."
        ) from error


@contextmanager
def _handler_kept() -> Iterator[None]:
    """Ray takes SIGTERM for itself; whoever runs the trials had better decide."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def _task(plans: Sequence[Work], job: Job, edition: str | None) -> list[Outcome]:
    """A job on some machine of the cluster, which must have this edition of Oasis."""
    if edition not in (None, _edition()):
        raise EngineError(f"{node()} has Oasis {_edition()} and not {edition}; install the same on every machine.")
    return work(plans, job)


def _edition() -> str:
    return commit() or version()
