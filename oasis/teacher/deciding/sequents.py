"""Is a sequent provable? An exhaustive search in Dyckhoff's calculus, every sequent searched once.

The second engine: it needs no SAT solver and shares no code with the first, so that each can be held against the other.
Hypotheses are sets. Rules that can be undone are applied at once and leave one sequent, or end the matter; a choice is
left only between nested implications and the sides of a disjunction. After Dyckhoff (1992), "Contraction-free sequent
calculi for intuitionistic logic". Proofs are not kept (`oasis.teacher.proofs`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from oasis.ground.limits import Limit
from tactics.formula import FALSE, And, Formula, Implies, Or
from tactics.recursion import Call, run

_Context: TypeAlias = frozenset[Formula]


class Sequents:
    """A search over many sequents: what is known of one, provable or not, is kept for the next.

    Args:
        limit: for all sequents together.
    """

    def __init__(self, limit: Limit | None = None) -> None:
        self.limit = limit or Limit()
        self._known: dict[tuple[_Context, Formula], bool] = {}

    def decide(self, hypotheses: Iterable[Formula], goal: Formula) -> bool:
        """Whether the hypotheses prove the goal. Raises LimitReached."""
        return run(self._provable(frozenset(), hypotheses, goal), self.limit.check)

    def _provable(self, context: _Context, more: Iterable[Formula], goal: Formula) -> Call[bool]:
        """Whether a context that is saturated proves a goal, together with more hypotheses."""
        added = list(more)
        while isinstance(goal, Implies):
            added.append(goal.left)
            goal = goal.right
        context = _saturated(context, added)
        if FALSE in context or _follows(context, goal):
            return True
        sequent = context, goal
        if sequent not in self._known:
            self._known[sequent] = yield from self._search(context, goal)
        return self._known[sequent]

    def _search(self, context: _Context, goal: Formula) -> Call[bool]:
        if isinstance(goal, And):
            for part in _joined(goal):
                if not (yield self._provable(context, (), part)):
                    return False
            return True
        disjunctions = [formula for formula in context if isinstance(formula, Or)]
        if disjunctions:
            cases = min(disjunctions, key=_order)
            for case in (cases.left, cases.right):
                if not (yield self._provable(context - {cases}, (case,), goal)):
                    return False
            return True
        nested = [formula for formula in context if isinstance(formula, Implies) and isinstance(formula.left, Implies)]
        for implication in sorted(nested, key=_order):
            antecedent, consequent = implication.left, implication.right
            assert isinstance(antecedent, Implies)
            others = context - {implication}
            # The consequent says more than the implication: if it does not help, nothing does.
            if not (yield self._provable(others, (consequent,), goal)):
                return False
            if (yield self._provable(others, (antecedent.right >> consequent,), antecedent)):
                return True
        if isinstance(goal, Or):
            for part in _joined(goal):
                if (yield self._provable(context, (), part)):
                    return True
        return False


def _follows(context: _Context, goal: Formula) -> bool:
    """Whether hypotheses make up a goal by conjunction and disjunction alone."""
    held: set[Formula] = set()
    for formula in junctions(goal):
        left = formula.left in held or formula.left in context
        right = formula.right in held or formula.right in context
        if (left and right) if isinstance(formula, And) else (left or right):
            held.add(formula)
    return goal in held or goal in context


def _order(formula: Formula) -> tuple[int, int]:
    """The lightest first, so that little is left; of these the oldest, so that runs can be repeated."""
    return formula.weight, formula.id


@lru_cache(maxsize=4096)
def junctions(goal: Formula) -> tuple[And | Or, ...]:
    """The conjunctions and disjunctions of which a goal is made up, each once, its sides before it."""
    found: dict[And | Or, None] = {}
    pending = [(goal, False)]
    while pending:
        formula, sides_done = pending.pop()
        if not isinstance(formula, And | Or) or formula in found:
            continue
        if sides_done:
            found[formula] = None
        else:
            pending += [(formula, True), (formula.right, False), (formula.left, False)]
    return tuple(found)


def _joined(goal: And | Or) -> Iterable[Formula]:
    """What a nest of one connective joins, each part once, from the left."""
    seen: set[Formula] = set()
    pending: list[Formula] = [goal]
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, And | Or) and type(part) is type(goal):
            pending += [part.right, part.left]
        else:
            yield part


def _saturated(context: _Context, more: Iterable[Formula]) -> _Context:
    """What a saturated context becomes with more hypotheses, all rules that leave one sequent applied.

    Falsum alone stands for a contradiction. What is left besides is atoms, disjunctions, and implications whose
    antecedent is an implication or an atom that is no hypothesis.
    """
    held = set(context)
    waiting: defaultdict[Formula, list[Implies]] = defaultdict(list)
    for formula in context:
        if isinstance(formula, Implies):
            waiting[formula.left].append(formula)
    seen = set(context)
    pending = list(more)
    while pending:
        formula = pending.pop()
        if formula in seen:
            continue
        seen.add(formula)
        match formula:
            case And(left, right):
                pending += [right, left]
                continue
            case Implies(left, right) if left is FALSE or left is right or right in held:
                continue
            case Implies(And(one, other), right):
                pending.append(one >> (other >> right))
                continue
            case Implies(Or(one, other), right):
                pending += [other >> right, one >> right]
                continue
            case Implies(left, right) if left in held or (isinstance(left, Implies) and left.right in held):
                pending.append(right)
                continue
            case Implies(left, _):
                waiting[left].append(formula)
        if formula is FALSE:
            return frozenset((FALSE,))
        held.add(formula)
        for implication in waiting.pop(formula, ()):
            held.discard(implication)
            pending.append(implication.right)
    return frozenset(formula for formula in held if not _idle(formula, held))


def _idle(formula: Formula, held: set[Formula]) -> bool:
    """Whether a hypothesis says less than another one."""
    match formula:
        case Or(left, right):
            return left in held or right in held
        case Implies(_, right):
            return right in held
        case _:
            return False
