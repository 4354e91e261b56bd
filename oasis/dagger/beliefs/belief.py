"""What a belief is: whoever says how likely a state is to be proved; beliefs by name, and what one says, checked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.shapes import Tactic
from oasis.ground.names import BELIEFS
from oasis.ground.plugins import foreign
from oasis.ground.registry import imported
from tactics.errors import InputError
from tactics.goal import State

Floats = NDArray[np.float64]

NETWORK: Final = ".safetensors"
"""How the name of a network's file ends, which is a belief as well."""
_OF_NETWORK: Final = "oasis.neural.beliefs.provability:of_file"


class Belief(Protocol):
    """How likely states are to be proved.

    It may have a method `looks_at`, which gives of a state something that can be hashed, the same for states of which
    the belief says the same; then it is asked once for all of those.

    And it may learn from what a student does: then R† asks its method `learn`, whenever a round is over, which belief
    it is after some `Visit`s, whose order does not matter. `state` gives what it has learned, as JSON can hold it, and
    `restored` the belief that gave a state.

    Attributes:
        leaks: whether it knows the truth or was trained on it, so that a reward with it gives the solution away.
    """

    leaks: bool

    @property
    def version(self) -> str:
        """What stands for all that its answers depend on; two with the same version answer the same."""
        ...

    def probabilities(self, states: Sequence[State]) -> Sequence[float] | Floats:
        """p(QED | state) in [0, 1] for each state, which has goals."""
        ...


class Visit(NamedTuple):
    """How often plays went through a state, doing the same there.

    Attributes:
        state: with goals.
        tactic: what was done; None where nothing more was.
        times: how often.
        proved: how often the play ended in a proof.
    """

    state: State
    tactic: Tactic | None
    times: int
    proved: int


class Even:
    """Who has seen nothing, and believes one half of everything."""

    version = "even"
    leaks = False

    def probabilities(self, states: Sequence[State]) -> Floats:
        """1/2 each."""
        return np.full(len(states), 0.5)


class Remembered:
    """What another belief says, checked and remembered; what it says by now, if it learns.

    Args:
        belief: the other; what its `looks_at` gives of a state, if it has such a method, is all that it sees of it.

    Attributes:
        learns: whether the other one learns.
        version: of the other one before it learned.
        looks_at: what the other one sees of a state.
        known: what it said, by what it looks at of the states that it was asked about.
    """

    def __init__(self, belief: Belief) -> None:
        self.learns = callable(getattr(belief, "learn", None))
        self.version, self.leaks = belief.version, belief.leaks
        self.known: dict[Hashable, float] = {}
        self._turn_to(belief)

    def probabilities(self, states: Sequence[State]) -> Sequence[float]:
        """As the other. Raises InputError as `believed` does."""
        return [self.probability(state) for state in states]

    def probability(self, state: State) -> float:
        """The same, of a single state."""
        looks = self.looks_at(state)
        known = self.known.get(looks)
        if known is None:
            (known,) = believed(self._belief, [state])
            self.known[looks] = known
        return known

    def learn(self, visits: Sequence[Visit]) -> None:
        """Let the other one learn, and ask it anew."""
        self._turn_to(self._belief.learn(visits))

    def state(self) -> Any:
        """What the other one has learned; None if it does not learn."""
        return self._belief.state() if self.learns else None

    def restore(self, state: Any) -> None:
        """Go on from what `state` gave. Raises InputError if the other one cannot."""
        if self.learns:
            self._turn_to(self._belief.restored(state))

    def _turn_to(self, belief: Any) -> None:
        self._belief, self.looks_at = belief, looking(belief)
        self.known.clear()


def looking(belief: Belief) -> Callable[[State], Hashable]:
    """What a belief sees of a state: all of it, unless it says otherwise by `looks_at`."""
    looks_at = getattr(belief, "looks_at", None)
    return looks_at if callable(looks_at) else lambda state: state


def belief_named(name: str, fitted: Mapping[str, Callable[[], Belief]], option: str = "--belief") -> Belief:
    """The belief that a name stands for: one of `BELIEFS`, a network's file, or `module:object`.

    An object of somebody's own is a belief, or makes one when it is called without arguments.

    Args:
        name: as it was typed.
        fitted: makes those that were fitted, by their names.
        option: that the name was given with.

    Raises InputError if there is none of that name, or if what is there is no belief.
    """
    if name in fitted:
        return fitted[name]()
    if name.endswith(NETWORK):
        of_network: Callable[[str], Belief] = imported(_OF_NETWORK)
        return of_network(name)
    belief: Belief = BELIEFS.make(name, option)
    if not isinstance(getattr(belief, "version", None), str) or not isinstance(getattr(belief, "leaks", None), bool):
        raise InputError(
            f"{option} {name} is no belief: it needs a text version and a bool leaks (see "
            "oasis.dagger.beliefs.belief.Belief)."
        )
    return belief


def believed(belief: Belief, states: Sequence[State]) -> list[float]:
    """What a belief says of each of some states.

    Raises InputError if it fails, or says anything but a probability for each.
    """
    name = f"The belief {type(belief).__name__}"
    with foreign(name):
        answers = np.asarray(belief.probabilities(states))
    if answers.shape != (len(states),) or answers.dtype.kind not in "fiub":
        raise InputError(f"{name} has to give a probability for each of {len(states)} states.")
    said: list[float] = answers.tolist()
    for each in said:
        if not 0 <= each <= 1:  # NaN is neither
            raise InputError(f"{name} has to give probabilities from 0 to 1, not {each}.")
    return [float(each) for each in said]
