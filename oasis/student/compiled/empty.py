"""The graph with which a world begins, as arrays of zeros that take memory as they are used."""

from __future__ import annotations

from typing import Final

import numpy as np

from oasis.play.actions import INVERTIBLE
from oasis.student.compiled import calculus as ints
from oasis.student.compiled import graph as states
from oasis.student.compiled.calculus import Calculus
from oasis.student.compiled.graph import PROVED, Graph
from oasis.student.compiled.table import empty_table
from tactics.rules import RULES

MAX_STATES: Final = 2**22
"""States that a world has room for, with eight actions each; memory is taken as it is used, up to about 1 GiB."""
MAX_FORMULAS: Final = 2**18
_EACH: Final = 8
_ACTION_SPACES: Final = {"legal": ints.LEGAL, "blind": ints.BLIND, "simplify": ints.SIMPLIFY}


def empty_graph(size: int, action_space: str, keys_by: int, *, has_prior: bool) -> Graph:
    """A graph that has but the proved state, with room for so many states.

    Args:
        size: of states, and of goals.
        action_space: its name.
        keys_by: how states come by their keys (`oasis.student.compiled.graph`).
        has_prior: whether actions have odds.
    """
    traits = [(rule.takes_hypothesis, rule.name in INVERTIBLE) for rule in RULES.values()]
    calculus = Calculus(
        action_space=_ACTION_SPACES[action_space],
        has_prior=has_prior,
        rules=np.array(traits, ints.RULE_TRAITS),
        formulas=np.zeros((2, MAX_FORMULAS), ints.FORMULA),
        inferences=np.zeros((_EACH * MAX_FORMULAS, ints.COLUMNS), np.int32),
        goals=np.zeros(size, ints.GOAL),
        hypotheses=np.zeros(_EACH * size, ints.HYPOTHESIS),
        actions=np.zeros(_EACH * size, ints.ACTION),
        table=empty_table(size),
        counts=np.zeros(ints.FULL + 1, np.int64),
    )
    calculus.counts[[ints.FORMULAS, ints.INFERENCES, ints.GOALS, ints.ACTIONS]] = 1
    graph = Graph(
        calculus=calculus,
        keys_by=keys_by,
        states=np.zeros(size, states.STATE),
        edges=np.zeros(_EACH * size, states.EDGE),
        pairs=np.zeros(size, np.int32),
        table=empty_table(size),
        counts=np.zeros(states.ASKED_STEPS + 1, np.int64),
    )
    graph.counts[states.EDGES] = 1
    graph.counts[[states.STATES, states.KEYS]] = PROVED + 1
    graph.states[PROVED]["key"] = PROVED
    return graph
