"""Plays of lemmas by a network's policy, many side by side, that take back no move.

All plays that wait for the network are answered at once, and a goal that several of them wait for is asked about once.
The order of play is that of `oasis.play.committed`: the goal in focus, and what a move leaves of it before all others.
Equal hypotheses count once, so what a move uses up is gone; nothing could be proved by another copy of it.

A choice is made in all plays at once, in arrays. A script is worked out where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from math import prod
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from oasis.neural.encoding.moves import Option
from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.goals import Goals, Kind, Numbers, spread
from oasis.play.policy import Floats
from tactics.formula import Formula

Bools = NDArray[np.bool_]
State = tuple[int, ...]
"""The numbers of the open goals of a play, the one in focus last."""
_Scalar = TypeVar("_Scalar", bound=np.generic)
MOST_MOVES: Final = 300
"""After which a play is broken off."""
_DEPTH: Final = 8
"""Open goals that there is room for at first."""


@dataclass(frozen=True)
class Plays:
    """Plays of lemmas and the choices in them, one play after the other.

    Attributes:
        lemmas: that were played.
        goals: those that the plays came to.
        lemma: the number of the lemma of each play; shape (plays,).
        moves: of each, made by choice or not; shape (plays,).
        proved: whether no goal is left; shape (plays,).
        is_cut: whether it was broken off because there would have been too many moves; shape (plays,).
        play: the number of the play of each choice, in ascending order; shape (choices,).
        goal: the number of the goal at which it was made; shape (choices,).
        place: of the move that was chosen; shape (choices,).
        before: moves of the play that were made before; shape (choices,).
        closed: whether the goal was proved later on, by what was chosen there; shape (choices,).
        value: how likely the network held the lemma to be proved there, nan if that was not asked; shape (choices,).
        drawn: whether the policy drew it; others were given; shape (choices,).
    """

    lemmas: list[Formula]
    goals: Goals
    lemma: Numbers
    moves: Numbers
    proved: Bools
    is_cut: Bools
    play: Numbers
    goal: Numbers
    place: Numbers
    before: Numbers
    closed: Bools
    value: Floats
    drawn: Bools

    def __len__(self) -> int:
        return len(self.lemma)

    @cached_property
    def starts(self) -> Numbers:
        """Where the choices of each play begin, and where those of the last one end; shape (plays + 1,)."""
        return np.searchsorted(self.play, np.arange(len(self) + 1))

    def split(self, of_choices: NDArray[_Scalar]) -> list[NDArray[_Scalar]]:
        """An array of shape (choices, …) in parts, one for each play."""
        return np.split(of_choices, self.starts[1:-1])

    def script(self, play: int) -> list[Option]:
        """All moves of a play."""
        return self.walked(play)[0]

    def walked(self, play: int) -> tuple[list[Option], list[State]]:
        """All moves of a play, and the states at its choices and in the end."""
        begin, end = self.starts[play : play + 2].tolist()
        places = iter(self.place[begin:end].tolist())
        pending = [self.goals.met((self.lemmas[self.lemma[play]],))]
        made: list[Option] = []
        states: list[State] = []
        while len(made) < self.moves[play]:
            if pending[-1].only is None:
                states.append(tuple([each.number for each in pending]))
            goal = pending.pop()
            place = next(places) if goal.only is None else goal.only
            pending += reversed(self.goals.after(goal, place))
            if place == len(goal.options):  # no move, with which the play ends
                break
            made.append(goal.options[place])
        return made, [*states, tuple([each.number for each in pending])]

    def followed_by(self, other: Plays, *, again: bool = False) -> Plays:
        """These plays, and then others that came to goals among the same: of the same lemmas again, or of others."""
        lemmas, first = (self.lemmas, 0) if again else (self.lemmas + other.lemmas, len(self.lemmas))
        both = {
            name: np.append(getattr(self, name), getattr(other, name))
            for name in ("moves", "proved", "is_cut", "goal", "place", "before", "closed", "value", "drawn")
        }
        lemma, play = np.append(self.lemma, other.lemma + first), np.append(self.play, other.play + len(self))
        return Plays(lemmas, self.goals, lemma=lemma, play=play, **both)


class _Round(NamedTuple):
    """A choice in each of some plays; arrays of shape (plays,).

    Attributes:
        plays: their numbers.
        goals: the numbers of the goals at which the choices were made.
        places: of the moves that were chosen.
        before: moves that were made before.
        values: how likely the network held the lemmas to be proved.
        drawn: whether the policy drew them.
        others: goals that were open besides.
        least: the fewest goals that were open until the next choice.
    """

    plays: Numbers
    goals: Numbers
    places: Numbers
    before: Numbers
    values: Floats
    drawn: Bools
    others: Numbers
    least: Numbers


class _UnderWay:
    """Plays that are under way.

    Args:
        goals: that they come to.
        first: the number of the goal that each begins with; shape (plays,).
        most: moves, after which a play is broken off.

    Attributes:
        moves: that were made in each.
        number: how many goals are open in each.
        is_cut: whether it was broken off.
        least: the fewest goals that were open since somebody set this.
    """

    def __init__(self, goals: Goals, first: Numbers, most: int) -> None:
        self._goals, self._most = goals, most
        self._open = np.zeros((len(first), _DEPTH), np.int64)  # of each play, the goal in focus last
        self._open[:, 0] = first
        self.number = np.ones(len(first), np.int64)
        self.moves, self.least = np.zeros_like(self.number), np.ones_like(self.number)
        self.is_cut = np.zeros(len(first), np.bool_)

    def focus(self, plays: Numbers) -> Numbers:
        """The number of the goal in focus in each of some plays."""
        return self._open[plays, self.number[plays] - 1]

    def open(self, plays: Numbers) -> list[State]:
        """The numbers of the goals that are open in each of some plays, the one in focus last."""
        return [
            tuple(self._open[play, :number].tolist()) for play, number in zip(plays, self.number[plays], strict=True)
        ]

    def go_on(self, plays: Numbers) -> Numbers:
        """Make the moves that nobody has to choose; gives the plays in which there is a choice then."""
        chosen = [plays[:0]]
        while len(plays := plays[(self.number[plays] > 0) & ~self.is_cut[plays]]):
            focus = self.focus(plays)
            kinds = self._goals.kinds(focus)
            chosen.append(plays[kinds == Kind.CHOICE])
            unchosen = kinds == Kind.UNCHOSEN
            plays = plays[unchosen]
            self.make(plays, focus[unchosen], np.zeros_like(plays))
        choosing = np.sort(np.concatenate(chosen))
        is_over = self.moves[choosing] >= self._most
        self.is_cut[choosing[is_over]] = True
        return choosing[~is_over]

    def make(self, plays: Numbers, focus: Numbers, places: Numbers) -> None:
        """Make a move in some plays, with the moves after it that nobody has to choose, as far as they may be made."""
        after = self.moves[plays] + self._goals.made(focus, places)
        fits = after <= self._most
        self.is_cut[plays[~fits]] = True
        self.moves[plays] = np.minimum(after, self._most)
        plays = plays[fits]
        numbers, left = self._goals.left(focus[fits], places[fits])
        below = self.number[plays] - 1
        self.number[plays] = below + numbers
        if (lacking := self.number.max(initial=0) - self._open.shape[1]) > 0:
            self._open = np.pad(self._open, ((0, 0), (0, max(lacking, self._open.shape[1]))))
        self._open[np.repeat(plays, numbers), spread(below, numbers)] = left
        self.least[plays] = np.minimum(self.least[plays], self.number[plays])


def played(
    goals: Goals,
    lemmas: Sequence[Formula],
    group: int = 1,
    *,
    most: int,
    rng: Generator | None = None,
    with_values: bool = False,
    given: Sequence[Sequence[int]] = (),
) -> Plays:
    """So many plays of each lemma, one lemma after the other.

    Args:
        goals: judges them.
        lemmas: to be proved.
        group: plays of each.
        most: moves, after which a play is broken off.
        rng: draws the moves by their probabilities; None for the likeliest ones.
        with_values: whether all open goals are judged, and not only those in focus.
        given: the places of the moves with which each play begins, before the policy chooses; nothing for none.
    """
    first = np.array([goals.met((lemma,)).number for lemma in lemmas], np.int64)
    under_way = _UnderWay(goals, np.repeat(first, group), most)
    nothing, told = first[:0], [*zip_longest(*given, fillvalue=-1)]  # by choices, as all plays make their n-th at once
    none, never = nothing.astype(np.float64), nothing.astype(np.bool_)
    rounds = [_Round(nothing, nothing, nothing, nothing, none, never, nothing, nothing)]
    running = under_way.go_on(np.arange(len(lemmas) * group))
    while len(running):
        focus = under_way.focus(running)
        goals.judge(goals.all[goal] for goal in dict.fromkeys(focus.tolist()))
        places = goals.likeliest(focus) if rng is None else goals.drawn(focus, rng.random(len(running)))
        drawn = np.ones(len(running), np.bool_)
        if len(rounds) <= len(told):
            beginning = np.array(told[len(rounds) - 1], np.int64)[running]
            drawn = beginning < 0
            places = np.where(drawn, places, beginning)
        values = _values(goals, under_way.open(running)) if with_values else np.full(len(running), np.nan)
        before, others = under_way.moves[running], under_way.number[running] - 1
        under_way.least[running] = others + 1
        under_way.make(running, focus, places)
        going_on = under_way.go_on(running)
        rounds.append(_Round(running, focus, places, before, values, drawn, others, under_way.least[running]))
        running = going_on
    return _in_order(lemmas, goals, group, under_way, rounds)


def solve_rate(network: Network, theorems: Sequence[Formula]) -> float:
    """The share of theorems that a network proves if it chooses all moves and takes none back, always its likeliest."""
    return float(played(Goals(network, "free"), theorems, most=MOST_MOVES).proved.mean())


def _values(goals: Goals, plays: Sequence[State]) -> Floats:
    """How likely each play is held to be proved: that all its open goals are, as if they were independent."""
    asked = dict.fromkeys(chain.from_iterable(plays))
    known = dict(zip(asked, goals.values(goals.all[goal] for goal in asked), strict=True))
    of_open = {each: prod(known[goal] for goal in dict.fromkeys(each)) for each in {*plays}}
    return np.array([of_open[each] for each in plays])


def _in_order(lemmas: Sequence[Formula], goals: Goals, group: int, plays: _UnderWay, rounds: Sequence[_Round]) -> Plays:
    """Plays that are over, with their choices play after play."""
    least = plays.number.copy()
    for each in reversed(rounds):
        least[each.plays] = each.least[:] = np.minimum(least[each.plays], each.least)
    made = _Round(*map(np.concatenate, zip(*rounds, strict=True)))
    order = np.argsort(made.plays, kind="stable")
    return Plays(
        list(lemmas),
        goals,
        np.repeat(np.arange(len(lemmas)), group),
        plays.moves,
        plays.number == 0,
        plays.is_cut,
        made.plays[order],
        made.goals[order],
        made.places[order],
        made.before[order],
        (made.least <= made.others)[order],
        made.values[order],
        made.drawn[order],
    )
