"""What students know after 20,000 and 100,000 episodes, paid by `terminating` and by R†, by learner and lemma.

A reward for practice must hold however long a student practises: what students of `terminating` know in the end, those
of R† are to know as well. A student knows a lemma if all 100 plays of its exam prove. Each has a lemma to itself.

    python -m benchmarks.keeping -o keeping.csv

It goes on where it was stopped; with all that is practised but SYJ203.5 and 6 it takes two hours of a core. Of these a
student takes one to five minutes, most of it for states that nobody met before: `--only SYJ203.5,SYJ203.6` practises
them by themselves, and benchmarks/records/keeping.csv has those that were done.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from curricula.lemma import Lemma
from curricula.resolve import resolve
from oasis.ground.names import LEARNERS
from oasis.student.learners import learner as learner_named
from oasis.student.settings import Settings
from oasis.student.student import School

EPISODES = (20_000, 100_000)
REWARDS = ("terminating", "dagger")
SEEDS = 5
Row = tuple[str, str, str, int, int, float]
"""Reward, learner, lemma, seed, episodes, and the share of plays that prove."""


def lemmas() -> Iterator[Lemma]:
    """Yield the lemmas that are practised: textbook, course, SYJ203.1 to 4, and chains of 4 to 24."""
    for name in ("textbook", "course", "SYJ203.1", "SYJ203.2", "SYJ203.3", "SYJ203.4"):
        yield from resolve(name).lemmas
    for length in (4, 8, 12, 16, 20, 24):
        atoms = [f"A{number}" for number in range(1, length + 1)]
        yield from resolve(f"Z \\/ ({' -> '.join([*atoms, atoms[0]])})").lemmas


def practised(done: set[tuple[str, ...]], only: Collection[str] = ()) -> Iterator[Row]:
    """Yield a row for each exam that is not done yet, of all lemmas or only some, by their names."""
    learners = [name for name in LEARNERS if learner_named(name).rewarded and name != "uniform"]
    for lemma in (each for each in lemmas() if not only or each.name in only):
        for learner in learners:
            for reward in REWARDS:
                for seed in range(SEEDS):
                    if (reward, learner, lemma.name, str(seed), str(EPISODES[-1])) in done:
                        continue
                    settings = Settings(reward=reward, learner=learner, state_space="name", seed=seed)
                    student, so_far = School(settings).student(seed), 0
                    for episodes in EPISODES:
                        student.practise(lemma.formula, episodes - so_far)
                        so_far = episodes
                        yield reward, learner, lemma.name, seed, episodes, student.examine(lemma.formula).share


def told(rows: list[list[str]]) -> Iterator[str]:
    """Yield a line for each learner and length, and one for each lemma that fewer students of R† know."""
    known: Counter[tuple[str, str, str, str]] = Counter()
    tried: Counter[tuple[str, str, str, str]] = Counter()
    for reward, learner, lemma, _, episodes, share in rows:
        for name in (lemma, "all"):
            tried[reward, learner, name, episodes] += 1
            known[reward, learner, name, episodes] += float(share) == 1
    for _, learner, name, episodes in sorted({("", *key[1:]) for key in tried}):
        first, second = (known[reward, learner, name, episodes] for reward in REWARDS)
        if name == "all" or second < first:
            what = f"{first} by terminating, {second} by R†, of {tried[REWARDS[1], learner, name, episodes]}"
            yield f"{learner:14} {name:28} {int(episodes):>7,} episodes: {what}"


def main() -> None:
    """Practise what is left, and tell what is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--only", type=lambda text: text.split(","), default=(), metavar="LEMMA,...")
    asked = parser.parse_args()
    path = asked.output
    rows = [*csv.reader(path.open())] if path.exists() else []
    with path.open("a") as stream:
        for row in practised({tuple(row[:5]) for row in rows}, asked.only):
            csv.writer(stream).writerow(row)
            stream.flush()
    print("\n".join(told([*csv.reader(path.open())])))


if __name__ == "__main__":
    main()
