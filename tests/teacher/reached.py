"""All goals that some goals lead to."""

from hypothesis import reject

from tactics.goal import Goal
from tactics.rules import legal_moves, premises


def below(*roots: Goal, most: int = 2000) -> list[Goal]:
    """Return all goals that these lead to, themselves among them; an example with too many is given up."""
    seen = dict.fromkeys(roots)
    for goal in (pending := list(roots)):
        for move in legal_moves(goal):
            for premise in premises(goal, move):
                if premise not in seen:
                    seen[premise] = None
                    pending.append(premise)
        if len(seen) > most:
            reject()
    return list(seen)
