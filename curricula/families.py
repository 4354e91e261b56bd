"""The twelve scalable families SYJ201 to SYJ212 of the ILTP library, for any level n >= 1.

Dyckhoff proposed them in 1997 as benchmarks for provers: six families of theorems, and for each of these a family of
non-theorems that differs in a small place. Conjunctions and disjunctions nest to the right. Levels 1 to 20 are, formula
by formula, the published ones; but two published files of level 1 (SYJ202 and SYJ208) have `|` where the definition
says `&`, and here the definition is followed. Nothing here searches for proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from curricula.lemma import Lemma, Problem, Status
from tactics.errors import InputError
from tactics.formula import And, Atom, Formula, Or, equivalence, nested

PUBLISHED_LEVELS: Final = range(1, 21)

MAX_LEVEL: Final = 1000
"""No larger level is made into a lemma: whoever asks for one has mistyped."""

_MAX_LEVEL_OF_PIGEONS: Final = 100  # Already half a million disjuncts: their number grows with the cube of the level.

f: Final = Atom("f")


def a(i: int) -> Atom:
    """The atom written a with index i."""
    return Atom(f"a{i}")


def b(i: int) -> Atom:
    """The atom written b with index i."""
    return Atom(f"b{i}")


def p(i: int) -> Atom:
    """The atom written p with index i."""
    return Atom(f"p{i}")


def conjunction(parts: Iterable[Formula]) -> Formula:
    """The conjunction of one or more formulas, nested to the right."""
    return nested(And, parts)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """The disjunction of one or more formulas, nested to the right."""
    return nested(Or, parts)


def de_bruijn(n: int) -> Problem:
    """SYJ201: an odd circle of propositions, and as soon as two neighbours are equivalent, all of them hold."""
    m = 2 * n + 1
    everything = conjunction(p(i) for i in range(1, m + 1))
    return Problem(_neighbours(m, everything), everything)


def de_bruijn_even(n: int) -> Problem:
    """SYJ207: the same with an even circle, where truth may alternate; p0 has no part in it."""
    m = 2 * n
    everything = conjunction(p(i) for i in range(1, m + 1))
    return Problem(_neighbours(m, everything), p(0) | (everything | ~p(0)))


def _neighbours(m: int, everything: Formula) -> tuple[Formula, ...]:
    return tuple(equivalence(p(i), p(i % m + 1)) >> everything for i in range(1, m + 1))


def pigeonhole(n: int) -> Problem:
    """SYJ202: n + 1 pigeons in n holes, so two of them share a hole."""
    o = _pigeon_in_hole(n)
    axioms = tuple(disjunction(o(i, h) for h in range(1, n + 1)) for i in range(1, n + 2))
    return Problem(axioms, _two_share_a_hole(n))


def pigeonhole_weak(n: int) -> Problem:
    """SYJ208: the same, but that a pigeon is in the last hole is only not refutable."""
    o = _pigeon_in_hole(n)
    axioms = tuple(disjunction([*(o(i, h) for h in range(1, n)), ~~o(i, n)]) for i in range(1, n + 2))
    return Problem(axioms, _two_share_a_hole(n))


def _two_share_a_hole(n: int) -> Formula:
    o = _pigeon_in_hole(n)
    return disjunction(o(i, h) & o(j, h) for h in range(1, n + 1) for i in range(1, n + 2) for j in range(i + 1, n + 2))


def _pigeon_in_hole(n: int) -> Callable[[int, int], Atom]:
    """The atom for pigeon i in hole h.

    The published names are i and h without a space, so from level 11 on o(1, 11) and o(11, 1) are one atom. Up to level
    20 that leaves every status as it is, but not at all larger ones: there the numbers are kept apart.
    """
    gap = "" if n in PUBLISHED_LEVELS else "_"
    return lambda i, h: Atom(f"o{i}{gap}{h}")


def con(n: int) -> Problem:
    """SYJ203: all of n propositions or the negation of one cannot be refuted; f stands for falsity."""
    cases = [conjunction(p(i) for i in range(1, n + 1)), *(p(i) >> f for i in range(1, n + 1))]
    return Problem((disjunction(cases) >> f,), f)


def con_weak(n: int) -> Problem:
    """SYJ209: the same with the first negation weakened; here f is not falsity."""
    cases = [conjunction(p(i) for i in range(1, n + 1)), ~~p(1) >> f, *(p(i) >> f for i in range(2, n + 1))]
    return Problem((disjunction(cases) >> f,), f)


def schwichtenberg(n: int) -> Problem:
    """SYJ204: a chain of n implications that each need their premise twice."""
    return Problem((p(n), *_steps(n)), p(0))


def schwichtenberg_weak(n: int) -> Problem:
    """SYJ210: the same with a start that is only not refutable."""
    return Problem((~~p(n), *_steps(n)), p(0))


def _steps(n: int) -> tuple[Formula, ...]:
    return tuple(p(i) >> (p(i) >> p(i - 1)) for i in range(1, n + 1))


def korn_kreitz(n: int) -> Problem:
    """SYJ205: a circle of nested implications refutes f, in one order of its parts and in the other."""
    first, last = a(0) >> f, (b(n) >> b(0)) >> a(n)
    between = [(b(i - 1) >> a(i)) >> a(i - 1) for i in range(1, n + 1)]
    forwards = conjunction([first, last, *between]) >> f
    backwards = conjunction([*reversed(between), last, first]) >> f
    return Problem((), forwards & backwards)


def korn_kreitz_weak(n: int) -> Problem:
    """SYJ211: the same parts with their b's weakened."""
    first, last = a(0) >> f, (~~b(n) >> b(0)) >> a(n)
    between = ((~~b(i - 1) >> a(i)) >> a(i - 1) for i in range(1, n + 1))
    return Problem((first, last, *between), f)


