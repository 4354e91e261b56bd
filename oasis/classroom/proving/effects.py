"""What is said of a move: what it would leave, as far as its formula alone says so, and why it does not apply.

Whether it applies is not told beforehand: what it needs among the hypotheses is named, and to look for that is left to
the student.
"""

from __future__ import annotations

from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.rules import page
from tactics.formula import Implies
from tactics.goal import Goal, Move, principal
from tactics.printer import COQ, Notation, brief, show
from tactics.rules import RULES, Inference, Premise, inferences, spoken
from tactics.script import parse_script


def would_leave(goal: Goal, move: Move, notation: Notation = COQ) -> str:
    """What a move on a formula of a goal would leave, in a sentence; where it has not the form, what it asks for."""
    found = _inference(goal, move)
    if found is None:
        return f"{spoken(move)}: {page(move.rule, notation).fails}"
    needs = "" if found.given is None else f" if {brief(found.given, notation)} is among the hypotheses"
    if not found.premises:
        return f"{spoken(move)} closes this goal{needs}."
    left = "; then ".join(_left(goal, move, premise, notation) for premise in found.premises)
    return f"{spoken(move)} leaves{needs}: {left}."


def reason(goal: Goal, move: Move, notation: Notation = COQ) -> str:
    """Why a move makes two goals, where its sign does not say so: for `imply4`; otherwise empty."""
    if move.rule != "imply4" or move.hypothesis is None:
        return ""
    hypothesis = principal(goal, move)
    assert isinstance(hypothesis, Implies)
    gives, needs = brief(hypothesis.right, notation), brief(hypothesis.left, notation)
    return f"{move.hypothesis} gives {gives} only once {needs} is proved."


def gloss(goal: Goal, move: Move, notation: Notation = COQ) -> str:
    """What a move does, in a few words, for who has to choose between several; not all that it would leave."""
    found = _inference(goal, move)
    proves = [] if found is None else [each.conclusion for each in found.premises if each.conclusion is not None]
    if found is not None and not found.premises:
        return "it is given" if found.given is not None else "closes the goal"
    if move.hypothesis is None and len(proves) == 1 and proves[0] is not None:
        return f"prove {brief(proves[0], notation)}"
    return page(move.rule, notation).does.rstrip(".")


def refusal(goal: Goal, refused: Refused, notation: Notation = COQ) -> str:
    """Why a move on a goal did not apply, and what to do now."""
    (move,) = parse_script(refused.event.what)
    found = _inference(goal, move)
    if found is None:
        rule = RULES[move.rule]
        subject, form = move.hypothesis or "the conclusion", show(rule.pattern, notation, sugar=False)
        why = f"{subject} is {brief(principal(goal, move), notation)}, and not of the form {form}"
        return f"{spoken(move)} does not apply: {why}. Choose another formula or tactic."
    assert found.given is not None
    formula = principal(goal, move)
    if move.hypothesis is not None and isinstance(formula, Implies):
        left, right = brief(formula.left, notation), brief(formula.right, notation)
        why = f"{move.hypothesis} leads from {left} to {right}, and {left} is not there yet"
        return f"{spoken(move)} does not apply: {why}."
    why = f"{brief(found.given, notation)} is not among the hypotheses"
    return f"{spoken(move)} does not apply: {why}. Get it there first, or work elsewhere."


def _inference(goal: Goal, move: Move) -> Inference | None:
    """What the rule of a move can do with its formula, whatever it needs besides; None if it has not the form."""
    rule = RULES[move.rule]
    found = inferences(principal(goal, move), rule.takes_hypothesis)
    return next((inference for inference in found if inference.rule is rule), None)


def _left(goal: Goal, move: Move, premise: Premise, notation: Notation) -> str:
    """A goal that is left: what is to be proved, and what is new among the hypotheses."""
    new = [] if premise.replacement is None else [f"{move.hypothesis} : {brief(premise.replacement, notation)}"]
    if premise.addition is not None:
        new.append(f"{goal.fresh_name()} : {brief(premise.addition, notation)}")
    conclusion = goal.conclusion if premise.conclusion is None else premise.conclusion
    given = f" with {' and '.join(new)}" if new else ""
    return f"{notation.turnstile} {brief(conclusion, notation)}{given}"
