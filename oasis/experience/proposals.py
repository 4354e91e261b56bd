"""What contrasts suggest be done to a library: maxims to add, to modify, to delete.

To modify is to *narrow* a maxim, because an exception was met; to *widen* it, because it held next door as well; to
*merge* it with others; or to *weigh* it otherwise. The same contrasts give the same proposals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

from oasis.experience.contrast import Contrast, Contrasts, together
from oasis.experience.maxims import Maxim
from oasis.experience.scope import Scope, narrower, wider
from oasis.experience.wording import places_of

LEMMAS: Final = 4
"""Lemmas that a contrast needs to say anything; what fewer say is never sure."""
SURE: Final = 1.96
"""Standard errors that what lemmas say is away from 0 for a contrast to count."""
TESTED: Final = "put to the test"
_ALIKE: Final = log(2)
"""Odds that differ by less than a factor of 2 say the same."""


@dataclass(frozen=True)
class Proposal:
    """Something to be done to a library.

    Attributes:
        operation: `add`, `narrow`, `widen`, `merge`, `weigh` or `delete`.
        maxim: what is added or what one becomes; None for a deletion.
        gone: the numbers of those that are deleted.
        reason: in words.
        by: the lemma that makes somebody propose it; empty for the one in an exam for which it does most.
        must_improve: whether the score has to rise for it, and not just not to fall.
        beside: the numbers of others without which it makes no sense.
    """

    operation: str
    maxim: Maxim | None
    gone: tuple[int, ...]
    reason: str
    by: str = ""
    must_improve: bool = False
    beside: tuple[int, ...] = ()

    @property
    def about(self) -> frozenset[int]:
        """The numbers of the maxims that are there and that it changes."""
        return frozenset(self.gone) | ({self.maxim.id} if self.maxim is not None and self.maxim.id else frozenset())

    def applied(self, maxims: Mapping[int, Maxim]) -> dict[int, Maxim]:
        """The library as it would be; what is added has the number 0."""
        left = {number: maxim for number, maxim in maxims.items() if number not in self.gone}
        return left if self.maxim is None else {**left, self.maxim.id: self.maxim}


def repairs(maxims: Mapping[int, Maxim], contrasts: Contrasts) -> list[Proposal]:
    """What is to be mended: maxims that say the same, contradict each other, say too much or too little, or nothing.

    Of several proposals about one maxim the first that is accepted counts. A maxim within a more general one that says
    the same with like odds is redundant; where they contradict, the special one is an exception and stays. What
    rollouts do not bear out is narrowed if it holds somewhere, and else deleted. Last of all each is put to the test:
    one without which the score surely rises is deleted, whatever rollouts say.
    """
    found: list[Proposal] = []
    merged: set[int] = set()
    for maxim in maxims.values():
        same = [each for each in maxims.values() if each.scope == maxim.scope and each is not maxim]
        if same and maxim.id not in merged:
            merged.update(each.id for each in same)
            found.append(_merged(maxim, same, contrasts[maxim.scope]))
        elif not same:
            found += _repairs(maxim, [*maxims.values()], contrasts)
    return [*found, *(Proposal("delete", None, (each,), TESTED, must_improve=True) for each in maxims)]


def _repairs(maxim: Maxim, all_maxims: Sequence[Maxim], contrasts: Contrasts) -> Iterator[Proposal]:
    """What may be done with one maxim, which is the only one of its scope."""
    general = next((each for each in all_maxims if makes_redundant(each, maxim)), None)
    if general is not None:
        reason = f"redundant: maxim {general.id} says the same of more goals"
        yield Proposal("delete", None, (maxim.id,), reason, general.source, beside=(general.id,))
    fresh, sign = contrasts[maxim.scope], 1 if maxim.evidence.helped > maxim.evidence.hindered else -1
    if len(fresh.lemmas) < LEMMAS:
        return
    if (parted := _without_exception(maxim.scope, sign, contrasts)) is not None:
        exception, place = parted
        met = f"narrowed: an exception was met, where {_told_apart(exception, maxim.scope)}"
        by = contrasts[exception].speaking(helps=sign < 0)
        yield _moved("narrow", maxim, place, contrasts, f"{met}: {_told(contrasts[exception])}", by)
    if sign * fresh.sureness > 0 and (places := _next_door(maxim.scope, sign, contrasts)) is not None:
        place, door = places
        alike = (each for each in all_maxims if each is not maxim and each.category == maxim.category)
        gone = tuple(each.id for each in alike if place.contains(each.scope))
        operation = f"merged with {', '.join(map(str, gone))}" if gone else "widened"
        held = f"{operation}: it held next door, not only where {_told_apart(maxim.scope, place)}: {_told(door)}"
        by = door.speaking(helps=sign > 0)
        yield _moved("merge" if gone else "widen", maxim, place, contrasts, held, by, gone)
    if sign * fresh.sureness < SURE:
        says = "say the opposite" if -sign * fresh.sureness >= SURE else "do not bear it out"
        by = fresh.speaking(helps=sign < 0)
        yield Proposal("delete", None, (maxim.id,), f"rollouts {says}: {_told(fresh)}", by)
    elif abs(log(fresh.evidence.odds / maxim.evidence.odds)) > _ALIKE:
        reason, by = f"weighed: rollouts say {_told(fresh)}", fresh.speaking(helps=sign > 0)
        yield _moved("weigh", maxim, maxim.scope, contrasts, reason, by)


def _moved(
    operation: str,
    maxim: Maxim,
    place: Scope,
    contrasts: Contrasts,
    reason: str,
    by: str,
    gone: tuple[int, ...] = (),
) -> Proposal:
    """A maxim at another place, with the evidence that rollouts give for it there."""
    return Proposal(operation, replace(maxim, scope=place, evidence=contrasts[place].evidence), gone, reason, by)


def _merged(maxim: Maxim, same: Sequence[Maxim], fresh: Contrast) -> Proposal:
    """One maxim for all those of one scope: with the evidence of rollouts if these are sure, or else of all of them."""
    together = [maxim, *same]
    evidence = sum((each.evidence for each in same), start=maxim.evidence)
    if _is_sure(fresh, 1) or _is_sure(fresh, -1):
        evidence = fresh.evidence
    says = "say the same" if len({each.category for each in together}) == 1 else "contradict each other"
    reason = f"merged: maxims {', '.join(str(each.id) for each in together)} {says}"
    return Proposal("merge", replace(maxim, evidence=evidence), tuple(each.id for each in same), reason, maxim.source)


def _without_exception(scope: Scope, sign: int, contrasts: Contrasts) -> tuple[Scope, Scope] | None:
    """The surest place within a scope where rollouts say the opposite, and the surest beside it where they do not."""
    found = []
    for among in narrower(scope):
        exceptions = [each for each in among if _is_sure(contrasts[each], -sign)]
        left = [each for each in among if _is_sure(contrasts[each], sign)]
        if exceptions and left:
            found.append(tuple(max(each, key=lambda one: abs(contrasts[one].sureness)) for each in (exceptions, left)))
    best = max(found, key=lambda pair: sum(abs(contrasts[each].sureness) for each in pair), default=None)
    return None if best is None else (best[0], best[1])


def _next_door(scope: Scope, sign: int, contrasts: Contrasts) -> tuple[Scope, Contrast] | None:
    """A wider place where a maxim holds as well, without an exception, and what is said of it outside its scope."""
    found = []
    for place in wider(scope):
        beside = next((each for each in narrower(place) if scope in each), [])
        door = together(contrasts[each] for each in beside if each != scope)
        here, there = (contrasts[each].evidence.odds for each in (scope, place))
        is_held = _is_sure(door, sign) and _is_sure(contrasts[place], sign) and sign * log(there / here) > -_ALIKE
        if is_held and not _has_exception(place, sign, contrasts):
            found.append((place, door))
    return max(found, key=lambda pair: abs(pair[1].sureness), default=None)


def _has_exception(scope: Scope, sign: int, contrasts: Contrasts) -> bool:
    return any(_is_sure(contrasts[each], -sign) for among in narrower(scope) for each in among)


def additions(maxims: Mapping[int, Maxim], contrasts: Contrasts, *, most: int) -> list[Proposal]:
    """The surest maxims that are not there yet, the surest first; of equally sure ones the more general.

    None is proposed that would be redundant beside one that is there or is proposed before it, or more general than
    one of these with like odds.
    """
    there = list(maxims.values())
    found: list[Proposal] = []
    for scope, contrast in surest(contrasts):
        lemma = contrast.speaking(helps=contrast.sureness > 0)
        maxim = Maxim(0, scope, contrast.evidence, lemma, "", "", lemma)
        if any(makes_redundant(each, maxim) or makes_redundant(maxim, each) for each in there):
            continue
        if len(found) == most:
            break
        there.append(maxim)
        found.append(Proposal("add", maxim, (), _told(contrast), lemma, must_improve=True))
    return found


def surest(contrasts: Mapping[Scope, Contrast]) -> list[tuple[Scope, Contrast]]:
    """The contrasts that count, the surest first; of equally sure ones the more general."""
    sure = [(scope, each) for scope, each in contrasts.items() if _is_sure(each, 1) or _is_sure(each, -1)]
    return sorted(sure, key=lambda pair: (-round(abs(pair[1].sureness), 9), pair[0].depth, pair[0]))


def makes_redundant(general: Maxim, special: Maxim) -> bool:
    """Whether a maxim is of the scope of another one or within it, and says the same with like odds."""
    if general is special or not general.scope.contains(special.scope):
        return False
    is_alike = abs(log(general.evidence.odds / special.evidence.odds)) < _ALIKE
    return general.scope == special.scope or (general.category == special.category and is_alike)


def _is_sure(contrast: Contrast, sign: int) -> bool:
    """Whether lemmas say surely that a move helps (1) or hinders (-1), and pairs all together agree."""
    helped, hindered = contrast.evidence
    return len(contrast.lemmas) >= LEMMAS and sign * contrast.sureness >= SURE and sign * (helped - hindered) > 0


def _told_apart(place: Scope, within: Scope) -> str:
    """What is so at a place and not everywhere in another one."""
    if place.rule != within.rule:
        return f"the move is {place.rule}"
    return " and ".join(each for each in places_of(place) if each not in places_of(within))


def _told(contrast: Contrast) -> str:
    helped, hindered = contrast.evidence
    return f"{helped:.1f} pairs for the move, {hindered:.1f} against, from {len(contrast.lemmas)} lemmas"
