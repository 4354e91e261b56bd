"""What searches found out about goals, for searches to come."""

from __future__ import annotations

from collections.abc import Iterable

from oasis.store.database import DatabaseFile

GoalRow = tuple[bytes, str | None, int | None, int | None]
"""The key of a goal; the rule of its first move and the place of the hypothesis that it takes, and the moves of the
proof; no rule and no moves for a goal without a proof."""


class KnownGoals(DatabaseFile):
    """The part of the store that searches use."""

    def add_goals(self, layout: int, goals: Iterable[GoalRow]) -> None:
        """Store goals, all or none; of two proofs of one goal the shorter is kept.

        Args:
            layout: what keys and places mean; goals of one are not seen under another.
            goals: what is known of each.
        """
        with self._transaction() as connection:
            connection.executemany(
                "INSERT INTO goals (layout, key, rule, place, moves) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (layout, key) DO UPDATE SET rule = excluded.rule, place = excluded.place, "
                "moves = excluded.moves, change = (SELECT max(change) + 1 FROM goals) "
                "WHERE excluded.moves < goals.moves",
                ((layout, *goal) for goal in goals),
            )

    def goals(self, layout: int, since: int = 0) -> tuple[list[GoalRow], int]:
        """The goals that were stored or changed since then, and what to ask with the next time."""
        with self._plain_errors():
            rows = self._connection.execute(
                "SELECT change, key, rule, place, moves FROM goals WHERE layout = ? AND change > ? ORDER BY change",
                (layout, since),
            ).fetchall()
        return [(key, rule, place, moves) for _, key, rule, place, moves in rows], rows[-1][0] if rows else since
