"""A goal as numbers: its distinct subformulas as nodes, each with a token and the places of its two sides.

Formulas are shared (`tactics.formula`), and so are nodes: a subformula that occurs several times is one node, so a goal
has as many nodes as distinct subformulas, however large its formulas are when they are written out. Nothing depends on
what atoms and hypotheses are called, on their order, or on how often a hypothesis is there: of goals that are the same
up to names the nodes are the same but for their order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.neural.encoding.moves import Formulas, Option
from tactics.formula import TRUTH, And, Atom, Binary, Falsum, Formula, Implies, Or
from tactics.unnamed import RULE_NAMES

NONE: Final = -1
"""Stands where a node has no side."""
RULE_NUMBERS: Final = {name: number for number, name in enumerate(RULE_NAMES)}
POSITIVE, NEGATIVE, HYPOTHESIS, CONCLUSION = 1, 2, 4, 8
"""What a node is in its goal, as bits of its token: occurs as something to show, as something given, and is a whole."""
FLAGS: Final = 16
KINDS: Final[dict[type[Formula], int]] = {Atom: 0, Falsum: 1, And: 2, Or: 3, Implies: 4}
TRUTH_KIND: Final = 5
TOKENS: Final = FLAGS * (len(KINDS) + 1)
"""Tokens: `FLAGS` times the kind of a node, plus what it is in its goal."""
REMEMBERED: Final = 2**15
"""Formulas whose subformulas are kept."""
_FLIPPED: Final = (0, NEGATIVE, POSITIVE, POSITIVE | NEGATIVE)
"""What the left side of an implication is, by what the implication is."""


class Encoded(NamedTuple):
    """A goal as nodes, sides before the whole, and its moves.

    Attributes:
        tokens: of each node, below `TOKENS`; shape (nodes,).
        sides: the nodes of its left and right side, NONE for atoms, falsum and truth; shape (nodes, 2).
        moves: of each the node of its principal formula and the number of its rule; shape (moves, 2).

    Nodes are 16-bit numbers where that suffices.
    """

    tokens: NDArray[np.uint8]
    sides: NDArray[np.signedinteger]
    moves: NDArray[np.signedinteger]


def encoded(formulas: Formulas, moves: Iterable[Option] = ()) -> Encoded:
    """A goal as numbers, with those of its moves that are asked about."""
    place = {formula: number for number, formula in enumerate(nodes_of(formulas))}
    flags = [0] * len(place)
    for formula in formulas[1:]:
        flags[place[formula]] = HYPOTHESIS | NEGATIVE
    flags[place[formulas[0]]] |= CONCLUSION | POSITIVE
    kinds: list[int] = []
    sides: list[tuple[int, int]] = []
    for formula, number in reversed(place.items()):
        if not isinstance(formula, Binary) or formula is TRUTH:
            kinds.append(TRUTH_KIND if formula is TRUTH else KINDS[type(formula)])
            sides.append((NONE, NONE))
            continue
        left, right = place[formula.left], place[formula.right]
        kinds.append(KINDS[type(formula)])
        sides.append((left, right))
        signs = flags[number] & (POSITIVE | NEGATIVE)
        flags[right] |= signs
        flags[left] |= _FLIPPED[signs] if isinstance(formula, Implies) else signs
    tokens = [FLAGS * kind + flag for kind, flag in zip(reversed(kinds), flags, strict=True)]
    asked = [(place[move.principal], RULE_NUMBERS[move.rule]) for move in moves]
    narrow: type[np.signedinteger] = np.int16 if len(place) <= 1 << 15 else np.int32
    return Encoded(np.array(tokens, np.uint8), np.array(sides[::-1], narrow), np.array(asked, narrow).reshape(-1, 2))


def nodes_of(formulas: Formulas) -> tuple[Formula, ...]:
    """The nodes of a goal, in their order."""
    return tuple(dict.fromkeys(chain.from_iterable(map(_parts, formulas))))


@lru_cache(REMEMBERED)
def _parts(formula: Formula) -> Formulas:
    """The distinct subformulas, sides before the whole; truth is taken as one that has none."""
    found: dict[Formula, None] = {}
    pending: list[tuple[Formula, bool]] = [(formula, False)]
    while pending:
        part, sides_done = pending.pop()
        if part in found:
            continue
        if isinstance(part, Binary) and part is not TRUTH and not sides_done:
            pending += [(part, True), (part.right, False), (part.left, False)]
        else:
            found[part] = None
    return tuple(found)
