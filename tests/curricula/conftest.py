"""What the tests of this room share: a slow search that is easy to trust."""

from collections.abc import Callable

import pytest

from tactics.formula import Formula
from tactics.goal import Goal, initial
from tactics.rules import legal_moves, premises

ShortestProof = Callable[[Formula], int | None]


@pytest.fixture(scope="session")
def shortest_proof() -> ShortestProof:
    """Finds the number of moves in the shortest proof of a formula, or None when there is no proof."""
    known: dict[tuple[int, ...], int | None] = {}

    def length(goal: Goal) -> int | None:
        key = (goal.conclusion.id, *sorted(hypothesis.formula.id for hypothesis in goal.hypotheses))
        if key not in known:
            best: int | None = None
            for move in legal_moves(goal):
                total: int | None = 1
                for premise in premises(goal, move):
                    moves = length(premise)
                    total = None if total is None or moves is None else total + moves
                if total is not None and (best is None or total < best):
                    best = total
            known[key] = best
        return known[key]

    return lambda formula: length(initial(formula)[0])