def equivalences(n: int) -> Problem:
    """SYJ206: a chain of equivalences read forwards is equivalent to the chain read backwards."""
    return Problem((), equivalence(_forwards(a(1), n), _backwards(n)))


def equivalences_weak(n: int) -> Problem:
    """SYJ212: the same with `~~a1` for a1 in the one that is read forwards."""
    return Problem((), equivalence(_forwards(~~a(1), n), _backwards(n)))


def _forwards(first: Formula, n: int) -> Formula:
    formula = first
    for i in range(2, n + 1):
        formula = equivalence(formula, a(i))
    return formula


def _backwards(n: int) -> Formula:
    formula: Formula = a(1)
    for i in range(2, n + 1):
        formula = equivalence(a(i), formula)
    return formula


@dataclass(frozen=True, slots=True)
class Family:
    """A family of problems, one for each level.

    Attributes:
        name: the name in ILTP, such as `SYJ203`.
        nickname: what Dyckhoff calls it.
        description: one line for a person who has to choose.
        status: of every member.
        problem: maps a level, at least 1, to its problem.
        shortest: maps a level to the length of the shortest proof, in moves; None where no formula is known.
        max_level: the largest level that `lemma` makes.
    """

    name: str
    nickname: str
    description: str
    status: Status
    problem: Callable[[int], Problem]
    shortest: Callable[[int], int] | None = None
    max_level: int = MAX_LEVEL

    def lemma(self, level: int) -> Lemma:
        """The lemma of this level, such as `SYJ203.3`. Raises InputError for a level below 1 or above `max_level`."""
        if not 1 <= level <= self.max_level:
            raise InputError(
                f"There is no {self.name}.{level}; choose a level of {self.name} from 1 to {self.max_level}."
            )
        return Lemma(
            name=f"{self.name}.{level}",
            formula=self.problem(level).formula,
            status=self.status,
            source=f"{self.name}+1.{level:03} ({self.nickname}), Dyckhoff 1997; ILTP",
            level=level,
            shortest=self.shortest(level) if self.shortest else None,
        )


_T: Final = Status.THEOREM
_N: Final = Status.NON_THEOREM

FAMILIES: Final[dict[str, Family]] = {
    family.name: family
    for family in (
        Family("SYJ201", "debruijn_p", "de Bruijn's circle of 2n+1 equivalences", _T, de_bruijn),
        Family("SYJ202", "ph_p", "n+1 pigeons in n holes", _T, pigeonhole, max_level=_MAX_LEVEL_OF_PIGEONS),
        # 6n - 2 is what exhaustive search finds at every level it can reach. 3n + 2 is the length of every proof: n + 1
        # intro, 2n imply1 and an assumption, since no other rule ever applies.
        Family("SYJ203", "con_p", "all of n propositions, or one is false", _T, con, lambda n: 6 * n - 2),
        Family(
            "SYJ204", "schwicht_p", "a chain of n premises, each used twice", _T, schwichtenberg, lambda n: 3 * n + 2
        ),
        Family("SYJ205", "kk_p", "Korn and Kreitz's nested implications", _T, korn_kreitz),
        Family("SYJ206", "equiv_p", "n equivalences, forwards and backwards", _T, equivalences),
        Family("SYJ207", "debruijn_n", "de Bruijn's circle with 2n propositions", _N, de_bruijn_even),
        Family(
            "SYJ208",
            "ph_n",
            "pigeons, the last hole only not refutable",
            _N,
            pigeonhole_weak,
            max_level=_MAX_LEVEL_OF_PIGEONS,
        ),
        Family("SYJ209", "con_n", "SYJ203 with a weaker case", _N, con_weak),
        Family("SYJ210", "schwicht_n", "SYJ204 with a weaker start", _N, schwichtenberg_weak),
        Family("SYJ211", "kk_n", "SYJ205 with weaker premises", _N, korn_kreitz_weak),
        Family("SYJ212", "equiv_n", "SYJ206 with a weaker a1", _N, equivalences_weak),
    )
}
