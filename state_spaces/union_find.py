"""Disjoint sets under union (Galler and Fischer 1964)."""

from __future__ import annotations

from collections.abc import Iterable


class UnionFind:
    """A partition of some numbers, at first each alone; a set goes by its least member."""

    def __init__(self, members: Iterable[int]) -> None:
        self._parent = {member: member for member in members}

    def find(self, member: int) -> int:
        """The least member of a set."""
        parent = self._parent
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    def unite(self, one: int, other: int) -> None:
        """Join the sets of two members."""
        one, other = self.find(one), self.find(other)
        if one != other:
            self._parent[max(one, other)] = min(one, other)
