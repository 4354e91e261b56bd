"""The controller of an evolution: generation, proving and rating overlap in one event loop (`evolution` says how).

It does not know the search that it belongs to, which can so be let go of at any time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from functools import partial

import numpy as np

from oasis.ground.names import SEARCHES
from oasis.ground.overlap import Job, Overlap, Task, counted, side_by_side
from oasis.ground.rankings import posterior
from oasis.ground.splitmix import SplitMix64
from oasis.play.choices import Evolving
from oasis.play.policy import draw, equal_shares
from oasis.play.solving import OPEN, PROVED
from oasis.search.cache import GoalCache
from oasis.search.evolution.drafts import Draft, Lines, filled, forced, holes, opened, played, up_to_date
from oasis.search.evolution.generators import GENERATORS, Ground
from oasis.search.evolution.pool import Asked, Provers, pool, prove
from oasis.search.evolution.population import Population
from oasis.search.evolution.raters import Rater, Valued, rater_named
from oasis.search.graph import AndOrGraph, Node
from oasis.search.search import Proposals
from tactics.errors import InputError

_Made = asyncio.Queue[list[Draft]]


class Controller:
    """What goes on in an evolution.

    Args:
        graph, root: of goals, and the lemma.
        cache: of what is found out.
        proposals: what the policy says.
        rng: where chance comes from.
        settings: of the evolution.
        rater: None for the one that the settings name.

    Attributes:
        population: the drafts.
        lineage: all drafts that ever were in the population, in the order in which they came about.
        rounds: that are over.
    """

    def __init__(
        self,
        graph: AndOrGraph,
        root: Node,
        cache: GoalCache,
        proposals: Proposals,
        rng: SplitMix64,
        settings: Evolving,
        rater: Rater | None,
    ) -> None:
        self.settings, self.population, self.rounds = settings, Population(settings), 0
        self.lineage: list[Draft] = []
        self._graph, self._root, self._cache, self._proposals, self._rng = graph, root, cache, proposals, rng
        self._rater = rater or rater_named(settings.rater, proposals.policy)
        self._ground = Ground(graph, root.number, self.population)
        self._prover = SEARCHES.find(settings.prover, "--prover")
        self._provers = Provers(self._prover, proposals, cache)
        self._latest = Draft(opened(graph.goals, root.number), "lemma")
        self._never_asked = {line.goal for line in self._latest.lines}
        self._judged: set[int] = set()

    def steps(self, workers: int) -> Iterator[int]:
        """Go through the rounds until the lemma is settled; an item an expansion, and now and then one of none.

        Args:
            workers: 1 to do everything here; otherwise how many processes prove and rate.

        Raises InputError if a process dies.
        """
        processes = pool(workers, self._prover, self._proposals.policy) if workers > 1 else None
        try:
            with Overlap(processes) as overlap:
                for expansions in overlap.steps(self._rounds(overlap)):
                    yield expansions
                    if self._root.status is not OPEN:
                        break
        except BrokenExecutor as error:
            raise InputError("A process of the evolution has died; ask for fewer --workers.") from error
        finally:
            if processes is not None:
                processes.shutdown(wait=False, cancel_futures=True)
        if self._latest.number < 0:  # it settled the lemma before it was complete
            self._enlist(self._latest)

    def led(self) -> list[Draft]:
        """Return the draft that led to the proof and those that it comes from; none while there is no proof."""
        found = [self._latest] if self._root.status is PROVED else []
        for draft in found:
            found += [parent for parent in draft.parents if parent not in found]
        return found

    async def _rounds(self, overlap: Overlap) -> None:
        made, due = _Made(1), asyncio.Event()
        self._admit([self._latest])
        works = self._generating(overlap, made), self._proving(overlap, made, due), self._rating(overlap, due)
        await asyncio.gather(*works)

    async def _generating(self, overlap: Overlap, made: _Made) -> None:
        """Make the drafts of one round after the other, one round ahead."""
        while True:
            tasks = [self._child(*self._plan()) for _ in range(self.settings.offspring)]
            await made.put(await overlap.done(side_by_side(tasks, self._proposals.ask)))

    async def _proving(self, overlap: Overlap, made: _Made, due: asyncio.Event) -> None:
        """Set the prover on open goals of new drafts, and take the drafts in."""
        while True:
            children = await made.get()
            asked = [self._ask(overlap, question) for question in self._questions(children)]
            await asyncio.gather(*asked)
            self._admit(children)
            self.rounds += 1
            if self.rounds % self.settings.every == 0:
                due.set()

    async def _rating(self, overlap: Overlap, due: asyncio.Event) -> None:
        """Rate the drafts whenever that is due."""
        settings, population = self.settings, self.population
        while True:
            await due.wait()
            due.clear()
            for _ in range(settings.matches):
                await overlap.done(self._match())
            drafts = list(population.drafts)
            chance = np.random.default_rng(self._rng.next())
            rated = partial(posterior, samples=settings.draws, burn_in=settings.burn_in, start=population.last())
            drawn = await overlap.worked(rated, len(drafts), population.rankings(), chance)
            before = {*population.drafts}
            population.rate(drafts, drawn)
            for draft in before.difference(population.drafts):
                draft.lines = ()

    # Generation

    def _plan(self) -> tuple[str, SplitMix64]:
        """How the next new draft is to come about, and by which chance."""
        generators = self.settings.generators
        return generators[self._rng.below(len(generators))], SplitMix64.seeded(self._rng.next())

    def _child(self, generator: str, rng: SplitMix64) -> Task[int, Draft]:
        """A new draft, in which the policy has played on."""
        child = GENERATORS[generator](self._ground, rng) or GENERATORS["continue"](self._ground, rng)
        assert child is not None  # as there is always something to go on with
        self._revise(child)
        for _ in range(self.settings.edits // self.settings.offspring):
            places = holes(child.lines)
            if not places:
                break
            place = places[rng.below(len(places))]
            part = yield from self._move(child.lines[place].goal, rng)
            child.lines = filled(self._graph.goals, child.lines, place, part)
            self._revise(child)
        return child

    def _move(self, goal: int, rng: SplitMix64) -> Task[int, Lines]:
        """The lines of an open goal on which a move is played: one that cannot lose, or the policy's."""
        node, goals = self._graph.reach(goal), self._graph.goals
        place = forced(goals, goal)
        edges = self._graph.expand(node)
        yield None
        if place is None and node.status is OPEN:
            yield goal
        if node.status is not OPEN:  # it may also have been settled beside this while the policy was asked
            return opened(goals, goal)
        if place is None:
            is_left = np.array([not node.dead >> move & 1 for move in range(len(edges))])
            place = draw(np.where(is_left, self._proposals.shares(goal), 0.0), rng)
            if place is None:  # the policy would play nothing of what is left
                place = draw(np.where(is_left, equal_shares(len(edges)), 0.0), rng)
            assert place is not None
        return played(goals, goal, place)

    # Proving

    def _questions(self, children: Sequence[Draft]) -> list[Asked]:
        """Return what the prover is asked about new drafts, by lot; never the lemma."""
        for child in children:
            self._revise(child)
        open_goals = dict.fromkeys(child.lines[place].goal for child in children for place in holes(child.lines))
        asked = [goal for goal in open_goals if goal not in self._never_asked]
        chosen = [asked.pop(self._rng.below(len(asked))) for _ in range(min(self.settings.queries, len(asked)))]
        goal = self._graph.goals.goal
        return [(goal(number), self._rng.next(), self.settings.expansions) for number in chosen]

    async def _ask(self, overlap: Overlap, asked: Asked) -> None:
        """Have a prover find out about a goal."""
        if overlap.processes is None:
            await overlap.done(self._provers.steps(asked))
            return
        finds, expansions, calls = await overlap.worked(prove, asked)
        self._proposals.calls += calls
        for key, known in finds:
            self._cache.put(key, known)
        await overlap.done(counted(expansions))

    def _admit(self, children: Sequence[Draft]) -> None:
        """Take new drafts in, and bring all of them up to date."""
        for child in children:
            self._revise(child)
            if self.population.admit(child):
                self._enlist(child)
        for draft in self.population.drafts:
            self._revise(draft)
        self.population.join_equals()

    def _enlist(self, draft: Draft) -> None:
        draft.number = len(self.lineage)
        self.lineage.append(draft)

    def _revise(self, draft: Draft) -> None:
        """Bring a draft up to date with what is known, and with models that refute open goals."""
        graph, judged = self._graph, self._judged
        if self._root.status is OPEN:
            self._latest = draft
        for number in sorted({draft.lines[place].goal for place in holes(draft.lines)} - judged):
            judged.add(number)
            node = graph.reach(number)
            is_new = graph.recall(node) is OPEN and node.edges is None
            if is_new and self._ground.models.refute(graph.goals.goal(number)):
                graph.refute(node)
        draft.lines = up_to_date(graph, draft.lines)

    # Rating

    def _match(self) -> Job[None]:
        drafts = self.population.invite(self._rng)
        states = [tuple(map(self._graph.goals.goal, draft.open)) for draft in drafts]
        if isinstance(self._rater, Valued):
            self._proposals.calls += len({goal for state in states for goal in state})
        self.population.report(drafts, self._rater.rank(states))
        yield 0
