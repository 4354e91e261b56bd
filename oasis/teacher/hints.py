"""What the teacher says to a student who asks: whether all is well, where to look, which rule, which move and why.

Truth comes from an oracle and the best move from a shortest proof, or, where too many goals would have to be looked at
for that, from a proof that the oracle leads to. Where only some of the rules may be used, all goals that these lead to
are looked at, or nothing is said. How a hint is printed is not known here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from oasis.ground.limits import Limit, LimitReached
from oasis.ground.plural import conjunction
from oasis.teacher.countermodels.countermodel import Countermodel, refute_goal
from oasis.teacher.countermodels.explanation import explain
from oasis.teacher.countermodels.explanation import to_json as countermodel_to_json
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.decide import holds
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.exact import goal_graph
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from oasis.teacher.proofs import Prover
from oasis.teacher.reasons import principal, reason
from tactics.goal import Goal, Move, Sequent, State, sequent
from tactics.printer import COQ, Notation
from tactics.rules import RULES, legal_moves, premises
from tactics.sequent import show_goal

LEVELS: Final = (1, 2, 3, 4)
"""Each gives one thing more: still provable? where to look, which rule, the exact move and why."""
MAX_GOALS: Final = 8000
"""Goals that may be looked at for a shortest proof unless told otherwise: no more than a student waits for."""
_MOST_LISTED: Final = 3
_RESTRICTED: Final = " with these tactics"
"""Is added to what is true only because some rules may not be used, or may be."""


@dataclass(frozen=True)
class Advice:
    """A move that keeps the goal in focus provable.

    Attributes:
        goal: the goal in focus.
        move: what to do.
        length: moves of a proof of this goal that begins with it.
        is_shortest: whether the goal is known to have no shorter proof.
        losing: the legal moves after which the goal cannot be proved.
        restricted: whether all this is so for some of the rules, the only ones allowed.
    """

    goal: Goal
    move: Move
    length: int
    is_shortest: bool
    losing: tuple[Move, ...]
    restricted: bool = False

    @property
    def where(self) -> str:
        """The name of the hypothesis that the move is about, or `conclusion`."""
        return principal(self.goal, self.move) or "conclusion"

    def why(self, notation: Notation = COQ) -> str:
        """What the move uses, what it leaves, and how long the proof is: two sentences."""
        if self.length == 1:
            proof = "That closes this goal."
        elif self.is_shortest:
            proof = f"A shortest proof of this goal{self._within} has {self.length:,} moves and begins like this."
        else:
            proof = f"A proof of this goal in {self.length:,} moves begins like this."
        return f"{reason(self.goal, self.move, notation)} {proof}"

    def sentences(self, level: int, notation: Notation = COQ, called: Callable[[Move], str] = str) -> list[str]:
        """What is said of it at a level, with moves called as somebody reads them."""
        said = []
        if level >= 2:
            said.append(f"Look at {'the conclusion' if self.where == 'conclusion' else self.where}.")
            if not self.losing:
                said.append(f"Every move that applies here{self._within} is safe.")
        if level >= 3:
            said.append(f"Use {called(Move(self.move.rule))}.")
        if level >= 4:
            said.append(f"{called(self.move)}: {self.why(notation)}")
            if self.losing:
                said.append(f"{_listed(list(map(called, self.losing)))} would make it unprovable{self._within}.")
        return said

    @property
    def _within(self) -> str:
        return _RESTRICTED if self.restricted else ""


@dataclass(frozen=True)
class Loss:
    """A move that made a state unprovable.

    Attributes:
        move: the move.
        place: of the first goal after it that cannot be proved, from 1.
        goal: that goal.
        countermodel: why it cannot; None if it can, but not by the rules that are allowed.
    """

    move: Move
    place: int
    goal: Goal
    countermodel: Countermodel | None

    def sentences(self, notation: Notation = COQ, called: Callable[[Move], str] = str) -> list[str]:
        """Why the goal cannot be proved, in words, with moves called as somebody reads them."""
        if self.countermodel is None:
            return [f"Goal {self.place} after {called(self.move)} has a proof, but none{_RESTRICTED}."]
        unprovable = f"There is no proof of {self.countermodel.sequent(notation)}."
        return [unprovable, *explain(self.countermodel, notation).sentences]


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
        has_other: whether there still is a proof after that move, or of the lemma for step 0, by rules not allowed.
        stuck: whether goals are left and no move that is allowed applies.
    """

    state: State
    level: int
    provable: bool
    advice: Advice | None = None
    step: int | None = None
    lost_by: Move | None = None
    has_other: bool = False
    stuck: bool = False

    def __repr__(self) -> str:
        return " ".join(self.sentences())

    def sentences(self, notation: Notation = COQ) -> list[str]:
        """The hint in words, a sentence for each thing."""
        if not self.state:
            return ["Nothing is left to prove."]
        within = _RESTRICTED if self.has_other else ""
        if self.step == 0 and self.has_other:
            return [f"This lemma has a proof, but none{within}."]
        if self.step == 0:
            return ["This lemma cannot be proved, whatever the moves; oasis countermodel shows why."]
        said = ["Yes, this can still be proved."]
        if not self.provable:
            said = [f"No: since move {self.step}, {self.lost_by}, this cannot be proved any more{within}."]
            if self.stuck:
                said.append(f"No move applies here{_RESTRICTED if legal_moves(self.state[0]) else ''}.")
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
        rules: the names of the rules that may be used; None for all. Where some may not, there are no countermodels to
            what they would prove, and answers come from all goals that the others lead to.
    """

    def __init__(
        self, limit: Limit | None = None, max_goals: int = MAX_GOALS, rules: Collection[str] | None = None
    ) -> None:
        self._limit, self._max_goals = limit or Limit(), max_goals
        self._rules = RULES.keys() if rules is None else frozenset(rules)
        self._restricted = not self._rules >= RULES.keys()
        self._oracle = Intuit(self._limit)
        self._prover = Prover(self._oracle)
        self._truth: dict[Sequent, bool] = {}
        self._lengths: dict[Sequent, Lengths | None] = {}

    def prepare(self, state: State, max_goals: int = goal_graph.MAX_GOALS) -> None:
        """Look at all goals that a state leads to, so that answers come from shortest proofs. Raises LimitReached."""
        if all(self._lengths.get(sequent(goal)) for goal in state):
            return
        lengths = Lengths(GoalGraph(state, self._limit, max_goals, self._rules))
        self._lengths |= dict.fromkeys(lengths.graph.number, lengths)

    def valid(self, state: State) -> bool:
        """Whether every goal of a state holds in intuitionistic logic, whatever may be used. Raises LimitReached."""
        return all(map(self._valid, state))

    def provable(self, state: State) -> bool:
        """Whether every goal of a state can be proved by the rules that may be used. Raises LimitReached."""
        return all(map(self._provable, state))

    def refute(self, state: State) -> Countermodel | None:
        """A countermodel to the first goal of a state that does not hold, None if all do. Raises LimitReached."""
        return next((refute_goal(goal, self._oracle) for goal in state if not self._valid(goal)), None)

    def hint(self, states: Sequence[State], script: Sequence[Move], level: int) -> Hint:
        """A hint after a script, whose states are given, the initial one first. Raises LimitReached."""
        state = states[-1]
        if self.provable(state):
            advice = self.advice(state[0]) if state and level > 1 else None
            return Hint(state, level, True, advice)
        # What is lost stays lost.
        step = bisect_left(states, True, key=lambda earlier: not self.provable(earlier))
        has_other, stuck = self.valid(states[step]), not self._moves(state[0])
        if step == 0:
            return Hint(state, level, False, None, step, None, has_other, stuck)
        advice = self.advice(states[step - 1][0]) if level > 1 else None
        return Hint(state, level, False, advice, step, script[step - 1], has_other, stuck)

    def what_it_lost(self, before: State, move: Move, after: State) -> Loss | None:
        """Whether a move made a state unprovable, and why; None if it did not. Raises LimitReached."""
        if not self.provable(before):
            return None
        for place, goal in enumerate(after, 1):
            if not self._provable(goal):
                return Loss(move, place, goal, refute_goal(goal, self._oracle))
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
            return Advice(goal, move, finite[move], True, losing, self._restricted)
        proof = self._prover.prove([formula for _, formula in goal.hypotheses], goal.conclusion)
        assert not isinstance(proof, Kripke)
        losing = tuple(move for move in legal_moves(goal) if not self.provable(premises(goal, move)))
        return Advice(goal, next(proof.script(goal)), proof.length, False, losing)

    def _moves(self, goal: Goal) -> tuple[Move, ...]:
        return tuple(move for move in legal_moves(goal) if move.rule in self._rules)

    def _valid(self, goal: Goal) -> bool:
        key = sequent(goal)
        if key not in self._truth:
            self._truth[key] = holds(goal, self._oracle)
        return self._truth[key]

    def _provable(self, goal: Goal) -> bool:
        if not self._restricted or not self._valid(goal):
            return self._valid(goal)
        lengths = self._lengths_of(goal)
        assert lengths is not None
        return lengths.shortest_proof((goal,)) is not None

    def _lengths_of(self, goal: Goal) -> Lengths | None:
        """Lengths for a goal and all that it leads to; None if these are too many and all rules may be used.

        Where some may not, nothing else tells the truth. Raises LimitReached.
        """
        key = sequent(goal)
        if key not in self._lengths:
            try:
                self.prepare((goal,), goal_graph.MAX_GOALS if self._restricted else self._max_goals)
            except LimitReached:
                if self._restricted:
                    raise
                self._lengths[key] = None  # if it was the time, the oracle will say so
        return self._lengths[key]


def _listed(texts: list[str]) -> str:
    """Moves one after the other; of many, the first ones."""
    if len(texts) > _MOST_LISTED:
        texts[_MOST_LISTED - 1 :] = [f"{len(texts) - _MOST_LISTED + 1} other moves"]
    return conjunction(texts)


def to_json(hint: Hint | None, loss: Loss | None = None, notation: Notation = COQ) -> dict[str, Any]:
    """What the level of a hint gives; null for what it does not give, or what there is not."""
    advice = None if hint is None else hint.advice
    told: dict[str, Any] = dict.fromkeys(("where", "rule", "move", "why", "length", "shortest"))
    if hint is not None and advice is not None:
        told |= {"where": advice.where} if hint.level >= 2 else {}
        told |= {"rule": advice.move.rule} if hint.level >= 3 else {}
        if hint.level >= 4:
            why = {"move": str(advice.move), "why": advice.why(notation)}
            told |= {**why, "length": advice.length, "shortest": advice.is_shortest}
    lost = None
    if hint is not None and loss is not None and loss.countermodel is not None:
        where = {"step": hint.step, "move": str(loss.move), "goal": show_goal(loss.goal, notation)}
        lost = {**where, **countermodel_to_json(loss.countermodel, notation)}
    return {"provable": hint and hint.provable, **told, "lost": lost}
