"""Compile each learner once, before tests side by side would each do it: python -m tests.student.compile_all."""

from __future__ import annotations

from curricula.library import thesis_lemma
from oasis.student.learners import LEARNERS
from oasis.student.school import School
from oasis.student.settings import Settings


def compile_all() -> None:
    """Compile them, or read what is kept of an earlier time."""
    formula = thesis_lemma("42").formula
    for learner in LEARNERS:
        student = School(Settings(learner=learner)).student(0)
        student.practise(formula, 1)
        student.examine(formula, 1)
        student.value(formula)


if __name__ == "__main__":
    compile_all()
