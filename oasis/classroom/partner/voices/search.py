"""What a search says: the goal in focus is searched a little each time, with the table's policy, and kept in mind.

It knows all rules and no fewer, so it is silent in an exercise that leaves some out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import inf
from typing import Final

from oasis.classroom.partner.opinions import Column, Kind, Reason, Voice, Weights, column, in_moves
from oasis.classroom.partner.player import silent
from oasis.escalation.costs import Counter
from oasis.escalation.ladder import EXPLORER
from oasis.ground.limits import occupied
from oasis.ground.names import SEARCHES
from oasis.play.policy import Policy
from oasis.play.solving import OPEN, Budget, Cost
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals, moves_at
from oasis.search.graph import Known
from oasis.search.search import Search
from tactics.goal import Goal, Move, State, principal
from tactics.printer import Notation
from tactics.rules import premises, spoken

SLICE_SECONDS: Final = 0.05
"""For each question about a goal that is still open."""
MOST_SECONDS: Final = 2.0
"""For one goal; then it is left open."""
_SEARCHES: Final = 50
"""That are kept, each with the graph of its goals."""
_ROOM: Final = 100_000
"""Goals that are kept in mind."""
_MEMORY: Final = 1 << 30
"""Bytes that the process may occupy beside what it did when the voice began."""
_LONGEST: Final = 500
"""Moves of a proof that reasons are drawn from."""
_PARTS: Final = 4
_COLUMN: Final = ("proof", Kind.MOVES)


class Searching:
    """The voice of a search.

    Args:
        policy: gives who proposes moves.
        counter: counts what it costs.
        seed: of its chance.
        is_free: whether all rules may be used.

    Attributes:
        name, cost: as of any voice.
    """

    name = "search"
    is_coming = False

    def __init__(self, policy: Callable[[], Policy], counter: Counter, seed: int, *, is_free: bool) -> None:
        self.cost = Cost()
        self._policy, self._counter, self._seed, self._is_free = policy, counter, seed, is_free
        self._goals, self._cache = Goals(), GoalCache(room=_ROOM)
        self._searches: OrderedDict[Goal, Search] = OrderedDict()
        self._memory = (occupied() or 0) + _MEMORY

    def say(self, state: State, offered: tuple[Move, ...]) -> Voice:
        """Moves in a proof of the goal in focus, by its first move, as far as they are known."""
        if not self._is_free:
            return silent(self.name, "It needs all tactics, and is silent where some are left out.", offered, _COLUMN)
        search = self._searched(state[0])
        known = self._known(state[0])
        columns = self._columns(state[0], offered)
        if known is None:
            given_up = "given up" if search.seconds >= MOST_SECONDS or search.ended_by else "none yet"
            return Voice(self.name, f"{given_up}, {search.expansions:,} goals.".capitalize(), columns, is_sure=False)
        if known.slot is None:
            return Voice(self.name, "No proof: all was tried.", columns)
        first = self._first(state[0], known)
        return Voice(self.name, f"A proof in {in_moves(int(known.length))}.", columns, first)

    def chosen(self, state: State, offered: tuple[Move, ...]) -> Move | None:
        """The first move of the proof that it has of the goal in focus."""
        if not self._is_free:
            return None
        self._searched(state[0])
        known = self._known(state[0])
        return None if known is None else self._first(state[0], known)

    def why(self, state: State, move: Move, notation: Notation) -> Reason:
        """The proof, and the formulas that its moves are about."""
        known, search = self._known(state[0]), self._searches.get(state[0])
        assert known is not None
        said = [f"It has a proof of this goal that begins with {spoken(move)}, of {in_moves(int(known.length))}."]
        if search is not None and search.expansions:
            said.append(f"It looked at {search.expansions:,} goals to find it.")
        weights, made = Weights(), 0
        here: State = (state[0],)
        while here and made < _LONGEST and (after := self._known(here[0])) is not None:
            first = self._first(here[0], after)
            if first is None:
                break
            goal = here[0]
            weights.add(principal(goal, first))
            here, made = premises(goal, first) + here[1:], made + 1
        said.append("Its moves are about these formulas:")
        return Reason(self.name, move, tuple(said), weights.parts(_PARTS))

    def forget(self) -> None:
        """Begin anew: what is known of goals remains, the searches do not."""
        self._searches.clear()

    def _searched(self, goal: Goal) -> Search:
        """The search of a goal, after one more slice if it is open."""
        if len(self._goals) > _ROOM:
            self._goals, self._cache = Goals(), GoalCache(room=_ROOM)
            self._searches.clear()
        search = self._searches.get(goal)
        if search is None:
            search = SEARCHES[EXPLORER](goal, self._policy(), cache=self._cache, seed=self._seed, goals=self._goals)
            self._searches[goal] = search
            if len(self._searches) > _SEARCHES:
                self._searches.popitem(last=False)
        self._searches.move_to_end(goal)
        if search.status is OPEN and not search.ended_by and search.seconds < MOST_SECONDS:
            expansions, calls = search.expansions, search.calls
            with self._counter.counting() as spending:
                for _ in search.run(Budget(seconds=SLICE_SECONDS, memory=self._memory)):
                    if search.status is not OPEN:
                        break
            self.cost += spending.cost + Cost(expansions=search.expansions - expansions, calls=search.calls - calls)
        return search

    def _known(self, goal: Goal) -> Known | None:
        return self._cache.get(self._goals.key(self._goals.add(goal)))

    def _first(self, goal: Goal, known: Known) -> Move | None:
        """The first move of a proof; of those that a symmetry exchanges the first one."""
        return None if known.slot is None else moves_at(goal, known.slot)[0]

    def _columns(self, goal: Goal, offered: tuple[Move, ...]) -> tuple[Column, ...]:
        return (column(*_COLUMN, offered, {move: self._length(premises(goal, move)) for move in offered}),)

    def _length(self, left: tuple[Goal, ...]) -> float | None:
        """Moves of a proof by a move that leaves these goals; infinite if one of them has none, None if not known."""
        lengths = [None if known is None else known.length for known in map(self._known, left)]
        if inf in lengths:
            return inf
        return None if None in lengths else 1 + sum(length for length in lengths if length is not None)
