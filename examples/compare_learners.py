"""A study as a program: what students of two learners know after more and more episodes, and whether they differ.

Run: python examples/compare_learners.py [LEMMA] [--learners q-learning,and-or-q] [--seeds 30]

`oasis compare` does this and much more, and keeps what it has done. This is for those who want the numbers in their own
hands: here students practise one lemma in several sittings, and are examined after each.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from curricula import resolve_lemma
from oasis.ground.statistics import difference
from oasis.student.settings import Settings
from oasis.student.student import School
from tactics.formula import Formula

EXAMINED_AFTER = (5, 10, 20, 40, 80)


def shares(learner: str, lemma: Formula, seeds: int) -> NDArray[np.float64]:
    """The share of proofs in the exams of students with seeds of their own; shape (seeds, exams)."""
    school = School(Settings(learner=learner, episodes=EXAMINED_AFTER[-1]))
    found = np.zeros((seeds, len(EXAMINED_AFTER)))
    for seed in range(seeds):
        student, practised = school.student(seed), 0
        for place, episodes in enumerate(EXAMINED_AFTER):
            student.practise(lemma, episodes - practised)
            practised = episodes
            found[seed, place] = student.examine(lemma).share
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each exam: the mean of either learner, and the difference, seed by seed, with its interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lemma", nargs="?", default="thesis/42")
    parser.add_argument("--learners", default="q-learning,and-or-q", help="Two of them, by name.")
    parser.add_argument("--seeds", type=int, default=30, help="Students of each; at least 10 for an interval to hold.")
    chosen = parser.parse_args(arguments)
    one, other = chosen.learners.split(",")
    lemma = resolve_lemma(chosen.lemma).formula
    ones, others = shares(one, lemma, chosen.seeds), shares(other, lemma, chosen.seeds)
    # Five exams are five chances to be lucky, so that the intervals are made for all of them together.
    gains = difference(others, ones, span=1.0, family=len(EXAMINED_AFTER))
    print(f"{'episodes':>8} {one:>12} {other:>12}  {other} more, in points")
    for place, episodes in enumerate(EXAMINED_AFTER):
        value, low, high = (100 * each[place] for each in gains)
        told = f"{value:+.1f} ({low:+.1f} to {high:+.1f})"
        print(f"{episodes:8} {ones[:, place].mean():12.1%} {others[:, place].mean():12.1%}  {told}")


if __name__ == "__main__":
    main()
