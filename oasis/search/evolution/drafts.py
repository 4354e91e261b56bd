"""Drafts: partial proof trees with open goals, as lists of lines.

A line is a goal and the move that is played on it, and the lines of the goals that this move leaves follow it: Polish
notation, a proof tree from its root on. A line without a move is an open goal. Two equal open goals are two lines: each
has to be closed. Moves that cannot lose and leave one goal at most are always made, so an open goal has a choice, or
falls into two.

A line may also have a lemma in between, which is to be proved first. The calculus has no cut: once the lemma is proved,
the rules that its proof applies to hypotheses are applied to the goal as well (`grafted`), and no lemma is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from oasis.play.solving import OPEN, PROVED, REFUTED
from oasis.search.goals import Goals, slots
from oasis.search.graph import AndOrGraph, Node
from tactics.formula import Formula
from tactics.goal import Goal, Move
from tactics.rules import CAN_LOSE, premises

HOLE: Final = -1
"""Stands where a goal is open."""
KNOWN: Final = -2
"""Stands where a goal is closed because the goal cache has a proof of it."""
CUT: Final = -3
"""Stands where a goal has a lemma in between."""


class Line(NamedTuple):
    """A line of a draft.

    Attributes:
        goal: its number.
        move: the place of the move among `Goals.edges`; HOLE, KNOWN or CUT where there is none.
        cut: the lemma in between, if there is one, and the number of the goal that has it as its conclusion.
    """

    goal: int
    move: int
    cut: tuple[Formula, int] | None = None


Lines = tuple[Line, ...]


@dataclass(eq=False, slots=True)
class Draft:
    """A draft, and where it comes from.

    Attributes:
        lines: its lines; none once it has been let go of.
        generator: how it came about; `lemma` for the first one, in which nothing has been chosen.
        parents: the drafts that it was made from.
        number: of the draft, in the order in which they came about; -1 until its goals have been looked at.
        visits: how often it was chosen as a parent.
        elo: its rating.
    """

    lines: Lines
    generator: str
    parents: tuple[Draft, ...] = ()
    number: int = -1
    visits: int = 0
    elo: float = 1200.0

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers of the goals that are left to prove, from left to right; one that is open twice comes twice."""
        return tuple(line.goal for line in self.lines if line.move in (HOLE, CUT))


def left_by(goals: Goals, line: Line) -> tuple[int, ...]:
    """Return the goals whose lines follow a line."""
    if line.cut is not None:
        return line.cut[1:]
    return goals.edges(line.goal)[line.move][2] if line.move >= 0 else ()


def end(goals: Goals, lines: Sequence[Line], start: int) -> int:
    """Return the place behind the lines that belong to the line at `start`."""
    missing = 1
    while missing:
        missing += len(left_by(goals, lines[start])) - 1
        start += 1
    return start


def holes(lines: Sequence[Line]) -> list[int]:
    """Return the places of the open goals."""
    return [place for place, line in enumerate(lines) if line.move == HOLE]


def filled(goals: Goals, lines: Lines, place: int, part: Sequence[Line]) -> Lines:
    """Return the lines with others instead of those that belong to the line at a place."""
    return (*lines[:place], *part, *lines[end(goals, lines, place) :])


def forced(goals: Goals, number: int) -> int | None:
    """Return the place of a move of a goal that cannot lose, the one that leaves the fewest goals; None without one."""
    safe = [
        (len(left), place)
        for place, ((rule, _), _, left) in enumerate(goals.edges(number))
        if not left or rule not in CAN_LOSE
    ]
    return min(safe)[1] if safe else None


def opened(goals: Goals, number: int) -> Lines:
    """Return the lines of a goal without a choice: moves that cannot lose and leave one goal or none."""
    lines: list[Line] = []
    while (place := forced(goals, number)) is not None and len(left := goals.edges(number)[place][2]) < 2:
        lines.append(Line(number, place))
        if not left:
            return tuple(lines)
        (number,) = left
    return (*lines, Line(number, HOLE))


