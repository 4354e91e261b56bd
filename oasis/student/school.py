"""Where students come from: those of one school share what is the same for all of them, and nothing that they learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Final

from oasis.ground.names import LEARNERS, REWARDS
from oasis.student.learners import learner
from oasis.student.settings import Settings
from oasis.student.student import Student
from tactics.formula import Formula

_TRIED: Final = 2
"""Episodes in which a learner or a reward of somebody's own is tried."""


class School:
    """Students with the same settings, each with a seed of its own; compiled ones share a graph of states.

    Students are compiled where they can be (`why_plain`), and otherwise plain: the same numbers, a hundred times
    slower. The first compiled student of each learner waits until it is compiled for this machine: up to half a minute
    for the first learner, some seconds for each other.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._compiled = why_plain(settings) is None
        if self._compiled:
            from oasis.student.compiled.student import new_world

            self._world = new_world(settings)

    def student(self, seed: int) -> Student:
        """A student who knows nothing yet."""
        settings = replace(self.settings, seed=seed)
        if not self._compiled:
            from oasis.student.plain import PlainStudent

            return PlainStudent(settings)
        from oasis.student.compiled.student import CompiledStudent

        return CompiledStudent(settings, self._world)


def why_plain(settings: Settings) -> str | None:
    """Why students of these settings run in plain Python, as the end of a sentence; None if they run compiled."""
    if find_spec("numba") is None:
        return "numba is not installed"
    if learner(settings.learner).compiled is None:
        return f"{settings.learner} has no compiled form"
    if settings.backend != Settings.backend:
        return f"every move is made inside {settings.backend}"
    return None


def is_compiled(settings: Settings) -> bool:
    """Whether nobody has to wait until students of these settings are compiled."""
    if why_plain(settings) is not None:
        return True
    from oasis.student.compiled.jit import is_kept

    return is_kept(learner(settings.learner).generator())


def try_out(settings: Settings, formulas: Sequence[Formula]) -> None:
    """Have a learner or a reward that somebody brought along play, if there is one, so that others do not wait for it.

    Raises InputError if it fails.
    """
    if not LEARNERS.is_own(settings.learner) and not REWARDS.is_own(settings.reward):
        return
    from oasis.student.plain import PlainStudent

    student = PlainStudent(settings)
    for formula in formulas:
        student.practise(formula, _TRIED)
        student.examine(formula, plays=1)
