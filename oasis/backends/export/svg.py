"""Sequent-calculus derivations as one SVG picture: premises above a line, what follows below, the rule beside it.

Every piece of text is told how wide it is, so nothing overlaps whatever fonts there are. Long subformulas get a name,
as in LaTeX.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from oasis.backends.export.abbreviations import Abbreviations, Signs
from oasis.backends.export.base import Export, Proof, Step, Text, named, one_line, steps
from oasis.backends.export.drawing import LINE, MARGIN, SMALL, heading, line, picture, text_at, text_width
from tactics.goal import Goal
from tactics.printer import UNICODE

_LONGEST_FORMULA: Final = 66
_LONGEST_LINE: Final = 72
"""Widths in letters."""
_BAR: Final = 16
"""Between a sequent and its premises: room for the line, and for the name of the rule, which is in small letters."""
_BESIDE: Final = 8
"""From the line to the name of the rule."""
_GAP: Final = 32
"""Between neighbouring derivations."""
_SIGNS: Final = Signs("∧", "∨", "→", "⊥", UNICODE.atom, lambda number: f"φ{number}")


def _write(proofs: Sequence[Proof]) -> str:
    """A picture of all derivations, one below the other."""
    text = Text()
    right, y = 0.0, float(MARGIN)
    for proof in proofs:
        title = text.subject = one_line(proof.name)
        with named(proof.name):
            found = steps(proof.formula, proof.script)
        formulas = Abbreviations(_SIGNS, _LONGEST_FORMULA)
        tree = _laid_out(found, formulas)
        width, y = heading(text, y, title, [f"{name} = {said}" for name, said in formulas.definitions])
        right = max(right, width, MARGIN + tree.width)
        y += LINE / 2 + tree.height
        for element in _drawn(tree, MARGIN, y):
            text.line(element)
        y += 2 * LINE
    width, height = right + MARGIN, y
    return picture((one_line(proof.name) for proof in proofs), width, height, text)


@dataclass(slots=True, eq=False, repr=False)
class _Tree:
    """A sequent with the derivation above it, in a box that is its own; lengths are from the left side of the box.

    Attributes:
        rule: by which the sequent follows.
        lines: of the sequent.
        above: the derivations of the premises.
        middle: of the sequent.
        bar: where the line above the sequent begins and ends.
        width: of the box.
        height: of the box.
        left: of the box itself, from the left side of the one below.
    """

    rule: str
    lines: list[str]
    above: list[_Tree]
    middle: float
    bar: tuple[float, float]
    width: float
    height: float
    left: float = 0.0

    @property
    def sequent(self) -> tuple[float, float]:
        """Where the sequent begins and ends."""
        half = max(map(text_width, self.lines)) / 2
        return self.left + self.middle - half, self.left + self.middle + half


def _laid_out(found: Sequence[Step], formulas: Abbreviations) -> _Tree:
    """The whole derivation; from the last step to the first, so that premises come before what follows from them."""
    waiting: list[_Tree] = []
    for step in reversed(found):
        above = [waiting.pop() for _ in step.premises]
        waiting.append(_joined(step.move.rule, _sequent(step.goal, formulas), above))
    (whole,) = waiting
    return whole


def _joined(rule: str, lines: list[str], above: list[_Tree]) -> _Tree:
    """The premises' boxes side by side, and what follows below them, in the middle between their sequents."""
    row = 0.0
    for tree in above:
        tree.left = row
        row += tree.width + _GAP
    begin, end = (above[0].sequent[0], above[-1].sequent[1]) if above else (0.0, 0.0)
    middle, half = (begin + end) / 2, max(map(text_width, lines)) / 2
    bar = min(begin, middle - half), max(end, middle + half)
    left = min(0.0, bar[0])
    right = max(row - _GAP, bar[1] + _BESIDE + text_width(rule, SMALL))
    for tree in above:
        tree.left -= left
    height = len(lines) * LINE + _BAR + max((tree.height for tree in above), default=0.0)
    return _Tree(rule, lines, above, middle - left, (bar[0] - left, bar[1] - left), right - left, height)


def _sequent(goal: Goal, formulas: Abbreviations) -> list[str]:
    """A goal as text, broken into lines where it is long."""
    *hypotheses, conclusion = [
        formulas[each].text for each in (*(each for _, each in goal.hypotheses), goal.conclusion)
    ]
    pieces = [*(f"{text}, " for text in hypotheses[:-1]), *(f"{text} " for text in hypotheses[-1:]), f"⊢ {conclusion}"]
    lines = [""]
    for piece in pieces:
        if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > _LONGEST_LINE:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _drawn(whole: _Tree, left: float, bottom: float) -> Iterator[str]:
    """The elements of a derivation whose box has its lower left corner there."""
    pending = [(whole, left, bottom)]
    while pending:
        tree, x, y = pending.pop()
        y -= len(tree.lines) * LINE
        for number, said in enumerate(tree.lines):
            yield text_at(x + tree.middle - text_width(said) / 2, y + (number + 0.5) * LINE, said, "formula")
        y -= _BAR
        begin, end = tree.bar
        bar = y + _BAR / 2
        yield line(x + begin, bar, x + end, bar)
        yield text_at(x + end + _BESIDE, bar, tree.rule, "rule")
        pending += [(above, x + above.left, y) for above in tree.above]


SVG: Final = Export(".svg", _write)
