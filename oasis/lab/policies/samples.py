"""Many plays of each theorem, moves drawn by their probabilities: how many it takes, and pass@k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from curricula.lemma import Lemma
from oasis.ground.statistics import Floats
from oasis.lab.measure import Family, Measure, Trial, yes_or_no
from oasis.lab.policies.groups import Tried
from oasis.search.sampling import passes, tries
from tactics.errors import InputError


def attempts(trial: Trial) -> Floats:
    """Take the plays until the first proof, on average over all orders, or all of them; shape (lemmas,)."""
    plays, proofs = int(trial["plays"]), trial["proofs"]
    return np.asarray(np.where(proofs > 0, (plays + 1) / (proofs + 1), plays))


DRAWN: Final = Family(
    "drawn plays",
    "plays",
    (
        Measure(
            "attempts",
            "drawn plays until a theorem is proved, on average over their orders, or all of them",
            attempts,
            "less",
            tested=True,
            headline=True,
            least=1,
            digits=2,
            never=lambda trial: np.asarray(trial["proofs"] == 0),
        ),
        yes_or_no(
            "pass@k",
            "share that one of k plays proves",
            lambda trial: passes(trial["proofs"], int(trial["plays"]), trial["ks"]).T,
            better="more",
            x="ks",
            axis="k",
            by_point=True,
        ),
    ),
    across="lemmas",
)


@dataclass(kw_only=True)
class Samples(Tried[int]):
    """Plays of each lemma with chance of their own; it is kept how many of them prove it.

    The temperature of `choosing` is above 0; at 0 plays differ by lots among equal moves alone. The first play of each
    lemma has `seed`, the others have the next ones.

    Attributes:
        samples: plays of each lemma, at least 2.
        ks: the tries to tell of, each from 1 to `samples`; none for round numbers up to it.

    Raises InputError for a k beyond the samples.
    """

    family = DRAWN

    samples: int
    ks: Sequence[int] = ()

    def __post_init__(self) -> None:
        if any(k > self.samples for k in self.ks):
            typed = ",".join(map(str, self.ks))
            raise InputError(f"--k is {typed}; give numbers from 1 to the {self.samples} of --samples.")
        self.ks = tuple(sorted({*self.ks})) or tries(self.samples)

    def tried(self) -> Iterator[int]:
        """Play every lemma so many times; gives how many of its plays prove it."""
        plays = [self.played(seed) for seed in range(self.seed, self.seed + self.samples)]
        return (sum(play.proved for play in of_lemma) for of_lemma in zip(*plays, strict=True))

    def trial(self, lemmas: Sequence[Lemma]) -> Trial:
        """Return how many plays proved each lemma, how many there were, and the ks to tell of."""
        proofs = np.array([self.done[lemma] for lemma in lemmas])
        return {"proofs": proofs, "plays": np.array(self.samples), "ks": np.array(self.ks)}
