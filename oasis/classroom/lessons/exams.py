"""Exams: lessons that students have alone, so that nothing else in the classroom tells how their lemmas are proved.

On which terms they are worked at is said by the lesson, as of any other; where else students could look is the business
of the screens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oasis.classroom.lessons.lesson import Lesson

ALONE: Final = (
    "This is an exam: the course, other lessons and what you did before are not there until your teacher ends it."
)
"""What a student should know of an exam."""


def open_to_students(lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    """The lessons that students have of those that are given: the exams alone if there are any among them."""
    return tuple(lesson for lesson in lessons if lesson.is_exam) or tuple(lessons)
