"""A search as a solver: it tries one lemma after the other, and may go on to shorter proofs when it has found one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from oasis.ground.names import SEARCHES
from oasis.play.policy import Policy, Uniform
from oasis.play.solving import LONGEST, PROVED, REFUTED, STOPPED, Attempt, Budget, Cost, NoProof, OneByOne, Step
from oasis.play.writing import Written
from oasis.search.ao_star import AOStar
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals
from oasis.search.graph import CacheError
from oasis.search.rollouts.players import Players, Processes
from oasis.search.rollouts.search import RolloutSearch
from oasis.search.search import Search
from oasis.store import StoreError
from tactics.formula import Formula
from tactics.goal import initial


@dataclass(kw_only=True)
class Searching(OneByOne):
    """Searches for a proof of each lemma with the help of a policy.

    Attributes:
        name: of the search, one of `SEARCHES`.
        policy: proposes moves, and may value goals.
        seed: of the chance of each search.
        shorter: whether to look for shorter proofs until there is none, or the budget is used up.
        cache: what is known of goals; None to know nothing of one lemma's goals in the next.
        longest: moves of the longest script that is written down.
        doubts: whether a lemma has a proof after all, as far as somebody else knows; asked about those it refutes.
        say: is told, in a sentence, of what does not go as usual.
        options: arguments that this search takes beside those of all (`Search.takes`).
        last: the search that came furthest with the lemma that was tried last, of which a picture can be drawn.
    """

    name: str
    policy: Policy
    seed: int = 0
    shorter: bool = False
    cache: GoalCache | None = None
    longest: int = LONGEST
    doubts: Callable[[Formula], bool] = lambda lemma: False
    say: Callable[[str], object] = lambda sentence: None
    options: Mapping[str, Any] = field(default_factory=dict)
    last: Search | None = None
    _goals: Goals = field(default_factory=Goals)
    _players: Mapping[str, Players] = field(default_factory=dict)

    @property
    def counts(self) -> Sequence[str]:
        """The costs that show its progress; tokens among them if whole proofs are written."""
        return ("expansions", "calls", *(["tokens"] if isinstance(self.policy, Written) else []), "seconds")

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        """Yield how far it is with which lemma; rollouts of several workers are played in processes meanwhile."""
        workers = self.options.get("workers") or 1
        is_elsewhere = issubclass(SEARCHES.find(self.name), RolloutSearch) and workers > 1
        is_elsewhere &= not isinstance(self.policy, Written | Uniform)  # who writes side by side; who costs nothing
        with Processes(workers) if is_elsewhere else nullcontext() as players:
            self._players = {} if players is None else {"players": players}
            yield from super().trying(lemmas, budget)

    def trying_one(self, lemma: Formula, budget: Budget) -> Generator[Attempt, None, None]:
        """Search for a proof of a lemma, and then for shorter ones if they are wanted.

        Raises CacheError if what the cache holds of it is wrong, which it is only if something else changed it.
        """
        cache, goals = (GoalCache(), Goals()) if self.cache is None else (self.cache, self._goals)
        (goal,) = initial(lemma)
        kind: type[Search] = SEARCHES.find(self.name)
        self.last = search = kind(
            goal, self.policy, cache=cache, seed=self.seed, goals=goals, **self.options, **self._players
        )
        reason = yield from self._followed(search, lemma, budget, Cost())
        spent, bound = search.cost, search.bound
        if self.shorter and search.status is PROVED and reason != STOPPED:
            shortest = AOStar(goal, self.policy, cache=cache, seed=self.seed, goals=goals)
            reason = yield from self._followed(shortest, lemma, budget.without(spent), spent)
            spent, bound = spent + shortest.cost, shortest.bound
            if shortest.length is not None and (search.length is None or shortest.length <= search.length):
                self.last = search = shortest
        if search.status is REFUTED and self.doubts(lemma):
            raise CacheError("The goal cache refutes a theorem: something else changed it; use another --db, or none.")
        try:
            yield self._attempt(search, lemma, spent, bound, reason, with_script=True)
        except NoProof as error:
            raise CacheError(
                "The goal cache holds a proof that is none: something else changed it; take another --db."
            ) from error

    def _followed(self, search: Search, lemma: Formula, budget: Budget, before: Cost) -> Generator[Attempt, None, str]:
        """Run a search, yielding how far it is; return why it ended before it was over, nothing if it did not."""
        try:
            for _ in search.run(budget):
                yield self._attempt(search, lemma, before + search.cost, search.bound, "", with_script=False)
        except KeyboardInterrupt:
            return STOPPED
        except StoreError as error:
            self.say(f"What was found out about goals is not kept. {error}")
            return "what was found out could not be kept"
        return search.reason

    def _attempt(
        self, search: Search, lemma: Formula, cost: Cost, bound: int, reason: str, *, with_script: bool
    ) -> Attempt:
        is_written = with_script and search.length is not None and search.length <= self.longest
        return Attempt(
            lemma=lemma,
            by=self.name,
            status=search.status,
            script=search.script() if is_written else None,
            length=search.length,
            bound=bound,
            cost=cost,
            reason=reason,
        )
