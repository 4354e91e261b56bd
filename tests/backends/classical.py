"""Classical validity by a truth table, for what stands in for a classical prover."""

from __future__ import annotations

from itertools import product

from tactics.formula import And, Falsum, Formula, Implies, Or, atoms


def is_classical(formula: Formula) -> bool:
    """Whether a formula is valid classically, by its truth table."""

    def holds(part: Formula, true: dict[Formula, bool]) -> bool:
        match part:
            case And(left, right):
                return holds(left, true) and holds(right, true)
            case Or(left, right):
                return holds(left, true) or holds(right, true)
            case Implies(left, right):
                return holds(right, true) or not holds(left, true)
            case Falsum():
                return False
            case _:
                return true[part]

    names = atoms(formula)
    rows = product([False, True], repeat=len(names))
    return all(holds(formula, dict(zip(names, row, strict=True))) for row in rows)
