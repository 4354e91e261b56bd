"""What a language model is asked about maxims, and what of its answer can be put to the test.

The question shows the maxims as they are, attempts at lemmas that ended well beside some that did not, and counts; the
answer is JSON that adds, modifies and deletes. Whatever is malformed in it is left out with a sentence that says why,
so no answer does any harm. Nothing of a model is known here, and nothing is accepted here (`distilling`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, NamedTuple

from oasis.experience.contrast import Contrasts, Rollouts
from oasis.experience.maxims import CATEGORIES, MOST_WORDS, PREFER, Entry, Maxim, believed, content_of, fold
from oasis.experience.proposals import Proposal, makes_redundant, surest
from oasis.experience.scope import CONDITIONS, Scope
from oasis.experience.wording import told_rule
from tactics.errors import InputError, check_choice, printable
from tactics.printer import brief
from tactics.rules import RULES
from tactics.script import show_script

MOST: Final = 12
"""Operations of an answer that are looked at."""
TOKENS: Final = 1024
"""That an answer has at most; so many operations take half of it."""
_SHOWN_LEMMAS: Final = 4
_SHOWN_MAXIMS: Final = 40
_SHOWN_COUNTS: Final = 10
_SHOWN_MOVES: Final = 40
_LONGEST: Final = 100_000
"""Characters of an answer that are read."""
_TRIED: Final = 50
"""Braces at which the answer may begin."""

Model = Callable[[str], str]
"""What answers a question, in text."""


@dataclass(frozen=True)
class Advice:
    """What came of asking.

    Attributes:
        proposals: that can be put to the test.
        refused: for each part of the answer that cannot, a sentence that says why.
    """

    proposals: tuple[Proposal, ...]
    refused: tuple[str, ...]


def asked(model: Model, maxims: Mapping[int, Maxim], rollouts: Sequence[Rollouts], contrasts: Contrasts) -> Advice:
    """Ask a model what is to be done with the maxims, and read its answer."""
    source = next((each.name for each in _telling(rollouts)), rollouts[0].name)
    return read(model(question(maxims, rollouts, contrasts)), maxims, contrasts, source)


# The question.


def question(maxims: Mapping[int, Maxim], rollouts: Sequence[Rollouts], contrasts: Contrasts) -> str:
    """All that a model is told. It is bounded, whatever there is to be told."""
    rules = "\n".join(f"- {rule}: {told_rule(rule)}" for rule in RULES)
    there = "\n".join(f"- {each.id}: {each.content} {_placed(each.scope, each.category)}" for each in maxims.values())
    attempts = "\n\n".join(
        f"{each.name}: {each.formula}\n  ended in a proof: {each.good}\n  did not: {each.bad}"
        for each in _telling(rollouts)[:_SHOWN_LEMMAS]
    )
    counts = "\n".join(
        f"- {json.dumps(scope.to_json())}: {helped:.1f} pairs for it, {hindered:.1f} against"
        for scope, (helped, hindered) in ((scope, each.evidence) for scope, each in surest(contrasts)[:_SHOWN_COUNTS])
    )
    return _QUESTION.format(
        rules=rules,
        maxims=_lines(there, _SHOWN_MAXIMS),
        attempts=attempts or "None of them tells anything: all went alike.",
        counts=counts or "None.",
        conditions=", ".join(CONDITIONS),
        words=MOST_WORDS,
        most=MOST,
    )


def _placed(scope: Scope, category: str) -> str:
    return f"({category} {json.dumps(scope.to_json())})"


def _lines(text: str, most: int) -> str:
    lines = text.splitlines()
    return "\n".join(lines[:most]) + (f"\n(and {len(lines) - most} more)" if len(lines) > most else "") or "None yet."


def _telling(rollouts: Sequence[Rollouts]) -> list[_Telling]:
    """Lemmas that some plays proved and others did not, those of which half the plays did first, with one of each."""
    found = []
    for name, formula, plays in rollouts:
        good, bad = ([play for play in plays if play.proved is wanted] for wanted in (True, False))
        if good and bad:
            pair = (min(good, key=lambda play: len(play.script)), min(bad, key=lambda play: len(play.script)))
            one, other = (show_script(play.script[:_SHOWN_MOVES]) for play in pair)
            found.append(_Telling(abs(len(good) - len(bad)) / len(plays), name, brief(formula), one, other))
    return sorted(found, key=lambda each: each.lopsided)


class _Telling(NamedTuple):
    """A lemma whose plays differ: how unequally, and the shortest play that proved it and that did not."""

    lopsided: float
    name: str
    formula: str
    good: str
    bad: str


_QUESTION: Final = """\
Somebody proves lemmas of intuitionistic propositional logic with these tactics:
{rules}

