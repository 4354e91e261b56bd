"""A proof in the making: moves made, taken back and made again, and the hints taken on the way.

It knows the rules, and of the teacher only how many levels hints have; how it is shown and kept is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from oasis.teacher.hints import LEVELS
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, initial
from tactics.rules import apply, legal_moves, premises
from tactics.script import Script


class Offer(NamedTuple):
    """A move that applies, and the goals that it leaves of the one in focus."""

    move: Move
    leaves: tuple[Goal, ...]


class HintTaken(NamedTuple):
    """A hint that was asked for: in which state, after how many moves, and how much it said."""

    state: State
    step: int
    level: int


@dataclass
class Attempt:
    """One attempt at a lemma.

    Attributes:
        formula: of the lemma.
        made: the moves that count.
        undone: moves taken back, the one to make again first last.
        hints: all that were taken, also before moves that were taken back.
    """

    formula: Formula
    made: list[Move] = field(default_factory=list)
    undone: list[Move] = field(default_factory=list)
    hints: list[HintTaken] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states: list[State] = [initial(self.formula)]
        for move in self.made:
            self.states.append(apply(self.states[-1], move))

    @property
    def state(self) -> State:
        """Where the attempt stands."""
        return self.states[-1]

    @property
    def script(self) -> Script:
        """The moves that count."""
        return tuple(self.made)

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return not self.state

    def offers(self) -> tuple[Offer, ...]:
        """The moves that apply, as the calculus orders them; none once the lemma is proved."""
        if self.proved:
            return ()
        focused = self.state[0]
        return tuple(Offer(move, premises(focused, move)) for move in legal_moves(focused))

    def make(self, move: Move) -> State:
        """Make a move. Raises IllegalMove, and then nothing is changed.

        What was taken back can no longer be made again, unless it is this move that was.
        """
        after = apply(self.state, move)
        if self.undone and self.undone[-1] == move:
            self.undone.pop()
        else:
            self.undone.clear()
        self.made.append(move)
        self.states.append(after)
        return after

    def undo(self) -> Move:
        """Take back the last move. Raises InputError if there is none."""
        if not self.made:
            raise InputError("There is no move to take back; make one first.")
        self.states.pop()
        self.undone.append(self.made.pop())
        return self.undone[-1]

    def redo(self) -> Move:
        """Make the move again that was taken back last. Raises InputError if there is none."""
        if not self.undone:
            raise InputError("There is no move to make again; undo takes one back.")
        move = self.undone[-1]
        self.make(move)
        return move

    def jump(self, step: int) -> None:
        """To the state after so many moves, back or forth. Raises InputError where the attempt never was."""
        last = len(self.made) + len(self.undone)
        if not 0 <= step <= last:
            raise InputError(f"There is no step {step}; choose one from 0, the beginning, to {last}.")
        while len(self.made) > step:
            self.undo()
        while len(self.made) < step:
            self.redo()

    def take_hint(self) -> int:
        """The level of the next hint in this state, one more than the last; it is written down."""
        taken = [hint.level for hint in self.hints if hint.state == self.state]
        level = min(max(taken, default=0) + 1, LEVELS[-1])
        self.hints.append(HintTaken(self.state, len(self.made), level))
        return level
