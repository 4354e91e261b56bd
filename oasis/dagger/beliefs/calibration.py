"""Whether a belief means what it says: of the states that it gives 0.7, do seven in ten get proved?

Asked on lemmas that it was not fitted to, of the states in which the policy of the episodes had a move to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from oasis.dagger.beliefs.belief import Belief
from oasis.dagger.beliefs.registry import believed
from oasis.dagger.episodes import Episode
from oasis.splitmix import SplitMix64
from state_spaces import Name
from state_spaces.base import Key
from state_spaces.canonical import TooSymmetric
from tactics.formula import Formula
from tactics.goal import initial

BINS: Final = 10


class Bin(NamedTuple):
    """States whose probability is believed to lie in an interval.

    Attributes:
        least, most: its ends, the upper one excluded but for 1.
        states: how many there are, at least 1.
        believed: the mean of what is believed.
        happened: the share that was proved.
    """

    least: float
    most: float
    states: int
    believed: float
    happened: float


@dataclass(frozen=True)
class Calibration:
    """How what is believed compares with what happened.

    Attributes:
        states: how many.
        bins: the reliability curve; without those that are empty.
        ece: expected calibration error, the mean distance between believed and happened over the bins, each weighted by
            its states; in [0, 1] (Naeini, Cooper and Hauskrecht 2015). NaN without states.
        brier: the mean of (believed - happened)², in [0, 1] (Brier 1950). NaN without states.
        base: what the Brier score of the share of all these states that were proved would be, in [0, 1/4]; who is not
            below it has learned nothing that helps here. NaN without states.
    """

    states: int
    bins: tuple[Bin, ...]
    ece: float
    brier: float
    base: float

    def to_json(self) -> dict[str, Any]:
        """Its numbers; null without states."""
        numbers = {name: getattr(self, name) if self.states else None for name in ("ece", "brier", "base")}
        return {"states": self.states, **numbers, "bins": [each._asdict() for each in self.bins]}


def calibration(probabilities: ArrayLike, proved: ArrayLike, bins: int = BINS) -> Calibration:
    """The calibration of probabilities, given what happened; two arrays of shape (states,).

    The bins divide [0, 1] into parts of one width.
    """
    likely, happened = np.asarray(probabilities, dtype=np.float64), np.asarray(proved, dtype=np.float64)
    if not len(likely):
        return Calibration(0, (), np.nan, np.nan, np.nan)
    place = np.minimum((likely * bins).astype(np.int64), bins - 1)
    curve = tuple(
        Bin(each / bins, (each + 1) / bins, len(inside), float(likely[inside].mean()), float(happened[inside].mean()))
        for each in range(bins)
        if len(inside := np.flatnonzero(place == each))
    )
    ece = sum(each.states * abs(each.believed - each.happened) for each in curve) / len(likely)
    brier = float(((likely - happened) ** 2).mean())
    return Calibration(len(likely), curve, float(ece), brier, float(happened.var()))


def examined(belief: Belief, episodes: Iterable[Episode], bins: int = BINS) -> Calibration:
    """The calibration of a belief on episodes, with a state for each step. Raises InputError as `believed` does."""
    asked = [(step.before, episode.proved) for episode in episodes for step in episode.steps]
    states = list(dict.fromkeys(state for state, _ in asked))
    answers = dict(zip(states, believed(belief, states), strict=True))
    return calibration([answers[state] for state, _ in asked], [proved for _, proved in asked], bins)


def split(lemmas: Sequence[Formula], share: float, seed: int) -> tuple[list[Formula], list[Formula]]:
    """Divide lemmas by lot into those to fit to and those to examine on; what differs only in names stays together.

    Args:
        lemmas: in any order.
        share: of the different lemmas that are to examine on, in [0, 1); at least one if it is above 0 and there are
            two.
        seed: of the lot.

    Returns:
        The two parts, each in the order of the lemmas.
    """
    keys = {lemma: _key(lemma) for lemma in lemmas}
    different = sorted(set(keys.values()))
    SplitMix64.seeded(seed).shuffle(different)
    number = min(len(different) - 1, max(1, round(share * len(different)))) if share and different else 0
    held_out = set(different[:number])
    return (
        [lemma for lemma in lemmas if keys[lemma] not in held_out],
        [lemma for lemma in lemmas if keys[lemma] in held_out],
    )


def _key(lemma: Formula) -> bytes:
    """Equal for lemmas that differ only in names."""
    try:
        key: Key = Name().view(initial(lemma)).key
    except TooSymmetric:  # then its own
        key = lemma.digest
    assert isinstance(key, bytes)
    return key
