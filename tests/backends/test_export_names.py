"""Exported files over atoms with awkward names: `python -m tests.backends.test_export_names 2000` at length."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from oasis.backends.coq import text as coq_text
from oasis.backends.export import EXPORTS, Proof
from oasis.backends.export import coq as coq_export
from oasis.backends.lean import words
from tactics.formula import RESERVED_NAMES, atoms, renamed
from tactics.goal import initial
from tests.backends.readers import coqc, lean, lean_steps
from tests.backends.walks import lemmas, provable, random_proof

_OTHERS: Final = (
    *("H", "H0", "H1", "H10", "H'", "given", "premise", "principal", "added", "c", "d", "h", "p1", "p2", "x'", "_x"),
    *("λ", "é", "Ж", "η", "κ", "intro", "left", "Nat", "String", "nil", "t", "NaN", "Inf", "conj", "And", "I"),
)
AWKWARD: Final = sorted({*words.RESERVED, *coq_text.RESERVED, *coq_export.RESERVED, *_OTHERS} - RESERVED_NAMES)
NO_AXIOMS: Final = "does not depend on any axioms"


def awkward(seed: int, count: int) -> Iterator[Proof]:
    """Random theorems whose atoms have awkward names, each with a random proof."""
    rng = Random(f"awkward {seed}")
    found = 0
    while found < count:
        for formula in lemmas(rng.randrange(1 << 40), 1):
            if atoms(formula):
                plain = [atom.name for atom in atoms(formula)]
                named = renamed(formula, dict(zip(plain, rng.sample(AWKWARD, len(plain)), strict=True)))
                if provable(initial(named)[0]):
                    found += 1
                    yield Proof(rng.choice([f"lemma {found}", *AWKWARD]), named, random_proof(named, rng))


def check(proofs: list[Proof], folder: Path, timeout: float) -> None:
    assert coqc(EXPORTS["coq"].write(proofs), folder, timeout).count("Closed under") == len(proofs)
    coqc(EXPORTS["coq-standard"].write(proofs), folder, timeout)
    assert lean(EXPORTS["lean"].write(proofs), folder, timeout).count(NO_AXIOMS) == len(proofs)
    assert lean(lean_steps(proofs), folder, timeout).count(NO_AXIOMS) == len(proofs)


def test_every_file_over_awkward_names_is_accepted(tmp_path: Path) -> None:
    check(list(awkward(1, 60)), tmp_path, 60)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        check(list(awkward(0, int(sys.argv[1]))), Path(place), 600)
    print(f"{sys.argv[1]} lemmas over awkward names: coq, coq-standard, lean and the steps of lean-standard accepted")
