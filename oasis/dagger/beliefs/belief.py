"""Beliefs: estimates of the probability that a state is proved; checked, calibrated and cached."""

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

    It may have a method `looks_at`, which gives a hashable value for each of some states, equal only for states of the
    same probability; then it is asked once for all states of a value.

    It may also learn from a student: after each round R† calls its method `learn` with `Visit`s in any order, and goes
    on with the belief that this returns. `to_json` gives its content as JSON, and `from_json` of its class the belief
    again, so that the student can be stored.

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
    """How often plays used the same tactic in a state.

    Attributes:
        state: with goals.
        tactic: that was used; None if the play ended there.
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
    """Another belief, whose probabilities are checked, calibrated by Platt scaling, and cached.

    Args:
        belief: the other belief, at first.
        scale: of its log-odds; None to take its probabilities as they are.
        learns: whether it is to learn.

    Attributes:
        belief: the other belief, with what it has learned so far.
        version: of the other belief on its scale, before it learned.
        known: its probabilities, by the `looks_at` of the states that it was asked about.
    """

    def __init__(self, belief: Belief, scale: Scale | None = None, *, learns: bool = False) -> None:
        self.belief: Any = belief
        self.scale, self.learns, self.leaks = scale, learns, belief.leaks
        self.version = belief.version if scale is None else f"{belief.version}*{scale.slope:g}{scale.shift:+g}"
        self.known: dict[Hashable, float] = {}

    def looks_at(self, states: Sequence[State]) -> Sequence[Hashable]:
        """Return what the other belief looks at in each state; the state itself if it has no `looks_at`."""
        looks_at = getattr(self.belief, "looks_at", None)
        return looks_at(states) if callable(looks_at) else states

    def probabilities(self, states: Sequence[State]) -> Sequence[float]:
        """Return the other belief's probabilities on the scale. Raises InputError as `believed` does."""
        looks = self.looks_at(states)
        unknown = {look: state for look, state in zip(looks, states, strict=True) if look not in self.known}
        if unknown:
            said = believed(self.belief, [*unknown.values()])
            self.known.update(
                zip(unknown, said if self.scale is None else self.scale.applied(said).tolist(), strict=True)
            )
        return [self.known[look] for look in looks]

    def learn(self, visits: Sequence[Visit]) -> None:
        """Let the other belief learn, and drop the cached probabilities."""
        self.belief = self.belief.learn(visits)
        self.known.clear()

    def restore(self, learned: Any) -> None:
        """Go on from what the other belief had learned, as JSON. Raises InputError if that is damaged."""
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
