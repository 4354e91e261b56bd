"""Recursion on the heap: as deep as memory allows, and given up when somebody says so."""

from __future__ import annotations

import pytest

from tactics.recursion import Call, run


def depth(number: int) -> Call[int]:
    """How often it calls itself."""
    if number == 0:
        return 0
    below: int = yield depth(number - 1)
    return below + 1


def fibonacci(number: int) -> Call[int]:
    if number < 2:
        return number
    one: int = yield fibonacci(number - 1)
    other: int = yield fibonacci(number - 2)
    return one + other


def test_a_call_returns_what_the_recursive_function_would() -> None:
    assert [run(fibonacci(number)) for number in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_calls_may_nest_as_deep_as_memory_allows() -> None:
    assert run(depth(100_000)) == 100_000


def test_what_a_nested_call_raises_comes_out() -> None:
    def fails(number: int) -> Call[int]:
        if number == 0:
            raise KeyError("deep")
        below: int = yield fails(number - 1)
        return below

    with pytest.raises(KeyError, match="deep"):
        run(fails(10))


def test_who_is_asked_now_and_then_may_give_up_at_once_and_later() -> None:
    class Enough(Exception):
        pass

    def endless() -> Call[int]:
        while True:
            yield depth(1)

    asked = 0

    def patience() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Enough

    with pytest.raises(Enough):
        run(endless(), patience)
    assert asked == 2