def played(goals: Goals, number: int, place: int) -> Lines:
    """Return the lines of a goal on which a move is played."""
    left = goals.edges(number)[place][2]
    return (Line(number, place), *(line for goal in left for line in opened(goals, goal)))


def between(goals: Goals, number: int, lemma: Formula) -> Lines:
    """Return the lines of a goal with a lemma in between."""
    shown = goals.add(Goal(goals.goal(number).hypotheses, lemma))
    return (Line(number, CUT, (lemma, shown)), *opened(goals, shown))


def grafted(graph: AndOrGraph, number: int, lemma: Formula) -> Lines:
    """Return the lines of a goal after the rules that a known proof of a lemma applies to hypotheses.

    Where the proof goes on with the lemma itself the goal stays open; then the lemma, or the side of a disjunction that
    its proof took, follows from the hypotheses there without a rule on them. Every line is a move of the calculus.
    """
    goals, target = graph.goals, graph.goals.goal(number)
    shown = Goal(target.hypotheses, lemma)
    script = iter(graph.script(shown))
    lines: list[Line] = []
    pending: list[tuple[Goal, Goal | None]] = [(shown, target)]  # of the proof, with the goal to be proved instead
    while pending:
        shown, instead = pending.pop()
        if instead is not None and instead == shown:  # the same goal in both, which the proof settles
            lines.append(Line(goals.add(shown), KNOWN))
            instead = None
        move = next(script)
        left = premises(shown, move)
        if instead is None:
            pending += [(each, None) for each in reversed(left)]
        elif move.rule in ("left", "right"):
            pending.append((left[0], instead))
        elif (place := _place(goals, instead, move)) is None:
            lines += opened(goals, goals.add(instead))
            pending += [(each, None) for each in reversed(left)]
        else:
            lines.append(Line(goals.add(instead), place))
            pending += reversed([*zip(left, premises(instead, move), strict=True)])
    return tuple(lines)


def _place(goals: Goals, goal: Goal, move: Move) -> int | None:
    """Return the place of a move on a hypothesis; None for another one, or in a goal too symmetric to be recognised."""
    if move.hypothesis is None and move.rule != "contradiction":
        return None
    slot = slots(goal).get(move)
    return next((place for place, edge in enumerate(goals.edges(goals.add(goal))) if edge[0] == slot), None)


def up_to_date(graph: AndOrGraph, lines: Sequence[Line]) -> Lines:
    """Return the lines after a look at what is known of their goals.

    A goal that has been proved is closed, whatever was played on it. A move that leaves a refuted goal is taken back,
    and so is a lemma that is refuted: their goal is open again. The first goal stays open even if it is refuted itself.
    In the place of a proved lemma stands what its proof does with the hypotheses.
    """
    for line in reversed(lines):
        node = graph.reach(line.goal)
        if graph.recall(node) is OPEN and node.edges is None and line.move >= 0:
            _tell(graph, node, line)
    kept: list[Line] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        node, after = graph.reach(line.goal), [line]
        lemma = OPEN if line.cut is None else graph.reach(line.cut[1]).status
        if node.status is PROVED:
            after = [Line(line.goal, KNOWN)]
        elif REFUTED in (node.status, lemma) or (line.move >= 0 and node.dead >> line.move & 1):
            after = [Line(line.goal, HOLE)]
        elif lemma is PROVED and line.cut is not None:
            after = [*grafted(graph, line.goal, line.cut[0])]
        place = place + 1 if after == [line] else end(graph.goals, lines, place)
        kept += after
    return tuple(kept)


def _tell(graph: AndOrGraph, node: Node, line: Line) -> None:
    """Let the graph know of the move of a line: all there is of one that can lose, else what becomes of its goal."""
    (rule, _), _, left = graph.goals.edges(line.goal)[line.move]
    became = {graph.reach(number).status for number in left}
    if REFUTED in became and rule not in CAN_LOSE:
        graph.refute(node)
    elif rule in CAN_LOSE or became <= {PROVED}:
        graph.expand(node)
