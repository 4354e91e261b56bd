"""Pointing at a formula of a goal: which moves follow from it.

Whoever points says where to work, and the connective there says how. Where several moves follow, they come in an order
that says nothing about them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

from tactics.formula import FALSE, Formula, Implies, Or
from tactics.goal import Goal, Hypothesis, Move
from tactics.rules import RULES, legal_moves

SIDES: Final = ("left", "right")
"""The halves of a disjunctive conclusion, which are also the rules that choose them."""


class Place(NamedTuple):
    """A formula of a goal.

    Attributes:
        hypothesis: its name, None for the conclusion.
        side: one of `SIDES` where one half of a disjunctive conclusion is meant, else empty.
    """

    hypothesis: str | None
    side: str = ""


CONCLUSION: Final = Place(None)


def as_they_came(goal: Goal) -> list[Hypothesis]:
    """The hypotheses of a goal as people see them: each stays where it first appeared, and new ones are last.

    The calculus moves some that a rule has changed behind the others, as Coq does. Names tell the order in which they
    came, H, H0, H1 and so on: what takes the place of a hypothesis has its name, and no rule gives a name up.
    """
    return sorted(goal.hypotheses, key=lambda each: (len(each.name), each.name))


def places(goal: Goal) -> tuple[Place, ...]:
    """Where one can point: the hypotheses as they came, then the conclusion."""
    return (*(Place(name) for name, _ in as_they_came(goal)), CONCLUSION)


def moves_at(goal: Goal, place: Place, rules: Collection[str] = RULES) -> tuple[Move, ...]:
    """The moves that follow from pointing there and are allowed.

    Where none applies it is the one that a person would have meant, which is then refused with the reason. Raises
    KeyError if no hypothesis is called like this.

    Args:
        goal: the goal in focus.
        place: of the formula.
        rules: the names of those that may be used.
    """
    following = tuple(_following(goal, place))
    allowed = [move for move in following if move.rule in rules]
    if allowed:
        return in_no_order(goal, allowed)
    return following[:1] or (_meant(goal, place),)


def in_no_order(goal: Goal, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Moves on a goal in an order that is always the same for this goal, and else as good as drawn by lot."""
    return tuple(sorted(moves, key=lambda move: blake2b(goal.digest + str(move).encode()).digest()))


def _following(goal: Goal, place: Place) -> Iterator[Move]:
    """The moves that apply there, whether they are allowed or not."""
    formula = _formula(goal, place)
    if place.side and isinstance(formula, Or) and place.hypothesis is None:
        yield Move(place.side)
        return
    for move in legal_moves(goal):
        if move.rule == "assumption":
            follows = formula is goal.conclusion
        elif move.rule == "contradiction":
            follows = formula is FALSE and place.hypothesis is not None
        else:
            follows = move.hypothesis == place.hypothesis
        if follows:
            yield move


def _meant(goal: Goal, place: Place) -> Move:
    """The move that does not apply where none does: then the formula is an atom, or an implication to be used."""
    if isinstance(_formula(goal, place), Implies):
        return Move("imply1", place.hypothesis)
    assumption = Move("assumption")
    # Pointing at one hypothesis does not mean that another one says what is to be proved.
    return assumption if assumption not in legal_moves(goal) else Move("imply1", place.hypothesis)


def _formula(goal: Goal, place: Place) -> Formula:
    return goal.conclusion if place.hypothesis is None else dict(goal.hypotheses)[place.hypothesis]
