"""What is said between a person's screen and a partner's process: requests one way, reports the other. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oasis.classroom.partner.curve import Points
from oasis.classroom.partner.opinions import Opinion, Reason, Share
from oasis.classroom.partner.partner import Knowledge
from oasis.classroom.partner.plan import Planned
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.goal import Move, State
from tactics.printer import COQ, Notation
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
    """Tell from now on what is said of this state, of none if None, and perhaps what the partner plans."""

    state: State | None
    plan: bool = False


@dataclass(frozen=True)
class Why:
    """Tell once why it would do in this state what it would do there, formulas in a notation."""

    state: State
    notation: Notation = COQ


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


Request = Play | Step | Pause | Speed | Look | Why | Follow | StartFrom | Change


@dataclass(frozen=True)
class Report:
    """Everything that a screen shows of a partner, at one moment.

    Attributes:
        answered: how many requests it has dealt with.
        said: a sentence in answer to the last of them, or about why it stopped; else empty.
        settings: as they are now.
        speed: steps a second while playing; `inf` for as many as it can.
        playing: whether it goes on by itself.
        state: where it stands.
        script: the moves from the lemma to there.
        intends: what it will do next; None if it has not chosen.
        looked_at: the state that it was told to look at, and
        opinion: what it says of that; None for none.
        plan: what it takes to be best from the lemma on, if it was told to tell.
        reason: why it would do what it would do, in the one report that answers to `Why`.
        knows: what has come of its episodes.
        curve: and how.
        shares: what each of its voices did; none if there is but one.
        hides_where: whether where it stands was left out, since it is not to be seen yet, and
        hides_tries: what came of its tries, likewise.
    """

    answered: int
    said: str
    settings: Settings
    speed: float
    playing: bool
    state: State
    script: Script
    intends: Move | None
    looked_at: State | None
    opinion: Opinion | None
    plan: tuple[Planned, ...]
    reason: Reason | None
    knows: Knowledge
    curve: Points
    shares: tuple[Share, ...]
    hides_where: bool = False
    hides_tries: bool = False


@dataclass(frozen=True)
class Broken:
    """The partner's process ends because of a mistake in the program, which these words describe."""

    words: str
