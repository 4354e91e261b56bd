"""What contrasts suggest be done to a library: maxims to add, to modify, to delete, or to merge.

There is no chance in it: the same contrasts give the same proposals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Final

from oasis.experience.contrast import Contrast
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim
from oasis.experience.scope import Scope
from oasis.experience.wording import worded

LEMMAS: Final = 2
"""Lemmas with a contrast that a maxim needs, unless somebody asks for another number."""
SURE: Final = 1.96
"""Standard errors that the logarithm of the odds is away from 0 for a contrast to count."""
_ALIKE: Final = log(2)
"""Odds that differ by less than a factor of 2 say the same."""


@dataclass(frozen=True)
class Proposal:
    """Something to be done to a library.

    Attributes:
        operation: `add`, `modify`, `delete` or `merge`, which modifies one maxim and deletes others.
        maxim: what is added or what one becomes; None for a deletion.
        gone: the numbers of those that are deleted.
        reason: in words.
        must_improve: whether the score has to rise for it, and not just not to fall.
    """

    operation: str
    maxim: Maxim | None
    gone: tuple[int, ...]
    reason: str
    must_improve: bool

    @property
    def about(self) -> frozenset[int]:
        """The numbers of the maxims that are there and that it changes."""
        return frozenset(self.gone) | ({self.maxim.id} if self.maxim is not None and self.maxim.id else frozenset())

    def applied(self, maxims: Mapping[int, Maxim]) -> dict[int, Maxim]:
        """The library as it would be; what is added has the number 0."""
        left = {number: maxim for number, maxim in maxims.items() if number not in self.gone}
        return left if self.maxim is None else {**left, self.maxim.id: self.maxim}


def repairs(maxims: Mapping[int, Maxim], contrasts: Mapping[Scope, Contrast]) -> list[Proposal]:
    """What is to be mended: maxims that say the same or contradict each other, and those that rollouts no longer bear.

    Of two maxims of one scope one is left, with the evidence of both. A maxim within a more general one of its rule
    that says the same with like odds is redundant; where they contradict, the special one is an exception and stays.
    All others are put to the test: one without which the score surely rises is deleted, whatever rollouts say.
    """
    found = _merged(maxims)
    left = {number: maxim for number, maxim in maxims.items() if not any(number in each.about for each in found)}
    for number, maxim in list(left.items()):
        proposal = _repair(maxim, left.values(), contrasts.get(maxim.scope))
        if proposal is None:
            proposal = Proposal("delete", None, (number,), "put to the test", True)
        elif proposal.gone:
            del left[number]
        found.append(proposal)
    return found


def _repair(maxim: Maxim, others: Iterable[Maxim], fresh: Contrast | None) -> Proposal | None:
    """What is to be done with one maxim; None if it is well as it is, or too little is known."""
    general = next((each for each in others if makes_redundant(each, maxim)), None)
    if general is not None:
        return Proposal("delete", None, (maxim.id,), f"maxim {general.id} says the same of more goals", False)
    if fresh is None or len(fresh.lemmas) < LEMMAS:
        return None
    if _category(fresh.evidence) != maxim.category or _deviation(fresh.evidence) < SURE:
        return Proposal("delete", None, (maxim.id,), f"rollouts do not bear it out: {_told(fresh)}", False)
    if abs(log(fresh.evidence.odds / maxim.evidence.odds)) > _ALIKE:
        content = worded(maxim.scope, prefer=maxim.category == PREFER)
        changed = replace(maxim, evidence=fresh.evidence, content=content)
        return Proposal("modify", changed, (), f"rollouts weigh it otherwise: {_told(fresh)}", True)
    return None


def additions(maxims: Mapping[int, Maxim], contrasts: Mapping[Scope, Contrast], *, most: int) -> list[Proposal]:
    """The surest maxims that are not there yet, the surest first; of equally sure ones the more general.

    None is proposed that would be redundant beside one that is there or is proposed before it, or more general than
    one of these with like odds.
    """
    there = list(maxims.values())
    found: list[Proposal] = []
    for scope, contrast in surest(contrasts):
        category = _category(contrast.evidence)
        content = worded(scope, prefer=category == PREFER)
        maxim = Maxim(0, content, category, scope, contrast.source, "", "", contrast.source, contrast.evidence)
        if any(makes_redundant(each, maxim) or makes_redundant(maxim, each) for each in there):
            continue
        if len(found) == most:
            break
        there.append(maxim)
        found.append(Proposal("add", maxim, (), _told(contrast), True))
    return found


def surest(contrasts: Mapping[Scope, Contrast]) -> list[tuple[Scope, Contrast]]:
    """The contrasts that count, of enough lemmas each, the surest first; of equally sure ones the more general."""
    sure = [
        (scope, each)
        for scope, each in contrasts.items()
        if len(each.lemmas) >= LEMMAS and _deviation(each.evidence) >= SURE
    ]
    return sorted(sure, key=lambda pair: (-round(_deviation(pair[1].evidence), 9), pair[0].depth, pair[0]))


def _merged(maxims: Mapping[int, Maxim]) -> list[Proposal]:
    """One maxim for all those of one scope."""
    found: list[Proposal] = []
    groups: dict[Scope, list[Maxim]] = {}
    for maxim in maxims.values():
        groups.setdefault(maxim.scope, []).append(maxim)
    for scope, (first, *others) in groups.items():
        if others:
            evidence = sum((each.evidence for each in others), first.evidence)
            category = _category(evidence)
            one = replace(first, evidence=evidence, category=category, content=worded(scope, prefer=category == PREFER))
            says = "say the same" if len({each.category for each in (first, *others)}) == 1 else "contradict each other"
            numbers = ", ".join(str(each.id) for each in (first, *others))
            found.append(Proposal("merge", one, tuple(each.id for each in others), f"maxims {numbers} {says}", False))
    return found


def makes_redundant(general: Maxim, special: Maxim) -> bool:
    """Whether a maxim is of the scope of another one or within it, and says the same with like odds."""
    if general is special or not general.scope.contains(special.scope):
        return False
    is_alike = abs(log(general.evidence.odds / special.evidence.odds)) < _ALIKE
    return general.scope == special.scope or (general.category == special.category and is_alike)


def _category(evidence: Evidence) -> str:
    return PREFER if evidence.helped >= evidence.hindered else AVOID


def _deviation(evidence: Evidence) -> float:
    """How many standard errors the logarithm of the odds is away from 0."""
    return abs(log(evidence.odds)) / sqrt(1 / (1 + evidence.helped) + 1 / (1 + evidence.hindered))


def _told(contrast: Contrast) -> str:
    helped, hindered = contrast.evidence
    return f"{helped:.1f} pairs for the move, {hindered:.1f} against, from {len(contrast.lemmas)} lemmas"
