"""What one search knows of goals: an AND/OR graph in which goals are OR nodes and their moves AND nodes.

A goal is proved when all goals that one of its moves leaves are, and refuted when every move leaves a refuted one. Both
are exact: every move makes a goal lighter, so there are no cycles and every path ends. What becomes known of a goal is
handed up at once to all goals that lead to it.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from oasis.play.solving import OPEN, PROVED, REFUTED, Status
from oasis.search.goals import Edge, Goals, Slot, moves_at
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.rules import premises
from tactics.script import Script

if TYPE_CHECKING:
    from oasis.search.cache import GoalCache

_TO_PROVE_AGAIN: Final = 10_000
"""Goals that are looked at for a proof that is known of a renaming."""
CHANGED: Final = "The goal cache holds a proof that is none: something else changed it; use another --db, or none."


class Known(NamedTuple):
    """What is known of a goal.

    Attributes:
        slot: the first move of its proof; None if it has no proof.
        length: moves of the proof; infinite if it has none.
    """

    slot: Slot | None
    length: float


class CacheError(InputError):
    """The goal cache cannot be used; the text is one plain sentence with what to do now."""


class Node:
    """A goal up to renaming, an OR node.

    Attributes:
        number: of the goal.
        status: what is known of it.
        edges: its moves, AND nodes; None before it is expanded, and for good if it was known beforehand.
        parents: the numbers of the goals with a move that leaves it, each with the place of that move; once for each
            premise that it is. Not the nodes themselves: so none refers back, and what is not needed is freed at once.
        dead: the places of moves that leave a refuted goal, as bits.
        length: moves of the shortest proof that is known; infinite if none is.
        slot: the first move of that proof.
    """

    __slots__ = ("dead", "edges", "length", "number", "parents", "slot", "status")

    def __init__(self, number: int) -> None:
        self.number = number
        self.status = OPEN
        self.edges: tuple[Edge, ...] | None = None
        self.parents: list[tuple[int, int]] = []
        self.dead = 0
        self.length: float = inf
        self.slot: Slot | None = None

    def learn(self, slot: Slot | None, length: float) -> None:
        """Take in a proof by its first move and its moves; None and infinity say that there is none."""
        self.status = REFUTED if slot is None else PROVED
        self.slot, self.length = slot, length


class AndOrGraph:
    """The goals that a search has reached.

    Args:
        goals: numbers goals, and knows their moves.
        cache: what other searches found out, asked about each goal that is reached, and told what becomes known.
        kind: of nodes, for a search that keeps more of its own with each.
    """

    def __init__(self, goals: Goals, cache: GoalCache | None = None, kind: type[Node] = Node) -> None:
        self.goals = goals
        self.cache = cache
        self.nodes: dict[int, Node] = {}
        self._kind = kind

    def reach(self, number: int) -> Node:
        """The node of a goal."""
        return self.nodes.get(number) or self._reached(number)

    def _reached(self, number: int) -> Node:
        """The node of a goal that is reached for the first time."""
        node = self.nodes[number] = self._kind(number)
        known = None if self.cache is None else self.cache.get(self.goals.key(number))
        if known is not None:
            node.learn(*known)
        return node

    def recall(self, node: Node) -> Status:
        """What is known of a node, also if others found it out since it was reached, and told the cache."""
        known = None if self.cache is None or node.status is REFUTED else self.cache.get(self.goals.key(node.number))
        if known is not None and (known.length < node.length or node.status is OPEN):
            for place, (_, _, left) in enumerate(
                node.edges or ()
            ):  # which are not needed, as if it had been known beforehand
                for number in left:
                    self.nodes[number].parents.remove((node.number, place))
            node.edges, node.dead = None, 0
            node.learn(*known)
            self._hand_up(node)
        return node.status

    def expand(self, node: Node) -> tuple[Edge, ...]:
        """Reach what the moves of a node leave, and hand up what becomes known thereby; gives its moves."""
        if node.edges is not None:
            return node.edges
        edges = node.edges = self.goals.edges(node.number)
        own, known, reached, settled = node.number, self.nodes.get, self._reached, []
        for place, (_, _, left) in enumerate(edges):
            link = own, place
            is_settled = not left
            for number in left:
                premise = known(number) or reached(number)
                premise.parents.append(link)
                if premise.status is not OPEN:
                    is_settled = True
            if is_settled:
                settled.append(place)
        if settled or not edges:
            self._settle(node, settled)
        return edges

    def refute(self, node: Node) -> None:
        """Take in, of a node that is not expanded, that its goal has no proof, and hand it up."""
        assert node.edges is None
        node.learn(None, inf)
        self._tell(node)
        self._hand_up(node)

    def script(self, goal: Goal) -> Script:
        """The moves of the shortest proof that is known of a goal which has been proved.

        Raises CacheError if a proof from the cache does not prove what it should.
        """
        script: list[Move] = []
        pending = [goal]
        while pending:
            goal = pending.pop()
            node = self.reach(self.goals.add(goal))
            self.recall(node)  # what the cache has of a proof need not have been known when the node was reached
            moves = () if node.slot is None else moves_at(goal, node.slot)
            move = next((move for move in moves if all(map(self._is_proved, premises(goal, move)))), None)
            if move is None:  # what it leaves is too symmetric to be recognised under other names
                move = next((move for move in moves if all(map(self.prove_again, premises(goal, move)))), None)
            if move is None:
                raise CacheError(CHANGED)
            script.append(move)
            pending += reversed(premises(goal, move))
        return tuple(script)

    def _is_proved(self, goal: Goal) -> bool:
        return self.recall(self.reach(self.goals.add(goal))) is PROVED

    def prove_again(self, goal: Goal) -> bool:
        """Prove a goal that leads to few others, the deepest first, if that is possible; gives whether it is proved."""
        node = self.reach(self.goals.add(goal))
        pending, seen = [node], {node}
        while pending and node.status is OPEN and len(seen) < _TO_PROVE_AGAIN:
            each = pending.pop()
            if each.status is OPEN:
                left = {self.nodes[number] for edge in self.expand(each) for number in edge[2]}
                pending += sorted(left - seen, key=attrgetter("number"))
                seen |= left
        return node.status is PROVED

    def measure(self, node: Node) -> int:
        """The moves of the proof that `script` gives of a node which has been proved, without writing it down.

        They are fewer than `Node.length` if a shorter proof of a part was found after its length had been told.
        """
        for each in list(self.nodes.values()):
            self.recall(each)
        lengths: dict[int, int] = {}
        pending = [node.number]
        while pending:
            slot = self.reach(pending[-1]).slot
            left = next((left for other, _, left in self.goals.edges(pending[-1]) if other == slot), None)
            if left is None:
                raise CacheError(CHANGED)
            unknown = [number for number in left if number not in lengths]
            if unknown:
                pending += unknown
            else:
                lengths[pending.pop()] = 1 + sum(lengths[number] for number in left)
        return lengths[node.number]

    def check_invariants(self) -> None:
        """Raise AssertionError if what is kept does not fit together."""
        for number, node in self.nodes.items():
            assert node.number == number
            assert (node.status is PROVED) == (node.slot is not None) == (node.length < inf)
            for above, place in node.parents:
                edges = self.nodes[above].edges
                assert edges is not None
                assert number in edges[place][2]
            if node.edges is None:
                assert not node.dead
                continue
            lengths = [inf]
            for place, (_, _, numbers) in enumerate(node.edges):
                left = [self.nodes[each] for each in numbers]
                assert all(premise.parents.count((number, place)) == numbers.count(premise.number) for premise in left)
                assert bool(node.dead >> place & 1) == any(premise.status is REFUTED for premise in left)
                lengths.append(1 + sum(premise.length for premise in left))
            assert node.dead < 1 << len(node.edges)
            assert node.length == min(lengths)
            assert (node.status is REFUTED) == (node.dead == (1 << len(node.edges)) - 1)

    def _settle(self, node: Node, places: Collection[int]) -> None:
        """Work out what is known of a node that was just expanded, by those of its moves, and hand it up."""
        is_known = not node.edges
        if is_known:
            node.learn(None, inf)
        for place in places:
            is_known |= self._learn(node, place)
        if is_known:
            self._tell(node)
            self._hand_up(node)

    def _hand_up(self, node: Node) -> None:
        nodes, pending = self.nodes, [node]
        while pending:
            node = pending.pop()
            for number, place in node.parents:
                parent = nodes[number]
                if self._learn(parent, place):
                    self._tell(parent)  # before anything that needs it, so that the cache has all that a proof leads to
                    pending.append(parent)

    def _tell(self, node: Node) -> None:
        """Tell the cache what is known of a node."""
        if self.cache is not None:
            self.cache.put(self.goals.key(node.number), Known(node.slot, node.length))

    def _learn(self, node: Node, place: int) -> bool:
        """Whether what became of the goals that a move leaves tells something new about its own."""
        edges, nodes = node.edges, self.nodes
        assert edges is not None
        slot, _, left = edges[place]
        length: float = 1
        for number in left:
            premise = nodes[number]
            if premise.status is REFUTED:
                node.dead |= 1 << place
                if node.status is OPEN and node.dead == (1 << len(edges)) - 1:
                    node.learn(None, inf)
                    return True
                return False
            length += premise.length
        if length < node.length:
            node.learn(slot, length)
            return True
        return False
