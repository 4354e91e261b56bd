"""Where a student sits: the desk with their work, the exercise before them, and a teacher who can be asked.

Screens share it, so the proof that is begun in one is gone on with in another. The teacher thinks in a thread of its
own about a copy of the attempt, so nobody waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import ProblemKey, problem_key
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise

_Answer = TypeVar("_Answer")


class Seat:
    """One student's seat.

    Attributes:
        desk: what the student does is kept there.
        exercise: the one before them; None until one is taken.
        attempt: at that exercise.
        others: the exercises that this one is among, itself too.
    """

    def __init__(self, desk: Desk, seconds: float) -> None:
        self.desk = desk
        self.exercise: Exercise | None = None
        self.attempt: Attempt | None = None
        self.others: Sequence[Exercise] = ()
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "teacher")
        self._adviser = Adviser(seconds)

    def take(self, exercise: Exercise, others: Sequence[Exercise] = ()) -> None:
        """Put an exercise before the student; an attempt that is not over is gone on with."""
        self._put(exercise, self.desk.sit(exercise))
        self.others = others or (exercise,)

    def take_first(self, exercises: Sequence[Exercise], more: Sequence[Exercise] = ()) -> None:
        """Put before the student what they were at last, if it is among these or some more and not done.

        Otherwise the first of the exercises that is not done, or else the first.
        """
        present = self.desk.present()
        for exercise in (*exercises, *more):
            if problem_key(exercise) == present:
                self.take(exercise, [each for each in (*exercises, *more) if each.place == exercise.place])
                return
        done = self._done()
        undone = (exercise for exercise in exercises if problem_key(exercise) not in done)
        self.take(next(undone, exercises[0]), exercises)

    def begin_again(self) -> None:
        """Begin the exercise once more. There must be one."""
        assert self.exercise is not None
        self._put(self.exercise, self.desk.again(self.exercise))

    def following(self) -> Exercise | None:
        """The next exercise that is not done yet, from this one on and round; None if all are."""
        if self.exercise is None:
            return None
        done = self._done()
        place = [other.name for other in self.others].index(self.exercise.name)
        rest = [*self.others[place + 1 :], *self.others[:place]]
        return next((other for other in rest if problem_key(other) not in done), None)

    async def ask(self, question: Callable[[Adviser, Attempt], _Answer]) -> _Answer:
        """What the teacher says of the attempt as it stands."""
        assert self.attempt is not None
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, question, self._adviser, self.attempt.copy()
        )

    def close(self) -> None:
        """Nobody asks any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _done(self) -> set[ProblemKey]:
        return {key for key, result in self.desk.results().items() if result.outcome}

    def _put(self, exercise: Exercise, attempt: Attempt) -> None:
        self.exercise, self.attempt = exercise, attempt
        self._adviser = Adviser(self._seconds, exercise.terms.only)
