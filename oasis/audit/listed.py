"""The audit of a term that looks at a whole proof: all proofs of a goal, listed by what the term sees of them.

What a proof is worth then does not follow from what its parts are worth, so there is no induction over states. A goal
is taken for a lemma of its own. The proofs that differ in nothing that the term sees are one, and goals with more than
`MOST` are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np

from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import OfProof, Packed
from oasis.teacher.exact.states import StateGraph
from tactics.goal import Goal, Move
from tactics.rules import apply, legal_moves
from tactics.unnamed import NONE

MOST: Final = 2000
"""Descriptions of proofs of one goal."""

Seen = tuple[int, ...]
"""A proof as the term sees it: for each step the number of one that looks like it."""


class Listed(NamedTuple):
    """What the proofs of a goal return that begin with each of its moves.

    Attributes:
        goal: that is proved.
        moves: of the goal.
        returns: the largest return of a proof for each move; -inf where there is none.
        shortest: the fewest moves of a proof for each move; infinity where there is none.
        of_shortest: the largest return of a shortest proof of the goal.
    """

    goal: Goal
    moves: tuple[Move, ...]
    returns: tuple[float, ...]
    shortest: tuple[float, ...]
    of_shortest: float


def listed(graph: StateGraph, reward: RewardDagger, weight: float, gamma: float, *, knows_best: bool) -> list[Listed]:
    """What C and a term of proofs make of the moves of every goal whose proofs could be listed.

    Args:
        graph: whose goals.
        reward: of the term alone.
        weight: of the term.
        gamma: the discount.
        knows_best: whether the smallest of all proofs of the goal was found before; else none was.
    """
    (part,) = reward.parts
    assert isinstance(part.form, OfProof)
    rows: list[Any] = []
    known: list[frozenset[Seen] | None] = []
    found = []
    for place, goal in enumerate(graph.goals):
        by_move = [*_by_move(graph, reward, place, known, rows)]
        if any(proofs is None for _, proofs in by_move):
            known.append(None)
            continue
        listing = [(move, proofs) for move, proofs in by_move if proofs is not None]
        together = frozenset[Seen]().union(*(proofs for _, proofs in listing))
        known.append(together if len(together) <= MOST else None)
        if len(listing) < 2 or not together:
            continue
        sizes = {proof: reward.proof(np.array([rows[step] for step in proof], reward.row_type)) for proof in together}
        best = min(size.packed for size in sizes.values()) if knows_best else None
        worth = {
            proof: gamma ** (len(proof) - 1)
            * (1 + weight * part.form.value(reward.context, Packed(size.raw, size.packed, best)))
            for proof, size in sizes.items()
        }
        fewest = min(map(len, together))
        found.append(
            Listed(
                goal,
                tuple(move for move, _ in listing),
                tuple(max((worth[proof] for proof in proofs), default=-inf) for _, proofs in listing),
                tuple(min(map(len, proofs), default=inf) for _, proofs in listing),
                max(worth[proof] for proof in together if len(proof) == fewest),
            )
        )
    return found


def _by_move(
    graph: StateGraph, reward: RewardDagger, place: int, known: list[frozenset[Seen] | None], rows: list[Any]
) -> Iterator[tuple[Move, frozenset[Seen] | None]]:
    """The proofs of a goal by their first moves; None where they are too many, here or of a goal that is left."""
    of_goals = graph.of_goals
    goal = graph.goals[place]
    for number in range(of_goals.first_move[place], of_goals.first_move[place + 1]):
        left = [premise for premise in of_goals.premises[number].tolist() if premise != NONE]
        parts = [known[premise] for premise in left]
        move = graph.moves[number]
        lists = [part for part in parts if part is not None]
        if len(lists) < len(parts) or np.prod([len(part) for part in lists]) > MOST:
            yield move, None
            continue
        step = _number(reward, goal, move, rows)
        yield move, frozenset((step, *(each for part in chosen for each in part)) for chosen in product(*lists))


def _number(reward: RewardDagger, goal: Goal, move: Move, rows: list[Any]) -> int:
    """The number of a step that the term cannot tell from this one."""
    after = apply((goal,), move)
    row = reward.row((goal,), move, after, not after or not legal_moves(after[0]))
    if row not in rows:
        rows.append(row)
    return rows.index(row)
