"""What a student is asked to prove, and on which terms.

Plain values: where exercises come from is the business of lessons and of the course, and what a student makes of one is
an attempt (`oasis.classroom.proving.attempt`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from curricula.lemma import Lemma
from oasis.teacher.hints import LEVELS
from tactics.errors import InputError, check_choice
from tactics.formula import Formula
from tactics.rules import RULES

POINTS: Final = 10
"""What an exercise is worth that was done without help."""
AGENT: Final = ("hidden", "asked", "shown")
"""What is seen of the agent's beliefs: nothing, what is asked for, everything."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How an exercise is to be done; raises InputError for a value out of range.

    Attributes:
        rules: the rules that may be used, by name.
        hints: the highest level of a hint, of `oasis.teacher.hints.LEVELS`; 0 for none.
        hint_cost: the points that each hint costs, at least 0.
        light: whether it is shown all the time if the lemma can still be proved; that is what a hint of level 1 says.
        agent: one of `AGENT`.
        due: when it should be done, None if whenever; a time with a zone.
    """

    rules: tuple[str, ...] = tuple(RULES)
    hints: int = LEVELS[-1]
    hint_cost: int = 1
    light: bool = True
    agent: str = "asked"
    due: datetime | None = None

    def __post_init__(self) -> None:
        for rule in self.rules:
            check_choice("A tactic", rule, RULES)
        if not self.rules:
            raise InputError("At least one tactic must be allowed; leave the list out to allow all twelve.")
        check_choice("hints", self.hints, (0, *LEVELS))
        check_choice("agent", self.agent, AGENT)
        if self.hint_cost < 0:
            raise InputError(f"hint_cost must be at least 0, not {self.hint_cost}.")

    @property
    def allows_all(self) -> bool:
        """Whether every rule may be used."""
        return set(self.rules) == set(RULES)

    @property
    def only(self) -> tuple[str, ...] | None:
        """The rules that may be used, None for all."""
        return None if self.allows_all else self.rules

    @property
    def first_hint(self) -> int:
        """The level of the first hint: what the light says is not said again."""
        return LEVELS[1] if self.light else LEVELS[0]

    def points(self, helped: int) -> int:
        """What an exercise is worth that was done with so much help; never nothing."""
        return max(1, POINTS - self.hint_cost * helped)


@dataclass(frozen=True)
class Exercise:
    """A lemma to prove.

    Attributes:
        name: of the lemma; the same for all students, whatever letters they have.
        formula: in the letters of this student.
        place: the lesson or the world that it belongs to; empty if none.
        terms: how it is to be done.
    """

    name: str
    formula: Formula
    place: str = ""
    terms: Terms = field(default_factory=Terms)

    @classmethod
    def of(cls, lemma: Lemma, place: str = "", terms: Terms | None = None) -> Exercise:
        """A lemma in its own letters."""
        return cls(lemma.name, lemma.formula, place, terms or Terms())
