"""What a student is asked to prove, and on which terms.

Plain values: where exercises come from is the business of lessons and of the course, and what a student makes of one is
an attempt (`oasis.classroom.proving.attempt`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import MAXYEAR, datetime
from typing import Any, Final

from curricula.lemma import Lemma
from oasis.teacher.hints import LEVELS
from tactics.errors import InputError, check_choice
from tactics.formula import Formula
from tactics.printer import show
from tactics.rules import RULES

POINTS: Final = 10
"""What an exercise is worth that was done without help."""
AGENT: Final = ("hidden", "asked", "shown")
"""What is seen of the agent's beliefs: nothing, what is asked for, everything."""
COURSE: Final = "course/"
"""How the places of the course begin; no lesson has such a name."""
SENT: Final = "sent/teacher"
"""The place of lemmas that a teacher sent to some students; no lesson has such a name."""
LISTED: Final = "listed"
MOVES: Final = ("point", "type", LISTED)
"""How much is offered for nothing: a move for a formula that is pointed at, what is typed alone, all that applies."""
LIST_COST: Final = 5
"""The points that the list of moves costs whoever asks for it where it is not offered for nothing."""
SLIPS: Final = 2
"""How many slips cost a point."""
CLAIM_COST: Final = 3
"""As how many hints it counts to say that there is no proof where there is one."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How an exercise is to be done; raises InputError for a value out of range.

    Attributes:
        rules: the rules that may be used, by name.
        hints: the highest level of a hint, of `oasis.teacher.hints.LEVELS`; 0 for none.
        hint_cost: the points that each hint costs, from 0 to `POINTS`.
        light: whether it is shown all the time if a move has lost the proof; that is what a hint of level 1 says.
        agent: one of `AGENT`.
        due: when it should be done, None if whenever; a time with a zone, from 1970 on, which every zone can tell.
        moves: one of `MOVES`; where moves are not listed, slips count.
    """

    rules: tuple[str, ...] = tuple(RULES)
    hints: int = LEVELS[-1]
    hint_cost: int = 1
    light: bool = True
    agent: str = "asked"
    due: datetime | None = None
    moves: str = MOVES[0]

    def __post_init__(self) -> None:
        if len(self.rules) > len(RULES) or len(set(self.rules)) < len(self.rules):
            raise InputError("A tactic is named twice; name each that may be used once.")
        for rule in self.rules:
            check_choice("A tactic", rule, RULES)
        if not self.rules:
            raise InputError("At least one tactic must be allowed; leave the list out to allow all twelve.")
        check_choice("hints", self.hints, (0, *LEVELS))
        check_choice("agent", self.agent, AGENT)
        check_choice("moves", self.moves, MOVES)
        if not 0 <= self.hint_cost <= POINTS:
            raise InputError(f"hint_cost is from 0 to {POINTS}, the points of an exercise, not {self.hint_cost!r:.20}.")
        if self.due is not None and not 1970 <= self.due.year < MAXYEAR:
            raise InputError(f"due is a time of our days, not {self.due}.")

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

    @property
    def has_hints(self) -> bool:
        """Whether there is a hint that says something."""
        return self.hints >= self.first_hint

    @property
    def lists_moves(self) -> bool:
        """Whether all moves that apply are offered for nothing."""
        return self.moves == LISTED

    def points(self, helped: int, slips: int = 0, *, listed: bool = False) -> int:
        """What an exercise is worth that was done with so much help and so many slips; never nothing.

        Args:
            helped: how much help was taken.
            slips: how many there were; of an odd number one costs nothing.
            listed: whether the list of moves was asked for.
        """
        lost = self.hint_cost * helped
        if not self.lists_moves:
            lost += LIST_COST * listed + slips // SLIPS
        return max(1, POINTS - lost)


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """Return terms as an attempt is kept with them."""
    return {**asdict(terms), "due": None if terms.due is None else terms.due.isoformat()}


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


def is_named(exercise: Exercise) -> bool:
    """Whether an exercise has a name that is more than its formula as it is printed."""
    return exercise.name.replace(" ", "") != show(exercise.formula).replace(" ", "")
