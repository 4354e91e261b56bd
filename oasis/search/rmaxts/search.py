"""RMaxTS, a tree search that needs no reward but its own: to reach states that nobody has seen (Xin et al. 2024).

From a node of the tree that discounted upper confidence bounds choose, the policy plays on, and what it goes through
becomes part of the tree. That is rewarded if the tree grew, so that the search goes where there is something new.

From a node the policy may also write a whole proof (`written:POLICY`), which is cut at the first fault; a node keeps
every text that reaches it, and one of them is chosen at random to be continued.

What a language model may say has no end; the moves of the calculus have. So a node below which everything has been
tried is chosen no more, and when that is so at the root, the goal has no proof.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from math import inf
from typing import Any

from oasis.play.actions import attempt
from oasis.play.policy import Policy
from oasis.play.solving import OPEN, PROVED, REFUTED, Status
from oasis.search.graph import Known
from oasis.search.picture import Dot, Drawing
from oasis.search.rmaxts.tree import GAMMA, Growth, Node, Selection, Tree
from oasis.search.rollouts.play import Job, Rollout
from oasis.search.rollouts.search import Arrival, Key, RolloutSearch
from tactics.errors import InputError
from tactics.goal import Goal, Move, State
from tactics.printer import UNICODE
from tactics.rules import apply, legal_moves
from tactics.sequent import show_state


class RMaxTS(RolloutSearch):
    """Monte Carlo tree search with an intrinsic reward.

    The workers' rollouts begin one after the other, each where the scores send it that count what is running as lost,
    and end in an order that is drawn by lot.

    Args:
        goal, policy: as for every search.
        gamma: how much of what a choice brought is left after one more use of it, between 0 and 1.
        intrinsic: whether new states are rewarded; if not, nothing is but a proof.
        merged: whether a state that is reached by several ways is one node of the tree, and not new the second time; if
            not, only equal followers of one node are, as Xin et al. (2024) implement it.
        settings: those of every search by rollouts.
    """

    def __init__(
        self,
        goal: Goal,
        policy: Policy | None = None,
        *,
        gamma: float = GAMMA,
        intrinsic: bool = True,
        merged: bool = True,
        **settings: Any,
    ) -> None:
        if not 0 < gamma < 1:
            raise InputError(f"gamma must lie between 0 and 1, not {gamma}.")
        super().__init__(goal, policy, **settings)
        self.intrinsic = intrinsic
        self.tree = Tree(
            Arrival((), (goal,), (self.root.number,), self.root.status is REFUTED or not legal_moves(goal)),
            self._arrive,
            self._followers,
            self.rng,
            gamma=gamma,
            is_merged=merged,
            on_refuted=self._refuted,
        )

    @property
    def status(self) -> Status:
        """What is known of the goal."""
        return REFUTED if self.root.status is OPEN and self.tree.root.is_refuted else self.root.status

    def drawing(self, most: int) -> Drawing:
        """The states of the proof, if there is one, and of the tree, each below the one it was reached from first."""
        dots: list[Dot] = []
        place: dict[Key, int] = {}
        state: State = (self.goal,)
        moves = iter(self.script() or ())
        move: Move | None = None
        while state and self.status is PROVED:
            place[tuple(map(self._number, state))] = len(dots)  # as it was reached, whatever has been proved since
            above = len(dots) - 1 if dots else None
            dots.append(Dot(show_state(state, UNICODE), PROVED, above, "" if move is None else str(move), False, True))
            move = next(moves)
            state = apply(state, move)
        pending: deque[tuple[Node, int | None]] = deque([(self.tree.root, None)])
        again: list[tuple[int, int]] = []
        seen: set[Node] = set()
        while pending:
            node, above = pending.popleft()
            if node in seen:
                again.append((above or 0, place[node.key]))
            elif node.key in place or len(dots) < most:
                seen.add(node)
                if node.key not in place:
                    place[node.key] = len(dots)
                    way = node.ways[0]
                    status = REFUTED if node.is_refuted else OPEN
                    text, words = show_state(way.state, UNICODE), "; ".join(map(str, way.moves))
                    dots.append(Dot(text, status, above, words, node.is_refuted, False))
                pending += [(child, place[node.key]) for child, _ in node.children.values()]
        return Drawing(tuple(dots), tuple(again), max(0, self.tree.size - len(seen)))

    def _search(self) -> Iterator[None]:
        tree = self.tree
        while self.status is OPEN and tree.root.is_open:
            selections = [tree.select() for _ in range(self.workers)]
            jobs = [
                Job(way.state, self.rng.next(), self.max_steps, way.steps if self.is_written else ())
                for _, way in selections
            ]
            rollouts = yield from self._play(jobs)
            self.rng.shuffle(ended := [*zip(selections, rollouts, strict=True)])
            for each in ended:
                self._end(*each)
        if self.status is OPEN:
            self.ended_by = "all that the policy ever tries was tried, so more expansions would change nothing"

    def _end(self, selection: Selection, rollout: Rollout) -> Growth:
        """Take in what a rollout went through, and reward the choices that led to it."""
        growth = self.tree.merge(selection.way, rollout)
        if growth.proof is not None:
            self._take_in(growth.proof)
        is_rewarded = growth.proof is not None or (self.intrinsic and growth.nodes > 0)
        self.tree.finish(selection, float(is_rewarded))
        return growth

    def _arrive(self, state: State) -> Arrival:
        """As `arrive`; a state without moves is refuted."""
        arrival = self.arrive(state)
        return arrival._replace(is_refuted=True) if arrival.state and not legal_moves(arrival.state[0]) else arrival

    def _followers(self, state: State, places: Collection[int] | None) -> frozenset[Key]:
        actions = self.space.actions(state)
        chosen = actions if places is None else [actions[place] for place in places]
        after = [self.space.perform(state, action, attempt) for action in chosen]
        return frozenset(self.arrive(reached).key for reached, moves in after if moves)

    def _refuted(self, node: Node) -> None:
        """Tell the cache of a state without a proof, if it is a goal."""
        if self.cache is not None and len(node.key) == 1:
            self.cache.put(self.graph.goals.key(node.key[0]), Known(None, inf))

    @property
    def reached(self) -> int:
        """States."""
        return self.tree.size
