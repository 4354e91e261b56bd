"""The tree of RMaxTS: states that rollouts led through, and how well each choice among them paid of late.

In a state the choices are to go on to one of its children, or to have a rollout begin here. Each has discounted counts
of its own (Garivier and Moulines 2011): with every use, what it brought before counts less by a factor gamma. A choice
that is in use counts as if each use had brought nothing, so that workers go different ways.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import log, sqrt
from typing import Any, Final, NamedTuple

from oasis.ground.splitmix import SplitMix64
from oasis.search.rollouts.play import Rollout, Step
from oasis.search.rollouts.search import Arrival, Key

State = tuple[Any, ...]
Script = tuple[Any, ...]
"""The open goals, and the moves from one state to another, as whoever grows the tree has them."""
GAMMA: Final = 0.99
"""How much of what a choice brought is left after one more use of it (Xin et al. 2024)."""
_FEWEST: Final = 0.01
"""Uses that a choice counts as at least, so that its score is finite."""


class Choice:
    """Discounted counts of one choice.

    Attributes:
        rewards: W, the discounted sum of what it brought.
        uses: N, the discounted number of its uses, less than 1 / (1 - gamma).
        running: uses of which it is not known yet what they bring.
    """

    __slots__ = ("rewards", "running", "uses")

    def __init__(self) -> None:
        self.rewards, self.uses, self.running = 0.0, 0.0, 0

    def push(self, reward: float, gamma: float) -> None:
        """Count one more use, and what it brought."""
        self.rewards = gamma * self.rewards + reward
        self.uses = gamma * self.uses + 1

    def counts(self, gamma: float) -> tuple[float, float]:
        """W' and N': the counts as if every running use had ended and brought nothing."""
        if not self.running:
            return self.rewards, self.uses
        left = gamma**self.running
        return left * self.rewards, left * self.uses + (1 - left) / (1 - gamma)


class Way:
    """A script that reaches a node, as it was written if it was; ways share their beginnings.

    Attributes:
        node: the one that is reached.
        state: in which the script ends, with the names that it gave.
        before: the way of which it is the continuation; None at the root.
        moves: what it adds to that.
        text: that was written for the first of these, if any was.
    """

    __slots__ = ("before", "moves", "node", "state", "text")

    def __init__(self, node: Node, state: State, before: Way | None, moves: Script, text: str = "") -> None:
        self.node, self.state, self.before, self.moves, self.text = node, state, before, moves, text

    @property
    def steps(self) -> tuple[tuple[str, Script], ...]:
        """Return the texts and the moves from the root on."""
        steps: list[tuple[str, Script]] = []
        way = self
        while way.before is not None:
            steps.append((way.text, way.moves))
            way = way.before
        return tuple(reversed(steps))

    @property
    def script(self) -> Script:
        """All moves from the root on."""
        return tuple([move for _, moves in self.steps for move in moves])


class Node:
    """A state of the tree.

    Attributes:
        key: of the state.
        ways: every script that reached it, and every text of one, in the order in which they were found.
        here: the choice to begin a rollout in this state.
        children: the states that follow, by their keys, each with the choice to go on to it.
        parents: the nodes of which this is a child.
        open_children: how many children are open.
        is_open: whether a rollout that begins here or below may reach something that has not been tried.
        is_refuted: whether everything has been tried, and the state has no proof.
    """

    __slots__ = (
        "_followers",
        "_is_free",
        "_offered",
        "children",
        "here",
        "is_open",
        "is_refuted",
        "key",
        "open_children",
        "parents",
        "ways",
    )

    def __init__(self, key: Key, *, is_refuted: bool) -> None:
        self.key = key
        self.ways: list[Way] = []
        self.here = Choice()
        self.children: dict[Key, tuple[Node, Choice]] = {}
        self.parents: list[Node] = []
        self.open_children = 0
        self.is_open, self.is_refuted = not is_refuted, is_refuted
        self._followers: frozenset[Key] | None = None
        self._offered: set[Key] | None = None
        self._is_free = False

    def add_child(self, child: Node) -> None:
        """Take in a state that follows."""
        self.children[child.key] = child, Choice()
        self.open_children += child.is_open
        child.parents.append(self)

    def offer(self, step: Step, state: State, followers: Followers) -> None:
        """Take in what the policy may do in this state, where it was asked in the names of one of the ways."""
        if step.offered is None:
            self._is_free, self._offered = True, None
        elif not self._is_free:
            self._offered = (self._offered or set()) | followers(state, step.offered)

    def settle(self, followers: Followers) -> bool:
        """Close the node if nothing below is open and no move is left to be tried; gives whether it was closed."""
        if not self.is_open or self.open_children:
            return False
        if self._followers is None:
            self._followers = followers(self.ways[0].state, None)
        tried = self.children.keys()
        if tried >= self._followers:
            self.is_open, self.is_refuted = False, all(child.is_refuted for child, _ in self.children.values())
        elif self._offered is not None and tried >= self._offered:
            self.is_open = False  # the policy never does anything else
        return not self.is_open


class Selection(NamedTuple):
    """Where a rollout begins.

    Attributes:
        choices: that lead there, the last one to begin here.
        way: the script that the rollout continues.
    """

    choices: list[Choice]
    way: Way


class Growth(NamedTuple):
    """What a rollout brought.

    Attributes:
        nodes: that the tree did not have.
        proof: the moves from the root on, if it ended in a proof.
    """

    nodes: int
    proof: Script | None


Followers = Callable[[State, Collection[int] | None], frozenset[Key]]
"""The keys of the states to which the actions at some places lead, None for all; what does not apply leads nowhere."""


class Tree:
    """The states that rollouts led through.

    States with the same key are one node, whatever led to them, unless `is_merged` is false; then, as Xin et al. (2024)
    implement it, only those that follow the same node.

    Args:
        root: where all rollouts begin.
        arrive: what is known of a state: what the goal cache leaves of it, and that one without moves is refuted.
        followers: of a state.
        rng: for all ties, and the choice among scripts.
        gamma: how much a choice's past counts after one more use, between 0 and 1.
        is_merged: whether a state that is reached by several ways is one node.
        on_refuted: told of each state that has been found to have no proof.
    """

    def __init__(
        self,
        root: Arrival,
        arrive: Callable[[State], Arrival],
        followers: Followers,
        rng: SplitMix64,
        *,
        gamma: float = GAMMA,
        is_merged: bool = True,
        on_refuted: Callable[[Node], None] = lambda _: None,
    ) -> None:
        self.gamma, self.is_merged = gamma, is_merged
        self.size = 0
        self._arrive, self._followers, self._rng, self._on_refuted = arrive, followers, rng, on_refuted
        self._nodes: dict[Key, Node] = {}
        self._ways: dict[tuple[Way, Script, str], Way] = {}
        self.root = self._new(root)
        self.root.ways.append(Way(self.root, root.state, None, ()))

    def select(self) -> Selection:
        """Where the next rollout begins: follow the highest scores from the root on, until it is to begin here."""
        node, choices = self.root, []
        while node.children:
            scores = self.scores(node)
            highest = max([score for score, _, _ in scores])
            best = [(child, choice) for score, child, choice in scores if score == highest]
            child, choice = best[self._rng.below(len(best))]
            choices.append(choice)
            if child is None:
                break
            node = child
        else:
            choices.append(node.here)
        for choice in choices:
            choice.running += 1
        return Selection(choices, node.ways[self._rng.below(len(node.ways))])

    def merge(self, way: Way, rollout: Rollout) -> Growth:
        """Take in what a rollout went through, up to what does not apply, or to where the goal cache knows better."""
        if not rollout[-1].state:
            return Growth(0, way.script + tuple([move for step in rollout for move in step.moves]))
        size, walked = self.size, [way.node]
        for step in rollout:
            way.node.offer(step, way.state, self._followers)
            if not step.moves:
                break
            arrival = self._arrive(step.state)
            moves = step.moves + arrival.moves
            if not arrival.state:
                return Growth(self.size - size, way.script + moves)
            way = self._continued(way, moves, step.text, arrival)
            walked.append(way.node)
            if arrival.moves or arrival.is_refuted:
                break
        for node in reversed(walked):
            self._settle(node)
        return Growth(self.size - size, None)

    def finish(self, selection: Selection, reward: float) -> None:
        """Count what a selection brought."""
        for choice in selection.choices:
            choice.running -= 1
            choice.push(reward, self.gamma)

    def scores(self, node: Node) -> list[tuple[float, Node | None, Choice]]:
        """The discounted upper confidence bounds of the choices in a node that may bring anything, None to begin here.

        W' / max(N', 0.01) + sqrt(2 ln max(n, 2) / max(N', 0.01)), where n is the sum of N' over all choices, those that
        bring nothing more among them.
        """
        gamma = self.gamma
        choices: list[tuple[Node | None, Choice]] = [(None, node.here), *node.children.values()]
        counts = [choice.counts(gamma) for _, choice in choices]
        doubled = 2 * log(max(sum([uses for _, uses in counts]), 2))
        scores: list[tuple[float, Node | None, Choice]] = []
        for (child, choice), (rewards, uses) in zip(choices, counts, strict=True):
            if child is None or child.is_open:
                uses = max(uses, _FEWEST)
                scores.append((rewards / uses + sqrt(doubled / uses), child, choice))
        return scores

    def check_invariants(self) -> None:
        """Raise AssertionError if what is kept does not fit together."""
        nodes = {way.node for way in self._ways.values()} | {self.root}
        assert len(nodes) == self.size
        assert not self.is_merged or self._nodes == {node.key: node for node in nodes}
        for node in nodes:
            children = [child for child, _ in node.children.values()]
            assert node.open_children == sum(child.is_open for child in children)
            assert all(child.parents.count(node) == 1 for child in children)
            assert all(way.node is node for way in node.ways)
            assert len({way.steps for way in node.ways}) == len(node.ways) > 0
            assert node.is_open or not node.open_children
            assert not (node.is_open and node.is_refuted)
            for choice in (node.here, *(choice for _, choice in node.children.values())):
                assert choice.running >= 0
                assert 0 <= choice.rewards <= choice.uses < 1 / (1 - self.gamma)

    def _continued(self, way: Way, moves: Script, text: str, arrival: Arrival) -> Way:
        """Return the way that goes on with some moves as they were written; nodes that it needs are made."""
        known = self._ways.get((way, moves, text))
        if known is not None:
            return known
        follower = way.node.children.get(arrival.key)
        if follower is not None:
            node = follower[0]
        else:
            node = (self._nodes.get(arrival.key) if self.is_merged else None) or self._new(arrival)
            way.node.add_child(node)
        known = self._ways[way, moves, text] = Way(node, arrival.state, way, moves, text)
        node.ways.append(known)
        return known

    def _new(self, arrival: Arrival) -> Node:
        node = Node(arrival.key, is_refuted=arrival.is_refuted)
        self.size += 1
        if self.is_merged:
            self._nodes[node.key] = node
        if node.is_refuted:
            self._on_refuted(node)
        return node

    def _settle(self, node: Node) -> None:
        """Close a node if it is done, and then those above that are done thereby."""
        pending = [node]
        while pending:
            node = pending.pop()
            if node.settle(self._followers):
                if node.is_refuted:
                    self._on_refuted(node)
                for parent in node.parents:
                    parent.open_children -= 1
                pending += node.parents
