"""What several tests of searches make: policies, random goals, searches by RMaxTS, and what chance comes to."""

from collections.abc import Iterable, Sequence
from math import inf, prod
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.ground.limits import LimitReached
from oasis.play.actions import LEGAL, ActionSpace
from oasis.play.policy import Floats, Policy, Uniform
from oasis.play.solving import Budget
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.search import Search
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from tactics.formula import FALSE, And, Atom, Formula, Implies, Or
from tactics.goal import Goal, Hypothesis, State, initial
from tactics.parser import parse
from tactics.rules import legal_moves, premises
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import examples


def by_chance(goal: Goal) -> float:
    """Return the probability that uniform play proves a goal; what is proved of one premise has no part in the next."""
    moves = legal_moves(goal)
    return sum(prod(map(by_chance, premises(goal, move))) for move in moves) / max(len(moves), 1)


class Asked:
    """The uniform policy, which writes down what it is asked at once."""

    def __init__(self, space: ActionSpace = LEGAL) -> None:
        self.batches: list[Sequence[State]] = []
        self._uniform = Uniform(space)

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        self.batches.append(states)
        return self._uniform.probabilities(states)

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None


class Stubborn(Asked):
    """A policy that takes the action at one place, counted from the beginning or, if negative, from the end."""

    def __init__(self, place: int, space: ActionSpace = LEGAL) -> None:
        super().__init__(space)
        self._place = place

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        shares = [np.zeros(len(each)) for each in super().probabilities(states)]
        for each in shares:
            each[self._place] = 1.0
        return shares


class Resigned(Asked):
    """A policy that gives no action any probability."""

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [0 * each for each in super().probabilities(states)]


class Failing(Asked):
    """A policy that raises an error when it is asked for the n-th time."""

    def __init__(self, error: BaseException, time: int = 1) -> None:
        super().__init__()
        self._error, self._time = error, time

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        if len(self.batches) + 1 >= self._time:
            raise self._error
        return super().probabilities(states)


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
    """Return a goal with some names for its hypotheses."""
    return Goal(tuple(Hypothesis(f"H{place}", each) for place, each in enumerate(hypotheses)), conclusion)


def lengths_of(goals: Iterable[Goal]) -> list[float] | None:
    """Return the lengths of goals' shortest proofs, infinite without one; None if there are too many goals."""
    goals = list(goals)
    try:
        known = Lengths(GoalGraph(goals, max_goals=MAX_GOALS))
    except LimitReached:
        return None
    lengths = [known.shortest_proof((goal,)) for goal in goals]
    return [inf if length is None else length for length in lengths]


SMALL: Final = formulas(PLAIN_NAMES, max_steps=5, max_size=15)
THIRD: Final = resolve_lemma("SYJ203.3").formula
NO_THEOREM: Final = parse("((p -> q) -> r) -> ((q -> p) -> r) -> r")


def search(formula: Formula, policy: Policy | None = None, **settings: Any) -> RMaxTS:
    """Return a search for a proof of a formula."""
    return RMaxTS(initial(formula)[0], policy, **settings)


def finished(found: Search, expansions: int = 20_000) -> Search:
    """Run a search for so many expansions at most; return how it ends."""
    return list(found.run(Budget(expansions=expansions)))[-1]
