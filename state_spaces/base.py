"""What a state space is: when two proof states are the same, and which of their moves then correspond.

A learner keeps its values at (key, slot): states with equal keys share them, and equal slots say which moves go
together. The spaces themselves have a module each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from tactics.formula import Formula
from tactics.goal import Move, State

if TYPE_CHECKING:
    from state_spaces.canonical import Unnamed

Key = Hashable
"""Equal exactly for states that are the same."""

Slot = tuple[str, str | int | None]
"""The rule of a move and the position of its hypothesis, None for a rule without; the same in every process."""


class View(NamedTuple):
    """What a state space makes of a state.

    Attributes:
        key: equal for two states exactly if they are the same.
        positions: where each hypothesis of the focused goal stands; corresponding hypotheses have equal positions.
    """

    key: Key
    positions: Mapping[str, str | int]

    def slot(self, move: Move) -> Slot:
        """What a move is called in every state that is the same; it need not be legal, but must name a hypothesis."""
        return move.rule, None if move.hypothesis is None else self.positions[move.hypothesis]


class StateSpace(ABC):
    """A notion of when two states are the same."""

    of_focus: ClassVar[bool] = False
    """Whether it sees the focused goal alone; then keys are not Markov while several goals are open, as what comes next
    depends on goals that they leave out."""

    @abstractmethod
    def view(self, state: State) -> View:
        """The state as this space sees it."""

    @abstractmethod
    def digest(self, key: Key) -> bytes:
        """16 bytes that stand for a key of this space outside this process."""


@runtime_checkable
class OfFormulas(Protocol):
    """A state space in which names and order of hypotheses make no difference.

    Compiled students ask it once for all states of the same formulas.
    """

    def of_formulas(self, goals: Sequence[Unnamed]) -> tuple[Key, Mapping[Formula, int]]:
        """Return the key of goals and where each formula stands. Raises TooSymmetric."""
        ...
