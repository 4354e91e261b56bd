"""Where students come from: those of one school share what is the same for all of them, and nothing that they learn."""

from __future__ import annotations

from dataclasses import replace

from oasis.student.actions import ACTION_SPACES
from oasis.student.compiled.jit import is_kept
from oasis.student.compiled.learners import LEARNERS
from oasis.student.compiled.student import CompiledStudent
from oasis.student.compiled.world import World
from oasis.student.settings import Settings
from oasis.student.student import Student
from state_spaces import STATE_SPACES


class School:
    """Students with the same settings, each with a seed of its own, who share a graph of states.

    The first student of each learner waits some seconds until it is compiled for this machine.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._world = World(
            STATE_SPACES[settings.state_space](),
            ACTION_SPACES[settings.actions],
            by_goal=settings.learner == "and-or-q",
        )

    @staticmethod
    def is_compiled(settings: Settings) -> bool:
        """Whether students with these settings were compiled on this machine before."""
        return is_kept(LEARNERS[settings.learner])

    def student(self, seed: int) -> Student:
        """A student who knows nothing yet."""
        return CompiledStudent(replace(self.settings, seed=seed), self._world)
