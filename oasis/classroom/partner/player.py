"""A partner who asks voices before each move, in their order: the first that is sure enough makes it.

What is learned from an episode, the partners themselves say (`oasis.classroom.partner.partners`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from time import sleep
from typing import Final, Protocol

from oasis.classroom.partner.opinions import NOTHING_TO_CHOOSE, Column, Kind, Opinion, Reason, Share, Voice
from oasis.classroom.partner.partner import BeforeStep, Partner
from oasis.classroom.partner.plan import Planned
from oasis.play.solving import Cost
from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.printer import Notation
from tactics.rules import apply, legal_moves

WAIT_SECONDS: Final = 0.05
"""For a voice that is being loaded, until somebody may say something again."""


class Speaker(Protocol):
    """Has something to say of states, and finds it out at a cost.

    Attributes:
        name: in a word.
        cost: so far.
    """

    name: str
    cost: Cost

    @property
    def is_coming(self) -> bool:
        """Whether it is still being loaded."""
        ...

    def say(self, state: State, moves: tuple[Move, ...]) -> Voice:
        """What it says of a state that has moves, and of each of them."""
        ...

    def chosen(self, state: State, moves: tuple[Move, ...]) -> Move | None:
        """The move that it would make; None if it is not sure enough to move before those who come after it."""
        ...

    def why(self, state: State, move: Move, notation: Notation) -> Reason:
        """Why it would make the move that it chose."""
        ...


class Player(Partner):
    """A partner made of voices, at one lemma.

    Args:
        formula: the lemma.
        rules: the rules that may be used.
        speakers: the voices, the first one asked first; the last one moves where none is sure.
    """

    _moved: Counter[str]

    def __init__(self, formula: Formula, rules: Collection[str], speakers: Sequence[Speaker]) -> None:
        self._speakers = tuple(speakers)
        super().__init__(formula, rules)

    @property
    def shares(self) -> tuple[Share, ...]:
        """What each of its voices did, and what that cost."""
        return tuple(Share(each.name, self._moved[each.name], each.cost) for each in self._speakers)

    @property
    def is_coming(self) -> bool:
        """Whether one of its voices is still being loaded."""
        return any(each.is_coming for each in self._speakers)

    def moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves that may be made in a state."""
        return tuple(move for move in legal_moves(state[0]) if move.rule in self._rules) if state else ()

    def mover(self, state: State, moves: tuple[Move, ...]) -> tuple[Speaker, Move | None]:
        """Who would move in a state that has moves, and how; no move where the last voice has none."""
        for speaker in self._speakers:
            move = speaker.chosen(state, moves)
            if move is not None:
                return speaker, move
        return self._speakers[-1], None

    def opinion(self, state: State) -> Opinion:
        """What its voices say of a state, and who of them would move."""
        moves = self.moves(state)
        if not moves:
            return Opinion((), (), "")
        speaker, move = self.mover(state, moves)
        voices = tuple(each.say(state, moves) for each in self._speakers)
        return Opinion(moves, voices, "" if move is None else speaker.name)

    def why(self, state: State, notation: Notation) -> Reason:
        """Why the voice that would move would make its move."""
        moves = self.moves(state)
        if not moves:
            return NOTHING_TO_CHOOSE
        speaker, move = self.mover(state, moves)
        if move is None:
            return Reason("", None, (speaker.say(state, moves).sentence,))
        return speaker.why(state, move, notation)

    def _play(self, before_step: BeforeStep | None) -> None:
        self._prepare()
        movers: list[str] = []
        while len(movers) < self.settings.max_steps and (moves := self.moves(self.state)):
            was_coming = self.is_coming  # before it is asked, as it may come meanwhile
            speaker, move = self.mover(self.state, moves)
            if move is None and was_coming:
                self.wait(before_step)
                continue
            if move is None:
                break
            self.let_in(move, before_step)
            self.state, self.script = apply(self.state, move), (*self.script, move)
            movers.append(speaker.name)
        self._moved.update(movers)
        self._learn(movers)

    def _best_step(self, state: State) -> tuple[Planned, State] | None:
        if not (moves := self.moves(state)):
            return None
        speaker, move = self.mover(state, moves)
        if move is None:
            return None
        return Planned(move, (move,), speaker.say(state, moves).worth(moves.index(move))), apply(state, move)

    def wait(self, before_step: BeforeStep | None = None) -> None:
        """Wait until what is being loaded is there or cannot be had, and let somebody in meanwhile. Raises Left."""
        while self.is_coming:
            sleep(WAIT_SECONDS)
            self.let_in(None, before_step)

    def _prepare(self) -> None:
        """What it does before an episode."""

    def _learn(self, movers: Sequence[str]) -> None:
        """What it learns from an episode that has ended, whose moves these voices made."""

    def _begin(self) -> None:
        self._moved = Counter()
        super()._begin()


def silent(name: str, sentence: str, moves: tuple[Move, ...], *columns: tuple[str, Kind]) -> Voice:
    """A voice that has nothing to say of any move."""
    empty = (None,) * len(moves)
    return Voice(name, sentence, tuple(Column(head, kind, empty) for head, kind in columns), None, False)
