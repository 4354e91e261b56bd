"""What one key switches: the values that each of the agent's settings goes through, and which one comes next."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Final

from oasis.actions import ACTION_SPACES
from oasis.rewards import REWARDS
from oasis.student.learners import LEARNERS
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from tactics.errors import InputError, check_choice

SPEEDS: Final = (1.0, 3.0, 10.0, 30.0, inf)
"""Steps a second; the last is as fast as it can."""

SWITCHES: Final[dict[str, tuple[Any, ...]]] = {
    "learner": tuple(LEARNERS),
    "epsilon": (0.05, 0.1, 0.2, 0.4, 0.8),
    "reward": (*REWARDS, "dagger:sound"),
    "state_space": tuple(STATE_SPACES),
    "actions": tuple(ACTION_SPACES),
}
"""The settings that can be switched, by their names, and their values in order."""


def switched(settings: Settings, name: str, *, back: bool = False) -> Settings:
    """The settings with the next value of one of the `SWITCHES`; those that do not go with the others are left out."""
    check_choice("A switch", name, SWITCHES)
    values = list(SWITCHES[name])[:: -1 if back else 1]
    present = getattr(settings, name)
    place = values.index(present) + 1 if present in values else 0
    for value in [*values[place:], *values[:place]]:
        try:
            return replace(settings, **{name: value}, **_what_goes_with(name, value))
        except InputError:
            continue  # and-or-q and simplify, which do not go together
    return settings


def _what_goes_with(name: str, value: object) -> dict[str, Any]:
    """Errors can be forgotten only where some can be made."""
    return {"forget_errors": False} if name == "actions" and value != "blind" else {}
