"""Formulas as clauses over variables: flat ones, for a SAT solver, and implication clauses, for Kripke models.

A variable stands for a formula. What is defined of it depends on where the formula stands: as a hypothesis the variable
must not be true where the formula is not, as a goal it must be true wherever the formula is. Each side is defined when
it is first needed, each formula once, so shared formulas cost nothing. After Claessen and Rosén (2015), "SAT modulo
intuitionistic implications", whose implication clauses have atoms where these have lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from oasis.ground.limits import Limit
from tactics.formula import FALSE, And, Binary, Formula, Implies, Or
from tactics.uncollected import uncollected

_FALSE: Final = 1
_BETWEEN_CHECKS: Final = 1024
"""Formulas between two looks at the clock."""

Clause = list[int]
"""A disjunction of literals; a negative number is a negated variable."""


class ImplicationClause(NamedTuple):
    """(⋀ antecedent → ⋁ consequent) → implied, all variables."""

    antecedent: tuple[int, ...]
    consequent: tuple[int, ...]
    implied: int


class _Side(NamedTuple):
    """A formula and where it stands."""

    formula: Formula
    is_goal: bool


class Clauses:
    """The definitions that were needed so far.

    Args:
        add: is given every flat clause as it is made.
        limit: is asked while definitions are made and looked up.

    Attributes:
        formulas: the formula of each variable; variable 0 is none, 1 is False.
        implications: the implication clauses, in the order in which they were made.
    """

    def __init__(self, add: Callable[[Clause], object], limit: Limit) -> None:
        self._add, self._limit = add, limit
        self._variables: dict[Formula, int] = {FALSE: _FALSE}
        self.formulas: list[Formula] = [FALSE, FALSE]
        self.implications: list[ImplicationClause] = []
        self._needs: dict[_Side, list[_Side]] = {}
        self._places: dict[_Side, int] = {}
        self._pending: list[_Side] = []
        self._looked_at = 0
        add([-_FALSE])

    def hypothesis(self, formula: Formula) -> int:
        """The variable of a formula that may be a hypothesis. Raises LimitReached."""
        return self._defined(_Side(formula, False))

    def goal(self, formula: Formula) -> int:
        """The variable of a formula that may be a goal. Raises LimitReached."""
        return self._defined(_Side(formula, True))

    @uncollected()
    def relevant(self, hypotheses: Iterable[Formula], goals: Iterable[Formula]) -> list[int]:
        """The places of the implication clauses that matter to a sequent whose formulas are defined, the latest first.

        Raises LimitReached.
        """
        pending = [*(_Side(each, False) for each in hypotheses), *(_Side(each, True) for each in goals)]
        seen = set(pending)
        for side in pending:  # which grows
            self._look()
            for needed in self._needs[side]:
                if needed not in seen:
                    seen.add(needed)
                    pending.append(needed)
        places = (place for side in seen if (place := self._places.get(side)) is not None)
        return sorted(places, reverse=True)

    @uncollected()
    def _defined(self, side: _Side) -> int:
        """The variable of a formula, after everything that it needs is defined."""
        variable = self._need(side, [])
        while self._pending:
            self._look()
            formula, is_goal = pending = self._pending.pop()
            if is_goal:
                self._define_goal(formula, self._needs[pending])
            else:
                self._define_hypothesis(formula, self._needs[pending])
        return variable

    def _look(self) -> None:
        """Ask the limit now and then."""
        self._looked_at += 1
        if self._looked_at % _BETWEEN_CHECKS == 0:
            self._limit.check()

    def _need(self, side: _Side, needs: list[_Side]) -> int:
        """The variable of a formula; what a definition needs is noted in `needs`, and will be defined as well."""
        needs.append(side)
        if side not in self._needs:
            self._needs[side] = []
            self._pending.append(side)
        variable = self._variables.get(side.formula)
        if variable is None:
            variable = self._variables[side.formula] = len(self.formulas)
            self.formulas.append(side.formula)
        return variable

    def _define_hypothesis(self, formula: Formula, needs: list[_Side]) -> None:
        """Clauses by which a world where the variable is true makes the formula true."""
        if not isinstance(formula, Binary):
            return
        variable = self._variables[formula]
        for part in parts(formula, And):
            antecedents, last = uncurried(part)
            clause = [-variable, *(-self._need(_Side(each, True), needs) for each in antecedents)]
            for each in parts(last, Or):
                if each is not FALSE:
                    clause.append(self._need(_Side(each, False), needs))
            self._add(clause)

    def _define_goal(self, formula: Formula, needs: list[_Side]) -> None:
        """Clauses by which a world that makes the formula true has the variable true."""
        variable = self._variables[formula]
        match formula:
            case And():
                conjuncts = [self._need(_Side(part, True), needs) for part in parts(formula, And)]
                self._add([*(-conjunct for conjunct in conjuncts), variable])
            case Or():
                for part in parts(formula, Or):
                    self._add([-self._need(_Side(part, True), needs), variable])
            case Implies():
                antecedents, last = uncurried(formula)
                antecedent = tuple(self._need(_Side(each, False), needs) for each in antecedents)
                consequent = tuple(
                    self._need(_Side(each, True), needs) for each in parts(last, Or) if each is not FALSE
                )
                for each in consequent:
                    self._add([-each, variable])
                self._places[_Side(formula, True)] = len(self.implications)
                self.implications.append(ImplicationClause(antecedent, consequent, variable))


def parts(formula: Formula, connective: type[Binary]) -> list[Formula]:
    """What a nest of conjunctions or disjunctions joins, each part once, from the left."""
    found: dict[Formula, None] = {}
    seen: set[Formula] = set()
    pending = [formula]
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, connective):
            pending += [part.right, part.left]
        else:
            found[part] = None
    return list(found)


def uncurried(formula: Formula) -> tuple[list[Formula], Formula]:
    """A₁, …, Aₙ and B of A₁ → … → Aₙ → B, conjunctions among the antecedents taken apart."""
    antecedents: dict[Formula, None] = {}
    while isinstance(formula, Implies):
        antecedents |= dict.fromkeys(parts(formula.left, And))
        formula = formula.right
    return list(antecedents), formula
