"""The twelve families: the published formulas, and proofs or countermodels for what is said of them."""

from collections.abc import Callable

import pytest

from curricula.families import FAMILIES, PUBLISHED_LEVELS, Family
from curricula.generator import search_status
from curricula.lemma import Problem, Status
from curricula.tptp import ProblemFile
from tactics.errors import InputError
from tactics.formula import Atom, Formula, atoms

ShortestProof = Callable[[Formula], int | None]
THEOREMS = [family for family in FAMILIES.values() if family.status is Status.THEOREM]

o11, o21 = Atom("o11"), Atom("o21")
# Two pigeons share the only hole if both are in it: the definition says `&`, these two files say `|`.
MISPRINTED = {
    "SYJ202.1": Problem((o11, o21), o11 | o21),
    "SYJ208.1": Problem((~~o11, ~~o21), o11 | o21),
}


def test_there_are_six_families_of_theorems_and_six_of_non_theorems() -> None:
    assert list(FAMILIES) == [f"SYJ{number}" for number in range(201, 213)]
    assert [family.name for family in THEOREMS] == [f"SYJ{number}" for number in range(201, 207)]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_published_problems_are_regenerated(family: Family, published_problems: dict[str, ProblemFile]) -> None:
    for level in PUBLISHED_LEVELS:
        name = f"{family.name}.{level}"
        ours = family.problem(level)
        if name in MISPRINTED:
            assert published_problems[name].problem == MISPRINTED[name]
            assert ours == Problem(MISPRINTED[name].axioms, o11 & o21)
        else:
            assert ours == published_problems[name].problem, name


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_published_status_is_ours_where_it_is_known(
    family: Family, published_problems: dict[str, ProblemFile]
) -> None:
    published = {published_problems[f"{family.name}.{level}"].status for level in PUBLISHED_LEVELS}
    assert published - {None} == {family.status}


@pytest.mark.parametrize(
    ("name", "level"),
    [
        *(("SYJ201", level) for level in (1, 2)),
        *(("SYJ202", level) for level in (1, 2, 3)),
        *(("SYJ203", level) for level in (1, 2, 3, 4)),
        *(("SYJ204", level) for level in (1, 2, 20)),
        *(("SYJ205", level) for level in (1, 2, 3)),
        *(("SYJ206", level) for level in (1, 2, 3)),
    ],
)
def test_small_members_of_the_theorem_families_have_proofs(name: str, level: int) -> None:
    assert search_status(FAMILIES[name].lemma(level).formula, budget=200_000) is Status.THEOREM


@pytest.mark.parametrize(("name", "levels"), [("SYJ203", 4), ("SYJ204", 8)])
def test_the_stated_shortest_proof_is_the_shortest(name: str, levels: int, shortest_proof: ShortestProof) -> None:
    for level in range(1, levels + 1):
        lemma = FAMILIES[name].lemma(level)
        assert lemma.shortest == shortest_proof(lemma.formula)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_high_levels_are_generated(family: Family) -> None:
    level = min(200, family.max_level // 2)
    assert family.lemma(level).formula.weight > level


@pytest.mark.parametrize("name", ["SYJ202", "SYJ208"])
def test_each_pigeon_has_an_atom_of_its_own_for_each_hole(name: str) -> None:
    for level in (3, 21, 40):  # from 11 to 20, as published, some have one name
        assert len(atoms(FAMILIES[name].lemma(level).formula)) == (level + 1) * level


@pytest.mark.parametrize("level", [-1, 0, 1001, 10**12])
def test_a_level_out_of_range_is_refused(level: int) -> None:
    with pytest.raises(InputError, match=r"choose a level of SYJ203 from 1 to 1000"):
        FAMILIES["SYJ203"].lemma(level)


def test_a_lemma_says_what_it_is() -> None:
    lemma = FAMILIES["SYJ203"].lemma(3)
    assert (lemma.name, lemma.level, lemma.shortest, lemma.status) == ("SYJ203.3", 3, 16, Status.THEOREM)
    assert lemma.source == "SYJ203+1.003 (con_p), Dyckhoff 1997; ILTP"
