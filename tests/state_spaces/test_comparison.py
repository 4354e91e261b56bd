"""Comparing states: the verdicts are those of the definition, and what is said about them is true."""

from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from state_spaces import Simple
from state_spaces.comparison import compare
from state_spaces.mismatch import Item, find_mismatch
from tactics.formula import Atom, Formula
from tactics.goal import State
from tactics.printer import UNICODE
from tactics.sequent import parse_state
from tests.state_spaces import brute
from tests.state_spaces.variants import FIVE, atoms_of, bare, disguised, near, randoms, renamed, state_of, states, tried

CHAINS = ("h : A -> B, k : B -> C, l : ~ C |- A", "u : P -> Q, v : Q -> R, w : ~ Q |- P")
"""What l becomes depends on h, and what that becomes on the conclusion."""


@tried
@given(states(), randoms)
def test_verdicts_bijections_and_differences_are_those_of_the_definition(one: State, rng: Random) -> None:
    other = disguised(near(one, rng), rng).state
    found = compare(one, other)
    name, match = brute.isomorphic(one, other), brute.isomorphic(one[:1], other[:1])
    assert (found.name, found.match) == (name, match)
    assert found.simple == (Simple().view(one).key == Simple().view(other).key)
    assert compare(one, one).simple
    assert (found.difference is None) == name
    assert (found.bijection is None) == (not match)
    goals = len(one) if name else 1
    if found.bijection is not None:
        assert found.bijection.atoms in list(brute.bijections(one[:goals], other[:goals]))
        assert list(found.bijection.atoms) == [atom.name for atom in atoms_of(one[:goals])]
        renaming = {Atom(atom): Atom(name) for atom, name in found.bijection.atoms.items()}
        for here, there, names in zip(one[:goals], other[:goals], found.bijection.hypotheses, strict=True):
            saying = dict(there.hypotheses)
            assert sorted(names.values()) == sorted(saying)
            for hypothesis in here.hypotheses:
                assert saying[names[hypothesis.name]] is renamed(hypothesis.formula, renaming)


@st.composite
def relettered(draw: st.DrawFn) -> tuple[State, State]:
    """Two states whose formulas correspond one by one, but each by a renaming of its own."""
    one = draw(states())
    rng = draw(randoms)

    def by_itself(formula: Formula) -> Formula:
        return renamed(formula, dict(zip(FIVE, rng.sample(FIVE, 5), strict=True)))

    goals = [(list(map(by_itself, hypotheses)), by_itself(conclusion)) for hypotheses, conclusion in bare(one)]
    for hypotheses, _ in goals:
        rng.shuffle(hypotheses)
    return one, state_of(goals)


@tried
@given(relettered())
@example(tuple(map(parse_state, CHAINS)))
def test_every_step_of_a_mismatch_holds(pair: tuple[State, State]) -> None:
    one, other = pair
    assume(not brute.isomorphic(one, other))
    found = find_mismatch(one, other)
    settled: dict[Atom, Atom] = {}
    for item, image, others in found.steps:
        assert all(which.hypotheses == _saying(state, which) for state, which in ((one, item), (other, image)))
        images = images_of(item, other, settled)
        assert image.formula in images
        assert len(images) == others + 1
        settled = images[image.formula]
    assert settled == found.renaming
    assert images_of(found.item, other, settled) == {}
    assert {image.formula for image in found.alike} == set(images_of(found.item, other, {}, as_often=False))


def images_of(
    item: Item, other: State, settled: dict[Atom, Atom], *, as_often: bool = True
) -> dict[Formula, dict[Atom, Atom]]:
    """Return the formulas in the same place of the other state that are renamings of this one, with these."""
    goal = other[item.goal]
    there = [formula for _, formula in goal.hypotheses] if item.hypotheses else [goal.conclusion]
    if as_often:
        there = [formula for formula in there if there.count(formula) == max(1, len(item.hypotheses))]
    free = [atom for atom in atoms_of(state_of([([], item.formula)])) if atom not in settled]
    unused = [atom for atom in atoms_of(other) if atom not in settled.values()]
    found: dict[Formula, dict[Atom, Atom]] = {}
    for choice in permutations(unused, len(free)):
        renaming = settled | dict(zip(free, choice, strict=True))
        image = renamed(item.formula, renaming)
        if image in there:
            found[image] = renaming
    return found


def _saying(state: State, item: Item) -> tuple[str, ...]:
    if not item.hypotheses:
        assert state[item.goal].conclusion is item.formula
        return ()
    return tuple(name for name, formula in state[item.goal].hypotheses if formula is item.formula)


DIFFERENCES = Path(__file__).with_name("differences.txt").read_text(encoding="utf-8").strip()
"""Two states and what tells them apart, a line each, and an empty line before the next two."""


@pytest.mark.parametrize(("one", "other", "sentence"), [each.split("\n") for each in DIFFERENCES.split("\n\n")])
def test_the_first_difference_is_told(one: str, other: str, sentence: str) -> None:
    assert compare(parse_state(one), parse_state(other)).difference == sentence


def test_a_difference_in_the_focused_goals_is_told_before_one_behind_them_in_the_notation_asked_for() -> None:
    found = compare(parse_state("A -> B |- A; |- C; |- C"), parse_state("A -> B |- B; C |- C"))
    assert not found.match
    assert "the conclusion A of goal 1 must become B" in (found.difference or "")
    found = compare(parse_state("|- A /\\ B"), parse_state("|- A \\/ B"), UNICODE)
    assert found.difference == "No renaming of atoms turns the conclusion A ∧ B into A ∨ B."


def test_where_no_atom_needs_another_name_none_gets_one() -> None:
    found = compare(parse_state("h : A, k : B |- C"), parse_state("k : B, h : A |- C"))
    assert found.bijection is not None
    assert found.bijection.atoms == {"A": "A", "B": "B", "C": "C"}
    assert found.bijection.hypotheses == ({"h": "h", "k": "k"},)


def test_hypotheses_that_say_the_same_are_paired_in_their_order() -> None:
    found = compare(parse_state("a : A, b : B, c : A |- B"), parse_state("u : P, v : P, w : Q |- Q"))
    assert found.bijection is not None
    assert found.bijection.hypotheses == ({"a": "u", "b": "w", "c": "v"},)
