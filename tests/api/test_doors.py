"""Every door gives the same bytes: one recorded script, played through each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from oasis.api import Session, answer
from oasis.api.calls import CALLS
from tests.api.recorded import DOORS, LENGTH, LIMITS, Door, script


@pytest.fixture(scope="module")
def recorded() -> list[tuple[str, dict[str, Any], bytes]]:
    """The calls, and what Python answers."""
    session = Session(LIMITS)
    return [(name, arguments, answer(session, name, arguments)) for name, arguments in script()]


@pytest.fixture(
    params=[
        *("Python", "MCP", "Gymnasium"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("HTTP", "MCP over HTTP", "OpenEnv")),
        pytest.param("MCP over pipes", marks=[pytest.mark.slow, pytest.mark.thorough]),  # an example speaks over them
    ]
)
def door(request: pytest.FixtureRequest) -> Iterator[Door]:
    with DOORS[request.param]() as opened:
        yield opened


def test_each_door_gives_the_same_bytes(door: Door, recorded: list[tuple[str, dict[str, Any], bytes]]) -> None:
    for place, (name, arguments, expected) in enumerate(recorded):
        assert door(name, arguments) == expected, (place, name, arguments)


def test_the_script_asks_everything_and_is_refused_in_many_ways(
    recorded: list[tuple[str, dict[str, Any], bytes]],
) -> None:
    answers = [json.loads(each) for _, _, each in recorded]
    assert len(recorded) == LENGTH
    assert {name for name, _, _ in recorded} == CALLS.keys()
    codes = Counter(each["error"]["code"] for each in answers if each.get("error"))
    assert codes.keys() == {
        "bad_argument", "bad_lemma", "bad_tactic", "illegal_move", "not_proved", "proved", "too_large", "unknown_node",
        "unknown_state",
    }  # fmt: skip
    assert sum(codes.values()) < LENGTH / 2
    assert sum("certificate" in each for each in answers) >= 3
    assert sum(each.get("verdict") == "unprovable" for each in answers) >= 1
    assert script() == [(name, arguments) for name, arguments, _ in recorded]
