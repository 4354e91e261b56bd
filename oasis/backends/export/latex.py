r"""Sequent-calculus derivations for LaTeX, with the package bussproofs, each inference labelled with its rule.

Whatever the size of a proof, it fits the page: a long subformula is called φ with a number and defined in front, a long
sequent is broken into lines, and where a tree becomes too wide or too high a part of it is cut out, called 𝒟 with a
number, and drawn for itself further down. bussproofs takes at most five premises; the rules have at most two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from oasis.backends.export.abbreviations import Abbreviations
from oasis.backends.export.base import Entry, Export, Proof, Step, Text, entries
from oasis.backends.export.tex import SIGNS, begin_section, definitions
from tactics.goal import Goal

_LONGEST_FORMULA: Final = 36
_LONGEST_LINE: Final = 66
_WIDEST_TREE: Final = 96
_HIGHEST_TREE: Final = 26
_GAP: Final = 3
"""Widths in letters, heights in lines."""

_PREAMBLE: Final = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=15mm]{geometry}
\usepackage{graphicx}
\usepackage{bussproofs}
\EnableBpAbbreviations
\def\extraVskip{3pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{2ex}
\newcommand{\rulename}[1]{\RightLabel{\scriptsize\textsf{#1}}}
\newsavebox{\derivation}
% A derivation, made smaller if it does not fit the page.
\newcommand{\derive}[1]{%
  \sbox{\derivation}{#1\DisplayProof}%
  \ifdim\ht\derivation>\textheight\sbox{\derivation}{\resizebox{!}{0.95\textheight}{\usebox{\derivation}}}\fi
  \ifdim\wd\derivation>\linewidth\resizebox{\linewidth}{!}{\usebox{\derivation}}\else\usebox{\derivation}\fi\par}
\begin{document}
"""


def _write(proofs: Sequence[Proof]) -> str:
    """A document with a section for each lemma."""
    text = Text()
    text.add(_PREAMBLE)
    for entry in entries(proofs):
        text.subject = entry.title
        begin_section(entry, text)
        _write_entry(entry, text)
    text.line(r"\end{document}")
    return str(text)


def _write_entry(entry: Entry, text: Text) -> None:
    formulas = Abbreviations(SIGNS, _LONGEST_FORMULA)
    trees = _Trees(entry.steps, formulas)
    text.add(definitions(formulas.definitions))
    for number, root in enumerate(trees.roots):
        if number:
            text.line(rf"$\mathcal{{D}}_{{{number}}}$:\par")
        text.line(r"\derive{%")
        for line in trees.lines(root):
            text.line(line, 2)
        text.line("}")


@dataclass(slots=True)
class _Node:
    """A sequent with the tree above it.

    Attributes:
        tex: the sequent.
        own_width: of the sequent.
        own_height: of the sequent and the line above it.
        width: of the tree.
        height: of the tree.
        is_cut: whether the tree is drawn for itself.
    """

    tex: str
    own_width: int
    own_height: int
    width: int = 0
    height: int = 0
    is_cut: bool = False

    def cut(self) -> None:
        """Draw the tree for itself and leave the sequent with the tree's name above it."""
        self.is_cut, self.width, self.height = True, self.own_width, self.own_height + 1


class _Trees:
    """The derivation of a lemma, cut into trees that fit the page.

    Attributes:
        roots: the numbers of the steps at which a tree begins, the whole derivation's first.
    """

    def __init__(self, steps: Sequence[Step], formulas: Abbreviations) -> None:
        self._steps = steps
        self._premises: list[list[int]] = [[] for _ in steps]
        self._link()
        self._nodes = [_sequent(step.goal, formulas) for step in steps]
        for number in reversed(range(len(steps))):
            self._measure(number)
        self.roots = [0, *(number for number, node in enumerate(self._nodes) if node.is_cut)]
        self._names = {root: rf"\mathcal{{D}}_{{{number}}}" for number, root in enumerate(self.roots) if number}

    def _link(self) -> None:
        """Find the steps above each step; steps stand in the order of a walk through the tree, first premises first."""
        waiting: list[int] = []
        for number, step in enumerate(self._steps):
            if waiting:
                self._premises[waiting.pop()].append(number)
            waiting += [number] * len(step.premises)

    def _measure(self, number: int) -> None:
        """Size a tree from those above it, cutting out what is too high, and then the widest until it fits."""
        node, above = self._nodes[number], [self._nodes[premise] for premise in self._premises[number]]
        for each in above:
            if each.height + node.own_height > _HIGHEST_TREE:
                each.cut()
        while sum(each.width + _GAP for each in above) > _WIDEST_TREE:
            widest = max(above, key=lambda each: each.width - each.own_width)
            if widest.width == widest.own_width:
                break
            widest.cut()
        node.height = node.own_height + max((each.height for each in above), default=0)
        label = len(self._steps[number].move.rule) * 2 // 3
        node.width = max(node.own_width + label, sum(each.width for each in above) + _GAP * (len(above) - 1))
        if not above:
            # Nothing would be won by cutting it out.
            node.width = node.own_width

    def lines(self, root: int) -> Iterator[str]:
        """The commands that draw the tree of one of the roots."""
        pending = [(root, False)]
        while pending:
            number, is_drawn_above = pending.pop()
            node, premises = self._nodes[number], self._premises[number]
            if node.is_cut and number != root:
                yield rf"\AXC{{${self._names[number]}$}}\noLine\UIC{{${node.tex}$}}"
            elif is_drawn_above or not premises:
                rule = self._steps[number].move.rule.replace("_", r"\_")
                command = r"\BIC" if len(premises) == 2 else r"\UIC"
                axiom = "" if premises else r"\AXC{}"
                yield rf"{axiom}\rulename{{{rule}}}{command}{{${node.tex}$}}"
            else:
                pending += [(number, True), *((premise, False) for premise in reversed(premises))]


def _sequent(goal: Goal, formulas: Abbreviations) -> _Node:
    """A goal as a sequent, broken into lines where it is long."""
    items = [formulas[formula] for _, formula in goal.hypotheses]
    conclusion = formulas[goal.conclusion]
    lines: list[str] = [""]
    widths = [0]
    for shown, sign in [
        *((item, ", " if place else "") for place, item in enumerate(items)),
        (conclusion, r" \vdash "),
    ]:
        width = shown.width + (3 if sign.strip() != "," else 2)
        if widths[-1] and widths[-1] + width > _LONGEST_LINE:
            # The sign stays behind a comma and moves down with the conclusion.
            if sign == ", ":
                lines[-1] += ","
                sign = ""
            lines.append("")
            widths.append(0)
        lines[-1] += sign + shown.text
        widths[-1] += width
    tex = lines[0]
    if len(lines) > 1:
        tex = r"\begin{array}{@{}c@{}}" + r" \\ ".join(lines) + r"\end{array}"
    return _Node(tex, max(widths), len(lines) + 1)


LATEX: Final = Export(".tex", _write)
