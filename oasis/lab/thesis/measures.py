"""The numbers of a part: of each student its share of proofs, its actions and states, and averages over students."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oasis.lab.statistics import Floats, Interval, mean_interval, median_interval, share_interval
from oasis.lab.students.trial import Trial


@dataclass(frozen=True)
class Summary:
    """What the students of one variant came to in one part; means, but for `greedy`.

    Attributes:
        name: of the variant.
        proofs: share of the episodes that ended in a proof.
        first: the same of the first stretch of episodes (`stretch`).
        last: and of the last one.
        actions: in an episode.
        states: in memory at the end.
        greedy: actions in the greedy policy's proof at the end, the median student's, infinite if it has none; None
            where there are several lemmas.
    """

    name: str
    proofs: Interval
    first: Interval
    last: Interval
    actions: Interval
    states: Interval
    greedy: Interval | None

    def to_json(self) -> dict[str, Any]:
        """Of every average its value and the bounds of its interval; null for what is not there."""
        return {name: value.to_json() if isinstance(value, Interval) else value for name, value in vars(self).items()}


def summary(name: str, trial: Trial) -> Summary:
    """The averages of a variant's students."""
    return Summary(
        name,
        proofs=share_interval(share(trial)),
        first=share_interval(share(trial, first=True)),
        last=share_interval(share(trial, last=True)),
        actions=mean_interval(actions(trial), least=0),
        states=mean_interval(states(trial), least=0),
        greedy=median_interval(greedy_lengths(trial), least=1) if trial.greedy.shape[-1] == 1 else None,
    )


def stretch(episodes: int) -> int:
    """How many episodes stand for a beginning and for an end: a third of a few, a tenth of many."""
    return max(1, episodes // (3 if episodes < 100 else 10))


def share(trial: Trial, *, first: bool = False, last: bool = False) -> Floats:
    """For each student the share of episodes with a proof: of all, or of the first or the last stretch."""
    episodes = trial.proved.shape[1]
    length = stretch(episodes)
    begin, end = episodes - length if last else 0, length if first else episodes
    return np.asarray(trial.proved[:, begin:end].mean(axis=1))


def actions(trial: Trial) -> Floats:
    """For each student its actions in an episode."""
    return np.asarray(trial.steps.mean(axis=1))


def states(trial: Trial) -> Floats:
    """For each student the states in memory at the end."""
    return trial.states[:, -1].astype(np.float64)


def greedy_lengths(trial: Trial) -> Floats:
    """For each student the actions in the greedy policy's proof of the first lemma at the end; infinity for none."""
    return trial.greedy_lengths[:, -1, 0]
