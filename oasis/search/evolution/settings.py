"""What can be set about an evolution; the usual numbers are those of the published system where it has them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from oasis.search.best_first import BestFirst
from oasis.search.evolution.rating import BURN_IN, SAMPLES
from oasis.search.search import Search
from tactics.errors import InputError, check_choice

GENERATORS: Final = ("continue", "recombine", "anew")
"""Ways in which a new draft comes about."""


@dataclass(frozen=True)
class Settings:
    """How drafts come about, are rated and chosen. Raises InputError for what makes no sense.

    Attributes:
        generators: ways in which new drafts come about, each as likely as the others.
        offspring: new drafts in a round, made at the same time.
        edits: moves, and parts of other drafts, that are put into the new drafts of a round, in equal shares.
        queries: open goals of the new drafts of a round that a prover is set on, at the same time.
        expansions: of a prover in one query.
        prover: the search that it is; set on a goal once more, it goes on where it was.
        remembers: whether what was found out about a goal is known to all drafts, and not only to the one that asked.
        population: drafts that are kept, those with the best Elo numbers.
        best: how many of them, the best again, may be chosen as parents.
        exploration: c of the rule by which they are chosen.
        match: drafts in a match.
        matches: of a round.
        rankings: matches that are remembered, the latest.
        samples: draws from the posterior of the strengths in each round.
        burn_in: draws before them.
    """

    generators: tuple[str, ...] = GENERATORS
    offspring: int = 3
    edits: int = 90
    queries: int = 5
    expansions: int = 400
    prover: type[Search] = BestFirst
    remembers: bool = True
    population: int = 128
    best: int = 64
    exploration: float = 0.2
    match: int = 7
    matches: int = 4
    rankings: int = 200
    samples: int = SAMPLES
    burn_in: int = BURN_IN

    def __post_init__(self) -> None:
        for generator in self.generators:
            check_choice("generator", generator, GENERATORS)
        if not self.generators:
            raise InputError(f"An evolution needs a generator; choose among {', '.join(GENERATORS)}.")
        if self.edits < self.offspring:
            raise InputError(f"{self.edits} edits are too few for {self.offspring} new drafts; give each at least one.")
        least = {"queries": 0, "matches": 0, "burn_in": 0, "exploration": 0, "match": 2}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and value < least.get(field.name, 0 if field.type == "bool" else 1):
                raise InputError(f"{field.name}={value} is out of range; give at least {least.get(field.name, 1)}.")
