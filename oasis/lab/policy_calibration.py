"""Whether a policy's values of goals are probabilities: held against the oracle on the goals that plays reach.

The goals are those that come into focus in the policy's own play of each theorem and in one play of random legal moves,
each once a theorem, whatever its hypotheses are called; some are provable and some are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from oasis.lab.policy_eval import LENGTHS, Evaluation
from oasis.neural.reached import labelled, random_plays, reached
from oasis.play.calibration import Calibration, calibration
from oasis.play.exam import SMALL, valued
from oasis.play.policy import Floats, Policy

SECONDS: Final = 10.0
"""For the oracle to decide the goals of a theorem; those that it does not are left out."""
_TOGETHER: Final = 100
"""Theorems about whose goals the policy is asked at once."""


class _Judged(NamedTuple):
    """What a policy said of the goals of a theorem, and the truth; shape (goals,)."""

    values: Floats
    provable: Floats


class Judgements:
    """A policy's values of the goals of an evaluation's plays; what was judged so far counts.

    Args:
        policy: judges.
        evaluation: whose theorems were played.
        seed: of the random plays.
        max_moves: in a random play.

    Attributes:
        undecided: goals that were left out, for the oracle did not decide them in `SECONDS`.

    Raises InputError if the policy has no values.
    """

    def __init__(self, policy: Policy, evaluation: Evaluation, *, seed: int, max_moves: int) -> None:
        valued(policy, SMALL)  # before anything is played
        self._policy, self._evaluation = policy, evaluation
        self._seed, self._max_moves = seed, max_moves
        self._judged: dict[Lemma, _Judged] = {}
        self.undecided = 0

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts of the benchmark, but for lengths: the goals of plays are of any."""
        return tuple(part for part in self._evaluation.benchmark.parts if part != LENGTHS)

    def judge(self) -> Iterator[int]:
        """Judge the goals of every theorem that was played; gives of how many theorems that is done."""
        theorems = self._evaluation.theorems
        by_lot = random_plays([each.lemma.formula for each in theorems], self._seed, self._max_moves)
        pairs = zip(theorems, by_lot, strict=True)
        while batch := list(islice(pairs, _TOGETHER)):
            goals = {}
            for (lemma, played), other in batch:
                found = reached(lemma.formula, (played.script, other))
                goals[lemma] = labelled(found, SECONDS)
                self.undecided += len(found) - len(goals[lemma])
            values = valued(self._policy, [goal for known in goals.values() for goal, _ in known])
            ends = np.cumsum([len(known) for known in goals.values()])
            for (lemma, known), of_lemma in zip(goals.items(), np.split(values, ends[:-1]), strict=True):
                self._judged[lemma] = _Judged(of_lemma, np.array([provable for _, provable in known], np.float64))
            yield len(self._judged)

    def calibrations(self, part: str) -> dict[str, Calibration]:
        """The calibration on the goals of each group of a part of the benchmark, as far as they were judged."""
        found = {}
        for name, group in self._evaluation.benchmark.parts.get(part, {}).items():
            judged = [self._judged[lemma] for lemma in group if lemma in self._judged]
            if judged:
                values, provable = (np.concatenate(each) for each in zip(*judged, strict=True))
                found[name] = calibration(values, provable)
        return found

    def to_json(self) -> dict[str, Any]:
        """The calibrations by part and group, and how many goals were left out."""
        parts = {part: {name: each.to_json() for name, each in self.calibrations(part).items()} for part in self.parts}
        return {**parts, "undecided": self.undecided}
