"""The twelve rules of Dyckhoff's contraction-free calculus, and what follows from them: legal moves and their effect.

The rules are the thesis's (3.1)-(3.12), after Dyckhoff (1992), each read from the goal to its premises. A, B, C, D and
G stand for any formula, Γ and Δ for any hypotheses, the oldest first. H is the hypothesis that a move names. What takes
its place keeps its name, and stands where the premise has it: between Γ and Δ, where H was, or after both. A formula
without a name is a new hypothesis under a fresh one. Coq names and orders them so when it plays the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from tactics.errors import InputError, did_you_mean, printable
from tactics.formula import Atom, Binary, Formula
from tactics.goal import Goal, Hypothesis, Move, State
from tactics.parser import parse
from tactics.printer import brief, show


class IllegalMove(InputError):
    """A move that does not apply; the text says why in plain words."""


class Misnamed(IllegalMove):
    """A move that names no rule, or no hypothesis of the goal where one is needed, or one where none is."""


class _Ruled(Protocol):
    """A move, as somebody has it who knows its rule."""

    @property
    def rule(self) -> str: ...


_R = TypeVar("_R", bound=_Ruled)
_Letters = dict[str, Formula]
"""What the letters of a schema stand for."""


class Premise(NamedTuple):
    """A goal that a rule leaves, as a change of the goal that it is applied to.

    Attributes:
        replacement: what takes the place of H; None if the rule takes no hypothesis.
        in_place: whether it stands where H was, and not after Γ and Δ.
        addition: a new hypothesis, the last one; None if there is none.
        conclusion: the new conclusion; None if G stays.
    """

    replacement: Formula | None
    in_place: bool
    addition: Formula | None
    conclusion: Formula | None

    @classmethod
    def read(cls, text: str) -> Premise:
        """A premise with letters for formulas, from text such as `Γ, Δ, H : A, B ⊢ G`."""
        context, _, conclusion = text.partition(" ⊢ ")
        formulas = [item for item in context.split(", ") if item not in ("Γ", "Δ")]
        named = [item.removeprefix("H : ") for item in formulas if item.startswith("H : ")]
        unnamed = [item for item in formulas if not item.startswith("H : ")]
        return cls(
            replacement=parse(named[0]) if named else None,
            in_place="H : " in context.partition("Δ")[0],
            addition=parse(unnamed[0]) if unnamed else None,
            conclusion=None if conclusion == "G" else parse(conclusion),
        )

    @property
    def added(self) -> tuple[Formula, ...]:
        """The hypotheses that the goal did not have: the replacement and the addition, as far as there are any."""
        return tuple([formula for formula in (self.replacement, self.addition) if formula is not None])

    def instance(self, letters: _Letters) -> Premise:
        """The premise with formulas for its letters."""
        replacement, addition, conclusion = (
            pattern and _instance(pattern, letters) for pattern in (self.replacement, self.addition, self.conclusion)
        )
        return Premise(replacement, self.in_place, addition, conclusion)


class Rule:
    """A rule, read from its line of the table.

    Attributes:
        name: what a person types.
        takes_hypothesis: whether a move of this rule names a hypothesis.
        pattern: what that hypothesis, or else the conclusion, must look like.
        given: a formula that must be among the hypotheses, or None.
        premises: what is left to prove.
    """

    def __init__(self, name: str, goal: str, *premises: str, given: str | None = None) -> None:
        context, _, conclusion = goal.partition(" ⊢ ")
        _, named, principal = context.removesuffix(", Δ").partition("H : ")
        self.name = name
        self.takes_hypothesis = bool(named)
        self.pattern = parse(principal or conclusion)
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
SPEAKING: Final = {"imply1": "apply", "imply2": "curry", "imply3": "split_or", "imply4": "nested"}
"""What rules are called by what they do, where the name in the table is a number."""
TACTICS: Final = tuple(SPEAKING.get(name, name) for name in RULES)
"""What people call the twelve rules."""
_NAMED: Final = {name: name for name in RULES} | {spoken: name for name, spoken in SPEAKING.items()}
_SAFE: Final = (
    *("assumption", "contradiction"),  # leave nothing
    *("intro", "destruct_and", "imply1", "imply2", "imply3"),  # leave one goal
    *("split", "destruct_or"),  # leave two, so what comes before them is done once
)
_ORDER: Final = {rule: place for place, rule in enumerate(_SAFE)}
CAN_LOSE: Final = frozenset(RULES) - frozenset(_SAFE)
"""The rules that may leave of a provable goal one that is not; of what `imply4` leaves it can only be the first.

