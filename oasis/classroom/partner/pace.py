"""When the agent makes its next step: as many, and as fast, as it was told. What time it is, others say."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass
class Pace:
    """What the agent was told.

    Attributes:
        speed: steps a second while episodes are to be played; `inf` for as many as possible.
        episodes: still to be played; `inf` until told to stop.
        steps: to be made one by one, whatever is to be played.
        last: when the last step was made.
    """

    speed: float = inf
    episodes: float = 0
    steps: int = 0
    last: float = -inf

    @property
    def is_full(self) -> bool:
        """Whether it plays without waiting."""
        return self.episodes > 0 and self.speed == inf

    def due(self) -> float:
        """The time of the next step; `inf` if there is to be none before it is told so."""
        if self.steps:
            return -inf
        return self.last + 1 / self.speed if self.episodes > 0 else inf

    def step(self, now: float) -> None:
        """A step is made."""
        self.last = now
        self.steps = max(0, self.steps - 1)

    def end(self) -> None:
        """An episode is over."""
        self.episodes = max(0, self.episodes - 1)

    def end_without_step(self) -> None:
        """An episode is over that had no step to make. The next may have none either, so what has no end is stopped."""
        self.steps = 0
        if self.episodes == inf:
            self.episodes = 0

    def stop(self) -> None:
        """No step is to be made any more."""
        self.episodes = self.steps = 0
