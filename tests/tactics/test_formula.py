"""Formulas: one object for equal ones, and numbers that do not depend on how they came about."""

import copy
import gc
import pickle
import sys
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given

from tactics.formula import (
    FALSE,
    TRUTH,
    And,
    Atom,
    Binary,
    Falsum,
    Formula,
    Implies,
    atoms,
    equivalence,
    negation,
    subformulas,
)
from tactics.goal import Goal, Hypothesis
from tactics.parser import parse
from tactics.rules import inferences
from tests.strategies import formulas

A, B, C = Atom("A"), Atom("B"), Atom("C")


def rebuilt(formula: Formula) -> Formula:
    """Return the same formula, put together again from its leaves."""
    match formula:
        case Binary(left, right):
            return type(formula)(rebuilt(left), rebuilt(right))
        case Atom(name):
            return Atom("".join(name))
        case _:
            return Falsum()


def occurrences(formula: Formula) -> Iterator[Formula]:
    """Yield every node of a formula written out as a tree, from left to right, sides before the whole."""
    if isinstance(formula, Binary):
        yield from occurrences(formula.left)
        yield from occurrences(formula.right)
    yield formula


@given(formulas())
def test_equal_formulas_are_one_object(formula: Formula) -> None:
    assert rebuilt(formula) is formula


def test_different_formulas_are_different_objects() -> None:
    different = [*map(Atom, ("A'", "A0", "AA", "a")), A, B, FALSE, TRUTH, A & B, B & A, A | B, B | A, A >> B, B >> A]
    different += [~A, A & (B & C), (A & B) & C, A & A]
    for attribute in ("id", "digest"):
        assert len({getattr(formula, attribute) for formula in different}) == len(different)
    assert len(set(different)) == len(different)


def test_abbreviations_are_what_they_stand_for() -> None:
    assert negation(A) is ~A is Implies(A, FALSE)
    assert equivalence(A, B) is And(Implies(A, B), Implies(B, A))
    assert TRUTH is Implies(FALSE, FALSE)
    assert Falsum() is FALSE


@given(formulas())
def test_size_and_weight_are_those_of_the_formula_written_out(formula: Formula) -> None:
    nodes = list(occurrences(formula))
    assert formula.size == len(nodes)
    assert formula.weight == sum(2 if isinstance(node, And) else 1 for node in nodes)


@given(formulas())
def test_subformulas_come_once_each_and_sides_first_and_atoms_as_they_first_occur(formula: Formula) -> None:
    nodes = list(dict.fromkeys(occurrences(formula)))
    assert list(subformulas(formula)) == nodes
    assert list(atoms(formula)) == [node for node in nodes if isinstance(node, Atom)]


@given(formulas())
def test_a_copy_and_an_unpickled_formula_are_the_formula_itself(formula: Formula) -> None:
    assert copy.copy(formula) is formula
    assert copy.deepcopy([formula, formula])[1] is formula
    assert pickle.loads(pickle.dumps(formula)) is formula


def test_a_formula_that_is_made_again_has_the_same_digest_and_an_id_that_none_ever_had() -> None:
    seen: set[int] = set()
    digests: set[bytes] = set()
    for _ in range(100):
        formula = Atom("passing") | A
        assert not {formula.id, formula.left.id} & seen
        seen |= {formula.id, formula.left.id}
        digests.add(formula.digest)
        del formula
    assert len(digests) == 1


def test_deep_formulas_are_built_walked_pickled_and_forgotten_without_recursion() -> None:
    formula: Formula = Atom("passing")
    held = weakref.ref(formula)
    for _ in range(20_000):
        formula = negation(formula)
    assert len(formula.digest) == 16
    assert formula.size == formula.weight == 40_001
    assert atoms(formula) == (held(),)
    assert pickle.loads(pickle.dumps(formula)) is formula
    del formula
    assert held() is None
    formula = Atom("passing")
    held = weakref.ref(formula)
    for _ in range(2_000):
        formula = negation(formula)
        assert inferences(formula, True) or inferences(formula, False)
    del formula
    gc.collect()
    assert held() is None


def test_sharing_keeps_a_formula_small_in_memory_and_when_pickled() -> None:
    formula: Formula = A
    for _ in range(200):
        formula = And(formula, formula)
    assert formula.size == 2**201 - 1
    assert formula.weight == 3 * 2**200 - 2
    assert len(list(subformulas(formula))) == 201
    pickled = pickle.dumps(formula)
    assert len(pickled) < 10_000
    assert pickle.loads(pickled) is formula


def test_a_digest_never_changes_between_versions() -> None:
    assert A.digest.hex() == "df5052ab4b8eb3dc79e584add2d09ae8"
    assert (A >> (B | FALSE)).digest.hex() == "c9bd27bf4e40d219ffa00522c23105a5"
    goal = Goal((Hypothesis("H", A >> B), Hypothesis("H1", A)), B, frozenset({"H0", "H2", "H3"}))
    assert goal.digest.hex() == "8f107d4d7ec0de5669eaed8714128193"


def test_threads_that_make_and_forget_the_same_formulas_never_see_two_of_one() -> None:
    def never_two(_: int) -> bool:
        names = [f"thread_{number % 3}" for number in range(20_000)]
        return all((Atom(name) & A) is (Atom(name) & A) for name in names)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns as often as they can
    try:
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(never_two, range(4)))
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("name", ["A", "p_1", "_x", "x'", "x'y", "λ", "é", "H0", "False'", "Truth", "forall_"])
def test_an_identifier_can_name_an_atom(name: str) -> None:
    assert Atom(name).name == name
    assert parse(repr(Atom(name))) is Atom(name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "1", "1a", "'", "'a", "a b", "a-b", "A\n", " A", "a.b", "$a", "⊥", "forall", "Prop", "True", "False"],
)
def test_other_names_are_refused_with_what_is_allowed(name: str) -> None:
    with pytest.raises(ValueError, match=r"cannot name an atom: use letters, digits, _ and '") as refusal:
        Atom(name)
    assert repr(name) in str(refusal.value)
