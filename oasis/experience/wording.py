"""Maxims in plain words, made from templates; never more than 32 words."""

from __future__ import annotations

from typing import Final

from oasis.experience.scope import ANY, SIDES, Scope

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
    "destruct_or": "take {} apart",
    "imply1": "apply {}",
    "imply2": "curry {}",
    "imply3": "split {}",
    "imply4": "prove the premise of {}",
}
"""What each rule does; in place of {} stands the hypothesis that it takes."""
_TAKEN: Final = {"destruct_and": "a conjunction", "destruct_or": "a disjunction"}
"""What a rule takes that takes no implication."""


def told_rule(rule: str) -> str:
    """What a rule does, in a few words."""
    return _ADVICE[rule].format(_TAKEN.get(rule, "an implication"))


def worded(scope: Scope, *, prefer: bool) -> str:
    """What a maxim says: that the move of its scope comes first, or is to wait."""
    conclusion, hypothesis, rule = scope
    where = [] if conclusion == ANY else [f"the goal is {_shape(conclusion)}"]
    if hypothesis in SIDES:
        where.append(f"a hypothesis is {f'its {hypothesis}' if where else f'the {hypothesis} of the goal'}")
    elif hypothesis != ANY:
        same = where and conclusion == hypothesis
        where.append(f"a hypothesis is {'one too' if same else _shape(hypothesis)}")
    advice = told_rule(rule) if hypothesis == ANY else _ADVICE[rule].format("it")
    place = f"Where {' and '.join(where)}, " if where else "Wherever you can, "
    if not prefer and not where:
        return f"Do not {advice} while another move applies."
    return f"{place}{advice} first." if prefer else f"{place}do not {advice} yet."


def _shape(shape: str) -> str:
    kind, _, rest = shape.partition("(")
    if not rest:
        return _KINDS[kind]
    left, right = (_KINDS[each] for each in rest.removesuffix(")").split(","))
    if kind == "implies":
        return f"the negation of {left}" if right == "falsehood" else f"an implication from {left} to {right}"
    return f"{_KINDS[kind]} of {left} and {right}"
