"""The picture of a search as SVG, and in a terminal.

As SVG the picture grows before one's eyes where a browser shows it, and loads nothing from elsewhere. Lengths are in
pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from oasis.ground.pictures import WHITE, svg_file
from oasis.ground.plural import counted
from oasis.search.picture import Dot, Drawing

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

_COLUMN: Final = 22.0
_LEAST_WIDTH: Final = 960.0
_ROW: Final = 56.0
_MARGIN: Final = 40.0
_LONGEST: Final = 600
"""Characters of a goal that are shown."""
_WIDE: Final = 40
"""Up to so many goals columns are as wide as the moves; in larger pictures few moves have room for their names."""
_LETTER: Final = 6.8
_BESIDE: Final = 11.0
"""From the middle of a dot to what is written beside it."""
_GROWTH: Final = 8.0
"""Seconds in which the whole picture has grown."""
_STYLE: Final = (
    "text { font: 11px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #333; "
    "paint-order: stroke; stroke: #fff; stroke-width: 3 } "
    "line { stroke: #999; stroke-width: 1.2 } .cut { stroke: #c33; stroke-dasharray: 3 3 } "
    ".again { stroke: #ddd } .way { stroke: #187a3a; stroke-width: 4 } "
    "circle { stroke: #333; stroke-width: 1.2 } "
    ".open { fill: #fff } .proved { fill: #2aa455 } .refuted { fill: #d8574a } "
    "@media (prefers-reduced-motion: no-preference) { .grows { opacity: 0; animation: grow .3s forwards } } "
    "@keyframes grow { to { opacity: 1 } }"
)


_MARKS: Final = {"open": ("○", ""), "proved": ("●", "green"), "refuted": ("✗", "red")}
"""How a goal is shown in a terminal."""


def svg(picture: Drawing, title: str) -> str:
    """A drawing as the text of an SVG file; the dots appear in their order."""
    across, down = _places(picture)
    longest = max((len(dot.move) for dot in picture.dots), default=0)
    width = max(_LEAST_WIDTH, 2 * _MARGIN + max(across, default=0.0) + longest * _LETTER)
    height = 2 * _MARGIN + max(down, default=0.0) + 20
    pause = _GROWTH / max(1, len(picture.dots))
    lines: list[str] = []
    circles: list[str] = []
    for one, other in picture.again:
        lines.append(_line(across, down, one, other, "again"))
    beside = _words_beside(picture, across, down, width)
    for place, dot in enumerate(picture.dots):
        delay = f'class="grows" style="animation-delay: {place * pause:.2f}s"'
        if dot.above is not None:
            above = picture.dots[dot.above]
            kind = "way" if dot.on_proof and above.on_proof else "cut" if dot.is_cut else ""
            lines.append(f"<g {delay}>{_line(across, down, dot.above, place, kind)}</g>")
        circles.append(
            f'<g {delay}><circle cx="{_MARGIN + across[place]:.0f}" cy="{_MARGIN + down[place]:.0f}" r="7" '
            f'class="{dot.status.value}"><title>{escape(_clipped(dot.text))}</title></circle>{beside[place]}</g>'
        )
    more = f"; {picture.left_out:,} more were reached" if picture.left_out else ""
    goals = counted(len(picture.dots), picture.noun)
    words = (
        f"{title}: {goals}{more}. Green: proved, red: refuted, white: open. "
        "Thick: the proof, dashed: given up, pale: another way to the same goal."
    )
    said = f'<text x="10" y="{height - 10:.0f}">{escape(words)}</text>'
    return svg_file(width, height, title, _STYLE, WHITE, *lines, *circles, said)


def _clipped(text: str) -> str:
    """A text without the middle of a long one."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


def _places(picture: Drawing) -> tuple[list[float], list[float]]:
    """Where each dot stands: a leaf to the right of the one before, others above the middle of what is below them."""
    below = picture.children()
    across, down = [0.0] * len(picture.dots), [0.0] * len(picture.dots)
    column = _COLUMN
    if len(picture.dots) <= _WIDE:
        column += max(len(dot.move) for dot in picture.dots) * _LETTER
    pending, leaves = [(0, False)] if picture.dots else [], 0
    while pending:
        place, is_done = pending.pop()
        if not below[place]:
            across[place], leaves = leaves * column, leaves + 1
        elif is_done:
            across[place] = (across[below[place][0]] + across[below[place][-1]]) / 2
        else:
            pending.append((place, True))
            for child in reversed(below[place]):
                down[child] = down[place] + _ROW
                pending.append((child, False))
    return across, down


def _line(across: list[float], down: list[float], one: int, other: int, kind: str) -> str:
    x1, y1, x2, y2 = (_MARGIN + each for each in (across[one], down[one], across[other], down[other]))
    return f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" class="{kind}"/>'


def _words_beside(picture: Drawing, across: list[float], down: list[float], width: float) -> list[str]:
    """For each dot the move that led there, written to its right or left; nothing where there is no room.

    The moves of the proof come first, and the side on which its line does not arrive.
    """
    taken: dict[float, list[tuple[float, float]]] = {}  # in each row, by dots and by words
    for x, y in zip(across, down, strict=True):
        taken.setdefault(y, []).append((x - _BESIDE + 1, x + _BESIDE - 1))
    beside = [""] * len(picture.dots)
    for place in sorted(range(len(picture.dots)), key=lambda place: not picture.dots[place].on_proof):
        dot, x, row = picture.dots[place], across[place], taken[down[place]]
        long = len(dot.move) * _LETTER
        sides = {"start": (x + _BESIDE, x + _BESIDE + long), "end": (x - _BESIDE - long, x - _BESIDE)}
        if dot.above is None:
            continue
        for anchor in ("end", "start") if across[dot.above] > x else ("start", "end"):
            first, last = sides[anchor]
            if first > -_MARGIN and last < width - _MARGIN and all(last < one or other < first for one, other in row):
                row.append((first, last))
                at = first if anchor == "start" else last
                beside[place] = (
                    f'<text x="{_MARGIN + at:.0f}" y="{_MARGIN + down[place] + 4:.0f}" text-anchor="{anchor}">'
                    f"{escape(dot.move)}</text>"
                )
                break
    return beside


def tree(picture: Drawing) -> Tree:
    """The picture in a terminal: green is proved and red refuted; a goal hangs where it was reached first."""
    from rich.tree import Tree

    below = picture.children()
    root = Tree(_branch(picture.dots[0]))
    pending = [(0, root)]
    while pending:
        place, branch = pending.pop()
        for child in below[place]:
            pending.append((child, branch.add(_branch(picture.dots[child]))))
    if picture.left_out:
        root.add(f"… and {picture.left_out:,} {picture.noun}s more")
    return root


def _branch(dot: Dot) -> Text:
    from rich.text import Text

    mark, colour = _MARKS[dot.status.value]
    move = f"{dot.move}: " if dot.move else ""
    return Text.assemble((f"{mark} ", colour), (move, "bold" if dot.on_proof else "dim"), dot.text, no_wrap=True)
