"""Recursion as deep as memory allows: a function that yields its recursive calls and is sent their results.

The ground floor: imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar

Result = TypeVar("Result")
Call: TypeAlias = Generator[Any, Any, Result]
"""A call under way, which yields further calls and returns a result."""

_PATIENCE: Final = 0.05
"""Seconds after which `check` is called again; with huge formulas one step may take longer."""


def run(call: Call[Result], check: Callable[[], object] | None = None) -> Result:
    """The result of a call. Raises what the call raises, and what `check` does, which is called now and then."""
    pending: list[Call[Any]] = [call]
    result: Any = None
    checked = -_PATIENCE
    while pending:
        if check is not None and (now := monotonic()) - checked > _PATIENCE:
            check()
            checked = now
        try:
            pending.append(pending[-1].send(result))
            result = None
        except StopIteration as returned:
            pending.pop()
            result = returned.value
    answer: Result = result
    return answer
