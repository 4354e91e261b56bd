"""Natural deductions: the λ-term of a proof as facts that follow from one another, in boxes where something is assumed.

A term says what each of its parts proves (Curry and Howard); here every part becomes a fact, in the order in which one
would write it down. What is known already is not derived again, what two boxes would both derive from what is known
outside stands in front of them, and what nothing needs is left out. So a deduction is no larger than its term, and is
often a simpler proof. How it is written is up to `fitch` and `prose`.

The rules are those of Gentzen (1935) and Prawitz (1965), boxes are those of Fitch (1952). ¬A is A → ⊥, and its rules
are →I and →E under names of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from enum import Enum

from tactics.extraction import proof_term
from tactics.formula import FALSE, TRUTH, Formula, Implies
from tactics.recursion import Call, run
from tactics.script import Script
from tactics.term import Absurd, Apply, Case, First, Lambda, Left, Pair, Right, Second, Term, check, types


class Rule(Enum):
    """The rules of intuitionistic natural deduction, by how they are written; a number says which side is meant."""

    ASSUMPTION = "assumption"
    REITERATION = "R"
    AND_INTRODUCTION = "∧I"
    AND_ELIMINATION_1 = "∧E₁"
    AND_ELIMINATION_2 = "∧E₂"
    OR_INTRODUCTION_1 = "∨I₁"
    OR_INTRODUCTION_2 = "∨I₂"
    OR_ELIMINATION = "∨E"
    IMPLICATION_INTRODUCTION = "→I"
    IMPLICATION_ELIMINATION = "→E"
    NEGATION_INTRODUCTION = "¬I"
    NEGATION_ELIMINATION = "¬E"
    FALSUM_ELIMINATION = "⊥E"


@dataclass(eq=False, slots=True)
class Fact:
    """A formula that is assumed or follows.

    Attributes:
        formula: what is the case.
        rule: why.
        premises: what it follows from, facts before boxes, in the order of the rule.
    """

    formula: Formula
    rule: Rule
    premises: tuple[Fact | Box, ...] = ()


@dataclass(eq=False, slots=True)
class Box:
    """What is derived under an assumption.

    Attributes:
        assumption: the first fact; None for the whole deduction.
        items: facts and boxes in their order, without the assumption.
        conclusion: what the box is for: its last fact, or the assumption if there is no other.
        is_case: whether it is one of the two of a disjunction.
    """

    assumption: Fact | None
    is_case: bool = False
    items: list[Fact | Box] = field(default_factory=list)
    conclusion: Fact = field(init=False)

    @property
    def facts(self) -> Iterator[Fact]:
        """The facts right inside, without the assumption."""
        return (item for item in self.items if isinstance(item, Fact))


def deduction(formula: Formula, script: Script) -> Box:
    """The natural deduction of a lemma that a script proves, as a box without an assumption.

    Raises:
        ScriptError: a move does not apply.
        InputError: the script ends with goals open.
    """
    term = proof_term(formula, script)
    check(term, formula)
    whole = Box(None)
    whole.conclusion = run(_Writer(types(term), whole).derive(term))
    _move_out(whole)
    _leave_out(whole)
    _reiterate(whole)
    return whole


def boxes(whole: Box) -> Iterator[Box]:
    """A box and all that are inside it, the outer ones first."""
    pending = [whole]
    while pending:
        box = pending.pop()
        yield box
        pending += [item for item in reversed(box.items) if isinstance(item, Box)]


class _Writer:
    """Writes facts down, each into the innermost open box unless it is known."""

    def __init__(self, types: dict[Term, Formula], whole: Box) -> None:
        self._types = types
        self._open = whole
        self._known: dict[Formula, Fact] = {}

    def derive(self, term: Term) -> Call[Fact]:
        """The fact that a term proves. Its variables are known facts: their boxes are open, or they were let."""
        formula = self._types[term]
        if formula in self._known:
            return self._known[formula]
        if FALSE in self._known:
            return self._fact(formula, Rule.FALSUM_ELIMINATION, self._known[FALSE])
        match term:
            case Apply(Lambda(_, _, body), value):
                yield self.derive(value)
                result: Fact = yield self.derive(body)
                return result
            case Apply(function, argument):
                rule = Rule.NEGATION_ELIMINATION if formula is FALSE else Rule.IMPLICATION_ELIMINATION
                return self._fact(formula, rule, (yield self.derive(function)), (yield self.derive(argument)))
            case Pair(first, second):
                premises = (yield self.derive(first)), (yield self.derive(second))
                return self._fact(formula, Rule.AND_INTRODUCTION, *premises)
            case First(pair):
                return self._fact(formula, Rule.AND_ELIMINATION_1, (yield self.derive(pair)))
            case Second(pair):
                return self._fact(formula, Rule.AND_ELIMINATION_2, (yield self.derive(pair)))
            case Left(proof, _):
                return self._fact(formula, Rule.OR_INTRODUCTION_1, (yield self.derive(proof)))
            case Right(proof, _):
                return self._fact(formula, Rule.OR_INTRODUCTION_2, (yield self.derive(proof)))
            case Absurd(falsehood, _):
                return self._fact(formula, Rule.FALSUM_ELIMINATION, (yield self.derive(falsehood)))
            case Lambda(_, domain, body):
                negates = formula is not TRUTH and isinstance(formula, Implies) and formula.right is FALSE
                rule = Rule.NEGATION_INTRODUCTION if negates else Rule.IMPLICATION_INTRODUCTION
                return self._fact(formula, rule, (yield self._box(domain, body)))
            case Case(disjunction, on_left, on_right):
                either = yield self.derive(disjunction)
                for branch in (on_left, on_right):
                    if branch.domain in self._known:
                        result = yield self.derive(branch.body)
                        return result
                left_case = yield self._box(on_left.domain, on_left.body, is_case=True)
                right_case = yield self._box(on_right.domain, on_right.body, is_case=True)
                return self._fact(formula, Rule.OR_ELIMINATION, either, left_case, right_case)
        raise AssertionError(f"no fact for {type(term).__name__}")

    def _fact(self, formula: Formula, rule: Rule, *premises: Fact | Box) -> Fact:
        # A premise may have come to the same formula on its way.
        if formula not in self._known:
            self._known[formula] = Fact(formula, rule, premises)
            self._open.items.append(self._known[formula])
        return self._known[formula]

    def _box(self, domain: Formula, body: Term, *, is_case: bool = False) -> Call[Box]:
        outer, known = self._open, self._known.get(domain)
        assumption = Fact(domain, Rule.ASSUMPTION)
        self._open = box = Box(assumption, is_case)
        outer.items.append(box)
        self._known[domain] = assumption
        box.conclusion = yield self.derive(body)
        for item in box.items:
            if isinstance(item, Fact):
                del self._known[item.formula]
        del self._known[domain]
        if known is not None:
            self._known[domain] = known
        self._open = outer
        return box


def _move_out(whole: Box) -> None:
    """Put what is derived at several places from what is known outside in front of the first box that derives it."""
    counts = Counter(fact.formula for box in boxes(whole) for fact in box.facts)
    repeated = {formula for formula, count in counts.items() if count > 1}
    replaced: dict[Fact, Fact] = {}
    if repeated:
        for box in boxes(whole):
            _move_out_of(box, repeated, replaced)
    for box in boxes(whole):
        box.conclusion = replaced.get(box.conclusion, box.conclusion)
        for fact in box.facts:
            fact.premises = _by(fact.premises, replaced)


def _move_out_of(box: Box, repeated: Set[Formula], replaced: dict[Fact, Fact]) -> None:
    """Do so for the boxes right inside one; the outer ones come first."""
    places: dict[Formula, set[int]] = defaultdict(set)
    inside: set[Fact] = set()
    for place, item in enumerate(box.items):
        for each in boxes(item) if isinstance(item, Box) else ():
            for fact in each.facts:
                inside.add(fact)
                places[fact.formula].add(place)
            if each.assumption is not None:
                inside.add(each.assumption)
        if isinstance(item, Fact):
            places[item.formula].add(place)
    shared = {formula for formula in repeated if len(places[formula]) > 1}
    moved: dict[Formula, Fact] = {}
    items: list[Fact | Box] = []
    for item in box.items if shared else ():
        for each in boxes(item) if isinstance(item, Box) else ():
            kept: list[Fact | Box] = []
            for part in each.items:
                if isinstance(part, Box):
                    kept.append(part)
                    continue
                fact = part
                fact.premises = _by(fact.premises, replaced)
                if fact.formula in moved:
                    replaced[fact] = moved[fact.formula]
                elif fact.formula in shared and all(
                    isinstance(premise, Fact) and premise not in inside for premise in fact.premises
                ):
                    moved[fact.formula] = fact
                    inside.remove(fact)
                    items.append(fact)
                else:
                    kept.append(fact)
            each.items = kept
        if isinstance(item, Fact) and item.formula in moved:
            replaced[item] = moved[item.formula]
        else:
            items.append(item)
    if shared:
        box.items = items


def _by(premises: tuple[Fact | Box, ...], replaced: Mapping[Fact, Fact]) -> tuple[Fact | Box, ...]:
    return tuple(replaced.get(each, each) if isinstance(each, Fact) else each for each in premises)


def _leave_out(whole: Box) -> None:
    """Leave out what the conclusion does not need."""
    needed: set[Fact | Box] = set()
    pending: list[Fact | Box] = [whole.conclusion]
    while pending:
        item = pending.pop()
        if item not in needed:
            needed.add(item)
            pending += (item.conclusion,) if isinstance(item, Box) else item.premises
    for box in boxes(whole):
        box.items = [item for item in box.items if item in needed]


def _reiterate(whole: Box) -> None:
    """Repeat in a box what it concludes, where that was known outside."""
    for box in boxes(whole):
        if box.conclusion is not box.assumption and box.conclusion not in box.items:
            box.conclusion = Fact(box.conclusion.formula, Rule.REITERATION, (box.conclusion,))
            box.items.append(box.conclusion)
