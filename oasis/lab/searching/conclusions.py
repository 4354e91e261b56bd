"""What the numbers of `oasis.lab.searching.summary` say, in sentences that say no more than was measured."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from oasis.lab.comparison.conclusions import ENOUGH, leaders
from oasis.lab.searching.summary import Comparison
from oasis.lab.words import conjunction, listed, named


def conclusions(comparison: Comparison) -> list[str]:
    """The sentences: who solved more, needed less and found the shortest proofs, who gave up, what nobody solved."""
    parts = (_few, _ahead, _fewer, _shortest, _stopped, _unsolved)
    return [sentence for part in parts for sentence in part(comparison)]


def _few(comparison: Comparison) -> Iterator[str]:
    plan = comparison.plan
    if len(plan.lemmas) == 1:
        if len(plan.seeds) < ENOUGH:
            yield f"{len(plan.seeds)} searches of each kind are few; take --seeds {ENOUGH} or more."
    elif len(plan.lemmas) < ENOUGH:
        yield f"{len(plan.lemmas)} lemmas are few to say what others like them would show; take {ENOUGH} or more."


def _ahead(comparison: Comparison) -> Iterator[str]:
    """The searches with the largest share of solved lemmas, and from which others they can be told."""
    shares = {summary.variant.name: float(summary.solved.value) for summary in comparison.summaries}
    if len(shares) < 2:
        return
    if not any(shares.values()):
        yield "Nothing was solved by any search."
        return
    lead = leaders(shares, {(pair.one, pair.other): pair.solved for pair in comparison.pairs})
    several = len(lead.names) > 1
    of = "of the lemmas" if len(comparison.plan.lemmas) > 1 else "of its seeds"
    yield f"{lead.subject} {'solve' if several else 'solves'} the largest share {of}, {lead.share}{lead.than}."
    if lead.alike:
        yield f"{lead.nor_told} by these lemmas and seeds."


def _fewer(comparison: Comparison) -> Iterator[str]:
    """The search that needs the fewest expansions, and from which others it can be told."""
    typical = {summary.variant.name: float(summary.expansions.value) for summary in comparison.summaries}
    first = min(typical, key=lambda name: typical[name])
    if len(typical) < 2 or isinf(typical[first]) or list(typical.values()).count(typical[first]) > 1:
        return
    told = [pair.other for pair in comparison.pairs if pair.one == first and pair.ranks.sign > 0]
    told += [pair.one for pair in comparison.pairs if pair.other == first and pair.ranks.sign < 0]
    fewer = f", and is told apart from {conjunction(map(named, told))} by that" if told else ""
    yield f"{named(first)} solves the median lemma in the fewest expansions, {typical[first]:,.0f}{fewer}."


def _shortest(comparison: Comparison) -> Iterator[str]:
    always = [
        summary.variant.name
        for summary in comparison.summaries
        if summary.shortest[1] and summary.shortest[0] == summary.shortest[1]
    ]
    if always:
        yield f"Every proof by {conjunction(map(named, always))} is a shortest one, where a shortest one is known."


def _stopped(comparison: Comparison) -> Iterator[str]:
    for summary in comparison.summaries:
        for reason, names in summary.stopped.items():
            yield f"{named(summary.variant.name)} stops before the budget is used up, as {reason}: {listed(names)}."


def _unsolved(comparison: Comparison) -> Iterator[str]:
    if comparison.unsolved:
        yield f"Solved by nobody: {listed(comparison.unsolved)}."
