"""The search for a pool: lemmas that are as hard as a given one, and as large, found among its mutations."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from curricula import Lemma, resolve_lemma
from curricula.mutations import mutants
from oasis.classroom.lessons.drafting import lemma_toml, toml_text
from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.deciding.decide import MEMORY
from oasis.teacher.exact.difficulty import Difficulty, difficulty
from state_spaces import Name
from state_spaces.canonical import TooSymmetric
from state_spaces.name import formula_key
from tactics.errors import InputError
from tactics.formula import Formula, Implies
from tactics.goal import Move, initial
from tactics.printer import show
from tactics.rules import apply

_GOALS: Final = 20_000
"""That a lemma may lead to; one for an exam leads to some dozens or hundreds."""


@dataclass
class Found:
    """Lemmas that are equally hard, no two of them the same up to letters.

    Attributes:
        text: how the lemma was given for which others are looked for.
        lemma: what this is.
        difficulty: of it, and of the others.
        others: as far as they are found.
        tried: how many formulas were looked at.
        reached: which limit ended the search, empty if none did.
    """

    text: str
    lemma: Lemma
    difficulty: Difficulty
    others: list[Formula] = field(default_factory=list)
    tried: int = 0
    reached: str = ""

    def toml(self) -> str:
        """The lemma and the others as an exercise of a lesson with its pool."""
        name = self.lemma.name.rpartition("/")[2]
        stem = name if re.fullmatch(r"[\w.+'-]+", name) else "variant"
        pool = [lemma_toml(f"{stem}_{n}", Lemma("", formula, None, "")) for n, formula in enumerate(self.others, 2)]
        return "\n".join(
            [
                f"# Each has {self.difficulty.sentence()}.",
                "[[exercise]]",
                f"lemma = {toml_text(self.text)}",
                *(["theorem = false"] if self.difficulty.moves is None else []),
                "pool = [",
                *(f"  {lemma}," for lemma in pool),
                "]",
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            **self.lemma.to_json(),
            "difficulty": self.difficulty._asdict(),
            "pool": [show(formula, quantified=True) for formula in self.others],
            "tried": self.tried,
        }


def searching(text: str, number: int, seconds: float, seed: int = 0) -> Iterator[Found]:
    """Yield what is found as it grows, until there are so many lemmas with the given one, or the time is up.

    No two differ in nothing but letters and the order of premises.

    Raises InputError, also if it is not found out in time how hard the lemma itself is.
    """
    lemma, limit = resolve_lemma(text), Limit(seconds, MEMORY)
    try:
        found = Found(text, lemma, difficulty(lemma.formula, limit, max_goals=_GOALS))
    except LimitReached as reached:
        raise InputError(f"How hard {lemma.name} is was not found out: {reached}; take a smaller lemma.") from None
    yield found
    seen = {_premises_and_conclusion(lemma.formula)}
    for formula in mutants(lemma.formula, seed):
        if len(found.others) >= number - 1:
            return
        found.tried += 1
        try:
            limit.check()
        except LimitReached as reached:
            found.reached = str(reached)
            return
        key = _premises_and_conclusion(formula)
        if key not in seen and _difficulty(formula, limit) == found.difficulty:
            found.others.append(formula)
            yield found
        seen.add(key)


def _premises_and_conclusion(formula: Formula) -> tuple[Hashable, int]:
    """Equal for lemmas with the same premises, in whatever order, and the same conclusion, up to letters."""
    state, number = initial(formula), 0
    while isinstance(state[0].conclusion, Implies):
        state, number = apply(state, Move("intro")), number + 1
    try:
        return Name().view(state).key, number
    except TooSymmetric:
        return formula_key(formula), number


def _difficulty(formula: Formula, limit: Limit) -> Difficulty | None:
    """How hard a formula is; None if that is not found out."""
    try:
        return difficulty(formula, limit, max_goals=_GOALS)
    except LimitReached:
        return None
