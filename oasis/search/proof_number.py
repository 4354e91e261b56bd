"""Proof-number search, depth first (df-pn): the goal comes next that is likely to settle the first one soonest.

The proof number of a goal estimates how many more goals must be proved to prove it, its disproof number how many must
be refuted to refute it. A goal is left as soon as one of its two numbers reaches a threshold, behind which another goal
is more promising; so only the way to it is in hand (Nagai 2002, Df-pn algorithm for searching AND/OR trees).

Goals are shared, and a sum over all that lead to one goal would count it once for each way: numbers would grow with the
number of ways, exponentially in the depth, and what is easy would look hopeless. So the numbers that are more than one
are put together as in weak proof-number search: the largest of them, and 1 for each other (Ueda et al. 2008). It needs
no bookkeeping, unlike to look for the goals that are shared (Kishimoto 2010), and is exact where the others are leaves.

The policy says how much a move costs beside what it leaves (df-pn+, Nagai 2002): as many powers of two as its share is
less than that of the likeliest. With the uniform policy that is plain df-pn.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import ClassVar, Final, cast

from oasis.play.solving import OPEN
from oasis.search.goals import Slot
from oasis.search.graph import Node
from oasis.search.search import Search

_INFINITE: Final = 1 << 62
"""The number of what cannot be."""
_MOST: Final = 30
"""What a move costs at most, so that a policy that is sure and wrong is only slow."""


class _Goal(Node):
    """A goal with its numbers as of the last visit, and what its moves leave in an order drawn by lot.

    Attributes:
        proof, disproof: its numbers; 0 and infinite of what is proved, infinite and 0 of what is refuted.
        moves: what each costs, and the one or two goals that it leaves; None before it is expanded, and once settled.
    """

    __slots__ = ("disproof", "moves", "proof")

    def __init__(self, number: int) -> None:
        Node.__init__(self, number)  # faster than by `super`
        self.proof = self.disproof = 1
        self.moves: list[tuple[int, _Goal, _Goal | None]] | None = None

    def learn(self, slot: Slot | None, length: float) -> None:
        """As of any node, and that its numbers are known."""
        Node.learn(self, slot, length)
        self.proof, self.disproof = (_INFINITE, 0) if slot is None else (0, _INFINITE)
        self.moves = None


class ProofNumber(Search):
    """Depth-first proof-number search."""

    node: ClassVar[type[Node]] = _Goal

    def _search(self) -> Iterator[None]:
        self._lots = self.rng.stream()
        root = cast(_Goal, self.root)
        goal, proof, disproof = root, _INFINITE, _INFINITE
        way: list[tuple[_Goal, int, int]] = []  # to the goal in hand, with the thresholds of each on the way
        while root.status is OPEN:
            if goal.moves is None and goal.status is OPEN:
                self._expand(goal)
                yield
            chosen = _next(goal, proof, disproof)
            if chosen is not None:
                way.append((goal, proof, disproof))
                goal, proof, disproof = chosen
            elif way:
                goal, proof, disproof = way.pop()

    def _expand(self, goal: _Goal) -> None:
        """Work out what the moves of a goal leave."""
        nodes = cast(dict[int, _Goal], self.graph.nodes)
        edges = self.graph.expand(goal)
        self.expansions += 1
        if goal.status is not OPEN:
            return
        shares = self.proposals.shares(goal.number)
        likeliest, dead = max(shares), goal.dead
        moves: list[tuple[int, _Goal, _Goal | None]] = []
        for place, (_, _, premises) in enumerate(edges):
            if not dead >> place & 1:
                share = shares[place]
                cost = 0 if share == likeliest else _cost(share / likeliest)
                one, last = premises[0], premises[-1]
                moves.append((cost, nodes[one], None if last == one else nodes[last]))
        lot = next(self._lots)
        for place in range(len(moves) - 1, 0, -1):  # Fisher and Yates; 64 bits suffice for 20 moves
            lot, chosen = divmod(lot, place + 1)
            moves[place], moves[chosen] = moves[chosen], moves[place]
        goal.moves = moves


def _cost(share: float) -> int:
    """What a move costs whose share is so much of that of the likeliest."""
    return min(_MOST, round(-log2(share))) if share > 0 else _MOST


def _next(goal: _Goal, proof: int, disproof: int) -> tuple[_Goal, int, int] | None:
    """Work out a goal's numbers; where both are below their thresholds, what to visit next, with the thresholds there.

    Next comes what the best move leaves; of two goals the one that is easier to refute.
    """
    if goal.moves is None:
        return None
    least = runner_up = _INFINITE  # proof numbers of the two best moves
    most, others = 0, -1  # the largest disproof number of a move, and how many moves there are beside it
    best: tuple[int, _Goal, _Goal | None] | None = None
    for cost, one, other in goal.moves:
        if other is not None and other.disproof < one.disproof:
            one, other = other, one
        against = one.disproof
        if not against:  # refuted
            continue
        if other is None or not other.proof:
            number = one.proof + cost
        else:
            number = (one.proof if one.proof > other.proof else other.proof) + 1 + cost
        others += 1
        if against > most:
            most = against
        if number < least:
            least, runner_up, best = number, least, (cost, one, other)
        elif number < runner_up:
            runner_up = number
    goal.proof, goal.disproof = least, most + others
    if least >= proof or most + others >= disproof:
        return None
    assert best is not None
    cost, one, other = best
    # A quarter more than the runner-up: so two moves that are equally good do not take turns (Pawlewicz and Lew 2007).
    proof = min(proof, runner_up + runner_up // 4 + 1) - cost
    disproof -= others
    if other is None or not other.proof:
        return one, proof, disproof
    return one, proof - 1, min(disproof, other.disproof + 1)
