"""A countermodel drawn in a terminal: worlds in boxes, the root at the bottom, and what is true where in a table.

From each world a line goes up to a level of its own, and from there to the worlds immediately above; where two lines
cross without meeting, the upright one passes in front. A model that does not fit is listed instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from textwrap import wrap
from typing import Final

from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.layout import Bend, Layout, Node, layout
from tactics.printer import COQ, Notation, brief

MOST_FORMULAS: Final = 10
_MOST_WORLDS: Final = 40
_GAP: Final = 3
_WIDEST_TEXT: Final = 24


@dataclass(frozen=True)
class Strokes:
    """What lines are made of; `junctions` by the arms up, down, left and right, in this order."""

    horizontal: str
    vertical: str
    top: tuple[str, str]
    bottom: tuple[str, str]
    junctions: dict[str, str]
    nothing: str
    true: str
    false: str


_LINES: Final = {
    "ud": "│", "lr": "─", "ul": "╯", "ur": "╰", "dl": "╮", "dr": "╭",
    "udl": "┤", "udr": "├", "ulr": "┴", "dlr": "┬", "udlr": "┼",
}  # fmt: skip
UNICODE_STROKES: Final = Strokes("─", "│", ("╭", "╮"), ("╰", "╯"), _LINES, "–", "●", "·")
ASCII_STROKES: Final = Strokes(
    "-", "|", ("+", "+"), ("+", "+"), {arms: {"ud": "|", "lr": "-"}.get(arms, "+") for arms in _LINES}, "-", "x", "."
)


class _DoesNotFit(Exception):
    """The model cannot be drawn readably."""


def draw(countermodel: Countermodel, notation: Notation = COQ, *, ascii_only: bool = False, width: int = 100) -> str:
    """The picture and the table, without a line break at the end.

    Args:
        countermodel: what to draw.
        notation: for the formulas.
        ascii_only: whether lines and marks are made of ASCII characters.
        width: of the terminal, in characters; only the text of long formulas may be wider.
    """
    strokes = ASCII_STROKES if ascii_only else UNICODE_STROKES
    try:
        picture = _Picture(countermodel, strokes, width).text()
    except _DoesNotFit:
        picture = _listing(countermodel, strokes)
    table = _table(countermodel, notation, strokes, width)
    return f"{picture}\n\n{table}" if table else picture


def _listing(countermodel: Countermodel, strokes: Strokes) -> str:
    """A line for each world."""
    lines = []
    for world in range(len(countermodel.model.true)):
        true = ", ".join(countermodel.true_at(world)) or strokes.nothing
        above = ", ".join(map(str, countermodel.above(world))) or strokes.nothing
        lines.append(f"{world}: {true}; above it: {above}")
    return "\n".join(lines)


def _table(countermodel: Countermodel, notation: Notation, strokes: Strokes, width: int) -> str:
    """At which worlds the main formulas are true; nothing when there are too many worlds for that."""
    worlds = range(len(countermodel.model.true))
    cell = len(str(worlds[-1])) + 2
    formulas = countermodel.main_formulas(MOST_FORMULAS)
    if cell * len(worlds) > width // 2 or not formulas:
        return ""
    lines = ["".join(str(world).rjust(cell) for world in worlds) + f"   {strokes.true} true, {strokes.false} not true"]
    for formula in formulas:
        marks = [strokes.true if countermodel.forcing.forces(world, formula) else strokes.false for world in worlds]
        lines.append("".join(mark.rjust(cell) for mark in marks) + f"   {brief(formula, notation)}")
    return "\n".join(lines)


class _Picture:
    """Characters by their places; y grows upwards and is 0 at the bottom of the root."""

    def __init__(self, countermodel: Countermodel, strokes: Strokes, width: int) -> None:
        if len(countermodel.model.true) > _MOST_WORLDS:
            raise _DoesNotFit
        self._strokes = strokes
        self._characters: dict[tuple[int, int], str] = {}
        self._layout: Layout = layout(countermodel.model)
        self._up: dict[Node, list[Node]] = {node: [] for row in self._layout.rows for node in row}
        self._down: dict[Node, list[Node]] = {node: [] for node in self._up}
        for lower, upper in self._layout.links:
            self._up[lower].append(upper)
            self._down[upper].append(lower)
        self._texts = {node: self._text(countermodel, node) for node in self._up}
        self._left: dict[Node, int] = {}
        self._place(width)
        bottom = 0
        for number in range(len(self._layout.rows)):
            bottom = self._draw_links(number, bottom) if number else 0
            bottom = self._draw_boxes(number, bottom)

    def text(self) -> str:
        """All lines, the top one first."""
        top = max(y for _, y in self._characters)
        right = max(x for x, _ in self._characters)
        lines = ["".join(self._characters.get((x, y), " ") for x in range(right + 1)) for y in range(top, -1, -1)]
        return "\n".join(line.rstrip() for line in lines)

    def _text(self, countermodel: Countermodel, node: Node) -> list[str]:
        """What stands in the box of a world: its number and its atoms."""
        if isinstance(node, Bend):
            return []
        label = f"{node}: "
        atoms = ", ".join(countermodel.true_at(node)) or self._strokes.nothing
        lines = wrap(label + atoms, _WIDEST_TEXT, subsequent_indent=" " * len(label), break_on_hyphens=False)
        # Boxes with a character in the middle can stand exactly above each other.
        columns = max(2 * len(self._down[node]) - 1, *map(len, lines)) | 1
        return [line.ljust(columns) for line in lines]

    def _width(self, node: Node) -> int:
        return 1 if isinstance(node, Bend) else len(self._texts[node][0]) + 4

    def _place(self, width: int) -> None:
        """Give every node its left edge: each row as a whole stands above the middle of what it is linked to."""
        for row in self._layout.rows:
            left = 0
            for node in row:
                self._left[node] = left
                left += self._width(node) + _GAP
            shifts = [self._middle(lower) - self._middle(node) for node in row for lower in self._down[node]]
            shift = round(sum(shifts) / len(shifts)) if shifts else 0
            for node in row:
                self._left[node] += shift
        least = min(self._left.values())
        for node in self._left:
            self._left[node] -= least
        if max(left + self._width(node) for node, left in self._left.items()) > width:
            raise _DoesNotFit

    def _middle(self, node: Node) -> int:
        return self._left[node] + (self._width(node) - 1) // 2

    def _entry(self, lower: Node, upper: Node) -> int:
        """Where a link comes in at the bottom of the upper node: each in its own column, sorted like what is below."""
        if isinstance(upper, Bend):
            return self._left[upper]
        sources = sorted(self._down[upper], key=self._middle)
        return self._middle(upper) + 2 * sources.index(lower) - (len(sources) - 1)

    def _draw_boxes(self, number: int, bottom: int) -> int:
        """A row of boxes, all of the same height; its upper end."""
        row = self._layout.rows[number]
        lines = max(len(self._texts[node]) for node in row)
        top = bottom + lines + 1
        for node in row:
            left, right = self._left[node], self._left[node] + self._width(node) - 1
            if isinstance(node, Bend):
                for y in range(bottom, top + 1):
                    self._characters[left, y] = self._strokes.vertical
                continue
            for y, corners in ((top, self._strokes.top), (bottom, self._strokes.bottom)):
                for x in range(left + 1, right):
                    self._characters[x, y] = self._strokes.horizontal
                self._characters[left, y], self._characters[right, y] = corners
            for line in range(lines):
                text = self._texts[node][line] if line < len(self._texts[node]) else ""
                for x, character in enumerate(text, left + 2):
                    self._characters[x, top - 1 - line] = character
                self._characters[left, top - 1 - line] = self._characters[right, top - 1 - line] = (
                    self._strokes.vertical
                )
            for lower in self._down[node]:
                self._characters[self._entry(lower, node), bottom] = self._strokes.junctions["dlr"]
            if self._up[node]:
                self._characters[self._middle(node), top] = self._strokes.junctions["ulr"]
        return top + 1

    def _draw_links(self, number: int, bottom: int) -> int:
        """The links up to a row, from where the boxes below end; where those of this row begin."""
        sources = self._in_order([node for node in self._layout.rows[number - 1] if self._up[node]])
        top = bottom + len(sources)
        for level, lower in enumerate(sources, bottom):
            start = self._middle(lower)
            ends = {self._entry(lower, upper) for upper in self._up[lower]}
            reach = {start, *ends}
            for x in range(min(reach), max(reach) + 1):
                arms = "u" * (x in ends) + "d" * (x == start) + "l" * (x > min(reach)) + "r" * (x < max(reach))
                # An upright line of another world that passes here stays in front.
                if arms != "lr" or (x, level) not in self._characters:
                    self._characters[x, level] = self._strokes.junctions[arms]
            for x, levels in ((start, range(bottom, level)), *((end, range(level + 1, top)) for end in ends)):
                for y in levels:
                    self._characters[x, y] = self._strokes.vertical
        return top

    def _in_order(self, sources: Sequence[Node]) -> list[Node]:
        """Worlds by the level of their lines, the lowest first: no two uprights may lie on top of each other."""
        entries = {lower: {self._entry(lower, upper) for upper in self._up[lower]} for lower in sources}
        # Where one goes up in the column in which another begins, the other must have turned off below.
        below = {
            lower: {other for other in sources if other != lower and self._middle(other) in entries[lower]}
            for lower in sources
        }
        try:
            return list(TopologicalSorter(below).static_order())
        except CycleError:
            raise _DoesNotFit from None
