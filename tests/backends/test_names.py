"""Atoms get names that a prover can take, and only where they must."""

from hypothesis import given

from oasis.backends.names import LONGEST, named_back, safe_names
from tactics.formula import Atom, Formula, atoms, renamed
from tactics.parser import parse
from tactics.printer import show
from tests.strategies import formulas

RESERVED = frozenset({"fun", "Type", "p1"})


def test_only_names_that_a_prover_cannot_take_are_replaced() -> None:
    formula = parse("fun /\\ Type /\\ p2 /\\ x' /\\ λ /\\ _ -> A")
    assert safe_names(formula, RESERVED) == {"fun": "p3", "Type": "p4", "λ": "p5", "_": "p6"}


def test_new_names_are_neither_reserved_nor_taken() -> None:
    assert safe_names(parse("p1 -> p2 -> p3"), RESERVED) == {"p1": "p4"}


def test_very_long_names_are_replaced() -> None:
    long = "a" * (LONGEST + 1)
    assert safe_names(parse(f"{long} -> {long[1:]}"), ()) == {long: "p1"}


@given(formulas())
def test_renaming_keeps_the_shape_and_is_undone_in_text(formula: Formula) -> None:
    names = safe_names(formula, RESERVED | {atom.name for atom in atoms(formula)[::2]})
    safe = renamed(formula, names)
    assert not {atom.name for atom in atoms(safe)} & set(names)
    assert len(atoms(safe)) == len(atoms(formula))
    assert safe.size == formula.size
    assert parse(named_back(show(safe), names)) is formula


def test_falsity_is_not_an_atom_to_rename() -> None:
    formula = parse("False -> fun")
    assert renamed(formula, {"fun": "p1"}) is parse("False -> p1")
    assert Atom("p1") in atoms(renamed(formula, {"fun": "p1"}))
