"""The published sets of PropL: `python -m benchmarks.propl` draws them anew, `--write` keeps them with the package.

Formulas are drawn uniformly from stated seeds and decided, and of the theorems the length of a shortest proof is worked
out: 1,000 ordinary and 1,000 hard ones of 16 connectives for the tests; then 200 of each size, whatever their length;
then 10,000 to learn from. No two of all these are the same up to the names of their atoms. Prints the share of theorems
among all formulas, and those of ordinary and hard ones among the theorems.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from curricula import propl
from curricula.propl_lemmas import HARD, ORDINARY, SIZES, Entry, written
from oasis.proving import shortest_length
from oasis.teacher.deciding.decide import Verdict, decide
from state_spaces.name import Name
from tactics.goal import initial

DATA: Final = Path(__file__).parents[1] / "curricula" / "data" / "propl.tsv.gz"
TEST_SEED, SIZES_SEED, TRAINING_SEED = 2404, 7382, 1
TEST, SIZE, TRAINING = 1_000, 200, 10_000
"""Theorems in each set."""
SECONDS: Final = 60
"""For the shortest proof of a theorem; one of 256 connectives takes more than ten."""


class Drawing:
    """Theorems of a stream, none twice up to renaming, and how many formulas had to be drawn for them."""

    def __init__(self) -> None:
        self._keys: set[object] = set()
        self.formulas = self.theorems = self.ordinary = self.hard = 0  # of 16 connectives

    def theorems_of(self, seed: int, n: int) -> Iterator[Entry]:
        for number in propl.sample(seed, 10**9, n):
            formula = propl.formula(number, n)
            self.formulas += n == propl.CONNECTIVES
            verdict = decide(formula).verdict
            assert verdict is not Verdict.UNKNOWN
            if verdict is Verdict.THEOREM:
                length = shortest_length(formula, SECONDS)
                assert length is not None, f"more than {SECONDS} seconds for propl/{n}/{number}"
                if n == propl.CONNECTIVES:
                    self.theorems += 1
                    self.ordinary += length <= ORDINARY
                    self.hard += length >= HARD
                if (key := Name().view(initial(formula)).key) not in self._keys:
                    self._keys.add(key)
                    yield Entry(n, number, length)

    def __str__(self) -> str:
        theorems, ordinary, hard = (
            f"{100 * part / whole:.1f} %"
            for part, whole in (
                (self.theorems, self.formulas),
                (self.ordinary, self.theorems),
                (self.hard, self.theorems),
            )
        )
        of_these = f"of these {ordinary} ordinary and {hard} hard"
        return f"{self.formulas:,} formulas of {propl.CONNECTIVES} connectives: {theorems} theorems, {of_these}"


def sets() -> dict[str, list[Entry]]:
    drawing = Drawing()
    drawn: dict[str, list[Entry]] = {"propl-test-ordinary": [], "propl-test-hard": []}
    ordinary, hard = drawn.values()
    for entry in drawing.theorems_of(TEST_SEED, propl.CONNECTIVES):
        fitting = ordinary if entry.length <= ORDINARY else hard if entry.length >= HARD else []
        if len(fitting) < TEST:
            fitting.append(entry)
        if len(ordinary) == len(hard) == TEST:
            break
    drawn["propl-sizes"] = [
        entry for n in SIZES for _, entry in zip(range(SIZE), drawing.theorems_of(SIZES_SEED, n), strict=False)
    ]
    stream = drawing.theorems_of(TRAINING_SEED, propl.CONNECTIVES)
    drawn["propl-train"] = [entry for _, entry in zip(range(TRAINING), stream, strict=False)]
    print(drawing)
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep them in {DATA.name}")
    arguments = parser.parse_args()
    drawn = sets()
    for name, entries in drawn.items():
        lengths = [entry.length for entry in entries]
        moves = f"{min(lengths)} to {max(lengths)} moves, mean {sum(lengths) / len(lengths):.2f}"
        print(f"{name}: {len(entries):,} theorems, {moves}")
    if arguments.write:
        DATA.write_bytes(gzip.compress(written(drawn).encode(), mtime=0))
        print(f"{DATA}: {DATA.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
