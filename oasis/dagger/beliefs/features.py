"""A state as a vector of numbers, for beliefs that count and compare.

The names of atoms and hypotheses, and the order of the hypotheses, do not matter; that of the goals does only in so far
as the first one is looked at closely. What is found out about a goal is kept while the goal is among the last that were
looked at.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import Final

from oasis.dagger.anatomy import assumed, atoms_of
from oasis.dagger.valuations import is_refuted
from oasis.play.actions import LEGAL
from tactics.formula import And, Atom, Falsum, Formula, Implies, Or
from tactics.goal import Goal, State

_REMEMBERED: Final = 20_000
_ROLES: Final = ("atom", "falsum", "and", "or", "implies")
_WAITING: Final = tuple(f"{role} implies" for role in _ROLES)
_OF_FOCUS: Final = (
    *(f"hypotheses: {role}" for role in (*_ROLES[:-1], "ready", *_WAITING)),
    *(f"conclusion: {role}" for role in _ROLES),
    "hypotheses",
    "moves",
    "closable",
    "aims",
    "atoms",
    "weight",
    "weight of conclusion",
    "refuted",
)
_OF_OTHERS: Final = ("not closable", "hypotheses", "weight", "refuted")
NAMES: Final = (*_OF_FOCUS, "goals", *(f"other goals: {name}" for name in _OF_OTHERS))
"""What the numbers are, of the goal in focus but for the last five.

Hypotheses are counted by their connective; implications are `ready` where their left side is among the hypotheses, and
otherwise wait for an atom, falsum, a conjunction, a disjunction or an implication. `closable` is 1 if one move closes
the goal; `aims` counts the hypotheses that are implications of the conclusion, at whatever depth on the right. Weights
are Dyckhoff's, summed, as log2(1 + weight). `refuted` is 1 if a valuation makes the hypotheses true and the conclusion
false: then nobody can prove the goal. What is classically true need not be provable, so this is no oracle.
"""
_PLACE: Final = {name: place for place, name in enumerate(NAMES)}
_CLOSABLE, _HYPOTHESES, _WEIGHT, _REFUTED = (_PLACE[name] for name in ("closable", *_OF_OTHERS[1:]))
_KINDS: Final[dict[type[Formula], str]] = {Atom: "atom", Falsum: "falsum", And: "and", Or: "or", Implies: "implies"}


def features(state: State) -> tuple[float, ...]:
    """Return the numbers of a state with goals, as many as there are `NAMES`, all of them 0 or more."""
    waiting, hypotheses, weight, false = 0, 0.0, 0.0, 0.0
    for goal in state[1:]:
        other = _of_goal(goal)
        waiting += not other[_CLOSABLE]
        hypotheses += other[_HYPOTHESES]
        weight += other[_WEIGHT]
        false += other[_REFUTED]
    return *_of_goal(state[0]), len(state), waiting, hypotheses, weight, false


@lru_cache(maxsize=_REMEMBERED)
def _of_goal(goal: Goal) -> tuple[float, ...]:
    """The numbers of a goal in focus."""
    vector = [0.0] * len(_OF_FOCUS)
    formulas = assumed(goal)
    present = set(formulas)
    for formula in formulas:
        kind = _KINDS[type(formula)]
        if isinstance(formula, Implies):
            kind = "ready" if formula.left in present else f"{_KINDS[type(formula.left)]} implies"
            vector[_PLACE["aims"]] += _aims(formula, goal.conclusion)
        vector[_PLACE[f"hypotheses: {kind}"]] += 1
    moves = LEGAL.actions((goal,))
    vector[_PLACE[f"conclusion: {_KINDS[type(goal.conclusion)]}"]] = 1
    vector[_PLACE["hypotheses"]] = len(formulas)
    vector[_PLACE["moves"]] = len(moves)
    vector[_PLACE["closable"]] = any(move.rule in ("assumption", "contradiction") for move in moves)
    vector[_PLACE["atoms"]] = len(atoms_of(goal))
    vector[_PLACE["weight"]] = log2(1 + goal.conclusion.weight + sum(formula.weight for formula in formulas))
    vector[_PLACE["weight of conclusion"]] = log2(1 + goal.conclusion.weight)
    vector[_REFUTED] = is_refuted(goal)
    return tuple(vector)


def _aims(formula: Formula, conclusion: Formula) -> bool:
    while isinstance(formula, Implies):
        formula = formula.right
        if formula is conclusion:
            return True
    return False
