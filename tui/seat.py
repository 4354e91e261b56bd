"""Where a student sits: the desk with their work, the exercise before them, and a teacher who can be asked.

Screens share it, so the proof that is begun in one is gone on with in another. The teacher thinks in a thread of its
own about a copy of the attempt, so nobody waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from oasis.classroom.background import Background
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.raising import lessons
from oasis.classroom.desk.record import ProblemKey, problem_key
from oasis.classroom.partner.companion import Lesson
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise

_Answer = TypeVar("_Answer")


class Seat:
    """One student's seat.

    Args:
        desk: what the student does is kept there.
        seconds: how long the teacher may take for an answer.

    Attributes:
        desk: likewise.
        others: the exercises that the one before the student is among, itself too.
        was_done: whether the student had done the exercise before this attempt at it.
    """

    def __init__(self, desk: Desk, seconds: float) -> None:
        self.desk = desk
        self.others: Sequence[Exercise] = ()
        self.was_done = False
        self._seconds = seconds
        self._teacher = Background("teacher")
        self._adviser = Adviser(seconds)

    @property
    def exercise(self) -> Exercise:
        """The one before the student; one must have been taken."""
        return self.desk.exercise

    @property
    def attempt(self) -> Attempt:
        """The attempt at it."""
        return self.desk.attempt

    def lessons(self) -> tuple[Lesson, ...]:
        """Return what the student has taught a companion: the proofs that they found, the oldest first."""
        return lessons(self.desk)

    def take(self, exercise: Exercise, others: Sequence[Exercise] = ()) -> None:
        """Put an exercise before the student; an attempt that is not over is gone on with."""
        self.desk.sit(exercise)
        self.was_done = bool(self.desk.result.outcome)
        self._adviser = Adviser(self._seconds, exercise.terms.only)
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
        """Begin the exercise once more."""
        self.desk.again(self.exercise)
        self.was_done = bool(self.desk.result.outcome)

    def following(self) -> Exercise | None:
        """The next exercise that is not done yet, from this one on and round; None if all are."""
        done = self._done()
        place = [other.name for other in self.others].index(self.exercise.name)
        rest = [*self.others[place + 1 :], *self.others[:place]]
        return next((other for other in rest if problem_key(other) not in done), None)

    def before(self) -> Exercise | None:
        """The exercise that stands before this one among the others; None if it is the first, or none of them."""
        others = [*self.others]
        place = others.index(self.exercise) if self.exercise in others else 0
        return others[place - 1] if place else None

    async def ask(self, question: Callable[[Adviser, Attempt], _Answer]) -> _Answer:
        """What the teacher says of the attempt as it stands."""
        return await self._teacher.ask(question, self._adviser, self.attempt.copy())

    def close(self) -> None:
        """Ask nothing more."""
        self._teacher.close()

    def _done(self) -> set[ProblemKey]:
        return {key for key, result in self.desk.results().items() if result.outcome}
