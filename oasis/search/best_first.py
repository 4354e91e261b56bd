"""Best-first search: the goal to which the policy's likeliest moves lead comes first.

A goal is as likely as the likeliest way to it: the product of the shares of the moves on the way, whatever else these
leave. Equally likely goals come by lot. Nothing is expanded twice; goals that can no longer matter are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf, log
from typing import ClassVar, Final

from oasis.search.graph import OPEN, Node
from oasis.search.search import Search

_LEAST: Final = 1e-9
"""What a move counts for at least, so that a policy that is sure and wrong is only slow."""


class BestFirst(Search):
    """Best-first search, by the log-probability of the path."""

    name: ClassVar[str] = "best-first"

    def _search(self) -> Iterator[None]:
        graph, random = self.graph, self.rng.random
        queue: list[tuple[float, float, int, Node]] = [(0.0, 0.0, 0, self.root)]
        best = {self.root.number: 0.0}  # -log of the likeliest way to each goal so far
        pushed = 0
        while queue and self.root.status is OPEN:
            cost, _, _, node = heappop(queue)
            if node.status is not OPEN or node.edges is not None or cost > best.get(node.number, inf):
                continue
            if not _matters(node):
                best.pop(node.number, None)  # another way, however unlikely, may lead to it later
                continue
            edges = graph.expand(node)
            self.expansions += 1
            if node.status is OPEN:
                for edge, share in zip(edges, self.proposals.shares(node.number), strict=True):
                    after = cost - log(max(share, _LEAST))
                    for number in edge.premises:
                        premise = graph.nodes[number]
                        if premise.status is OPEN and premise.edges is None and after < best.get(number, inf):
                            best[number] = after
                            pushed += 1
                            heappush(queue, (after, random(), pushed, premise))
            yield


def _matters(node: Node) -> bool:
    """Whether something that is open waits for a goal: a move that is not dead, of a goal that is not settled."""
    return not node.parents or any(
        parent.status is OPEN and not parent.dead >> place & 1 for parent, place in node.parents
    )
