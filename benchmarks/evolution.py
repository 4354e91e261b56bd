"""How often does the rating of drafts mislead an evolution, and how much depends on what can be set about it?

`python -m benchmarks.evolution` prints three tables in Markdown, the same every time, after five minutes on two cores.
The lemmas are theorems on which best-first search with the uniform policy needs about 500 expansions or more, and small
enough for all their goals to be looked at, so that the teacher knows how many moves each draft truly needs. The policy
is uniform. With rounds of the published size these searches are over after a few, and ratings cannot matter; so rounds
are smaller here, except in the row that says so. Three raters are compared: the number and the weight of the open
goals, an oracle that knows the moves that are left, and a lot, which knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import kendalltau

from curricula.resolve import resolve_lemma
from oasis.ground.splitmix import SplitMix64
from oasis.ground.statistics import Floats, difference, mean_interval
from oasis.play.solving import OPEN, Budget
from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.evolution.drafts import Draft
from oasis.search.evolution.evolution import Evolution
from oasis.search.evolution.raters import Oracle, Rater, Symbolic
from oasis.search.evolution.settings import Settings
from oasis.search.goals import Goals
from oasis.search.search import Search
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from tactics.goal import Goal, State, initial

LEMMAS: Final = (
    "SYJ201.1",
    "SYJ203.6",
    "SYJ205.3",
    "random:size=32,kind=theorem,seed=4/17",
    "random:size=64,atoms=6,kind=theorem,seed=3/46",
    "random:size=64,atoms=6,kind=theorem,seed=7/21",
    "random:size=128,atoms=8,kind=theorem,seed=2/35",
)
SEEDS: Final = 10
MOST: Final = 3000
"""Expansions after which a search is given up."""
LOOKS: Final = (150, 300, 600, 1200)
"""Expansions after which ratings are compared with the truth."""
USUAL: Final = Settings(edits=30, queries=5, expansions=20, population=256)
"""Rounds of about 130 expansions."""
VARIANTS: Final[dict[str, Settings]] = {
    "c = 0": replace(USUAL, exploration=0),
    "c = 0.05": replace(USUAL, exploration=0.05),
    "c = 0.8": replace(USUAL, exploration=0.8),
    "best 8": replace(USUAL, best=8),
    "best 16": replace(USUAL, best=16),
    "best 256": replace(USUAL, best=256),
    "matches of 2": replace(USUAL, match=2),
    "matches of 4": replace(USUAL, match=4),
    "matches of 12": replace(USUAL, match=12),
    "no goal cache": replace(USUAL, remembers=False),
    "continue alone": replace(USUAL, generators=("continue",)),
    "anew alone": replace(USUAL, generators=("anew",)),
    "recombine alone": replace(USUAL, generators=("recombine",)),
    "rounds as published": replace(USUAL, edits=90, expansions=400),
}
RATERS: Final = ("symbolic", "oracle", "lot")


class Look(NamedTuple):
    """Ratings beside the truth, at one time of one search; what cannot be said is nan.

    Attributes:
        tau: Kendall's between Elo numbers and moves left.
        wrong: the share of pairs of a provable and an unprovable draft of which the latter is rated higher, ties half.
        unprovable: the share of drafts that cannot be completed as they are.
        chosen: the share of such ones among the parents that would be chosen next.
    """

    tau: float
    wrong: float
    unprovable: float
    chosen: float


class Lot:
    """A rater that knows nothing."""

    def __init__(self, seed: int) -> None:
        self._rng = SplitMix64.seeded(seed)

    def rank(self, drafts: Sequence[State]) -> list[int]:
        return [int(place) for place in np.argsort([self._rng.random() for _ in drafts])]


class Bench:
    """A lemma, with what searches on it share: how its moves go on, and the truth about its goals."""

    def __init__(self, name: str) -> None:
        (self.goal,) = initial(resolve_lemma(name).formula)
        self.goals = Goals()
        self._lengths = Lengths(GoalGraph((self.goal,)))

    def moves_left(self, goal: Goal) -> float:
        length = self._lengths.shortest_proof((goal,))
        return inf if length is None else length

    def rater(self, name: str, seed: int) -> Rater:
        raters: dict[str, Rater] = {"symbolic": Symbolic(), "oracle": Oracle(self.moves_left), "lot": Lot(seed)}
        return raters[name]

    def evolution(self, settings: Settings, seed: int, rater: str = "symbolic") -> Evolution:
        return Evolution(self.goal, seed=seed, goals=self.goals, settings=settings, rater=self.rater(rater, seed))

    def look(self, search: Evolution) -> Look:
        population = search.population
        left = np.array([self.truth(draft) for draft in population.drafts])
        elos = np.array([draft.elo for draft in population.drafts])
        lost = np.isinf(left)
        pairs = elos[lost][:, None] - elos[~lost][None]
        tau = kendalltau(elos, -np.where(lost, 1e9, left)).statistic if len(left) > 1 else np.nan
        chosen = []
        for seed in range(20):
            draft = population.select(SplitMix64.seeded(seed))
            draft.visits -= 1
            chosen.append(np.isinf(self.truth(draft)))
        wrong = float(np.mean((pairs > 0) + 0.5 * (pairs == 0))) if pairs.size else np.nan
        return Look(float(tau), wrong, float(lost.mean()), float(np.mean(chosen)))

    def truth(self, draft: Draft) -> float:
        return sum(self.moves_left(self.goals.goal(number)) for number in draft.open)


def effort(search: Search) -> int:
    """Expansions until a proof was found, or until the search was given up, or one more if there was none."""
    list(search.run(Budget(expansions=MOST)))
    return search.expansions + (search.status is OPEN)


def efforts(name: str) -> dict[str, list[int]]:
    """For each variant the efforts of all seeds on a lemma."""
    bench = Bench(name)
    found: dict[str, list[int]] = {"usual": [effort(bench.evolution(USUAL, seed)) for seed in range(SEEDS)]}
    for rater in RATERS[1:]:
        found[f"rated by {rater}"] = [effort(bench.evolution(USUAL, seed, rater)) for seed in range(SEEDS)]
    for variant, settings in VARIANTS.items():
        found[variant] = [effort(bench.evolution(settings, seed)) for seed in range(SEEDS)]
    found["best-first search"] = [
        effort(BestFirst(bench.goal, seed=seed, goals=bench.goals, cache=GoalCache())) for seed in range(SEEDS)
    ]
    return found


def looks(name: str, rater: str) -> list[list[Look | None]]:
    """For each seed what is seen after so many expansions; None where the search was over."""
    bench = Bench(name)
    found: list[list[Look | None]] = []
    for seed in range(SEEDS):
        search, of_seed = bench.evolution(USUAL, seed, rater), []
        for expansions in LOOKS:
            list(search.run(Budget(expansions=expansions - search.expansions)))
            of_seed.append(bench.look(search) if search.status is OPEN and search.rounds else None)
        found.append(of_seed)
    return found


def interval(sample: Floats, *, is_share: bool) -> str:
    """The mean of what there is, and its interval over seeds."""
    of_seeds = np.array([np.mean(row[~np.isnan(row)]) for row in sample if not np.isnan(row).all()])
    if len(of_seeds) < 2:
        return "–"
    value, low, high = mean_interval(of_seeds, least=0, most=1) if is_share else mean_interval(of_seeds)
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |")


def table_of_looks(found: dict[str, list[list[list[Look | None]]]]) -> None:
    row("rater", "expansions", "searches still open", "Kendall's tau", "pairs wrong", "unprovable drafts", "parents")
    row(*["---"] * 7)
    for rater, of_lemmas in found.items():
        for place, expansions in enumerate(LOOKS):
            seen = [[of_seed[place] for of_seed in of_lemma] for of_lemma in of_lemmas]
            numbers = np.array([[look or (np.nan,) * 4 for look in of_lemma] for of_lemma in seen])  # lemma, seed, what
            cells = [interval(numbers[:, :, what].T, is_share=what > 0) for what in range(4)]
            row(rater, expansions, sum(look is not None for of_lemma in seen for look in of_lemma), *cells)


def table_of_efforts(found: Sequence[dict[str, list[int]]]) -> None:
    row("variant", f"proved within {MOST:,}", "expansions, times the usual", "95 % for all together")
    row("---", "---", "---", "---")
    usual = np.log2([of_lemma["usual"] for of_lemma in found]).mean(axis=0)
    for variant in found[0]:
        numbers = np.array([of_lemma[variant] for of_lemma in found])  # lemma, seed
        proved = interval((numbers <= MOST).T.astype(float), is_share=True)
        value, low, high = difference(np.log2(numbers).mean(axis=0), usual, family=len(found[0]) - 1)
        cells = ("1", "") if variant == "usual" else (f"{2**value:.2f}", f"{2**low:.2f} to {2**high:.2f}")
        row(variant, proved, *cells)


def table_of_lemmas(names: Iterable[str], found: Sequence[dict[str, list[int]]]) -> None:
    shown = ("usual", "rated by oracle", "rated by lot", "no goal cache", "rounds as published", "best-first search")
    row("lemma: median expansions", *shown)
    row(*["---"] * (1 + len(shown)))
    for name, of_lemma in zip(names, found, strict=True):
        medians = [np.median(of_lemma[variant]) for variant in shown]
        row(name, *(f"over {MOST:,}" if median > MOST else f"{median:,.0f}" for median in medians))


def main() -> None:
    with ProcessPoolExecutor(2) as pool:
        measured = {rater: list(pool.map(partial(looks, rater=rater), LEMMAS)) for rater in RATERS}
        table_of_looks(measured)
        print(flush=True)
        found = list(pool.map(efforts, LEMMAS))
    table_of_efforts(found)
    print()
    table_of_lemmas(LEMMAS, found)


if __name__ == "__main__":
    main()
