"""PropL's formulas: every number has its formula, chance is even, and the published sets hold what they say."""

from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import complete, resolve, resolve_lemma
from curricula.lemma import LONGEST_NAME, Status
from curricula.propl import formula, formulas, number, sample
from curricula.propl_lemmas import HARD, MAX_CONNECTIVES, ORDINARY, SIZES, published
from oasis.teacher.exact.values import shortest_script
from tactics.errors import InputError
from tactics.formula import FALSE, TRUTH, And, Atom, Formula, Implies, Or, atoms

P1, P2 = Atom("p1"), Atom("p2")


def trees(n: int, leaves: list[Formula]) -> list[Formula]:
    """Return the formulas of all trees of n connectives, a formula once for each of its trees."""
    if n == 0:
        return leaves
    return [
        connective(left, right)
        for size in range(n)
        for left in trees(size, leaves)
        for right in trees(n - 1 - size, leaves)
        for connective in (And, Or, Implies)
    ]


@pytest.mark.parametrize(("n", "count"), [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2), (3, 0)])
def test_numbers_are_those_of_all_trees_and_a_formula_that_comes_about_once_has_no_other(n: int, count: int) -> None:
    leaves: list[Formula] = [TRUTH, FALSE, P1, P2][: count + 2]
    everything = [formula(each, n, count) for each in range(formulas(n, count))]
    times = Counter(everything)
    assert times == Counter(trees(n, leaves))
    assert len(everything) == comb(2 * n, n) // (n + 1) * 3**n * (count + 2) ** (n + 1)
    for place, each in enumerate(everything):
        found = number(each, n, count)
        assert everything[found] is each
        assert found == place or times[each] > 1


def test_true_is_one_leaf_where_the_connectives_allow_it() -> None:
    both = TRUTH & TRUTH
    readings = [number(both, n, 0) for n in (1, 2, 3)]
    assert [formula(each, n, 0) for n, each in zip((1, 2, 3), readings, strict=True)] == [both] * 3
    # Of two connectives: the tree of True /\ (False -> False), and the other way round.
    assert next(each for each in range(formulas(2, 0)) if formula(each, 2, 0) is both) == readings[1]
    for n in (0, 4):
        with pytest.raises(InputError, match=rf"has not {n} connectives"):
            number(both, n, 0)


@given(st.sampled_from([1, 5, 16, 64, 256, 700]), st.integers(0, 7), st.integers(0, 2**32))
def test_a_number_leads_to_a_formula_and_back_for_any_size(n: int, count: int, seed: int) -> None:
    (drawn,) = sample(seed, 1, n, count)
    meant = formula(drawn, n, count)
    back = number(meant, n, count)
    assert formula(back, n, count) is meant
    assert {atom.name for atom in atoms(meant)} <= {f"p{place}" for place in range(1, count + 1)}


def test_every_number_is_drawn_as_often_as_any_other() -> None:
    draws, numbers = 20_000, formulas(1, 1)
    times = Counter(sample(5, draws, 1, 1))
    assert set(times) == set(range(numbers))
    expected = draws / numbers
    chi_square = sum((count - expected) ** 2 / expected for count in times.values())
    assert chi_square < 54  # the 99.9th percentile of 26 degrees of freedom


def test_a_sample_is_the_same_everywhere() -> None:
    assert list(sample(0, 3, 2, 2)) == [861, 530, 1047]


@pytest.mark.parametrize(("wanted", "n"), [(-1, 2), (formulas(2, 5), 2), (2, 0)])
def test_a_number_out_of_range_is_refused(wanted: int, n: int) -> None:
    with pytest.raises(InputError, match=f"{wanted} is not the number of a formula of {n} connectives"):
        formula(wanted, n, 0 if n == 0 else 5)


@pytest.mark.parametrize("foreign", ["q", "p6", "p0"])
def test_an_atom_that_is_none_of_them_is_refused(foreign: str) -> None:
    with pytest.raises(InputError, match=rf"{foreign} is no leaf .* p1 to p5"):
        number(Atom(foreign) & P1, 1)


def test_a_formula_that_is_too_large_to_walk_is_refused_at_once() -> None:
    doubled: Formula = P1
    for _ in range(200):
        doubled = doubled & doubled
    with pytest.raises(InputError, match="has not 16 connectives"):
        number(doubled)


