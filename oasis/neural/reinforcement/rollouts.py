"""Plays of lemmas by a network's policy, many side by side, that take back no move.

All plays that wait for the network are answered at once, and a goal that several of them wait for is asked about once.
The order of play is that of `oasis.committed`: the goal in focus first, and what a move leaves of it before all others.
Equal hypotheses count once, so what a move uses up is gone; nothing could be proved by another copy of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from numpy.random import Generator

from oasis.neural.encoding.moves import Option
from oasis.neural.reinforcement.goals import Goals, Met
from tactics.formula import Formula


@dataclass(slots=True)
class Play:
    """A play of a lemma.

    Attributes:
        lemma: the number of the lemma among those that are played.
        goals: those at which the policy chose a move, in the order of the play.
        places: of the moves that it chose.
        before: moves of the play that were made before each of these.
        values: how likely the network held the lemma to be proved there, if that was asked.
        closed: of each whether it was proved later on, by what was chosen there.
        script: all moves.
        is_cut: whether it was broken off because there would have been too many moves.
    """

    lemma: int
    goals: list[Met] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    closed: list[bool] = field(default_factory=list)
    script: list[Option] = field(default_factory=list)
    is_cut: bool = False
    _open: list[Met] = field(default_factory=list)
    _unclosed: list[tuple[int, int]] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return not self._open

    @property
    def focus(self) -> Met:
        """The goal in focus."""
        return self._open[-1]

    @property
    def open(self) -> tuple[Met, ...]:
        """The open goals, the one in focus last."""
        return tuple(self._open)

    def goes_on(self, goals: Goals, most: int) -> bool:
        """Make the moves that nobody has to choose; whether there is a choice then."""
        while self._open:
            goal = self._open[-1]
            if goal.only is None and not goal.options:
                return False
            if len(self.script) >= most:
                self.is_cut = True
                return False
            if goal.only is None:
                return True
            self._make(goals, goal.only)
        return False

    def choose(self, goals: Goals, place: int) -> None:
        """Make a move that the policy has chosen."""
        self._unclosed.append((len(self.goals), len(self._open) - 1))
        self.goals.append(self._open[-1])
        self.places.append(place)
        self.before.append(len(self.script))
        self.closed.append(False)
        self._make(goals, place)

    def _make(self, goals: Goals, place: int) -> None:
        goal = self._open.pop()
        self.script.append(goal.options[place])
        self._open += reversed(goals.after(goal, place))
        while self._unclosed and self._unclosed[-1][1] >= len(self._open):
            self.closed[self._unclosed.pop()[0]] = True


def played(
    goals: Goals,
    lemmas: Sequence[Formula],
    group: int = 1,
    *,
    most: int,
    rng: Generator | None = None,
    with_values: bool = False,
) -> list[Play]:
    """So many plays of each lemma, one lemma after the other.

    Args:
        goals: judges them.
        lemmas: to be proved.
        group: plays of each.
        most: moves, after which a play is broken off.
        rng: draws the moves by their probabilities; None for the likeliest ones.
        with_values: whether all open goals are judged, and not only those in focus.
    """
    plays = [Play(number, _open=[goals.met((lemma,))]) for number, lemma in enumerate(lemmas) for _ in range(group)]
    running = plays
    while running := [play for play in running if play.goes_on(goals, most)]:
        goals.judge(play.focus for play in running)
        chances = None if rng is None else rng.random(len(running)).tolist()
        if with_values:
            _note_values(goals, running)
        for place, play in enumerate(running):
            goal = play.focus
            play.choose(goals, goal.likeliest if chances is None else goal.drawn(chances[place]))
    return plays


def _note_values(goals: Goals, plays: Sequence[Play]) -> None:
    """Note how likely each play is held to be proved: that all its open goals are, as if they were independent."""
    asked = list(dict.fromkeys(goal for play in plays for goal in play.open))
    known = dict(zip(asked, goals.values(asked), strict=True))
    for play in plays:
        play.values.append(prod(known[goal] for goal in dict.fromkeys(play.open)))
