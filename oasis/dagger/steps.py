"""A step of an episode as the terms of R† see it."""

from __future__ import annotations

from typing import NamedTuple

from oasis.play.actions import ACTION_SPACES, SIMPLIFY, attempt
from tactics.goal import Move, State


class Step(NamedTuple):
    """A step as terms see it.

    Attributes:
        before: the state before it.
        move: what was done.
        after: the state after it, `before` if the move does not apply, empty if it completes the proof.
        ended: whether nothing more can be done.
        moves: of the calculus that it made; 0 if it does not apply, more than 1 for `simplify`.
    """

    before: State
    move: Move
    after: State
    ended: bool
    moves: int


def seen(before: State, move: Move, after: State, ended: bool) -> Step:
    """A step as terms see it."""
    return Step(before, move, after, ended, moves_of(before, move) if after != before else 0)


def moves_of(before: State, move: Move) -> int:
    """The moves of the calculus that an action makes which applies."""
    return len(ACTION_SPACES[SIMPLIFY.rule].perform(before, move, attempt)[1]) if move == SIMPLIFY else 1
