"""RMaxTS's statistics as the formulas have them: lists of everything that was pushed, summed anew each time.

Nothing here is kept up to date: a statistic is what the whole log of a run says at that moment.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

from oasis.search.rmaxts.search import RMaxTS
from oasis.search.rmaxts.tree import Choice, Growth, Node, Selection, Way
from oasis.search.rollouts.play import Rollout
from state_spaces.canonical import label
from tactics.goal import State


class Entry(NamedTuple):
    """A selection, which runs until it has a reward."""

    choices: list[Choice]
    reward: float | None


class Log:
    """Everything that a search selects and rewards, compared with the formulas while it goes on.

    Attributes:
        entries: the selections that ended, in that order, and then those that run.
        compared: scores that were.
    """

    def __init__(self, search: RMaxTS) -> None:
        self.entries: list[Entry] = []
        self.compared = 0
        self._search, self._tree = search, search.tree
        self._states = {self._identity([literal_key(search.tree.root.ways[0].state)])}
        self._originals = self._tree.select, self._tree.scores, self._tree.merge, self._tree.finish
        patched: Any = self._tree
        patched.select, patched.scores, patched.merge, patched.finish = (
            self._select,
            self._scores,
            self._merge,
            self._finish,
        )

    def pushes(self, choice: Choice) -> list[float]:
        """All rewards of a choice, the oldest first, and a 0 for each time that it is running."""
        ended = [entry.reward for entry in self.entries if entry.reward is not None and choice in entry.choices]
        running = [0.0 for entry in self.entries if entry.reward is None and choice in entry.choices]
        return ended + running

    def counts(self, choice: Choice) -> tuple[float, float]:
        """W and N, each reward discounted by how many came after it."""
        pushes = self.pushes(choice)
        discounts = [self._tree.gamma ** (len(pushes) - 1 - place) for place in range(len(pushes))]
        return sum(d * reward for d, reward in zip(discounts, pushes, strict=True)), sum(discounts)

    def score(self, node: Node, choice: Choice) -> float:
        rewards, uses = self.counts(choice)
        total = sum(self.counts(each)[1] for each in (node.here, *(each for _, each in node.children.values())))
        return rewards / max(uses, 0.01) + sqrt(2 * log(max(total, 2)) / max(uses, 0.01))

    def _select(self) -> Selection:
        selection = self._originals[0]()
        node = self._tree.root
        for choice in selection.choices:  # nothing has a better score than what was chosen
            chosen = self.score(node, choice)
            open_children = [(child, each) for child, each in node.children.values() if child.is_open]
            assert all(self.score(node, each) <= chosen + 1e-9 for each in (node.here, *(c for _, c in open_children)))
            node = next((child for child, each in open_children if each is choice), node)
        assert choice is node.here and selection.way in node.ways
        self.entries.append(Entry(selection.choices, None))
        return selection

    def _scores(self, node: Node) -> list[tuple[float, Node | None, Choice]]:
        scores = self._originals[1](node)
        for score, child, choice in scores:
            assert (child is None) == (choice is node.here)
            assert abs(score - self.score(node, choice)) < 1e-9
            for ours, literal in zip(choice.counts(self._tree.gamma), self.counts(choice), strict=True):
                assert abs(ours - literal) < 1e-9
            self.compared += 1
        return scores

    def _merge(self, way: Way, rollout: Rollout) -> Growth:
        before = len(self._states)
        is_proof = not rollout[-1].state
        path = [literal_key(state) for state in states_of(way)]
        for step in rollout:
            if step.moves:
                path.append(literal_key(step.state))
                self._states.add(self._identity(path))
        growth = self._originals[2](way, rollout)
        assert (growth.proof is not None) == is_proof
        if not is_proof:
            assert growth.nodes == len(self._states) - before
        self._reward = float(is_proof or (growth.nodes > 0 and self._search.intrinsic))
        return growth

    def _identity(self, path: list[tuple[bytes, ...]]) -> object:
        """What a node is: its state, or the way to it."""
        return path[-1] if self._tree.is_merged else tuple(path)

    def _finish(self, selection: Selection, reward: float) -> None:
        assert reward == self._reward
        self._originals[3](selection, reward)
        place = next(
            n for n, each in enumerate(self.entries) if each.reward is None and each.choices is selection.choices
        )
        del self.entries[place]
        ended = sum(each.reward is not None for each in self.entries)
        self.entries.insert(ended, Entry(selection.choices, reward))
        for choice in selection.choices:
            for ours, literal in zip(choice.counts(self._tree.gamma), self.counts(choice), strict=True):
                assert abs(ours - literal) < 1e-9


def states_of(way: Way) -> list[State]:
    """The states that a script leads through, the first one first."""
    before = [] if way.before is None else states_of(way.before)
    return [*before, way.state]


def literal_key(state: State) -> tuple[bytes, ...]:
    """A state by its goals in their order, each up to renaming."""
    return tuple(label((goal,)).key for goal in state)
