"""A countermodel as an SVG picture for a projector or a page: black on white, and nothing that it loads from elsewhere.

Worlds stand in rows with the root at the bottom, their true atoms inside, lines upwards to the worlds immediately
above; beside them a table tells at which worlds the main formulas are true. Lengths are in pixels.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Final
from xml.sax.saxutils import escape

from oasis.ground.pictures import svg_file
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.explanation import explain
from oasis.teacher.countermodels.layout import Bend, Node, layout
from tactics.printer import UNICODE, brief

MOST_FORMULAS: Final = 8
_FONT: Final = 28
_CHARACTER: Final = 0.6 * _FONT
"""The width of a character in fonts of fixed width."""
_LINE: Final = 1.35 * _FONT
_MARGIN: Final = 40
_PADDING: Final = 16
_COLUMN_GAP: Final = 50
_ROW_GAP: Final = 90
_WIDEST_TEXT: Final = 20
_STYLE: Final = (
    f"text {{ font: {_FONT}px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: black; white-space: pre }} "
    ".bold { font-weight: bold } "
    "rect, line, circle { stroke: black; stroke-width: 2.5; fill: white } .true { fill: black }"
)


def svg(countermodel: Countermodel) -> str:
    """The picture as a text, with a line break at the end."""
    picture = _Picture(countermodel)
    words = " ".join(explain(countermodel, UNICODE).sentences)
    ground = '<rect width="100%" height="100%" style="stroke: none"/>'
    return svg_file(picture.width, picture.height, picture.title, _STYLE, ground, *picture.elements, about=words)


class _Picture:
    """Elements and how much room they take."""

    def __init__(self, countermodel: Countermodel) -> None:
        self.elements: list[str] = []
        self._countermodel = countermodel
        self._layout = layout(countermodel.model)
        self._lines = {node: self._text(node) for row in self._layout.rows for node in row}
        self._centre: dict[Node, tuple[float, float]] = {}
        self.title = f"Not provable: {countermodel.sequent(UNICODE)}"
        top = _MARGIN + _LINE + 30
        right, bottom = self._place(top)
        self._draw_worlds()
        table_right, table_bottom = self._draw_table(right + 2 * _COLUMN_GAP, top)
        self._write(_MARGIN, _MARGIN + 0.5 * _LINE, self.title, "bold")
        self.width = max(right, table_right, _MARGIN + len(self.title) * _CHARACTER) + _MARGIN
        self.height = max(bottom, table_bottom) + _MARGIN

    def _text(self, node: Node) -> list[str]:
        """What stands in the box of a world: its number, and the atoms below it."""
        if isinstance(node, Bend):
            return []
        atoms = ", ".join(self._countermodel.true_at(node)) or "–"
        return [str(node), *wrap(atoms, _WIDEST_TEXT, break_on_hyphens=False)]

    def _size(self, node: Node) -> tuple[float, float]:
        """Width and height of a box; of a bend, which lets a line pass upright, the width is 0."""
        number = next(number for number, row in enumerate(self._layout.rows) if node in row)
        height = max(len(self._lines[other]) for other in self._layout.rows[number]) * _LINE + 2 * _PADDING
        lines = self._lines[node]
        return (max(4, *map(len, lines)) * _CHARACTER + 2 * _PADDING if lines else 0.0), height

    def _place(self, top: float) -> tuple[float, float]:
        """Give every node its centre; how far right and down they reach."""
        y = top
        left: dict[Node, float] = {}
        middles: dict[int, float] = {}
        for number in range(len(self._layout.rows) - 1, -1, -1):
            height = self._size(self._layout.rows[number][0])[1]
            middles[number] = y + height / 2
            y += height + _ROW_GAP
        for row in self._layout.rows:
            x = 0.0
            for node in row:
                left[node] = x + self._size(node)[0] / 2
                x += self._size(node)[0] + _COLUMN_GAP
            shifts = [left[lower] - left[node] for lower, node in self._layout.links if node in row]
            for node in row:
                left[node] += sum(shifts) / len(shifts) if shifts else 0.0
        start = _MARGIN - min(x - self._size(node)[0] / 2 for node, x in left.items())
        for number, row in enumerate(self._layout.rows):
            for node in row:
                self._centre[node] = left[node] + start, middles[number]
        return max(x + self._size(node)[0] / 2 for node, (x, _) in self._centre.items()), y - _ROW_GAP

    def _draw_worlds(self) -> None:
        for lower, upper in self._layout.links:
            (x1, y1), (x2, y2) = self._centre[lower], self._centre[upper]
            self._line(x1, y1 - self._size(lower)[1] / 2, x2, y2 + self._size(upper)[1] / 2)
        for node, (x, y) in self._centre.items():
            width, height = self._size(node)
            left, top = x - width / 2, y - height / 2
            if isinstance(node, Bend):
                self._line(x, top, x, top + height)
                continue
            self.elements.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="14"/>'
            )
            for number, line in enumerate(self._lines[node]):
                start = x - len(line) * _CHARACTER / 2
                self._write(start, top + _PADDING + (number + 0.5) * _LINE, line, "" if number else "bold")

    def _draw_table(self, left: float, top: float) -> tuple[float, float]:
        """A line for each main formula and a circle for each world; how far right and down it reaches."""
        worlds = range(len(self._countermodel.model.true))
        column = 2.2 * _CHARACTER
        y = top + _LINE / 2
        for world in worlds:
            self._write(left + world * column - len(str(world)) * _CHARACTER / 2, y, str(world), "bold")
        legend = "● true   ○ not true"
        start = left + len(worlds) * column
        self._write(start, y, legend)
        right = start + len(legend) * _CHARACTER
        for formula in self._countermodel.main_formulas(MOST_FORMULAS):
            y += 1.2 * _LINE
            for world in worlds:
                kind = ' class="true"' if self._countermodel.forcing.forces(world, formula) else ""
                self.elements.append(
                    f'<circle cx="{left + world * column:.1f}" cy="{y:.1f}" r="{0.3 * _FONT:.1f}"{kind}/>'
                )
            text = brief(formula, UNICODE)
            self._write(start, y, text)
            right = max(right, start + len(text) * _CHARACTER)
        return right, y + _LINE / 2

    def _line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.elements.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def _write(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Text that begins at x with its middle at y."""
        named = f' class="{kind}"' if kind else ""  # as _STYLE has it
        self.elements.append(f'<text x="{x:.1f}" y="{y + 0.35 * _FONT:.1f}"{named}>{escape(text)}</text>')
