"""The published sets of PropL: `python -m benchmarks.propl` draws them anew, `--write` keeps them with the package.

Formulas are drawn uniformly from stated seeds and decided, and of the theorems the length of a shortest proof is worked
out: 1,000 ordinary and 1,000 hard ones of 16 connectives for the tests; then 200 of each size, whatever their length;
then 10,000 to learn from. No two of all these are the same up to the names of their atoms. Prints the share of theorems
among all formulas, and those of ordinary and hard ones among the theorems. `--check` draws no sets: it compares chance
and lengths with others, and tells the speed.
"""

from __future__ import annotations

import argparse
import gzip
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Final

from scipy.stats import chisquare

from curricula import propl
from curricula.generator import random_formula
from curricula.propl_lemmas import HARD, ORDINARY, SIZES, Entry, written
from oasis.search.ao_star import shortest_length
from oasis.teacher.deciding.decide import Verdict, decide
from oasis.teacher.proofs import Proof, prove
from state_spaces.name import Name
from tactics.formula import FALSE, TRUTH, Atom
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


def check(formulas: int = 20_000) -> None:
    """Shares beside those of another generator, lengths beside the teacher's, evenness, and formulas a CPU-second."""
    began = process_time()
    ours = [propl.formula(number) for number in propl.sample(0, formulas)]
    between = process_time()
    draw, leaves = random.Random(0).random, [TRUTH, FALSE, *(Atom(f"p{i}") for i in range(1, propl.ATOMS + 1))]
    others = [random_formula(draw, propl.CONNECTIVES, leaves, 0.0) for _ in range(formulas)]
    speeds = formulas / (between - began), formulas / (process_time() - between)
    print(f"{speeds[0]:,.0f} formulas a CPU-second, {speeds[1]:,.0f} by Rémy")
    for name, drawn in (("numbers", ours), ("Rémy's trees", others)):
        theorems = [formula for formula in drawn if decide(formula).verdict is Verdict.THEOREM]
        lengths = [found.length for formula in theorems if isinstance(found := prove(formula), Proof)]
        ordinary = sum(length <= ORDINARY for length in lengths) / len(lengths)
        hard = sum(length >= HARD for length in lengths) / len(lengths)
        shares = f"as the teacher proves them {ordinary:.1%} ordinary, {hard:.1%} hard"
        print(f"{name}: {len(theorems) / formulas:.2%} theorems; {shares}")
    for atoms in (1, 2):
        times = Counter(propl.sample(5, 40 * propl.formulas(2, atoms), 2, atoms))
        even = chisquare([times[number] for number in range(propl.formulas(2, atoms))])
        print(f"all formulas of 2 connectives and {atoms} atoms are drawn alike: p = {even.pvalue:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep them in {DATA.name}")
    parser.add_argument("--check", action="store_true", help="compare chance, lengths and speed with others")
    arguments = parser.parse_args()
    if arguments.check:
        check()
        return
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
