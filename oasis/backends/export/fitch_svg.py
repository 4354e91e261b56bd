"""Fitch derivations as one SVG picture: numbered lines, a bar beside each box, the rules in a column of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from oasis.backends.export.base import Export, Proof, Text, one_line
from oasis.backends.export.drawing import LINE, MARGIN, SMALL, heading, line, picture, text_at, text_width
from oasis.backends.export.fitch import UNICODE_SIGNS, Derivation, Row

_LONGEST_FORMULA: Final = 66
"""In letters."""
_STEP: Final = 20
"""From one bar to the next."""
_BESIDE: Final = 10
"""From a number to the first bar, and from a bar to what stands beside it."""
_GAP: Final = 8
"""Between two boxes side by side."""
_COLUMN: Final = 32
"""From the widest line to the rules."""


def _write(proofs: Sequence[Proof]) -> str:
    """A picture of all derivations, one below the other."""
    text = Text()
    right, y = 0.0, float(MARGIN)
    for proof in proofs:
        title = text.subject = one_line(proof.name)
        statement, lines, definitions = Derivation.of(
            proof.name, proof.formula, proof.script, UNICODE_SIGNS, _LONGEST_FORMULA
        )
        width, y = heading(text, y, title, [statement, *(f"{name} = {said}" for name, said in definitions)])
        right = max(right, width)
        y += LINE / 2
        left = MARGIN + text_width(str(len(lines)), SMALL) + _BESIDE
        column = _COLUMN + max(_begin(left, row) + text_width(said) for row, said in lines)
        right = max(right, column + max(text_width(row.reason, SMALL) for row, _ in lines))
        bars: list[float] = []
        for row, said in lines:
            for element in _ended(bars, row.depth - row.opens, left, y):
                text.line(element)
            y += _GAP * row.follows_box
            for element in _drawn(row, said, left, column, y):
                text.line(element)
            bars += [y] * row.opens
            y += LINE
        y += 2 * LINE
    return picture((one_line(proof.name) for proof in proofs), right + MARGIN, y, text)


def _begin(left: float, row: Row) -> float:
    """Where the formula of a row begins, if the first bar is at `left`."""
    return left + _STEP * (row.depth - 1) + _BESIDE if row.depth else left


def _ended(bars: list[float], depth: int, left: float, y: float) -> Iterator[str]:
    """The bars of the boxes that end at y, taken from the tops of those that are open; so many go on."""
    while len(bars) > depth:
        top = bars.pop()
        x = left + _STEP * len(bars)
        yield line(x, top, x, y)


def _drawn(row: Row, said: str, left: float, column: float, y: float) -> Iterator[str]:
    """A row whose top is at y: its number, formula and rule, and the stroke below an assumption."""
    number, begin = str(row.number), _begin(left, row)
    yield text_at(left - _BESIDE - text_width(number, SMALL), y + LINE / 2, number, "rule")
    yield text_at(begin, y + LINE / 2, said, "formula")
    yield text_at(column, y + LINE / 2, row.reason, "rule")
    if row.opens:
        yield line(begin - _BESIDE, y + LINE, begin + text_width(said) + _BESIDE, y + LINE)


FITCH_SVG: Final = Export(".svg", _write)
