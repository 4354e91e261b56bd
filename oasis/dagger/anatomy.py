"""What formulas and goals are made of, counted: depth, subformulas and how often they occur, literals.

All of it is linear in the number of distinct subformulas, and nothing recurses, so a formula may share as much and be
as deep as it likes. How often a subformula occurs is counted in the formula written out as a tree, and may be a number
of thousands of digits. What a formula is worth, or a goal, is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from functools import lru_cache, wraps
from typing import Final, NamedTuple, TypeVar
from weakref import ref

from tactics.formula import Atom, Binary, Formula, Implies, subformulas
from tactics.goal import Goal

_Answer = TypeVar("_Answer")

Literal = tuple[Atom, bool]
"""An atom, and whether it occurs positively."""
SMALL: Final = 200
"""Nodes up to which a formula, written out, is small: thousands are remembered, and of others only a few."""


class Anatomy(NamedTuple):
    """What a formula is made of.

    Attributes:
        depth: connectives on the longest way down; 0 for an atom and falsum.
        occurrences: how often each distinct subformula occurs, the formula itself among them.
        literals: how often each atom occurs positively and negatively; the left side of an implication turns signs.
        atoms: the distinct ones.
    """

    depth: int
    occurrences: Mapping[Formula, int]
    literals: Mapping[Literal, int]
    atoms: frozenset[Atom]


def anatomy(formula: Formula) -> Anatomy:
    """What a formula is made of."""
    return _small(formula) if formula.size <= SMALL else _large(formula)


def _walked(formula: Formula) -> Anatomy:
    nodes = tuple(subformulas(formula))
    depths: dict[Formula, int] = {}
    for node in nodes:
        depths[node] = 1 + max(depths[node.left], depths[node.right]) if isinstance(node, Binary) else 0
    positive, negative = dict.fromkeys(nodes, 0), dict.fromkeys(nodes, 0)
    positive[formula] = 1
    for node in reversed(nodes):  # the whole before its sides, so that its own numbers are complete
        if isinstance(node, Binary):
            same, turned = positive[node], negative[node]
            positive[node.right] += same
            negative[node.right] += turned
            if isinstance(node, Implies):
                same, turned = turned, same
            positive[node.left] += same
            negative[node.left] += turned
    atoms = [node for node in nodes if isinstance(node, Atom)]
    return Anatomy(
        depths[formula],
        {node: positive[node] + negative[node] for node in nodes},
        {(atom, sign): n for atom in atoms for sign, n in ((True, positive[atom]), (False, negative[atom])) if n},
        frozenset(atoms),
    )


_small = lru_cache(maxsize=2048)(_walked)
_large = lru_cache(maxsize=16)(_walked)


def distinct(formulas: Iterable[Formula]) -> Set[Formula]:
    """The distinct subformulas of formulas that stand side by side."""
    return frozenset[Formula]().union(*(anatomy(formula).occurrences for formula in set(formulas)))


def bag(formulas: Iterable[Formula]) -> dict[Formula, int]:
    """How often each subformula occurs in formulas that stand side by side."""
    together: dict[Formula, int] = {}
    for formula, times in Counter(formulas).items():
        for node, number in anatomy(formula).occurrences.items():
            together[node] = together.get(node, 0) + times * number
    return together


def kept_with_goal(function: Callable[[Goal], _Answer]) -> Callable[[Goal], _Answer]:
    """The function, whose answers are remembered until their goals are forgotten; they must not hold goals."""
    known: dict[ref[Goal], _Answer] = {}  # a WeakKeyDictionary, but faster

    def forget(goal: ref[Goal]) -> None:
        known.pop(goal, None)

    @wraps(function)
    def remembering(goal: Goal) -> _Answer:
        answer = known.get(ref(goal))
        if answer is None:
            answer = known[ref(goal, forget)] = function(goal)
        return answer

    return remembering


@kept_with_goal
def depth(goal: Goal) -> int:
    """The depth of the deepest formula of a goal."""
    return max(anatomy(formula).depth for formula in {goal.conclusion, *assumed(goal)})


@kept_with_goal
def atoms_of(goal: Goal) -> frozenset[Atom]:
    """The atoms of a goal."""
    return anatomy(goal.conclusion).atoms.union(*(anatomy(formula).atoms for formula in set(assumed(goal))))


@kept_with_goal
def literals(goal: Goal) -> Mapping[Literal, int]:
    """How often each literal occurs in a goal; in hypotheses signs are turned, as left of an implication."""
    together = dict(anatomy(goal.conclusion).literals)
    for formula, times in Counter(assumed(goal)).items():
        for (atom, positive), number in anatomy(formula).literals.items():
            literal = atom, not positive
            together[literal] = together.get(literal, 0) + times * number
    return together


def assumed(goal: Goal) -> list[Formula]:
    """The formulas of the hypotheses, Γ."""
    return [formula for _, formula in goal.hypotheses]
