"""The picture of a search: what it reached, in the order in which it grew, what was cut, and where the proof lies.

A goal that several moves leave hangs where it was reached first; the other moves are drawn as faint lines to it.
`oasis.search.svg` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice
from typing import Final

from oasis.play.solving import PROVED, Status
from oasis.search.goals import Edge, moves_at
from oasis.search.graph import AndOrGraph, Node
from tactics.goal import Goal
from tactics.printer import UNICODE
from tactics.sequent import show_goal
from tactics.unnamed import NONE

MOST: Final = 400
"""Goals in a picture unless told otherwise; more cannot be told apart."""


@dataclass(frozen=True)
class Dot:
    """A goal, or a state, that a search reached.

    Attributes:
        text: what is to be proved.
        status: what is known of it.
        above: the place of the dot that it was reached from; None for the root.
        move: that led there; empty for the root.
        is_cut: whether that move was given up, because something that it leaves is refuted.
        on_proof: whether the shortest proof that is known goes through here.
    """

    text: str
    status: Status
    above: int | None
    move: str
    is_cut: bool
    on_proof: bool


@dataclass(frozen=True)
class Drawing:
    """What is to be drawn.

    Attributes:
        dots: in the order in which they were reached, the root first.
        again: other ways to a dot: its place, preceded by that of the one that leads there.
        left_out: how many were reached beside these.
        noun: what a dot is.
    """

    dots: tuple[Dot, ...]
    again: tuple[tuple[int, int], ...]
    left_out: int
    noun: str = "goal"

    def children(self) -> list[list[int]]:
        """The places of the dots below each."""
        below: list[list[int]] = [[] for _ in self.dots]
        for place, dot in enumerate(self.dots):
            if dot.above is not None:
                below[dot.above].append(place)
        return below


def drawing(graph: AndOrGraph, root: Goal, most: int = MOST) -> Drawing:
    """The picture of an AND/OR graph: the proof, if there is one, and what was reached first beside it."""
    start = graph.reach(graph.goals.add(root))
    proof = _above_on_proof(graph, start)
    others = islice((number for number in graph.nodes if number not in proof), max(1, most - len(proof)))
    since = {number: when for when, number in enumerate(graph.nodes)}
    shown = {start.number, *proof, *others}
    dots: list[Dot] = []
    again: list[tuple[int, int]] = []
    place: dict[int, int] = {}
    waiting: list[tuple[int, int, int, int, int]] = [(0, start.number, NONE, NONE, 0)]
    while waiting:
        _, number, above, at, premise = heappop(waiting)
        if number in place or proof.get(number, above) != above:  # on the proof a goal hangs where the proof has it
            again.append((place[above], number))
            continue
        node = graph.nodes[number]
        place[number] = len(dots)
        dots.append(
            Dot(
                show_goal(graph.goals.goal(number), UNICODE),
                node.status,
                None if above == NONE else place[above],
                "" if above == NONE else _move(graph, above, at, premise),
                above != NONE and bool(graph.nodes[above].dead >> at & 1),
                number in proof,
            )
        )
        for at, (_, _, left) in enumerate(_edges(graph, node)):
            for premise, below in enumerate(left):
                if below in shown:
                    heappush(waiting, (since[below], below, number, at, premise))
    ways = ((one, place[number]) for one, number in again if number in place)
    return Drawing(tuple(dots), tuple(ways), len(graph.nodes) - len(dots))


def _above_on_proof(graph: AndOrGraph, start: Node) -> dict[int, int]:
    """For each goal of the shortest known proof, as far as it was reached, the goal above it; NONE for the first."""
    above: dict[int, int] = {}
    pending = [(start, NONE)] if start.status is PROVED else []
    while pending:
        node, parent = pending.pop()
        if node.number not in above:
            above[node.number] = parent
            ways = (left for slot, _, left in _edges(graph, node) if slot == node.slot)
            pending += [(graph.reach(number), node.number) for left in ways for number in left]
    return above


def _edges(graph: AndOrGraph, node: Node) -> tuple[Edge, ...]:
    """The moves of a node that were tried; of a goal whose proof was known beforehand those that it has."""
    if node.edges is None and node.status is PROVED:
        return graph.goals.edges(node.number)
    return node.edges or ()


def _move(graph: AndOrGraph, number: int, at: int, premise: int) -> str:
    """A move of a goal as it is called there, and which of the goals that it leaves it is if there are two."""
    slot, _, left = _edges(graph, graph.nodes[number])[at]
    move = str(moves_at(graph.goals.goal(number), slot)[0])
    return move if len(left) == 1 else f"{move} {premise + 1}/{len(left)}"
