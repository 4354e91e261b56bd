"""Recursion as deep as memory allows: a function that yields its recursive calls and is sent their results."""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar

from oasis.teacher.limits import Limit

Result = TypeVar("Result")
Call: TypeAlias = Generator[Any, Any, Result]
"""A call under way, which yields further calls and returns a result."""

_PATIENCE: Final = 0.05
"""Seconds after which the limit is asked again; with huge formulas one call may take longer."""


def run(call: Call[Result], limit: Limit) -> Result:
    """The result of a call. Raises LimitReached."""
    pending: list[Call[Any]] = [call]
    result: Any = None
    asked = -_PATIENCE
    while pending:
        now = monotonic()
        if now - asked > _PATIENCE:
            limit.check()
            asked = now
        try:
            pending.append(pending[-1].send(result))
            result = None
        except StopIteration as returned:
            pending.pop()
            result = returned.value
    answer: Result = result
    return answer
