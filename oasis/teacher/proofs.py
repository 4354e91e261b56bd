"""Proofs in the twelve rules, found without going back: wherever there is a choice an oracle is asked first.

A proof is looked for as steps on sequents, with sets of hypotheses and each step shared wherever it fits; how long the
script would be is a sum of integers, known before a move of it is written. Scripts come out short but not shortest
(`oasis.teacher.exact.values`), and who certifies them is not known here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit, Proved
from oasis.teacher.deciding.sequents import junctions
from oasis.teacher.limits import Limit
from oasis.teacher.recursion import Call, run
from tactics.formula import FALSE, And, Binary, Formula, Implies, Or
from tactics.goal import Goal, Move, initial
from tactics.rules import premises
from tactics.script import Script

MAX_PROOF: Final = 10_000
"""Moves of the longest script that is written unless told otherwise."""

_Context: TypeAlias = frozenset[Formula]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A proof of every sequent with some conclusion that has certain hypotheses.

    Attributes:
        rule: the rule of its first move, by name.
        principal: the hypothesis that this move takes, if it takes one.
        premises: proofs of what the move leaves.
        used: the hypotheses that it needs.
        length: moves that the whole proof has as a script.
    """

    rule: str
    principal: Formula | None
    premises: tuple[Step, ...]
    used: frozenset[Formula]
    length: int

    def script(self, goal: Goal) -> Iterator[Move]:
        """The moves of this proof, one by one, on a goal that has the conclusion and all hypotheses used."""
        pending = [(self, goal)]
        while pending:
            step, goal = pending.pop()
            name = next((name for name, formula in goal.hypotheses if formula is step.principal), None)
            move = Move(step.rule, name)
            yield move
            pending += zip(reversed(step.premises), reversed(premises(goal, move)), strict=True)


@dataclass(frozen=True)
class Proof:
    """The shortest proof that is known of a formula.

    Attributes:
        length: its moves as a script.
        script: the moves; None if there are more of them than was asked for.
    """

    length: int
    script: Script | None


def prove(formula: Formula, limit: Limit | None = None, max_proof: int = MAX_PROOF) -> Proof | Kripke:
    """A proof of a formula, or a model in which it fails. Raises LimitReached."""
    limit = limit or Limit()
    found = Prover(Intuit(limit)).prove((), formula)
    if isinstance(found, Kripke):
        return found
    if found.length > max_proof:
        return Proof(found.length, None)
    (goal,) = initial(formula)
    script: list[Move] = []
    for move in found.script(goal):
        if len(script) % 256 == 0:
            limit.check()
        script.append(move)
    return Proof(found.length, tuple(script))


class _Premise(NamedTuple):
    """What a move leaves to prove: hypotheses instead of the one it takes, and a conclusion."""

    added: frozenset[Formula]
    goal: Formula


class _Choice(NamedTuple):
    """A move on a sequent: its rule, the hypothesis it takes and those that must be there, what it leaves."""

    rule: str
    principal: Formula | None
    needs: frozenset[Formula]
    premises: tuple[_Premise, ...]


class Prover:
    """Proofs of many sequents; steps are kept and used again.

    Args:
        oracle: is asked which sequents are provable, and which hypotheses suffice.
    """

    def __init__(self, oracle: Intuit) -> None:
        self._oracle = oracle
        self._steps: defaultdict[Formula, list[Step]] = defaultdict(list)
        self._cores: dict[tuple[_Context, Formula], _Context | None] = {}

    def prove(self, hypotheses: Iterable[Formula], goal: Formula) -> Step | Kripke:
        """A proof of the goal from the hypotheses, or a model that has them without it. Raises LimitReached."""
        context = frozenset(hypotheses)
        answer = self._oracle.decide(_ordered(context), goal)
        return answer if isinstance(answer, Kripke) else run(self._proof(context, goal), self._oracle.limit)

    def _proof(self, context: _Context, goal: Formula) -> Call[Step]:
        """A proof of a sequent that is provable."""
        at_once = _at_once(context, goal)
        if at_once is not None:
            return at_once
        known = [step for step in self._steps[goal] if step.used <= context]
        if known:
            return min(known, key=attrgetter("length"))
        core = self._core(context, goal)
        assert core is not None
        context = core
        choice = self._choose(context, goal)
        steps: list[Step] = []
        used = set(choice.needs)
        for added, conclusion in choice.premises:
            step: Step = yield self._proof((context - {choice.principal}) | added, conclusion)
            if conclusion is goal and step.used <= context:
                return step  # the move was of no use
            steps.append(step)
            used |= step.used - added
        found = _step(choice.rule, choice.principal, steps, used)
        self._steps[goal].append(found)
        return found

    def _core(self, context: _Context, goal: Formula) -> _Context | None:
        """Hypotheses that suffice for the goal; None if it is not provable."""
        sequent = context, goal
        if sequent not in self._cores:
            answer = self._oracle.decide(_ordered(context), goal)
            self._cores[sequent] = context.intersection(answer.used) if isinstance(answer, Proved) else None
        return self._cores[sequent]

    def _choose(self, context: _Context, goal: Formula) -> _Choice:
        """The first move of a proof: one that can be undone, or one after which the oracle sees everything provable.

        What is done before a case distinction is not done in each case, so those come last.
        """
        hypotheses = _ordered(context)
        choices = chain(
            _direct(hypotheses, context, goal),
            _finishing(hypotheses, goal),
            self._on_goal(context, goal),
            _unfolding(hypotheses, goal),
            self._nested(hypotheses, context, goal),
            _cases(hypotheses, goal),
        )
        return next(choices)

    def _on_goal(self, context: _Context, goal: Formula) -> Iterator[_Choice]:
        """Moves on the conclusion, unless the hypotheses contradict each other, whatever it is."""
        if isinstance(goal, Binary) and self._core(context, FALSE) is None:
            match goal:
                case Implies(left, right):
                    yield _Choice("intro", None, frozenset(), (_premise((left,), right),))
                case And(left, right):
                    yield _on_conclusion("split", left, right)
                case Or(left, right):
                    for rule, side in (("left", left), ("right", right)):
                        if self._core(context, side) is not None:
                            yield _on_conclusion(rule, side)

    def _nested(self, hypotheses: Sequence[Formula], context: _Context, goal: Formula) -> Iterator[_Choice]:
        for formula in hypotheses:
            match formula:
                case Implies(Implies(_, last) as antecedent, right):
                    if self._core((context - {formula}) | {last >> right}, antecedent) is not None:
                        yield _on_hypothesis(
                            "imply4", formula, _premise((last >> right,), antecedent), _premise((right,), goal)
                        )


