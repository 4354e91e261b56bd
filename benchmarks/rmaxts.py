"""What the intrinsic reward of RMaxTS is worth: `python -m benchmarks.rmaxts` prints two tables in Markdown.

RMaxTS, the same as its authors implement it (a state to which two ways lead is two nodes), the same without a reward
for new states, and plain sampling get as many calls of the same policy, one worker each, with the same seeds.
A call is a decision; what a rollout begins with is in the tree and costs none. The first table has the shares of seeds
that found a proof, the second the calls that were needed, which are all there were where none was found.

Policies: `uniform`; `peaked`, which has strong and senseless preferences of its own in every goal, other ones with each
seed, so that its plays resemble each other as those of a language model do; `student`, a Q-learning student after 200
episodes of the lemma, whose preferences make some sense. Random theorems are those that an exam of 50 uniform plays,
with chance of its own, proves once at most; their line is the mean over them for each seed, as is that of random
non-theorems, which are to be refuted by trying everything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import blake2b
from itertools import islice
from statistics import NormalDist
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from benchmarks.markdown import table
from curricula.generator import RandomSettings, random_lemmas
from curricula.resolve import resolve_lemma
from oasis.ground.statistics import SHARE, Floats, Interval, difference, mean_interval
from oasis.play.exam import examine
from oasis.play.policy import Policy, Uniform
from oasis.play.solving import OPEN, Budget
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.sampling import Sampling
from oasis.search.search import Search
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.rules import legal_moves

SEEDS: Final = 24
CALLS: Final = 3_000
EPISODES: Final = 200
SHARPNESS: Final = 2.0
"""Standard deviation of the peaked policy's log-odds."""
TEMPERATURE: Final = 0.5
"""Of the student's softmax, whose values lie between -1 and 1."""
SEARCHES: Final[dict[str, Callable[..., Search]]] = {
    "rmaxts": RMaxTS,
    "rmaxts, as implemented": partial(RMaxTS, merged=False),
    "no intrinsic reward": partial(RMaxTS, intrinsic=False),
    "sampling": Sampling,
}


class Peaked:
    """Strong preferences that depend on nothing but the goal, the move and a seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed.to_bytes(8)

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [self._shares(state[0]) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None

    def _shares(self, goal: Goal) -> Floats:
        digests = (blake2b(str(move).encode(), key=self._seed + goal.digest) for move in legal_moves(goal))
        places = [(int.from_bytes(digest.digest()[:6]) + 0.5) / 2**48 for digest in digests]
        weights = np.exp(SHARPNESS * np.array([NormalDist().inv_cdf(place) for place in places]))
        return np.asarray(weights / weights.sum(), np.float64)


class Trial(NamedTuple):
    policy: str
    formula: Formula
    seed: int


def calls(trial: Trial) -> list[float]:
    """The calls that each search needs; infinity for one that neither proves nor refutes."""
    policy: Policy = Uniform()
    if trial.policy == "peaked":
        policy = Peaked(trial.seed)
    elif trial.policy == "student":
        student = PlainStudent(Settings(state_space="name", episodes=EPISODES, seed=trial.seed))
        student.practise(trial.formula, EPISODES)
        policy = student.policy(temperature=TEMPERATURE)
    needed = []
    for search in SEARCHES.values():
        found = search(initial(trial.formula)[0], policy, seed=trial.seed)
        *_, last = found.run(Budget(calls=CALLS))
        needed.append(float(last.calls) if found.status is not OPEN else np.inf)
    return needed


def hard_theorems(size: int, count: int) -> list[Formula]:
    """Random theorems that uniform play hardly ever proves."""
    drawn = (lemma.formula for lemma in random_lemmas(RandomSettings(size, 5, "theorem", 10_000, seed=1)))
    hard = (formula for formula in drawn if examine(Uniform(), formula, plays=50, seed=1).proved <= 1)
    return list(islice(hard, count))


def lines() -> Iterator[tuple[str, str, list[Formula]]]:
    """A policy, a name and the lemmas for each line of the tables."""
    random = {f"{count} random theorems of {size}": hard_theorems(size, count) for size, count in ((32, 8), (64, 8))}
    for policy in ("uniform", "peaked", "student"):
        names = ["SYJ203.3", "SYJ203.4", "SYJ203.5", "SYJ203.6", "SYJ201.1", "SYJ205.1", "SYJ205.2", "SYJ206.3"]
        for name in names if policy == "uniform" else ("SYJ203.5", "SYJ203.6", "SYJ205.1"):
            yield policy, name, [resolve_lemma(name).formula]
        for name, formulas in random.items():
            if policy != "student":
                yield policy, name, formulas
        if policy == "uniform":
            drawn = random_lemmas(RandomSettings(14, 4, "non-theorem", 20, seed=1))
            yield policy, "20 random non-theorems of 14", [lemma.formula for lemma in drawn]


def told(interval: Interval, digits: int = 0) -> str:
    value, low, high = (float(bound) for bound in interval)
    return f"{value:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    began = perf_counter()
    head = ["policy", "lemma", *SEARCHES]
    shares, costs = [], []
    planned = list(lines())
    with ProcessPoolExecutor(options.workers) as pool:
        for policy, name, formulas in planned:
            trials = [Trial(policy, formula, seed) for seed in range(options.seeds) for formula in formulas]
            needed = np.array(list(pool.map(calls, trials, chunksize=4)))
            needed = needed.reshape(options.seeds, len(formulas), len(SEARCHES))
            solved, spent = np.isfinite(needed).mean(axis=1), np.minimum(needed, CALLS).mean(axis=1)
            shares.append([policy, name, *(told(SHARE.of(each, 0, 1).scaled(100)) for each in solved.T)])
            gains = [difference(spent[:, 0], other, span=CALLS, family=3 * len(planned)) for other in spent.T[1:]]
            means = [mean_interval(each, least=1, most=CALLS) for each in spent.T]
            costs.append([policy, name, *map(told, means), *map(told, gains)])
            print(f"{perf_counter() - began:.0f} s: {policy}, {name}", file=sys.stderr)
    print(f"{options.seeds} seeds, {CALLS:,} calls; means and 95 % intervals.\n\nSolved, in percent:\n")
    print(table(head, shares))
    print("\nCalls; and rmaxts less each of the others, all intervals together at 95 %:\n")
    print(table([*head, *(f"less {name}" for name in islice(SEARCHES, 1, None))], costs))
    print(f"\n{perf_counter() - began:.0f} s in {options.workers} processes.")


if __name__ == "__main__":
    main()
