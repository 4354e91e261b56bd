"""What the numbers of `oasis.lab.comparison.summary` say, in sentences that say no more than was measured.

“More” is said only where the interval of the difference, taken between students of the same seed, leaves out 0; of a
value that it is the true one, only that its interval contains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isinf

import numpy as np

from oasis.lab.comparison.summary import Comparison, Order, Summary, proof_shares
from oasis.lab.comparison.truth import Truth, remarks
from oasis.lab.plan import Trial
from oasis.lab.statistics import Interval, paired_difference
from oasis.lab.words import bounds, conjunction, rounded, significant, with_interval


def conclusions(comparison: Comparison, trials: Mapping[str, Trial]) -> list[str]:
    """The sentences: who did more, what was learned in the end, what an order was worth, what is not known."""
    return [
        *_ahead(comparison, trials),
        *_greedy(comparison),
        *_values(comparison, trials),
        *map(_order, comparison.orders),
        *remarks([summary.truths for summary in comparison.summaries]),
    ]


def _ahead(comparison: Comparison, trials: Mapping[str, Trial]) -> Iterator[str]:
    """The variant with the largest share of proofs, and from which others it can be told."""
    if len(comparison.summaries) < 2:
        return
    shares = {name: 100 * proof_shares(comparison.plan, trial).mean(axis=1) for name, trial in trials.items()}
    first = max(shares, key=lambda name: float(shares[name].mean()))
    more, alike = [], []
    for name in (summary.variant.name for summary in comparison.summaries if summary.variant.name != first):
        gain = paired_difference(shares[first], shares[name])
        if gain.sign > 0:
            more.append(f"{rounded(gain.value)} percentage points more than {name} ({bounds(gain)})")
        else:
            alike.append(name)
    whose = "its episodes on each lemma" if comparison.curriculum else "its episodes"
    than = f": {conjunction(more)}" if more else ""
    yield f"{first} proves the largest share of {whose}, on average {rounded(shares[first].mean())} %{than}."
    if alike:
        yield f"It is not told apart from {conjunction(alike)} by these students."


def _greedy(comparison: Comparison) -> Iterator[str]:
    """What the greedy policies prove in the end; variants of which the same is to be said stand together."""
    said: dict[str, list[str]] = {}
    tell = _lemmas if comparison.curriculum else _length
    for summary in comparison.summaries:
        said.setdefault(tell(comparison, summary), []).append(summary.variant.name)
    for sentence, names in said.items():
        yield f"{conjunction(names)}: {sentence}"


def _length(comparison: Comparison, summary: Summary) -> str:
    """How many students have a greedy proof, and how long it is."""
    students = len(comparison.plan.seeds)
    (length,), (number,), (truth,) = summary.last_greedy, summary.with_proof, summary.truths
    if not number:
        return "in the end no student has a greedy proof."
    whose = "every student has" if number == students else f"{number} of {students} students have"
    median = "" if isinf(length.value) else f", the median being {length.value:g} actions"
    shortest = "" if truth.shortest is None else f"; the shortest has {truth.shortest}"
    return f"in the end {whose} a greedy proof{median}{shortest}."


def _lemmas(comparison: Comparison, summary: Summary) -> str:
    """Of which lemmas every student has a greedy proof, and of which none has."""
    proofs = {lemma.name: number for lemma, number in zip(comparison.plan.lemmas, summary.with_proof, strict=True)}
    by_all = [name for name, number in proofs.items() if number == len(comparison.plan.seeds)]
    by_none = [name for name, number in proofs.items() if not number]
    none = f", and none has one of {conjunction(by_none)}" if by_none else ""
    return f"in the end every student has a greedy proof of {conjunction(by_all) if by_all else 'no lemma'}{none}."


def _values(comparison: Comparison, trials: Mapping[str, Trial]) -> Iterator[str]:
    """What students believe in the end, beside the truth; on a curriculum tables say it."""
    if comparison.curriculum:
        return
    for summary in comparison.summaries:
        (truth,), (believed,) = summary.truths, summary.last_value
        name, settings = summary.variant.name, summary.variant.settings
        if truth.value is None:
            continue
        exact = f"{_named(truth)}, which is {significant(truth.value)}"
        if np.all(trials[name].value[:, -1] == settings.initial_value):
            yield (
                f"{name}: no student has learned yet what the lemma is worth; all believe what they began with, "
                f"{significant(settings.initial_value)}, and not {exact}. No first move looks better to them than an "
                "untried one."
            )
            continue
        if believed.contains(truth.value):
            verdict = "an interval that contains"
        else:
            verdict = "more than" if truth.value < believed.low else "less than"
        yield f"{name}: in the end the lemma is believed to be worth {with_interval(believed)}, {verdict} {exact}."


def _named(truth: Truth) -> str:
    """A true value as it stands in a sentence."""
    return truth.name.replace("ε-soft", "the best ε-soft policy's value")


def _order(order: Order) -> str:
    """Say what an order was worth against another."""
    return (
        f"{order.one} against {order.other}, student by student: proofs in {_difference(order.proofs)} of the episodes "
        f"on each lemma; in the end greedy proofs of {_difference(order.solved)} of the lemmas."
    )


def _difference(share: Interval) -> str:
    points = Interval(*(100 * bound for bound in share))
    if share.low == share.high == 0:
        return "exactly the same share"
    if not share.sign:
        return f"the same share as far as these students show ({bounds(points)} percentage points)"
    more = "more" if share.sign > 0 else "less"
    return f"{rounded(abs(points.value))} percentage points {more} ({bounds(points)})"
