"""Goals as text, `H : A -> B, H0 : A ⊢ B`, so that a test shows what a person would see."""

from tactics.goal import Goal, Hypothesis
from tactics.parser import parse
from tactics.printer import show


def written(goal: Goal) -> str:
    """Return the text of a goal, formulas as Coq prints them."""
    named = [f"{name} : {show(formula, sugar=False)}" for name, formula in goal.hypotheses]
    return f"{', '.join(named)} ⊢ {show(goal.conclusion, sugar=False)}".strip()


def read(text: str, *avoid: str) -> Goal:
    """Return the goal that a text shows; `avoid` are the names its hypotheses must not get."""
    context, conclusion = text.split("⊢")
    named = [item.split(" : ") for item in context.split(",") if item.strip()]
    return Goal(
        tuple(Hypothesis(name.strip(), parse(formula)) for name, formula in named), parse(conclusion), frozenset(avoid)
    )
