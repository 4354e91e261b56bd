"""What only a thorough run tries (OASIS_TEST_THOROUGH=1, set by `scripts/test --thorough`): examples and variants."""

import os
from collections.abc import Iterable
from typing import Any, Final

import pytest

THOROUGH: Final = os.environ.get("OASIS_TEST_THOROUGH") == "1"
PART: Final = 6
"""A thorough run tries six times as many random examples as any other."""


def examples(number: int) -> int:
    """Return on how many random examples a thorough run tries a property, or a sixth; OASIS_EXAMPLES overrules both."""
    if said := os.environ.get("OASIS_EXAMPLES"):
        return int(said)
    return number if THOROUGH else max(1, number // PART)


def thoroughly(*values: Any) -> list[Any]:
    """Return values of a parameter that only a thorough run tries; a tuple holds those of several parameters.

    `@pytest.mark.parametrize("learner", ["sarsa", *thoroughly("q-learning", "dyna-q")])` always tries one learner.
    """
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.thorough) for value in values
    ]


def everyday(chosen: Iterable[Any], among: Iterable[Any]) -> list[Any]:
    """Return all values of a parameter, of which only a thorough run tries those that are not chosen."""
    chosen = list(chosen)
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.thorough) for value in among]


def paired(ones: Iterable[Any], others: Iterable[Any], apart: int) -> list[Any]:
    """Return all pairs of two parameters' values, of which only a thorough run tries most.

    Every run tries each `apart`-th diagonal of the table of pairs, so that it meets every value in several pairs.
    """
    others = list(others)
    return [
        pytest.param(one, other, marks=() if (row + column) % apart == 0 else pytest.mark.thorough)
        for row, one in enumerate(ones)
        for column, other in enumerate(others)
    ]
