"""Evolutionary proof search: a population of drafts, rated against each other, of which the best are developed.

Drafts are partial proof trees (`drafts`). Three kinds of work overlap. *Generation*: a generator makes a new draft of
one or two that are chosen by their ratings (`generators`), and the policy plays on in it. *Proving*: the goals that the
new drafts of a round leave open are judged by countermodels; what is known of them is looked up in the goal cache; and
a prover, a search with a small budget, is set on some. It is never set on the lemma itself, nor on what moves that
cannot lose make of it: a proof comes about through drafts alone. *Rating*: every few rounds a rater puts a few drafts
at a time in an order, and strengths are inferred from that (`rating`), from where the last inference ended. So what is
either proved or not gets something that can be climbed. After AlphaProof Nexus (DeepMind 2026).

One event loop holds the three together: while the drafts of a round are proved, those of the next are made, and ratings
come when they are ready. With one worker what they ask for is done here, one thing at a time in the order in which it
was asked, and an expansion at a time, so the search can stop after any, lie still, and go on; the same seed gives the
same run. With several, processes prove and rate meanwhile (`pool`), and what is done first is a matter of chance: the
same seed then gives another run, and every proof is replayed all the same.

Left out of what is published: language models that write drafts, for which there are policies; sandboxes and the
referee at the end, since moves are legal by construction and a proof is certified by whoever asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from oasis.play.choices import Evolving
from oasis.play.policy import Policy
from oasis.play.solving import OPEN, PROVED
from oasis.search.cache import GoalCache
from oasis.search.evolution.controller import Controller
from oasis.search.evolution.raters import Rater
from oasis.search.goals import Goals
from oasis.search.picture import Dot, Drawing
from oasis.search.search import Search
from tactics.errors import InputError
from tactics.goal import Goal
from tactics.printer import UNICODE
from tactics.sequent import show_state


class Evolution(Search):
    """Evolutionary proof search.

    Its expansions are the moves that are played in drafts and the expansions of the provers.

    Args:
        goal, policy, cache, seed, goals: as of every search; without a cache it has one of its own.
        settings: of the evolution.
        rater: None for the one that the settings name.
        workers: 1 to do everything here; otherwise how many processes prove and rate.

    Attributes:
        population: the drafts.
        lineage: all drafts that ever were in the population, in the order in which they came about.
    """

    takes = ("settings", "workers")

    def __init__(
        self,
        goal: Goal,
        policy: Policy | None = None,
        *,
        cache: GoalCache | None = None,
        seed: int = 0,
        goals: Goals | None = None,
        settings: Evolving | None = None,
        rater: Rater | None = None,
        workers: int = 1,
    ) -> None:
        if workers < 1:
            raise InputError(f"workers must be at least 1, not {workers}.")
        cache = GoalCache() if cache is None else cache
        super().__init__(goal, policy, cache=cache, seed=seed, goals=goals)
        self._controller = Controller(
            self.graph, self.root, cache, self.proposals, self.rng, settings or Evolving(), rater
        )
        self.population, self.lineage = self._controller.population, self._controller.lineage
        self._workers = workers
        self._length: int | None = None

    @property
    def rounds(self) -> int:
        """Rounds that are over."""
        return self._controller.rounds

    @property
    def length(self) -> int | None:
        """Moves of the proof that was found; None if there is none."""
        if self.root.status is PROVED and self._length is None:
            self._length = self.graph.measure(self.root)
        return self._length

    def drawing(self, most: int) -> Drawing:
        """The lineage: each draft below the one that it was made from, and those that led to a proof."""
        led, living = self._controller.led(), {*self.population.drafts}
        shown = sorted(dict.fromkeys([*led, *self.lineage][:most]), key=lambda draft: draft.number)
        place = {draft: number for number, draft in enumerate(shown)}
        dots, again = [], []
        for draft in shown:
            above, *others = [place[parent] for parent in draft.parents if parent in place] or [0]
            left = show_state(tuple(map(self.graph.goals.goal, draft.open)), UNICODE)
            words = f"{draft.number}: Elo {draft.elo:.0f}, chosen {draft.visits} times; {left}"
            status, parent = PROVED if draft in led else OPEN, above if place[draft] else None
            dots.append(Dot(words, status, parent, draft.generator, draft not in living, draft in led))
            again += [(other, place[draft]) for other in others]
        return Drawing(tuple(dots), tuple(again), len(self.lineage) - len(shown), "draft")

    def standing(self) -> list[tuple[str, ...]]:
        """The drafts by their Elo numbers, the best first, below what stands in each column."""
        rows: list[tuple[str, ...]] = [("draft", "Elo", "chosen", "open goals", "made by", "of")]
        for draft in sorted(self.population.drafts, key=lambda draft: (-draft.elo, draft.number)):
            numbers = f"{draft.number}", f"{draft.elo:.0f}", f"{draft.visits}", f"{len(draft.open)}"
            rows.append((*numbers, draft.generator, " + ".join(str(parent.number) for parent in draft.parents)))
        return rows

    def _search(self) -> Iterator[None]:
        for expansions in self._controller.steps(self._workers):
            self.expansions += expansions
            yield
