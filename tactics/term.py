"""Proof terms: the λ-term of natural deduction that a complete script is, its type checker, and its text.

Curry and Howard: a proof of an implication is a function, of a conjunction a pair, of a disjunction a tagged value, and
from a proof of False follows anything. A term is made from the states of a replayed script by one line a rule
(`_rule_term`), and then reduced: what a rule puts in the place of a hypothesis is written where the hypothesis is used,
unless it is large and used more than once. That stays an applied abstraction, `(λh : A. t) s`, and is shown as
`let h = s in t`: without it terms would grow exponentially. But for these, a term is normal.

The checker knows natural deduction and nothing of the twelve rules. Nothing here recurses on the Python stack, so
scripts of thousands of moves are fine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Final, TypeVar

from tactics.errors import InputError
from tactics.formula import FALSE, And, Formula, Implies, Or, atoms
from tactics.goal import Goal, Hypothesis, Move
from tactics.printer import MAX_CHARACTERS, UNICODE, Notation, show
from tactics.script import Script, replay


class TermError(InputError):
    """A term that has no type, or not the one it should have; the text says which part and why."""


class Term:
    """A proof term; immutable, equal only to itself."""

    __slots__ = ()


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Variable(Term):
    """A hypothesis."""

    name: str


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Lambda(Term):
    """`λvariable : domain. body`, a proof of an implication."""

    variable: str
    domain: Formula
    body: Term


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Apply(Term):
    """`function argument`, modus ponens."""

    function: Term
    argument: Term


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Pair(Term):
    """`⟨first, second⟩`, a proof of a conjunction."""

    first: Term
    second: Term


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class First(Term):
    """`fst pair`, the left side of a conjunction."""

    pair: Term


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Second(Term):
    """`snd pair`, the right side of a conjunction."""

    pair: Term


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Left(Term):
    """`inl proof`, a proof of `disjunction` by its left side."""

    proof: Term
    disjunction: Formula


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Right(Term):
    """`inr proof`, a proof of `disjunction` by its right side."""

    proof: Term
    disjunction: Formula


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Case(Term):
    """`case disjunction of inl h. t | inr h. u`; the branches are functions of what each side proves."""

    disjunction: Term
    on_left: Lambda
    on_right: Lambda


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Absurd(Term):
    """`absurd falsehood`, a proof of `conclusion` from one of False."""

    falsehood: Term
    conclusion: Formula


_T = TypeVar("_T")
_Steps = Generator[Generator[Any, Any, Any], Any, _T]


def _run(steps: _Steps[_T]) -> _T:
    """What a recursive function returns that is written as a generator and yields its calls: recursion on the heap."""
    calls: list[Generator[Any, Any, Any]] = [steps]
    value: Any = None
    while calls:
        try:
            call = calls[-1].send(value)
        except StopIteration as done:
            calls.pop()
            value = done.value
        else:
            calls.append(call)
            value = None
    result: _T = value
    return result


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

    def bind(variable: str, domain: Formula, body: Term, arguments: tuple[Term, ...], depth: int) -> _Steps[Lambda]:
        name = name_at(depth)
        values[variable] = _Done(Variable(name))
        return Lambda(name, domain, (yield reduce(body, arguments, depth + 1)))

    def reduce(term: Term, arguments: tuple[Term, ...], depth: int) -> _Steps[Term]:
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
                case Pair(first, second):
                    result = Pair((yield reduce(first, (), depth)), (yield reduce(second, (), depth)))
                case First(pair):
                    result = First((yield reduce(pair, (), depth)))
                case Second(pair):
                    result = Second((yield reduce(pair, (), depth)))
                case Left(proof, disjunction):
                    result = Left((yield reduce(proof, (), depth)), disjunction)
                case Right(proof, disjunction):
                    result = Right((yield reduce(proof, (), depth)), disjunction)
                case Case(disjunction, on_left, on_right):
                    result = Case(
                        (yield reduce(disjunction, (), depth)),
                        (yield reduce(on_left, (), depth)),
                        (yield reduce(on_right, (), depth)),
                    )
                case Absurd(falsehood, conclusion):
                    result = Absurd((yield reduce(falsehood, (), depth)), conclusion)
            for argument in arguments:
                result = Apply(result, (yield reduce(argument, (), depth)))
            return result

    return _run(reduce(term, (), 0))


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
            dropped += _inside(part)
    return uses


def _is_small(term: Term) -> bool:
    """Whether a term binds nothing and has few nodes."""
    first = list(islice(parts(term), _SMALL + 1))
    return len(first) <= _SMALL and not any(isinstance(part, (Lambda, Case)) for part in first)


def _inside(term: Term) -> tuple[Term, ...]:
    match term:
        case Lambda(_, _, body):
            return (body,)
        case Apply(left, right) | Pair(left, right):
            return left, right
        case First(part) | Second(part) | Left(part, _) | Right(part, _) | Absurd(part, _):
            return (part,)
        case Case(disjunction, on_left, on_right):
            return disjunction, on_left, on_right
        case _:
            return ()


def parts(term: Term) -> Iterator[Term]:
    """Every part of a term, the whole first, from left to right."""
    pending = [term]
    while pending:
        part = pending.pop()
        yield part
        pending += reversed(_inside(part))


def type_of(term: Term, hypotheses: Iterable[Hypothesis] = ()) -> Formula:
    """The formula that a term proves from hypotheses, by natural deduction; of two with one name the later counts.

    Raises TermError.
    """
    return _run(_infer(term, {name: [formula] for name, formula in hypotheses}))


def check(term: Term, formula: Formula) -> None:
    """See that a term proves `formula` from no hypotheses. Raises TermError."""
    found = type_of(term)
    if found is not formula:
        raise TermError(f"The term proves {_brief(found)}, not {_brief(formula)}.")


def _infer(term: Term, context: dict[str, list[Formula]]) -> _Steps[Formula]:
    match term:
        case Variable(name):
            if not context.get(name):
                raise TermError(f"The variable {name} is bound nowhere.")
            return context[name][-1]
        case Lambda(variable, domain, body):
            context.setdefault(variable, []).append(domain)
            codomain: Formula = yield _infer(body, context)
            context[variable].pop()
            return Implies(domain, codomain)
        case Apply(function, argument):
            implication: Formula = yield _infer(function, context)
            given: Formula = yield _infer(argument, context)
            match implication:
                case Implies(domain, codomain) if domain is given:
                    return codomain
            raise TermError(f"A proof of {_brief(implication)} is applied to one of {_brief(given)}.")
        case Pair(first, second):
            left: Formula = yield _infer(first, context)
            right: Formula = yield _infer(second, context)
            return And(left, right)
        case First(pair) | Second(pair):
            conjunction: Formula = yield _infer(pair, context)
            if not isinstance(conjunction, And):
                raise TermError(f"A side is taken of {_brief(conjunction)}, which is no conjunction.")
            return conjunction.left if isinstance(term, First) else conjunction.right
        case Left(proof, disjunction) | Right(proof, disjunction):
            side: Formula = yield _infer(proof, context)
            match disjunction:
                case Or(left, right) if side is (left if isinstance(term, Left) else right):
                    return disjunction
            raise TermError(f"{_brief(side)} is not that side of {_brief(disjunction)}.")
        case Case(scrutinee, on_left, on_right):
            disjunction = yield _infer(scrutinee, context)
            branches = (yield _infer(on_left, context)), (yield _infer(on_right, context))
            match disjunction, *branches:
                case Or(left, right), Implies(one, result), Implies(other, same):
                    if one is left and other is right and result is same:
                        return result
            raise TermError(
                f"The cases of {_brief(disjunction)} are {_brief(branches[0])} and {_brief(branches[1])}; "
                "they do not fit."
            )
        case Absurd(falsehood, conclusion):
            found: Formula = yield _infer(falsehood, context)
            if found is not FALSE:
                raise TermError(f"absurd wants a proof of False, not of {_brief(found)}.")
            return conclusion
        case _:
            raise TermError(f"{type(term).__name__} is no part of a term.")


def _brief(formula: Formula) -> str:
    try:
        return show(formula, limit=200)
    except InputError:
        return "a large formula"


def show_term(term: Term, notation: Notation = UNICODE, *, limit: int | None = None) -> str:
    """The text of a term, as in `λh : A ∧ B. ⟨snd h, fst h⟩`; formulas, only after `λ`, in the given notation.

    Raises InputError when it would be longer than `limit` characters, `MAX_CHARACTERS` if None.
    """
    limit = MAX_CHARACTERS if limit is None else limit
    pieces: list[str] = []
    left = limit
    pending: list[str | tuple[Term, bool]] = [(term, False)]
    while pending:
        entry = pending.pop()
        if not isinstance(entry, str):
            part, is_argument = entry
            layout = _layout(part, notation, left)
            closed = isinstance(part, (Variable, Pair))
            pending += reversed(["(", *layout, ")"] if is_argument and not closed else layout)
            continue
        pieces.append(entry)
        left -= len(entry)
        if left < 0:
            raise InputError(f"This proof term has more than {limit:,} characters; look at its script instead.")
    return "".join(pieces)


def _layout(term: Term, notation: Notation, limit: int) -> list[str | tuple[Term, bool]]:
    """The text of a term with its parts still to be laid out, each with whether it stands as an argument."""
    match term:
        case Variable(name):
            return [name]
        case Lambda(variable, domain, body):
            return [f"λ{variable} : {show(domain, notation, limit=limit)}. ", (body, False)]
        case Apply(Lambda(variable, _, body), value):
            return [f"let {variable} = ", (value, False), " in ", (body, False)]
        case Apply(Apply() | First() | Second() as function, argument):
            # A let is an application too, but does not continue one.
            is_let = isinstance(function, Apply) and isinstance(function.function, Lambda)
            return [(function, is_let), " ", (argument, True)]
        case Apply(function, argument):
            return [(function, True), " ", (argument, True)]
        case Pair(first, second):
            return ["⟨", (first, False), ", ", (second, False), "⟩"]
        case First(part):
            return ["fst ", (part, True)]
        case Second(part):
            return ["snd ", (part, True)]
        case Left(part, _):
            return ["inl ", (part, True)]
        case Right(part, _):
            return ["inr ", (part, True)]
        case Absurd(part, _):
            return ["absurd ", (part, True)]
        case Case(part, on_left, on_right):
            # A case inside the left branch would swallow the right one.
            return [
                *(
                    "case ",
                    (part, _is_open(part)),
                    f" of inl {on_left.variable}. ",
                    (on_left.body, _is_open(on_left.body)),
                ),
                *(f" | inr {on_right.variable}. ", (on_right.body, False)),
            ]
        case _:
            raise AssertionError(f"no text for {type(term).__name__}")


def _is_open(term: Term) -> bool:
    """Whether a term's text ends with a part that goes on as far as it can."""
    return isinstance(term, (Case, Lambda)) or (isinstance(term, Apply) and isinstance(term.function, Lambda))
