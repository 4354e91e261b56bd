"""What happens in an attempt: what a student did, and why something that was tried did not count."""

from __future__ import annotations

from typing import NamedTuple

from tactics.errors import InputError
from tactics.goal import Move, State
from tactics.rules import IllegalMove


class Event(NamedTuple):
    """Something that a student did.

    Attributes:
        kind: `move`, `undo`, `redo`, `jump`, `hint`, `refused` (a move that does not apply), `listed` (the list of
            moves, from then on), `claim` (that there is no proof), `given` (moves taken over from somebody else) or
            `asked` (what the agent makes of the state).
        what: the move, the step to go to, the level of the hint, `right` or `wrong`, or the script; else empty.
    """

    kind: str
    what: str = ""


class HintTaken(NamedTuple):
    """A hint that was asked for: in which state, after how many moves, and how much it said."""

    state: State
    step: int
    level: int


class NotAllowed(InputError):
    """A rule that the terms of the exercise leave out, or a hint that they do not give."""


class Refused(IllegalMove):
    """A move that does not apply; that it was tried is the `event`."""

    def __init__(self, why: str, move: Move) -> None:
        super().__init__(why)
        self.event = Event("refused", str(move))
