"""Lemmas that were proved before and are like a goal, for a language model that is told them: known, and no guesses."""

from __future__ import annotations

from functools import reduce
from typing import Final

import numpy as np

from oasis.dagger.fit import default_fitted
from oasis.store import Store
from state_spaces.name import formula_key
from tactics.errors import InputError
from tactics.formula import Formula, Implies
from tactics.goal import Goal
from tactics.parser import parse
from tactics.printer import brief
from tactics.script import parse_script, show_script

_LONGEST: Final = 40
"""Moves of a proof that is told."""


class Retrieved:
    """Gives lemmas that runs have proved, each with its shortest proof, the most similar to a goal first.

    They are as similar as `oasis dagger similar` says. The goal itself in other letters is left out, so that nobody is
    told the proof that is asked for.

    Args:
        store: whose proofs they are.
        most: lemmas that are told of one goal.

    Raises InputError if nothing is proved there.
    """

    def __init__(self, store: Store, most: int) -> None:
        scripts = {parse(formula): parse_script(best) for formula, best in store.best_proofs()}
        self._known = {formula: script for formula, script in scripts.items() if len(script) <= _LONGEST}
        if not self._known:
            raise InputError(f"No run in {store.path} has proved a lemma yet; train on some, or leave out lemmas=.")
        self._keys = [formula_key(formula) for formula in self._known]
        self._graph, self._most = default_fitted().graph, most
        self._vectors = self._graph.formulas([*self._known])

    def __call__(self, goal: Goal) -> list[str]:
        """A line for each lemma: the formula, and a script."""
        asked = reduce(_implied, (formula for _, formula in reversed(goal.hypotheses)), goal.conclusion)
        likeness = self._vectors @ self._graph.formulas([asked])[0]
        same = formula_key(asked)
        order = [place for place in np.argsort(-likeness, kind="stable") if self._keys[place] != same]
        known = [*self._known.items()]
        return [f"{brief(known[place][0])}: {show_script(known[place][1])}" for place in order[: self._most]]


def _implied(conclusion: Formula, hypothesis: Formula) -> Formula:
    return Implies(hypothesis, conclusion)
