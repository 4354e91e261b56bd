"""What a companion may go by in choosing a move: habits, which are kinds of moves, and looks, which are questions.

A habit is a kind of move at a kind of goal, such as choosing a side where a disjunction is to be shown. `left` and
`right` are one habit, or a few lemmas that end in `right` would teach to go right. A look asks what lies on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or
from tactics.goal import Goal, Move, principal

_KINDS: Final[dict[type[Formula], str]] = {And: "and", Or: "or", Implies: "if", Atom: "letter"}
_SIDES: Final = ("left", "right")
_IFS: Final = ("imply1", "imply2", "imply3", "imply4")


class Look(NamedTuple):
    """A question about what lies on the table, for moves of some rules.

    Attributes:
        name: in a few words; the look is kept by it.
        rules: whose moves it is about.
        question: what the companion asks itself before such a move.
        holds: the answer for a legal move of one of these rules at a goal.
    """

    name: str
    rules: tuple[str, ...]
    question: str
    holds: Callable[[Goal, Move], bool]

    def answer(self, goal: Goal, move: Move) -> bool | None:
        """Return the answer for a legal move; None if the question is not about moves of its rule."""
        return self.holds(goal, move) if move.rule in self.rules else None


def _lying(goal: Goal) -> list[Formula]:
    return [formula for _, formula in goal.hypotheses]


def _sides(goal: Goal, move: Move) -> tuple[Formula, Formula]:
    """Return the side that is chosen, and the other one."""
    assert isinstance(goal.conclusion, Or)
    one, other = goal.conclusion.left, goal.conclusion.right
    return (one, other) if move.rule == "left" else (other, one)


def _nested(goal: Goal, move: Move) -> tuple[Formula, Formula]:
    """Return A and B of the hypothesis (A → B) → C that a move works on."""
    formula = principal(goal, move)
    assert isinstance(formula, Implies) and isinstance(formula.left, Implies)
    return formula.left.left, formula.left.right


def _given(goal: Goal, move: Move) -> Formula:
    """Return C of the hypothesis A → C that a move works on."""
    formula = principal(goal, move)
    assert isinstance(formula, Implies)
    return formula.right


def _is_used(goal: Goal, formula: Formula) -> bool:
    """Return whether a formula is what is to be shown, or what an implication that lies here waits for."""
    return formula == goal.conclusion or any(
        isinstance(each, Implies) and each.left == formula for each in _lying(goal)
    )


def _has_part(whole: Formula, part: Formula) -> bool:
    """Return whether a formula is another one, or one of its conjuncts."""
    return whole == part or (isinstance(whole, And) and (_has_part(whole.left, part) or _has_part(whole.right, part)))


def within_reach(lying: Iterable[Formula], wanted: Formula) -> bool:
    """Return whether a formula can be had by taking conjunctions apart and applying implications, again and again."""
    had: set[Formula] = set()
    new = list(lying)
    while new:
        for formula in new:
            had.add(formula)
        parts = {side for each in had if isinstance(each, And) for side in (each.left, each.right)}
        given = {each.right for each in had if isinstance(each, Implies) and _is_had(each.left, had)}
        new = [*((parts | given) - had)]
    return _is_had(wanted, had)


def _is_had(formula: Formula, had: set[Formula]) -> bool:
    match formula:
        case _ if formula in had or FALSE in had:
            return True
        case And(left, right):
            return _is_had(left, had) and _is_had(right, had)
        case Or(left, right):
            return _is_had(left, had) or _is_had(right, had)
        case _:
            return False


LOOKS: Final = {
    look.name: look
    for look in (
        Look(
            "the side lies here",
            _SIDES,
            "Does the side that I choose lie here?",
            lambda goal, move: _sides(goal, move)[0] in _lying(goal),
        ),
        Look(
            "the side can be had",
            _SIDES,
            "Can the side that I choose be had from what lies here?",
            lambda goal, move: within_reach(_lying(goal), _sides(goal, move)[0]),
        ),
        Look(
            "the other side can be had",
            _SIDES,
            "Can the side that I leave be had from what lies here?",
            lambda goal, move: within_reach(_lying(goal), _sides(goal, move)[1]),
        ),
        Look(
            "an or lies here",
            _SIDES,
            "Is there an “or” that I have not looked into?",
            lambda goal, move: any(isinstance(each, Or) for each in _lying(goal)),
        ),
        Look(
            "its if goes nowhere",
            ("imply4",),
            "Are both parts of its inner “if” the same?",
            lambda goal, move: len({*_nested(goal, move)}) == 1,
        ),
        Look(
            "its right part lies here",
            ("imply4",),
            "Does the right part of its inner “if” lie here?",
            lambda goal, move: _nested(goal, move)[1] in _lying(goal),
        ),
        Look(
            "its left part has the right one",
            ("imply4",),
            "Is the right part of its inner “if” in the left part?",
            lambda goal, move: _has_part(*_nested(goal, move)),
        ),
        Look(
            "it gives what is to be shown",
            _IFS,
            "Does it give what is to be shown?",
            lambda goal, move: _given(goal, move) == goal.conclusion,
        ),
        Look(
            "it gives what is needed",
            _IFS,
            "Does it give what is to be shown, or what another “if” waits for?",
            lambda goal, move: _is_used(goal, _given(goal, move)),
        ),
    )
}
"""What can be looked at, by name."""


def telling(goal: Goal, right: Move, wrong: Move) -> list[str]:
    """Return the names of the looks whose answers tell two moves of a goal apart."""
    return [each.name for each in LOOKS.values() if each.answer(goal, right) != each.answer(goal, wrong)]


def habits(goal: Goal, move: Move) -> Iterator[str]:
    """Yield the names of the habits that a move belongs to, the most general first."""
    kind = "side" if move.rule in _SIDES else move.rule
    yield kind
    yield f"{kind} where {_kind(goal.conclusion)} is to be shown"
    if move.hypothesis is not None:
        formula = principal(goal, move)
        assert isinstance(formula, Binary)
        yield f"{kind} of {_kind(formula)}({_kind(formula.left)}, {_kind(formula.right)})"


def _kind(formula: Formula) -> str:
    return _KINDS.get(type(formula), "false")
