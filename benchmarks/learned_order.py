"""Does a learned order of moves beat no order? Best-first search of ILTP's theorems, which no network was trained on.

`python -m benchmarks.learned_order -o FILE` searches and writes a line of JSON for each search; with lines there
already it goes on where it was, and with all of them it only prints the tables, in Markdown. A search that needs more
than 100 or 1,000 expansions is left open within such a budget, so one with the largest budget tells of all.

`--budgets` and `--policies` ask for others, such as `benchmarks.weighed:once`. Every search begins knowing nothing. The
uniform policy draws lots, so it searches with ten seeds, and others with one. A search ends after so many expansions or
CPU-seconds, and a family behind two levels in a row that no seed proves.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, inf, log
from pathlib import Path
from statistics import fmean, median
from time import process_time
from typing import Final

import numpy as np
from scipy.stats import binomtest

from curricula.benchmark import benchmark
from curricula.lemma import Lemma
from oasis.neural.policies import policy_named
from oasis.play.policy import Policy
from oasis.play.solving import PROVED, Budget
from oasis.search.best_first import BestFirst
from tactics.goal import initial
from tactics.script import replay

BUDGETS: Final = "100,1000,10000"
"""Expansions."""
SEEDS: Final = 10
"""Of the uniform policy."""
OUT_OF_REACH: Final = 2
"""Levels in a row that nobody proves, behind which a family is not tried any further."""
_RESAMPLES: Final = 10_000


@dataclass(frozen=True)
class Searched:
    """A search.

    Attributes:
        policy: its name.
        lemma: its name.
        seed: of its lots.
        proved: whether it found a proof.
        expansions: until then, or until it ended.
        seconds: of the processor.
    """

    policy: str
    lemma: str
    seed: int
    proved: bool
    expansions: int
    seconds: float

    @property
    def needed(self) -> float:
        """Expansions until the proof; infinite without one."""
        return self.expansions if self.proved else inf


def searched(name: str, policy: Policy, lemma: Lemma, seed: int, expansions: int, seconds: float) -> Searched:
    """Search for a proof of a lemma, within so many expansions and CPU-seconds."""
    began = process_time()
    search = BestFirst(initial(lemma.formula)[0], policy, seed=seed)
    for _ in search.run(Budget(expansions=expansions)):
        if process_time() - began > seconds:
            break
    spent = process_time() - began
    proved = search.status is PROVED
    script = search.script()
    assert proved == (script is not None and not replay(lemma.formula, script)[-1])
    return Searched(name, lemma.name, seed, proved, search.expansions, round(spent, 3))


def search_all(
    names: Sequence[str], families: Mapping[str, Sequence[Lemma]], file: Path, expansions: int, seconds: float
) -> list[Searched]:
    """Search what a file has not, family by family; everything that is in it then."""
    known = read(file)
    done = {(each.policy, each.lemma, each.seed): each for each in known}
    with file.open("a", encoding="utf-8") as lines:
        for name in names:
            policy, seeds = policy_named(name, None), range(SEEDS if name == "uniform" else 1)
            for lemmas in families.values():
                failed = 0
                for lemma in lemmas:
                    found = [done.get((name, lemma.name, seed)) for seed in seeds]
                    for seed in seeds:
                        if found[seed] is None:
                            found[seed] = each = searched(name, policy, lemma, seed, expansions, seconds)
                            known.append(each)
                            print(json.dumps(asdict(each)), file=lines, flush=True)
                            print(each, file=sys.stderr)
                    failed = 0 if any(each and each.proved for each in found) else failed + (lemma.level is not None)
                    if failed == OUT_OF_REACH:
                        break
    return known


def read(file: Path) -> list[Searched]:
    """The searches that a file tells of."""
    return [Searched(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def table_of_families(
    names: Sequence[str], families: Mapping[str, Sequence[Lemma]], all_searches: list[Searched], budgets: Sequence[int]
) -> None:
    """Theorems proved within each budget, by family: the mean over seeds."""
    print(f"| family | theorems | {' | '.join(f'{name}, {budget:,}' for name in names for budget in budgets)} |")
    print("|---|---|" + "---|" * (len(names) * len(budgets)))
    rows = [*families.items(), ("all", [lemma for lemmas in families.values() for lemma in lemmas])]
    for family, lemmas in rows:
        in_family = {lemma.name for lemma in lemmas}
        cells = []
        for name in names:
            of_policy = [each for each in all_searches if each.policy == name and each.lemma in in_family]
            seeds = max((each.seed for each in of_policy), default=0) + 1
            cells += [f"{sum(each.needed <= budget for each in of_policy) / seeds:.3g}" for budget in budgets]
        print(f"| {family} | {len(lemmas)} | {' | '.join(cells)} |")


def table_of_pairs(names: Sequence[str], families: Mapping[str, Sequence[Lemma]], all_searches: list[Searched]) -> None:
    """How each policy compares with the first, lemma by lemma: expansions until the proof, the median of the seeds."""
    needed = {
        (name, lemma): median(each.needed for each in all_searches if each.policy == name and each.lemma == lemma)
        for name, lemma in {(each.policy, each.lemma) for each in all_searches}
    }
    print(
        "| against " + names[0] + " | fewer, as many, more | sign test | expansions, times as many | 95 % | by family |"
    )
    print("|---|---|---|---|---|---|")
    for name in names[1:]:
        pairs = {
            lemma.name: (family, needed.get((names[0], lemma.name), inf), needed.get((name, lemma.name), inf))
            for family, lemmas in families.items()
            for lemma in lemmas
        }
        fewer, more = (sum(a > b for _, a, b in pairs.values()), sum(a < b for _, a, b in pairs.values()))
        same = sum(a == b < inf for _, a, b in pairs.values())
        p = binomtest(fewer, fewer + more).pvalue if fewer + more else 1.0
        both = [(family, log(b / a)) for family, a, b in pairs.values() if max(a, b) < inf]
        low, high = bootstrap(both)
        by_family = {family: exp(fmean(r for f, r in both if f == family)) for family, _ in both}
        said = ", ".join(f"{family} {ratio:.2f}" for family, ratio in by_family.items())
        times = f"{exp(fmean(r for _, r in both)):.2f} ({len(both)})"
        print(f"| {name} | {fewer}, {same}, {more} | p = {p:.1e} | {times} | {low:.2f}–{high:.2f} | {said} |")


def bootstrap(ratios: Iterable[tuple[str, float]]) -> tuple[float, float]:
    """95 % for the geometric mean of ratios, given as logs: families drawn with replacement, for theirs are alike."""
    by_family: dict[str, list[float]] = {}
    for family, ratio in ratios:
        by_family.setdefault(family, []).append(ratio)
    sums = np.array([(sum(each), len(each)) for each in by_family.values()])
    drawn = sums[np.random.default_rng(0).integers(len(sums), size=(_RESAMPLES, len(sums)))].sum(axis=1)
    low, high = np.exp(np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975)))
    return float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--policies", default="uniform,tiny,judging:tiny", help="the first is what others are held against"
    )
    parser.add_argument("--budgets", default=BUDGETS, help="expansions, in ascending order")
    parser.add_argument("--seconds", type=float, default=40, help="of the processor, for each search")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where the searches are kept")
    arguments = parser.parse_args()
    names = arguments.policies.split(",")
    families = benchmark("iltp").parts["families"]
    budgets = [*map(int, arguments.budgets.split(","))]
    all_searches = search_all(names, families, arguments.output, budgets[-1], arguments.seconds)
    table_of_families(names, families, all_searches, budgets)
    print()
    table_of_pairs(names, families, all_searches)
    print(f"\n{sum(each.seconds for each in all_searches):,.0f} CPU-seconds", file=sys.stderr)


if __name__ == "__main__":
    main()
