"""Where a maxim applies: the shape of the conclusion, that of a hypothesis, both to depth 2, and a rule.

A shape is a text: `any`; a connective, as in `or`; or a connective with those of its sides, as in `or(atom,implies)`.
Which atoms there are is not seen, but for one thing: that a hypothesis is the `left side` or the `right side` of the
conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from tactics.errors import InputError, check_choice
from tactics.formula import And, Atom, Binary, Formula, Implies, Or
from tactics.goal import Goal, Move
from tactics.rules import RULES

ANY: Final = "any"
LEFT_SIDE: Final = "left side"
RIGHT_SIDE: Final = "right side"
SIDES: Final = (LEFT_SIDE, RIGHT_SIDE)
"""What a hypothesis may be besides its shape."""
_KINDS: Final[dict[type[Formula], str]] = {And: "and", Or: "or", Implies: "implies", Atom: "atom"}
_KIND: Final = r"(?:and|or|implies|atom|false)"
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
    """Where a maxim applies.

    Attributes:
        conclusion: the shape of the goal's conclusion.
        hypothesis: the shape of the hypothesis that the rule takes; of any hypothesis if it takes none, or which side
            of the conclusion one is.
        rule: its name.
    """

    conclusion: str
    hypothesis: str
    rule: str

    @classmethod
    def read(cls, conclusion: object, hypothesis: object, rule: object) -> Scope:
        """The scope of three texts. Raises InputError if one of them is none."""
        for name, shape in (("conclusion", conclusion), ("hypothesis", hypothesis)):
            is_side = name == "hypothesis" and shape in SIDES
            if not (isinstance(shape, str) and (is_side or is_shape(shape))):
                raise InputError(f"The {name} is {shape!r} and should be a shape, as in any, or, or(atom,implies).")
        check_choice("The rule", rule, RULES)
        return cls(str(conclusion), str(hypothesis), str(rule))

    def contains(self, other: Scope) -> bool:
        """Whether this one applies wherever another one does, to the same rule."""
        return (
            self.rule == other.rule
            and _contains(self.conclusion, other.conclusion)
            and _contains(self.hypothesis, other.hypothesis)
        )

    @property
    def depth(self) -> int:
        """How special it is, from 0 to 4; a scope that contains another one has the smaller number."""
        return sum(0 if each == ANY else 1 + ("(" in each) for each in (self.conclusion, self.hypothesis))


def scopes(goal: Goal, move: Move) -> Iterator[Scope]:
    """Every scope in which a legal move of a goal lies, each once."""
    for shape, hypothesis in product(shapes(goal.conclusion), _of_hypothesis(goal, move)):
        yield Scope(shape, hypothesis, move.rule)


def applying(goal: Goal, move: Move, candidates: Iterable[Scope]) -> list[Scope]:
    """Those of some scopes of its rule in which a legal move of a goal lies, in their order."""
    conclusion = shapes(goal.conclusion)
    left = [scope for scope in candidates if scope.conclusion in conclusion]
    if all(scope.hypothesis == ANY for scope in left):
        return left
    found = _of_hypothesis(goal, move)
    return [scope for scope in left if scope.hypothesis in found]


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
