"""When are two proof states the same? Each space answers with a key for a state and a slot for each of its moves."""

from typing import Final

from state_spaces.base import Key, Slot, StateSpace, View
from state_spaces.simple import Simple

STATE_SPACES: Final[dict[str, type[StateSpace]]] = {"simple": Simple}
"""The spaces by the name that a person types."""

__all__ = ["STATE_SPACES", "Key", "Simple", "Slot", "StateSpace", "View"]