They keep a few maxims: sentences that say where a tactic should come first, or should wait. A maxim is a guess. It may
be wrong, and then it is better narrowed or struck; few that help are better than many. What a maxim says is made of its
category and its scope.

The maxims now, each with its number:
{maxims}

Attempts at the same lemma that ended differently:
{attempts}

Counted over all lemmas, a pair being two attempts at one lemma of which one made the move there, the other did not, and
exactly one ended in a proof:
{counts}

What is to be done with the maxims? Answer with one JSON object such as
{{"operations": [
  {{"action": "add", "category": "avoid", "remark": "…", "reason": "…",
   "scope": {{"conclusion": "or", "hypothesis": "any", "rule": "left", "also": ["out of reach"]}}}},
  {{"action": "modify", "id": 3, "scope": {{…}}, "reason": "…"}},
  {{"action": "delete", "id": 4, "reason": "…"}}
]}}
The category is prefer (the move comes first) or avoid (it waits). A shape in a scope is any, and, or, implies, atom or
false, or one of and, or, implies with the kinds of its sides, as in or(atom,implies); the hypothesis may also be "left
side" or "right side", which is a hypothesis equal to that side of the conclusion. The rule may be "can lose" or "cannot
lose", with any hypothesis. also has at most two of {conditions}. A remark is free, of at most {words} words, and may be
left out. At most {most} operations; an empty list if nothing is to be done."""


# The answer.


def read(text: str, maxims: Mapping[int, Maxim], contrasts: Contrasts, source: str) -> Advice:
    """What of an answer can be put to the test.

    Args:
        text: the answer, whatever it is.
        maxims: as they are.
        contrasts: what rollouts say, which is the evidence of what is added.
        source: the lemma where that comes from of which no rollout says anything.
    """
    operations = _operations(text[:_LONGEST])
    if operations is None:
        return Advice((), ("The answer has no JSON object with a list of operations.",))
    reader = _Reader(maxims, contrasts, source)
    for operation in operations[:MOST]:
        reader.take(operation)
    if len(operations) > MOST:
        reader.refused.append(f"There are {len(operations)} operations, of which {MOST} were looked at.")
    return Advice(tuple(reader.proposals), tuple(reader.refused))


def _operations(text: str) -> list[Any] | None:
    """The list of operations in the first object that has one."""
    decoder = json.JSONDecoder()
    for brace in islice(re.finditer(r"\{", text), _TRIED):
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found.get("operations"), list):
            return list(found["operations"])
    return None


class _Reader:
    """Takes one operation after the other, and sees that no two are about the same."""

    def __init__(self, maxims: Mapping[int, Maxim], contrasts: Contrasts, source: str) -> None:
        self._maxims, self._contrasts, self._source = maxims, contrasts, source
        self.proposals: list[Proposal] = []
        self.refused: list[str] = []

    def take(self, operation: object) -> None:
        """Turn an operation into a proposal, or say why it is none."""
        try:
            self.proposals.append(self._proposal(operation if isinstance(operation, dict) else {}))
        except InputError as error:
            self.refused.append(printable(str(error)))

    def _proposal(self, operation: Mapping[str, Any]) -> Proposal:
        ways = {"add": self._add, "modify": self._modify, "delete": self._delete}
        check_choice("The action", action := operation.get("action"), ways)
        return ways[str(action)](operation, f"a language model: {_line(operation.get('reason'), 'reason')}")

    def _delete(self, operation: Mapping[str, Any], reason: str) -> Proposal:
        there = self._there(operation)
        return Proposal("delete", None, (there.id,), reason, there.source)

    def _modify(self, operation: Mapping[str, Any], reason: str) -> Proposal:
        before = self._there(operation)
        after = self._made(operation, before)
        if content_of(after) == content_of(before):
            raise InputError(f"Maxim {before.id} would be what it is.")
        self._check_alone(after, {before.id})
        return Proposal("modify", after, (), reason, self._source, must_improve=True)

    def _add(self, operation: Mapping[str, Any], reason: str) -> Proposal:
        made = self._made(operation, None)
        against = [
            each for each in self._maxims.values() if each.scope == made.scope and each.category != made.category
        ]
        if against and not self._is_dealt_with(against[0].id):
            after = replace(against[0], evidence=made.evidence, remark=made.remark)
            self._check_alone(after, {each.id for each in against})
            reason = f"{reason} (it contradicts maxim {after.id})"
            return Proposal("modify", after, (), reason, self._source, must_improve=True)
        self._check_alone(made, set())
        return Proposal("add", made, (), reason, made.source, must_improve=True)

    def _there(self, operation: Mapping[str, Any]) -> Maxim:
        """The maxim that an operation is about."""
        number = operation.get("id")
        number = int(number) if isinstance(number, str) and number.isdecimal() and len(number) < 10 else number
        if type(number) is not int or number not in self._maxims:
            raise InputError(f"There is no maxim {str(number)[:20]}.")
        if self._is_dealt_with(number):
            raise InputError(f"There is an operation on maxim {number} already.")
        return self._maxims[number]

    def _is_dealt_with(self, number: int) -> bool:
        return any(number in each.about for each in self.proposals)

    def _made(self, told: Mapping[str, Any], before: Maxim | None) -> Maxim:
        """A maxim of a scope and category, with the evidence that there is for both, or else what somebody believes.

        What is not told is as it was before.
        """
        scope = told.get("scope", None if before is None else before.scope.to_json())
        category = told.get("category", None if before is None else before.category)
        check_choice("The category", category, CATEGORIES)
        remark = _line(told["remark"], "remark") if told.get("remark") else "" if before is None else before.remark
        shown = {"scope": scope, "evidence": [*believed(str(category))], "source": self._source, "remark": remark}
        (made,) = fold([Entry.read(Entry("add", 1, "now", self._source, self._source, shown)._asdict())]).values()
        fresh = self._contrasts[made.scope]
        if fresh.lemmas:
            counted = replace(made, evidence=fresh.evidence)
            made = counted if counted.category == category else made
            made = replace(made, source=fresh.speaking(helps=category == PREFER))
        if before is None:
            return replace(made, id=0, created="", updated="", modified_by=made.source)
        is_same = (before.scope, before.category) == (made.scope, category)
        return replace(before, scope=made.scope, evidence=before.evidence if is_same else made.evidence, remark=remark)

    def _check_alone(self, made: Maxim, instead: set[int]) -> None:
        """Raise InputError if a maxim would say what another one says, or contradict another proposal."""
        for other in self._maxims.values():
            if other.id not in instead and not self._is_dealt_with(other.id) and makes_redundant(other, made):
                raise InputError(f"Maxim {other.id} is about that already.")
        for other in [each.maxim for each in self.proposals if each.maxim is not None]:
            if other.scope == made.scope and other.category != made.category:
                raise InputError(f"The answer contradicts itself about {made.scope.rule}.")
            if makes_redundant(other, made):
                raise InputError(f"The answer says the same of {made.scope.rule} twice.")


def _line(text: object, name: str) -> str:
    """A text of a model's in one line. Raises InputError if there is none."""
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"The {name} is missing.")
    return printable(" ".join(text[:1000].split()))
