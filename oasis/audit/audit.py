"""An audit: what rewards make of lemmas as wholes, and each of their terms by itself, told as it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curricula.lemma import Lemma
from oasis.audit.findings import Finding, of_preset, of_terms
from oasis.audit.safety import gives_up_at
from oasis.audit.tables import DEFINITIONS, merged, sentences
from oasis.dagger.term import Reading
from oasis.dagger.weights import Weights
from oasis.ground.limits import LimitReached
from oasis.teacher.exact.states import StateGraph


class Audit:
    """One that is under way: first over lemmas, then over chains.

    Args:
        lemmas: that are looked at.
        rewards: that are audited as wholes, by name.
        readings: of which each term is audited by itself.
        gamma: the discount, in (0, 1].

    Attributes:
        wholes: what was found of rewards.
        terms: what was found of terms.
        chains: by name and counters of a reward the moves from which it gives up a chain, or 0.
        left_out: by name why a lemma could not be looked at whole.
    """

    def __init__(
        self, lemmas: Sequence[Lemma], rewards: Mapping[str, Weights], readings: Sequence[Reading], gamma: float
    ) -> None:
        self._lemmas, self._rewards, self._readings, self._gamma = lemmas, rewards, readings, gamma
        self.wholes: list[Finding] = []
        self.terms: list[Finding] = []
        self.chains: dict[tuple[str, str], int] = {}
        self.left_out: dict[str, str] = {}

    def of_lemmas(self) -> Iterator[int]:
        """Look at lemma after lemma; give the number of those that are done."""
        for number, lemma in enumerate(self._lemmas, 1):
            try:
                graph = StateGraph(lemma.formula)
            except LimitReached as reached:
                self.left_out[lemma.name] = str(reached)
            else:
                for name, weights in self._rewards.items():
                    self.wholes += of_preset(name, weights, lemma, graph, self._gamma)
                for reading in self._readings:
                    self.terms += of_terms(reading, lemma, graph, self._gamma)
            yield number
        self.wholes, self.terms = merged(self.wholes), merged(self.terms)

    def of_chains(self) -> Iterator[int]:
        """Look at chains for each reward that was audited; give the number of those that are done."""
        for number, each in enumerate(self.wholes, 1):
            is_trained = each.counters == "trained"
            self.chains[each.name, each.counters] = gives_up_at(self._rewards[each.name], self._gamma, is_trained)
            yield number

    def sentences(self) -> list[str]:
        """What a reader should know of all that was found."""
        return [*sentences(self.wholes), *sentences(self.terms)]

    def to_json(self) -> dict[str, Any]:
        """All that was found."""
        return {
            "gamma": self._gamma,
            "lemmas": [lemma.name for lemma in self._lemmas],
            "left_out": self.left_out,
            "presets": [{**each.to_json(), "chain": self.chains[each.name, each.counters]} for each in self.wholes],
            "terms": [each.to_json() for each in self.terms],
            "sentences": self.sentences(),
            "definitions": DEFINITIONS,
        }
