"""Rollouts on more than one machine: Ray (Moritz et al. 2018), an optional library.

Parts of the jobs are Ray tasks. One that dies with its machine is played again on another, which changes nothing: a
rollout depends on the policy, its state and its own chance alone. Every machine needs this version of Oasis.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from platform import node
from typing import Any, Self
from urllib.parse import urlsplit

from oasis.ground.version import commit, version
from oasis.play.actions import ActionSpace
from oasis.play.policy import Policy
from oasis.search.rollouts.play import Job, Look, Playing
from oasis.search.rollouts.players import Played, PlayersLost, divided, played
from tactics.errors import LibraryMissing, install_command


class Ray:
    """Tasks of a Ray cluster, or of one that is started on this machine; to be used in a `with` statement.

    The policy has to be picklable, and is stored in the cluster once; what is known beforehand stays here.

    Args:
        number: of tasks at a time; None for as many as Ray has cores.
        address: of a running cluster, as Ray writes it; None starts one here. A Ray that this process is connected to
            already is used as it is, and left running.

    Raises LibraryMissing without Ray.
    """

    def __init__(self, number: int | None = None, address: str | None = None) -> None:
        if find_spec("ray") is None:
            raise LibraryMissing(f"Rollouts on a cluster need Ray, which is missing: {install_command('cluster')}")
        self.number, self.address = number, address
        self._task: Any = None
        self._is_ours = False
        self._lesson: tuple[Policy, ActionSpace] | None = None
        self._shared: Any = None

    def __enter__(self) -> Self:
        """Connect to the cluster. Raises PlayersLost if it does not answer."""
        import ray

        if not ray.is_initialized():
            # Unasked, Ray reports to its makers, and prints the error of every task beside the one that we raise.
            for variable, value in (("RAY_USAGE_STATS_ENABLED", "0"), ("RAY_IGNORE_UNHANDLED_ERRORS", "1")):
                os.environ.setdefault(variable, value)
            handler = signal.getsignal(signal.SIGTERM)
            try:
                _knock(self.address)
                ray.init(
                    self.address or "local",
                    num_cpus=None if self.address else self.number,
                    include_dashboard=None if self.address else False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
            except Exception as error:  # Ray raises no narrower one where a machine is too slow to start it
                where = f"at {self.address}" if self.address else "on this machine"
                reason = str(error).split(". ")[0].rstrip(".")
                raise PlayersLost(f"Ray cannot be used {where} ({reason}); see that it runs there.") from error
            finally:
                if threading.current_thread() is threading.main_thread():
                    signal.signal(signal.SIGTERM, handler)  # Ray takes it for itself
            self._is_ours = True
        self._task = ray.remote(_played)
        return self

    def __exit__(self, *_: object) -> None:
        import ray

        self._task = self._lesson = self._shared = None
        if self._is_ours:
            ray.shutdown()
            self._is_ours = False

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Play all jobs. Raises PlayersLost if the cluster is lost."""
        import ray
        from ray.exceptions import RayError, RayTaskError

        if self._task is None:
            raise PlayersLost("The cluster that plays rollouts is not connected; connect it with a `with` statement.")
        if self._lesson is None or self._lesson[0] is not policy or self._lesson[1] is not space:
            self._lesson = policy, space
            self._shared = ray.put(self._lesson)
        number = self.number or int(ray.cluster_resources()["CPU"])  # type: ignore[no-untyped-call]
        edition = _edition()
        tasks = [self._task.remote(self._shared, part, edition) for part in divided(jobs, number)]
        try:
            answers: list[Played] = ray.get(tasks)
        except RayTaskError as error:
            # What the task raised, not how Ray brought it here.
            raise error.cause from error
        except RayError as error:
            raise PlayersLost(f"Ray has lost its workers ({type(error).__name__}).") from error
        except BaseException:
            for task in tasks:
                ray.cancel(task, force=True)
            raise
        for answer in answers:
            yield from answer.ticks
        return [rollout for answer in answers for rollout in answer.rollouts]


def _knock(address: str | None) -> None:
    """Raise OSError if nobody answers at an address, for which Ray itself would wait for minutes."""
    place = urlsplit(address if address and "://" in address else f"//{address or ''}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), timeout=10).close()


def _edition() -> str:
    return commit() or version()


# What follows runs on the machines of the cluster.


def _played(lesson: tuple[Policy, ActionSpace], jobs: Sequence[Job], edition: str) -> Played:
    """Play a part of the jobs, for somebody who has this edition of Oasis."""
    if edition != _edition():
        raise PlayersLost(f"{node()} has Oasis {_edition()} and not {edition}; install the same on every machine.")
    return played(*lesson, jobs)
