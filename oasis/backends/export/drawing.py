"""What the SVG pictures share: their look, pieces of text that are told how wide they are, and the whole file.

A picture loads nothing from elsewhere and grows with the proof; who shows it scrolls. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape

from rich.cells import cell_len

from oasis.backends.export.base import Text
from oasis.ground.pictures import svg_file

FONT: Final = 16
SMALL: Final = 12
LINE: Final = 24
"""The height of a line of text."""
MARGIN: Final = 24
_CHARACTER: Final = 0.6
"""The width of a letter in fonts of fixed width, as a share of the font's size."""
_STYLE: Final = (
    "text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; fill: #1f2328 } "
    f".formula {{ font-size: {FONT}px }} .title {{ font-size: {FONT}px; font-weight: bold }} "
    f".rule {{ font-size: {SMALL}px; fill: #57606a }} "
    "line { stroke: #57606a; stroke-width: 1.2 } .paper { fill: #ffffff } "
    "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .rule { fill: #9198a1 } "
    "line { stroke: #9198a1 } .paper { fill: #0d1117 } }"
)


def text_width(text: str, size: int = FONT) -> float:
    """The width that a text has in a font of this size."""
    return cell_len(text) * _CHARACTER * size


def text_at(x: float, y: float, text: str, kind: str) -> str:
    """Text that begins at x with its middle at y; its kind is `formula`, `title` or `rule`."""
    size = SMALL if kind == "rule" else FONT
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y + 0.35 * size:.1f}" textLength="{text_width(text, size):.1f}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def heading(text: Text, y: float, title: str, formulas: Iterable[str]) -> tuple[float, float]:
    """Write a title and formulas below it from y on; how far right they reach, and where they end."""
    right = 0.0
    for said, kind in [(title, "title"), *((each, "formula") for each in formulas)]:
        text.line(text_at(MARGIN, y + LINE / 2, said, kind))
        right = max(right, MARGIN + text_width(said))
        y += LINE
    return right, y


def picture(names: Iterable[str], width: float, height: float, elements: Text) -> str:
    """The file that draws elements on a sheet of this size; the names are what a reader who cannot see it is told."""
    paper = '<rect class="paper" width="100%" height="100%"/>'
    return svg_file(width, height, ", ".join(names), _STYLE, paper, str(elements).removesuffix("\n"))
