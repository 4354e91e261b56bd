"""What training and policies need of a network, whatever it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from torch import Tensor, nn

from oasis.neural.encoding.form import Form


class Judgement(NamedTuple):
    """What a network says of some goals and their moves.

    Attributes:
        moves: a score of each move, goal after goal; the softmax over those of a goal is the policy; shape (moves,).
        provable: the log-odds that each goal is provable; shape (goals,).
    """

    moves: Tensor
    provable: Tensor


class Network(Protocol):
    """A torch module that judges goals, which it takes in a form of its own."""

    @property
    def form(self) -> Form:
        """Puts goals in that form."""
        ...

    def to_json(self) -> dict[str, Any]:
        """What it is built of, as plain numbers and words: `make` builds the same one."""
        ...

    def judged(self, goals: Sequence[Any]) -> Judgement:
        """What it says of goals in its form, at least one, of nearly one length, and of the moves they come with."""
        ...

    @property
    def module(self) -> nn.Module:
        """The module whose parameters are trained."""
        ...
