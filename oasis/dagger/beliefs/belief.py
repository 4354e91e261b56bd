"""What a belief is: whoever says how likely a state is to be proved; what it says, checked, scaled and remembered."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.shapes import Tactic
from oasis.ground.plugins import foreign
from oasis.play.calibration import Scale
from tactics.errors import InputError
from tactics.goal import State

Floats = NDArray[np.float64]


class Belief(Protocol):
    """How likely states are to be proved.

    It may have a method `looks_at`, which gives of each of some states something that can be hashed, the same for
    states of which the belief says the same; then it is asked once for all of those.

    And it may learn from what a student does: then R† asks its method `learn`, whenever a round is over, which belief
    it is after some `Visit`s, whose order does not matter. `to_json` gives what JSON can hold, and `from_json` of its
    class the belief again, so that the student can be stored.

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
    """What another belief says, checked, on a scale by which it means what it says, and remembered.

    Args:
        belief: the other one, at first.
        scale: of its log-odds; None if it is to be taken at its word.
        learns: whether it is to learn.

    Attributes:
        belief: the other one, as it is by now.
        version: of the other one on its scale, before it learned.
        known: what it said, by what it looks at of the states that it was asked about.
    """

    def __init__(self, belief: Belief, scale: Scale | None = None, *, learns: bool = False) -> None:
        self.belief: Any = belief
        self.scale, self.learns, self.leaks = scale, learns, belief.leaks
        self.version = belief.version if scale is None else f"{belief.version}*{scale.slope:g}{scale.shift:+g}"
        self.known: dict[Hashable, float] = {}

    def looks_at(self, states: Sequence[State]) -> Sequence[Hashable]:
        """What the other one sees of states: all of each, unless it says otherwise."""
        looks_at = getattr(self.belief, "looks_at", None)
        return looks_at(states) if callable(looks_at) else states

    def probabilities(self, states: Sequence[State]) -> Sequence[float]:
        """As the other one, on the scale. Raises InputError as `believed` does."""
        looks = self.looks_at(states)
        unknown = {look: state for look, state in zip(looks, states, strict=True) if look not in self.known}
        if unknown:
            said = believed(self.belief, [*unknown.values()])
            self.known.update(
                zip(unknown, said if self.scale is None else self.scale.applied(said).tolist(), strict=True)
            )
        return [self.known[look] for look in looks]

    def learn(self, visits: Sequence[Visit]) -> None:
        """Let the other one learn, and ask it anew."""
        self.belief = self.belief.learn(visits)
        self.known.clear()

    def restore(self, learned: Any) -> None:
        """Go on from what the other one had learned, as JSON. Raises InputError if that is damaged."""
        try:
            self.belief = type(self.belief).from_json(learned)
        except InputError:
            raise InputError(
                "What the belief of R† had learned is damaged; put back a copy of the file, or train anew."
            ) from None
        self.known.clear()


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
