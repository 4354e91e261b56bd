"""What terms look up, with numbers that a test can foresee, and episodes of all kinds to try them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from oasis.actions import ACTION_SPACES, attempt
from oasis.dagger.beliefs.belief import Floats
from oasis.dagger.steps import Step
from oasis.dagger.term import Context, OfGoal, OfProof, OfState, OfStep, OfUse, Packed, Reading
from oasis.dagger.terms import TERMS
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tests.strategies import PLAIN_NAMES, formulas


@dataclass(frozen=True)
class Graph:
    """A graph of rules and shapes that says what it was told.

    Attributes:
        frequencies: of formulas.
        centralities: of rules.
        mean_centrality: of the steps that it was counted over.
        closing: hops from shapes to a rule that closes a goal.
        between: hops between rules and shapes.
    """

    frequencies: dict[Formula, int] = field(default_factory=dict)
    centralities: dict[str, float] = field(default_factory=dict)
    mean_centrality: float = 0.0
    closing: dict[str, int] = field(default_factory=dict)
    between: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def highest_frequency(self) -> int:
        return max(self.frequencies.values(), default=0)

    def frequency(self, formula: Formula) -> int:
        return self.frequencies.get(formula, 0)

    def centrality(self, rule: str) -> float:
        return self.centralities.get(rule, 0.0)

    def hops(self, shape: str) -> int | None:
        return self.closing.get(shape)

    def hops_from_rule(self, rule: str, shape: str) -> int | None:
        return self.between.get((rule, shape))


class Anything:
    """A graph that knows something else of every rule, shape and formula, whatever its atoms are called."""

    highest_frequency = 6
    mean_centrality = 0.3

    def frequency(self, formula: Formula) -> int:
        return formula.size % 7

    def centrality(self, rule: str) -> float:
        return len(rule) % 5 / 4

    def hops(self, shape: str) -> int | None:
        return len(shape) % 9 or None

    def hops_from_rule(self, rule: str, shape: str) -> int | None:
        return (len(rule) + len(shape)) % 9 or None


@dataclass
class Told:
    """A belief that was told what to believe of states by the number of their goals; of others it is certain."""

    chances: dict[int, float]
    version: str = "told"
    leaks: bool = False

    def probabilities(self, states: Sequence[State]) -> Floats:
        return np.array([self.chances.get(len(state), 1.0) for state in states])


def context(knowledge: Any = None, chances: dict[int, float] | None = None, **settings: Any) -> Context:
    """A context in which nothing is known that is not told."""
    graph: Any = Graph() if knowledge is None else knowledge
    return Context(graph, Told(chances or {}), **settings)


SOMETHING: Final = {
    "knowing nothing": context(),
    "knowing something": context(Anything(), {1: 0.0, 2: 0.3, 3: 0.9}),
    "strangely set": context(
        Anything(), {1: 1.0, 2: 0.0}, gamma=1.0, depth=1, prior=1e-9, hops=1, signed=False, compression="ast"
    ),
}
"""Contexts of several kinds."""


@st.composite
def episodes(draw: st.DrawFn, max_steps: int = 12) -> tuple[Step, ...]:
    """Attempts at a lemma in any action space: proved, stuck or left, and empty ones among them."""
    space = ACTION_SPACES[draw(st.sampled_from(sorted(ACTION_SPACES)))]
    state = initial(draw(formulas(PLAIN_NAMES, max_steps=8, max_size=40)))
    steps: list[Step] = []
    for _ in range(draw(st.integers(0, max_steps))):
        actions = space.actions(state)
        if not actions:
            break
        move: Move = draw(st.sampled_from(actions))
        after, made = space.perform(state, move, attempt)
        steps.append(Step(state, move, after, not space.actions(after), len(made)))
        state = after
    return tuple(steps)


BY_NAME: Final = {term.name: term for term in TERMS}


def of_step(name: str, reading: Reading, step: Step, where: Context | None = None) -> float:
    form = BY_NAME[name].version(reading).form
    assert isinstance(form, OfStep)
    return form.value(where or context(), step)


def of_state(name: str, reading: Reading, state: State, where: Context | None = None) -> float:
    form = BY_NAME[name].version(reading).form
    assert isinstance(form, OfState)
    return form.value(where or context(), state)


def table(name: str, reading: Reading, *columns: Sequence[float], where: Context | None = None) -> Any:
    form = BY_NAME[name].version(reading).form
    assert isinstance(form, OfUse | OfGoal)
    return form.table(where or context(), *(np.array(column, dtype=np.float64) for column in columns))


def of_proof(name: str, reading: Reading, packed: Packed) -> float:
    form = BY_NAME[name].version(reading).form
    assert isinstance(form, OfProof)
    return form.value(context(), packed)
