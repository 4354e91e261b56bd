"""What is measured of students of several rewards: when they are reliable, what they prove in the end, how short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from oasis.lab.comparison.curves import first_success
from oasis.lab.statistics import Floats
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from oasis.teacher.exact.values import shortest_proof

RELIABLE: Final = 0.9
"""The share of plays in an exam from which on a student is reliable."""


class Measures(NamedTuple):
    """Of students of one kind, each on lemmas of its own; every array has shape (seeds, lemmas).

    Attributes:
        episodes: after how many the student was reliable at an exam for the first time; infinity where it never was.
        limit: how many there were.
        plays: the share of plays in the last exam that prove the lemma.
        length: the moves of the median play of that exam as a multiple of the shortest proof's; NaN where that play
            proves nothing, or where the shortest proof is not known.
        success: the share of plays that prove the lemma, the mean over all exams.
    """

    episodes: Floats
    limit: Floats
    plays: Floats
    length: Floats
    success: Floats

    @property
    def waited(self) -> Floats:
        """`episodes`, but all that there were where the student never was reliable: the restricted time.

        Its mean is finite whatever was never reached (Royston and Parmar 2013).
        """
        return np.minimum(self.episodes, self.limit)


def shortest(plans: Mapping[str, Plan]) -> dict[str, int | None]:
    """By the name of a part the moves of its lemma's shortest proof, None where that is not known."""
    return {part: shortest_proof(plan.lemmas[0]) for part, plan in plans.items()}


def measured(plan: Plan, trial: Trial, shortest: int | None) -> Measures:
    """Of the students of a kind on the one lemma of a plan.

    Args:
        plan: whose exams.
        trial: of all seeds, side by side.
        shortest: moves of the shortest proof, if known.
    """
    shares = trial.share[..., 0]  # (seeds, checkpoints)
    at = np.append(np.asarray(plan.checkpoints, np.float64), np.inf)
    first = first_success(shares >= RELIABLE)
    place = np.where(np.isfinite(first), first - 1, len(plan.checkpoints)).astype(np.int64)
    greedy = trial.greedy[:, -1, 0]
    length = np.where(greedy > 0, greedy, np.nan) / (np.nan if shortest is None else shortest)
    columns = (at[place], np.full(len(shares), float(plan.episodes)), shares[:, -1], length, shares.mean(axis=1))
    return Measures(*(column[:, None] for column in columns))


def side_by_side(parts: Sequence[Measures]) -> Measures:
    """The measures of several lemmas together."""
    return Measures(*(np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True)))


def all_measured(
    plans: Mapping[str, Plan], trials: Mapping[str, Mapping[str, Trial]], known: Mapping[str, int | None]
) -> dict[str, Measures]:
    """By the name of a variant the measures of its students.

    Args:
        plans: by part, of one lemma each, all with the same variants and seeds.
        trials: by part and variant.
        known: by part the moves of the shortest proof.
    """
    names = [variant.name for variant in next(iter(plans.values())).variants]
    return {
        name: side_by_side([measured(plan, trials[part][name], known[part]) for part, plan in plans.items()])
        for name in names
    }


def mean_of_lemmas(values: Floats) -> Floats:
    """The mean over the lemmas of each student, of those numbers that are there; NaN without any; shape (seeds,)."""
    there = ~np.isnan(values)
    sums = np.where(there, values, 0.0).sum(axis=1)
    return np.where(there.any(axis=1), sums / np.maximum(1, there.sum(axis=1)), np.nan)
