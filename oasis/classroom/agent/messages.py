"""What is said between a person's screen and the agent's process: requests one way, reports the other. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oasis.classroom.agent.agent import Knowledge
from oasis.classroom.agent.beliefs import Beliefs
from oasis.classroom.agent.curve import Points
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.goal import Move, State
from tactics.script import Script


@dataclass(frozen=True)
class Play:
    """Play so many episodes from now on, the present one among them; until told to stop if None."""

    episodes: int | None = None


@dataclass(frozen=True)
class Step:
    """Make one step, and then wait."""


@dataclass(frozen=True)
class Pause:
    """Wait before the next step."""


@dataclass(frozen=True)
class Speed:
    """Make at most so many steps a second while playing; `inf` for as many as it can. Raises InputError for none."""

    steps: float

    def __post_init__(self) -> None:
        if not self.steps > 0:
            raise InputError(f"A speed must be more than 0 steps a second, not {self.steps:g}; to wait, pause.")


@dataclass(frozen=True)
class Look:
    """Tell from now on what is believed about this state; about none if None."""

    state: State | None


@dataclass(frozen=True)
class Follow:
    """Learn from this proof."""

    proof: Script


@dataclass(frozen=True)
class StartFrom:
    """Leave the present episode, and begin the next where this script leads."""

    script: Script


@dataclass(frozen=True)
class Change:
    """Change these settings, by name."""

    settings: Mapping[str, Any] = field(default_factory=dict)


Request = Play | Step | Pause | Speed | Look | Follow | StartFrom | Change


@dataclass(frozen=True)
class Report:
    """Everything that a screen shows of the agent, at one moment.

    Attributes:
        answered: how many requests it has dealt with.
        said: a sentence in answer to the last of them, or about why it stopped; else empty.
        settings: as they are now.
        speed: steps a second while playing; `inf` for as many as it can.
        playing: whether it goes on by itself.
        state: where it stands.
        script: the moves from the lemma to there.
        intends: what it will do next; None if it has not chosen.
        own: what it believes about where it stands.
        looked_at: the state that it was told to look at, and
        beliefs: what it believes about that; None for none.
        knows: what has come of its episodes.
        curve: and how.
    """

    answered: int
    said: str
    settings: Settings
    speed: float
    playing: bool
    state: State
    script: Script
    intends: Move | None
    own: Beliefs
    looked_at: State | None
    beliefs: Beliefs | None
    knows: Knowledge
    curve: Points


@dataclass(frozen=True)
class Broken:
    """The agent's process ends because of a mistake in the program, which these words describe."""

    words: str
