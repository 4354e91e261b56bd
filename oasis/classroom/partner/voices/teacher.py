"""What the teacher says: the truth, and how long the shortest proof is that begins with each move."""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from typing import Final

from oasis.classroom.partner.opinions import Kind, Reason, Voice, Weights, column, in_moves
from oasis.classroom.partner.player import silent
from oasis.ground.limits import Limit, LimitReached
from oasis.ground.splitmix import SplitMix64
from oasis.play.solving import Cost
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from oasis.teacher.hints import Teacher
from tactics.goal import Goal, Move, State, principal
from tactics.printer import Notation

SECONDS: Final = 2.0
"""For what is not known yet about one goal."""
_AGAIN: Final = 0.2
"""The same once that was not enough."""
_GOALS: Final = 200_000
"""That may be looked at for the shortest proofs of one goal."""
_KEPT: Final = 20
"""Graphs of goals that are kept."""
_COLUMN: Final = ("proof", Kind.MOVES)


class Knowing:
    """The voice of the teacher, who plays shortest proofs where these can be known, and else some proof.

    Args:
        rules: that may be used.
        seed: of the lots among equally good moves.

    Attributes:
        name, cost: as of any voice; what it costs is not counted.
    """

    name = "teacher"
    is_coming = False

    def __init__(self, rules: Collection[str], seed: int) -> None:
        self.cost = Cost()
        self._rules, self._seed = frozenset(rules), seed
        self._lengths: dict[Goal, Lengths | None] = {}
        self._seconds = SECONDS
        self._ask_anew()

    def say(self, state: State, offered: tuple[Move, ...]) -> Voice:
        """Moves in the shortest proof of the goal in focus, by its first move."""
        by_move, sentence = self._by_move(state[0]), self._sentence(state)
        if by_move is None:
            return silent(self.name, sentence, offered, _COLUMN)._replace(choice=self._advised(state[0]))
        finite: dict[Move, float | None] = {move: inf if length is None else length for move, length in by_move.items()}
        best = self._best(state[0])
        return Voice(self.name, sentence, (column(*_COLUMN, offered, finite),), best[0] if len(best) == 1 else None)

    def chosen(self, state: State, offered: tuple[Move, ...]) -> Move | None:
        """A move that begins a shortest proof; None where there is no proof.

        If there are several, seed and goal draw the lot, so that it is the same one whatever was asked before.
        """
        goal = state[0]
        best = self._best(goal)
        lots = SplitMix64.seeded(self._seed ^ int.from_bytes(goal.digest[:8]))
        return best[lots.below(len(best))] if best else None

    def why(self, state: State, move: Move, notation: Notation) -> Reason:
        """What the move uses, what it leaves, and how long the proof is."""
        goal = state[0]
        weights = Weights().add(principal(goal, move))
        try:
            self._limit.restart()
            advice = self._teacher.advice(goal)
        except LimitReached:
            self._ask_anew()
            return Reason(self.name, move, ("There was not the time to say why.",), weights.parts(1))
        sentences = advice.sentences(4, notation)[-2:] if advice.losing else advice.sentences(4, notation)[-1:]
        return Reason(self.name, advice.move, tuple(sentences), weights.parts(1))

    def _best(self, goal: Goal) -> list[Move]:
        """The moves that begin a shortest proof, or some proof where that is all that is known; none if none does."""
        by_move = self._by_move(goal)
        if by_move is None:
            advised = self._advised(goal)
            return [] if advised is None else [advised]
        shortest = min((length for length in by_move.values() if length is not None), default=None)
        return [] if shortest is None else [move for move, length in by_move.items() if length == shortest]

    def _sentence(self, state: State) -> str:
        try:
            self._limit.restart()
            if not self._teacher.provable(state):
                return "There is no proof from here."
        except LimitReached:
            self._ask_anew()
            return "Whether there is a proof was not found out in time."
        known = [length for length in map(self._shortest, state) if length is not None]
        if len(known) < len(state):
            return "There is a proof; the shortest is out of reach."
        return f"The shortest proof from here has {in_moves(sum(known))}."

    def _shortest(self, goal: Goal) -> int | None:
        lengths = self._lengths_of(goal)
        return None if lengths is None else lengths.shortest_proof((goal,))

    def _by_move(self, goal: Goal) -> dict[Move, int | None] | None:
        lengths = self._lengths_of(goal)
        return None if lengths is None else lengths.by_move(goal)

    def _lengths_of(self, goal: Goal) -> Lengths | None:
        """Lengths for a goal and what it leads to; None where the limits keep from knowing them."""
        for lengths in self._lengths.values():
            if lengths is not None and goal in lengths.graph:
                return lengths
        if goal not in self._lengths:
            if len(self._lengths) >= _KEPT:
                self._lengths.clear()
                self._seconds = SECONDS
            try:
                self._lengths[goal] = Lengths(GoalGraph((goal,), Limit(self._seconds), _GOALS, self._rules))
            except LimitReached:
                self._lengths[goal] = None
                self._seconds = _AGAIN  # what it leads to is likely to be out of reach, too
        return self._lengths[goal]

    def _advised(self, goal: Goal) -> Move | None:
        """A move that begins some proof; None if there is none, or none was found in time."""
        try:
            self._limit.restart()
            return self._teacher.advice(goal).move if self._teacher.provable((goal,)) else None
        except LimitReached:
            self._ask_anew()
            return None

    def _ask_anew(self) -> None:
        self._limit = Limit(SECONDS)
        self._teacher = Teacher(self._limit, rules=self._rules)
