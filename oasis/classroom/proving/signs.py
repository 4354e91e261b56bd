"""A card of the signs: how each is read, typed, and used, with an example; and what binds tighter than what."""

from __future__ import annotations

from typing import Final, NamedTuple

from oasis.classroom.proving.rules import with_signs
from tactics.printer import COQ, Notation

_CARD: Final = (
    ("|-", "p, q |- r", "To be proved: what stands on the right, from what stands on the left."),
    ("/\\", "p /\\ q", "And: it rains and it is cold. Both hold."),
    ("\\/", "p \\/ q", "Or: it rains or it is dry. One holds at least, and a proof says which."),
    ("->", "p -> q", "If and then: if it rains, the street is wet. It leads from p to q."),
    ("~", "~p", "Not: it does not rain. It is short for p -> False."),
    ("<->", "p <-> q", "Exactly if: it rains exactly if the street is wet. It is short for (p -> q) /\\ (q -> p)."),
    ("False", "False -> p", "What cannot be: nothing proves it by itself, and from it everything follows."),
)

_BRACKETS: Final = (
    "Without brackets ~ binds tightest, then /\\, \\/ and ->; -> groups to the right: p -> q -> r is p -> (q -> r)."
)


class Sign(NamedTuple):
    """A sign on the card.

    Attributes:
        sign: in some notation.
        typed: as a person types it.
        example: in which it stands.
        says: how it is read and what it means.
    """

    sign: str
    typed: str
    example: str
    says: str


def card(notation: Notation = COQ) -> tuple[Sign, ...]:
    """The signs of a notation."""
    return tuple(
        Sign(with_signs(typed, notation), typed, with_signs(example, notation), with_signs(says, notation))
        for typed, example, says in _CARD
    )


def brackets(notation: Notation = COQ) -> str:
    """How a formula with few brackets is read."""
    return with_signs(_BRACKETS, notation)
