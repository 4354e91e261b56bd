"""Rollouts on more than one machine: parts of the jobs are tasks of a Ray cluster.

A rollout depends on the policy, its state and its own chance alone. Every machine needs this version of Oasis.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from operator import itemgetter
from typing import Any, Self

from oasis.ground.cluster import answers, connected, need_ray
from oasis.play.actions import ActionSpace
from oasis.play.policy import Policy
from oasis.search.rollouts.play import Job, Look, Playing
from oasis.search.rollouts.players import Played, PlayersLost, divided, played


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
        need_ray("The cluster that plays rollouts")
        self.number, self.address = number, address
        self._tasks, self._open = 0, ExitStack()
        self._lesson: tuple[Policy, ActionSpace] | None = None
        self._shared: Any = None

    def __enter__(self) -> Self:
        """Connect to the cluster. Raises PlayersLost if it does not answer."""
        self._tasks = self._open.enter_context(connected(self.number, self.address, PlayersLost))
        return self

    def __exit__(self, *_: object) -> None:
        self._tasks, self._lesson, self._shared = 0, None, None
        self._open.close()

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Play all jobs. Raises PlayersLost if the cluster is lost."""
        import ray

        if not self._tasks:
            raise PlayersLost("The cluster that plays rollouts is not connected; connect it with a `with` statement.")
        if self._lesson is None or self._lesson[0] is not policy or self._lesson[1] is not space:
            self._lesson = policy, space
            self._shared = ray.put(self._lesson)
        parts = enumerate(divided(jobs, self._tasks))
        with closing(answers(_played, self._shared, parts, self._tasks, PlayersLost)) as came:
            found = [part for _, part in sorted(came, key=itemgetter(0))]
        for part in found:
            yield from part.ticks
        return [rollout for part in found for rollout in part.rollouts]


def _played(lesson: tuple[Policy, ActionSpace], part: tuple[int, Sequence[Job]]) -> tuple[int, Played]:
    """Play a part of the jobs, which has a number, on some machine of the cluster."""
    number, jobs = part
    return number, played(*lesson, jobs)
