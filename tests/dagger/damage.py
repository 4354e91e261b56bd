"""What can happen to JSON: each of its fields taken away, or something else in its place."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

MISSING = object()
SUBSTITUTES: tuple[Any, ...] = (MISSING, None, "x", -1, 0.5, True, [], {}, [[1]], {"a": None}, 10**400)


def damaged(content: Any, deepest: int = 3) -> Iterator[Any]:
    """Yield the content with one field missing or replaced, for each field down to a depth and each substitute."""
    if not deepest or not isinstance(content, (dict, list)):
        return
    for key in list(content) if isinstance(content, dict) else range(min(len(content), 2)):
        for substitute in (*SUBSTITUTES, *damaged(content[key], deepest - 1)):
            changed = deepcopy(content)
            if substitute is MISSING:
                del changed[key]
            else:
                changed[key] = substitute
            if repr(changed) != repr(content):
                yield changed
