"""When are two proof states the same? Each space answers with a key for a state and a slot for each of its moves."""

from typing import Final

from state_spaces.base import Key, Slot, StateSpace, View
from state_spaces.match import Match
from state_spaces.name import Name
from state_spaces.simple import Simple

STATE_SPACES: Final[dict[str, type[StateSpace]]] = {"simple": Simple, "name": Name, "match": Match}
"""The spaces by the name that a person types, the finest first."""

__all__ = ["STATE_SPACES", "Key", "Match", "Name", "Simple", "Slot", "StateSpace", "View"]
