"""What the numbers of `oasis.lab.comparison.summary` say, in sentences that say no more than was measured.

“More” is said only where the interval of the difference leaves out 0, and intervals of differences are so wide that
all of an experiment hold together; of a value that it is the true one, only that its interval contains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isinf
from typing import Final, NamedTuple

import numpy as np

from oasis.lab.comparison.summary import Comparison, Gain, Pair, Summary
from oasis.lab.statistics import Interval, unseen
from oasis.lab.students.trial import Trial
from oasis.lab.students.truth import Truth, attainable, remarks
from oasis.lab.words import bounds, conjunction, named, rounded, significant, with_interval

ENOUGH: Final = 10
"""Students of each kind; with fewer a report says what they cannot show."""


def conclusions(comparison: Comparison, trials: Mapping[str, Trial]) -> list[str]:
    """The sentences: who did more, what was learned, what an order or experience was worth, what is not known."""
    return [
        *_few(len(comparison.plan.seeds)),
        *_ahead(comparison),
        *_disagreements(comparison),
        *_greedy(comparison),
        *_values(comparison, trials),
        *map(_gain, comparison.orders),
        *map(_gain, comparison.experience),
        *remarks([summary.truths for summary in comparison.summaries]),
    ]


def _few(students: int) -> Iterator[str]:
    """What so few students cannot show."""
    if students < ENOUGH:
        median = "" if students > 5 else ", and the interval of a median, which takes 6 students, leaves out nothing"
        yield (
            f"{students} students of each kind are few: intervals rest on their numbers being spread like a bell, "
            f"which so few cannot show; what none of them did up to {100 * unseen(students):.0f} % of such students "
            f"may do{median}. Take --seeds {ENOUGH} or more."
        )


def _ahead(comparison: Comparison) -> Iterator[str]:
    """The variants with the largest share of proofs, and from which others they can be told."""
    shares = {summary.variant.name: float(summary.proofs.value) for summary in comparison.summaries}
    if not any(shares.values()):
        yield _nothing(comparison)
        return
    if len(shares) < 2:
        return
    lead = leaders(shares, {(pair.one, pair.other): pair.proofs for pair in comparison.pairs})
    several = len(lead.names) > 1
    its, proves = ("their", "prove") if several else ("its", "proves")
    average = "on average over the lemmas" if comparison.curriculum else "on average"
    said = f"{lead.subject} {proves} the largest share of {its} episodes, {average} {lead.share}{lead.than}."
    yield f"{said} {_measured(comparison, several=len(lead.gains) > 1)}"
    if lead.alike:
        yield f"{lead.nor_told} by these students."


def _measured(comparison: Comparison, *, several: bool) -> str:
    """What a sentence about differences rests on, so that it can be quoted alone."""
    plan = comparison.plan
    together = "; the intervals of all differences hold together in 95 % of experiments" if several else ""
    return (
        f"These are {len(plan.seeds)} students of each kind, paired by their seeds, with {plan.episodes:,} episodes "
        f"each on {plan.name}{together}."
    )


def _disagreements(comparison: Comparison) -> Iterator[str]:
    """Pairs of variants of which one lemma shows the one ahead and another lemma the other, which a mean hides."""
    for pair in comparison.pairs:
        each = [of for of in comparison.lemma_pairs if (of.one, of.other) == (pair.one, pair.other)]
        for what, probability, told in _MEASURES:
            least, most = min(each, key=probability, default=pair), max(each, key=probability, default=pair)
            opposite = probability(least) < 0.5 < probability(most)
            if opposite and (told(least).sign or told(most).sign):
                shown = [
                    f"{probability(of):.2f}{'*' if told(of).sign else ''} on {named(of.lemma)}" for of in (least, most)
                ]
                yield (
                    f"Lemmas disagree on {named(pair.one)} against {named(pair.other)}: P(more), {what}, is "
                    f"{conjunction(shown)}, and {probability(pair):.2f} over all lemmas together, which says of "
                    "neither how it is."
                )


_MEASURES: Final[tuple[tuple[str, Callable[[Pair], float], Callable[[Pair], Interval]], ...]] = (
    ("proofs", lambda pair: pair.more, lambda pair: pair.proofs),
    ("shorter greedy proof", lambda pair: pair.shorter, lambda pair: pair.ranks),
)
"""What pairs are compared by: its name, the probability, and the interval that tells two variants apart."""


def _nothing(comparison: Comparison) -> str:
    """That there was no proof, and what may help."""
    kind = " of any kind" if len(comparison.summaries) > 1 else ""
    what = "easier lemmas" if comparison.curriculum else "an easier lemma"
    known = [each.shortest for summary in comparison.summaries for each in summary.truths if each.shortest is not None]
    if known:
        of = "among these" if comparison.curriculum else "of this one"
        shortest = f": the shortest proof {of} has {min(known)} actions"
    else:
        shortest = "; whether there is a proof at all says oasis decide"
    return f"No student{kind} proved anything. Give them more --episodes, or {what}{shortest}."


class Lead(NamedTuple):
    """Those with the largest share, and how far ahead of the others they are.

    Attributes:
        names: theirs.
        largest: the share.
        gains: by the names of others how much less they have, where the two are told apart.
        alike: the names of others from which they are not.
    """

    names: tuple[str, ...]
    largest: float
    gains: Mapping[str, Interval]
    alike: tuple[str, ...]

    @property
    def subject(self) -> str:
        """Their names, to begin a sentence."""
        return conjunction(map(named, self.names))

    @property
    def share(self) -> str:
        """The share in words."""
        shown = rounded(100 * self.largest)
        return f"{shown} %" if shown != "0.0" or not self.largest else "less than 0.1 %"

    @property
    def than(self) -> str:
        """How much more that is than others have, to end a sentence."""
        more = [
            f"{rounded(gain.scaled(100).value)} percentage points more than {named(name)} ({bounds(gain.scaled(100))})"
            for name, gain in self.gains.items()
        ]
        return f": {conjunction(more)}" if more else ""

    @property
    def nor_told(self) -> str:
        """From whom they are not told apart, to begin a sentence."""
        they = "They are" if len(self.names) > 1 else "It is"
        return f"{they} not told apart from {conjunction(map(named, self.alike))}"


def leaders(shares: Mapping[str, float], differences: Mapping[tuple[str, str], Interval]) -> Lead:
    """Who has the largest share.

    Args:
        shares: by name, at least one.
        differences: by a pair of names how much more the first has than the second; each pair in one order.
    """
    largest = max(shares.values())
    first, *equals = (name for name, share in shares.items() if share == largest)
    gains = {other: gain for (one, other), gain in differences.items() if one == first}
    gains |= {one: gain.scaled(-1) for (one, other), gain in differences.items() if other == first}
    others = [name for name in shares if name in gains and name not in equals]
    return Lead(
        (first, *equals),
        largest,
        {name: gains[name] for name in others if gains[name].sign > 0},
        tuple(name for name in others if gains[name].sign <= 0),
    )


def _greedy(comparison: Comparison) -> Iterator[str]:
    """What students know in the end; variants of which the same is to be said stand together."""
    said: dict[str, list[str]] = {}
    tell = _lemmas if comparison.curriculum else _length
    for summary in comparison.summaries:
        said.setdefault(tell(comparison, summary), []).append(summary.variant.name)
    for sentence, names in said.items():
        yield f"{conjunction(map(named, names))}: {sentence}"


def _length(comparison: Comparison, summary: Summary) -> str:
    """How many students know the lemma, and how long the median play is."""
    students = len(comparison.plan.seeds)
    (length,), (number,), (truth,) = summary.last_greedy, summary.knowing, summary.truths
    if not number:
        return f"in the end no student knows the lemma{_by_luck(comparison, summary)}."
    whose = "every student knows" if number == students else f"{number} of {students} students know"
    median = "" if isinf(length.value) else f", the median play having {length.value:g} actions"
    shortest = "" if truth.shortest is None else f"; the shortest proof has {truth.shortest}"
    return f"in the end {whose} the lemma, as every play of the exam proves it{median}{shortest}."


def _by_luck(comparison: Comparison, summary: Summary) -> str:
    """How many prove more than half of the plays without knowing the lemma."""
    (number,) = summary.with_proof
    if not number:
        return ""
    whose = "all" if number == len(comparison.plan.seeds) else f"{number} of {len(comparison.plan.seeds)}"
    return f": none proves it in every play of the exam, though {whose} in more than half of the plays"


def _lemmas(comparison: Comparison, summary: Summary) -> str:
    """How many students know which lemmas, most students first."""
    students = len(comparison.plan.seeds)
    lemmas: dict[int, list[str]] = {}
    for lemma, number in zip(comparison.plan.lemmas, summary.knowing, strict=True):
        lemmas.setdefault(number, []).append(named(lemma.name))
    if list(lemmas) == [0]:
        return "in the end no student knows any of the lemmas."
    who = {students: "every student knows", 0: "none knows"}
    parts = [
        f"{who.get(number, f'{number} of {students} know')} {conjunction(lemmas[number])}"
        for number in sorted(lemmas, reverse=True)
    ]
    return f"in the end {'; '.join(parts)}."


def _values(comparison: Comparison, trials: Mapping[str, Trial]) -> Iterator[str]:
    """What students believe in the end, beside the truth; on a curriculum tables say it."""
    if comparison.curriculum:
        return
    for summary in comparison.summaries:
        (truth,), (believed,) = summary.truths, summary.last_value
        name, settings = named(summary.variant.name), summary.variant.settings
        if truth.value is None:
            continue
        exact = f"{_named(truth)}, which is {significant(truth.value)}"
        if np.all(trials[summary.variant.name].value[:, -1] == settings.initial_value):
            yield (
                f"{name}: no student has learned yet what the lemma is worth; all believe what they began with, "
                f"{significant(settings.initial_value)}, and not {exact}. No first move looks better to them than an "
                "untried one."
            )
            continue
        low, high = attainable(settings)
        last = trials[summary.variant.name].value[:, -1]
        rounding = 1e-9 * (high - low)
        if outside := int(((last < low - rounding) | (last > high + rounding)).any(axis=-1).sum()):
            yield (
                f"{name}: {outside} of {len(comparison.plan.seeds)} students believe in the end that the lemma is "
                f"worth less than {significant(low)} or more than {significant(high)}, which no return can be with "
                "this reward and γ; the learner has a fault, or its step size is too large."
            )
            continue
        if believed.contains(truth.value):
            verdict = "an interval that contains"
        elif significant(truth.value) in (significant(float(believed.low)), significant(float(believed.high))):
            verdict = "which as far as three digits tell may be"
        else:
            verdict = "more than" if truth.value < believed.low else "less than"
        yield f"{name}: in the end the lemma is believed to be worth {with_interval(believed)}, {verdict} {exact}."


def _named(truth: Truth) -> str:
    """A true value as it stands in a sentence."""
    return truth.name.replace("ε-soft", "the best ε-soft policy's value")


def _gain(gain: Gain) -> str:
    """Say what an order or experience was worth."""
    return (
        f"{named(gain.one)} against {named(gain.other)}, student by student: proofs in {_difference(gain.proofs)} of "
        f"the episodes, on average over the lemmas; in the end in {_difference(gain.solved)} of the greedy plays."
    )


def _difference(share: Interval) -> str:
    points = share.scaled(100)
    if not share.sign:
        return f"the same share as far as these students show ({bounds(points)} percentage points)"
    more = "more" if share.sign > 0 else "less"
    return f"{rounded(abs(points.value))} percentage points {more} ({bounds(points)})"
