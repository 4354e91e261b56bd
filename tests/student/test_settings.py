"""Settings out of range are refused by the name of their option."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

from oasis.student.settings import Settings
from tactics.errors import InputError


@pytest.mark.parametrize(
    ("name", "value", "option"),
    [
        ("learner", "dyna", "--learner"),
        ("learner", "", "--learner"),
        ("reward", "Terminating", "--reward"),
        ("state_space", "match!", "--state-space"),
        ("actions", "illegal", "--actions"),
        ("episodes", 0, "--episodes"),
        ("episodes", -5, "--episodes"),
        ("max_steps", 0, "--max-steps"),
        ("max_steps", -1, "--max-steps"),
        *[
            (name, value, f"--{name.replace('_', '-')}")
            for name in ("episodes", "max_steps", "planning", "seed")
            for value in (2.5, 3.0, True, "7", None)
        ],
        *[
            (name, value, f"--{name}")
            for name in ("epsilon", "alpha", "gamma")
            for value in (-0.001, 1.001, 2, -inf, inf, nan)
        ],
        ("alpha", 0, "--alpha"),
        ("forget_errors", True, "--forget-errors"),
        ("learner", dict, "--learner"),
        ("reward", Settings, "--reward"),
    ],
)
def test_a_value_out_of_range_is_refused_by_the_name_of_its_option(name: str, value: Any, option: str) -> None:
    with pytest.raises(InputError) as refused:
        Settings(**{name: value})
    message = str(refused.value)
    assert message.startswith(option)
    assert message.endswith((".", "?"))
    assert "\n" not in message
    if isinstance(value, type):
        assert "is given by its name, as text, not as a type; what you have made yourself is named" in message
    elif name != "forget_errors":
        assert str(value) in message or "above 0" in message


def test_errors_cannot_be_forgotten_where_none_can_be_made() -> None:
    for actions in ("legal", "simplify"):
        with pytest.raises(InputError, match="--forget-errors goes with --actions blind"):
            Settings(actions=actions, forget_errors=True)
    assert Settings(actions="blind", forget_errors=True).forget_errors


@pytest.mark.parametrize(
    "settings",
    [
        {"epsilon": 0},
        {"epsilon": 1},
        {"gamma": 0},
        {"gamma": 1},
        {"alpha": 1},
        {"alpha": 1e-9},
        {"episodes": 1},
        {"max_steps": 1},
        {"seed": -1},
    ],
)
def test_the_ends_of_a_range_are_within_it(settings: dict[str, Any]) -> None:
    (name,) = settings
    assert getattr(Settings(**settings), name) == settings[name]


def test_the_defaults_are_those_of_the_thesis() -> None:
    settings = Settings()
    assert (settings.alpha, settings.gamma, settings.epsilon) == (0.7, 0.9, 0.4)
    assert (settings.reward, settings.state_space) == ("terminating", "simple")
