"""Kinds of students whose runs are stored, and how a run of one of them is begun."""

from __future__ import annotations

import pytest

from oasis.policy import Policy
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.training import Training
from oasis.teacher.exact.values import shortest_script
from tactics.formula import Formula
from tactics.script import Script
from tests.student.runs import CURRICULUM, FORMULAS
from tests.thorough import everyday

EPISODES = 12
TOTAL = EPISODES * len(FORMULAS)
COMPILED = {
    "q-learning": Settings(episodes=EPISODES, seed=3),
    "and-or-q": Settings(learner="and-or-q", episodes=EPISODES, seed=4),
    "dyna-q": Settings(learner="dyna-q", planning=3, reward="standard", episodes=EPISODES, seed=5),
    "sarsa-lambda, simple": Settings(
        learner="sarsa-lambda", reward="standard-qed", actions="simplify", episodes=EPISODES, seed=6
    ),
    "name": Settings(state_space="name", epsilon="0.9..0.1", alpha="1/n^0.6", episodes=EPISODES, seed=7),
    "blind, forgetting": Settings(actions="blind", forget_errors=True, max_steps=20, episodes=EPISODES, seed=8),
    "history": Settings(reward="tests.student.plugins:Curious", episodes=EPISODES, seed=9),
    "shown proofs": Settings(search="somebody", shown=2, episodes=EPISODES, seed=12),
}
PLAIN = {
    "own learner": Settings(learner="tests.student.plugins:HALFWAY", episodes=EPISODES, seed=10),
    "own learner, forgetting": Settings(
        learner="tests.student.plugins:HALFWAY",
        actions="blind",
        forget_errors=True,
        max_steps=20,
        episodes=EPISODES,
        seed=11,
    ),
}
KINDS = {**COMPILED, **PLAIN}
different_kinds = pytest.mark.parametrize(
    "kind", everyday(["and-or-q", "blind, forgetting", "history", "shown proofs", "own learner, forgetting"], KINDS)
)
a_kind_of_each = pytest.mark.parametrize("kind", ["q-learning", "own learner"])


def somebody(settings: Settings, formula: Formula, _: Policy) -> Script | None:
    """Who shows a proof of each lemma that has one to a student of that kind."""
    return shortest_script(formula) if settings.search else None


def continued(store: Store, kind: str) -> Training:
    """The run of a store, started if there is none."""
    return Training(store, 1, teach=somebody) if store.runs() else new(store, kind)


def new(store: Store, kind: str) -> Training:
    """A run that has just begun."""
    return Training.start(store, CURRICULUM, KINDS[kind], teach=somebody)
