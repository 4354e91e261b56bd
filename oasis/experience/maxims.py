"""What a maxim is, what is done to maxims, and the library as the fold of everything that was done.

What a maxim says follows from its scope and its evidence, as does what it does, so they cannot differ. Beside it may
stand a remark, in words that no policy follows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite, log
from typing import Any, Final, NamedTuple

from oasis.experience.scope import Scope
from oasis.experience.wording import worded
from tactics.errors import InputError, check_choice, printable

MOST_WORDS: Final = 32
"""In what a maxim says, and in a remark."""
PREFER: Final = "prefer"
"""The category of maxims that have a move made first."""
AVOID: Final = "avoid"
"""The category of maxims that have a move wait."""
CATEGORIES: Final = (PREFER, AVOID)
OPEN: Final = "open"
"""The category of maxims whose evidence speaks neither way."""
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
        scope: where it applies.
        evidence: for making the move, and against.
        source: the lemma that it was first learned from.
        created: when, as ISO 8601 has it.
        updated: when it was last changed.
        modified_by: the lemma that made it change last, or the person who changed it.
        remark: what its author says beside it, in at most 32 words; empty for nothing.
    """

    id: int
    scope: Scope
    evidence: Evidence
    source: str
    created: str
    updated: str
    modified_by: str
    remark: str = ""

    @property
    def category(self) -> str:
        """`prefer` if making the move is good, `avoid` if it is bad; `open` if the evidence speaks neither way."""
        helped, hindered = self.evidence
        return PREFER if helped > hindered else AVOID if helped < hindered else OPEN

    @property
    def content(self) -> str:
        """What it says, in at most 32 words."""
        return worded(self.scope, self.category)

    @property
    def strength(self) -> float:
        """How much its evidence speaks for what it says: the logarithm of the odds, at least 0."""
        return abs(log(self.evidence.odds))

    def described(self) -> str:
        """Say where it applies, and what speaks for it."""
        (conclusion, hypothesis, rule, also), (helped, hindered) = self.scope, self.evidence
        more = "".join(f", and it {condition}" for condition in also)
        return (
            f"{self.category} {rule} where the conclusion is {conclusion} and the hypothesis {hypothesis}{more}; "
            f"{helped:.1f} for the move and {hindered:.1f} against it in pairs of rollouts, or as somebody believes, "
            f"odds {self.evidence.odds:.2g}; learned from {self.source}, last modified by {self.modified_by}."
        )

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "id": self.id,
            "content": self.content,
            "category": self.category,
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
        by: the lemma that made somebody do it, or the person who did it by hand.
        reason: why.
        content: of the maxim from now on (`content_of`); nothing of this where it is deleted. Beside it may stand a
            `score`: the held-out score without maxims, before the change, and after it.
    """

    operation: str
    maxim: int
    at: str
    by: str
    reason: str
    content: Mapping[str, Any]

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Entry:
        """A line as JSON has it, also as it was written when words stood for themselves. Raises InputError."""
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
            entry = entry._replace(content=_derived(entry.content))
            _read(entry)
        return entry

    @property
    def told(self) -> str:
        """What the maxim says from now on; empty where it is deleted."""
        return "" if self.operation == "delete" else _read(self).content

    @property
    def score(self) -> tuple[float, float, float] | None:
        """The held-out score without maxims, before the change, and after it; None if none was taken."""
        found = self.content.get("score")
        if not (isinstance(found, list) and len(found) == 3 and all(map(_is_count, found))):
            return None
        without, before, after = map(float, found)
        return without, before, after

    def to_json(self) -> dict[str, Any]:
        """All of it, with what the maxim says."""
        return {**self._asdict(), "content": {"content": self.told, **self.content} if self.told else self.content}


def content_of(maxim: Maxim) -> dict[str, Any]:
    """What a line of the journal says of a maxim."""
    return {
        "scope": maxim.scope.to_json(),
        "source": maxim.source,
        "evidence": [*maxim.evidence],
        "remark": maxim.remark,
    }


def fold(entries: Iterable[Entry]) -> dict[int, Maxim]:
    """The maxims that there are after all these lines, as `folded` has them. Raises InputError likewise."""
    *_, library = {}, *folded(entries)
    return library


def folded(entries: Iterable[Entry]) -> Iterator[dict[int, Maxim]]:
    """Yield after each line the maxims that there are, by their numbers, in the order in which they were added.

    It is the same dictionary each time. Raises InputError for a line that cannot follow those before it.
    """
    library: dict[int, Maxim] = {}
    given: set[int] = set()
    for entry in entries:
        if entry.operation == "add":
            if entry.maxim in given:
                raise InputError(f"Maxim {entry.maxim} was there before, and no number is given twice.")
            library[entry.maxim] = _read(entry)
            given.add(entry.maxim)
        else:
            check_there(library, given, entry.maxim)
            before = library[entry.maxim]
            if entry.operation == "delete":
                del library[entry.maxim]
            else:
                library[entry.maxim] = replace(_read(entry), created=before.created, source=before.source)
        yield library


def check_there(library: Mapping[int, Maxim], given: Collection[int], number: int) -> None:
    """Raise InputError if a library has no maxim of this number."""
    if number not in library:
        gone = "was deleted" if number in given else "is not there"
        raise InputError(f"Maxim {number} {gone}; see `oasis experience history`.")


def _derived(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a line says, where what the maxim says is derived; words that stood for themselves become a remark.

    A maxim did nothing then if its evidence spoke against its words, so it keeps none. Raises InputError.
    """
    if "remark" in told:
        return told
    check_choice("The category", category := told.get("category"), CATEGORIES)
    _check_text("content", words := told.get("content"))
    scope, evidence = _scope(told), _evidence(told)
    is_contradicted = (evidence.helped - evidence.hindered) * (1 if category == PREFER else -1) < 0
    counts = [0.0, 0.0] if is_contradicted else [*evidence]
    remark = "" if words == worded(scope, str(category)) else words
    return {"scope": scope.to_json(), "source": told.get("source"), "evidence": counts, "remark": remark}


def _read(entry: Entry) -> Maxim:
    """The maxim that a line adds or modifies. Raises InputError if it is none."""
    told = entry.content
    _check_text("source", told.get("source"))
    if told.get("remark") != "":
        _check_text("remark", told.get("remark"))
    scope, evidence, remark = _scope(told), _evidence(told), str(told["remark"])
    maxim = Maxim(entry.maxim, scope, evidence, told["source"], entry.at, entry.at, entry.by, remark)
    for name, text in (("maxim", maxim.content), ("remark", remark)):
        if (words := len(text.split())) > MOST_WORDS:
            raise InputError(f"A {name} has at most {MOST_WORDS} words, and this one has {words}; make it simpler.")
    return maxim


def _scope(told: Mapping[str, Any]) -> Scope:
    scope = told.get("scope")
    if not isinstance(scope, Mapping):
        raise InputError(f"The scope is {scope!r} and should have a conclusion, a hypothesis and a rule.")
    return Scope.read(scope.get("conclusion"), scope.get("hypothesis"), scope.get("rule"), scope.get("also", ()))


def _evidence(told: Mapping[str, Any]) -> Evidence:
    counts = told.get("evidence")
    if not (isinstance(counts, list) and len(counts) == 2 and all(map(_is_count, counts))):
        raise InputError(f"The evidence is {counts!r} and should be two numbers from 0 on.")
    return Evidence(*map(float, counts))


def _is_count(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) and value >= 0


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip() or printable(value) != value:
        raise InputError(f"The {name} is {value!r} and should be a line of text.")
