"""The searches by the name that a person types: one entry each."""

from __future__ import annotations

from typing import Final

from oasis.search.ao_star import AOStar
from oasis.search.best_first import BestFirst
from oasis.search.evolution.evolution import Evolution
from oasis.search.proof_number import ProofNumber
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.sampling import Sampling
from oasis.search.search import Search

SEARCHES: Final[dict[str, type[Search]]] = {
    search.name: search for search in (BestFirst, ProofNumber, AOStar, RMaxTS, Evolution, Sampling)
}
"""Every search."""
