"""What a maxim is, what is done to maxims, and the library as the fold of everything that was done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite, log
from typing import Any, Final, NamedTuple

from oasis.experience.scope import Scope
from tactics.errors import InputError, check_choice, printable

MOST_WORDS: Final = 32
"""In the content of a maxim."""
PREFER: Final = "prefer"
"""The category of maxims that have a move made first."""
AVOID: Final = "avoid"
"""The category of maxims that have a move wait."""
CATEGORIES: Final = (PREFER, AVOID)
OPERATIONS: Final = ("add", "modify", "delete")
BELIEVED: Final = 4.0
"""Odds of a maxim for which no rollout speaks yet."""


class Evidence(NamedTuple):
    """Beta counts of pairs of rollouts of one lemma, of which one made the move, one made another, and one proved it.

    They are summed over lemmas as Mantel and Haenszel (1959) weigh them, so a lemma that everybody proves counts
    nothing, and `odds` is their common odds ratio, each count being 1 larger.

    Attributes:
        helped: pairs in which the one that made the move proved the lemma, at least 0.
        hindered: pairs in which the other one did.
    """

    helped: float
    hindered: float

    @property
    def odds(self) -> float:
        """Above 1 if making the move is good, below if making another one is."""
        return (1 + self.helped) / (1 + self.hindered)

    def __add__(self, other: object) -> Evidence:
        if not isinstance(other, Evidence):
            return NotImplemented
        return Evidence(self.helped + other.helped, self.hindered + other.hindered)


def believed(category: str, odds: float = BELIEVED) -> Evidence:
    """The evidence of a maxim that somebody believes in, as if so many pairs had spoken for it and none against.

    Args:
        category: of the maxim.
        odds: by how much its move is to be likelier, or less likely; at least 1.
    """
    return Evidence(odds - 1, 0) if category == PREFER else Evidence(0, odds - 1)


@dataclass(frozen=True)
class Maxim:
    """Something that was learned about where a move is good or bad, which may be wrong.

    Attributes:
        id: its number, which no other maxim ever gets.
        content: what it says, in at most 32 words.
        category: `prefer` or `avoid`.
        scope: where it applies.
        source: the lemma that it was first learned from.
        created: when, as ISO 8601 has it.
        updated: when it was last changed.
        modified_by: what made somebody change it last.
        evidence: for making the move, and against.
    """

    id: int
    content: str
    category: str
    scope: Scope
    source: str
    created: str
    updated: str
    modified_by: str
    evidence: Evidence

    @property
    def strength(self) -> float:
        """How much its evidence speaks for what it says: the logarithm of the odds; 0 if it speaks against it."""
        found = log(self.evidence.odds)
        return max(0.0, found if self.category == PREFER else -found)

    def described(self) -> str:
        """Say where it applies, and what speaks for it."""
        (conclusion, hypothesis, rule), (helped, hindered) = self.scope, self.evidence
        return (
            f"{self.category} {rule} where the conclusion is {conclusion} and the hypothesis {hypothesis}; "
            f"{helped:.1f} for the move and {hindered:.1f} against it in pairs of rollouts, or as somebody believes, "
            f"odds {self.evidence.odds:.2g}; learned from {self.source}, last modified by {self.modified_by}."
        )

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "id": self.id,
            **content_of(self),
            "created": self.created,
            "updated": self.updated,
            "modified_by": self.modified_by,
        }


class Entry(NamedTuple):
    """A line of the journal.

    Attributes:
        operation: one of `OPERATIONS`.
        maxim: its number.
        at: when, as ISO 8601 has it.
        by: what made somebody do it.
        reason: why.
        content: of the maxim from now on (`content_of`); empty where it is deleted.
    """

    operation: str
    maxim: int
    at: str
    by: str
    reason: str
    content: Mapping[str, Any]

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Entry:
        """A line as JSON has it. Raises InputError if it is none."""
        missing = [name for name in cls._fields if name not in row]
        if missing:
            raise InputError(f"A line of a journal needs {missing[0]}, which is not there.")
        entry = cls(*(row[name] for name in cls._fields))
        check_choice("The operation", entry.operation, OPERATIONS)
        for name in ("at", "by", "reason"):
            _check_text(name, row[name])
        if not isinstance(entry.maxim, int) or entry.maxim < 1:
            raise InputError(f"The number of a maxim is {entry.maxim!r} and should be a whole number from 1 on.")
        if not isinstance(entry.content, Mapping):
            raise InputError(f"The content is {entry.content!r} and should be an object.")
        if entry.operation != "delete":
            _read(entry)
        return entry


def content_of(maxim: Maxim) -> dict[str, Any]:
    """What a line of the journal says of a maxim."""
    return {
        "content": maxim.content,
        "category": maxim.category,
        "scope": maxim.scope._asdict(),
        "source": maxim.source,
        "evidence": [*maxim.evidence],
    }


def fold(entries: Iterable[Entry]) -> dict[int, Maxim]:
    """The maxims that there are after all these lines, by their numbers, in the order in which they were added.

    Raises InputError for a line that cannot follow those before it.
    """
    library: dict[int, Maxim] = {}
    given: set[int] = set()
    for entry in entries:
        step(library, given, entry)
    return library


def step(library: dict[int, Maxim], given: set[int], entry: Entry) -> None:
    """Do to a library what one more line says.

    Args:
        library: the maxims by their numbers.
        given: the numbers that were ever given.
        entry: the line.

    Raises InputError if it cannot be done; nothing is changed then.
    """
    if entry.operation == "add":
        if entry.maxim in given:
            raise InputError(f"Maxim {entry.maxim} was there before, and no number is given twice.")
        library[entry.maxim] = _read(entry)
        given.add(entry.maxim)
        return
    check_there(library, given, entry.maxim)
    if entry.operation == "delete":
        del library[entry.maxim]
    else:
        before = library[entry.maxim]
        library[entry.maxim] = replace(_read(entry), created=before.created, source=before.source)


def check_there(library: Mapping[int, Maxim], given: Collection[int], number: int) -> None:
    """Raise InputError if a library has no maxim of this number."""
    if number not in library:
        gone = "was deleted" if number in given else "is not there"
        raise InputError(f"Maxim {number} {gone}; see `oasis experience history`.")


def _read(entry: Entry) -> Maxim:
    """The maxim that a line adds or modifies. Raises InputError if it is none."""
    told = entry.content
    for name in ("content", "category", "source"):
        _check_text(name, told.get(name))
    words = len(told["content"].split())
    if words > MOST_WORDS:
        raise InputError(f"A maxim has at most {MOST_WORDS} words, and this one has {words}; make it shorter.")
    check_choice("The category", told["category"], CATEGORIES)
    scope, counts = told.get("scope"), told.get("evidence")
    if not isinstance(scope, Mapping):
        raise InputError(f"The scope is {scope!r} and should have a conclusion, a hypothesis and a rule.")
    numbers = isinstance(counts, list) and len(counts) == 2 and all(_is_count(each) for each in counts)
    if not numbers:
        raise InputError(f"The evidence is {counts!r} and should be two numbers from 0 on.")
    where = Scope.read(*(scope.get(name) for name in Scope._fields))
    return Maxim(
        entry.maxim,
        told["content"],
        told["category"],
        where,
        told["source"],
        entry.at,
        entry.at,
        entry.by,
        Evidence(*map(float, told["evidence"])),
    )


def _is_count(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) and value >= 0


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip() or printable(value) != value:
        raise InputError(f"The {name} is {value!r} and should be a line of text.")
