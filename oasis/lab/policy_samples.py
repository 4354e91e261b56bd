"""pass@k of a policy on a benchmark: each theorem is played many times, moves drawn by their probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma
from oasis.lab.passk import interval, tries
from oasis.lab.policy_eval import Benchmark
from oasis.lab.statistics import Interval
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Policy
from tactics.errors import InputError

_TOGETHER: Final = 100
"""Theorems that are played side by side, once for each sample; a policy that remembers answers is asked anew less."""


class Samples:
    """Plays of a benchmark with chance of their own; what was played so far counts.

    Args:
        policy: plays.
        benchmark: what is played.
        choosing: with a temperature above 0; at 0 plays differ by lots among equal moves alone.
        samples: plays of each theorem, at least 2.
        ks: the tries to tell of, each from 1 to `samples`; none for round numbers up to it.
        seed: of the first play of each theorem; the others have the next ones.
        max_moves: after which a play is given up.

    Raises InputError for numbers out of range.
    """

    def __init__(
        self,
        policy: Policy,
        benchmark: Benchmark,
        choosing: Choosing,
        *,
        samples: int,
        ks: Sequence[int] = (),
        seed: int,
        max_moves: int,
    ) -> None:
        if samples < 2:
            raise InputError(f"--samples is {samples}; take at least 2.")
        if not all(1 <= k <= samples for k in ks):
            raise InputError(f"--k is {','.join(map(str, ks))}; give numbers from 1 to the {samples} of --samples.")
        self.samples, self.ks = samples, tuple(sorted({*ks})) or tries(samples)
        self._policy, self._benchmark, self._choosing = policy, benchmark, choosing
        self._seed, self._max_moves = seed, max_moves
        self._proved: dict[Lemma, NDArray[np.bool_]] = {}

    @property
    def temperature(self) -> float:
        """At which moves are drawn."""
        return self._choosing.temperature

    def play(self) -> Iterator[int]:
        """Play every theorem; gives with how many that is done."""
        remaining = iter(self._benchmark.lemmas)
        while batch := list(islice(remaining, _TOGETHER)):
            formulas = [lemma.formula for lemma in batch]
            of_sample = []
            for seed in range(self._seed, self._seed + self.samples):
                plays = committed(self._policy, formulas, self._choosing, seed=seed, max_moves=self._max_moves)
                of_sample.append([play.proved for play in plays])
            self._proved |= zip(batch, np.array(of_sample).T, strict=True)
            yield len(self._proved)

    def passes(self, part: str) -> dict[str, dict[int, Interval]]:
        """pass@k without bias (Chen et al. 2021), for each group of a part and each k, as far as it was played."""
        found = {}
        for name, group in self._benchmark.parts.get(part, {}).items():
            played = [self._proved[lemma] for lemma in group if lemma in self._proved]
            if played:
                found[name] = {k: interval(np.column_stack(played), k) for k in self.ks}
        return found

    def to_json(self) -> dict[str, Any]:
        """The samples, their temperature, and pass@k by part, group and k."""
        parts = {
            part: {
                name: {str(k): each.to_json() for k, each in passes.items()}
                for name, passes in self.passes(part).items()
            }
            for part in self._benchmark.parts
        }
        return {"samples": self.samples, "temperature": self.temperature, **parts}