def test_lemmas_are_found_by_number() -> None:
    lemma = resolve_lemma("PropL/2/871")
    assert (lemma.name, lemma.level, lemma.formula) == ("propl/2/871", 2, formula(871, 2))
    other = resolve_lemma("propl:atoms=2/2/871")
    assert (other.name, other.formula) == ("propl:atoms=2/2/871", formula(871, 2, 2))
    largest = resolve_lemma(f"propl/{MAX_CONNECTIVES}/{formulas(MAX_CONNECTIVES) - 1}")
    assert len(largest.name) <= LONGEST_NAME and resolve_lemma(largest.name) == largest


@pytest.mark.parametrize(
    ("text", "count", "kind"),
    [
        ("propl:count=7,seed=3", 7, None),
        ("propl:n=5,atoms=2,kind=theorem,count=5", 5, Status.THEOREM),
        ("propl:n=5,kind=non-theorem,count=5", 5, Status.NON_THEOREM),
        ("propl:kind=ordinary,count=6,seed=1", 6, Status.THEOREM),
        ("propl:kind=hard,count=6,seed=1", 6, Status.THEOREM),
    ],
)
def test_a_sample_has_what_was_asked_for_and_its_names_lead_back(text: str, count: int, kind: Status | None) -> None:
    lemmas = resolve(text).lemmas
    assert len({lemma.formula for lemma in lemmas}) == len(lemmas) == count
    assert all(lemma.status is kind for lemma in lemmas) or kind is None
    assert [resolve_lemma(lemma.name) for lemma in lemmas] == list(lemmas)
    for lemma in lemmas:
        assert "ordinary" not in text or (lemma.shortest or 99) <= ORDINARY
        assert "hard" not in text or (lemma.shortest or 0) >= HARD
    more = resolve(text.replace(f"count={count}", f"count={count + 3}")).lemmas
    assert more[:count] == lemmas


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("propl:n=501", "n=501 is out of range"),
        ("propl:atoms=-1", "atoms=-1 is out of range"),
        ("propl:kind=easy", "kind is one of any, theorem, non-theorem, ordinary, hard"),
        ("propl:kind=hard,n=8", "kind=hard is known of formulas with 16 connectives"),
        ("propl:n=0,atoms=0,count=3", r"only 2 such lemmas \(propl:n=0,atoms=0,count=3\)"),
        ("propl/0/7", "7 is not the number of a formula of 0 connectives .* below 7"),
    ],
)
def test_what_cannot_be_had_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        resolve(text)


def test_the_published_sets_hold_what_they_say() -> None:
    sets = published()
    assert {name: len(entries) for name, entries in sets.items()} == {
        "propl-test-ordinary": 1000,
        "propl-test-hard": 1000,
        "propl-sizes": 200 * len(SIZES),
        "propl-train": 10_000,
    }
    assert all(entry.length <= ORDINARY for entry in sets["propl-test-ordinary"])
    assert all(entry.length >= HARD for entry in sets["propl-test-hard"])
    assert Counter(entry.n for entry in sets["propl-sizes"]) == dict.fromkeys(SIZES, 200)
    entries = [entry for each in sets.values() for entry in each]
    assert len({entry[:2] for entry in entries}) == len(entries)


def test_published_lengths_are_those_of_shortest_proofs() -> None:
    sets = published()
    for entry in (*sets["propl-test-ordinary"][:12], *sets["propl-train"][:12], *sets["propl-test-hard"][:2]):
        script = shortest_script(formula(entry.number, entry.n))
        assert script is not None and len(script) == entry.length


@pytest.mark.slow
def test_the_sets_are_curricula_with_levels() -> None:
    sizes = resolve("propl-sizes", levels=(16, 256)).lemmas
    assert Counter(lemma.level for lemma in sizes) == {16: 200, 256: 200}
    assert sizes[0].name == f"propl/16/{published()['propl-sizes'][0].number}"
    assert resolve_lemma(sizes[0].name) == sizes[0]
    assert complete("propl-t") == ["propl-train", "propl-test-ordinary", "propl-test-hard"]
