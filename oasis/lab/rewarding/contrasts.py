"""What students of several rewards come to, and how they differ: seed by seed, and corrected for how much is compared.

A pure function of measures. How each number is made is said once, in `DEFINITIONS`; what the numbers say in words is
elsewhere (`oasis.lab.rewarding.verdict`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from oasis.lab.rewarding.ablation import Compared
from oasis.lab.rewarding.measures import RELIABLE, Measures, mean_of_lemmas
from oasis.lab.statistics import (
    Floats,
    Interval,
    difference,
    holm,
    mean_interval,
    median_interval,
    paired_p,
    share_interval,
)
from oasis.lab.words import INTERVALS

MEASURES: Final = ("episodes", "plays", "length")
"""What is compared."""
DEFINITIONS: Final = {
    "interval": INTERVALS,
    "reliable": f"at an exam at least {RELIABLE:.0%} of the plays of the greedy policy, ties by lot, prove the lemma.",
    "episodes": "on a lemma until the student was reliable for the first time, as exams tell, or all there were if it "
    "never was (restricted time); mean over lemmas, then over students.",
    "median": "the same without a limit, “never” where that is so for the median student on the median lemma.",
    "reached": "share of lemmas on which a student was reliable at some exam; mean over students.",
    "plays": "share of the plays in the last exam that prove the lemma; mean over lemmas, then over students.",
    "length": "moves of the median play of the last exam as a multiple of the shortest proof's, on lemmas where that "
    "play is a proof; mean over these, then over students. Differences are of lemmas where both have one.",
    "difference": "mean of the differences between students of the same seed, with Student's t interval, each for "
    "itself; p by random signs of the differences (Fisher), multiplied after Holm for all comparisons of a measure, "
    "so that any below 0.05 happens in at most 5 % of experiments in which no reward matters. An asterisk marks these.",
    "seeds": "students differ in their chance alone, and the lemmas are these: what holds of other lemmas is not said.",
}


@dataclass(frozen=True)
class Outcome:
    """What the students of one variant came to; see `DEFINITIONS`."""

    variant: str
    episodes: Interval
    median: Interval
    reached: Interval
    plays: Interval
    length: Interval | None


@dataclass(frozen=True)
class Difference:
    """How much more of a measure ours has.

    Attributes:
        interval: of the mean difference.
        p: of the test, not corrected.
        holm: the same, corrected.
    """

    interval: Interval
    p: float
    holm: float

    @property
    def is_told(self) -> bool:
        """Whether the two are told apart."""
        return self.holm < 0.05


@dataclass(frozen=True)
class Contrast:
    """How two variants differ.

    Attributes:
        compared: which.
        differences: by the names in `MEASURES`; without what cannot be compared.
        same: whether every student of the one did what its like of the other did, as far as is measured.
    """

    compared: Compared
    differences: Mapping[str, Difference]
    same: bool


def outcomes(found: Mapping[str, Measures]) -> list[Outcome]:
    """What each variant came to."""
    return [_outcome(name, measures) for name, measures in found.items()]


def contrasts(found: Mapping[str, Measures], chosen: Sequence[Compared]) -> list[Contrast]:
    """How the variants that are to be compared differ, corrected for all of these comparisons."""
    differences: list[dict[str, Difference]] = [{} for _ in chosen]
    for measure in MEASURES:
        pairs = {
            place: pair
            for place, each in enumerate(chosen)
            if len((pair := _pairs(measure, found[each.ours], found[each.theirs]))[0]) > 1
        }
        # Students without a proof are missing from some comparisons of lengths, so each is tested by itself.
        p_values = np.array([paired_p((ours - theirs)[:, None])[0] for ours, theirs in pairs.values()])
        for (place, (ours, theirs)), p, corrected in zip(pairs.items(), p_values, holm(p_values), strict=True):
            span = {"plays": 1.0, "episodes": float(found[chosen[place].ours].limit.max())}.get(measure, np.inf)
            interval = difference(ours, theirs, span=span)
            differences[place][measure] = Difference(interval, float(p), float(corrected))
    return [
        Contrast(each, differences[place], _are_same(found[each.ours], found[each.theirs]))
        for place, each in enumerate(chosen)
    ]


def _outcome(name: str, measures: Measures) -> Outcome:
    length = mean_of_lemmas(measures.length)
    length = length[~np.isnan(length)]
    return Outcome(
        name,
        mean_interval(measures.waited.mean(axis=1), least=0, most=float(measures.limit.max())),
        median_interval(np.median(measures.episodes, axis=1), least=1),
        share_interval(np.isfinite(measures.episodes).mean(axis=1)),
        share_interval(measures.plays.mean(axis=1)),
        mean_interval(length, least=1) if len(length) > 1 else None,
    )


def _pairs(measure: str, ours: Measures, theirs: Measures) -> tuple[Floats, Floats]:
    """A number for each seed of the one and of the other, for the seeds that have both."""
    if measure == "episodes":
        return ours.waited.mean(axis=1), theirs.waited.mean(axis=1)
    if measure == "plays":
        return ours.plays.mean(axis=1), theirs.plays.mean(axis=1)
    missing = np.isnan(ours.length) | np.isnan(theirs.length)
    one, other = (mean_of_lemmas(np.where(missing, np.nan, each.length)) for each in (ours, theirs))
    there = ~np.isnan(one)
    return one[there], other[there]


def _are_same(ours: Measures, theirs: Measures) -> bool:
    return all(np.array_equal(one, other, equal_nan=True) for one, other in zip(ours, theirs, strict=True))


def to_json(found: Sequence[Outcome], compared: Sequence[Contrast]) -> dict[str, Any]:
    """All of it."""
    return {
        "variants": [
            {name: value.to_json() if isinstance(value, Interval) else value for name, value in vars(each).items()}
            for each in found
        ],
        "contrasts": [
            {
                **each.compared._asdict(),
                "same": each.same,
                **{
                    measure: {**one.interval.to_json(), "p": one.p, "holm": one.holm}
                    for measure, one in each.differences.items()
                },
            }
            for each in compared
        ],
        "definitions": DEFINITIONS,
    }
