"""The one JSON form of moves, scripts, goals and states: what commands print and other programs send back.

A move is `{"rule": "imply1", "hypothesis": "H"}`, a script a list of moves. A goal is `{"hypotheses": [{"name": "H",
"formula": "A"}], "conclusion": "B"}`, and `avoid` lists the names that its hypotheses may not get, if an atom of the
lemma has one. A state is `{"goals": [...]}`, the focused one first. Formulas are text in any notation that the parser
reads. What a `to_json` gives its `from_json` reads back; what it cannot read raises InputError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from tactics.errors import InputError
from tactics.formula import NAMING, Formula, atoms, is_name
from tactics.goal import Goal, Hypothesis, Move, State, names_to_avoid
from tactics.parser import parse
from tactics.printer import COQ, Notation, show
from tactics.rules import rule_named
from tactics.script import Script

_SHORT: Final = 100
"""Nodes of a formula whose text is remembered: the same few stand in state after state of a proof."""


def move_to_json(move: Move) -> dict[str, str | None]:
    """A rule, and a hypothesis or null."""
    return move._asdict()


def move_from_json(content: object) -> Move:
    """The move, also of a rule by its speaking name; it need not apply anywhere."""
    fields = _object(content, "a move", "rule")
    rule, hypothesis = rule_named(_text(fields["rule"], "the rule of a move")), fields.get("hypothesis")
    return Move(rule, None if hypothesis is None else _text(hypothesis, "the hypothesis of a move"))


def script_to_json(script: Iterable[Move]) -> list[dict[str, str | None]]:
    """The moves in their order."""
    return [move_to_json(move) for move in script]


def script_from_json(content: object) -> Script:
    """The moves in their order; they need not replay."""
    return tuple(map(move_from_json, _list(content, "a script")))


def goal_to_json(goal: Goal, notation: Notation = COQ, *, sugar: bool = True) -> dict[str, Any]:
    """Named hypotheses, the oldest first, and a conclusion. Raises InputError for formulas too long to write out."""
    return goals_to_json([goal], notation, sugar=sugar)[0]


def goals_to_json(goals: Iterable[Goal], notation: Notation = COQ, *, sugar: bool = True) -> list[dict[str, Any]]:
    """The same of several goals, in which a formula that several of them have is written out once."""
    long: dict[Formula, str] = {}

    def text(formula: Formula) -> str:
        if formula.size <= _SHORT:
            return _short(formula, notation, sugar)
        if formula not in long:
            long[formula] = show(formula, notation, sugar=sugar)
        return long[formula]

    return [
        {
            "hypotheses": [{"name": name, "formula": text(formula)} for name, formula in goal.hypotheses],
            "conclusion": text(goal.conclusion),
            **({"avoid": sorted(goal.avoid)} if goal.avoid else {}),
        }
        for goal in goals
    ]


@lru_cache(4096)
def _short(formula: Formula, notation: Notation, sugar: bool) -> str:
    return show(formula, notation, sugar=sugar)


def goal_from_json(content: object) -> Goal:
    """The goal; names of its own atoms that no hypothesis may get are avoided whether `avoid` has them or not."""
    (goal,) = state_from_json({"goals": [content]})
    return goal


def state_to_json(state: State, notation: Notation = COQ, *, sugar: bool = True) -> dict[str, Any]:
    """The goals, the focused one first. Raises InputError for formulas too long to write out."""
    return {"goals": goals_to_json(state, notation, sugar=sugar)}


def state_from_json(content: object) -> State:
    """The state; as its goals are of one lemma, each avoids what any of them does, and the names of all atoms."""
    goals = [_goal(each) for each in _list(_object(content, "a state", "goals")["goals"], "what a state has as goals")]
    avoid = frozenset[str]().union(*(goal.avoid for goal in goals))
    for name in (name for goal in goals for name, _ in goal.hypotheses if name in avoid):
        raise InputError(f"{name} is the name of an atom or to be avoided, so it cannot name a hypothesis; rename it.")
    return tuple(Goal(goal.hypotheses, goal.conclusion, avoid) for goal in goals)


def _goal(content: object) -> Goal:
    """A goal that avoids what it says and the names of its own atoms."""
    fields = _object(content, "a goal", "hypotheses", "conclusion")
    hypotheses = tuple(map(_hypothesis, _list(fields["hypotheses"], "what a goal has as hypotheses")))
    conclusion = parse(_text(fields["conclusion"], "the conclusion of a goal"))
    for name, times in Counter(name for name, _ in hypotheses).items():
        if times > 1:
            raise InputError(f"Two hypotheses of a goal are called {name}; rename one.")
    told = (_text(name, "a name to be avoided") for name in _list(fields.get("avoid", []), "what a goal has as avoid"))
    names = {atom.name for formula in (conclusion, *(formula for _, formula in hypotheses)) for atom in atoms(formula)}
    return Goal(hypotheses, conclusion, names_to_avoid(names).union(told))


def _hypothesis(content: object) -> Hypothesis:
    fields = _object(content, "a hypothesis", "name", "formula")
    name = _text(fields["name"], "the name of a hypothesis")
    if not is_name(name):
        raise InputError(f"{name!r} cannot name a hypothesis: {NAMING}.")
    return Hypothesis(name, parse(_text(fields["formula"], "the formula of a hypothesis")))


def _object(content: object, what: str, *fields: str) -> Mapping[str, Any]:
    if isinstance(content, Mapping) and all(field in content for field in fields):
        return content
    raise InputError(
        f"In JSON {what} is an object with {' and '.join(map(repr, fields))}; it cannot be {_brief(content)}."
    )


def _list(content: object, what: str) -> list[Any]:
    if isinstance(content, list):
        return content
    raise InputError(f"In JSON {what} is a list; it cannot be {_brief(content)}.")


def _text(content: object, what: str) -> str:
    if isinstance(content, str):
        return content
    raise InputError(f"In JSON {what} is text; it cannot be {_brief(content)}.")


def _brief(content: object) -> str:
    text = repr(content)
    return text if len(text) <= 60 else f"{text[:59]}…"
