"""How often intervals contain the true value, and how often `difference` tells equal kinds of students apart.

`python -m benchmarks.coverage` prints tables in percent, for 6, 10, 20 and 30 students; the numbers are the same every
time. What students are drawn from looks like what they come to in the lab: shares of proofs after many episodes (a
bell), after few (a binomial), students who prove all or nothing, a kind of which one student in ten fails, numbers with
a long tail, and proofs that never come. What a whole report tells apart is in `benchmarks.false_differences`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from math import inf, sqrt
from typing import Final, NamedTuple

import numpy as np

from oasis.ground.statistics import CONFIDENCE, MEAN, MEDIAN, SHARE, Floats, Statistic, difference

STUDENTS: Final = (6, 10, 20, 30)
KINDS: Final = (2, 3, 8, 20)
EXPERIMENTS: Final = 4000
"""That are simulated for each number; 95 % are known to within 1 percentage point (three standard errors)."""

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


class Population(NamedTuple):
    """What students are drawn from, what is asked of them, and its true value."""

    draw: Draw
    statistic: Statistic
    truth: float


def _proved_first(never: float) -> Draw:
    """The episode of the first proof where each proves with probability 0.1, and this share of students none."""
    return lambda rng, shape: np.where(rng.random(shape) < never, inf, rng.geometric(0.1, shape))


POPULATIONS: Final = {
    "share, bell: 0.75 ± 0.02": Population(lambda rng, shape: rng.normal(0.75, 0.02, shape), SHARE, 0.75),
    "share of 15 episodes, p = 0.25": Population(lambda rng, shape: rng.binomial(15, 0.25, shape) / 15, SHARE, 0.25),
    "share, skewed: beta(1, 9)": Population(lambda rng, shape: rng.beta(1, 9, shape), SHARE, 0.1),
    "share: yes or no, p = 0.5": Population(lambda rng, shape: rng.binomial(1, 0.5, shape) / 1, SHARE, 0.5),
    "share: yes or no, p = 0.9": Population(lambda rng, shape: rng.binomial(1, 0.9, shape) / 1, SHARE, 0.9),
    "share: 1, or 0.03 in one of ten": Population(
        lambda rng, shape: np.where(rng.random(shape) < 0.1, 0.03, 1.0), SHARE, 0.903
    ),
    "share: 0.8 ± 0.02, or 0 in one of ten": Population(
        lambda rng, shape: np.where(rng.random(shape) < 0.1, 0.0, rng.normal(0.8, 0.02, shape)), SHARE, 0.72
    ),
    "mean, bell": Population(lambda rng, shape: rng.normal(20, 3, shape), MEAN, 20.0),
    "mean, long tail: exponential": Population(lambda rng, shape: rng.exponential(20, shape), MEAN, 20.0),
    "mean, 0, or 0.5 in one of ten": Population(lambda rng, shape: rng.binomial(1, 0.1, shape) / 2, MEAN, 0.05),
    "the same as a share": Population(lambda rng, shape: rng.binomial(1, 0.1, shape) / 2, SHARE, 0.05),
    "median, 3 of 10 never": Population(_proved_first(0.3), MEDIAN, 12.0),
    "median, 6 of 10 never": Population(_proved_first(0.6), MEDIAN, inf),
}


LUCK: Final = 0.9
"""How much of the variance equal kinds have in common where the random numbers of a seed make it so."""

EQUAL_KINDS: Final[dict[str, Draw]] = {
    name: each.draw for name, each in POPULATIONS.items() if not name.startswith(("median", "the same"))
} | {
    "bell, the same luck in all kinds": lambda rng, shape: (
        sqrt(LUCK) * rng.normal(size=shape[1:]) + sqrt(1 - LUCK) * rng.normal(size=shape)
    )
}


def coverage(population: Population, students: int, experiments: int, seed: int = 0) -> float:
    """The share of experiments in which the interval contains the true value."""
    drawn = population.draw(np.random.default_rng(seed), (students, experiments))
    least, most = (0.0, 1.0) if population.statistic is SHARE else (0.0, inf)
    _, low, high = population.statistic.of(drawn, least, most)
    return float(np.mean((low <= population.truth) & (population.truth <= high)))


def false_differences(
    draw: Draw, kinds: int, students: int, experiments: int, seed: int = 0, *, corrected: bool = True
) -> tuple[float, float]:
    """The share of experiments in which equal kinds are told apart: the best from any other one, and any two."""
    drawn = draw(np.random.default_rng(seed), (kinds, students, experiments))
    best = drawn.mean(axis=1).argmax(axis=0)
    pairs = list(combinations(range(kinds), 2))
    of_best, of_any = np.zeros((2, experiments), bool)
    for one, other in pairs:
        _, low, high = difference(drawn[one], drawn[other], family=len(pairs) if corrected else 1)
        told = (low > 0) | (high < 0)
        of_any |= told
        of_best |= told & ((best == one) | (best == other))
    return float(of_best.mean()), float(of_any.mean())


def allowance(rate: float, experiments: int) -> float:
    """Three standard errors of a rate that was found in so many experiments."""
    return 3 * sqrt(rate * (1 - rate) / experiments)


def row(name: str, rates: Iterable[float]) -> str:
    """A row of a table of percentages."""
    return " | ".join([f"| {name}", *(f"{100 * rate:.1f}" for rate in rates)]) + " |"


def table(title: str, columns: Iterable[str]) -> None:
    """Print the head of a table."""
    names = [title, *columns]
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))


def main() -> None:
    """Print the tables."""
    table(f"{CONFIDENCE:.0%} intervals that contain the true value, %", (f"{number} students" for number in STUDENTS))
    for name, population in POPULATIONS.items():
        print(row(name, (coverage(population, number, EXPERIMENTS) for number in STUDENTS)), flush=True)
    print()
    for students in (10, 30):
        title = f"{students} students: the best of equal kinds told apart from another, %"
        table(title, (f"{kinds} kinds" for kinds in KINDS))
        for name, draw in EQUAL_KINDS.items():
            print(row(name, (false_differences(draw, kinds, students, EXPERIMENTS)[0] for kinds in KINDS)))
        bell = EQUAL_KINDS["mean, bell"]
        uncorrected = (false_differences(bell, kinds, students, EXPERIMENTS, corrected=False)[0] for kinds in KINDS)
        print(row("mean, bell, were nothing corrected", uncorrected))
        print()


if __name__ == "__main__":
    main()
