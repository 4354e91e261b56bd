"""The twelve families: the published formulas, and proofs or countermodels for what is said of them."""

from collections.abc import Callable

import pytest

from curricula.families import FAMILIES, PUBLISHED_LEVELS, Family
from curricula.generator import search_status
from curricula.lemma import Problem, Status
from curricula.tptp import ProblemFile
from tactics.errors import InputError
from tactics.formula import And, Atom, Binary, Formula, Or, subformulas

ShortestProof = Callable[[Formula], int | None]
THEOREMS = [family for family in FAMILIES.values() if family.status is Status.THEOREM]
NON_THEOREMS = [family for family in FAMILIES.values() if family.status is Status.NON_THEOREM]

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


def falsifying_worlds(name: str, n: int) -> tuple[set[str], set[str]]:
    """The atoms that hold in the two worlds of a countermodel, the earlier world first."""

    def o(i: int, h: int) -> str:
        return f"o{i}{h}" if n <= 20 else f"o{i}_{h}"

    match name:
        case "SYJ207":  # truth alternates around the circle; p0 is still open
            odd = {f"p{i}" for i in range(1, 2 * n, 2)}
            return odd, odd | {"p0"}
        case "SYJ208":  # every hole but the last has one pigeon; the other two pigeons are only about to sit down
            seated = {o(i, i) for i in range(1, n)}
            return seated, seated | {o(n, n), o(n + 1, n)}
        case "SYJ209":  # only p1 is still open
            others = {f"p{i}" for i in range(2, n + 1)}
            return others, others | {"p1", "f"}
        case "SYJ212":  # only a1 is still open
            others = {f"a{i}" for i in range(2, n + 1)}
            return others, others | {"a1"}
        case _:  # everything is still open
            return set(), {"f"} | {f"{letter}{i}" for letter in "abp" for i in range(n + 1)}


def holds_in_the_earlier_world(formula: Formula, earlier: set[str], later: set[str]) -> bool:
    """Kripke's forcing in a model of two worlds, the later one reachable from the earlier one."""
    assert earlier <= later
    forced: dict[Formula, tuple[bool, bool]] = {}
    for part in subformulas(formula):
        if isinstance(part, Atom):
            forced[part] = part.name in earlier, part.name in later
        elif isinstance(part, Binary):
            (left, left_later), (right, right_later) = forced[part.left], forced[part.right]
            if isinstance(part, And):
                forced[part] = left and right, left_later and right_later
            elif isinstance(part, Or):
                forced[part] = left or right, left_later or right_later
            else:
                implied_later = not left_later or right_later
                forced[part] = (not left or right) and implied_later, implied_later
        else:
            forced[part] = False, False
    return forced[formula][0]


@pytest.mark.parametrize("family", NON_THEOREMS, ids=lambda family: family.name)
def test_non_theorem_families_have_a_countermodel_at_every_level(family: Family) -> None:
    for level in (*PUBLISHED_LEVELS, 21, 30):
        worlds = falsifying_worlds(family.name, level)
        assert not holds_in_the_earlier_world(family.lemma(level).formula, *worlds), level


@pytest.mark.parametrize("family", THEOREMS, ids=lambda family: family.name)
def test_such_models_do_not_refute_the_theorem_families(family: Family) -> None:
    for level in (*PUBLISHED_LEVELS, 21):
        for other in NON_THEOREMS:
            worlds = falsifying_worlds(other.name, level)
            assert holds_in_the_earlier_world(family.lemma(level).formula, *worlds), level


@pytest.mark.parametrize(("name", "levels"), [("SYJ203", 4), ("SYJ204", 8)])
def test_the_stated_shortest_proof_is_the_shortest(name: str, levels: int, shortest_proof: ShortestProof) -> None:
    for level in range(1, levels + 1):
        lemma = FAMILIES[name].lemma(level)
        assert lemma.shortest == shortest_proof(lemma.formula)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_high_levels_are_generated(family: Family) -> None:
    level = min(200, family.max_level // 2)
    assert family.lemma(level).formula.weight > level


@pytest.mark.parametrize("level", [-1, 0, 1001, 10**12])
def test_a_level_out_of_range_is_refused(level: int) -> None:
    with pytest.raises(InputError, match=r"choose a level of SYJ203 from 1 to 1000"):
        FAMILIES["SYJ203"].lemma(level)


def test_a_lemma_says_what_it_is() -> None:
    lemma = FAMILIES["SYJ203"].lemma(3)
    assert (lemma.name, lemma.level, lemma.shortest, lemma.status) == ("SYJ203.3", 3, 16, Status.THEOREM)
    assert lemma.source == "SYJ203+1.003 (con_p), Dyckhoff 1997; ILTP"
