"""Whatever happens in an episode, every term in every reading is a number in its range, and names do not matter."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.dagger.steps import Step
from oasis.dagger.term import Context, Floats, OfGoal, OfProof, OfState, OfStep, OfUse, Packed, Reading, Version
from oasis.dagger.terms import TERMS
from oasis.dagger.terms.structural import entropy, normalised_entropy
from tactics.formula import And, Atom, Formula, Or, equivalence
from tactics.goal import Goal, Move, State, initial
from tactics.rules import apply, legal_moves
from tests.dagger.standins import SOMETHING, episodes, of_state
from tests.state_spaces.variants import disguised, randoms, state_of
from tests.state_spaces.variants import states as small_states

VERSIONS = {f"{term.name}, {reading}": term.version(reading) for term in TERMS for reading in Reading}
ROUNDING = 1e-9

contexts = pytest.mark.parametrize("where", SOMETHING.values(), ids=list(SOMETHING))


def values(version: Version, where: Context, steps: tuple[Step, ...]) -> Iterator[float]:
    """What a version that looks at transitions says of an episode."""
    form = version.form
    for step in steps:
        if isinstance(form, OfStep):
            yield form.value(where, step)
        elif isinstance(form, OfState):
            yield from (form.value(where, state) for state in (step.before, step.after) if state)


def check(name: str, numbers: Floats) -> None:
    least, most = VERSIONS[name].least, VERSIONS[name].most
    assert np.isfinite(numbers).all(), name
    assert ((least - ROUNDING <= numbers) & (numbers <= most + ROUNDING)).all(), name


@contexts
@given(steps=episodes())
def test_values_of_episodes_are_in_range(where: Context, steps: tuple[Step, ...]) -> None:
    for name, version in VERSIONS.items():
        check(name, np.array(list(values(version, where, steps)), dtype=np.float64))


counts = st.one_of(st.integers(0, 5), st.integers(0, 10**18), st.just(10**100)).map(float)


@contexts
@given(rows=st.lists(st.tuples(counts, st.floats(0, 1), st.floats(0, 1)), max_size=8))
def test_values_of_uses_are_in_range(where: Context, rows: list[tuple[float, float, float]]) -> None:
    unused = (0.0, 0.0, 0.0)
    uses, share, centrality = np.array([unused, *rows]).T
    for name, version in VERSIONS.items():
        if isinstance(version.form, OfUse):
            table = version.form.table(where, uses, np.floor(uses * share), centrality)
            assert table.shape == uses.shape
            check(name, table)


@contexts
@given(rows=st.lists(st.tuples(counts, counts), max_size=8))
def test_values_of_goals_are_in_range(where: Context, rows: list[tuple[float, float]]) -> None:
    closed, failed = np.array(rows).reshape(-1, 2).T
    for name, version in VERSIONS.items():
        if isinstance(version.form, OfGoal):
            table = version.form.table(where, closed, failed)
            assert table.shape == (len(rows), 2)
            check(name, table)


@contexts
@given(raw=st.integers(0, 10**9), packed=st.integers(1, 10**9), best=st.one_of(st.none(), st.integers(1, 10**9)))
def test_values_of_proofs_are_in_range(where: Context, raw: int, packed: int, best: int | None) -> None:
    for name, version in VERSIONS.items():
        if isinstance(version.form, OfProof):
            check(name, np.array([version.form.value(where, Packed(raw, packed, best))]))


@st.composite
def twins(draw: st.DrawFn) -> tuple[Step, Step]:
    """A legal step, and the same with other names for atoms and hypotheses and these in another order."""
    before = draw(small_states().filter(lambda state: bool(state) and bool(legal_moves(state[0]))))
    twin = disguised(before, draw(randoms))
    move = draw(st.sampled_from(legal_moves(before[0])))
    name = move.hypothesis and twin.hypotheses[0][move.hypothesis]
    return _step(before, move), _step(twin.state, Move(move.rule, name))


def _step(before: State, move: Move) -> Step:
    after = apply(before, move)
    return Step(before, move, after, not after or not legal_moves(after[0]), 1)


@contexts
@given(pair=twins())
def test_names_and_the_order_of_hypotheses_do_not_matter(where: Context, pair: tuple[Step, Step]) -> None:
    for name, version in VERSIONS.items():
        one, other = (list(values(version, where, (step,))) for step in pair)
        if name == "A_gamma, seed":  # sums up floats in the order of the hypotheses
            assert one == pytest.approx(other, abs=1e-7)
        else:
            assert one == other, name


# What is astronomically large, or deep.


def nested(levels: int) -> Formula:
    """Equivalences in one another: written out, four times as long with every level."""
    formula: Formula = Atom("q")
    for level in range(levels):
        formula = equivalence(Atom(f"p{level % 14}"), formula)
    return formula


def chained(levels: int) -> Formula:
    """As deep as it is long."""
    formula: Formula = Atom("q")
    for level in range(levels):
        formula = (And, Or)[level % 2](Atom("p"), formula)
    return formula


@pytest.mark.parametrize("formula", [nested(28), nested(2_000), chained(20_000)], ids=["SYN007", "shared", "deep"])
def test_formulas_may_share_as_much_and_be_as_deep_as_they_like(formula: Formula) -> None:
    state = (Goal((), formula), *initial(formula))
    assert of_state("E", Reading.SOUND, state) == 0
    assert 0 < of_state("H", Reading.SOUND, state) <= 1
    assert -1 <= of_state("N_fit", Reading.SOUND, state) <= 0
    for reading in Reading:
        assert of_state("A_gamma", reading, state) == pytest.approx(-1)
        assert of_state("A_gamma", reading, state_of([([formula], formula)])) == 0


def test_shares_of_counts_too_large_for_a_float() -> None:
    huge = 7**3000
    with pytest.raises(OverflowError):
        float(huge)
    assert entropy([huge, huge, huge]) == pytest.approx(log(3))
    assert entropy([huge, 1]) == pytest.approx(0)
    assert normalised_entropy([huge, huge]) == 1