def _at_once(context: _Context, goal: Formula) -> Step | None:
    """A proof without moves on hypotheses, if there is one."""
    if goal in context:
        return _step("assumption", None, (), (goal,))
    if FALSE in context:
        return _step("contradiction", None, (), (FALSE,))
    proofs: dict[Formula, Step] = {}
    for formula in junctions(goal):
        sides = formula.left, formula.right
        proofs |= {side: _step("assumption", None, (), (side,)) for side in sides if side in context}
        proved = [proofs[side] for side in sides if side in proofs]
        if isinstance(formula, Or) and proved:
            step = min(proved, key=attrgetter("length"))
            proofs[formula] = _step("left" if step is proofs.get(formula.left) else "right", None, (step,), step.used)
        elif len(proved) == 2:
            proofs[formula] = _step("split", None, proved, proved[0].used | proved[1].used)
    return proofs.get(goal)


def _step(rule: str, principal: Formula | None, premises: Sequence[Step], used: Iterable[Formula]) -> Step:
    return Step(rule, principal, tuple(premises), frozenset(used), 1 + sum(step.length for step in premises))


def _direct(hypotheses: Sequence[Formula], context: _Context, goal: Formula) -> Iterator[_Choice]:
    """Moves that bring a proof closer at no cost."""
    for formula in hypotheses:
        match formula:
            case Implies(antecedent, right) if antecedent in context:
                choice = _on_hypothesis("imply1", formula, _premise((right,), goal))
                yield choice._replace(needs=choice.needs | {antecedent})
    for formula in hypotheses:
        match formula:
            case And(left, right):
                yield _on_hypothesis("destruct_and", formula, _premise((left, right), goal))


def _finishing(hypotheses: Sequence[Formula], goal: Formula) -> Iterator[_Choice]:
    return (choice for choice in _unfolding(hypotheses, goal) if goal in choice.premises[0].added)


def _unfolding(hypotheses: Sequence[Formula], goal: Formula) -> Iterator[_Choice]:
    """Moves that take an antecedent apart."""
    for formula in hypotheses:
        match formula:
            case Implies(And(one, other), right):
                yield _on_hypothesis("imply2", formula, _premise((one >> (other >> right),), goal))
            case Implies(Or(one, other), right):
                yield _on_hypothesis("imply3", formula, _premise((one >> right, other >> right), goal))


def _cases(hypotheses: Sequence[Formula], goal: Formula) -> Iterator[_Choice]:
    for formula in hypotheses:
        match formula:
            case Or(left, right):
                yield _on_hypothesis("destruct_or", formula, _premise((left,), goal), _premise((right,), goal))


def _premise(added: Iterable[Formula], goal: Formula) -> _Premise:
    return _Premise(frozenset(added), goal)


def _on_conclusion(rule: str, *goals: Formula) -> _Choice:
    return _Choice(rule, None, frozenset(), tuple(_premise((), goal) for goal in goals))


def _on_hypothesis(rule: str, formula: Formula, *premises: _Premise) -> _Choice:
    return _Choice(rule, formula, frozenset((formula,)), premises)


def _ordered(context: _Context) -> list[Formula]:
    """The lightest formula first, so that what is closed soon is seen first; of equal ones the oldest."""
    return sorted(context, key=attrgetter("weight", "id"))