The others can be undone: if the goal has a proof, so has every premise, and no other move needs to be tried (Dyckhoff
1992).
"""
_ASSUMPTION: Final = RULES["assumption"]


def rule_named(text: str) -> str:
    """The name in the table of a rule that is called by it or by its speaking name. Raises InputError for no rule."""
    if text not in _NAMED:
        raise InputError(f"{text} is not a rule; the rules are {', '.join(RULES)}.")
    return _NAMED[text]


def tactic_named(text: str) -> str:
    """The same for a person, who knows rules as tactics and is told which one may be meant."""
    if text not in _NAMED:
        rather = did_you_mean(text, TACTICS, f"the tactics are {', '.join(TACTICS)}.")
        raise InputError(f"{printable(text)[:40]} is not a tactic; {rather}")
    return _NAMED[text]


def spoken(move: Move) -> str:
    """A move as people read it: by the speaking name of its rule."""
    return str(move._replace(rule=SPEAKING.get(move.rule, move.rule)))


class Inference(NamedTuple):
    """A rule on a formula.

    Attributes:
        rule: which one.
        given: what must be among the hypotheses, or None.
        premises: what is left to prove.
    """

    rule: Rule
    given: Formula | None
    premises: tuple[Premise, ...]


def inferences(formula: Formula, as_hypothesis: bool) -> tuple[Inference, ...]:
    """What the rules can do with a formula that is a hypothesis or else the conclusion, in the order of the table."""
    if as_hypothesis:
        if formula.as_hypothesis is None:
            formula.as_hypothesis = tuple(_applied(formula, as_hypothesis))
        known: tuple[Inference, ...] = formula.as_hypothesis
        return known
    if formula.as_conclusion is None:
        # `assumption` asks for the formula itself, and a formula that kept a tuple with itself would not be forgotten.
        formula.as_conclusion = tuple(_with_given(None, _applied(formula, as_hypothesis)))
    return tuple(_with_given(formula, formula.as_conclusion))


def _with_given(formula: Formula | None, found: Iterable[Inference]) -> list[Inference]:
    """Inferences of which `assumption` asks for this formula."""
    return [Inference(_ASSUMPTION, formula, ()) if each.rule is _ASSUMPTION else each for each in found]


def _applied(formula: Formula, as_hypothesis: bool) -> Iterator[Inference]:
    for rule in _TABLE:
        letters = _match(rule.pattern, formula) if rule.takes_hypothesis == as_hypothesis else None
        if letters is not None:
            given = rule.given and _instance(rule.given, letters)
            yield Inference(rule, given, tuple(premise.instance(letters) for premise in rule.premises))


def _match(pattern: Formula, formula: Formula) -> _Letters | None:
    """What the letters of a pattern stand for if a formula has its shape; no pattern has a letter twice."""
    match pattern, formula:
        case Atom(letter), _:
            return {letter: formula}
        case Binary(left, right), Binary(one, other) if type(pattern) is type(formula):
            on_left, on_right = _match(left, one), _match(right, other)
            return None if on_left is None or on_right is None else on_left | on_right
        case _:
            return None


def _instance(pattern: Formula, letters: _Letters) -> Formula:
    match pattern:
        case Atom(letter):
            return letters[letter]
        case Binary(left, right):
            return type(pattern)(_instance(left, letters), _instance(right, letters))
        case _:
            return pattern


def legal_moves(goal: Goal) -> tuple[Move, ...]:
    """The moves that apply to a goal: those on the conclusion, then those on each hypothesis from the oldest on."""
    if goal.moves is None:
        goal.moves = tuple(_moves(goal))
    return goal.moves


def first_safe(moves: Iterable[_R]) -> _R | None:
    """Return the move that is best made first of those that cannot lose; None if each can."""
    safe = [move for move in moves if move.rule in _ORDER]
    return min(safe, key=lambda move: _ORDER[move.rule]) if safe else None


def _moves(goal: Goal) -> Iterator[Move]:
    present = {formula for _, formula in goal.hypotheses}
    for rule, given, _ in inferences(goal.conclusion, False):
        if given is None or given in present:
            yield Move(rule.name)
    for name, formula in goal.hypotheses:
        for rule, given, _ in inferences(formula, True):
            if given is None or given in present:
                yield Move(rule.name, name)


def apply(state: State, move: Move) -> State:
    """The state after a move on the focused goal. Raises IllegalMove if it does not apply."""
    if not state:
        raise IllegalMove(f"{move}: nothing is left to prove; leave this move out.")
    return premises(state[0], move) + state[1:]


def premises(goal: Goal, move: Move) -> tuple[Goal, ...]:
    """The goals that a move leaves of a goal. Raises IllegalMove if it does not apply."""
    known = goal.premises.get(move)
    if known is None:
        inference, place = _inference(goal, move)
        known = goal.premises[move] = tuple([_changed(goal, place, premise) for premise in inference.premises])
    return known


def wanted(goal: Goal, move: Move) -> Formula | None:
    """Return the formula that a move that can lose wants (`wanted_by`). Raises IllegalMove if it does not apply."""
    return wanted_by(move.rule, _inference(goal, move)[0].premises)


def wanted_by(rule: str, changes: Sequence[Premise]) -> Formula | None:
    """Return the formula that a rule that can lose wants: a disjunct, or C -> D for `imply4` on (C -> D) -> B.

    A move of it keeps a provable goal provable exactly if this follows from the hypotheses. None for any other rule.

    Args:
        rule: its name.
        changes: what it makes of a goal.
    """
    return changes[0].conclusion if rule in CAN_LOSE else None


def _changed(goal: Goal, place: int, premise: Premise) -> Goal:
    """What a premise makes of a goal: Γ are the hypotheses before a place, Δ those after it."""
    hypotheses = goal.hypotheses
    if premise.replacement is not None:
        gamma, delta = hypotheses[:place], hypotheses[place + 1 :]
        replacement = Hypothesis(hypotheses[place].name, premise.replacement)
        hypotheses = (*gamma, replacement, *delta) if premise.in_place else (*gamma, *delta, replacement)
    if premise.addition is not None:
        # The replacement has the old name, so what is free is not changed by it.
        hypotheses = (*hypotheses, Hypothesis(goal.fresh_name(), premise.addition))
    conclusion = goal.conclusion if premise.conclusion is None else premise.conclusion
    return Goal(hypotheses, conclusion, goal.avoid)


def _inference(goal: Goal, move: Move) -> tuple[Inference, int]:
    """What a move that applies does, and the place of its hypothesis; otherwise raises IllegalMove with the reason."""
    rule = RULES.get(move.rule)
    if rule is None:
        raise Misnamed(f"{move.rule} is not a rule; the rules are {', '.join(RULES)}.")
    names = [name for name, _ in goal.hypotheses]
    if not rule.takes_hypothesis:
        if move.hypothesis is not None:
            raise Misnamed(f"{rule.name} takes no hypothesis; leave out {move.hypothesis}.")
        place, principal, subject = len(names), goal.conclusion, "the conclusion"
    elif move.hypothesis is None:
        raise Misnamed(f"{rule.name} needs a hypothesis, as in {rule.name} {names[0] if names else 'H'}.")
    elif move.hypothesis not in names:
        there = f"there are {', '.join(names)}" if names else "there are none yet"
        raise Misnamed(f"{rule.name}: no hypothesis is called {move.hypothesis}; {there}.")
    else:
        place, subject = names.index(move.hypothesis), move.hypothesis
        principal = goal.hypotheses[place].formula
    inference = next((each for each in inferences(principal, rule.takes_hypothesis) if each.rule is rule), None)
    if inference is None:
        raise IllegalMove(f"{rule.name}: {subject} is not of the form {show(rule.pattern, sugar=False)}.")
    given = inference.given
    if given is not None and all(formula is not given for _, formula in goal.hypotheses):
        raise IllegalMove(f"{rule.name}: {brief(given)} is not among the hypotheses.")
    return inference, place
