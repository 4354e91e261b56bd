"""What the oracle says of the goals that a theorem leads to: which moves keep a goal provable, and which lose it.

A move keeps a goal if everything that it leaves is provable. In a provable goal only a few rules can lose
(`tactics.rules.CAN_LOSE`), so nobody has to be asked about the others. Any move that keeps is as good as any other: no
proof is looked for, and no length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from oasis.neural.encoding.moves import Formulas, Option, options
from oasis.teacher.deciding.sequents import Sequents
from tactics.rules import CAN_LOSE


class Labelled(NamedTuple):
    """A provable goal and its moves.

    Attributes:
        formulas: the goal.
        options: its moves.
        keeps: of each whether all that it leaves is provable.
    """

    formulas: Formulas
    options: tuple[Option, ...]
    keeps: tuple[bool, ...]


class Oracle:
    """Knows which goals are provable, and remembers what it was asked."""

    def __init__(self) -> None:
        self._sequents = Sequents()

    def provable(self, formulas: Formulas) -> bool:
        """Whether a goal is provable."""
        return self._sequents.decide(formulas[1:], formulas[0])

    def labelled(self, formulas: Formulas, moves: tuple[Option, ...] | None = None) -> Labelled:
        """A provable goal with its moves, which are worked out unless they are given."""
        moves = options(formulas) if moves is None else moves
        return Labelled(formulas, moves, tuple(map(self.keeps, moves)))

    def keeps(self, move: Option) -> bool:
        """Whether a move on a provable goal leaves provable goals alone."""
        return move.rule not in CAN_LOSE or self.provable(move.premises[0])

    def played(self, goal: Formulas, draw: Callable[[], float], eager: bool) -> Iterator[Labelled]:
        """The goals at which there is a choice in a play from a provable goal on that never loses, by lot.

        Goals that a single move closes are passed over.

        Args:
            goal: what to prove.
            draw: gives numbers from 0 up to but without 1.
            eager: whether rules that cannot lose come first, so that there is a choice only where none applies.
        """
        pending = [goal]
        while pending:
            goal = pending.pop()
            moves = options(goal)
            if any(not move.premises for move in moves):
                continue
            keeping = [move for move in moves if move.rule not in CAN_LOSE]
            if len(keeping) < len(moves) and not (eager and keeping):
                labelled = self.labelled(goal, moves)
                yield labelled
                keeping = [move for move, keeps in zip(moves, labelled.keeps, strict=True) if keeps]
            pending += keeping[int(draw() * len(keeping))].premises


def shortest_length(goal: Formulas, most: int) -> int | None:
    """The moves of a shortest proof of a goal; None if it needs more than so many, or has none."""
    known: dict[tuple[object, frozenset[object]], tuple[int, int]] = {}

    def search(goal: Formulas, most: int) -> int:
        """The length, or a number above `most` that it is not below."""
        key = goal[0], frozenset(goal[1:])
        length, searched = known.get(key, (1, 0))
        if length <= searched or most <= searched:
            return length
        moves = options(goal)
        if any(not move.premises for move in moves):
            length = 1
        else:
            length = most + 1
            for move in moves:
                total = 1
                for number, premise in enumerate(move.premises, 1):
                    others = len(move.premises) - number
                    total += search(premise, length - 1 - total - others)
                    if total + others >= length:
                        break
                else:
                    length = total
        known[key] = length, most
        return length

    length = search(goal, most)
    return length if length <= most else None
