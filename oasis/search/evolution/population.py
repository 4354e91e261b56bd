"""The population: drafts, the matches between them, the ratings that follow, and who is chosen by them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby
from math import sqrt

import numpy as np

from oasis.ground.splitmix import SplitMix64
from oasis.play.policy import Floats
from oasis.search.evolution.drafts import Draft, Lines
from oasis.search.evolution.rating import PRIOR, elo, posterior
from oasis.search.evolution.settings import Settings


class Population:
    """Drafts, each different from the others.

    Attributes:
        drafts: in the order in which they came about.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.drafts: list[Draft] = []
        self._results: deque[list[tuple[Draft, ...]]] = deque(maxlen=settings.rankings)
        self._strengths: dict[Draft, Floats] = {}

    def admit(self, draft: Draft) -> bool:
        """Take in a draft; whether it is one that was not there."""
        if any(draft.lines == other.lines for other in self.drafts):
            return False
        self.drafts.append(draft)
        return True

    def revise(self, revised: Callable[[Lines], Lines]) -> None:
        """Bring all drafts up to date; of those that are then the same the oldest one stays."""
        first: dict[Lines, Draft] = {}
        for draft in self.drafts:
            draft.lines = revised(draft.lines)
            first.setdefault(draft.lines, draft)
        self.drafts = list(first.values())

    def select(self, rng: SplitMix64) -> Draft:
        """The draft from which to go on: P-UCB over the best ones, ties by lot.

        The score is q + c sqrt(V) / (v + 1), where v counts how often a draft was chosen, V how often all of them were,
        and q is the Elo number, from 0 for the lowest to 1 for the highest of them.
        """
        best = sorted(self.drafts, key=lambda draft: (-draft.elo, draft.number))[: self.settings.best]
        highest, lowest = best[0].elo, best[-1].elo
        bonus = self.settings.exploration * sqrt(sum(draft.visits for draft in best))
        scored = [((each.elo - lowest) / (highest - lowest or 1) + bonus / (each.visits + 1), each) for each in best]
        top = max(score for score, _ in scored)
        equals = [draft for score, draft in scored if score == top]
        chosen = equals[rng.below(len(equals))]
        chosen.visits += 1
        return chosen

    def invite(self, rng: SplitMix64) -> list[Draft]:
        """Who meets in a match: the strongest in one draw from what is believed of all (Thompson sampling)."""
        chance = np.random.default_rng(rng.next())
        sample = rng.below(self.settings.samples)
        drawn = PRIOR.draw(chance, (len(self.drafts),))
        for place, draft in enumerate(self.drafts):
            if draft in self._strengths:
                drawn[place] = self._strengths[draft][sample]
        order = np.argsort(-drawn, kind="stable")[: self.settings.match]
        return [self.drafts[place] for place in order]

    def report(self, drafts: Sequence[Draft], places: Sequence[int]) -> None:
        """Take down how a match went."""
        order = sorted(range(len(drafts)), key=places.__getitem__)
        self._results.append(
            [tuple(drafts[each] for each in tier) for _, tier in groupby(order, key=places.__getitem__)]
        )

    def rate(self, rng: SplitMix64) -> None:
        """Work out all ratings from the matches, and let go of the lowest drafts if there are too many.

        A match without one of those who took part is still a match between the others, of the same strengths (Luce
        1959); so whoever is gone is simply left out.
        """
        number = {draft: place for place, draft in enumerate(self.drafts)}
        rankings = []
        for result in self._results:
            tiers = [tuple(number[each] for each in tier if each in number) for tier in result]
            rankings.append(tuple(filter(None, tiers)))
        settings, chance = self.settings, np.random.default_rng(rng.next())
        drawn = posterior(len(number), rankings, chance, samples=settings.samples, burn_in=settings.burn_in)
        for draft, rating in zip(self.drafts, elo(drawn).tolist(), strict=True):
            draft.elo = rating
        kept = sorted(self.drafts, key=lambda draft: -draft.elo)[: settings.population]
        self.drafts = sorted(kept, key=lambda draft: draft.number)
        self._strengths = {draft: drawn[:, number[draft]] for draft in self.drafts}
