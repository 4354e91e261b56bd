"""When are two proof states the same? Each space answers with a key for a state and a slot for each of its moves."""

from oasis.ground.names import STATE_SPACES
from state_spaces.base import Key, Slot, StateSpace, View
from state_spaces.match import Match
from state_spaces.name import Name
from state_spaces.simple import Simple

__all__ = ["STATE_SPACES", "Key", "Match", "Name", "Simple", "Slot", "StateSpace", "View", "state_space"]


def state_space(name: str) -> StateSpace:
    """Return the state space of a name, or of `module:object`. Raises InputError if there is none."""
    space: StateSpace = STATE_SPACES.make(name)
    return space
