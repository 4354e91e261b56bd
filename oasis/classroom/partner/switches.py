"""What one key switches: the values that each of the settings goes through, and which one comes next."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Final, NamedTuple

from oasis.ground.names import LEARNERS, REWARDS, STATE_SPACES
from oasis.play.actions import ACTION_SPACES
from oasis.student.settings import Settings
from tactics.errors import InputError, check_choice

SPEEDS: Final = (1.0, 3.0, 10.0, 30.0, inf)
"""Steps a second; the last is as fast as it can."""


class Switch(NamedTuple):
    """A setting that can be switched.

    Attributes:
        called: its name in a sentence.
        values: in order.
    """

    called: str
    values: tuple[Any, ...]


SWITCHES: Final = {
    "learner": Switch("learner", tuple(LEARNERS)),
    "epsilon": Switch("share of random moves ε", (0.05, 0.1, 0.2, 0.4, 0.8)),
    "alpha": Switch("step size α", (0.1, 0.3, 0.5, 0.7, 1.0, "1/n")),
    "gamma": Switch("discount γ", (0.5, 0.8, 0.9, 0.95, 1.0)),
    "initial_value": Switch("value of what was never tried", (0.0, 0.5, 1.0)),
    "reward": Switch("reward", tuple(name for name in REWARDS if not REWARDS.takes_argument(name))),
    "state_space": Switch("notion of equal states", tuple(STATE_SPACES)),
    "actions": Switch("moves on offer", tuple(ACTION_SPACES)),
}
"""The settings that can be switched, by their names."""

KEPT_THROUGH: Final = frozenset({"epsilon", "alpha", "episodes", "max_steps", "planning", "trace_decay"})
"""Settings with which values mean the same as before, so that what was learned is kept."""


def called(setting: str) -> str:
    """A setting in a sentence."""
    return f"the {SWITCHES[setting].called if setting in SWITCHES else setting.replace('_', ' ')}"


def switched(settings: Settings, name: str) -> Settings:
    """The settings with the next value of one of the `SWITCHES`; those that do not go with the others are left out."""
    check_choice("A switch", name, SWITCHES)
    values = SWITCHES[name].values
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
