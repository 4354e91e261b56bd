"""Reads Fitch derivations back from their text and checks every line: its rule, and that what it needs is in scope.

Knows natural deduction and how a derivation is written, and nothing of how one is made.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or, subformulas
from tactics.parser import parse

_ROW: Final = re.compile(r" *(\d+) ((?:│ )*)(\S.*?) {3,}(\S+)(?: (.*))?")
_STROKE: Final = re.compile(r" *((?:│ )*)├─+")
_GAP: Final = re.compile(r" *│(?: │)*")


class Unsound(AssertionError):
    """A line that does not follow, or is not written as it should be."""


class Line(NamedTuple):
    """A line as it was read; `cited` holds the numbers of lines, or of the first and the last line of a box."""

    number: int
    depth: int
    formula: Formula
    rule: str
    cited: tuple[tuple[int, ...], ...]


class Derivation(NamedTuple):
    """A lemma and the lines."""

    formula: Formula
    lines: tuple[Line, ...]


def read(text: str) -> Iterator[Derivation]:
    """Yield the derivations in a file, below its legend."""
    blocks = text.split("\n\n")[1:]
    for head, body in zip(blocks[::2], blocks[1::2], strict=True):
        statement, *definitions = head.splitlines()
        meanings: dict[str, Formula] = {}
        for definition in definitions:
            name, said = definition.removeprefix("where ").split(" = ")
            meanings[name] = _filled(said, meanings)
        yield Derivation(_filled(statement.rpartition(" : ")[2], meanings), tuple(_lines(body, meanings)))


def _lines(body: str, meanings: dict[str, Formula]) -> Iterator[Line]:
    assumed: Line | None = None
    for written in body.splitlines():
        if stroke := _STROKE.fullmatch(written):
            if assumed is None or len(stroke[1]) != 2 * (assumed.depth - 1):
                raise Unsound(f"a stroke below no assumption: {written}")
            assumed = None
            continue
        if assumed is not None:
            raise Unsound(f"no stroke below {assumed}")
        if _GAP.fullmatch(written) or not written:
            continue
        found = _ROW.fullmatch(written)
        if found is None:
            raise Unsound(f"no line of a derivation: {written}")
        number, bars, said, rule, needed = found.groups()
        cited = tuple(tuple(map(int, each.split("–"))) for each in (needed or "").split(", ") if each)
        line = Line(int(number), len(bars) // 2, _filled(said, meanings), rule, cited)
        assumed = line if rule == "assumption" else None
        yield line


def _filled(text: str, meanings: dict[str, Formula]) -> Formula:
    """Return a formula with what the names in it stand for."""
    formula = parse(text)
    built: dict[Formula, Formula] = {}
    for part in subformulas(formula):
        match part:
            case Atom(name):
                built[part] = meanings.get(name, part)
            case Binary(left, right):
                built[part] = type(part)(built[left], built[right])
            case _:
                built[part] = part
    return built[formula]


def check(derivation: Derivation) -> None:
    """See that the last line is the lemma and that every line follows. Raises Unsound."""
    lines = derivation.lines
    paths: list[tuple[int, ...]] = []
    ended: dict[tuple[int, ...], tuple[int, ...]] = {}
    path: tuple[int, ...] = ()
    for place, line in enumerate(lines, 1):
        if line.number != place:
            raise Unsound(f"line {place} is numbered {line.number}")
        opens = line.rule == "assumption"
        while len(path) > line.depth - opens:
            ended[path[-1], place - 1] = path
            path = path[:-1]
        path += (place,) * opens
        if len(path) != line.depth:
            raise Unsound(f"line {place} stands in a box that nothing opens")
        paths.append(path)
        facts: list[Formula] = []
        for cited in line.cited:
            first, last = lines[cited[0] - 1], lines[cited[-1] - 1]
            if len(cited) == 1:
                if first.number >= place or path[: first.depth] != paths[first.number - 1]:
                    raise Unsound(f"line {place} uses line {first.number}, which is not in scope")
                facts.append(first.formula)
            else:
                box = ended.get(cited)
                if box is None or box[:-1] != path[: len(box) - 1] or paths[last.number - 1] != box:
                    raise Unsound(f"line {place} uses the box {cited}, which is not in scope")
                facts.append(Implies(first.formula, last.formula))
        if not _follows(line, facts):
            raise Unsound(f"line {place} does not follow by {line.rule}")
    if not lines or path or lines[-1].formula is not derivation.formula:
        raise Unsound("the last line is not the lemma")


def _follows(line: Line, given: list[Formula]) -> bool:
    """Return True if a formula follows by a rule; a box stands as the implication that it proves."""
    boxes = [len(cited) == 2 for cited in line.cited]
    match line.rule, boxes, given:
        case "assumption", [], []:
            return line.depth > 0
        case "R", [False], [fact]:
            return fact is line.formula
        case "∧I", [False, False], [left, right]:
            return line.formula is And(left, right)
        case "∧E₁", [False], [And(left, _)]:
            return line.formula is left
        case "∧E₂", [False], [And(_, right)]:
            return line.formula is right
        case "∨I₁", [False], [fact]:
            return isinstance(line.formula, Or) and line.formula.left is fact
        case "∨I₂", [False], [fact]:
            return isinstance(line.formula, Or) and line.formula.right is fact
        case "∨E", [False, True, True], [Or(left, right), Implies(one, result), Implies(other, same)]:
            return one is left and other is right and result is same is line.formula
        case "→I", [True], [implication]:
            return line.formula is implication
        case "¬I", [True], [Implies(_, right) as implication]:
            return line.formula is implication and right is FALSE
        case "→E", [False, False], [Implies(left, right), fact]:
            return fact is left and right is line.formula
        case "¬E", [False, False], [Implies(left, right), fact]:
            return fact is left and right is line.formula is FALSE
        case "⊥E", [False], [fact]:
            return fact is FALSE
    return False
