"""Why a move can be made and what it brings, in a sentence for each of the twelve rules, about the goal at hand.

Only moves are meant that keep the goal provable; which these are is not known here (`oasis.teacher.hints`).
"""

from __future__ import annotations

from tactics.formula import FALSE, And, Binary, Formula, Implies, Or
from tactics.goal import Goal, Move
from tactics.printer import COQ, Notation, brief


def reason(goal: Goal, move: Move, notation: Notation = COQ) -> str:
    """What a move that keeps the goal provable uses, and what is to be proved after it: one sentence."""
    conclusion = goal.conclusion
    whole = brief(conclusion, notation)
    match move.rule, conclusion:
        case "assumption", _:
            return f"{principal(goal, move)} says {whole}, and that is to be proved."
        case "contradiction", _:
            return f"{principal(goal, move)} says {brief(FALSE, notation)}, from which everything follows."
        case "intro", Implies(left, right):
            one, other = brief(left, notation), brief(right, notation)
            meaning = f", that is, {brief(FALSE, notation)} follows from {one}" if right is FALSE else ""
            return f"To prove {whole}{meaning}, assume {one} and prove {other}."
        case "split", And(left, right):
            return f"To prove {whole}, prove {brief(left, notation)}, and then {brief(right, notation)}."
        case "left", Or(side, _):
            return f"To prove {whole} one side is enough, and {brief(side, notation)} on the left can be proved."
        case "right", Or(_, side):
            return f"To prove {whole} one side is enough, and {brief(side, notation)} on the right can be proved."
    return _on_hypothesis(goal, move, notation)


def _on_hypothesis(goal: Goal, move: Move, notation: Notation) -> str:
    """The same for a rule that takes a hypothesis."""
    (formula,) = (formula for name, formula in goal.hypotheses if name == move.hypothesis)
    assert isinstance(formula, Binary)
    says = f"{move.hypothesis} says {brief(formula, notation)}"
    left, right, conclusion = (brief(each, notation) for each in (formula.left, formula.right, goal.conclusion))
    match move.rule, formula.left:
        case "destruct_and", _:
            return f"{says}, so both {left} and {right} can be used."
        case "destruct_or", _:
            return f"{says}, so there are two cases: prove {conclusion} from {left}, and again from {right}."
        case "imply1", antecedent:
            given = next(name for name, each in goal.hypotheses if each is antecedent)
            return f"{says} and {given} says {left}, so {right} follows."
        case "imply2", And(one, other):
            curried = brief(one >> (other >> formula.right), notation)
            return f"{says}; to have both at once or one after the other is the same, so this is {curried}."
        case "imply3", Or(one, other):
            cases = f"{brief(one >> formula.right, notation)} and {brief(other >> formula.right, notation)}"
            return f"{says}; each of the two alone is enough, so this is {cases}."
        case "imply4", Implies(_, last):
            weaker = brief(last >> formula.right, notation)
            return (
                f"{says}; its left side can be proved, so do that first, with {weaker} in place of {move.hypothesis}, "
                f"and then prove {conclusion} with {right} there."
            )
    raise AssertionError(f"no reason for {move}")


def principal(goal: Goal, move: Move) -> str | None:
    """The name of the hypothesis that a move is about, None if it is about the conclusion."""
    sought: dict[str, Formula] = {"assumption": goal.conclusion, "contradiction": FALSE}
    if move.rule in sought:
        return next(name for name, formula in goal.hypotheses if formula is sought[move.rule])
    return move.hypothesis
