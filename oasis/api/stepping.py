"""Where the environments of trainers make their moves: in the session of which the calls of an episode are asked.

So there is one way in which moves are made, and a trainer may ask of every state that its agent meets whatever a
program may ask.
"""

from __future__ import annotations

import sys
from typing import Final

from curricula import Lemma
from oasis.api.errors import Code, Refused
from oasis.api.limits import Limits
from oasis.api.session import Session
from tactics.errors import InputError
from tactics.goal import Move, State

OWN: Final = Limits(states=sys.maxsize, size=sys.maxsize, proof_size=sys.maxsize)
"""The limits of who works in a process of their own, in which episodes have their own ends."""


class InSession:
    """One lemma as an environment steps through it (`oasis.student.calculus.Calculus`); an episode is a session.

    Args:
        lemma: that is begun next.

    Attributes:
        lemma: that is begun next; another one may be put here.
        session: of the present episode.
        state_id: the present state in it.
    """

    session: Session

    def __init__(self, lemma: Lemma) -> None:
        self.lemma = lemma

    def begin(self) -> State:
        """The lemma, in a session of its own. Raises InputError for one that is beyond the limits."""
        self.session = Session(OWN)
        try:
            self._at = self.session.states.begin(self.lemma)
        except Refused as error:
            raise InputError(str(error)) from None
        return self._at.goals

    def attempt(self, state: State, move: Move) -> State | None:
        """The state after a move on the present one, or None if it does not apply.

        Raises InputError for a state that is beyond the limits.
        """
        try:
            self._at = self.session.states.after(self._at, move)
        except Refused as error:
            if error.code is Code.ILLEGAL_MOVE:
                return None
            raise InputError(str(error)) from None
        return self._at.goals

    @property
    def state_id(self) -> str:
        """The id of the present state in its session."""
        return self._at.id
