"""Who makes the plays that are learned from: the policy alone, from the beginning, or a search in which it plays.

In a search each play of a lemma begins where the tree of RMaxTS (Xin et al. 2024, arXiv 2408.08152) sends it: with the
moves of an earlier play up to a state from which something new is to be expected. From there on the policy plays, and
what it comes to becomes part of the tree. So there are as many whole plays as without a search, and what was tried and
failed is among them. A network that writes freely goes on so from where an earlier proof is cut, before its first fault
(truncate and resume).

Such plays are off-policy in where they begin, and only in that. The moves that were given are paid for with the play,
but nothing is learned from them: counted are the choices that the policy drew itself, with the probabilities that it
drew them by. What comes after such a choice is drawn by the policy as well, so each of them is worth what it would be
without a search, and no weight has to put it right. Labels (`outcomes`) come from all choices.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from oasis.ground.splitmix import SplitMix64
from oasis.neural.reinforcement.goals import Goals
from oasis.neural.reinforcement.rollouts import Plays, State, played
from oasis.neural.training.data import Example
from oasis.search.rmaxts.tree import Selection, Tree
from oasis.search.rollouts.play import Step
from oasis.search.rollouts.search import Arrival

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.random import Generator

    from tactics.formula import Formula


def sampled(sampler: str, goals: Goals, lemmas: Sequence[Formula], group: int, rng: Generator, **how: Any) -> Plays:
    """So many plays of each lemma.

    Args:
        sampler: one of `oasis.neural.training.settings.SAMPLERS`.
        goals: judges them.
        lemmas: to be proved.
        group: plays of each.
        rng: draws the moves, and where the search has no preference.
        how: the other arguments of `played`.
    """
    if sampler == "plays" or not lemmas:
        return played(goals, lemmas, group, rng=rng, **how)
    searches = [_Search(goals, lemma, int(rng.integers(1 << 63))) for lemma in lemmas]
    found: list[Plays] = []
    for _ in range(group):
        plays = played(goals, lemmas, rng=rng, given=[search.begin() for search in searches], **how)
        for play, (search, places) in enumerate(zip(searches, plays.split(plays.place), strict=True)):
            search.take_in(places.tolist(), plays.walked(play)[1], is_cut=bool(plays.is_cut[play]))
        found.append(plays)
    return reduce(partial(Plays.followed_by, again=True), found)


def tried(plays: Plays) -> dict[int, dict[int, bool]]:
    """Return, for each goal, which moves plays tried there, and whether a play proved the goal by each of them.

    Goals are given by their numbers, in the order in which plays came to them, and moves by their places. Goals at
    which plays had no choice, or which the network did not look at, are left out.
    """
    found: dict[int, dict[int, bool]] = {}
    for choice in np.flatnonzero(plays.goals.seen(plays.goal)):
        goal, place = int(plays.goal[choice]), int(plays.place[choice])
        of_goal = found.setdefault(goal, {})
        of_goal[place] = of_goal.get(place, False) or bool(plays.closed[choice])
    return found


def outcomes(plays: Plays) -> list[Example]:
    """What plays tell of each goal at which they had a choice, for who learns from labels.

    A goal is held to be provable if a play proved it, and a move to keep it if a play proved the goal by it. Of moves
    that no play tried nobody knows. So a label that says yes is true; one that says no may be a play that went wrong
    later on.
    """
    found: list[Example] = []
    for number, closes in tried(plays).items():
        met, proved = plays.goals.all[number], any(closes.values())
        is_mixed = proved and not all(closes.values())
        keeps = tuple(map(closes.get, range(len(met.options)))) if is_mixed else ()
        found.append(Example(met.formulas, proved, met.options if is_mixed else (), keeps))
    return found


class _Search:
    """The tree of the states to which the plays of a lemma came."""

    def __init__(self, goals: Goals, lemma: Formula, seed: int) -> None:
        self._goals = goals
        root = self._arrival(goals.settled([goals.met((lemma,))]))
        self._tree = Tree(root, self._arrival, self._followers, SplitMix64.seeded(seed))
        self._selected: Selection

    def begin(self) -> tuple[int, ...]:
        """The places of the moves with which the next play begins."""
        self._selected = self._tree.select()
        return self._selected.way.script

    def take_in(self, places: Sequence[int], states: Sequence[State], *, is_cut: bool) -> None:
        """Take in what a play came to, and reward what led to anything new, or to a proof.

        Args:
            places: of the moves at its choices.
            states: those before each of these, and the one in which it ended.
            is_cut: whether it was broken off, and that is none in which anybody could go on.
        """
        given = len(self._selected.way.script)
        steps = [Step(None, (place,), state) for place, state in zip(places, states[1:], strict=True)][given:]
        is_fault = bool(steps) and places[-1] == len(self._goals.all[states[-2][-1]].options)
        steps = steps[:-1] if is_cut or is_fault else steps
        growth = self._tree.merge(self._selected.way, tuple(steps)) if steps else None
        is_rewarded = growth is not None and (growth.proof is not None or growth.nodes > 0)
        self._tree.finish(self._selected, float(is_rewarded))

    def _arrival(self, state: State) -> Arrival:
        return Arrival((), state, state, bool(state) and not self._goals.all[state[-1]].options)

    def _followers(self, state: State, places: Collection[int] | None) -> frozenset[State]:
        every = range(len(self._goals.all[state[-1]].options))
        return frozenset(self._goals.follower(state, place) for place in (every if places is None else places))
