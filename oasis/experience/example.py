"""A goal that shows what a maxim is about, found in the lemma that it was learned from."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from curricula.resolve import named_lemma
from oasis.experience.maxims import Maxim
from oasis.experience.scope import applying
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Move, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves

_MOST_GOALS: Final = 2000
_LARGEST: Final = 2000
"""Nodes of a formula in whose proofs an example is looked for."""


class Example(NamedTuple):
    """A goal in which a maxim says something.

    Attributes:
        goal: that can come up in a proof of the lemma.
        moves: that it speaks of, at least one; there are others, too.
    """

    goal: Goal
    moves: tuple[Move, ...]


def lemma_of(maxim: Maxim) -> Formula | None:
    """The lemma that a maxim was learned from; None if its name says nothing here. No file is looked for."""
    try:
        known = named_lemma(maxim.source)
        return parse(maxim.source) if known is None else known.formula
    except InputError:
        return None


def example(maxim: Maxim) -> Example | None:
    """The first goal that shows it, as few moves from the lemma as can be; None if none was found among so many."""
    lemma = lemma_of(maxim)
    if lemma is None or lemma.size > _LARGEST:
        return None
    first = initial(lemma)[0]
    waiting, seen = deque([first]), {first}
    while waiting:
        goal = waiting.popleft()
        legal = legal_moves(goal)
        spoken_of = tuple(move for move in legal if applying(goal, move, [maxim.scope]))
        if spoken_of and len(spoken_of) < len(legal):
            return Example(goal, spoken_of)
        for move in legal:
            for left in apply((goal,), move):
                if left not in seen and len(seen) < _MOST_GOALS:
                    seen.add(left)
                    waiting.append(left)
    return None
