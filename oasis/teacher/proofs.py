"""Proofs in the twelve rules, found without going back: wherever there is a choice an oracle is asked first.

A proof is looked for as steps on sequents, with sets of hypotheses and each step shared wherever it fits; how long the
script would be is a sum of integers, known before a move of it is written. Scripts come out short but not shortest
(`oasis.teacher.exact.values`), and who certifies them is not known here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from oasis.ground.limits import Limit
from oasis.play.solving import LONGEST
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit, Proved
from oasis.teacher.deciding.sequents import junctions
from tactics.formula import FALSE, Binary, Formula, Or
from tactics.goal import Goal, Move, initial
from tactics.recursion import Call, run
from tactics.rules import Inference, inferences, premises
from tactics.script import Script

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


def prove(formula: Formula, limit: Limit | None = None, max_proof: int = LONGEST) -> Proof | Kripke:
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
        return answer if isinstance(answer, Kripke) else run(self._proof(context, goal), self._oracle.limit.check)

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
        on = partial(_on_hypotheses, hypotheses, goal)
        choices = chain(
            (choice for choice in on("imply1") if choice.needs <= context),
            on("destruct_and"),
            (choice for choice in on("imply2", "imply3") if goal in choice.premises[0].added),
            self._on_goal(context, goal),
            on("imply2", "imply3"),
            (choice for choice in on("imply4") if self._can_begin(context, choice)),
            on("destruct_or"),
        )
        return next(choices)

    def _on_goal(self, context: _Context, goal: Formula) -> Iterator[_Choice]:
        """Moves on the conclusion, unless the hypotheses contradict each other, whatever it is."""
        if isinstance(goal, Binary) and self._core(context, FALSE) is None:
            apart = (_choice(each, None, goal) for each in inferences(goal, False) if each.given is None)
            for choice in apart:
                if choice.rule not in ("left", "right") or self._core(context, choice.premises[0].goal) is not None:
                    yield choice

    def _can_begin(self, context: _Context, choice: _Choice) -> bool:
        """Whether the first premise of a move on a hypothesis is provable."""
        assert choice.principal is not None
        added, conclusion = choice.premises[0]
        return self._core((context - {choice.principal}) | added, conclusion) is not None


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


def _on_hypotheses(hypotheses: Sequence[Formula], goal: Formula, *rules: str) -> Iterator[_Choice]:
    """The moves of some rules on each hypothesis, whether what must be given is there or not."""
    for formula in hypotheses:
        for inference in inferences(formula, True):
            if inference.rule.name in rules:
                yield _choice(inference, formula, goal)


def _choice(inference: Inference, principal: Formula | None, goal: Formula) -> _Choice:
    """A rule on the conclusion, or on a hypothesis of a sequent with this conclusion."""
    needs = (formula for formula in (principal, inference.given) if formula is not None)
    premises = (_Premise(frozenset(each.added), each.conclusion or goal) for each in inference.premises)
    return _Choice(inference.rule.name, principal, frozenset(needs), tuple(premises))


def _ordered(context: _Context) -> list[Formula]:
    """The lightest formula first, so that what is closed soon is seen first; of equal ones the oldest."""
    return sorted(context, key=attrgetter("weight", "id"))
