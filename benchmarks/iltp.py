"""The whole ILTP library, decided here and by Coq's `tauto` and `firstorder`: `python -m benchmarks.iltp`.

Prints a table with a line for each family: how many problems were decided, and in how many seconds altogether. A tactic
that fails or runs out of time decides nothing: neither tells a non-theorem from a theorem that it cannot do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from curricula import resolve
from curricula.lemma import Lemma
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.printer import COQ, show

TACTICS = ("tauto", "firstorder")


@dataclass
class Line:
    """One family: how many problems, and for each prover how many it decided and how long it took for all of them."""

    problems: int = 0
    wrong: int = 0
    decided: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)

    def add(self, prover: str, decided: bool, seconds: float) -> None:
        self.decided[prover] = self.decided.get(prover, 0) + decided
        self.seconds[prover] = self.seconds.get(prover, 0) + seconds
        self.worst[prover] = max(self.worst.get(prover, 0), seconds)


def by_coq(lemma: Lemma, tactic: str, limit: float, folder: Path) -> tuple[bool, float]:
    """Whether Coq accepts the tactic as a proof within the limit; starting Coq is part of the time."""
    file = folder / "problem.v"
    file.write_text(
        f"Goal {show(lemma.formula, COQ, quantified=True)}.\nProof. intros; solve [ {tactic} ]. Qed.\n",
        encoding="utf-8",
    )
    began = perf_counter()
    try:
        done = subprocess.run(["coqc", "-q", str(file)], cwd=folder, capture_output=True, timeout=limit, check=False)
        accepted = done.returncode == 0
    except subprocess.TimeoutExpired:
        accepted = False
    return accepted, perf_counter() - began


def measure(lemmas: Iterable[Lemma], seconds: float, coq_seconds: float) -> dict[str, Line]:
    """A line for each family, in the order of the library."""
    lines: dict[str, Line] = {}
    with TemporaryDirectory() as folder:
        for lemma in lemmas:
            name = lemma.name.split(".")[0]
            line = lines.setdefault(name if name.startswith("SYJ2") else f"{name[:3]}, the rest", Line())
            line.problems += 1
            found = decide(lemma.formula, seconds=seconds)
            line.add("oasis", found.verdict is not Verdict.UNKNOWN, found.seconds)
            line.wrong += found.contradicts(lemma.status)
            for tactic in TACTICS if coq_seconds else ():
                line.add(tactic, *by_coq(lemma, tactic, coq_seconds, Path(folder)))
            print(f"{lemma.name}: {found.verdict}, {found.seconds:.2f} s", file=sys.stderr, flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="limit for each problem here")
    parser.add_argument("--coq-seconds", type=float, default=10, help="limit for each problem in Coq; 0 leaves Coq out")
    arguments = parser.parse_args()
    lines = measure(resolve("iltp").lemmas, arguments.seconds, arguments.coq_seconds)
    provers = ["oasis", *(TACTICS if arguments.coq_seconds else ())]
    print(f"| family | problems | {' | '.join(provers)} | slowest here |")
    print("|---|---|" + "---|" * (len(provers) + 1))
    for name, line in lines.items():
        cells = [f"{line.decided[prover]} ({line.seconds[prover]:.1f} s)" for prover in provers]
        print(f"| {name} | {line.problems} | {' | '.join(cells)} | {line.worst['oasis']:.2f} s |")
    total = [
        f"{sum(line.decided[prover] for line in lines.values())} "
        f"({sum(line.seconds[prover] for line in lines.values()):.1f} s)"
        for prover in provers
    ]
    problems = sum(line.problems for line in lines.values())
    worst = max(line.worst["oasis"] for line in lines.values())
    print(f"| all | {problems} | {' | '.join(total)} | {worst:.2f} s |")
    wrong = sum(line.wrong for line in lines.values())
    print(f"{wrong} against the library's own word", file=sys.stderr)


if __name__ == "__main__":
    main()
