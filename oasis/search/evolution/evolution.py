"""Evolutionary proof search: a population of drafts, rated against each other, of which the best are developed.

A round has three stages. Generation: parents are chosen by their ratings, and the policy goes on with them, they are
joined, or it begins anew. Verification: what is known of the new drafts' goals is looked up in the goal cache, and a
prover, a search with a small budget, is set on some of those that are open. Rating: a rater puts a few drafts at a time
in an order, and strengths are inferred from that (`oasis.search.evolution.rating`). So what is either proved or not
gets something that can be climbed. After AlphaProof Nexus (DeepMind 2026), whose prompts are three generators here.

Left out of it: the language models that write and judge drafts, for which there are policies and raters; sandboxes and
the referee at the end, since moves are legal by construction and a proof is certified by whoever asks for it; dates and
remote calls, and so time limits of single queries. The controller is asynchronous as there, but without an event loop
(`oasis.search.evolution.tasks` says why): the tasks of a stage go on side by side, an expansion each in turn, and what
they ask the policy in the same turn is one call. The stages follow one upon the other, because in one process nobody
gains by rating an old population while a new one is made. Each task has chance of its own, and results are taken in the
order in which the tasks were made; so the same seed gives the same result.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

import numpy as np

from oasis.ground.splitmix import SplitMix64
from oasis.play.exam import has_values
from oasis.play.policy import Policy, draw, equal_shares
from oasis.play.solving import OPEN, PROVED, REFUTED, Status
from oasis.search.cache import GoalCache
from oasis.search.evolution.drafts import HOLE, KNOWN, Draft, Line, Lines, filled, holes, parts, premises, up_to_date
from oasis.search.evolution.population import Population
from oasis.search.evolution.raters import Rater, Symbolic, Valued
from oasis.search.evolution.settings import Settings
from oasis.search.evolution.tasks import Task, side_by_side
from oasis.search.goals import Goals
from oasis.search.graph import Known
from oasis.search.search import Search
from tactics.goal import Goal

_SUSPENDED: Final = 64
"""Provers that are kept to go on where they were, those that were at work last."""
_Result = TypeVar("_Result")


class Evolution(Search):
    """Evolutionary proof search.

    Its expansions are the moves that are played in drafts, the parts of other drafts that are put into them, and the
    expansions of the provers.

    Args:
        goal, policy, cache, seed, goals: as of every search; without a cache it has one of its own.
        settings: of the evolution.
        rater: None for the policy's values, or, of a policy that has none, the number and the weight of open goals.

    Attributes:
        population: the drafts.
        rounds: that are over.
    """

    def __init__(
        self,
        goal: Goal,
        policy: Policy | None = None,
        *,
        cache: GoalCache | None = None,
        seed: int = 0,
        goals: Goals | None = None,
        settings: Settings | None = None,
        rater: Rater | None = None,
    ) -> None:
        self._finds = GoalCache() if cache is None else cache
        super().__init__(goal, policy, cache=self._finds, seed=seed, goals=goals)
        self.settings = settings or Settings()
        self.population = Population(self.settings)
        self.rounds = 0
        self._rater = rater
        self._made = 0
        self._length: int | None = None
        self._provers: dict[int, Search] = {}

    @property
    def length(self) -> int | None:
        """Moves of the proof that was found; None if there is none."""
        if self.root.status is PROVED and self._length is None:
            self._length = self.graph.measure(self.root)
        return self._length

    def _search(self) -> Iterator[None]:
        for _ in self._evolve():
            self.expansions += 1
            yield
            if self.root.status is not OPEN:
                return

    def _evolve(self) -> Iterator[None]:
        """Go through the rounds until the lemma is settled; one item an expansion."""
        yield from self._verify([Draft(self._lemma, "lemma")])
        while self.root.status is OPEN:
            plans = [self._plan() for _ in range(self.settings.offspring)]
            children = yield from self._together([self._child(*plan) for plan in plans])
            yield from self._verify([child for child in children if child is not None])
            if self.root.status is OPEN:
                self._rate()
                self.rounds += 1

    # Generation

    @property
    def _lemma(self) -> Lines:
        return (Line(self.root.number, HOLE),)

    def _stream(self) -> SplitMix64:
        """Chance for a task."""
        return SplitMix64.seeded(self.rng.next())

    def _plan(self) -> tuple[str, Draft | None, SplitMix64]:
        """How the next new draft is to come about, from which one, and by which chance."""
        generators = self.settings.generators
        generator = generators[self.rng.below(len(generators))]
        parent = None if generator == "anew" else self.population.select(self.rng)
        return generator, parent, self._stream()

    def _child(self, generator: str, parent: Draft | None, rng: SplitMix64) -> Task[Draft | None]:
        """A new draft; None if it came to a goal without moves, and nobody remembers that."""
        edits = self.settings.edits // self.settings.offspring
        parents = () if parent is None else (parent.number,)
        lines: Lines | None = self._lemma if parent is None else parent.lines
        assert lines is not None
        if generator == "recombine":
            lines, donors = yield from self._recombined(lines, edits, rng)
            if donors:
                return Draft(lines, generator, (*parents, *donors))
            generator = "continue"  # nobody had anything to give
        lines = yield from self._continued(lines, edits, rng)
        return None if lines is None else Draft(lines, generator, parents)

    def _recombined(self, lines: Lines, edits: int, rng: SplitMix64) -> Task[tuple[Lines, list[int]]]:
        """Fill open goals with what drafts have for them, proofs where there are any; and the numbers of the drafts."""
        wanted = {lines[place].goal for place in holes(lines)}
        offers: dict[int, list[tuple[int, Lines]]] = {}
        for draft in self.population.drafts:
            for goal, part in parts(self.graph.goals, draft.lines, wanted):
                offers.setdefault(goal, []).append((draft.number, part))
        donors: list[int] = []
        for place in reversed(holes(lines)):  # so that the places before it stay what they are
            offered = offers.get(lines[place].goal, [])
            proofs = [offer for offer in offered if not holes(offer[1])]
            offered = proofs or offered
            if offered and len(donors) < edits:
                donor, part = offered[rng.below(len(offered))]
                lines = filled(lines, place, part)
                donors.append(donor)
                yield None
        return self._revised(lines), donors

    def _continued(self, lines: Lines, edits: int, rng: SplitMix64) -> Task[Lines | None]:
        """Let the policy play on open goals, one after the other; None if it is stuck, and nobody remembers that."""
        lines = self._revised(lines)
        while edits and self._is_open(self.root.number) and (open_places := holes(lines)):
            place = open_places[rng.below(len(open_places))]
            part, edits = yield from self._played(lines[place].goal, edits, rng)
            if part is None:
                return None
            lines = self._revised(filled(lines, place, part))
        return lines

    def _played(self, goal: int, edits: int, rng: SplitMix64) -> Task[tuple[Lines | None, int]]:
        """The lines of a goal after a play from left to right, and the edits that are left."""
        part: Lines = (Line(goal, HOLE),)
        while edits and self._is_open(goal) and (open_places := holes(part)):
            edits -= 1
            line = yield from self._move(part[open_places[0]].goal, rng)
            if line is not None:
                left = [Line(premise, HOLE) for premise in premises(self.graph.goals, line)]
                part = filled(part, open_places[0], [line, *left])
            elif not self.settings.remembers:
                return None, edits
            part = self._revised(part)
        return part, edits

    def _move(self, goal: int, rng: SplitMix64) -> Task[Line | None]:
        """The policy's move on a goal, none that is known to be in vain; None if there is none left to try."""
        node = self.graph.reach(goal)
        edges = self.graph.expand(node) if self.settings.remembers else self.graph.goals.edges(goal)
        yield None
        if not (self._is_open(goal) and edges):
            return None
        yield goal
        if not self._is_open(goal):  # somebody else has found out
            return None
        is_left = np.array([not node.dead >> move & 1 for move in range(len(edges))])
        move = draw(np.where(is_left, self.proposals.shares(goal), 0.0), rng)
        if move is None:  # the policy would play nothing of what is left
            move = draw(np.where(is_left, equal_shares(len(edges)), 0.0), rng)
        assert move is not None
        return Line(goal, move)

    # Verification

    def _verify(self, children: Sequence[Draft]) -> Iterator[None]:
        """Set the prover on open goals of new drafts, take the drafts in, and bring all of them up to date."""
        asked: dict[object, tuple[Draft, int]] = {}
        for child in children:
            child.number, self._made = self._made, self._made + 1
            child.lines = self._revised(child.lines)
            for place in holes(child.lines):
                asked.setdefault(child.lines[place].goal if self.settings.remembers else (child, place), (child, place))
        pool = list(asked.values())
        chosen = [pool.pop(self.rng.below(len(pool))) for _ in range(min(self.settings.queries, len(pool)))]
        goals = [child.lines[place].goal for child, place in chosen]
        answers = yield from self._together([self._query(goal, self.rng.next()) for goal in goals])
        refuted: set[Draft] = set()
        if not self.settings.remembers:
            for (child, place), goal, answer in zip(chosen, goals, answers, strict=True):
                if answer is PROVED:
                    child.lines = filled(child.lines, place, [Line(goal, KNOWN)])
                elif answer is REFUTED:
                    refuted.add(child)
        for child in children:
            child.lines = self._revised(child.lines)
            if child not in refuted and self.population.admit(child) and not holes(child.lines):
                self._conclude(child.lines)
        self.population.revise(self._revised)

    def _query(self, goal: int, seed: int) -> Task[Status]:
        """What a prover finds out about a goal."""
        node = self.graph.reach(goal)
        prover = self._provers.pop(goal, None) or self._prover(goal, seed)
        for _ in islice(prover.steps(), self.settings.expansions):
            yield None
            if not self._is_open(goal):
                break
        if prover.status is OPEN and self.settings.remembers:
            self._provers[goal] = prover
            while len(self._provers) > _SUSPENDED:
                del self._provers[next(iter(self._provers))]
        return prover.status if self.graph.recall(node) is prover.status else OPEN  # a full cache takes nothing in

    def _prover(self, goal: int, seed: int) -> Search:
        goals = self.graph.goals
        cache = self._finds if self.settings.remembers else _Unread(self._finds)
        prover = self.settings.prover(goals.goal(goal), cache=cache, seed=seed, goals=goals)
        prover.proposals = self.proposals  # what the policy said is not asked twice
        return prover

    def _conclude(self, lines: Lines) -> None:
        """Let the graph know of a draft without open goals."""
        for goal, move in lines:
            node = self.graph.reach(goal)
            if self.graph.recall(node) is OPEN and move >= 0:
                self.graph.expand(node)

    def _revised(self, lines: Lines) -> Lines:
        return up_to_date(self.graph, lines) if self.settings.remembers else lines

    def _is_open(self, goal: int) -> bool:
        """Whether nothing is known of a goal, or nobody remembers it."""
        return not self.settings.remembers or self.graph.reach(goal).status is OPEN

    # Rating

    def _rate(self) -> None:
        """Hold the matches of a round, and work out the ratings."""
        for _ in range(self.settings.matches):
            drafts = self.population.invite(self.rng)
            self.population.report(drafts, self._match(drafts))
        self.population.rate(self.rng)

    def _match(self, drafts: Sequence[Draft]) -> list[int]:
        states = [tuple(map(self.graph.goals.goal, draft.open)) for draft in drafts]
        if self._rater is None:
            policy = self.proposals.policy
            self._rater = Valued(policy) if has_values(policy) else Symbolic()
        if isinstance(self._rater, Valued):
            self.proposals.calls += len({goal for state in states for goal in state})
        return self._rater.rank(states)

    def _together(self, tasks: Sequence[Task[_Result]]) -> Generator[None, None, list[_Result]]:
        return side_by_side(tasks, self.proposals.ask)


class _Unread(GoalCache):
    """A goal cache into which finds are put, and which tells nothing."""

    def __init__(self, cache: GoalCache) -> None:
        super().__init__()
        self._cache = cache

    def get(self, key: bytes) -> Known | None:
        return None

    def put(self, key: bytes, known: Known) -> None:
        self._cache.put(key, known)
