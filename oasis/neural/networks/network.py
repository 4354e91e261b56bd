"""What training and policies need of a network, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from oasis.neural.encoding.form import Form
from oasis.neural.encoding.moves import Formulas
from oasis.play.policy import Floats
from tactics.formula import Formula


class Judgement(NamedTuple):
    """What a network says of some goals and their moves.

    Attributes:
        moves: a score of each move, goal after goal; the softmax over those of a goal is the policy; shape (moves,).
        provable: the log-odds that each goal is provable; shape (goals,).
        is_written: whether the scores are log-probabilities among all that the network might write, legal or not.
        answers: of a network that is asked what follows, the log-odds of each formula, goal after goal; shape
            (questions,).
    """

    moves: Tensor
    provable: Tensor
    is_written: bool = False
    answers: Tensor | None = None


class Attention(NamedTuple):
    """What a network attends to in a goal.

    Attributes:
        nodes: the subformulas of the goal.
        weights: how much is attended to each, the mean over the heads; a row sums to 1, or to less if other things are
            attended to as well; shape (layers, nodes).
        is_last_word: whether it is the last word of a sentence that attends; else it is the principal formula.
    """

    nodes: tuple[Formula, ...]
    weights: NDArray[np.float64]
    is_last_word: bool = False


Written = tuple[str, Formula | None]
"""A move that somebody writes: the name of a rule, and the hypothesis it is applied to, if it takes one."""
Pick = Callable[[int, Floats], int]
"""Chooses the next word for the goal of a number, by the probabilities of all words that may be written."""


def likeliest(_: int, probabilities: Floats) -> int:
    """Choose the likeliest word, the first of several."""
    return int(probabilities.argmax())


class Network(Protocol):
    """A torch module that judges goals, which it takes in a form of its own.

    Its class may have `USUAL`, which tells how it is trained unless a person says otherwise
    (`oasis.neural.networks.sizes.Usual`). If that names a model, the class has a method `begun(model, layers)`, which
    makes a network with the weights of the model's lowest layers.
    """

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


@runtime_checkable
class Writing(Network, Protocol):
    """A network that also writes moves by itself, which may be illegal; its judgements say `is_written`."""

    def written(
        self, goals: Sequence[Formulas], *, tactics: bool = False, pick: Pick = likeliest
    ) -> list[Written | None]:
        """The move that it writes on each goal; None where what it writes is none.

        Args:
            goals: any number of them.
            tactics: whether it may write nothing but a rule, and a hypothesis of the goal if the rule takes one.
            pick: chooses each word.
        """
        ...


@runtime_checkable
class Attending(Network, Protocol):
    """A network that tells what it attends to."""

    def attended(self, formulas: Formulas, principal: Formula) -> Attention | None:
        """What it attends to in a goal when a move on a formula is considered; None for a goal it reads in part."""
        ...
