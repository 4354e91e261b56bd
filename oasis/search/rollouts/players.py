"""Who plays rollouts: this process, or several of their own on this machine.

Worker processes (`oasis.ground.workers`) end when this process does, however it does. Ctrl-C never reaches them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from oasis.ground.signals import end_with_parent
from oasis.ground.workers import answer, started
from oasis.play.actions import ActionSpace
from oasis.play.policy import Policy
from oasis.search.rollouts.play import Job, Look, Playing, Rollout, Tick, play

if TYPE_CHECKING:
    from oasis.ground.workers import Pipe, Workers


class PlayersLost(Exception):
    """Those who play rollouts are no more, or cannot be had; the text is one plain sentence with what to do now."""


class Players(Protocol):
    """Somebody who plays rollouts."""

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Play all jobs, as `oasis.search.rollouts.play.play` does.

        What `look` knows may be left aside: who asks has to look at the states once more.
        """
        ...


class Here:
    """All rollouts are played side by side in this process."""

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Play all jobs."""
        return play(policy, space, jobs, look)


class Played(NamedTuple):
    """What came of some jobs elsewhere."""

    rollouts: list[Rollout]
    ticks: list[Tick]


def played(policy: Policy, space: ActionSpace, jobs: Sequence[Job]) -> Played:
    """Play jobs to their end at once, for somebody elsewhere."""
    playing, ticks = play(policy, space, jobs), []
    while True:
        try:
            ticks.append(next(playing))
        except StopIteration as ended:
            return Played(ended.value, ticks)


def divided(jobs: Sequence[Job], number: int) -> list[Sequence[Job]]:
    """The jobs in at most so many parts of nearly equal size, in their order; none is empty."""
    ends = [len(jobs) * part // number for part in range(number + 1)]
    return [jobs[first:end] for first, end in pairwise(ends) if first < end]


class _Lesson(NamedTuple):
    """What a worker has to know before it can play."""

    policy: Policy
    space: ActionSpace


class Processes:
    """Several processes on this machine, which share the jobs; to be used in a `with` statement, which ends them.

    The policy has to be picklable, and is sent once; what is known beforehand stays here.

    Args:
        number: of the processes, at least 1.
    """

    def __init__(self, number: int) -> None:
        if number < 1:
            raise ValueError(f"the number of processes must be at least 1, not {number}")
        self.number = number
        self._workers: Workers = {}
        self._open = ExitStack()
        self._lesson: _Lesson | None = None

    def __enter__(self) -> Self:
        """Start the processes. Raises PlayersLost if the system refuses."""

        def refused(why: str) -> PlayersLost:
            return PlayersLost(f"{self.number} processes do not start ({why}); ask for fewer.")

        self._workers = self._open.enter_context(started(self.number, _serve, refused))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self._workers, self._lesson = {}, None

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Play all jobs. Raises PlayersLost if a process dies; whoever stops asking for more ends the processes."""
        if not self._workers:
            raise PlayersLost("The processes that play rollouts have ended; start some with a `with` statement.")
        try:
            if self._lesson is None or self._lesson.policy is not policy or self._lesson.space is not space:
                self._lesson = _Lesson(policy, space)
                for pipe in self._workers:
                    pipe.send(self._lesson)
            parts = divided(jobs, self.number)
            for pipe, part in zip(self._workers, parts, strict=False):
                pipe.send(part)
            rollouts: list[Rollout] = []
            ticks: list[Tick] = []
            failure: Exception | None = None
            for pipe, _ in zip(self._workers, parts, strict=False):
                came: Played | Exception = pipe.recv()
                if isinstance(came, Exception):
                    failure = came
                else:
                    rollouts += came.rollouts
                    ticks += came.ticks
        except (EOFError, OSError) as error:
            self.__exit__()
            raise PlayersLost("A process that plays rollouts has died; if it happens again, ask for fewer.") from error
        except BaseException:
            # An answer to a question that was given up would be taken for that to the next one.
            self.__exit__()
            raise
        if failure is not None:
            raise failure
        yield from ticks
        return rollouts


# What follows runs in the worker processes.


def _serve(pipe: Pipe) -> None:
    """Play what comes, until the other end of the pipe is closed."""
    end_with_parent()
    with suppress(EOFError, OSError):
        lesson = pipe.recv()
        while True:
            asked = pipe.recv()
            if isinstance(asked, _Lesson):
                lesson = asked
            else:
                pipe.send(answer(played, *lesson, asked))
