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
from typing import ClassVar, Final

from oasis.search.graph import OPEN, PROVED, REFUTED, Node
from oasis.search.search import Search

_INFINITE: Final = 1 << 62
"""The number of what cannot be."""
_MOST: Final = 30
"""What a move costs at most, so that a policy that is sure and wrong is only slow."""


class _Goal:
    """A goal with its numbers as of the last visit, and what its moves leave in an order drawn by lot."""

    __slots__ = ("disproof", "moves", "node", "proof")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.proof = self.disproof = 1
        self.moves: list[tuple[int, _Goal, _Goal | None]] | None = None


class ProofNumber(Search):
    """Depth-first proof-number search."""

    name: ClassVar[str] = "proof-number"

    def _search(self) -> Iterator[None]:
        goal, proof, disproof = _Goal(self.root), _INFINITE, _INFINITE
        known = {self.root.number: goal}
        way: list[tuple[_Goal, int, int]] = []  # to the goal in hand, with the thresholds of each on the way
        while self.root.status is OPEN:
            if goal.moves is None and goal.node.status is OPEN:
                self._expand(goal, known)
                yield
            chosen = _next(goal, proof, disproof)
            if chosen is not None:
                way.append((goal, proof, disproof))
                goal, proof, disproof = chosen
            elif way:
                goal, proof, disproof = way.pop()

    def _expand(self, goal: _Goal, known: dict[int, _Goal]) -> None:
        """Work out what the moves of a goal leave."""
        node, nodes = goal.node, self.graph.nodes
        edges = self.graph.expand(node)
        self.expansions += 1
        if node.status is not OPEN:
            return
        shares = self.proposals.shares(node.number)
        likeliest = max(shares)
        moves: list[tuple[int, _Goal, _Goal | None]] = []
        for place, (_, _, premises) in enumerate(edges):
            if node.dead >> place & 1:
                continue
            left: list[_Goal] = []
            for number in premises:
                premise = known.get(number)
                if premise is None:
                    premise = known[number] = _Goal(nodes[number])
                if premise.node.status is OPEN and premise not in left:
                    left.append(premise)
            cost = 0 if shares[place] == likeliest else _cost(shares[place] / likeliest)
            moves.append((cost, left[0], left[1] if len(left) > 1 else None))
        lot = self.rng.next()
        for place in range(len(moves) - 1, 0, -1):  # Fisher and Yates; 64 bits suffice for 20 moves
            lot, other = divmod(lot, place + 1)
            moves[place], moves[other] = moves[other], moves[place]
        goal.moves = moves


def _cost(share: float) -> int:
    """What a move costs whose share is so much of that of the likeliest."""
    return min(_MOST, round(-log2(share))) if share > 0 else _MOST


def _next(goal: _Goal, proof: int, disproof: int) -> tuple[_Goal, int, int] | None:
    """Work out a goal's numbers; where both are below their thresholds, what to visit next, with the thresholds there.

    Next comes what the best move leaves; of two goals the one that is easier to refute.
    """
    if goal.moves is None or goal.node.status is not OPEN:
        return None
    least = runner_up = _INFINITE  # proof numbers of the two best moves
    most, others = 0, -1  # the largest disproof number of a move, and how many moves there are beside it
    best: tuple[int, _Goal, _Goal | None] | None = None
    for cost, one, other in goal.moves:
        if one.node.status is REFUTED or (other is not None and other.node.status is REFUTED):
            continue
        if one.node.status is PROVED:
            assert other is not None  # or the goal would be proved
            one, other = other, None
        elif other is not None and other.node.status is PROVED:
            other = None
        if other is None:
            number, against = one.proof + cost, one.disproof
        else:
            if other.disproof < one.disproof:
                one, other = other, one
            number = (one.proof if one.proof > other.proof else other.proof) + 1 + cost
            against = one.disproof
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
    if other is None:
        return one, proof, disproof
    return one, proof - 1, min(disproof, other.disproof + 1)
