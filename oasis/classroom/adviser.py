"""The teacher in a classroom: every question has the same time, and one that takes too long does not spoil the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from oasis.classroom.attempt import Attempt
from oasis.teacher.hints import Hint, Loss, Teacher
from oasis.teacher.limits import Limit, LimitReached

SECONDS: Final = 5.0
"""How long a student waits for an answer."""

_Answer = TypeVar("_Answer")


class Adviser:
    """Answers questions about attempts; None where the time was not enough.

    Args:
        seconds: for each question.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._begin()

    def on_track(self, attempt: Attempt) -> bool | None:
        """Whether the lemma can still be proved from where the attempt stands."""
        return self._ask(lambda teacher: teacher.provable(attempt.state))

    def hint(self, attempt: Attempt, level: int) -> Hint | None:
        """A hint for where the attempt stands."""
        return self._ask(lambda teacher: teacher.hint(attempt.states, attempt.made, level))

    def loss(self, attempt: Attempt, hint: Hint) -> Loss | None:
        """Why the move lost the proof that a hint names; None also if it names none."""
        if not hint.step:
            return None
        step = hint.step
        return self._ask(
            lambda teacher: teacher.what_it_lost(attempt.states[step - 1], attempt.made[step - 1], attempt.states[step])
        )

    def shortest(self, attempt: Attempt) -> int | None:
        """The number of moves in the lemma's shortest proof; None also if it has none."""

        def length(teacher: Teacher) -> int | None:
            start = attempt.states[0]
            if not teacher.provable(start):
                return None
            teacher.prepare(start)
            return teacher.advice(start[0]).length

        return self._ask(length)

    def _begin(self) -> None:
        self._limit = Limit(self._seconds)
        self._teacher = Teacher(self._limit)

    def _ask(self, question: Callable[[Teacher], _Answer]) -> _Answer | None:
        self._limit.restart()
        try:
            return question(self._teacher)
        except LimitReached:
            self._begin()  # what was broken off half-way is not gone on with
            return None
