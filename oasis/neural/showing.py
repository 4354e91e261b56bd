"""What a policy says of a goal, move by move, beside the truth; and what a network looks at, symbol by symbol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from oasis.neural.reached import labelled
from oasis.play.actions import LEGAL
from oasis.play.exam import proposed, values_of
from oasis.play.policy import Floats, Policy
from tactics.errors import InputError
from tactics.formula import TRUTH, Atom, Binary, Falsum, Formula
from tactics.goal import Goal, Move
from tactics.json_form import goal_to_json, move_to_json
from tactics.printer import UNICODE, show
from tactics.rules import legal_moves, premises

_QUESTION: Final = "the question after which the move is written"
_LONGEST: Final = 2_000
"""Characters of a formula that is drawn."""


class Judged(NamedTuple):
    """A goal with what is said of it.

    Attributes:
        goal: itself.
        value: how provable the policy takes it to be; None if it has no values.
        provable: whether it is; None if nobody asked, or it could not be decided in time.
    """

    goal: Goal
    value: float | None
    provable: bool | None

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {**goal_to_json(self.goal), "value": self.value, "provable": self.provable}


class Choice(NamedTuple):
    """A move, how probable it is, and what it leaves."""

    move: Move
    probability: float
    leaves: tuple[Judged, ...]

    @property
    def keeps(self) -> bool | None:
        """Whether all that it leaves is provable; None if that is not known."""
        told = [each.provable for each in self.leaves]
        return False if False in told else None if None in told else True

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        leaves = [each.to_json() for each in self.leaves]
        return {**move_to_json(self.move), "probability": self.probability, "keeps": self.keeps, "premises": leaves}


class Line(NamedTuple):
    """A formula of the goal with what is looked at.

    Attributes:
        name: of the hypothesis; the turnstile for the conclusion.
        text: of the formula, without abbreviations.
        symbols: for each atom and connective where its text begins and ends, and the place of its subformula.
    """

    name: str
    text: str
    symbols: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, eq=False)
class Look:
    """What a network attends to before its likeliest move.

    Attributes:
        move: the likeliest.
        subject: what of the network attends.
        nodes: the subformulas of the goal, as text.
        weights: how much it attends to each; shape (layers, nodes).
        lines: the formulas of the goal.
    """

    move: Move
    subject: str
    nodes: tuple[str, ...]
    weights: Floats
    lines: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        layers = [dict(zip(self.nodes, np.round(row, 6).tolist(), strict=True)) for row in self.weights]
        return {**move_to_json(self.move), "subject": self.subject, "layers": layers}


@dataclass(frozen=True)
class Shown:
    """What a policy says of a goal.

    Attributes:
        goal: itself, judged.
        choices: its legal moves, in their order.
        look: what is attended to; None if the policy does not tell, or there is no move.
    """

    goal: Judged
    choices: tuple[Choice, ...]
    look: Look | None

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        moves = [choice.to_json() for choice in self.choices]
        return {"goal": self.goal.to_json(), "moves": moves, "attention": self.look and self.look.to_json()}


def shown(policy: Policy, goal: Goal, *, truth: bool) -> Shown:
    """What a policy says of a goal and of what its moves leave; with the truth of each, if asked for.

    Raises InputError if the policy gives something else than it has to.
    """
    moves = legal_moves(goal)
    shares = proposed(policy, [(goal,)], LEGAL)[goal,].tolist()
    left = [premises(goal, move) for move in moves]
    goals = list(dict.fromkeys([goal, *(premise for each in left for premise in each)]))
    found = values_of(policy, goals)
    values = None if found is None else found.tolist()
    facts = dict(labelled(goals)) if truth else {}
    said = {each: Judged(each, values and values[place], facts.get(each)) for place, each in enumerate(goals)}
    choices = tuple(
        Choice(move, share, tuple(said[each] for each in of_move))
        for move, share, of_move in zip(moves, shares, left, strict=True)
    )
    return Shown(said[goal], choices, _look(policy, goal, choices))


def _look(policy: Policy, goal: Goal, choices: tuple[Choice, ...]) -> Look | None:
    """What is attended to before the likeliest move."""
    ask = getattr(policy, "attention", None)
    if ask is None or not choices:
        return None
    move = max(choices, key=lambda choice: choice.probability).move
    attention = ask(goal, goal.conclusion if move.hypothesis is None else dict(goal.hypotheses)[move.hypothesis])
    if attention is None:
        return None
    place = {formula: number for number, formula in enumerate(attention.nodes)}
    try:
        lines = tuple(
            _line(name, formula, place) for name, formula in (*goal.hypotheses, (UNICODE.turnstile, goal.conclusion))
        )
        nodes = tuple(show(formula, UNICODE, limit=_LONGEST) for formula in attention.nodes)
    except InputError:  # too long to be drawn
        return None
    subject = _QUESTION if attention.is_last_word else f"the principal formula of {move}"
    return Look(move, subject, nodes, attention.weights, lines)


def _line(name: str, formula: Formula, place: dict[Formula, int]) -> Line:
    """A formula written out, each of its symbols with the subformula whose symbol it is."""
    text = show(formula, UNICODE, sugar=False, limit=_LONGEST)
    symbols = re.finditer(r"[^\s()]+", text)
    parts = _in_order(formula)
    return Line(
        name, text, tuple((each.start(), each.end(), place[part]) for each, part in zip(symbols, parts, strict=True))
    )


def _in_order(formula: Formula) -> Iterator[Formula]:
    """The subformula of each symbol of a formula, from left to right; truth, written out, is one."""
    pending: list[tuple[Formula, bool]] = [(formula, False)]
    while pending:
        part, is_symbol = pending.pop()
        if part is TRUTH:
            yield from (part, part, part)
        elif is_symbol or isinstance(part, Atom | Falsum):
            yield part
        elif isinstance(part, Binary):
            pending += [(part.right, False), (part, True), (part.left, False)]
