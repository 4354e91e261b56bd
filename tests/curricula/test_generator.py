"""Random lemmas: exactly what was asked for, the same everywhere, and honest about what holds."""

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.generator import (
    ATOM_NAMES,
    KINDS,
    RandomSettings,
    random_formula,
    random_lemmas,
    random_tree,
    search_status,
)
from curricula.lemma import Status
from curricula.mutations import mutants
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.errors import InputError
from tactics.formula import FALSE, Atom, Binary, Formula, atoms, subformulas
from tests.strategies import formulas
from tests.thorough import examples

some_settings = st.builds(
    RandomSettings,
    size=st.integers(3, 12),
    atoms=st.integers(2, 4),
    kind=st.sampled_from(KINDS),
    count=st.integers(1, 5),
    seed=st.integers(0, 2**40),
    falsum=st.sampled_from([0.0, 0.1, 0.3]),
)


@given(some_settings)
def test_lemmas_have_the_size_atoms_and_number_asked_for_and_a_larger_count_adds(wanted: RandomSettings) -> None:
    lemmas = list(random_lemmas(wanted))
    assert len(lemmas) == len({lemma.formula for lemma in lemmas}) == wanted.count
    for lemma in lemmas:
        assert lemma.formula.size == 2 * wanted.size + 1
        assert {atom.name for atom in atoms(lemma.formula)} <= set(ATOM_NAMES[: wanted.atoms])
        if wanted.falsum == 0:
            assert FALSE not in subformulas(lemma.formula)
        if wanted.kind != "any":
            assert lemma.status == wanted.kind
    again = RandomSettings.parse(f"{wanted.prefix.partition(':')[2]},count={wanted.count + 2}")
    assert list(random_lemmas(again))[: wanted.count] == lemmas


@given(st.integers(0, 2**32), st.integers(1, 7))
@settings(max_examples=examples(150))
def test_the_sieve_agrees_with_who_decides(seed: int, size: int) -> None:
    formula = random_formula(random.Random(seed).random, size, [Atom("p"), Atom("q")], 0.2)
    is_theorem = decide(formula).verdict is Verdict.THEOREM
    assert search_status(formula) is (Status.THEOREM if is_theorem else Status.NON_THEOREM)


def test_the_sieve_says_so_when_its_budget_is_spent() -> None:
    (lemma,) = random_lemmas(RandomSettings(size=30, kind="theorem", count=1))
    assert search_status(lemma.formula, budget=1) is None
    assert search_status(lemma.formula) is Status.THEOREM


def test_every_shape_is_drawn_equally_often() -> None:
    draw = random.Random(1).random
    shapes = Counter(tuple(shape_of(random_tree(draw, 4))) for _ in range(14_000))
    # 14 binary trees have four inner nodes; 1000 of each are expected, with a standard deviation of about 30.
    assert len(shapes) == 14
    assert all(850 < number < 1150 for number in shapes.values())


def shape_of(links: list[int]) -> list[bool]:
    """Return which nodes are inner ones, each before its sides."""
    pending, shape = [links[0]], []
    while pending:
        node = pending.pop()
        shape.append(node % 2 == 1)
        if node % 2:
            pending += [links[node + 1], links[node]]
    return shape


def test_connectives_and_leaves_are_drawn_as_stated() -> None:
    draw = random.Random(2).random
    leaves: Counter[str] = Counter()
    connectives: Counter[str] = Counter()
    for _ in range(3000):
        formula = random_formula(draw, 1, [Atom("p"), Atom("q")], 0.25)
        assert isinstance(formula, Binary)
        connectives[type(formula).__name__] += 1
        leaves.update(map(repr, (formula.left, formula.right)))
    assert all(880 < connectives[name] < 1120 for name in ("And", "Or", "Implies"))
    assert 1350 < leaves["False"] < 1650
    assert all(2100 < leaves[name] < 2400 for name in "pq")


@pytest.mark.slow
def test_large_formulas_are_drawn_without_recursion() -> None:
    assert random_formula(random.Random(3).random, 50_000, [Atom("p")], 0.0).size == 100_001


def test_it_gives_up_in_plain_words() -> None:
    # p /\ p, p \/ p and p -> p are all there is.
    with pytest.raises(InputError, match=r"After 3 of 4 random lemmas no further formula .* ask for fewer"):
        list(random_lemmas(RandomSettings(size=1, atoms=1, count=4, falsum=0)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size=0", "size=0 is out of range; give a number from 1 to 200"),
        ("size=many", "'size=many' needs a number, as in size=6"),
        ("atoms=27", "from 1 to 26"),
        ("count=0", "from 1 to 10000"),
        ("seed=-1", "give an integer from 0"),
        ("falsum=2", "from 0 to 1"),
        ("falsum=nan", "from 0 to 1"),
        ("kind=hard", "choose one of any, theorem, non-theorem"),
        ("depth=3", "the settings are size, atoms, kind, count, seed, falsum"),
        ("size", "'size' needs a number"),
        ("size=3,size=4", "size is given twice"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        RandomSettings.parse(text)


def test_settings_are_parsed() -> None:
    assert RandomSettings.parse(" size=8, kind=theorem ,seed=1,") == RandomSettings(size=8, kind="theorem", seed=1)
    assert RandomSettings.parse("") == RandomSettings()


@given(formulas(("p", "q", "r"), max_size=30), st.integers(0, 2**40))
def test_mutants_are_other_formulas_of_the_same_size_and_number_of_atoms_by_the_seed(
    formula: Formula, seed: int
) -> None:
    found = list(islice(mutants(formula, seed), 20))
    assert len(found) == (20 if isinstance(formula, Binary) else 0)
    for mutant in found:
        assert (mutant.size, len(atoms(mutant))) == (formula.size, len(atoms(formula)))
        assert mutant is not formula
    assert found == list(islice(mutants(formula, seed), 20))
