"""Proof terms: the λ-terms of natural deduction, their type checker, and their text.

Curry and Howard: a proof of an implication is a function, of a conjunction a pair, of a disjunction a tagged value, and
from a proof of False follows anything. The checker knows natural deduction and nothing of the twelve rules; which term
a script is, `tactics.extraction` knows. Nothing here recurses on the Python stack, so very deep terms are fine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tactics.errors import InputError
from tactics.formula import FALSE, And, Formula, Implies, Or
from tactics.goal import Hypothesis
from tactics.printer import MAX_CHARACTERS, UNICODE, Notation, show
from tactics.recursion import Call, run


class TermError(InputError):
    """A term that has no type, or not the one it should have; the text says which part and why."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Term:
    """A proof term; immutable, equal only to itself."""


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


def inside(term: Term) -> tuple[Term, ...]:
    """The immediate parts of a term, from left to right."""
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
        pending += reversed(inside(part))


def type_of(term: Term, hypotheses: Iterable[Hypothesis] = ()) -> Formula:
    """The formula that a term proves from hypotheses, by natural deduction; of two with one name the later counts.

    Raises TermError.
    """
    return types(term, hypotheses)[term]


def types(term: Term, hypotheses: Iterable[Hypothesis] = ()) -> dict[Term, Formula]:
    """The formula that each part of a term proves where it stands, as `type_of` says. Raises TermError."""
    found: dict[Term, Formula] = {}
    run(_noted(term, {name: [formula] for name, formula in hypotheses}, found))
    return found


def check(term: Term, formula: Formula) -> None:
    """See that a term proves `formula` from no hypotheses. Raises TermError."""
    found = type_of(term)
    if found is not formula:
        raise TermError(f"The term proves {_brief(found)}, not {_brief(formula)}.")


def _noted(term: Term, context: dict[str, list[Formula]], found: dict[Term, Formula]) -> Call[Formula]:
    """What a term proves, noted with what its parts prove."""
    formula: Formula = yield _infer(term, context, found)
    found[term] = formula
    return formula


def _infer(term: Term, context: dict[str, list[Formula]], found: dict[Term, Formula]) -> Call[Formula]:
    match term:
        case Variable(name):
            if not context.get(name):
                raise TermError(f"The variable {name} is bound nowhere.")
            return context[name][-1]
        case Lambda(variable, domain, body):
            context.setdefault(variable, []).append(domain)
            codomain: Formula = yield _noted(body, context, found)
            context[variable].pop()
            return Implies(domain, codomain)
        case Apply(function, argument):
            implication: Formula = yield _noted(function, context, found)
            given: Formula = yield _noted(argument, context, found)
            match implication:
                case Implies(domain, codomain) if domain is given:
                    return codomain
            raise TermError(f"A proof of {_brief(implication)} is applied to one of {_brief(given)}.")
        case Pair(first, second):
            left: Formula = yield _noted(first, context, found)
            right: Formula = yield _noted(second, context, found)
            return And(left, right)
        case First(pair) | Second(pair):
            conjunction: Formula = yield _noted(pair, context, found)
            if not isinstance(conjunction, And):
                raise TermError(f"A side is taken of {_brief(conjunction)}, which is no conjunction.")
            return conjunction.left if isinstance(term, First) else conjunction.right
        case Left(proof, disjunction) | Right(proof, disjunction):
            side: Formula = yield _noted(proof, context, found)
            match disjunction:
                case Or(left, right) if side is (left if isinstance(term, Left) else right):
                    return disjunction
            raise TermError(f"{_brief(side)} is not that side of {_brief(disjunction)}.")
        case Case(scrutinee, on_left, on_right):
            disjunction = yield _noted(scrutinee, context, found)
            branches = (yield _noted(on_left, context, found)), (yield _noted(on_right, context, found))
            match disjunction, *branches:
                case Or(left, right), Implies(one, result), Implies(other, same):
                    if one is left and other is right and result is same:
                        return result
            raise TermError(
                f"The cases of {_brief(disjunction)} are {_brief(branches[0])} and {_brief(branches[1])}; "
                "they do not fit."
            )
        case Absurd(falsehood, conclusion):
            given = yield _noted(falsehood, context, found)
            if given is not FALSE:
                raise TermError(f"absurd wants a proof of False, not of {_brief(given)}.")
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
