"""The proof so far as a tree of goals, whether it is finished or not, and as an outline of plain text.

Every goal stands above those that the move on it leaves. Derivations with lines between premises and conclusion are an
export (`oasis.backends.export.svg`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size

from oasis.classroom.proving.pointing import as_they_came
from tactics.formula import Formula
from tactics.goal import Goal, Move
from tactics.printer import COQ, Notation, brief
from tactics.rules import premises, spoken
from tactics.script import Script, replay


@dataclass(eq=False)
class Node:
    """A goal of a proof.

    Attributes:
        goal: what is to be proved.
        step: how many moves were made before it came into focus; None if it never has.
        move: what was done about it; None while it is open.
        children: the goals that the move left, the first one focused.
    """

    goal: Goal
    step: int | None = None
    move: Move | None = None
    children: list[Node] = field(default_factory=list, repr=False)


class Line(NamedTuple):
    """A node in an outline.

    Attributes:
        node: which one.
        branch: what is drawn in front of it, to show which goals are side by side.
        parent: the node whose move left it, None for the root.
    """

    node: Node
    branch: str
    parent: Node | None


@dataclass(frozen=True)
class ProofTree:
    """The goals of a script and how they hang together.

    Attributes:
        root: the lemma.
        focused: the goal to work on; None once the lemma is proved.
    """

    root: Node
    focused: Node | None

    @classmethod
    def of(cls, formula: Formula, script: Script) -> ProofTree:
        """The tree of a script, complete or not. Raises ScriptError at the first move that does not apply."""
        states = replay(formula, script)
        root = Node(states[0][0])
        pending = [root]
        for step, move in enumerate(script):
            node = pending.pop()
            node.step, node.move = step, move
            node.children = [Node(goal) for goal in premises(node.goal, move)]
            pending += reversed(node.children)
        if pending:
            pending[-1].step = len(script)
        return cls(root, pending[-1] if pending else None)

    def nodes(self) -> Iterator[Node]:
        """Every goal, each before those that are left of it."""
        return (line.node for line in self.lines())

    def lines(self) -> Iterator[Line]:
        """The outline: goals side by side are set in, and one that is left alone stands straight below its parent."""
        pending = [(Line(self.root, "", None), "")]
        while pending:
            line, margin = pending.pop()
            yield line
            match line.node.children:
                case [only]:
                    pending.append((Line(only, margin, line.node), margin))
                case [*others, last]:
                    pending.append((Line(last, f"{margin}└ ", line.node), f"{margin}  "))
                    pending += [(Line(each, f"{margin}├ ", line.node), f"{margin}│ ") for each in reversed(others)]

    def outline(self, notation: Notation = COQ, *, ascii_only: bool = False, width: int | None = None) -> str:
        """A line for each goal: what was done about it, or that it is open, and what it says.

        Of a goal for which `width` columns are too few what it has in common with its parent is left out; None for as
        many columns as it takes.
        """
        lines = list(self.lines())
        left = [f"{branch}{self._label(node)}" for node, branch, _ in lines]
        column = max(map(cell_len, left))
        room = None if width is None else width - column - 2
        rows = [
            f"{set_cell_size(text, column)}  {_sequent(line, notation, room)}"
            for text, line in zip(left, lines, strict=True)
        ]
        text = "\n".join(rows)
        return text.translate(_ASCII) if ascii_only else text

    def _label(self, node: Node) -> str:
        if node.move is not None:
            return spoken(node.move)
        return "here" if node is self.focused else "open"


def _sequent(line: Line, notation: Notation, room: int | None) -> str:
    """A goal on one line; where it does not fit, what it has in common with its parent is left out."""
    node, _, parent = line
    known = set() if parent is None else set(parent.goal.hypotheses)
    rows = as_they_came(node.goal)
    hypotheses = [f"{name} : {brief(formula, notation)}" for name, formula in rows]
    conclusion = f"{notation.turnstile} {brief(node.goal.conclusion, notation)}"
    whole = f"{', '.join(hypotheses)} {conclusion}".lstrip()
    if room is None or cell_len(whole) <= room:
        return whole
    changed = [text for text, each in zip(hypotheses, rows, strict=True) if each not in known]
    rest = "…, " if len(changed) < len(hypotheses) else ""
    return f"{rest}{', '.join(changed)} {conclusion}" if changed else f"{rest[:1]} {conclusion}".lstrip()


_ASCII: Final = str.maketrans({"├": "+", "└": "+", "│": "|", "…": "~"})
"""One character for each, so that the width stays."""
