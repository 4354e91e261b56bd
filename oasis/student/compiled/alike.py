"""Steps of a world without the names and the order of hypotheses, for rewards that do not look at these.

Where hypotheses have many names and orders, there are many times as many goals by name as without; so what depends on
neither is worked out once for all steps that are alike, and most of them are never made into Python's goals.
"""

from __future__ import annotations

from typing import NamedTuple

from oasis.student.compiled.graph import PROVED
from oasis.student.compiled.world import World
from tactics.formula import Formula
from tactics.goal import Goal, Move, State

Tactic = tuple[str, Formula | None]
"""A rule, and the formula of the hypothesis that it takes."""


class Kind(NamedTuple):
    """What steps that are alike have in common.

    Attributes:
        state: the number of the state before them, among those that are not alike.
        action: what is done there: the number of an inference; or a rule and a formula, where none applies.
    """

    state: int
    action: int | Tactic


class Alike:
    """Which steps of a world are alike, and one that stands for each of them.

    Args:
        world: whose numbers of states and edges are asked about.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        graph, calculus = world.graph, world.graph.calculus
        self._heads, self._tails, self._first_edges = (graph.states[name] for name in ("head", "tail", "first_edge"))
        self._afters, self._first_actions = graph.edges["after"], calculus.goals["first_action"]
        self._inferences, self._formulas = calculus.actions["inference"], calculus.hypotheses["formula"]
        self.clear()

    def clear(self) -> None:
        """Begin anew; kinds that were told before are then of no use."""
        self._first: dict[tuple[int, ...], int] = {}
        self._goals: list[Goal] = []
        self._number_of_goal: dict[int, int] = {}
        self._cells: dict[tuple[int, int], int] = {}
        self._states: list[State] = [()]
        self._number_of_state: dict[int, int] = {PROVED: 0}
        self._moves: dict[tuple[Goal, int | Tactic], Move] = {}

    def __len__(self) -> int:
        """How many states and goals are remembered."""
        return len(self._number_of_state) + len(self._number_of_goal)

    def kind(self, state: int, edge: int) -> Kind:
        """The same for edges whose steps are alike."""
        goal, place = self._heads.item(state), edge - self._first_edges.item(state)
        inference = self._inferences.item(self._first_actions.item(goal) + place)
        return Kind(self._state(state), inference if inference > 0 else self._worked_on(goal, place))

    def done(self, kind: Kind, state: int, edge: int) -> tuple[Move, int]:
        """What is done in steps of this kind: a move, and the number of the state after it among those not alike.

        The same for all edges of the kind, of which one is given.
        """
        goal = self._states[kind.state][0]
        place = goal, kind.action
        move = self._moves.get(place)
        if move is None:
            rule, formula = self._worked_on(self._heads.item(state), edge - self._first_edges.item(state))
            name = next((name for name, each in goal.hypotheses if each is formula), None)
            move = self._moves[place] = Move(rule, name)
        return move, self._state(self._afters.item(edge))

    def state(self, number: int) -> State:
        """The one that stands for all states of a number."""
        return self._states[number]

    def _worked_on(self, goal: int, place: int) -> Tactic:
        """The rule of an action of a goal, and the formula of its hypothesis, if it takes one."""
        rule, named = self._world.actions(goal)[place]
        return rule, next((formula for name, formula in self._world.goal(goal).hypotheses if name == named), None)

    def _state(self, number: int) -> int:
        numbers = self._number_of_state
        known = numbers.get(number)
        if known is None:
            head, tail = self._heads.item(number), self._tails.item(number)
            goal, others = self._number_of_goal.get(head), numbers.get(tail)
            cell = self._goal(head) if goal is None else goal, self._state(tail) if others is None else others
            known = self._cells.get(cell)
            if known is None:
                known = self._cells[cell] = len(self._states)
                self._states.append((self._goals[cell[0]], *self._states[cell[1]]))
            numbers[number] = known
        return known

    def _goal(self, number: int) -> int:
        _, conclusion, first, hypotheses, *_ = self._world.graph.calculus.goals[number].item()
        sequent = conclusion, *sorted(self._formulas[first : first + hypotheses].tolist())
        known = self._number_of_goal[number] = self._first.setdefault(sequent, len(self._goals))
        if known == len(self._goals):
            self._goals.append(self._world.goal(number))
        return known
