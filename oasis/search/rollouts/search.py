"""What searches by rollouts have in common: they ask for rollouts, count them, and take in what came of them.

A search by rollouts tries whole proofs, and does not put together the halves of two. So its AND/OR graph holds, beside
what the goal cache knew, only the goals of proofs that were found, whereby they come into the cache.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, NamedTuple

from oasis.play.actions import LEGAL, ActionSpace
from oasis.play.exam import MAX_STEPS
from oasis.play.policy import Policy
from oasis.play.solving import OPEN, PROVED, REFUTED, Cost
from oasis.play.writing import Written
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals
from oasis.search.rollouts.play import Job, Rollout
from oasis.search.rollouts.players import Here, Players
from oasis.search.rollouts.writers import Writers
from oasis.search.search import Search
from tactics.errors import InputError
from tactics.goal import Goal, State
from tactics.rules import apply
from tactics.script import Script

TOGETHER: Final = 16
"""Whole proofs that are written at once: a language model writes many in hardly more time than one."""
Key = tuple[int, ...]
"""The numbers of a state's goals, in their order: two equal goals are two."""


class Arrival(NamedTuple):
    """A state as the goal cache leaves it.

    Attributes:
        moves: those that close the first goals, as far as proofs of them are known.
        state: what they leave.
        key: of this state.
        is_refuted: whether one of its goals is known to have no proof.
    """

    moves: tuple[Any, ...]
    state: tuple[Any, ...]
    key: Key
    is_refuted: bool


class RolloutSearch(Search):
    """A search by rollouts of a policy.

    Args:
        goal, policy, cache, seed, goals: as for every search; the policy's probabilities are those of `space`.
        space: the actions on offer; a rollout ends with the first that does not apply.
        workers: rollouts that run at once, at least 1; None for one, or for `TOGETHER` if the policy is to write.
        max_steps: decisions of the policy after which a rollout is cut short, at least 1.
        players: who plays the rollouts. What is found does not depend on it, unless there is a cache: of that only
            rollouts in this process make use while they run. None for this process, or for the policy itself if it is
            to write whole proofs.

    Attributes:
        rollouts: that were played to their end.
        is_written: whether they are whole proofs that the policy writes.
    """

    takes = ("space", "workers")

    def __init__(
        self,
        goal: Goal,
        policy: Policy | None = None,
        *,
        cache: GoalCache | None = None,
        seed: int = 0,
        goals: Goals | None = None,
        space: ActionSpace = LEGAL,
        workers: int | None = None,
        max_steps: int = MAX_STEPS,
        players: Players | None = None,
    ) -> None:
        self.is_written = isinstance(policy, Written)
        workers = workers if workers is not None else TOGETHER if self.is_written else 1
        for name, value in (("workers", workers), ("max_steps", max_steps)):
            if value < 1:
                raise InputError(f"{name} must be at least 1, not {value}.")
        super().__init__(goal, policy, cache=cache, seed=seed, goals=goals)
        self.space, self.workers, self.max_steps = space, workers, max_steps
        self.rollouts = 0
        writers = Writers(policy.author, policy.writing, goal) if isinstance(policy, Written) else None
        self._players = players or writers or Here()
        self._asked = self._tokens = 0
        self._numbers: dict[Goal, int] = {}

    @property
    def calls(self) -> int:
        """States about which the policy was asked; rollouts that are in the same state at once share an answer."""
        return self._asked

    @property
    def cost(self) -> Cost:
        """What it took so far, and what was written."""
        return super().cost + Cost(tokens=self._tokens)

    def arrive(self, state: State) -> Arrival:
        """A state without the first goals that have a known proof."""
        moves: Script = ()
        if self.cache is not None:
            reach = self.graph.reach
            while state and reach(self._number(state[0])).status is PROVED:
                moves, state = moves + self.graph.script(state[0]), state[1:]
            is_refuted = any(reach(self._number(goal)).status is REFUTED for goal in state)
        else:
            is_refuted = False
        return Arrival(moves, state, tuple([self._number(goal) for goal in state]), is_refuted)

    def _play(self, jobs: Sequence[Job]) -> Generator[None, None, list[Rollout]]:
        """Have jobs played; one item a decision, counted, and one wherever an author of whole proofs can be stopped."""
        look = None if self.cache is None else self._look
        playing = self._players.play(self.proposals.policy, self.space, jobs, look)
        while True:
            try:
                tick = next(playing)
            except StopIteration as ended:
                rollouts: list[Rollout] = ended.value
                self.rollouts += len(rollouts)
                return rollouts
            self._asked += tick.calls
            self._tokens += tick.tokens
            if not tick.decisions:
                yield
            for _ in range(tick.decisions):
                self.expansions += 1
                yield

    def _take_in(self, script: Script) -> None:
        """Take in a proof of the goal, and hand what is proved by it to the cache."""
        state: State = (self.goal,)
        for move in script:
            node = self.graph.reach(self._number(state[0]))
            if node.status is OPEN:
                self.graph.expand(node)
            state = apply(state, move)
        if self.root.status is OPEN:  # some goal was too symmetric to be recognised under other names
            self.graph.prove_again(self.goal)
        assert not state and self.root.status is PROVED

    def _look(self, state: State) -> tuple[Script, State] | None:
        moves, left, _, is_refuted = self.arrive(state)
        return None if is_refuted else (moves, left)

    def _number(self, goal: Goal) -> int:
        number = self._numbers.get(goal)
        if number is None:
            number = self._numbers[goal] = self.graph.goals.add(goal)
        return number
