"""Distinct states that a random player visits, by each notion of sameness: `python -m benchmarks.visits`."""

from __future__ import annotations

import argparse
import json
from random import Random

from curricula import resolve, resolve_lemma
from curricula.copies import copies
from state_spaces.merging import distinct, met_at_random


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    one = resolve_lemma("SYJ203.3").formula
    textbook = [lemma.formula for lemma in resolve("textbook").lemmas[:40]]
    corpora = {
        "10,000 episodes of SYJ203.3": ([one], 10_000),
        "50,000 of five letterings of it": (copies(one, 5, Random(seed)), 10_000),
        "40,000 of the first 40 textbook lemmas": (textbook, 1_000),
    }
    counts = {
        name: distinct(met_at_random(formulas, episodes, Random(seed)))._asdict()
        for name, (formulas, episodes) in corpora.items()
    }
    print(json.dumps(counts, indent=1))


if __name__ == "__main__":
    main()
