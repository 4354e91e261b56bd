"""When are two proof states the same? Each space answers with a key for a state and a slot for each of its moves."""

from typing import TYPE_CHECKING, Any

from oasis.ground.names import STATE_SPACES
from state_spaces.base import Key, Slot, StateSpace, View
from state_spaces.simple import Simple

if TYPE_CHECKING:
    from state_spaces.match import Match
    from state_spaces.name import Name

__all__ = ["STATE_SPACES", "Key", "Match", "Name", "Simple", "Slot", "StateSpace", "View", "state_space"]


def __getattr__(name: str) -> Any:
    """Return `Name` or `Match`, which are imported by who asks for them."""
    if name not in ("Match", "Name"):
        raise AttributeError(f"state_spaces has no {name}; it offers {', '.join(__all__)}")
    return STATE_SPACES[name.lower()]


def state_space(name: str) -> StateSpace:
    """Return the state space of a name, or of `module:object`. Raises InputError if there is none."""
    space: StateSpace = STATE_SPACES.make(name)
    return space
