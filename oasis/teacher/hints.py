"""What the teacher says to a student who asks: whether all is well, where to look, which rule, which move and why.

Truth comes from an oracle and the best move from a shortest proof, or, where too many goals would have to be looked at
for that, from a proof that the oracle leads to. How a hint is printed is not known here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from oasis.teacher.countermodels.countermodel import Countermodel, refute_goal
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit, Proved
from oasis.teacher.exact import goal_graph
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from oasis.teacher.limits import Limit, LimitReached
from oasis.teacher.proofs import Prover
from oasis.teacher.reasons import principal, reason
from tactics.goal import Goal, Move, Sequent, State, sequent
from tactics.printer import COQ, Notation
from tactics.rules import legal_moves, premises

LEVELS: Final = (1, 2, 3, 4)
"""Each gives one thing more: still provable? where to look, which rule, the exact move and why."""
MAX_GOALS: Final = 8000
"""Goals that may be looked at for a shortest proof unless told otherwise: no more than a student waits for."""
_MOST_LISTED: Final = 3


@dataclass(frozen=True)
class Advice:
    """A move that keeps the goal in focus provable.

    Attributes:
        goal: the goal in focus.
        move: what to do.
        length: moves of a proof of this goal that begins with it.
        is_shortest: whether the goal is known to have no shorter proof.
        losing: the legal moves after which the goal cannot be proved.
    """

    goal: Goal
    move: Move
    length: int
    is_shortest: bool
    losing: tuple[Move, ...]

    @property
    def where(self) -> str:
        """The name of the hypothesis that the move is about, or `conclusion`."""
        return principal(self.goal, self.move) or "conclusion"

    def why(self, notation: Notation = COQ) -> str:
        """What the move uses, what it leaves, and how long the proof is: two sentences."""
        if self.length == 1:
            proof = "That closes this goal."
        elif self.is_shortest:
            proof = f"A shortest proof of this goal has {self.length:,} moves and begins like this."
        else:
            proof = f"A proof of this goal in {self.length:,} moves begins like this."
        return f"{reason(self.goal, self.move, notation)} {proof}"

    def sentences(self, level: int, notation: Notation = COQ) -> list[str]:
        """What is said of it at a level."""
        said = []
        if level >= 2:
            said.append(f"Look at {'the conclusion' if self.where == 'conclusion' else self.where}.")
            if not self.losing:
                said.append("Every move that applies here is safe.")
        if level >= 3:
            said.append(f"Use {self.move.rule}.")
        if level >= 4:
            said.append(f"{self.move}: {self.why(notation)}")
            if self.losing:
                said.append(f"{_listed(self.losing)} would make it unprovable.")
        return said


@dataclass(frozen=True)
class Loss:
    """A move that made a state unprovable.

    Attributes:
        move: the move.
        place: of the first goal after it that cannot be proved, from 1.
        goal: that goal.
        countermodel: why it cannot.
    """

    move: Move
    place: int
    goal: Goal
    countermodel: Countermodel


@dataclass(frozen=True)
class Hint:
    """An answer to a student.

    Attributes:
        state: where the student stands.
        level: how much was asked for.
        provable: whether the state can be proved.
        advice: from level 2 on what to do in it, or before the move that lost it; None where nothing can be done.
        step: the number of the move that lost it, from 1; 0 if there never was a proof; None if nothing is lost.
        lost_by: that move, if there is one.
    """

    state: State
    level: int
    provable: bool
    advice: Advice | None = None
    step: int | None = None
    lost_by: Move | None = None

    def sentences(self, notation: Notation = COQ) -> list[str]:
        """The hint in words, a sentence for each thing."""
        if not self.state:
            return ["Nothing is left to prove."]
        if self.step == 0:
            return ["This lemma cannot be proved, whatever the moves; oasis countermodel shows why."]
        said = ["Yes, this can still be proved."]
        if not self.provable:
            said = [f"No: since move {self.step}, {self.lost_by}, this cannot be proved any more."]
            if not legal_moves(self.state[0]):
                said.append("No move applies here.")
            if self.advice is not None:
                said.append(f"Go back to before move {self.step}.")
        if self.advice is not None:
            said += self.advice.sentences(self.level, notation)
        return said


class Teacher:
    """Answers questions about the states of a lemma; what was found out for one answer is kept for the next.

    Args:
        limit: for all answers together.
        max_goals: how many goals may be looked at for a shortest proof; where more would have to be, some proof is
            good enough.
    """

    def __init__(self, limit: Limit | None = None, max_goals: int = MAX_GOALS) -> None:
        self._limit, self._max_goals = limit or Limit(), max_goals
        self._oracle = Intuit(self._limit)
        self._prover = Prover(self._oracle)
        self._truth: dict[Sequent, bool] = {}
        self._lengths: dict[Sequent, Lengths | None] = {}

    def prepare(self, state: State, max_goals: int = goal_graph.MAX_GOALS) -> None:
        """Look at all goals that a state leads to, so that answers come from shortest proofs. Raises LimitReached."""
        lengths = Lengths(GoalGraph(state, self._limit, max_goals))
        self._lengths |= dict.fromkeys(lengths.graph.number, lengths)

    def provable(self, state: State) -> bool:
        """Whether every goal of a state can be proved. Raises LimitReached."""
        return all(map(self._provable, state))

    def hint(self, states: Sequence[State], script: Sequence[Move], level: int) -> Hint:
        """A hint after a script, whose states are given, the initial one first. Raises LimitReached."""
        state = states[-1]
        if self.provable(state):
            advice = self.advice(state[0]) if state and level > 1 else None
            return Hint(state, level, True, advice)
        # What is lost stays lost.
        step = bisect_left(states, True, key=lambda earlier: not self.provable(earlier))
        if step == 0:
            return Hint(state, level, False, step=0)
        advice = self.advice(states[step - 1][0]) if level > 1 else None
        return Hint(state, level, False, advice, step, script[step - 1])

    def what_it_lost(self, before: State, move: Move, after: State) -> Loss | None:
        """Whether a move made a state unprovable, and why; None if it did not. Raises LimitReached."""
        if not self.provable(before):
            return None
        for place, goal in enumerate(after, 1):
            if not self._provable(goal):
                countermodel = refute_goal(goal, self._oracle)
                assert countermodel is not None
                return Loss(move, place, goal, countermodel)
        return None

    def advice(self, goal: Goal) -> Advice:
        """What to do with a goal: the first move of a shortest proof, or of a short one.

        Of several shortest proofs the one whose first move `legal_moves` gives first. Raises LimitReached, and
        ValueError for a goal that cannot be proved.
        """
        if not self._provable(goal):
            raise ValueError("there is no advice on a goal that cannot be proved")
        lengths = self._lengths_of(goal)
        if lengths is not None:
            by_move = lengths.by_move(goal)
            finite = {move: length for move, length in by_move.items() if length is not None}
            move = min(finite, key=finite.__getitem__)
            losing = tuple(move for move in by_move if move not in finite)
            return Advice(goal, move, finite[move], True, losing)
        proof = self._prover.prove([formula for _, formula in goal.hypotheses], goal.conclusion)
        assert not isinstance(proof, Kripke)
        losing = tuple(move for move in legal_moves(goal) if not self.provable(premises(goal, move)))
        return Advice(goal, next(proof.script(goal)), proof.length, False, losing)

    def _provable(self, goal: Goal) -> bool:
        key = sequent(goal)
        if key not in self._truth:
            hypotheses = [formula for _, formula in goal.hypotheses]
            answer = self._oracle.decide(hypotheses, goal.conclusion)
            if isinstance(answer, Kripke):
                check(answer, hypotheses, goal.conclusion)
            self._truth[key] = isinstance(answer, Proved)
        return self._truth[key]

    def _lengths_of(self, goal: Goal) -> Lengths | None:
        """Lengths for a goal and all that it leads to, None if these are too many."""
        key = sequent(goal)
        if key not in self._lengths:
            try:
                self.prepare((goal,), self._max_goals)
            except LimitReached:
                self._lengths[key] = None  # if it was the time, the oracle will say so
        return self._lengths[key]


def _listed(moves: Sequence[Move]) -> str:
    """Moves one after the other; of many, the first ones."""
    texts = [str(move) for move in moves]
    if len(texts) > _MOST_LISTED:
        texts[_MOST_LISTED - 1 :] = [f"{len(texts) - _MOST_LISTED + 1} other moves"]
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
