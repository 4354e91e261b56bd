"""How fast searches are, on one core: `python -m pytest benchmarks/test_search.py -s`.

Expansions a second with the uniform policy, on SYJ203.6: of goals whose moves nobody has worked out yet (cold), and of
those that an earlier search of the same lemma has (known). The targets are 20,000 and 100,000.
"""

from __future__ import annotations

from time import process_time
from typing import Any, Final

import pytest

from curricula.resolve import resolve_lemma
from oasis.search.goals import Goals
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget
from tactics.goal import initial

LEMMA: Final = "SYJ203.6"
EXPANSIONS: Final = 6_000


@pytest.mark.parametrize("name", SEARCHES)
def test_expansions(name: str, benchmark: Any) -> None:
    goal = initial(resolve_lemma(LEMMA).formula)[0]
    rates: dict[str, list[float]] = {"cold": [], "known": []}

    def both() -> None:
        goals = Goals()
        for seen in rates.values():
            search = SEARCHES[name](goal, seed=1, goals=goals)
            began = process_time()
            for _ in search.run(Budget(EXPANSIONS)):
                pass
            seen.append(search.expansions / (process_time() - began))

    benchmark.pedantic(both, rounds=3, iterations=1)
    cold, known = (sorted(seen)[1] for seen in rates.values())
    benchmark.extra_info.update(cold=cold, known=known)
    print(f"\n{name}: {cold:,.0f} expansions a second cold, {known:,.0f} known")
