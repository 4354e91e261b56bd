"""The words of this room: a problem, a lemma, a curriculum.

Plain values without behaviour. Where they come from is the business of the other modules, and whether a lemma holds is
decided elsewhere: a status is what the source of the lemma says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypedDict

from tactics.errors import printable
from tactics.formula import Formula, Implies, nested
from tactics.printer import COQ, show

LONGEST_NAME: Final = 1000
"""Characters in the name of a lemma; a lemma that was typed has its text for a name, which may be longer."""
_BRACKETED: Final = replace(COQ, brackets_all=True)


class Status(StrEnum):
    """Whether a lemma holds in intuitionistic logic."""

    THEOREM = "theorem"
    NON_THEOREM = "non-theorem"


def chain(axioms: Iterable[Formula], conjecture: Formula) -> Formula:
    """The formula `axiom1 -> axiom2 -> ... -> conjecture`."""
    return nested(Implies, [*axioms, conjecture])


def lemma_name(text: str) -> str:
    """The name of a lemma that somebody has typed or a file has given: one printable line, never too long."""
    line = printable(" ".join(text.split()))
    half = (LONGEST_NAME - 3) // 2
    return line if len(line) <= LONGEST_NAME else f"{line[:half]} … {line[-half:]}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Axioms and the conjecture that is to follow from them, as the problem libraries state it."""

    axioms: tuple[Formula, ...]
    conjecture: Formula

    @property
    def formula(self) -> Formula:
        """The problem as one closed formula: `axiom1 -> axiom2 -> ... -> conjecture`."""
        return chain(self.axioms, self.conjecture)


class Reading(TypedDict, total=False):
    """How JSON tells a lemma whose text others read otherwise: with all brackets, and why."""

    reading: str
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class Lemma:
    """A named formula to prove.

    Attributes:
        name: what to call it, one printable line, unique in its curriculum; the names that this room gives lead back
            to the same lemma.
        formula: the closed formula, with the axioms of a problem as premises.
        status: whether it holds; None when that is not known.
        source: who stated it, or the file and line it was read from.
        level: the n of a family, at least 1; None outside the families.
        shortest: number of moves in its shortest proof from the closed goal; None when there is no proof or the number
            is not known.
        remarks: what should be known of how its text was read, a sentence each.
    """

    name: str
    formula: Formula
    status: Status | None
    source: str
    level: int | None = None
    shortest: int | None = None
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self.name}: {self.formula!r}"

    @property
    def reading(self) -> Reading:
        """For JSON the formula with all brackets, and remarks; nothing if nobody reads the lemma's text otherwise."""
        return {"reading": show(self.formula, _BRACKETED), "remarks": list(self.remarks)} if self.remarks else {}

    def to_json(self) -> dict[str, Any]:
        """Return how JSON names it: `lemma`, its `formula`, and what there is to say of how it was read."""
        return {"lemma": self.name, "formula": show(self.formula, quantified=True), **self.reading}

    @property
    def placed_remarks(self) -> tuple[str, ...]:
        """The remarks with the place that the lemma was read from, if it was not typed."""
        return self.remarks if self.source == "typed" else tuple(f"{self.source}: {each}" for each in self.remarks)


@dataclass(frozen=True, slots=True)
class Curriculum:
    """A named sequence of lemmas, in the order in which they should be learned; never empty.

    Attributes:
        name: what to call it.
        description: what it is, in a few words.
        lemmas: in their order.
        remarks: what should be known of it, a sentence each, such as what was passed over in a file.
    """

    name: str
    description: str
    lemmas: tuple[Lemma, ...]
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self.name}: {self.description}, {len(self.lemmas):,} lemmas"

    def __iter__(self) -> Iterator[Lemma]:
        """Yield the lemmas in their order."""
        return iter(self.lemmas)

    def __len__(self) -> int:
        return len(self.lemmas)

    @property
    def reading(self) -> tuple[str, ...]:
        """What should be known of how it was read, and each of its lemmas, a sentence each."""
        return (*self.remarks, *(remark for lemma in self.lemmas for remark in lemma.placed_remarks))
