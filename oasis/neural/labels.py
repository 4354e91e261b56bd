"""What the oracle says of the goals that a theorem leads to: which moves keep a goal provable, and which lose it.

A move keeps a goal if everything that it leaves is provable. In a provable goal only a few rules can lose
(`tactics.rules.CAN_LOSE`), so nobody has to be asked about the others. Any move that keeps is as good as any other: no
proof is looked for, and no length.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Final, NamedTuple

from oasis.ground.limits import Limit
from oasis.neural.encoding.moves import Formulas, Option, Unordered, options, unordered
from oasis.teacher.deciding.sequents import Sequents
from tactics.rules import CAN_LOSE

MOST_GOALS: Final = 5_000
"""Goals of a play, after which it is broken off."""


class Labelled(NamedTuple):
    """A goal and its moves.

    Attributes:
        formulas: the goal.
        options: its moves.
        keeps: of each whether all that it leaves is provable; of a goal that is not provable no move keeps.
    """

    formulas: Formulas
    options: tuple[Option, ...]
    keeps: tuple[bool, ...]

    @property
    def provable(self) -> bool:
        """Whether the goal is provable: whether a move keeps."""
        return any(self.keeps)

    def by_oracle(self, draw: Callable[[], float]) -> int:
        """The place of a move that keeps, or where none does of any move, by lot."""
        places = [place for place, keeps in enumerate(self.keeps) if keeps] or range(len(self.keeps))
        return places[int(draw() * len(places))]


class Oracle:
    """Knows which goals are provable, and remembers what it was asked.

    Args:
        limit: for all that it is asked; none by default.
    """

    def __init__(self, limit: Limit | None = None) -> None:
        self._sequents = Sequents(limit)

    def provable(self, formulas: Formulas) -> bool:
        """Whether a goal is provable. Raises LimitReached."""
        return self._sequents.decide(formulas[1:], formulas[0])

    def labelled(self, formulas: Formulas, moves: tuple[Option, ...] | None = None) -> Labelled:
        """A provable goal with its moves, which are worked out unless they are given."""
        moves = options(formulas) if moves is None else moves
        return Labelled(formulas, moves, tuple(map(self.keeps, moves)))

    def keeps(self, move: Option) -> bool:
        """Whether a move on a provable goal leaves provable goals alone."""
        return move.rule not in CAN_LOSE or self.provable(move.premises[0])

    def played(
        self, goal: Formulas, draw: Callable[[], float], eager: bool, everywhere: bool = False, astray: float = 0.0
    ) -> Iterator[Labelled]:
        """Yield the goals at which there is a choice in a play from a provable goal on; see `play`.

        A losing move is made only at a share `astray` of the goals, at which any move is chosen at random.
        """
        play = self.play(goal, draw, eager, everywhere)
        labelled = next(play, None)
        while labelled is not None:
            yield labelled
            by_lot = astray and draw() < astray
            place = int(draw() * len(labelled.options)) if by_lot else labelled.by_oracle(draw)
            labelled = answered(play, place)

    def play(
        self, goal: Formulas, draw: Callable[[], float], eager: bool, everywhere: bool = False
    ) -> Generator[Labelled, int, None]:
        """A play from a provable goal on, as a coroutine that somebody else chooses for.

        It gives each goal at which there is a choice, and is sent the place of the move to make. Goals that a single
        move closes are passed over; moves among which there is no choice are made by lot.

        Args:
            goal: what to prove.
            draw: gives numbers from 0 up to but without 1.
            eager: whether rules that cannot lose come first, so that there is a choice only where none applies.
            everywhere: whether it also gives the provable goals that a single move closes, which are closed whatever it
                is sent, and those at which no rule can lose.
        """
        pending = [(goal, True)]
        for _ in range(MOST_GOALS):
            if not pending:
                return
            goal, provable = pending.pop()
            moves = options(goal)
            asks_all = everywhere and provable
            if not moves or any(move.closes for move in moves):
                if moves and asks_all:
                    yield self.labelled(goal, moves)
                continue
            keeps = provable
            safe = [place for place, move in enumerate(moves) if move.rule not in CAN_LOSE]
            is_asked = asks_all if len(safe) == len(moves) else not (eager and safe)
            if is_asked:
                labelled = self.labelled(goal, moves) if provable else Labelled(goal, moves, (False,) * len(moves))
                place = yield labelled
                keeps = labelled.keeps[place]
            else:
                place = safe[int(draw() * len(safe))]
            pending += [(premise, keeps or self.provable(premise)) for premise in moves[place].premises]


def answered(play: Generator[Labelled, int, None], place: int) -> Labelled | None:
    """The next choice of a play when the move at a place is made; None if the play is over."""
    try:
        return play.send(place)
    except StopIteration:
        return None


def shortest_length(goal: Formulas, most: int) -> int | None:
    """The moves of a shortest proof of a goal; None if it needs more than so many, or has none."""
    known: dict[Unordered, tuple[int, int]] = {}

    def search(goal: Formulas, most: int) -> int:
        """The length, or a number above `most` that it is not below."""
        key = unordered(goal)
        length, searched = known.get(key, (1, 0))
        if length <= searched or most <= searched:
            return length
        moves = options(goal)
        if any(move.closes for move in moves):
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
