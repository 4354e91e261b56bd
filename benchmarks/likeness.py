"""How often the report of likeness names students who do not copy, and how often one who does.

Run it: `python -m benchmarks.likeness 30 10`, for so many classes without a copier, and with one in so many of these.
"""

from __future__ import annotations

import sys
from collections import Counter
from time import process_time

from oasis.classroom.register.likeness import Pair, alike, choices_of
from tests.classroom.test_likeness import SPACE, classroom, with_a_detour

SIZE = 15
LEVELS = (0.001, 0.05)


def first(pairs: list[Pair], *names: str) -> float:
    """Return the smallest chance of a pair, of that with these names if some are given; 1 if there is none."""
    return min((pair.chance for pair in pairs if not names or {*names} == {*pair.names}), default=1.0)


def main(classes: int, tried: int) -> None:
    """Print a line for each spread of habits: in how many classes somebody is named, and how many copiers are."""
    for spread in (1.0, 2.0, 3.0):
        began, choices = process_time(), 0
        wrong, found = Counter[float](), Counter[str]()
        for seed in range(classes):
            done = classroom(seed, SIZE, spread)
            made = {name: choices_of(each, SPACE) for name, each in done.items()}
            choices += sum(map(len, made.values()))
            chance = first(alike(made, 1.0))
            wrong.update(level for level in LEVELS if chance <= level)
            if seed >= tried:
                continue
            source, other = (f"student {(seed + number) % SIZE}" for number in (0, 1))
            copies = {
                "all": done[source],
                "all, with detours": [with_a_detour(*each) for each in done[source]],
                "half": [*done[source][:2], *done[other][2:]],
            }
            for kind, works in copies.items():
                rest = {name: each for name, each in made.items() if kind != "half" or name != other}
                pairs = alike({**rest, "copier": choices_of(works, SPACE)}, LEVELS[0])
                found[kind] += first(pairs, source, "copier") < 1
        named = ", ".join(f"at {level} in {wrong[level]} of {classes}" for level in LEVELS)
        copiers = ", ".join(f"{kind} {found[kind]} of {min(tried, classes)}" for kind in copies)
        each = choices / classes / SIZE
        seconds = process_time() - began
        print(f"spread {spread:g}: {each:.0f} choices each; {named}; found {copiers}; {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
