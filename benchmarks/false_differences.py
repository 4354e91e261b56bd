"""How often a report tells students apart that are of one kind, and how often it sees a difference that is there.

`python -m benchmarks.false_differences` has 160 students of each of four kinds practise a small lemma, draws those of a
report from them, and prints two tables in percent: reports that tell any two of equal kinds apart in any measure, and
reports that tell kinds apart that differ. It takes some minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from operator import itemgetter
from typing import Any, Final

import numpy as np

from benchmarks.coverage import row, table
from curricula import resolve
from oasis.ground.statistics import LEVEL, Floats
from oasis.lab.measure import Family
from oasis.lab.report import Report
from oasis.lab.students.plan import Plan, Variant, checkpoints
from oasis.lab.students.reported import report
from oasis.student.settings import Settings

LEMMA: Final = "SYJ203.2"
LEARNERS: Final = ("q-learning", "sarsa", "epsilon-soft", "q-lambda")
STUDENTS: Final = 160
EPISODES: Final = 300
SEEDS: Final = (6, 10, 20)
REPORTS: Final = 2000
"""That are simulated for each number; 5 % is known to within 1.5 percentage points (three standard errors)."""

Kinds = Mapping[str, Floats]
"""By kind what its students come to; shape (students, measures)."""


def practised(students: int, episodes: int) -> Report:
    """Return the report of students of all four kinds."""
    variants = tuple(Variant(name, Settings(learner=name, episodes=episodes)) for name in LEARNERS)
    seeds = tuple(range(1, students + 1))
    plan = Plan(LEMMA, resolve(LEMMA).lemmas, variants, seeds, checkpoints(episodes))
    trials = {name: [plan.attempt(place, seed) for seed in seeds] for place, name in enumerate(LEARNERS)}
    return report(plan, trials)


class Simulation:
    """Reports on students that are drawn from those of a real one.

    Args:
        real: has numbers of many students.
        seed: of what is drawn.

    Attributes:
        kinds: all students.
        measures: the names of those on which kinds are compared, in the order of `kinds`.
    """

    def __init__(self, real: Report, seed: int = 0) -> None:
        self.measures = [measure.name for measure in real.compared]
        self.kinds = {
            kind: np.stack([real.samples[name][kind] for name in self.measures], axis=1) for kind in real.names
        }
        known = [replace(each, take=itemgetter(each.name), over_lemmas=np.mean, needs=()) for each in real.compared]
        self._family = Family(real.family.noun, real.family.effort, tuple(replace(each, never=None) for each in known))
        self._rng = np.random.default_rng(seed)

    def report(self, kinds: Kinds) -> Report:
        """Return the report of some students."""
        trials = {
            kind: [dict(zip(self.measures, student[:, None], strict=True)) for student in students]
            for kind, students in kinds.items()
        }
        return Report(self._family, trials, [LEMMA])

    def of_one_kind(self, kind: str, number: int, seeds: int) -> Kinds:
        """Draw students of one kind, and divide them as if there were several."""
        students = self.kinds[kind]
        drawn = self._rng.choice(len(students), (number, seeds), replace=False)
        return {str(place): students[each] for place, each in enumerate(drawn)}

    def shuffled(self, number: int, seeds: int) -> Kinds:
        """Draw students of several kinds, and shuffle among those of a seed which is of which kind."""
        drawn = np.stack([*self.drawn(seeds).values()])[self._rng.permutation(len(self.kinds))[:number]]
        return dict(zip(map(str, range(number)), self._rng.permuted(drawn, axis=0), strict=True))

    def drawn(self, seeds: int) -> Kinds:
        """Draw seeds, with the students of every kind."""
        chosen = self._rng.choice(len(self.kinds[LEARNERS[0]]), seeds, replace=False)
        return {kind: students[chosen] for kind, students in self.kinds.items()}

    def told_apart(self, draw: Callable[[], Kinds], reports: int) -> Floats:
        """Return how often reports tell pairs apart in each measure; shape (reports, pairs, measures)."""
        found = [self.report(draw()).tests.values() for _ in range(reports)]
        return np.array([[pair.p <= LEVEL for pair in tests] for tests in found], np.float64)


def main() -> None:
    """Print both tables."""
    simulation = Simulation(practised(STUDENTS, EPISODES))
    for number in (2, 4):
        table(f"reports of {number} equal kinds that tell any two apart, %", (f"{seeds} seeds" for seeds in SEEDS))
        ways: dict[str, Callable[..., Any]] = {
            f"all {kind}": partial(simulation.of_one_kind, kind) for kind in LEARNERS
        }
        for name, way in {**ways, "kinds that differ, shuffled": simulation.shuffled}.items():
            found = (simulation.told_apart(partial(way, number, seeds), REPORTS) for seeds in SEEDS)
            print(row(name, (each.any(axis=(1, 2)).mean() for each in found)), flush=True)
        print()
    draws = (partial(simulation.drawn, seeds) for seeds in SEEDS)
    rates = np.stack([simulation.told_apart(draw, REPORTS // 4).mean(axis=0) for draw in draws], axis=-1)
    columns = (f"{measure}, {seeds}" for measure in simulation.measures for seeds in SEEDS)
    table("reports that tell two of these four kinds apart, %; seeds", columns)
    for pair, of_pair in zip(combinations(LEARNERS, 2), rates, strict=True):
        print(row(" and ".join(pair), of_pair.ravel()))


if __name__ == "__main__":
    main()
