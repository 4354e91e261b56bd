"""What a network looks at as a picture: the goal once for each layer, each symbol the darker the more it counts.

An SVG file has all layers, and a terminal one. Nothing is loaded from elsewhere. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from oasis.ground.pictures import WHITE, svg_file
from oasis.neural.showing import Line, Look

if TYPE_CHECKING:
    from rich.text import Text

_FONT: Final = 16
_CHARACTER: Final = 0.602 * _FONT
"""The width of a character in fonts of fixed width."""
_LINE: Final = 1.6 * _FONT
_MARGIN: Final = 24
_LEAST_CHARACTERS: Final = 50
_COLOUR: Final = "#0072b2"
_STYLE: Final = (
    f"text {{ font: {_FONT}px 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; fill: #1a1a1a }} "
    ".bold { font-weight: bold } .light { fill: white } .small { font-size: 12px; fill: #555 }"
)


def svg(look: Look, title: str) -> str:
    """The picture as the text of a file."""
    indent = max(len(line.name) for line in look.lines) + 3
    widest = max(len(title) + _LEAST_CHARACTERS, *(indent + len(line.text) for line in look.lines))
    width = 2 * _MARGIN + _CHARACTER * widest
    body: list[str] = []
    y = _MARGIN + _LINE
    for layer, weights in enumerate(look.weights.tolist(), 1):
        largest = max(weights) or 1.0
        body.append(_text(_MARGIN, y, f"layer {layer}, darkest: {largest:.0%}", "bold"))
        for line in look.lines:
            y += _LINE
            body.append(_text(_MARGIN, y, line.name.rjust(indent - 3)))
            body += _shaded(line, [weight / largest for weight in weights], _MARGIN + _CHARACTER * indent, y)
        y += 1.6 * _LINE
    words = f"{title}: what {look.subject} attends to"
    body.append(_text(_MARGIN, y, words, "small"))
    body.append(_text(_MARGIN, y + _LINE, "mean over the heads; equal subformulas are one", "small"))
    return svg_file(width, y + 2 * _LINE, words, _STYLE, WHITE, *body)


def _shaded(line: Line, shares: list[float], x: float, y: float) -> list[str]:
    """A formula whose symbols stand on grounds of their shares of the darkest."""
    drawn: list[str] = []
    shown = 0
    for start, end, place in line.symbols:
        drawn.append(
            f'<rect x="{x + start * _CHARACTER - 1:.1f}" y="{y - 0.95 * _FONT:.1f}" '
            f'width="{(end - start) * _CHARACTER + 2:.1f}" height="{1.25 * _FONT:.1f}" rx="3" '
            f'fill="{_COLOUR}" fill-opacity="{shares[place]:.3f}"/>'
        )
        if start > shown:
            drawn.append(_text(x + shown * _CHARACTER, y, line.text[shown:start]))
        drawn.append(_text(x + start * _CHARACTER, y, line.text[start:end], "light" if shares[place] > 0.55 else ""))
        shown = end
    return [*drawn, _text(x + shown * _CHARACTER, y, line.text[shown:])]


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>' if words.strip() else ""


def heading(look: Look, layer: int) -> str:
    """Say what is shown of a layer in a terminal."""
    weights = look.weights[layer].tolist()
    elsewhere = 1 - sum(weights)
    other = f"; {elsewhere:.0%} of all goes to words that are no part of a formula" if elsewhere > 1e-3 else ""
    return (
        f"What {look.subject} attends to in layer {layer + 1} of {len(look.weights)}, mean over heads: 9 is "
        f"{max(weights) or 1.0:.0%} or nearly so, · next to nothing{other}."
    )


def lines(look: Look, layer: int) -> Iterator[Text]:
    """Yield the formulas of the goal, shaded where that can be seen, each above tenths of the largest weight."""
    from rich.text import Text

    weights, indent = look.weights[layer].tolist(), max(len(line.name) for line in look.lines)
    largest = max(weights) or 1.0
    for line in look.lines:
        text = Text(f"{line.name.rjust(indent)} {' ' if line.name == '⊢' else ':'} {line.text}")
        below = [" "] * len(line.text)
        for start, end, place in line.symbols:
            share = weights[place] / largest
            level = round(200 * share)
            if level > 10:
                colour = f"{'white' if level > 90 else 'black'} on rgb({220 - level},{235 - level // 2},255)"
                text.stylize(colour, indent + 3 + start, indent + 3 + end)
            below[start] = "·" if share < 0.05 else str(min(9, int(10 * share)))
        yield text
        yield Text(" " * (indent + 3) + "".join(below).rstrip())
