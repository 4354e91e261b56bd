"""Best-first search: the goal to which the policy's likeliest moves lead comes first.

A goal is as likely as the likeliest way to it: the product of the shares of the moves on the way, whatever else these
leave. Equally likely goals come by lot. Nothing is expanded twice; goals that can no longer matter are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from math import inf, log
from typing import Final

from oasis.play.solving import OPEN
from oasis.search.graph import Node
from oasis.search.search import Search

_LEAST: Final = 1e-9
"""What a move counts for at least, so that a policy that is sure and wrong is only slow."""


class BestFirst(Search):
    """Best-first search, by the log-probability of the path."""

    def _search(self) -> Iterator[None]:
        graph, shares, lots = self.graph, self.proposals.shares, self.rng.stream()
        nodes, root = graph.nodes, self.root
        queue = [(0.0, 0, root.number)]  # with a lot among those that are as likely
        best = {root.number: 0.0}  # -log of the likeliest way to each goal so far
        likeliest = best.get
        while queue and root.status is OPEN:
            cost, _, number = heappop(queue)
            node = nodes[number]
            if node.status is not OPEN or node.edges is not None or cost > likeliest(number, inf):
                continue
            if not _matters(node, nodes):
                best.pop(number, None)  # another way, however unlikely, may lead to it later
                continue
            edges = graph.expand(node)
            self.expansions += 1
            if node.status is OPEN:
                before = after = inf  # the share of the last move, and how likely that makes what it leaves
                for (_, _, premises), share in zip(edges, shares(number), strict=True):
                    if share != before:
                        before, after = share, cost - log(share if share > _LEAST else _LEAST)
                    for premise in premises:
                        if after < likeliest(premise, inf):
                            left = nodes[premise]
                            if left.status is OPEN and left.edges is None:
                                best[premise] = after
                                heappush(queue, (after, next(lots), premise))
            yield


def _matters(node: Node, nodes: Mapping[int, Node]) -> bool:
    """Whether something that is open waits for a goal: a move that is not dead, of a goal that is not settled."""
    for number, place in node.parents:
        parent = nodes[number]
        if parent.status is OPEN and not parent.dead >> place & 1:
            return True
    return not node.parents
