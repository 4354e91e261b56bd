"""How fast Coq is as a referee, and what our driver adds: `python -m pytest benchmarks/test_provers.py -s`.

Figures are ratios within one run wherever they can be: `driver_share` is the time that a step takes beyond Coq's own
processor time, by that (target: at most 1); `certify_by_coqc` is the time to certify proofs of SYJ203.2 by
that of `coqc` on one file with the same proofs (target: at most 1), its start and ours included.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import pytest

from curricula.resolve import resolve_lemma
from oasis.backends.coq.driver import Coq
from oasis.backends.coq.protocol import CoqProcess
from oasis.backends.coq.setup import find, tactics_folder
from oasis.backends.coq.text import THEOREM, sentence, statement
from tactics.claims import Claim
from tactics.formula import Formula
from tests.backends.walks import random_proof, walks
from tests.optional import missing

MOVES = 20_000
PROOFS = 1_000


@pytest.fixture
def coq() -> Iterator[Coq]:
    if shutil.which("coqidetop.opt") is None:
        missing("Coq is not installed")
    with Coq() as prover:
        prover.certify([])
        yield prover


def process_of(prover: Coq) -> CoqProcess:
    assert prover._process is not None
    return prover._process


def report(benchmark: Any, **figures: float | str) -> None:
    benchmark.extra_info.update(figures)
    print(*(f"\n{name}: {figure}" for name, figure in figures.items()))


def megabytes(pid: int) -> float:
    """Resident memory of a process, where the system tells."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def processor_seconds(pid: int) -> float:
    """What a process has used of the processor, where the system tells."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return float("nan")
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_share_of_the_driver_in_a_step(benchmark: Any, coq: Coq) -> None:
    """Steps of random walks with their goals read; what is not Coq's processor time is counted as ours."""
    script = [walk for walk in walks(0, 300) if walk.script]
    walls: list[float] = []
    theirs: list[float] = []
    steps = sum(len(walk.script) for walk in script)

    def walk_all() -> None:
        walls.append(0.0)
        before = processor_seconds(process_of(coq).pid)
        begun = perf_counter()
        for walk in script:
            coq.start(walk.formula)
            for move in walk.script:
                coq.apply(move)
                coq.goals()
        walls[-1] = perf_counter() - begun
        theirs.append(processor_seconds(process_of(coq).pid) - before)

    benchmark.pedantic(walk_all, rounds=5, iterations=1)
    report(
        benchmark,
        driver_share=round(median(wall / own - 1 for wall, own in zip(walls, theirs, strict=True)), 2),
        milliseconds_a_step=round(1000 * median(walls) / steps, 2),
        of_these_coq=round(1000 * median(theirs) / steps, 2),
    )


def test_memory_and_latency_stay_flat(benchmark: Any, coq: Coq) -> None:
    """Many lemmas one after the other through one process; the first and last twentieth of the moves are compared."""
    latencies: list[float] = []
    memory: list[float] = []
    first: list[int] = []

    def endure() -> None:
        for walk in chain.from_iterable(walks(seed, 500) for seed in range(MOVES)):
            coq.start(walk.formula)
            process = process_of(coq)
            first.append(process.pid)
            for move in walk.script:
                begun = perf_counter()
                coq.apply(move)
                coq.goals()
                latencies.append(perf_counter() - begun)
                if len(latencies) % 100 == 0:
                    memory.append(megabytes(process.pid))
                if len(latencies) == MOVES:
                    return

    benchmark.pedantic(endure, rounds=1, iterations=1)
    part = MOVES // 20
    assert len(set(first)) == 1
    report(
        benchmark,
        moves=MOVES,
        step_milliseconds_at_first=round(1000 * median(latencies[:part]), 3),
        step_milliseconds_at_last=round(1000 * median(latencies[-part:]), 3),
        megabytes_at_first=round(median(memory[: part // 100]), 1),
        megabytes_at_last=round(median(memory[-part // 100 :]), 1),
    )


def coqc_file(claims: list[Claim], formula: Formula) -> str:
    """What a person would write: each theorem, its moves one a sentence, Qed."""
    lines = ["From Oasis Require Import dyckhoff."]
    for number, claim in enumerate(claims):
        lines += [statement(formula, {}).replace(THEOREM, f"theorem{number}"), "d_start."]
        lines += [f"{sentence(move)}." for move in claim.script]
        lines.append("Qed.")
    return "\n".join(lines) + "\n"


def test_bulk_certification_by_coqc(benchmark: Any, coq: Coq, tmp_path: Path) -> None:
    formula = resolve_lemma("SYJ203.2").formula
    claims = [Claim(formula, random_proof(formula, Random(seed))) for seed in range(PROOFS)]
    (tmp_path / "proofs.v").write_text(coqc_file(claims, formula))
    installation = find(None, Coq.install, 60)
    folder = tactics_folder(installation, 60)
    command = [*installation.compiler, "-q", "-w", "none", "-Q", str(folder), "Oasis", "proofs.v"]
    ratios: list[float] = []
    ours: list[float] = []

    def both() -> None:
        begun = perf_counter()
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        compiled = perf_counter() - begun
        begun = perf_counter()
        with Coq() as prover:
            assert all(certificate.accepted for certificate in prover.certify(claims))
        ours.append(perf_counter() - begun)
        ratios.append(ours[-1] / compiled)

    benchmark.pedantic(both, rounds=5, iterations=1)
    report(
        benchmark,
        certify_by_coqc=round(median(ratios), 2),
        certificates_a_second=round(PROOFS / median(ours)),
        moves_a_second=round(sum(len(claim.script) for claim in claims) / median(ours)),
    )
