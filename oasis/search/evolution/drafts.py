"""Drafts: scripts with open goals, as lists of lines.

A line is a goal and the move that is played on it, and the lines of the goals that this move leaves follow it: Polish
notation, a proof tree from its root on. A line without a move is an open goal. Two equal open goals are two lines: each
has to be closed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from oasis.play.solving import OPEN, PROVED
from oasis.search.goals import Goals
from oasis.search.graph import AndOrGraph

HOLE: Final = -1
"""Stands where a goal is open."""
KNOWN: Final = -2
"""Stands where a goal is closed because the goal cache has a proof of it."""


class Line(NamedTuple):
    """A line of a draft.

    Attributes:
        goal: its number.
        move: the place of the move among `Goals.edges`; HOLE or KNOWN where there is none.
    """

    goal: int
    move: int


Lines = tuple[Line, ...]


@dataclass(eq=False, slots=True)
class Draft:
    """A draft, and where it comes from.

    Attributes:
        lines: its lines.
        generator: how it came about; `lemma` for the first one, in which the lemma itself is open.
        parents: the numbers of the drafts that it was made from.
        number: of the draft, in the order in which they came about; -1 until its tasks are over.
        visits: how often it was chosen as a parent.
        elo: its rating.
    """

    lines: Lines
    generator: str
    parents: tuple[int, ...] = ()
    number: int = -1
    visits: int = 0
    elo: float = 1200.0

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers of its open goals, from left to right; a goal that is open twice comes twice."""
        return tuple(goal for goal, move in self.lines if move == HOLE)


def premises(goals: Goals, line: Line) -> tuple[int, ...]:
    """The goals whose lines follow a line."""
    return goals.edges(line.goal)[line.move][2] if line.move >= 0 else ()


def end(goals: Goals, lines: Sequence[Line], start: int) -> int:
    """The place behind the lines that belong to the line at `start`."""
    missing = 1
    while missing:
        missing += len(premises(goals, lines[start])) - 1
        start += 1
    return start


def holes(lines: Sequence[Line]) -> list[int]:
    """The places of the open goals."""
    return [place for place, line in enumerate(lines) if line.move == HOLE]


def filled(lines: Lines, place: int, part: Sequence[Line]) -> Lines:
    """The lines with others instead of the one at a place."""
    return (*lines[:place], *part, *lines[place + 1 :])


def parts(goals: Goals, lines: Lines, wanted: Collection[int]) -> Iterator[tuple[int, Lines]]:
    """What is there of some goals: for each line of one that is not simply open its number and all its lines."""
    for start, line in enumerate(lines):
        if line.goal in wanted and line.move != HOLE:
            yield line.goal, lines[start : end(goals, lines, start)]


def up_to_date(graph: AndOrGraph, lines: Sequence[Line]) -> Lines:
    """The lines after a look at what is known of their goals.

    A goal that has been proved is closed, whatever was played on it. A move that leaves a refuted goal is taken back,
    and its goal is open again; the first goal stays open even if it is refuted itself.
    """
    for goal, _ in lines:
        graph.recall(graph.reach(goal))
    kept: list[Line] = []
    place = 0
    while place < len(lines):
        goal, move = line = lines[place]
        node = graph.reach(goal)
        if node.status is PROVED:
            line = Line(goal, KNOWN)
        elif node.status is not OPEN or (move >= 0 and node.dead >> move & 1):
            line = Line(goal, HOLE)
        place = place + 1 if line.move >= 0 else end(graph.goals, lines, place)
        kept.append(line)
    return tuple(kept)


def check_invariants(goals: Goals, root: int, lines: Sequence[Line]) -> None:
    """Raise AssertionError if lines are not a draft of a goal."""
    expected = [root]
    for line in lines:
        assert line.goal == expected.pop()
        assert line.move in (HOLE, KNOWN) or 0 <= line.move < len(goals.edges(line.goal))
        expected += reversed(premises(goals, line))
    assert not expected
