"""How strong competitors are, from rankings of a few of them at a time: Plackett–Luce strengths and their Elo numbers.

The model: a match is a race in which competitor s arrives at rate λ_s, so of those still under way each is next with
probability λ_s over the sum of their λ (Luce 1959; Plackett 1975). A priori λ_s ~ Gamma(shape, β_s) with a rate of its
own, β_s ~ Gamma(tail, rate): far heavier tails than one Gamma has, and every conditional distribution is still a Gamma.

The posterior is sampled by Gibbs' method as in Caron and Doucet (2012), Efficient Bayesian inference for generalized
Bradley–Terry models, section 5: beside the strengths, the time between each two arrivals of each match is drawn. Two
moves are added. The scale of all strengths, of which rankings say nothing, is drawn at once (Liu and Sabatti 2000),
because it would change slowly otherwise. The order among equals, which a tie leaves open, is drawn from the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from oasis.ground.statistics import Floats

_BETWEEN_TIES: Final = 4
"""Draws of all strengths for one of the orders among equals, which takes twice as long."""
_LEAST: Final = np.finfo(np.float64).tiny

Ranking = tuple[tuple[int, ...], ...]
"""What came of a match: competitors by their numbers, the best first, those who tied together."""


class Prior(NamedTuple):
    """What is assumed of a strength before the first match.

    Attributes:
        shape: of the Gamma distribution of a strength, above 0.
        tail: of that of its rate, above 1; λ^-(tail + 1) is how the density of strengths falls off.
    """

    shape: float = 1.0
    tail: float = 3.0

    @property
    def rate(self) -> float:
        """Of the Gamma distribution of the rates, so that a strength is 1 on average: an Elo number of 1200."""
        return (self.tail - 1) / self.shape

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Strengths of competitors of whom nothing is known."""
        rates = rng.standard_gamma(self.tail, shape) / self.rate
        return np.maximum(rng.standard_gamma(self.shape, shape) / rates, _LEAST)


PRIOR: Final = Prior()
"""Of a strength, unless another is given."""


def elo(strengths: Floats) -> Floats:
    """1200 + 400 log10 of the mean strength of each competitor; `strengths` has shape (samples, competitors)."""
    return np.asarray(1200 + 400 * np.log10(strengths.mean(axis=0)))


def posterior(
    competitors: int,
    rankings: Sequence[Ranking],
    rng: np.random.Generator,
    *,
    samples: int = 1000,
    burn_in: int = 200,
    prior: Prior = PRIOR,
    start: Floats | None = None,
) -> Floats:
    """Draw strengths from their posterior distribution.

    Args:
        competitors: their number, at least 1; those without a match have the prior.
        rankings: the matches, in each of which nobody comes twice.
        rng: where chance comes from.
        samples: draws that are kept, one after the other.
        burn_in: draws before them.
        prior: of each strength.
        start: strengths with which to begin, shape (competitors,), such as the last ones that were drawn with fewer
            matches: then few draws before those that are kept suffice. None to begin with 1.

    Returns:
        Strengths above 0, shape (samples, competitors).
    """
    matches = _Matches(competitors, rankings)
    strengths = np.ones(competitors + 1)
    strengths[-1] = 0.0  # nobody, who fills up the shorter matches and never arrives
    drawn = strengths[:-1]
    drawn[:] = 1.0 if start is None else start
    rates = rng.standard_gamma(prior.shape + prior.tail, competitors) / (prior.rate + drawn)
    kept = np.empty((samples, competitors))
    for sample in range(-burn_in, samples):
        exposures = matches.waiting_times(strengths, rng)
        drawn[:] = rng.standard_gamma(prior.shape + matches.wins) / (rates + exposures)
        np.maximum(drawn, _LEAST, out=drawn)
        drawn *= rng.standard_gamma(prior.shape * competitors) / (rates @ drawn)
        rates = rng.standard_gamma(prior.shape + prior.tail, competitors) / (prior.rate + drawn)
        if matches.has_ties and sample % _BETWEEN_TIES == 0:
            matches.break_ties(strengths, rng)
        if sample >= 0:
            kept[sample] = drawn
    return kept


class _Matches:
    """Matches side by side, in arrays of shape (matches, places).

    Attributes:
        wins: for each competitor the matches in which it did not come last.
        has_ties: whether in any of them the order is open.
    """

    def __init__(self, competitors: int, rankings: Sequence[Ranking]) -> None:
        played = [ranking for ranking in rankings if sum(map(len, ranking)) > 1]
        # Those with ties first, so that they are a slice.
        played.sort(key=lambda ranking: all(len(tier) == 1 for tier in ranking))
        tied = sum(any(len(tier) > 1 for tier in ranking) for ranking in played)
        self.has_ties = tied > 0
        self._competitors = competitors
        sizes = [sum(map(len, ranking)) for ranking in played]
        shape = len(played), max(sizes, default=1)
        self._order = np.full(shape, competitors)
        self._is_stage = np.arange(shape[1]) < np.array(sizes, np.int64).reshape(-1, 1) - 1  # two or more under way
        tiers = np.full(shape, shape[1])
        behind = np.full(shape, shape[1])
        for row, ranking in enumerate(played):
            place = 0
            for number, tier in enumerate(ranking):
                after = place + len(tier)
                self._order[row, place:after] = tier
                tiers[row, place:after] = number
                behind[row, place:after] = after
                place = after
        self._tied, self._tiers = slice(tied), tiers[:tied]
        self._is_followed = behind[:tied] < shape[1]  # by a tier, or by nobody who fills up
        self._behind = np.nonzero(self._is_followed)[0], behind[:tied][self._is_followed]
        self._count()

    def waiting_times(self, strengths: Floats, rng: np.random.Generator) -> Floats:
        """Draw the times between arrivals; for each competitor how long it was under way in all."""
        times = rng.standard_exponential(self._order.shape) * self._is_stage
        times /= np.maximum(_under_way(strengths[self._order]), _LEAST)
        weights = np.cumsum(times, axis=1).ravel()
        return np.bincount(self._order.ravel(), weights, self._competitors + 1)[:-1].astype(np.float64, copy=False)

    def break_ties(self, strengths: Floats, rng: np.random.Generator) -> None:
        """Draw the order among equals anew, given that they arrive before all that are behind them.

        It is proposed as if nobody were behind them, and taken with the probability of Metropolis and Hastings.
        """
        before = self._order[self._tied]
        with np.errstate(divide="ignore"):
            arrivals = rng.standard_exponential(before.shape) / strengths[before]
        after = np.take_along_axis(before, np.lexsort((arrivals, self._tiers), axis=1), axis=1)
        gain = self._log_odds(strengths[after]) - self._log_odds(strengths[before])
        taken = rng.standard_exponential(len(gain)) > -gain
        self._order[self._tied] = np.where(taken[:, None], after, before)
        self._count()

    def _log_odds(self, strengths: Floats) -> Floats:
        """The log-probability of an order of all, less that of the order within each tier alone."""
        everybody = _under_way(strengths)
        within = everybody.copy()
        within[self._is_followed] -= everybody[self._behind]
        np.maximum(within, strengths, out=within)  # at least oneself, whatever rounding says
        shares = np.where(strengths > 0, within / np.maximum(everybody, _LEAST), 1.0)
        return np.asarray(np.log(shares).sum(axis=1))

    def _count(self) -> None:
        self.wins = np.bincount(self._order[self._is_stage], minlength=self._competitors + 1)[:-1]


def _under_way(strengths: Floats) -> Floats:
    """The sum of the strengths from each place of a match on."""
    return np.cumsum(strengths[:, ::-1], axis=1)[:, ::-1]
