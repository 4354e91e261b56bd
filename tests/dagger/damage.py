"""What can happen to JSON: each of its fields taken away, or something else in its place."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

MISSING = object()
SUBSTITUTES: tuple[Any, ...] = (MISSING, None, "x", -1, 0.5, True, [], {}, [[1]], {"a": None}, 10**400)


def damaged(content: Any, deepest: int = 3) -> Iterator[Any]:
    """The content with something wrong in it, once for each field, down to a depth, and each substitute."""
    for path in _paths(content, deepest):
        for substitute in SUBSTITUTES:
            changed = deepcopy(content)
            inside = changed
            for key in path[:-1]:
                inside = inside[key]
            if substitute is MISSING:
                del inside[path[-1]]
            else:
                inside[path[-1]] = substitute
            if changed != content or repr(changed) != repr(content):
                yield changed


def _paths(content: Any, deepest: int) -> Iterator[tuple[Any, ...]]:
    if not deepest or not isinstance(content, (dict, list)):
        return
    for key in list(content) if isinstance(content, dict) else range(min(len(content), 2)):
        yield (key,)
        for rest in _paths(content[key], deepest - 1):
            yield (key, *rest)
