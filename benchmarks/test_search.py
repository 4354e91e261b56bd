"""How fast searches are, on one core: `python -m pytest benchmarks/test_search.py -s`.

Expansions a second with the uniform policy: of goals whose moves nobody has worked out yet (cold), and of those that an
earlier search of the same lemma has (known). The targets are 20,000 and 100,000. Also the share of the time in which
Python looks for cyclic garbage and frees it, which is mostly that of searches before.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any, Final

import pytest

from curricula.resolve import resolve_lemma
from oasis.ground.names import SEARCHES
from oasis.play.solving import Budget
from oasis.search.goals import Goals
from tactics.goal import initial

LEMMAS: Final = ("SYJ203.3", "SYJ203.6", "SYJ201.2", "random:size=64,atoms=6,kind=theorem,seed=7/21")
EXPANSIONS: Final = 5_000
SEEDS: Final = 4


@contextmanager
def collections() -> Iterator[list[float]]:
    """When the collector of cyclic garbage begins and ends, in turn, in seconds of processor time."""
    times: list[float] = []

    def note(phase: str, info: dict[str, int]) -> None:
        times.append(process_time())

    gc.callbacks.append(note)
    try:
        yield times
    finally:
        gc.callbacks.remove(note)


@pytest.mark.parametrize("lemma", LEMMAS)
@pytest.mark.parametrize("name", SEARCHES)
def test_expansions(name: str, lemma: str, benchmark: Any) -> None:
    goal = initial(resolve_lemma(lemma).formula)[0]
    expansions, seconds = {"cold": 0, "known": 0}, {"cold": 0.0, "known": 0.0}
    collecting = {"cold": 0.0, "known": 0.0}

    def search_twice() -> None:
        for seed in range(SEEDS):
            goals = Goals()
            for kind in expansions:
                search = SEARCHES[name](goal, seed=seed, goals=goals)
                with collections() as times:
                    began = process_time()
                    for _ in search.run(Budget(EXPANSIONS)):
                        pass
                    seconds[kind] += process_time() - began
                expansions[kind] += search.expansions
                collecting[kind] += sum(times[1::2]) - sum(times[::2])

    benchmark.pedantic(search_twice, rounds=1, iterations=1)
    rates = {kind: expansions[kind] / seconds[kind] for kind in expansions}
    benchmark.extra_info.update(rates)
    share = {kind: collecting[kind] / seconds[kind] for kind in expansions}
    print(
        f"\n{name}, {lemma}: {rates['cold']:,.0f} expansions a second cold, {rates['known']:,.0f} known; "
        f"collecting garbage {share['cold']:.0%}, {share['known']:.0%}"
    )
