"""What a search is: it looks for a proof of a goal with the help of a policy, within a budget, and can be watched.

A search is run for a while, stops, and goes on where it was when it is run again. With the same seed, on the same goal,
with the same policy and cache it always does the same, however often it was stopped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final, Self
from weakref import proxy

from oasis.ground.limits import Limit, LimitReached
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import LEGAL
from oasis.play.exam import proposed
from oasis.play.policy import Policy, Uniform
from oasis.play.solving import OPEN, Budget, Cost, Status
from oasis.search.goals import Goals, slots
from oasis.search.graph import AndOrGraph, Node
from oasis.store import StoreError
from tactics.goal import Goal
from tactics.script import Script
from tactics.uncollected import uncollected

if TYPE_CHECKING:
    from oasis.search.cache import GoalCache
    from oasis.search.picture import Drawing

_BETWEEN_LOOKS: Final = 0.002
"""Seconds between two looks at the limits."""
_BETWEEN_WORDS: Final = 0.1
"""Seconds between two times that it yields itself without anything new."""


class Proposals:
    """A policy over the moves of numbered goals.

    A goal is shown to the policy with names, as the state in which nothing else is open. Who knows nothing, the uniform
    policy, is not shown anything.

    Args:
        goals: numbers goals, and knows their moves.
        policy: is asked.

    Attributes:
        calls: goals about which it was asked.
        is_uniform: whether it is the uniform policy itself, whose answers need no question.
    """

    def __init__(self, goals: Goals, policy: Policy) -> None:
        self.goals, self.policy = goals, policy
        self.calls = 0
        self.is_uniform = type(policy) is Uniform
        self._shares: dict[int, list[float]] = {}

    def shares(self, number: int) -> list[float]:
        """A probability for each of `Goals.edges`; moves that a symmetry exchanges have theirs together."""
        known = self._shares.get(number)
        if known is None:
            if self.is_uniform:
                self.calls += 1
                known = self._shares[number] = self.goals.even_shares(number)
            else:
                self.ask([number])
                known = self._shares[number]
        return known

    def ask(self, numbers: Sequence[int]) -> None:
        """Ask the policy about all these goals at once, as far as it has not been asked about them.

        Raises InputError if it gives something else than a probability for each move, or fails.
        """
        asked = [number for number in dict.fromkeys(numbers) if number not in self._shares]
        self.calls += len(asked)
        if self.is_uniform:
            self._shares |= {number: self.goals.even_shares(number) for number in asked}
            return
        named = [self.goals.goal(number) for number in asked]
        answers = proposed(self.policy, [(goal,) for goal in named], LEGAL)
        for number, goal in zip(asked, named, strict=True):
            by_slot: dict[object, float] = {}
            for slot, share in zip(slots(goal).values(), answers[goal,].tolist(), strict=True):
                by_slot[slot] = by_slot.get(slot, 0.0) + share
            self._shares[number] = [by_slot[slot] for slot, _, _ in self.goals.edges(number)]


class Search(ABC):
    """A search for a proof of one goal, which keeps what it knows in an AND/OR graph of goals.

    Args:
        goal: to be proved.
        policy: proposes moves, and may value goals.
        cache: what is known of goals; None to begin with nothing and leave nothing.
        seed: of its chance.
        goals: shared with other searches, so that moves are worked out once for all of them.

    Attributes:
        graph: of goals, with what is known of them.
        root: the goal's node.
        expansions, seconds: used up so far.
        reason: why it stopped before it was over; empty if nothing kept it.
        ended_by: why it will never settle the goal, if so.
    """

    node: ClassVar[type[Node]] = Node
    """What it keeps of each goal."""
    between_checks: ClassVar[int] = 64
    """Expansions between two looks at whether the proof got shorter."""
    takes: ClassVar[tuple[str, ...]] = ()
    """Arguments of its own that a person can type: `workers`, `space`, `settings`."""

    def __init__(
        self,
        goal: Goal,
        policy: Policy | None = None,
        *,
        cache: GoalCache | None = None,
        seed: int = 0,
        goals: Goals | None = None,
    ) -> None:
        self.goal = goal
        self.cache = cache
        self.proposals = Proposals(Goals() if goals is None else goals, policy or Uniform())
        self.rng = SplitMix64.seeded(seed)
        self.expansions = 0
        self.seconds = 0.0
        self.reason = ""
        self._steps: Iterator[None] | None = None
        self.ended_by = ""
        self.graph = AndOrGraph(self.proposals.goals, cache, self.node)
        self.root = self.graph.reach(self.graph.goals.add(goal))

    @property
    def calls(self) -> int:
        """States about which the policy was asked."""
        return self.proposals.calls

    @property
    def status(self) -> Status:
        """What is known of the goal."""
        return self.root.status

    @property
    def length(self) -> int | None:
        """Moves of the shortest proof so far; None if there is none."""
        return None if self.root.slot is None else int(self.root.length)

    @property
    def bound(self) -> int:
        """Moves that every proof has at least."""
        return 1

    def script(self) -> Script | None:
        """The shortest proof so far; None if there is none."""
        return None if self.length is None else self.graph.script(self.goal)

    def drawing(self, most: int) -> Drawing:
        """A picture of so many goals that it reached, the proof among them."""
        from oasis.search.picture import drawing

        return drawing(self.graph, self.goal, most)

    def standing(self) -> list[tuple[str, ...]]:
        """A table of how it stands, the names of its columns first; nothing of a search that has none."""
        return []

    @abstractmethod
    def _search(self) -> Iterator[None]:
        """Search until there is nothing left to do; one item an expansion, counted by who yields it.

        What takes long and is no expansion yet may yield, too, so that it ends with the time.
        """

    @property
    def reached(self) -> int:
        """Goals, or states, that were reached."""
        return len(self.graph.nodes)

    def steps(self) -> Iterator[None]:
        """What is left of the search, one item an expansion: for who runs it within another search, and counts."""
        if self._steps is None:
            self._steps = type(self)._search(proxy(self))  # so that a search that is let go of is freed at once
        return self._steps

    @property
    def cost(self) -> Cost:
        """What it took so far."""
        return Cost(expansions=self.expansions, calls=self.calls, seconds=self.seconds)

    def run(self, budget: Budget, clock: Callable[[], float] = monotonic) -> Iterator[Self]:
        """Search until it is over or the budget is used up; yield itself where something changed, and now and then.

        When it has ended, `reason` says what was used up. Whoever stops asking stops the search. What an
        exception breaks off, such as KeyboardInterrupt, keeps what it found, and does not go on.

        Args:
            budget: of this run.
            clock: by which its seconds are counted, `time.process_time` where others share the machine.
        """
        limit = Limit(budget.seconds, budget.memory, clock)
        most = Budget(
            None if budget.expansions is None else self.expansions + budget.expansions,
            None if budget.calls is None else self.calls + budget.calls,
        )
        before, began = self.seconds, monotonic()
        self.reason, is_over = "", False
        try:
            while not is_over:
                with uncollected():  # what a search keeps it keeps to its end
                    is_over = self._advance(budget, limit, most)
                if not is_over:
                    self.seconds = before + monotonic() - began
                    self._keep()
                    yield self
        except LimitReached as reached:
            self.reason = str(reached)
        except (GeneratorExit, StoreError):
            raise  # from outside the search, which can go on
        except BaseException:
            self.ended_by = "it was broken off and cannot go on; begin it anew"
            raise
        finally:
            self.seconds = before + monotonic() - began
            self._keep()
        if self.status is OPEN:
            self.reason = self.reason or self.ended_by
        yield self

    def _advance(self, budget: Budget, limit: Limit, most: Budget) -> bool:
        """Search until there is something to say; gives whether this is that it is over, or the budget used up.

        Args:
            budget: of this run.
            limit: on its time and memory.
            most: expansions and calls of all runs together.
        """
        length, began, between_checks = self.length, monotonic(), self.between_checks
        look = began
        for _ in self.steps():
            expansions = self.expansions
            if most.expansions is not None and expansions >= most.expansions:
                self.reason = f"{budget.expansions:,} expansions were not enough"
                return True
            if most.calls is not None and self.calls >= most.calls:
                self.reason = f"{budget.calls:,} calls were not enough"
                return True
            if expansions % between_checks == 0 and self.length != length:
                return False
            if (now := monotonic()) > look:
                limit.check()
                if now - began > _BETWEEN_WORDS:
                    return False
                look = now + _BETWEEN_LOOKS
        return True

    def _keep(self) -> None:
        if self.cache is not None:
            self.cache.flush()
