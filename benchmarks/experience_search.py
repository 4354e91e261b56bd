"""Are maxims worth anything to a search? `python -m benchmarks.experience_search` asks that of held-out lemmas.

Searched are the theorems of SYJ201 to 206, levels 1 to 3, with maxims distilled on the textbook's and on random ones,
and the textbook's with maxims distilled on all others; beside that with no maxims, and with the rule of thumb of
`benchmarks.experience_transfer`. A pair has the same lemma, search, seed and budget. Told are the lemmas that are
proved within the budget, and how many times the expansions a search takes, where one that proves nothing counts as if
it did with the expansion after its last. Intervals are over lemmas.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.experience import theorems
from benchmarks.experience_transfer import RANDOM, THUMB, WITHOUT, distilled, kind
from curricula import resolve
from curricula.lemma import Lemma
from oasis.experience.library import Library
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import Prior
from oasis.ground.names import SEARCHES
from oasis.ground.statistics import difference
from oasis.play.policy import Floats, Uniform
from oasis.search.search import Search
from oasis.store import Store
from tactics.goal import initial

NAMES: Final = ("best-first", "rmaxts")
KINDS: Final = ("distilled", "rule of thumb")


def expansions(lemma: Lemma, name: str, prior: Prior, seed: int, most: int) -> int:
    """Expansions until the first proof, or one more than there may be."""
    search: Search = SEARCHES[name](initial(lemma.formula)[0], ExperiencedPolicy(Uniform(), prior), seed=seed)
    for _ in search.steps():
        if search.length is not None:
            return search.expansions
        if search.expansions >= most:
            break
    return search.expansions if search.length is not None else most + 1


def prior(known: list[Lemma], seed: int) -> Prior:
    """What is distilled from some lemmas; each maxim is printed."""
    with Store(Path(":memory:")) as store:
        library = Library(store)
        distilled(known, seed, library)
        for maxim in library.maxims().values():
            print(f"  {maxim.content} {maxim.evidence.helped:.0f}:{maxim.evidence.hindered:.0f}")
        return Prior.of(library.maxims().values())


def main() -> None:
    """Print what came of each search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=int, default=4, help="Distilled for each part of the lemmas.")
    parser.add_argument("--seeds", type=int, default=3, help="Of searches, with each library.")
    parser.add_argument("--expansions", type=int, default=1000)
    chosen = parser.parse_args()
    own = theorems()
    found: dict[tuple[str, str], list[Floats]] = {}
    for is_textbook in (False, True):
        test = [each for each in own if (kind(each) == "textbook") == is_textbook]
        known = [*(each for each in own if each not in test), *resolve(RANDOM).lemmas]
        for name, which, runs in searched(test, known, chosen):
            found.setdefault((name, which), []).append(runs)
    for name in NAMES:
        theirs = np.concatenate(found[name, WITHOUT], axis=1)
        print(f"{name}: {theirs.shape[1]} lemmas, {100 * (theirs <= chosen.expansions).mean():.1f} % proved")
        for which in KINDS:
            report(which, np.concatenate(found[name, which], axis=1), theirs, chosen.expansions)


def searched(test: list[Lemma], known: list[Lemma], chosen: argparse.Namespace) -> list[tuple[str, str, Floats]]:
    """By search and prior the expansions until the first proof; shape (libraries x seeds, lemmas)."""
    given = [
        {WITHOUT: Prior({}), "distilled": prior(known, 1000 + number), "rule of thumb": THUMB}
        for number in range(chosen.libraries)
    ]
    made = []
    for name in NAMES:
        for which in (WITHOUT, *KINDS):
            runs = [
                [expansions(lemma, name, each[which], seed, chosen.expansions) for lemma in test]
                for each in given
                for seed in range(chosen.seeds)
            ]
            made.append((name, which, np.array(runs, np.float64)))
    return made


def report(which: str, ours: Floats, theirs: Floats, most: int) -> None:
    """Print how much more is proved, and in how many times the expansions, with intervals over lemmas."""
    more, low, high = 100 * np.array(difference((ours <= most).mean(axis=0), (theirs <= most).mean(axis=0), span=1.0))
    logs, their_logs = np.log(ours).mean(axis=0), np.log(theirs).mean(axis=0)
    times = np.exp(np.array(difference(logs, their_logs)))
    fewer, other = int((logs < their_logs).sum()), int((logs > their_logs).sum())
    print(
        f"  {which}: proved {more:+.1f} points ({low:.1f} to {high:.1f}), expansions times {times[0]:.2f} "
        f"({times[1]:.2f} to {times[2]:.2f}), fewer for {fewer} lemmas and more for {other}",
        flush=True,
    )


if __name__ == "__main__":
    main()
