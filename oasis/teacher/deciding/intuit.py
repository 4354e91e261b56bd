"""Is a sequent provable? An incremental SAT solver looks for a countermodel, and learns from what stands in its way.

A Kripke model is built from worlds that satisfy the flat clauses. Where a world leaves an implication clause
(⋀A → ⋁B) → c without c, some world above must have A without B; if there can be none, that gives a flat clause that
holds for good, for every sequent. After Claessen and Rosén (2015), "SAT modulo intuitionistic implications", and
Fiorentini and Ferrari's intuitR (2021), which goes back to the root after each clause that it learns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from oasis.ground.limits import Limit
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.clauses import Clause, Clauses, ImplicationClause, parts, uncurried
from oasis.teacher.deciding.pigeonhole import outnumbered
from oasis.teacher.solver import Solver
from tactics.formula import And, Atom, Formula, Or

_CONFLICTS: Final = 3000
"""After so many conflicts the solver comes back, to look at the clock and whether counting settles the matter."""
_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")
_LITERALS: Final = 30_000_000
"""It comes back sooner where the clauses that it learns meanwhile could have more literals than this."""


class Proved(NamedTuple):
    """The sequent holds; `used` are hypotheses that suffice."""

    used: tuple[Formula, ...]


@dataclass(slots=True, eq=False)
class _World:
    """A set of true variables that satisfies the flat clauses.

    Attributes:
        is_true: for each variable 1 or 0.
        true: the same as bits.
        witnesses: for implication clauses, by their places, a world above with the antecedent and not the consequent.
        alive: whether it satisfies what was learned since.
    """

    is_true: bytes
    true: int
    witnesses: dict[int, _World] = field(default_factory=dict)
    alive: bool = True


class Intuit:
    """A solver for many sequents: definitions, learned clauses and worlds are kept from one to the next.

    Args:
        limit: for all sequents together.
    """

    def __init__(self, limit: Limit | None = None) -> None:
        self.limit = limit or Limit()
        self._solver = Solver()
        self._flat: list[Clause] = []
        self._clauses = Clauses(self._add, self.limit)
        self._worlds: list[_World] = []
        self._core: Clause = []

    def decide(self, hypotheses: Sequence[Formula], goal: Formula) -> Proved | Kripke:
        """Whether the hypotheses prove the goal; if not, a model whose root has them all and not the goal.

        Raises LimitReached.
        """
        self.limit.check()
        premises, goals = _opened(hypotheses, goal)
        wanted_at_once = parts(goals[0], And) if len(goals) == 1 else []
        if wanted_at_once and set(wanted_at_once) <= set(premises):
            return Proved(tuple(wanted_at_once))
        known = len(self._flat), len(self._clauses.formulas)
        given = [self._clauses.hypothesis(formula) for formula in premises]
        wanted = [self._clauses.goal(formula) for formula in goals]
        if (len(self._flat), len(self._clauses.formulas)) != known:
            # Old worlds do not know the new variables, nor satisfy their definitions.
            self._worlds.clear()
        implications: list[int] | None = None
        root: _World | None = None
        while True:
            if root is None or not root.alive:
                root = self._find(_bits(given), _bits(wanted)) or self._solve([*(-each for each in wanted), *given])
            if root is None:
                core = set(self._core)
                return Proved(tuple(f for f, variable in zip(premises, given, strict=True) if variable in core))
            if implications is None:
                implications = self._clauses.relevant(premises, goals)
            reached = self._walk(root, implications, given)
            if reached is not None:
                return self._model(reached)

    def _walk(self, root: _World, implications: Sequence[int], given: Clause) -> list[_World] | None:
        """The worlds of a model with this root; None when a clause was learned instead."""
        clauses = self._clauses.implications
        reached = {root: None}
        path: list[tuple[_World, Iterator[int]]] = [(root, iter(implications))]
        while path:
            self.limit.check()
            world, rest = path[-1]
            is_true = world.is_true
            for place in rest:
                antecedent, _, implied = clauses[place]
                if is_true[implied] or all(map(is_true.__getitem__, antecedent)):
                    continue
                witness = self._witness(world, place, given)
                if witness is None:
                    return None
                if witness not in reached:
                    reached[witness] = None
                    path.append((witness, iter(implications)))
                    break
            else:
                path.pop()
        return list(reached)

    def _witness(self, world: _World, place: int, given: Clause) -> _World | None:
        """A world above that has the antecedent of an implication clause and not the consequent.

        If there is none, learn why.
        """
        witness = world.witnesses.get(place)
        if witness is None or not witness.alive:
            implication = self._clauses.implications[place]
            antecedent, consequent, _ = implication
            witness = self._find(world.true | _bits(antecedent), _bits(consequent))
            # The order decides which core is found; what was defined last says most.
            witness = witness or self._solve(
                [*(-each for each in consequent), *given, *antecedent, *_variables(world.true)]
            )
            if witness is None:
                self._learn(implication)
            else:
                world.witnesses[place] = witness
        return witness

    def _learn(self, implication: ImplicationClause) -> None:
        """What the antecedent needs beside itself to prove the consequent proves what the clause implies."""
        reasons = [literal for literal in self._core if literal > 0 and literal not in implication.antecedent]
        self._add([*(-reason for reason in reasons), implication.implied])
        mask = _bits(reasons)
        for world in self._worlds:
            world.alive = world.true & mask != mask or bool(world.is_true[implication.implied])
        self._worlds = [world for world in self._worlds if world.alive]

    def _find(self, true: int, false: int) -> _World | None:
        """A known world where some variables are true and others are not, the latest first."""
        for world in reversed(self._worlds):
            if world.true & true == true and not world.true & false:
                return world
        return None

    def _solve(self, assumptions: Clause) -> _World | None:
        """A new world that satisfies some literals, or None; then `_core` holds those which no world satisfies."""
        first = True
        conflicts = min(_CONFLICTS, 1 + _LITERALS // len(self._clauses.formulas))
        while True:
            self.limit.check()
            self._solver.conf_budget(conflicts)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer is False:
                self._core = self._solver.get_core() or []
                return None
            if answer is None and first and self._too_many(assumptions):
                self._core = assumptions
                return None
            if answer:
                # The solver says nothing of variables that it has not met yet.
                model = bytes([0, *(literal > 0 for literal in self._solver.get_model())])
                is_true = model.ljust(len(self._clauses.formulas), b"\0")
                world = _World(is_true, int(is_true.translate(_DIGITS)[::-1], 2))
                self._worlds.append(world)
                return world
            first = False

    def _add(self, clause: Clause) -> None:
        self._flat.append(clause)
        self._solver.add_clause(clause)

    def _too_many(self, assumptions: Clause) -> bool:
        """Whether counting shows that no world satisfies some literals."""
        _, true = self._solver.propagate(assumptions=assumptions)
        return outnumbered(self._flat, [*assumptions, *true], self.limit)

    def _model(self, worlds: list[_World]) -> Kripke:
        """The worlds, each below those that have all its variables; of several with the same ones, one is enough."""
        distinct = list(dict.fromkeys(world.true for world in worlds))
        formulas = self._clauses.formulas
        true = []
        above = []
        for bits in distinct:
            self.limit.check()
            variables = _variables(bits)
            true.append(frozenset(each for variable in variables if isinstance(each := formulas[variable], Atom)))
            above.append(sum(1 << place for place, other in enumerate(distinct) if other & bits == bits))
        return Kripke(tuple(true), tuple(above))


def _opened(hypotheses: Sequence[Formula], goal: Formula) -> tuple[list[Formula], list[Formula]]:
    """The sequent with the goal's antecedents among the hypotheses, and the disjuncts of what is then the goal."""
    premises = dict.fromkeys(hypotheses)
    antecedents, goal = uncurried(goal)
    premises |= dict.fromkeys(antecedents)
    return list(premises), parts(goal, Or)


def _bits(variables: Collection[int]) -> int:
    """A bit for each variable."""
    digits = bytearray(b"0") * (1 + max(variables, default=0))
    for variable in variables:
        digits[-1 - variable] = ord("1")
    return int(digits, 2)


def _variables(bits: int) -> list[int]:
    """The variables that have a bit, the latest first."""
    text = bin(bits)
    top = len(text) - 1
    return [top - place for place, digit in enumerate(text) if digit == "1" and place > 1]
