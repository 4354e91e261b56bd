"""What the forms have in common in which networks take goals: some numbers in a row, and some for each move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from numpy.typing import NDArray


class Encoding(Protocol):
    """A goal in the form of a network: arrays, in the order in which it is iterated over."""

    @property
    def tokens(self) -> NDArray[Any]:
        """What the network reads; its length is the goal's size; shape (tokens,)."""
        ...

    @property
    def moves(self) -> NDArray[Any]:
        """The moves that are asked about, in their order; shape (moves, numbers of a move)."""
        ...

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """All arrays."""
        ...


Form = Callable[..., Encoding]
"""Puts a goal (`Formulas`) and those of its moves that are asked about (`Option`) in a network's form; a function of a
module without torch, so that the processes that make training data can call it. A form of questions also takes answers,
if there are any (`oasis.neural.encoding.entail`)."""
