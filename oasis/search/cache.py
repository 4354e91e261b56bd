"""The goal cache: what was found out about goals, by any search on any lemma, in memory and, if wanted, on disk.

What is in it is true of every goal that has the key. A proof is kept as its first move alone; the goals that this move
leaves are in the cache as well, so a script is read off goal by goal (`oasis.search.graph.AndOrGraph.script`), and
every move of it is checked by the calculus. That a goal has no proof is known from an exhausted search.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isinf
from types import MappingProxyType
from typing import Final

from oasis.search.graph import CacheError, Known
from oasis.store import GoalRow, Store
from tactics.unnamed import RULE_NAMES

LAYOUT: Final = 1
"""Of keys and places (`state_spaces.canonical`); to be raised when either means something else."""
ROOM: Final = 1_000_000
"""Goals that are kept in memory unless told otherwise, in about 300 MiB."""
_LARGEST: Final = 2**63 - 1
"""Moves of the longest proof whose length a database holds."""


class GoalCache:
    """What is known of goals, by their keys (`oasis.search.goals.Goals.key`).

    Args:
        store: keeps what is known for other processes and other days; None for this process alone.
        room: how many goals are kept in memory; when it is full, nothing more is taken in.

    Raises StoreError.
    """

    def __init__(self, store: Store | None = None, room: int = ROOM) -> None:
        self._store, self._room = store, room
        self._known: dict[bytes, Known] = {}
        self._new: dict[bytes, Known] = {}
        self._seen = 0
        self._read()

    def __len__(self) -> int:
        return len(self._known)

    @property
    def known(self) -> Mapping[bytes, Known]:
        """Everything that is known."""
        return MappingProxyType(self._known)

    def get(self, key: bytes) -> Known | None:
        """What is known of a goal."""
        return self._known.get(key)

    def put(self, key: bytes, known: Known) -> None:
        """Take in what became known of a goal; of two proofs the shorter one stays."""
        if len(self._known) >= self._room:
            return  # not even a better proof: the goals that it leaves may not be here
        if self._take_in(key, known) and self._store is not None and (isinf(known.length) or known.length <= _LARGEST):
            self._new[key] = known

    def flush(self) -> None:
        """Write down what is new, in one transaction, and take in what other processes wrote. Raises StoreError."""
        if self._store is None:
            return
        if self._new:
            self._store.add_goals(LAYOUT, [_row(key, known) for key, known in self._new.items()])
            self._new = {}
        self._read()

    def _read(self) -> None:
        if self._store is None:
            return
        rows, self._seen = self._store.goals(LAYOUT, self._seen)
        for key, rule, place, moves in rows:
            if not _is_sound(rule, place, moves):
                raise CacheError(
                    f"The goal cache in {self._store.path} is damaged; delete the table goals, or the file."
                )
            self._take_in(key, Known(None, inf) if rule is None or moves is None else Known((rule, place), moves))

    def _take_in(self, key: bytes, known: Known) -> bool:
        """Whether this is new, or better than what was known."""
        before = self._known.get(key)
        if before is not None and known.length >= before.length:
            return False
        self._known[key] = known
        return True


def _row(key: bytes, known: Known) -> GoalRow:
    rule, place = known.slot or (None, None)
    return key, rule, place, None if isinf(known.length) else int(known.length)


def _is_sound(rule: object, place: object, moves: object) -> bool:
    """Whether a row could have been written here."""
    if rule is None:
        return place is None and moves is None
    return rule in RULE_NAMES and (place is None or type(place) is int) and type(moves) is int and moves > 0
