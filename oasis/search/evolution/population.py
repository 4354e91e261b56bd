"""The population: drafts, the matches between them, the ratings that follow, and who is chosen by them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import groupby
from math import sqrt

import numpy as np

from oasis.ground.rankings import PRIOR, Ranking, elo
from oasis.ground.splitmix import SplitMix64
from oasis.play.choices import Evolving
from oasis.play.policy import Floats
from oasis.search.evolution.drafts import Draft, Lines


class Population:
    """Drafts, each different from the others.

    Attributes:
        drafts: in the order in which they came about.
    """

    def __init__(self, settings: Evolving) -> None:
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

    def join_equals(self) -> None:
        """Keep only the oldest of drafts that have become the same."""
        first: dict[Lines, Draft] = {}
        for draft in self.drafts:
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
        sample = rng.below(self.settings.draws)
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

    def rankings(self) -> list[Ranking]:
        """Return the matches between the drafts that are here, by their places.

        A match without one of those who took part is still a match between the others, of the same strengths (Luce
        1959); so whoever is gone is simply left out.
        """
        place = {draft: number for number, draft in enumerate(self.drafts)}
        found = []
        for result in self._results:
            tiers = (tuple(place[each] for each in tier if each in place) for tier in result)
            found.append(tuple(filter(None, tiers)))
        return found

    def last(self) -> Floats:
        """Return the strengths of the drafts in the last draw; 1 of a draft that has not been rated."""
        return np.array([self._strengths[draft][-1] if draft in self._strengths else 1.0 for draft in self.drafts])

    def rate(self, drafts: Sequence[Draft], drawn: Floats) -> None:
        """Take in strengths, and let go of the lowest drafts if there are too many.

        Args:
            drafts: that were rated; others may have come since.
            drawn: their strengths, shape (draws, drafts).
        """
        for draft, rating in zip(drafts, elo(drawn).tolist(), strict=True):
            draft.elo = rating
        kept = sorted(self.drafts, key=lambda draft: -draft.elo)[: self.settings.population]
        self.drafts = sorted(kept, key=lambda draft: draft.number)
        self._strengths = dict(zip(drafts, drawn.T, strict=True))
