"""Random goals with their true shortest lengths, for tests of what is said about shortest proofs.

A long run of what is tried on them is
`OASIS_EXAMPLES=20000 pytest tests/search/test_bounds.py tests/search/test_ao_star.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final

from hypothesis import strategies as st

from oasis.limits import LimitReached
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from tactics.formula import FALSE, And, Atom, Formula, Implies, Or
from tactics.goal import Goal, Hypothesis
from tests.thorough import examples

EXAMPLES: Final = examples(150)
MAX_GOALS: Final = 4000
"""Goals below one whose lengths are worked out."""


@st.composite
def trees(draw: st.DrawFn, connectives: int) -> Formula:
    """Formulas over few atoms with up to so many connectives, in which the same parts come again."""
    if connectives == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([Atom("A"), Atom("B"), Atom("C"), Atom("D"), FALSE]))
    left = draw(st.integers(0, connectives - 1))
    make = draw(st.sampled_from([And, Or, Implies, Implies]))
    return make(draw(trees(left)), draw(trees(connectives - 1 - left)))


@st.composite
def sequents(draw: st.DrawFn) -> Goal:
    """Goals with up to five hypotheses that have to do with each other."""
    hypotheses = draw(st.lists(trees(4), max_size=5))
    return named(draw(trees(6)), hypotheses)


def named(conclusion: Formula, hypotheses: Iterable[Formula]) -> Goal:
    """A goal with some names for its hypotheses."""
    return Goal(tuple(Hypothesis(f"H{place}", each) for place, each in enumerate(hypotheses)), conclusion)


def lengths_of(goals: Iterable[Goal]) -> list[float] | None:
    """The lengths of the shortest proofs of goals, infinite where there is none; None if they lead to too many."""
    goals = list(goals)
    try:
        known = Lengths(GoalGraph(goals, max_goals=MAX_GOALS))
    except LimitReached:
        return None
    lengths = [known.shortest_proof((goal,)) for goal in goals]
    return [inf if length is None else length for length in lengths]
