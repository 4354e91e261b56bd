"""The twelve rules of Dyckhoff's contraction-free calculus as data, and what follows: legal moves and their effect.

The rules are the thesis's (3.1)-(3.12), after Dyckhoff (1992). Names and order of hypotheses are those that Coq gives
when it plays the same rules: what replaces a hypothesis takes over its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from tactics.errors import InputError
from tactics.formula import Atom, Binary, Formula
from tactics.goal import Goal, Hypothesis, Move, State
from tactics.parser import parse
from tactics.printer import brief, show


class IllegalMove(InputError):
    """A move that does not apply; the text says why in plain words."""


_Bindings = dict[str, Formula]
"""What the letters of a schema stand for."""


class Premise(NamedTuple):
    """What is left to prove after a rule, as a change of the goal.

    Attributes:
        replacement: what stands in the place of the hypothesis H, under its name; None if the rule takes none.
        in_place: whether the replacement stays where H was, between Γ and Δ; otherwise it comes last.
        addition: a further formula, last, under a fresh name; None if there is none.
        conclusion: the new conclusion; None if it stays (G).
    """

    replacement: Formula | None
    in_place: bool
    addition: Formula | None
    conclusion: Formula | None

    @classmethod
    def read(cls, text: str) -> Premise:
        """A premise with letters for formulas, from text such as `Γ, Δ, H : D → B ⊢ C → D`."""
        context, conclusion = text.split("⊢")
        items = [item.strip() for item in context.split(",")]
        named = [item.removeprefix("H :") for item in items if item.startswith("H :")]
        others = [item for item in items if item not in ("Γ", "Δ") and not item.startswith("H :")]
        return cls(
            replacement=parse(named[0]) if named else None,
            in_place=items[-1] == "Δ",
            addition=parse(others[0]) if others else None,
            conclusion=None if conclusion.strip() == "G" else parse(conclusion),
        )

    def instance(self, bindings: _Bindings) -> Premise:
        """The premise with formulas for its letters."""
        replacement, addition, conclusion = (
            None if pattern is None else _instantiate(pattern, bindings)
            for pattern in (self.replacement, self.addition, self.conclusion)
        )
        return Premise(replacement, self.in_place, addition, conclusion)


class Rule:
    """An inference rule read from its schema; A, B, C, D and G stand for any formula, Γ and Δ for any hypotheses.

    Attributes:
        name: what a person types.
        schema: the goal it applies to, as text.
        takes_hypothesis: whether a move of this rule names a hypothesis.
        pattern: what the named hypothesis, or else the conclusion, must look like.
        given: a formula that must be among the hypotheses, or None.
        premises: what is left to prove.
    """

    def __init__(self, name: str, schema: str, *premises: str, given: str | None = None) -> None:
        self.name, self.schema = name, schema
        context, conclusion = schema.split("⊢")
        self.takes_hypothesis = "H :" in context
        self.pattern_text = (context.split("H :")[1].split(",")[0] if self.takes_hypothesis else conclusion).strip()
        self.pattern = parse(self.pattern_text)
        self.given = None if given is None else parse(given)
        self.premises = tuple(map(Premise.read, premises))

    def __repr__(self) -> str:
        return f"<Rule {self.name}>"


_TABLE: Final = (
    Rule("intro", "Γ ⊢ A → B", "Γ, A ⊢ B"),
    Rule("assumption", "Γ ⊢ G", given="G"),
    Rule("contradiction", "Γ ⊢ G", given="⊥"),
    Rule("split", "Γ ⊢ A ∧ B", "Γ ⊢ A", "Γ ⊢ B"),
    Rule("left", "Γ ⊢ A ∨ B", "Γ ⊢ A"),
    Rule("right", "Γ ⊢ A ∨ B", "Γ ⊢ B"),
    Rule("destruct_and", "Γ, H : A ∧ B, Δ ⊢ G", "Γ, Δ, H : A, B ⊢ G"),
    Rule("destruct_or", "Γ, H : A ∨ B, Δ ⊢ G", "Γ, Δ, H : A ⊢ G", "Γ, Δ, H : B ⊢ G"),
    Rule("imply1", "Γ, H : A → B, Δ ⊢ G", "Γ, H : B, Δ ⊢ G", given="A"),
    Rule("imply2", "Γ, H : C ∧ D → B, Δ ⊢ G", "Γ, Δ, H : C → D → B ⊢ G"),
    Rule("imply3", "Γ, H : C ∨ D → B, Δ ⊢ G", "Γ, Δ, H : C → B, D → B ⊢ G"),
    Rule("imply4", "Γ, H : (C → D) → B, Δ ⊢ G", "Γ, Δ, H : D → B ⊢ C → D", "Γ, H : B, Δ ⊢ G"),
)
RULES: Final = {rule.name: rule for rule in _TABLE}
"""The twelve rules by name, in the order of the table."""


def _match(pattern: Formula, formula: Formula) -> _Bindings | None:
    """What the letters of `pattern` stand for if it has the shape of `formula`; no schema has a letter twice."""
    match pattern:
        case Atom(letter):
            return {letter: formula}
        case Binary(left, right):
            if type(formula) is not type(pattern):
                return None
            assert isinstance(formula, Binary)
            on_left, on_right = _match(left, formula.left), _match(right, formula.right)
            return None if on_left is None or on_right is None else on_left | on_right
        case _:
            return {} if formula is pattern else None


def _instantiate(pattern: Formula, bindings: _Bindings) -> Formula:
    match pattern:
        case Atom(letter):
            return bindings[letter]
        case Binary(left, right):
            return type(pattern)(_instantiate(left, bindings), _instantiate(right, bindings))
        case _:
            return pattern


class Inference(NamedTuple):
    """A rule on a given formula.

    Attributes:
        rule: which one.
        given: what must be among the hypotheses, or None.
        premises: what is left to prove.
    """

    rule: Rule
    given: Formula | None
    premises: tuple[Premise, ...]


@cache
def inferences(formula: Formula, as_hypothesis: bool) -> tuple[Inference, ...]:
    """What the rules can do with a formula that is a hypothesis or else the conclusion, in the order of the table."""
    return tuple(
        Inference(
            rule,
            None if rule.given is None else _instantiate(rule.given, bindings),
            tuple(premise.instance(bindings) for premise in rule.premises),
        )
        for rule in _TABLE
        if rule.takes_hypothesis == as_hypothesis and (bindings := _match(rule.pattern, formula)) is not None
    )


def legal_moves(goal: Goal) -> tuple[Move, ...]:
    """The moves that apply to a goal: those on the conclusion, then those on each hypothesis from the oldest on."""
    if goal.moves is None:
        goal.moves = tuple(_moves(goal))
    return goal.moves


def _moves(goal: Goal) -> Iterator[Move]:
    present = {hypothesis.formula for hypothesis in goal.hypotheses}
    for rule, given, _ in inferences(goal.conclusion, False):
        if given is None or given in present:
            yield Move(rule.name)
    for name, formula in goal.hypotheses:
        for rule, given, _ in inferences(formula, True):
            if given is None or given in present:
                yield Move(rule.name, name)


def premises(goal: Goal, move: Move) -> tuple[Goal, ...]:
    """The goals that a move leaves of a goal. Raises IllegalMove if it does not apply."""
    known = goal.premises.get(move)
    if known is None:
        known = goal.premises[move] = _premises(goal, move)
    return known


def apply(state: State, move: Move) -> State:
    """The state after a move on the focused goal. Raises IllegalMove if it does not apply."""
    if not state:
        raise IllegalMove(f"{move}: nothing is left to prove; leave this move out.")
    return premises(state[0], move) + state[1:]


def _premises(goal: Goal, move: Move) -> tuple[Goal, ...]:
    inference, place = _check(goal, move)
    return tuple(_premise(goal, premise, place) for premise in inference.premises)


def _premise(goal: Goal, premise: Premise, place: int | None) -> Goal:
    hypotheses = list(goal.hypotheses)
    if premise.replacement is not None:
        assert place is not None
        replacement = Hypothesis(hypotheses[place].name, premise.replacement)
        if premise.in_place:
            hypotheses[place] = replacement
        else:
            del hypotheses[place]
            hypotheses.append(replacement)
    if premise.addition is not None:
        # The replacement keeps its name, so what is free does not change with it.
        hypotheses.append(Hypothesis(goal.fresh_name(), premise.addition))
    conclusion = goal.conclusion if premise.conclusion is None else premise.conclusion
    return Goal(tuple(hypotheses), conclusion, goal.avoid)


def _check(goal: Goal, move: Move) -> tuple[Inference, int | None]:
    """What a move that applies does, and the place of its hypothesis; otherwise raises IllegalMove with the reason."""
    rule = RULES.get(move.rule)
    if rule is None:
        raise IllegalMove(f"{move.rule} is not a rule; the rules are {', '.join(RULES)}.")
    place = None
    principal = goal.conclusion
    names = [hypothesis.name for hypothesis in goal.hypotheses]
    if rule.takes_hypothesis:
        if move.hypothesis is None:
            raise IllegalMove(f"{rule.name} needs a hypothesis, as in {rule.name} {names[0] if names else 'H'}.")
        if move.hypothesis not in names:
            there = f"there are {', '.join(names)}" if names else "there are none yet"
            raise IllegalMove(f"{rule.name}: no hypothesis is called {move.hypothesis}; {there}.")
        place = names.index(move.hypothesis)
        principal = goal.hypotheses[place].formula
    elif move.hypothesis is not None:
        raise IllegalMove(f"{rule.name} takes no hypothesis; leave out {move.hypothesis}.")
    inference = next((each for each in inferences(principal, rule.takes_hypothesis) if each.rule is rule), None)
    if inference is None:
        subject = move.hypothesis if rule.takes_hypothesis else "the conclusion"
        raise IllegalMove(f"{rule.name}: {subject} is not of the form {show(rule.pattern, sugar=False)}.")
    given = inference.given
    if given is not None and all(hypothesis.formula is not given for hypothesis in goal.hypotheses):
        raise IllegalMove(f"{rule.name}: {brief(given)} is not among the hypotheses.")
    return inference, place
