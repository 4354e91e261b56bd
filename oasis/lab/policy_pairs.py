"""Two policies on the same theorems: what only one of them proves, and whether that can be luck.

Shares with intervals of their own do not answer that: the same theorems are easy for both, so the difference is known
better than either share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from curricula.lemma import Lemma
from oasis.lab.policy_eval import Evaluation
from oasis.lab.statistics import Interval, difference


@dataclass(frozen=True)
class Paired:
    """What two policies proved of the theorems that both played.

    Attributes:
        theorems: their number, at least 2.
        both: how many both proved.
        only_one: how many only the first proved.
        only_other: how many only the second proved.
        more: how much larger the share is that the first proves, with Student's t interval of the differences theorem
            by theorem (`oasis.lab.statistics.difference`).
        p: how likely so uneven a split of what only one proves is if both are as good (McNemar 1947, exact binomial).
    """

    theorems: int
    both: int
    only_one: int
    only_other: int
    more: Interval
    p: float

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        return {**asdict(self), "more": self.more.to_json()}


def paired(one: Evaluation, other: Evaluation) -> dict[str, dict[str, Paired]]:
    """Compare two policies by parts and groups of one benchmark; no groups with less than 2 that both played."""
    ours, theirs = ({each.lemma: each.played.proved for each in found.theorems} for found in (one, other))
    parts = {
        part: {
            name: _paired([(ours[lemma], theirs[lemma]) for lemma in _of_both(group, ours, theirs)])
            for name, group in groups.items()
        }
        for part, groups in one.benchmark.parts.items()
    }
    return {part: {name: each for name, each in groups.items() if each is not None} for part, groups in parts.items()}


def paired_to_json(one: Evaluation, other: Evaluation) -> dict[str, Any]:
    """Return the form of all of that which `--json` prints."""
    parts = paired(one, other).items()
    return {part: {name: each.to_json() for name, each in groups.items()} for part, groups in parts}


def mcnemar(only_one: int, only_other: int) -> float:
    """The two-sided p of McNemar's test (1947), exact: each theorem that only one proves is a toss of a coin."""
    from scipy.special import bdtr

    tosses = only_one + only_other
    return min(1.0, 2 * float(bdtr(min(only_one, only_other), tosses, 0.5))) if tosses else 1.0


def _of_both(group: Iterable[Lemma], *played: dict[Lemma, bool]) -> list[Lemma]:
    return [lemma for lemma in group if all(lemma in each for each in played)]


def _paired(outcomes: list[tuple[bool, bool]]) -> Paired | None:
    if len(outcomes) < 2:
        return None
    ours, theirs = np.array(outcomes, bool).T
    only_one, only_other = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    more = difference(ours.astype(np.float64), theirs.astype(np.float64), span=1)
    return Paired(len(outcomes), int((ours & theirs).sum()), only_one, only_other, more, mcnemar(only_one, only_other))
