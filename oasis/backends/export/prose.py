"""Proofs in words: what is assumed, what follows from what and why, what remains to be shown, case by case.

The words are those of a natural deduction; sides of a conjunction are taken and put together without a word, as
everybody does, and an implication that is proved last is proved where one stands: "Assume p." Everything else is said
once. The same words are for the terminal and for LaTeX.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Final

from oasis.backends.export.abbreviations import Abbreviations
from oasis.backends.export.base import Export, Proof, Text, entries, named, one_line
from oasis.backends.export.deduction import Box, Fact, Rule, deduction
from oasis.backends.export.fitch import ASCII_SIGNS, UNICODE_SIGNS
from oasis.backends.export.tex import SUGARED_SIGNS, begin_section, definitions
from tactics.formula import FALSE, And, Atom, Formula, Or
from tactics.recursion import Call, run

_LONGEST_FORMULA: Final = 60
_WIDTH: Final = 88
_INDENT: Final = 3
_FARTHEST: Final = 42
"""In letters."""
_UNBROKEN: Final = "\N{NO-BREAK SPACE}"
_AND_ELIMINATIONS: Final = (Rule.AND_ELIMINATION_1, Rule.AND_ELIMINATION_2)
_INTRODUCTIONS: Final = (Rule.IMPLICATION_INTRODUCTION, Rule.NEGATION_INTRODUCTION)

Paragraph = tuple[int, list[str]]
"""How far a paragraph is indented, in steps, and its sentences."""


class _Narrator:
    """Tells a deduction.

    Args:
        formulas: as they are written.
        set_off: makes the signs of a formula stand out from words, where the format wants that.

    Attributes:
        paragraphs: what was told.
    """

    def __init__(self, formulas: Abbreviations, set_off: Callable[[str], str]) -> None:
        self._formulas, self._set_off = formulas, set_off
        self.paragraphs: list[Paragraph] = [(0, [])]
        self._last: Formula | None = None
        """What the last sentence says, if it says that something is the case."""

    def tell(self, whole: Box) -> None:
        """Tell all of it."""
        run(self._inside(whole, 0))
        if self.paragraphs[-1][0]:
            self._turn(0)
        self._say(f"This proves {self._signs(whole.conclusion.formula)}.")

    def _inside(self, box: Box, depth: int) -> Call[None]:
        """What is derived in a box, at this depth of paragraphs, up to its conclusion."""
        for item in box.items:
            if isinstance(item, Fact) and not _is_silent(item, box):
                yield self._fact(item, box, depth)
        if box.conclusion is box.assumption:
            self._repeat(box.conclusion)

    def _fact(self, fact: Fact, box: Box, depth: int) -> Call[None]:
        is_last = fact is box.conclusion
        formula = fact.formula
        match fact.rule, fact.premises:
            case Rule.REITERATION, (Fact() as before,):
                self._repeat(before)
            case Rule.OR_ELIMINATION, (Fact() as either, Box() as left, Box() as right):
                yield self._cases(formula, either, left, right, depth, is_last)
            case ((Rule.IMPLICATION_INTRODUCTION | Rule.NEGATION_INTRODUCTION), (Box() as inner,)):
                yield self._implication(fact, inner, box, depth)
            case ((Rule.IMPLICATION_ELIMINATION | Rule.NEGATION_ELIMINATION), (Fact() as rule, Fact() as given)):
                self._apply(formula, rule.formula, given.formula)
            case Rule.FALSUM_ELIMINATION, _ if is_last and box.is_case:
                self._say("So this case cannot occur.")
            case Rule.FALSUM_ELIMINATION, _:
                self._say(f"From a contradiction anything follows, so {self._words(formula)}.")
            case ((Rule.OR_INTRODUCTION_1 | Rule.OR_INTRODUCTION_2), (Fact() as side,)) if (
                self._last is not side.formula
            ):
                self._say(f"From {self._words(side.formula)} follows {self._signs(formula)}.")
            case _ if box.assumption is not None or fact.rule not in _OBVIOUS:
                self._say(f"So {self._words(formula)}.")
        self._last = formula

    def _implication(self, fact: Fact, inner: Box, box: Box, depth: int) -> Call[None]:
        """An implication by what follows from its left side; what is last is proved in the same paragraph."""
        is_last = fact is box.conclusion
        if not is_last:
            others = [each for each in box.facts if each.rule in _INTRODUCTIONS]
            when = "We first" if fact is others[0] else "Next we"
            self._say(f"{when} show {self._words(fact.formula)}.")
            self._turn(depth + 1)
        yield self._inside(self._assumed(fact, inner), depth + (not is_last))
        if not is_last:
            self._turn(depth)
        if box.assumption is not None or not is_last:
            if self.paragraphs[-1][0] > depth:
                self._turn(depth)
            self._say(f"Hence {self._words(fact.formula)}.")

    def _assumed(self, fact: Fact, box: Box) -> Box:
        """Assume what a box assumes, and at once what the boxes right inside it do that its conclusion is for."""
        assumed: list[Formula] = []
        while True:
            assert box.assumption is not None
            assumed.append(box.assumption.formula)
            following = box.conclusion
            if following.rule not in _INTRODUCTIONS or sum(not _is_silent(each, box) for each in box.facts) > 1:
                break
            (inner,) = following.premises
            assert isinstance(inner, Box)
            fact, box = following, inner
        supposed = [assumed.pop()] if fact.rule is Rule.NEGATION_INTRODUCTION else []
        if assumed:
            self._say(f"Assume {self._all(assumed)}.")
        if supposed:
            self._say(f"Suppose {self._all(supposed)}.")
        self._last = box.assumption.formula
        told = sum(not _is_silent(each, box) for each in box.facts)
        if told > 2 or (told == 2 and len(box.items) > len(list(box.facts))):
            goal = box.conclusion.formula
            self._say("We derive a contradiction." if goal is FALSE else f"We show {self._words(goal)}.")
        return box

    def _cases(self, formula: Formula, either: Fact, left: Box, right: Box, depth: int, is_last: bool) -> Call[None]:
        because = "There" if self._last is either.formula else f"Since {self._words(either.formula)}, there"
        what = "" if is_last else f", and each gives {self._words(formula)}"
        self._say(f"{because} are two cases{what}.")
        for case in (left, right):
            assert case.assumption is not None
            self._turn(depth + 1)
            supposed = case.assumption.formula
            self._say(f"Case {self._signs(supposed) if supposed is FALSE else self._words(supposed)}.")
            self._last = case.assumption.formula
            yield self._inside(case, depth + 1)
        self._turn(depth)
        possible = [case for case in (left, right) if case.conclusion.rule is not Rule.FALSUM_ELIMINATION]
        if formula is FALSE:
            self._say("Both cases are contradictory.")
        elif len(possible) == 2:
            self._say(f"In both cases {self._words(formula)}.")
        elif possible:
            (case,) = possible
            assert case.assumption is not None
            self._say(f"Only the case {self._signs(case.assumption.formula)} is left, so {self._words(formula)}.")
        else:
            self._say(f"Neither case can occur, so {self._words(formula)}.")

    def _apply(self, formula: Formula, implication: Formula, given: Formula) -> None:
        if formula is FALSE:
            if self._last is given:
                self._say(f"This contradicts {self._signs(implication)}.")
            elif self._last is implication:
                self._say(f"This contradicts {self._signs(given)}.")
            else:
                self._say(f"But {self._signs(given)} and {self._signs(implication)} contradict each other.")
        elif self._last is given:
            self._say(f"Since {self._signs(implication)}, it follows that {self._words(formula)}.")
        else:
            self._say(f"From {self._signs(implication)} and {self._signs(given)} follows {self._signs(formula)}.")

    def _repeat(self, fact: Fact) -> None:
        if self._last is fact.formula:
            self._say("This is what we need.")
        elif fact.formula is FALSE:
            self._say("This is a contradiction.")
        elif fact.rule is Rule.ASSUMPTION:
            self._say(f"We have {self._words(fact.formula)} by assumption.")
        else:
            self._say(f"We know {self._words(fact.formula)} already.")

    def _say(self, sentence: str) -> None:
        self.paragraphs[-1][1].append(sentence)

    def _turn(self, depth: int) -> None:
        """Begin a paragraph."""
        if self.paragraphs[-1][1]:
            self.paragraphs.append((depth, []))
        else:
            self.paragraphs[-1] = depth, []

    def _all(self, formulas: Sequence[Formula]) -> str:
        if len(formulas) == 1:
            return self._words(formulas[0])
        *most, last = map(self._signs, formulas)
        return f"{', '.join(most)} and {last}"

    def _words(self, formula: Formula) -> str:
        """A formula for a place where it stands alone: atoms with `and` or `or` between them are written in words."""
        if isinstance(formula, (And, Or)) and formula.size <= _SPOKEN:
            kind, sides = type(formula), list[Formula]()
            rest: Formula = formula
            while isinstance(rest, kind):
                sides.append(rest.left)
                rest = rest.right
            sides.append(rest)
            if all(isinstance(side, Atom) for side in sides):
                return (" and " if kind is And else " or ").join(map(self._signs, sides))
        return "a contradiction" if formula is FALSE else self._signs(formula)

    def _signs(self, formula: Formula) -> str:
        return self._set_off(self._formulas[formula].text)


_SPOKEN: Final = 7
"""Nodes up to which a formula is written in words."""
_OBVIOUS: Final = (Rule.AND_INTRODUCTION, Rule.OR_INTRODUCTION_1, Rule.OR_INTRODUCTION_2)
"""Rules whose formula need not be said in front of "This proves"."""


def _is_silent(fact: Fact, box: Box) -> bool:
    """Whether a fact is used without being told: sides of conjunctions, and conjunctions of what was told."""
    return fact is not box.conclusion and (fact.rule is Rule.AND_INTRODUCTION or fact.rule in _AND_ELIMINATIONS)


def told(proof: Proof, *, ascii_only: bool = False, width: int = _WIDTH) -> str:
    """A proof in words alone, for a screen: no statement. Raises InputError as exports do.

    Args:
        proof: which.
        ascii_only: whether its formulas are in ASCII.
        width: letters in a line.
    """
    text = Text()
    text.subject = one_line(proof.name)
    formulas = Abbreviations(ASCII_SIGNS if ascii_only else UNICODE_SIGNS, _LONGEST_FORMULA)
    _add(proof, formulas, text, width, "QED" if ascii_only else "∎")
    return str(text)


def _write(proofs: Sequence[Proof]) -> str:
    """For each lemma its statement and its proof."""
    text = Text()
    for number, proof in enumerate(proofs):
        text.subject = one_line(proof.name)
        formulas = Abbreviations(UNICODE_SIGNS, _LONGEST_FORMULA)
        text.add("\n" * bool(number))
        text.line(f"{text.subject} : {formulas[proof.formula].text}")
        _add(proof, formulas, text, _WIDTH, "∎")
    return str(text)


def _add(proof: Proof, formulas: Abbreviations, text: Text, width: int, end: str) -> None:
    """Write the definitions and the paragraphs of a proof."""
    narrator = _Narrator(formulas, lambda said: said.replace(" ", _UNBROKEN))
    with named(proof.name):
        narrator.tell(deduction(proof.formula, proof.script))
    for name, said in formulas.definitions:
        text.line(f"where {name} = {said}")
    text.line()
    narrator.paragraphs[0][1].insert(0, "Proof.")
    narrator.paragraphs[-1][1].append(end)
    for depth, sentences in narrator.paragraphs:
        indent = " " * min(_INDENT * depth, _FARTHEST, width // 2)
        written = textwrap.fill(
            " ".join(sentences),
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        text.line(written.replace(_UNBROKEN, " "))


_PREAMBLE: Final = r"""\documentclass[11pt]{article}
\usepackage[a4paper,margin=25mm]{geometry}
\usepackage{amsthm}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.5ex}
\setlength{\emergencystretch}{\textwidth}
\newtheorem*{lemma}{Lemma}
% A paragraph that is so far from the left.
\newcommand{\inside}[2]{{\leftskip=#1pt #2\par}}
\begin{document}
"""


def _write_latex(proofs: Sequence[Proof]) -> str:
    """A document with a section for each lemma."""
    text = Text()
    text.add(_PREAMBLE)
    for entry, proof in zip(entries(proofs), proofs, strict=True):
        text.subject = entry.title
        formulas = Abbreviations(SUGARED_SIGNS, _LONGEST_FORMULA)
        narrator = _Narrator(formulas, lambda said: f"${said}$")
        statement = formulas[entry.formula].text
        with named(proof.name):
            narrator.tell(deduction(entry.formula, proof.script))
        begin_section(entry, text)
        text.line(rf"\begin{{lemma}}${statement}$\end{{lemma}}")
        text.add(definitions(formulas.definitions))
        text.line(r"\begin{proof}")
        # The last paragraph is not ended: the sign of the end stands behind it.
        *inner, (_, last) = narrator.paragraphs
        for depth, sentences in inner:
            said = " ".join(sentences)
            text.line(rf"\inside{{{min(12 * depth, 150)}}}{{{said}}}" if depth else rf"{said}\par")
        text.line(" ".join(last))
        text.line(r"\end{proof}")
    text.line(r"\end{document}")
    return str(text)


PROSE: Final = Export(".txt", _write)
PROSE_LATEX: Final = Export(".tex", _write_latex)
