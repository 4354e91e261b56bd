"""What a maxim says, in plain words that follow from its scope and from what its evidence speaks for.

No two scopes are told in the same words, and what is told of one is what it does.
"""

from __future__ import annotations

from typing import Final

from oasis.experience.scope import (
    ANY,
    CLASSES,
    EARLIER,
    ELSEWHERE,
    LAST,
    OF_HYPOTHESES,
    OWN,
    REACHED,
    SHARED,
    SIDES,
    TO_GOAL,
    UNREACHED,
    Scope,
)
from tactics.rules import RULES

_KINDS: Final = {
    "and": "a conjunction",
    "or": "a disjunction",
    "implies": "an implication",
    "atom": "an atom",
    "false": "falsehood",
}
_ADVICE: Final = {
    "intro": "assume the goal's left side",
    "assumption": "use what is assumed already",
    "contradiction": "use the contradiction",
    "split": "prove the goal's two sides",
    "left": "prove the goal's left side",
    "right": "prove the goal's right side",
    "destruct_and": "take {} apart",
    "destruct_or": "take {} by cases",
    "imply1": "apply {}",
    "imply2": "curry {}",
    "imply3": "split {}",
    "imply4": "prove the premise of {}",
    **{each: f"make a move that {each}" for each in CLASSES},
}
"""What each rule does; in place of {} stands the hypothesis that it takes."""
_TAKEN: Final = {"destruct_and": "a conjunction", "destruct_or": "a disjunction"}
"""What a rule takes that takes no implication."""
_ALSO: Final = {
    REACHED: "all that is then to be proved is within reach",
    UNREACHED: "what is then to be proved is out of reach",
    LAST: "{} came last",
    EARLIER: "{} came earlier",
    TO_GOAL: "{} ends in the goal",
    ELSEWHERE: "{} does not end in the goal",
    SHARED: "{} shares an atom with the rest",
    OWN: "{} shares no atom with the rest",
}
"""Conditions beside shapes; in place of {} stands what they are about."""


def told_rule(rule: str) -> str:
    """What a rule does, in a few words."""
    return _ADVICE[rule].format(_TAKEN.get(rule, "an implication"))


def worded(scope: Scope, category: str) -> str:
    """What a maxim says: that the move of its scope comes first (`prefer`), waits (`avoid`), or neither (`open`)."""
    places = places_of(scope)
    advice = told_rule(scope.rule) if scope.hypothesis == ANY else _ADVICE[scope.rule].format("it")
    place = f"Where {_listed(places)}, " if places else "Wherever you can, "
    if category == "prefer":
        return f"{place}{advice} first."
    if category == "open":
        return f"{place}{advice} or not."
    return f"{place}do not {advice} yet." if places else f"Do not {advice} while another move applies."


def places_of(scope: Scope) -> list[str]:
    """Where a scope applies, a clause for each condition; none if anywhere."""
    conclusion, hypothesis, rule, also = scope
    where = [] if conclusion == ANY else [f"the goal is {_shape(conclusion)}"]
    if hypothesis in SIDES:
        where.append(f"a hypothesis is {f'its {hypothesis}' if where else f'the {hypothesis} of the goal'}")
    elif hypothesis != ANY:
        same = where and conclusion == hypothesis
        where.append(f"a hypothesis is {'one too' if same else _shape(hypothesis)}")
    return [*where, *(_ALSO[each].format(_about(rule, each, hypothesis != ANY)) for each in also)]


def _about(rule: str, condition: str, is_told: bool) -> str:
    """What a condition is about: the hypothesis that the rule takes, or the goal."""
    if rule in CLASSES:
        return "the hypothesis" if condition in OF_HYPOTHESES else "what it is about"
    if not RULES[rule].takes_hypothesis:
        return "the goal"
    return "it" if is_told else "the hypothesis"


def _listed(clauses: list[str]) -> str:
    *before, last = clauses
    return f"{', '.join(before)} and {last}" if before else last


def _shape(shape: str) -> str:
    kind, _, rest = shape.partition("(")
    if not rest:
        return _KINDS[kind]
    left, right = (_KINDS[each] for each in rest.removesuffix(")").split(","))
    if kind == "implies":
        return f"the negation of {left}" if right == "falsehood" else f"an implication from {left} to {right}"
    return f"{_KINDS[kind]} of {left} and {right}"
