"""From a complete script to the λ-term that it is.

A term is made from the states of a replayed script by one line a rule (`_rule_term`), and then reduced: what a rule
puts in the place of a hypothesis is written where the hypothesis is used, unless it is large and used more than once.
That stays an applied abstraction, `(λh : A. t) s`, and is shown as `let h = s in t`: without it terms would grow
exponentially. But for these, a term is normal. Scripts of thousands of moves are fine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import count, islice
from typing import Any, Final

from tactics.errors import InputError
from tactics.formula import FALSE, And, Formula, Implies, Or, atoms
from tactics.goal import Goal, Hypothesis, Move
from tactics.recursion import Call, run
from tactics.script import Script, replay
from tactics.term import (
    Absurd,
    Apply,
    Case,
    First,
    Lambda,
    Left,
    Pair,
    Right,
    Second,
    Term,
    Variable,
    inside,
    parts,
)


def proof_term(formula: Formula, script: Script) -> Term:
    """The term of a script that proves `formula`, closed and of that type.

    Variables are called h, h1, h2, … by how deep they are bound, so that none hides another, and never as an atom of
    the formula. The term has at most linearly many nodes in the script's length and its hypotheses.

    Raises:
        ScriptError: a move does not apply.
        InputError: the script ends with goals open.
    """
    states = replay(formula, script)
    if states[-1]:
        raise InputError(f"The script ends with {len(states[-1])} open goals; only a complete proof has a term.")
    inferences: list[_Inference] = []
    # The variable of each hypothesis, for each open goal, the focused one last.
    scopes: list[dict[str, str]] = [{}]
    numbers = count()
    for move, before, after in zip(script, states, states[1:], strict=False):
        goal, scope = before[0], scopes.pop()
        binders = []
        for premise in reversed(after[: len(after) - len(before) + 1]):
            # The oldest first, so a replaced hypothesis stands before the one that is new with it.
            known = set(goal.hypotheses)
            changed = [hypothesis for hypothesis in premise.hypotheses if hypothesis not in known]
            names = [f"#{next(numbers)}" for _ in changed]
            binders.append([Hypothesis(name, each.formula) for name, each in zip(names, changed, strict=True)])
            scopes.append({**scope, **{each.name: name for name, each in zip(names, changed, strict=True)}})
        inferences.append(_Inference(goal, move, scope, binders[::-1]))
    terms: list[Term] = []
    for inference in reversed(inferences):
        branches = [_Branch(binders, terms.pop()) for binders in inference.binders]
        terms.append(_rule_term(inference, branches, numbers))
    (term,) = terms
    return _reduced(term, avoid={atom.name for atom in atoms(formula)})


@dataclass(frozen=True, slots=True)
class _Inference:
    """A move on a goal, the variables of its hypotheses, and what each premise adds to them."""

    goal: Goal
    move: Move
    scope: dict[str, str]
    binders: list[list[Hypothesis]]

    @property
    def principal(self) -> tuple[Term, Formula]:
        """The hypothesis that the move is applied to."""
        (formula,) = (each.formula for each in self.goal.hypotheses if each.name == self.move.hypothesis)
        return Variable(self.scope[self.move.hypothesis or ""]), formula

    def given(self, formula: Formula) -> Term:
        """The youngest hypothesis that says `formula`."""
        return Variable(
            self.scope[next(each.name for each in reversed(self.goal.hypotheses) if each.formula is formula)]
        )


@dataclass(frozen=True, slots=True)
class _Branch:
    """The proof of a premise, and the hypotheses that it has more than the conclusion."""

    binders: list[Hypothesis]
    proof: Term

    def function(self) -> Lambda:
        """The proof as a function of its one hypothesis."""
        ((name, formula),) = self.binders
        return Lambda(name, formula, self.proof)

    def where(self, *values: Term) -> Term:
        """The proof with values for its hypotheses."""
        term = self.proof
        for name, formula in reversed(self.binders):
            term = Lambda(name, formula, term)
        for value in values:
            term = Apply(term, value)
        return term


def _rule_term(inference: _Inference, branches: Sequence[_Branch], numbers: Iterator[int]) -> Term:
    """The term of an inference from those of its premises."""
    conclusion = inference.goal.conclusion
    c, d = (f"#{next(numbers)}" for _ in "cd")
    match inference.move.rule, branches:
        case "intro", [t]:
            return t.function()
        case "assumption", []:
            return inference.given(conclusion)
        case "contradiction", []:
            return Absurd(inference.given(FALSE), conclusion)
        case "split", [t, u]:
            return Pair(t.proof, u.proof)
        case "left", [t]:
            return Left(t.proof, conclusion)
        case "right", [t]:
            return Right(t.proof, conclusion)
    h, formula = inference.principal
    match inference.move.rule, formula, branches:
        case "destruct_and", And(), [t]:
            return t.where(First(h), Second(h))
        case "destruct_or", Or(), [t, u]:
            return Case(h, t.function(), u.function())
        case "imply1", Implies(a, _), [t]:
            return t.where(Apply(h, inference.given(a)))
        case "imply2", Implies(And(left, right), _), [t]:
            return t.where(Lambda(c, left, Lambda(d, right, Apply(h, Pair(Variable(c), Variable(d))))))
        case "imply3", Implies(Or(left, right) as either, _), [t]:
            return t.where(
                Lambda(c, left, Apply(h, Left(Variable(c), either))),
                Lambda(d, right, Apply(h, Right(Variable(d), either))),
            )
        case "imply4", Implies(Implies(left, right), _), [t, u]:
            return u.where(Apply(h, t.where(Lambda(d, right, Apply(h, Lambda(c, left, Variable(d)))))))
    raise AssertionError(f"no term for {inference.move}")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class _Done(Term):
    """A part that is reduced already."""

    term: Term


_SMALL: Final = 4
"""Nodes up to which a value is written again at each of its uses."""


def _reduced(term: Term, avoid: Collection[str]) -> Term:
    """The same proof with each value where it is used, unless it is large and used more than once.

    In `term` no variable is bound twice. A value that is used once is moved before it is reduced, so nothing is reduced
    twice and the work is linear in the term.
    """
    uses = _uses(term)
    values: dict[str, Term] = {}
    names: list[str] = []

    def name_at(depth: int) -> str:
        candidates = (f"h{number or ''}" for number in count(len(names)))
        while len(names) <= depth:
            names.append(next(name for name in candidates if name not in avoid and name not in names))
        return names[depth]

    def bind(variable: str, domain: Formula, body: Term, arguments: tuple[Term, ...], depth: int) -> Call[Lambda]:
        name = name_at(depth)
        values[variable] = _Done(Variable(name))
        return Lambda(name, domain, (yield reduce(body, arguments, depth + 1)))

    def reduce(term: Term, arguments: tuple[Term, ...], depth: int) -> Call[Term]:
        result: Term
        while True:
            match term:
                case Apply(function, argument):
                    term, arguments = function, (argument, *arguments)
                    continue
                case Variable(name):
                    term = values[name]
                    continue
                case Lambda(variable, domain, body) if arguments:
                    value, *others = arguments
                    if uses[variable] > 1:
                        value = yield reduce(value, (), depth + 1)
                        if not _is_small(value):
                            function = yield bind(variable, domain, body, tuple(others), depth)
                            return Apply(function, value)
                        value = _Done(value)
                    values[variable] = value
                    term, arguments = body, tuple(others)
                    continue
                case _Done(done):
                    result = done
                case Lambda(variable, domain, body):
                    result = yield bind(variable, domain, body, (), depth)
                case _:
                    reduced: dict[str, Any] = {}
                    for part, field in zip(inside(term), fields(term), strict=False):  # the parts are the first fields
                        reduced[field.name] = yield reduce(part, (), depth)
                    result = replace(term, **reduced)
            for argument in arguments:
                result = Apply(result, (yield reduce(argument, (), depth)))
            return result

    return run(reduce(term, (), 0))


def _uses(term: Term) -> Counter[str]:
    """How often each variable is used, but for uses in values that are not used themselves."""
    uses: Counter[str] = Counter()
    values: dict[str, Term] = {}
    for part in parts(term):
        if isinstance(part, Variable):
            uses[part.name] += 1
        arguments: list[Term] = []
        function = part
        while isinstance(function, Apply):
            arguments.append(function.argument)
            function = function.function
        while isinstance(function, Lambda) and arguments:
            values[function.variable] = arguments.pop()
            function = function.body
    dropped = [value for variable, value in values.items() if not uses[variable]]
    gone: set[int] = set()
    while dropped:
        part = dropped.pop()
        if isinstance(part, Variable):
            uses[part.name] -= 1
            if not uses[part.name] and part.name in values:
                dropped.append(values[part.name])
        elif id(part) not in gone:
            gone.add(id(part))
            dropped += inside(part)
    return uses


def _is_small(term: Term) -> bool:
    """Whether a term binds nothing and has few nodes."""
    first = list(islice(parts(term), _SMALL + 1))
    return len(first) <= _SMALL and not any(isinstance(part, (Lambda, Case)) for part in first)
