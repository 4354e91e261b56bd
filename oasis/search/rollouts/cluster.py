"""Rollouts on more than one machine: parts of the jobs are tasks of a Ray cluster.

A rollout depends on the policy, its state and its own chance alone. Every machine needs this version of Oasis.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Self

from oasis.ground.cluster import check_edition, connected, edition, need_ray, told
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
        self._task: Any = None
        self._tasks, self._open = 0, ExitStack()
        self._lesson: tuple[Policy, ActionSpace] | None = None
        self._shared: Any = None

    def __enter__(self) -> Self:
        """Connect to the cluster. Raises PlayersLost if it does not answer."""
        import ray

        self._tasks = self._open.enter_context(connected(self.number, self.address, PlayersLost))
        self._task = ray.remote(_played)
        return self

    def __exit__(self, *_: object) -> None:
        self._task = self._lesson = self._shared = None
        self._open.close()

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Play all jobs. Raises PlayersLost if the cluster is lost."""
        import ray

        if self._task is None:
            raise PlayersLost("The cluster that plays rollouts is not connected; connect it with a `with` statement.")
        if self._lesson is None or self._lesson[0] is not policy or self._lesson[1] is not space:
            self._lesson = policy, space
            self._shared = ray.put(self._lesson)
        ours = edition()
        tasks = [self._task.remote(self._shared, part, ours) for part in divided(jobs, self._tasks)]
        try:
            with told(PlayersLost):
                answers: list[Played] = ray.get(tasks)
        except BaseException:
            for task in tasks:
                ray.cancel(task, force=True)
            raise
        for answer in answers:
            yield from answer.ticks
        return [rollout for answer in answers for rollout in answer.rollouts]


# What follows runs on the machines of the cluster.


def _played(lesson: tuple[Policy, ActionSpace], jobs: Sequence[Job], expected: str) -> Played:
    """Play a part of the jobs."""
    check_edition(expected, PlayersLost)
    return played(*lesson, jobs)
