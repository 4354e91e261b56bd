"""Goals side by side: nodes padded to one length, and for each two nodes of a goal how they are related.

Goals of nearly one length make a batch (`chunked`), because the work grows with the square of the longest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.neural.encoding.nodes import CONCLUSION, HYPOTHESIS, NONE, Encoded

SELF = 0
LEFT_SIDE, RIGHT_SIDE, BOTH_SIDES = 1, 2, 3
HAS_ON_LEFT, HAS_ON_RIGHT, HAS_ON_BOTH = 4, 5, 6
PART, WHOLE, SAME_FORMULA, APART = 7, 8, 9, 10
"""What another node is to a node: one or both of its sides; what has it as a side; deeper inside; further around;
together with it in a hypothesis or the conclusion; none of these."""
RELATIONS: Final = 4 * (APART + 1)
"""Relations: four times what the other is, plus 2 if the node is a formula of the goal, plus 1 if the other is one."""
LARGEST: Final = 4_096
"""Nodes of the largest goal that is looked at; on one core that takes ten seconds and two gigabytes."""
_SQUARES: Final = 64
"""A batch has at most so many pairs of nodes for each node that it may have."""


class Batch(NamedTuple):
    """Goals as arrays.

    Attributes:
        tokens: of each node; 0 where a goal has no more; shape (goals, nodes).
        sides: the nodes of its left and right side, itself where it has none; shape (goals, nodes, 2).
        relations: of each node to each other one, below `RELATIONS`; shape (goals, nodes, nodes).
        there: which nodes there are; shape (goals, nodes).
        conclusions: the node of the conclusion; shape (goals,).
        moves: of all goals, one after the other: the goal, the node of the principal formula, the number of the rule;
            shape (moves, 3).
    """

    tokens: NDArray[np.int64]
    sides: NDArray[np.int64]
    relations: NDArray[np.int32]
    there: NDArray[np.bool_]
    conclusions: NDArray[np.int64]
    moves: NDArray[np.int64]


def batched(goals: Sequence[Encoded], nodes: int = 0) -> Batch:
    """Goals, at least one, side by side, padded to the longest, or to so many nodes if that is more."""
    tokens, there = padded([goal.tokens for goal in goals], nodes)
    nodes = tokens.shape[1]
    sides = np.broadcast_to(np.arange(nodes)[:, None], (len(goals), nodes, 2)).copy()
    flat = np.concatenate([goal.sides for goal in goals])
    sides[there] = np.where(flat == NONE, sides[there], flat)
    asked = np.concatenate([goal.moves for goal in goals]).astype(np.int64)
    of_goal = np.repeat(np.arange(len(goals)), [len(goal.moves) for goal in goals])
    return Batch(
        tokens,
        sides,
        _relations(sides, (tokens & (HYPOTHESIS | CONCLUSION)) > 0, there),
        there,
        np.argmax((tokens & CONCLUSION) > 0, axis=1),
        np.column_stack([of_goal, asked]),
    )


def padded(rows: Sequence[NDArray[Any]], least: int = 0) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return tokens side by side, at least one row, as long as the longest or `least`; and where there are any."""
    lengths = np.array([len(row) for row in rows])
    there = np.arange(max(least, int(lengths.max()))) < lengths[:, None]
    tokens = np.zeros(there.shape, np.int64)
    tokens[there] = np.concatenate(rows)
    return tokens, there


def chunked(sizes: NDArray[np.int64], budget: int) -> Iterator[NDArray[np.int64]]:
    """The places of goals of so many nodes, in batches of nearly one length, the longest last.

    A batch has at most `budget` nodes, padding included, and `_SQUARES * budget` pairs of them, or is one goal.
    """
    order = np.argsort(sizes, kind="stable")
    start = 0
    for stop in range(1, len(order) + 1):
        if stop < len(order):
            longest = int(sizes[order[stop]])
            padded = (stop + 1 - start) * longest
            if padded <= budget and padded * longest <= _SQUARES * budget:
                continue
        yield order[start:stop]
        start = stop


def _relations(sides: NDArray[np.int64], is_formula: NDArray[np.bool_], there: NDArray[np.bool_]) -> NDArray[np.int32]:
    goals, nodes, _ = sides.shape
    goal, node = np.ogrid[:goals, :nodes]
    left, right = sides[:, :, 0], sides[:, :, 1]
    # Sides stand before the whole, so what is inside them is complete when the whole's turn comes.
    inside = np.zeros((goals, nodes, nodes), np.bool_)
    for place in range(nodes):
        inside[:, place, place] = True
        inside[:, place] |= inside[goal[:, 0], left[:, place]] | inside[goal[:, 0], right[:, place]]
    side = np.zeros((goals, nodes, nodes), np.int8)
    side[goal, node, left] |= 1
    side[goal, node, right] |= 2
    within = (inside & (is_formula & there)[:, :, None]).astype(np.float32)
    together = within.transpose(0, 2, 1) @ within > 0
    kind = np.where(together, SAME_FORMULA, APART)
    kind[inside.transpose(0, 2, 1)] = WHOLE
    kind[inside] = PART
    turned = side.transpose(0, 2, 1)
    kind = np.where(turned > 0, turned + (HAS_ON_LEFT - LEFT_SIDE), kind)
    kind = np.where(side > 0, side, kind)
    kind[:, np.arange(nodes), np.arange(nodes)] = SELF
    relations: NDArray[np.int32] = (4 * kind + 2 * is_formula[:, :, None] + is_formula[:, None, :]).astype(np.int32)
    return relations
