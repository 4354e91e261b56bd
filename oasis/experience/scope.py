"""Where a maxim applies: a conjunction of conditions on the goal, on a hypothesis, and on how the goal came about.

A shape is a text: `any`; a connective, as in `or`; or a connective with those of its sides, as in `or(atom,implies)`.
What ends a formula is the formula itself, what ends the right side of an implication, and what ends either side of a
conjunction or disjunction: its strictly positive parts. An atom that ends no hypothesis cannot be proved, unless
falsehood ends one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from tactics.errors import InputError, check_choice
from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or, atoms
from tactics.goal import Goal, Move
from tactics.rules import CAN_LOSE, RULES, apply

ANY: Final = "any"
LEFT_SIDE: Final = "left side"
RIGHT_SIDE: Final = "right side"
SIDES: Final = (LEFT_SIDE, RIGHT_SIDE)
"""What a hypothesis may be besides its shape."""
LOSING, SAFE = "can lose", "cannot lose"
CLASSES: Final = (LOSING, SAFE)
"""What may stand for a rule: all that may leave of a provable goal one that is not, or all others."""
REACHED, UNREACHED = "within reach", "out of reach"
LAST, EARLIER = "came last", "came earlier"
TO_GOAL, ELSEWHERE = "ends in the goal", "ends elsewhere"
SHARED, OWN = "shares atoms", "shares no atom"
OPPOSITES: Final = ((REACHED, UNREACHED), (LAST, EARLIER), (TO_GOAL, ELSEWHERE), (SHARED, OWN))
CONDITIONS: Final = tuple(each for pair in OPPOSITES for each in pair)
"""Whether all that a move leaves to prove ends a hypothesis; whether the hypothesis that it takes is the newest one;
whether the goal ends that; and whether that, or else the conclusion, has an atom that the rest of the goal has, too."""
OF_HYPOTHESES: Final = (LAST, EARLIER, TO_GOAL, ELSEWHERE)
"""Conditions on the hypothesis that a rule takes."""
MOST_CONDITIONS: Final = 2
"""Beside shapes, in one scope."""
_DEEPEST: Final = 12
"""Connectives of a conclusion below which nothing is looked at."""
_KINDS: Final[dict[type[Formula], str]] = {And: "and", Or: "or", Implies: "implies", Atom: "atom"}
_ALL_KINDS: Final = ("and", "or", "implies", "atom", "false")
_KIND: Final = f"(?:{'|'.join(_ALL_KINDS)})"
_SHAPE: Final = re.compile(rf"any|{_KIND}|(?:and|or|implies)\({_KIND},{_KIND}\)")


@lru_cache(maxsize=4096)
def shapes(formula: Formula) -> tuple[str, ...]:
    """The shapes that a formula has, the most general first: two for what has no sides, else three."""
    kind = _kind(formula)
    if not isinstance(formula, Binary):
        return ANY, kind
    return ANY, kind, f"{kind}({_kind(formula.left)},{_kind(formula.right)})"


def _kind(formula: Formula) -> str:
    return _KINDS.get(type(formula), "false")


def _contains(general: str, special: str) -> bool:
    """Whether all formulas of a shape have another one, too."""
    return general in (ANY, special, special.partition("(")[0])


def is_shape(text: str) -> bool:
    """Whether a text is a shape."""
    return _SHAPE.fullmatch(text) is not None


class Scope(NamedTuple):
    """Where a maxim applies: where all of this holds.

    Attributes:
        conclusion: the shape of the goal's conclusion.
        hypothesis: the shape of the hypothesis that the rule takes; of any hypothesis if it takes none, or which side
            of the conclusion one is.
        rule: its name, or one of `CLASSES`.
        also: those of `CONDITIONS` that a move fulfils, in their order.
    """

    conclusion: str
    hypothesis: str
    rule: str
    also: tuple[str, ...] = ()

    @classmethod
    def read(cls, conclusion: object, hypothesis: object, rule: object, also: object = ()) -> Scope:
        """The scope of three texts and a list of conditions. Raises InputError if they are none."""
        for name, shape in (("conclusion", conclusion), ("hypothesis", hypothesis)):
            is_side = name == "hypothesis" and shape in SIDES
            if not (isinstance(shape, str) and (is_side or is_shape(shape))):
                raise InputError(f"The {name} is {shape!r} and should be a shape, as in any, or, or(atom,implies).")
        check_choice("The rule", rule, (*RULES, *CLASSES))
        if rule in CLASSES and hypothesis != ANY:
            raise InputError(f"The hypothesis is {hypothesis!r}; of all rules that {rule} it may be any alone.")
        if not isinstance(also, (list, tuple)):
            raise InputError(f"The conditions are {also!r} and should be a list.")
        for condition in also:
            check_choice("A condition", condition, CONDITIONS)
            if not _fits(condition, str(rule)):
                raise InputError(f"{rule} takes no hypothesis that {condition}.")
        ordered = _ordered(also)
        if len(ordered) > MOST_CONDITIONS or any(pair == ordered for pair in OPPOSITES):
            raise InputError(f"The conditions are {', '.join(ordered)}: at most {MOST_CONDITIONS}, and no opposites.")
        return cls(str(conclusion), str(hypothesis), str(rule), ordered)

    def to_json(self) -> dict[str, Any]:
        """What it is made of, by name."""
        return {**self._asdict(), "also": [*self.also]}

    def contains(self, other: Scope) -> bool:
        """Whether this one applies wherever another one does."""
        return (
            self.is_about(other.rule)
            and _contains(self.conclusion, other.conclusion)
            and _contains(self.hypothesis, other.hypothesis)
            and set(self.also) <= set(other.also)
        )

    def is_about(self, rule: str) -> bool:
        """Whether it speaks of a rule, or of all rules of a class."""
        return self.rule in (rule, class_of(rule))

    @property
    def depth(self) -> int:
        """How special it is, from 0; a scope that contains another one has the smaller number."""
        of_shapes = sum(0 if each == ANY else 1 + ("(" in each) for each in (self.conclusion, self.hypothesis))
        return of_shapes + len(self.also) + (self.rule not in CLASSES)


def narrower(scope: Scope) -> list[list[Scope]]:
    """The scopes within a scope that have one condition more, in lists of such as exclude each other."""
    conclusion, hypothesis, rule, also = scope
    found = [[scope._replace(conclusion=each) for each in _finer(conclusion)]]
    if rule in CLASSES:
        found.append([scope._replace(rule=each) for each in RULES if _fit(scope, each)])
    elif RULES[rule].takes_hypothesis:
        found.append([scope._replace(hypothesis=each) for each in _finer(hypothesis)])
    if len(also) < MOST_CONDITIONS:
        pairs = [pair for pair in OPPOSITES if _fits(pair[0], rule) and not set(pair) & set(also)]
        found += [[scope._replace(also=_ordered((*also, each))) for each in pair] for pair in pairs]
    return [each for each in found if each]


def wider(scope: Scope) -> list[Scope]:
    """The scopes that a scope is within, with one condition less."""
    conclusion, hypothesis, rule, also = scope
    found = [scope._replace(conclusion=_coarser(conclusion))] if conclusion != ANY else []
    found += [scope._replace(hypothesis=_coarser(hypothesis))] if hypothesis != ANY else []
    found += [scope._replace(also=tuple(each for each in also if each != gone)) for gone in also]
    return [*found, scope._replace(rule=class_of(rule))] if hypothesis == ANY and rule not in CLASSES else found


def _fit(scope: Scope, rule: str) -> bool:
    """Whether a scope of a class may become one of a rule."""
    return class_of(rule) == scope.rule and all(_fits(condition, rule) for condition in scope.also)


def _fits(condition: object, rule: str) -> bool:
    """Whether a rule takes a hypothesis if a condition is about one."""
    return condition not in OF_HYPOTHESES or rule in CLASSES or RULES[rule].takes_hypothesis


def _ordered(also: Iterable[object]) -> tuple[str, ...]:
    given = [*also]
    return tuple(each for each in CONDITIONS if each in given)


def _finer(shape: str) -> list[str]:
    if shape == ANY:
        return [*_ALL_KINDS]
    if shape not in _ALL_KINDS[:3]:
        return []
    return [f"{shape}({left},{right})" for left, right in product(_ALL_KINDS, _ALL_KINDS)]


def _coarser(shape: str) -> str:
    return shape.partition("(")[0] if "(" in shape else ANY


def class_of(rule: str) -> str:
    """Which of `CLASSES` a rule is in; a class is in itself."""
    return rule if rule in CLASSES else LOSING if rule in CAN_LOSE else SAFE


def scopes(goal: Goal, move: Move) -> Iterator[Scope]:
    """Every scope with at most one condition in which a legal move of a goal lies, each once."""
    also = [(), *((each,) for each in conditions(goal, move))]
    for shape, one in product(shapes(goal.conclusion), also):
        yield Scope(shape, ANY, class_of(move.rule), one)
        for hypothesis in _of_hypothesis(goal, move):
            yield Scope(shape, hypothesis, move.rule, one)


def applying(goal: Goal, move: Move, candidates: Iterable[Scope]) -> list[Scope]:
    """Those of some scopes in which a legal move of a goal lies, in their order."""
    conclusion = shapes(goal.conclusion)
    left = [scope for scope in candidates if scope.is_about(move.rule) and scope.conclusion in conclusion]
    if not all(scope.hypothesis == ANY for scope in left):
        found = _of_hypothesis(goal, move)
        left = [scope for scope in left if scope.hypothesis in found]
    if any(scope.also for scope in left):
        fulfilled = set(conditions(goal, move))
        left = [scope for scope in left if fulfilled.issuperset(scope.also)]
    return left


def _of_hypothesis(goal: Goal, move: Move) -> dict[str, None]:
    """What scopes of a move may have as their hypothesis."""
    if move.hypothesis is not None:
        return dict.fromkeys(shapes(dict(goal.hypotheses)[move.hypothesis]))
    formulas = [formula for _, formula in goal.hypotheses]
    found = dict.fromkeys([ANY, *(shape for formula in formulas for shape in shapes(formula))])
    if isinstance(conclusion := goal.conclusion, Binary):
        sides = zip(SIDES, (conclusion.left, conclusion.right), strict=True)
        found |= dict.fromkeys(name for name, side in sides if side in formulas)
    return found


def conditions(goal: Goal, move: Move) -> list[str]:
    """Those of `CONDITIONS` that a legal move of a goal fulfils."""
    held = dict(goal.hypotheses)
    principal = goal.conclusion if move.hypothesis is None else held.pop(move.hypothesis)
    rest = [*held.values(), *([goal.conclusion] if move.hypothesis is not None else [])]
    found = [REACHED if all(map(is_within_reach, apply((goal,), move))) else UNREACHED]
    if move.hypothesis is not None:
        found.append(LAST if goal.hypotheses[-1].name == move.hypothesis else EARLIER)
        found.append(TO_GOAL if goal.conclusion in ends(principal) else ELSEWHERE)
    elsewhere = {atom for formula in rest for atom in _atoms(formula)}
    return [*found, OWN if elsewhere.isdisjoint(_atoms(principal)) else SHARED]


def is_within_reach(goal: Goal) -> bool:
    """Whether what ends the conclusion of a goal ends a hypothesis; if not, there is no proof."""
    return _reaches(goal.conclusion, frozenset[Formula]().union(*(ends(each) for _, each in goal.hypotheses)), 0)


def _reaches(formula: Formula, ended: frozenset[Formula], depth: int) -> bool:
    if FALSE in ended or formula in ended or depth > _DEEPEST:
        return True
    match formula:
        case Implies(left, right):
            return _reaches(right, ended | ends(left), depth + 1)
        case And(left, right):
            return _reaches(left, ended, depth + 1) and _reaches(right, ended, depth + 1)
        case Or(left, right):
            return _reaches(left, ended, depth + 1) or _reaches(right, ended, depth + 1)
    return False


@lru_cache(maxsize=4096)
def ends(formula: Formula) -> frozenset[Formula]:
    """What ends a formula: its strictly positive parts."""
    found: set[Formula] = set()
    waiting = [formula]
    while waiting:
        if (each := waiting.pop()) not in found:
            found.add(each)
            if isinstance(each, Binary):
                waiting += [each.right] if isinstance(each, Implies) else [each.left, each.right]
    return frozenset(found)


@lru_cache(maxsize=4096)
def _atoms(formula: Formula) -> frozenset[Atom]:
    return frozenset(atoms(formula))
