"""What a session's answers are made of: states, proof graphs and formulas as JSON.

Nothing is nested more deeply for a deeper formula: a formula's tree is a list of nodes that name each other.
"""

from __future__ import annotations

from typing import Any, Final

from oasis.api.errors import Code, Refused
from oasis.api.parameters import brief
from oasis.api.states import Position
from tactics.formula import FALSE, Atom, Binary, Formula, Implies, Or, subformulas
from tactics.goal import Goal
from tactics.json_form import goals_to_json, move_to_json, state_to_json
from tactics.printer import show
from tactics.rules import RULES, inferences

CONCLUSION: Final = "conclusion"
"""What a conclusion is called where a hypothesis has its name; hypotheses have names such as H0."""


def shown(state: Position) -> dict[str, Any]:
    """The id of a state, its goals, the focused one first, and whether none is left."""
    return {"state_id": state.id, "proved": not state.goals, **state_to_json(state.goals)}


def graph(state: Position) -> dict[str, Any]:
    """The goals that the moves from the lemma to a state have met, and for each move what it made of which goal.

    Nodes are numbered as they are met, from `g0`, the lemma; a goal is proved when nothing that its move left is open.
    """
    goals: list[Goal] = []
    moves: dict[int, dict[str, Any]] = {}
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
                "move": move_to_json(after.move),
            }
        pending += reversed(met)
    open_ones = {f"g{number}" for number in pending}
    for number in reversed(range(len(goals))):  # what a move leaves comes after what it is made on
        if number in moves and open_ones.intersection(moves[number]["to"]):
            open_ones.add(f"g{number}")
    nodes = [
        {"id": f"g{number}", "proved": f"g{number}" not in open_ones, "goal": goal}
        for number, goal in enumerate(goals_to_json(goals))
    ]
    return {"nodes": nodes, "edges": list(moves.values())}


def node(state: Position, rest: str, node_id: str) -> dict[str, Any]:
    """A part of a formula in a goal of a state, by a place such as `0.H.lr`: goal, hypothesis, and which sides.

    Every distinct part of it is one node, sides before the whole, which is the last.
    """
    number, _, path = rest.partition(".")
    name, _, sides = path.partition(".")
    if not number.isascii() or not number.isdigit() or len(number) > 9 or int(number) >= len(state.goals):
        goals = f"goals 0 to {len(state.goals) - 1}" if state.goals else "no goal"
        raise _no_node(node_id, f"state {state.id} has {goals}")
    goal = state.goals[int(number)]
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


def _no_node(node_id: str, there: str) -> Refused:
    return Refused(
        Code.UNKNOWN_NODE,
        f"There is no node {brief(node_id)}: {there}; an id is as in s0.0.{CONCLUSION} or s3.1.H0.lr.",
    )


def _part(formula: Formula, places: dict[Formula, int]) -> dict[str, Any]:
    match formula:
        case Atom(name):
            return {"kind": "atom", "name": name}
        case Binary(left, right):
            kind = "implies" if isinstance(formula, Implies) else "or" if isinstance(formula, Or) else "and"
            return {"kind": kind, "left": places[left], "right": places[right]}
        case _:
            assert formula is FALSE
            return {"kind": "false"}


def missing(goal: Goal, rule_name: str, hypothesis: str) -> list[dict[str, Any]]:
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
