"""What a session's answers are made of: states, proof graphs and formulas as JSON.

Nothing is nested more deeply for a deeper formula: a formula's tree is a list of nodes that name each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, cast

from oasis.api import answers
from oasis.api.errors import Code, Refused
from oasis.api.kinds import brief
from oasis.api.states import Position
from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, subformulas
from tactics.goal import Goal, Move
from tactics.json_form import goals_to_json, move_to_json
from tactics.printer import show
from tactics.rules import RULES, inferences

CONCLUSION: Final = "conclusion"
"""What a conclusion is called where a hypothesis has its name; hypotheses have names such as H0."""


def shown(state: Position) -> answers.State:
    """The id of a state, its goals, the focused one first, and whether none is left."""
    return {"state_id": state.id, "proved": not state.goals, "goals": goals_shown(state.goals)}


def goals_shown(goals: Iterable[Goal]) -> list[answers.Goal]:
    """Goals in the one JSON form."""
    return cast("list[answers.Goal]", goals_to_json(goals))


def move_shown(move: Move) -> answers.Move:
    """A move in the one JSON form."""
    return cast("answers.Move", move_to_json(move))


def graph(state: Position) -> answers.Graph:
    """The goals that the moves from the lemma to a state have met, and for each move what it made of which goal.

    Nodes are numbered as they are met, from `g0`, the lemma; a goal is proved when nothing that its move left is open.
    """
    goals, moves, open_ones = _graph(state)
    nodes: list[answers.GraphNode] = [
        {"id": f"g{number}", "proved": f"g{number}" not in open_ones, "goal": goal}
        for number, goal in enumerate(goals_shown(goals))
    ]
    return {"nodes": nodes, "edges": list(moves.values())}


def _graph(state: Position) -> tuple[list[Goal], dict[int, answers.GraphEdge], set[str]]:
    """The goals of a proof graph, its edges by the number of the goal that they lead from, and the open nodes."""
    goals: list[Goal] = []
    moves: dict[int, answers.GraphEdge] = {}
    pending: list[int] = []
    for before, after in zip([None, *state.way], state.way, strict=False):
        kept = 0 if before is None else len(before.goals) - 1
        met = list(range(len(goals), len(goals) + len(after.goals) - kept))
        goals += after.goals[: len(met)]
        if after.move is not None:
            focused = pending.pop()
            named = [f"g{number}" for number in met]
            moves[focused] = {
                "step": after.length,
                "from": f"g{focused}",
                "to": named,
                "move": move_shown(after.move),
            }
        pending += reversed(met)
    open_ones = {f"g{number}" for number in pending}
    for number in reversed(range(len(goals))):  # what a move leaves comes after what it is made on
        if number in moves and open_ones.intersection(moves[number]["to"]):
            open_ones.add(f"g{number}")
    return goals, moves, open_ones


def trees(goals: Iterable[Goal]) -> answers.Trees:
    """The syntax trees of goals: each distinct part of their formulas is one node, sides before the whole."""
    goals, places = list(goals), dict[Formula, int]()
    for goal in goals:
        for formula in (*dict(goal.hypotheses).values(), goal.conclusion):
            for part in subformulas(formula):
                places.setdefault(part, len(places))
    told: list[answers.GoalTree] = [
        {
            "hypotheses": [{"name": name, "formula": places[formula]} for name, formula in goal.hypotheses],
            "conclusion": places[goal.conclusion],
        }
        for goal in goals
    ]
    return {"nodes": [_part(part, places) for part in places], "goals": told}


def node(state: Position, rest: str, node_id: str) -> answers.Node:
    """The syntax trees of a state's goals, of a goal, or of a part of a formula.

    Args:
        state: the state.
        rest: empty for all its goals; `0` for one of them, `g3` for one of its proof graph; behind the number of one of
            them a formula and which sides, such as `0.H.lr`.
        node_id: how the whole is called.

    Raises Refused if there is nothing there.
    """
    number, _, path = rest.partition(".")
    name, _, sides = path.partition(".")
    if not rest:
        return _trees(node_id, state.goals)
    goal = _goal(_graph(state)[0] if number[:1] == "g" else state.goals, number, f"state {state.id}", node_id)
    if not path:
        return _trees(node_id, [goal])
    formulas = {**dict(goal.hypotheses), CONCLUSION: goal.conclusion}
    if name not in formulas:
        raise _no_node(node_id, f"the goal has the formulas {', '.join(formulas)}")
    formula = formulas[name]
    for place, side in enumerate(sides):
        if side not in "lr":
            raise _no_node(node_id, "sides are l and r")
        if not isinstance(formula, Binary):
            raise _no_node(node_id, f"after {place} sides there is {show(formula)}, which has none")
        formula = formula.left if side == "l" else formula.right
    parts = list(subformulas(formula))
    places = {part: place for place, part in enumerate(parts)}
    return {
        "id": node_id,
        "formula": show(formula),
        "size": formula.size,
        "root": len(parts) - 1,
        "nodes": [_part(part, places) for part in parts],
    }


def _trees(node_id: str, goals: Iterable[Goal]) -> answers.Node:
    told = trees(goals)
    return {"id": node_id, "nodes": told["nodes"], "goals": told["goals"]}


def _goal(goals: Sequence[Goal], number: str, where: str, node_id: str) -> Goal:
    """The goal of a number, behind a `g` if it is one of a proof graph. Raises Refused if there is none."""
    digits, last = number.removeprefix("g"), len(goals) - 1
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9 or int(digits) > last:
        letter = number[: len(number) - len(digits)]
        there = f"goals {letter}0 to {letter}{last}" if goals else "no goal"
        raise _no_node(node_id, f"{where} has {there}")
    return goals[int(digits)]


def _no_node(node_id: str, there: str) -> Refused:
    return Refused(
        Code.UNKNOWN_NODE,
        f"There is no node {brief(node_id)}: {there}; an id is as in s0, s0.0, s0.g0, s0.0.{CONCLUSION} or s3.1.H0.lr.",
    )


def _part(formula: Formula, places: dict[Formula, int]) -> answers.Part:
    match formula:
        case Atom(name):
            return {"kind": "atom", "name": name}
        case Binary(left, right):
            sides: answers.Part = {"kind": "and", "left": places[left], "right": places[right]}
            if not isinstance(formula, And):
                sides["kind"] = "implies" if isinstance(formula, Implies) else "or"
            return sides
        case _:
            assert formula is FALSE
            return {"kind": "false"}


def missing(goal: Goal, rule_name: str, hypothesis: str) -> list[answers.Missing]:
    """What a rule lacks to apply to a goal: a hypothesis to name, a form, or a formula among the hypotheses.

    Args:
        goal: the goal.
        rule_name: a rule's name in the table.
        hypothesis: the name of one, or empty.
    """
    rule, formulas = RULES[rule_name], dict(goal.hypotheses)
    if bool(hypothesis) != rule.takes_hypothesis or (hypothesis and hypothesis not in formulas):
        wanted = list(formulas) if rule.takes_hypothesis else []
        return [{"kind": "hypothesis", "takes_hypothesis": rule.takes_hypothesis, "choices": wanted}]
    principal = formulas[hypothesis] if hypothesis else goal.conclusion
    fitting = next((each for each in inferences(principal, bool(hypothesis)) if each.rule is rule), None)
    if fitting is None:
        where = hypothesis or CONCLUSION
        return [{"kind": "form", "where": where, "wanted": show(rule.pattern, sugar=False), "formula": show(principal)}]
    if fitting.given is not None and fitting.given not in formulas.values():
        return [{"kind": "formula", "formula": show(fitting.given)}]
    return []
