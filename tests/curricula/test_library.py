"""The lemmas that ship: families and data are what was published, and what is said of their proofs is true."""

import pytest

from curricula.families import FAMILIES, PUBLISHED_LEVELS, Family
from curricula.lemma import Lemma, Problem, Status
from curricula.library import LISTED, iltp_lemma, iltp_names, iltp_problem, listed_lemma, listed_names, thesis_lemma
from curricula.tptp import ProblemFile
from oasis.teacher.exact.values import shortest_script
from tactics.formula import Atom, atoms
from tactics.parser import parse

each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
STATED = [listed_lemma(listed, name) for listed in LISTED for name in listed_names(listed)]

o11, o21 = Atom("o11"), Atom("o21")
# Two pigeons share the only hole if both are in it: the definition says `&`, these two files say `|`.
MISPRINTED = {"SYJ202.1": Problem((o11, o21), o11 | o21), "SYJ208.1": Problem((~~o11, ~~o21), o11 | o21)}


def check_shortest(lemma: Lemma) -> None:
    """The shortest proof is as long as the lemma says, and there is none where it says none."""
    script = shortest_script(lemma.formula)
    assert (None if script is None else len(script)) == lemma.shortest
    assert lemma.status is (Status.NON_THEOREM if script is None else Status.THEOREM)


@pytest.mark.slow
@each_family
def test_the_published_problems_are_regenerated(family: Family, published_problems: dict[str, ProblemFile]) -> None:
    for level in PUBLISHED_LEVELS:
        name = f"{family.name}.{level}"
        ours, published = family.problem(level), published_problems[name]
        assert published.status in (None, family.status)
        if name in MISPRINTED:
            assert published.problem == MISPRINTED[name]
            assert ours == Problem(MISPRINTED[name].axioms, o11 & o21)
        else:
            assert ours == published.problem, name


@pytest.mark.slow
def test_every_published_problem_of_no_family_is_in_the_library(published_problems: dict[str, ProblemFile]) -> None:
    others = {name: problem for name, problem in published_problems.items() if name.partition(".")[0] not in FAMILIES}
    assert (len(published_problems), len(others)) == (274, 34)
    assert set(iltp_names()) == others.keys()
    for name, published in others.items():
        assert iltp_problem(name) == published.problem, name
        assert iltp_lemma(name).status == published.status, name


@pytest.mark.parametrize(("name", "levels"), [("SYJ203", 4), ("SYJ204", 8)])
def test_the_stated_shortest_proof_of_a_family_is_the_shortest(name: str, levels: int) -> None:
    for level in range(1, levels + 1):
        check_shortest(FAMILIES[name].lemma(level))


@each_family
def test_high_levels_are_generated_and_each_pigeon_has_an_atom_of_its_own_for_each_hole(family: Family) -> None:
    of_pigeons = family.name in ("SYJ202", "SYJ208")
    level = 21 if of_pigeons else 200
    formula = family.lemma(level).formula
    assert formula.weight > level
    # From 11 to 20, as published, some pigeons share a name.
    assert not of_pigeons or len(atoms(formula)) == (level + 1) * level


@pytest.mark.parametrize("lemma", STATED, ids=lambda lemma: lemma.name)
def test_a_theorem_has_a_shortest_proof_as_stated_and_a_non_theorem_none(lemma: Lemma) -> None:
    check_shortest(lemma)


@pytest.mark.parametrize(("data", "theorems", "others"), [("textbook", 42, 12), ("choices", 29, 7)])
def test_lemmas_get_longer_and_end_with_the_non_theorems(data: str, theorems: int, others: int) -> None:
    lengths = [lemma.shortest or 1000 for lemma in STATED if lemma.name.startswith(data)]
    assert lengths == sorted(lengths)
    assert (len(lengths), lengths.count(1000)) == (theorems + others, others)
    assert len({lemma.formula for lemma in STATED}) == len(STATED)


def test_thesis_lemma_42_is_the_second_level_of_con() -> None:
    lemma = thesis_lemma("42")
    assert lemma.formula is parse("((p1 /\\ p2) \\/ ((p1 -> f) \\/ (p2 -> f)) -> f) -> f")
    assert (lemma.name, lemma.level, lemma.shortest) == ("thesis/42", 2, 10)
