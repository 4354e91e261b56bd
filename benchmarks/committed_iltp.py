"""ILTP's theorems by committed choice: what each policy proves of the whole library without taking back a move.

`python -m benchmarks.committed_iltp -o FILE` plays and writes a line of JSON for each play; with lines there already it
goes on where it was, and with all of them it only prints the table, in Markdown. `--policies` are names as `oasis
policy eval` takes them, with ` --judge` behind those that are to judge what moves leave.

Moves that cannot lose are made eagerly. A theorem is given up after so many moves, and a family behind two levels in a
row that a policy did not prove. The uniform policy draws lots, so it plays with ten seeds, and others with one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np

from benchmarks.learned_order import OUT_OF_REACH, SEEDS
from curricula.benchmark import benchmark
from curricula.lemma import Lemma
from oasis.ground.statistics import SHARE
from oasis.neural.policies import policy_named
from oasis.play.committed import Choosing, committed
from tactics.script import replay

JUDGE: Final = " --judge"
POLICIES: Final = f"uniform,first,last,shape,look,teacher{JUDGE},tiny,tiny{JUDGE}"


@dataclass(frozen=True)
class Played:
    """A play.

    Attributes:
        policy: its name, and how it plays.
        lemma: its name.
        seed: of its lots.
        proved: whether it is a proof.
        is_cut: whether it was given up because of its moves.
        moves: that were made.
        seconds: of the processor.
    """

    policy: str
    lemma: str
    seed: int
    proved: bool
    is_cut: bool
    moves: int
    seconds: float


def play_all(
    names: Sequence[str], families: Mapping[str, Sequence[Lemma]], file: Path, max_moves: int
) -> Iterator[Played]:
    """Play what a file has not, family by family; all plays, those in the file too."""
    known = [Played(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(each.policy, each.lemma, each.seed): each for each in known}
    with file.open("a", encoding="utf-8") as lines:
        for name in names:
            policy = policy_named(name.removesuffix(JUDGE), None)
            choosing = Choosing(judge=name.endswith(JUDGE))
            for lemmas in families.values():
                failed = 0
                for lemma in lemmas:
                    proved = False
                    for seed in range(SEEDS if name == "uniform" else 1):
                        each = done.get((name, lemma.name, seed))
                        if each is None:
                            began = process_time()
                            (played,) = committed(policy, [lemma.formula], choosing, seed=seed, max_moves=max_moves)
                            seconds = round(process_time() - began, 3)
                            assert played.proved == (not replay(lemma.formula, played.script)[-1])
                            each = Played(
                                name, lemma.name, seed, played.proved, played.is_cut, len(played.script), seconds
                            )
                            print(json.dumps(asdict(each)), file=lines, flush=True)
                            print(each, file=sys.stderr)
                        proved |= each.proved
                        yield each
                    failed = 0 if proved else failed + (lemma.level is not None)
                    if failed == OUT_OF_REACH:
                        break


def table(names: Sequence[str], families: Mapping[str, Sequence[Lemma]], plays: Sequence[Played]) -> None:
    """Theorems proved by each policy, by family: the mean over its seeds; the share of all with its 95 % interval."""
    print(f"| family | theorems | {' | '.join(names)} |")
    print("|---|---|" + "---|" * len(names))
    rows = [*families.items(), ("all", [lemma for lemmas in families.values() for lemma in lemmas])]
    means: list[float] = []
    for family, lemmas in rows:
        in_family = {lemma.name for lemma in lemmas}
        proved = [each for each in plays if each.proved and each.lemma in in_family]
        means = [sum(each.policy == name for each in proved) / (SEEDS if name == "uniform" else 1) for name in names]
        print(f"| {family} | {len(lemmas)} | {' | '.join(f'{mean:.3g}' for mean in means)} |")
    number = len(rows[-1][1])
    shares = [SHARE.of((np.arange(number) < round(mean)).astype(np.float64), 0, 1) for mean in means]
    said = ["{:.1f} ({:.1f}–{:.1f})".format(*(100 * bound for bound in share)) for share in shares]
    print(f"| all, % | | {' | '.join(said)} |")
    for name in names:
        cut = sorted({each.lemma for each in plays if each.policy == name and each.is_cut})
        print(f"{name}: given up because of their moves: {', '.join(cut) or 'none'}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policies", default=POLICIES)
    parser.add_argument("--max-proof", type=int, default=300, help="moves after which a theorem is given up")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where the plays are kept")
    arguments = parser.parse_args()
    names = arguments.policies.split(",")
    families = benchmark("iltp").parts["families"]
    plays = list(play_all(names, families, arguments.output, arguments.max_proof))
    table(names, families, plays)
    print(f"\n{sum(each.seconds for each in plays):,.0f} CPU-seconds", file=sys.stderr)


if __name__ == "__main__":
    main()
