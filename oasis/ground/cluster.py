"""A cluster of Ray (Moritz et al. 2018), an optional library: one that runs, or one that is started on this machine.

A task that dies with its machine is run again on another, so it must depend on what it is given alone. Which task runs
where is left to Ray.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from platform import node
from typing import Any
from urllib.parse import urlsplit

from oasis.ground.version import commit, version
from tactics.errors import LibraryMissing, install_command


def need_ray(what: str) -> None:
    """Raises LibraryMissing, which says what needs it, if Ray is not there."""
    if find_spec("ray") is None:
        raise LibraryMissing(f"{what} needs Ray, which is not installed: {install_command('cluster')}")


@contextmanager
def connected(number: int | None, address: str | None, lost: type[Exception]) -> Iterator[int]:
    """Connect to a cluster until the end of the block; gives the number of tasks at a time.

    Args:
        number: of tasks; None for as many as Ray has cores.
        address: of a running cluster, as Ray writes it; None starts one here. A Ray that this process is connected to
            already is used as it is, and left running.
        lost: is raised if the cluster does not answer.
    """
    import ray

    _knock(address, lost)
    is_ours = not ray.is_initialized()
    if is_ours:
        _start(number, address, lost)
    try:
        yield number or int(ray.cluster_resources()["CPU"])  # type: ignore[no-untyped-call]
    finally:
        if is_ours:
            ray.shutdown()


def _start(number: int | None, address: str | None, lost: type[Exception]) -> None:
    import ray

    # Without being asked, Ray reports to its makers, and prints the error of every task beside the one we raise.
    for variable, value in (("RAY_USAGE_STATS_ENABLED", "0"), ("RAY_IGNORE_UNHANDLED_ERRORS", "1")):
        os.environ.setdefault(variable, value)
    handler = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(
            address or "local",
            num_cpus=None if address else number,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except Exception as error:  # Ray raises no narrower one where a machine is too slow to start it
        where = f"at {address}" if address else "on this machine"
        reason = str(error).split(". ")[0].rstrip(".")
        raise lost(
            f"Ray cannot be used {where} ({reason}); see that it runs there, with the same Ray and Python, and set "
            "RAY_AUTH_MODE=token if it asks for a token."
        ) from error
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)  # Ray takes it for itself


def _knock(address: str | None, lost: type[Exception]) -> None:
    """Ray itself would wait for minutes where nobody answers."""
    place = urlsplit(address if address and "://" in address else f"//{address or ''}")
    try:
        if place.hostname and place.port:
            socket.create_connection((place.hostname, place.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise lost(
            f"No Ray cluster answers at {address} ({error}); start one there with `ray start --head`, or name no "
            "address to have it on this machine."
        ) from error


def answers(
    work: Callable[[Any, Any], object], shared: object, jobs: Iterable[object], number: int, lost: type[Exception]
) -> Generator[Any, None, None]:
    """Do jobs as tasks of the connected cluster; yield the result of each as it arrives.

    An error in a task is raised here. Leaving the iteration early ends the tasks.

    Args:
        work: (what all jobs share, a job) → its result; a function that every machine has.
        shared: by all jobs, as `ray.put` gives it.
        jobs: to be done.
        number: of tasks at a time; Ray queues those that have no core yet.
        lost: the error to raise if the workers are gone, or have another version of Oasis.
    """
    import ray
    from ray.exceptions import RayError, RayTaskError

    left, task, ours = iter(jobs), ray.remote(_task), edition()

    def submit(number: int) -> list[Any]:
        return [task.remote(work, shared, job, ours, lost) for job in islice(left, number)]

    running: list[Any] = []
    try:
        running = submit(number)
        while running:
            done, running = ray.wait(running)
            came = ray.get(done[0])
            running += submit(1)
            yield came
    except RayTaskError as error:
        raise error.cause from error
    except RayError as error:
        raise lost(f"Ray has lost its workers ({type(error).__name__}).") from error
    finally:
        for each in running:
            ray.cancel(each, force=True)


def edition() -> str:
    """Return what every machine of a cluster has to have installed: this Oasis."""
    return commit() or version()


def _task(
    work: Callable[[Any, Any], object], shared: object, job: object, expected: str, lost: type[Exception]
) -> object:
    """Do a job on some machine of the cluster. Raises `lost` on one that has another Oasis."""
    if expected != edition():
        raise lost(f"{node()} has Oasis {edition()} and not {expected}; install the same on every machine.")
    return work(shared, job)
