"""What are distilled maxims worth on lemmas that had no part in it, and how long does a wrong one live?

`python -m benchmarks.experience` parts the theorems of textbook and SYJ201 to 206, levels 1 to 3, by lot: half of
them are played, a quarter are for the held-out score, and a quarter for a test. It distils for the uniform policy,
examines it on the test with and without the maxims, and does so for ten partings; the interval is over partings, each
with lots of its own. Then it does the same with a wrong maxim planted by hand beforehand, and distils up to three
times.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from curricula import parse_levels, resolve
from curricula.lemma import Lemma, Status
from oasis.experience.distilling import Distilling, Examiner
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, Evidence
from oasis.experience.scope import ANY, Scope
from oasis.ground.splitmix import SplitMix64
from oasis.ground.statistics import difference
from oasis.play.policy import Uniform
from oasis.store import Store

FAMILIES: Final = tuple(f"SYJ20{family}" for family in range(1, 7))
WRONG: Final = Scope(ANY, ANY, "intro")
"""Whose move never loses."""
MAX_STEPS: Final = 200
ROUNDS: Final = 3


class Parting(NamedTuple):
    """What came of one parting.

    Attributes:
        without: share of proofs of the test, without maxims.
        distilled: with those that were distilled.
        maxims: how many these are.
        wrong: with the wrong one alone.
        mended: after it was there when they were distilled.
        lived: how many distillings it lived through.
    """

    without: float
    distilled: float
    maxims: int
    wrong: float
    mended: float
    lived: int


def theorems() -> list[Lemma]:
    """All lemmas, without those that are known to be no theorems."""
    leveled = [lemma for name in FAMILIES for lemma in resolve(name, levels=parse_levels("1-3")).lemmas]
    return [each for each in (*resolve("textbook").lemmas, *leveled) if each.status is not Status.NON_THEOREM]


def parting(lemmas: list[Lemma], seed: int, *, plays: int, seeds: int, exam_plays: int) -> Parting:
    """One parting by the lot of a seed."""
    lot = list(lemmas)
    SplitMix64.seeded(seed).shuffle(lot)
    quarter = len(lot) // 4
    held_out, test, played = lot[:quarter], lot[quarter : 2 * quarter], lot[2 * quarter :]
    policy = Uniform()

    def examiner(chosen: list[Lemma], first: int) -> Examiner:
        return Examiner(policy, chosen, range(first, first + seeds), exam_plays, MAX_STEPS)

    def distil(library: Library, first: int) -> None:
        distilling = Distilling(library, policy, played, examiner(held_out, first))
        for _ in distilling.play(plays=plays, seed=first, most=12, max_steps=MAX_STEPS):
            pass
        for _ in distilling.judge():
            pass

    def score(library: Library) -> float:
        return float(tested.scores(library.maxims().values()).mean())

    tested = examiner(test, 1_000_000 + 1000 * seed)
    with Store(Path(":memory:")) as store:
        library = Library(store)
        without = score(library)
        distil(library, 1000 * seed)
        distilled, maxims = score(library), len(library.maxims())
    with Store(Path(":memory:")) as store:
        library = Library(store)
        planted = library.add(WRONG, Evidence(0, 50), source="p -> p", by="a person", reason="planted")
        wrong, lived = score(library), 0
        for number in range(ROUNDS):
            distil(library, 1000 * seed + 100 * number)
            if not _is_as_planted(library, planted):
                break
            lived += 1
        mended = score(library)
    return Parting(without, distilled, maxims, wrong, mended, lived)


def _is_as_planted(library: Library, number: int) -> bool:
    found = library.maxims().get(number)
    return found is not None and found.category == AVOID


def main() -> None:
    """Print what each parting came to, and the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--partings", type=int, default=10)
    parser.add_argument("--plays", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--exam-plays", type=int, default=10)
    chosen = parser.parse_args()
    lemmas = theorems()
    print(f"{len(lemmas)} theorems", flush=True)
    found = []
    for seed in range(chosen.partings):
        found.append(parting(lemmas, seed, plays=chosen.plays, seeds=chosen.seeds, exam_plays=chosen.exam_plays))
        print(seed, found[-1], flush=True)
    without = np.array([each.without for each in found])
    for name in ("distilled", "wrong", "mended"):
        shares = np.array([getattr(each, name) for each in found])
        gain, low, high = difference(shares, without, span=1.0)
        print(f"{name}: {without.mean():.3f} to {shares.mean():.3f}, {gain:+.3f} ({low:+.3f} to {high:+.3f})")
    print(f"maxims: {np.mean([each.maxims for each in found]):.1f}; lived: {[each.lived for each in found]}")


if __name__ == "__main__":
    main()
