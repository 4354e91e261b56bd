"""What we show of formulas is what others read: Coq and Lean read the same formula without the brackets left out."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from curricula import resolve
from tactics.formula import Formula, atoms
from tactics.printer import COQ, UNICODE, show
from tests.backends.readers import coqc, lean, lean_with_connectives
from tests.backends.walks import random_formula
from tests.thorough import THOROUGH, examples

pytestmark = pytest.mark.slow
LONGEST = 10**6 if THOROUGH else 10**4


@pytest.fixture(scope="module")
def shown() -> list[Formula]:
    """Return all lemmas of the catalogue that are not too long to be read with ease, and random formulas."""
    names = ("textbook", "choices", "thesis", "course", "iltp")
    formulas = [lemma.formula for name in names for lemma in resolve(name).lemmas]
    formulas += [random_formula(Random(seed), 3 + seed % 60, "ABC") for seed in range(examples(1_200))]
    return [formula for formula in dict.fromkeys(formulas) if len(show(formula)) < LONGEST]


def test_coq_reads_what_is_shown(shown: list[Formula], tmp_path: Path) -> None:
    bracketed = replace(COQ, brackets_all=True)
    lines = [
        f"Definition read{number} (unused {_names(formula)} : Prop) : ({show(formula)}) -> ({show(formula, bracketed)})"
        " := fun shown => shown."
        for number, formula in enumerate(shown)
    ]
    assert len(lines) > 250
    assert coqc("\n".join(lines), tmp_path, timeout=600) == ""


def test_lean_reads_what_is_shown(shown: list[Formula], tmp_path: Path) -> None:
    signs = replace(UNICODE, falsum="falsum", truth="truth", negation="not¬")
    bracketed = replace(signs, brackets_all=True)
    lines = [lean_with_connectives(), "set_option maxRecDepth 100000"]
    lines += ["theorem one (p q r : Prop) (shown : p → q ↔ r) : (p → q) → r := shown"]
    lines += [
        f"theorem read{number} (falsum truth not {_names(formula)} : Prop) (shown : {show(formula, signs)}) : "
        f"{show(formula, bracketed)} := shown"
        for number, formula in enumerate(shown)
    ]
    assert lean("\n".join(lines), tmp_path, timeout=600) == ""


def _names(formula: Formula) -> str:
    return " ".join(atom.name for atom in atoms(formula))
