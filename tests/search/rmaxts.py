"""Searches by RMaxTS that several tests make."""

from __future__ import annotations

from typing import Any, Final

from curricula.resolve import resolve_lemma
from oasis.policy import Policy
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.search import Budget, Event
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tests.strategies import PLAIN_NAMES, formulas

SMALL: Final = formulas(PLAIN_NAMES, max_steps=5, max_size=15)
LEMMA: Final = resolve_lemma("SYJ203.3").formula
NO_THEOREM: Final = parse("((p -> q) -> r) -> ((q -> p) -> r) -> r")


def search(formula: Formula, policy: Policy | None = None, **settings: Any) -> RMaxTS:
    """A search for a proof of a formula."""
    return RMaxTS(initial(formula)[0], policy, **settings)


def finished(found: RMaxTS, expansions: int = 20_000) -> Event:
    """How a search ends that makes so many expansions at most."""
    *_, last = found.run(Budget(expansions=expansions))
    return last
