"""The goals that benchmarks go through."""

from __future__ import annotations

from tactics.goal import Goal
from tactics.rules import legal_moves, premises


def goals_below(*roots: Goal, limit: int = 1_000_000) -> list[Goal]:
    """The goals that can be reached from these, themselves among them, until there are enough."""
    seen = dict.fromkeys(roots)
    for reached in (pending := list(roots)):
        for move in legal_moves(reached) if len(seen) < limit else ():
            for premise in premises(reached, move):
                if premise not in seen:
                    seen[premise] = None
                    pending.append(premise)
    return list(seen)
