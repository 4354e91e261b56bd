"""`python -m tests.student.compile_all` compiles each learner, before tests that run side by side would each do it."""

from curricula.library import thesis_lemma
from oasis.ground.names import LEARNERS
from oasis.play.states import States
from oasis.student.settings import Settings
from oasis.student.student import School, is_compiled


def load_learners(*, compiling: bool) -> None:
    """Load what is compiled and kept; with `compiling` everything, for which what is not kept is compiled."""
    formula = thesis_lemma("42").formula
    for settings in (Settings(learner=learner) for learner in LEARNERS):
        if compiling or is_compiled(settings):
            student = School(settings).student(0)
            student.practise(formula, 1)
            student.examine(formula, 1)
            student.worth(States(formula))
            student.value(formula)


if __name__ == "__main__":
    load_learners(compiling=True)
