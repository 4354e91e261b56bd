"""What can be shown for a formula that somebody wants proved: a script, how long one would be, or why there is none.

Brings together the teacher, who decides and proves, and the search that finds shortest proofs; and the belief that is
certain, for rewards that may give the solution away.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import chain
from oasis.ground.limits import Limit, LimitReached
from oasis.play.solving import LONGEST, OPEN, PROVED, REFUTED, STOPPED, Attempt, Budget, Cost, OneByOne
from oasis.search.ao_star import AOStar
from oasis.teacher.deciding.decide import MEMORY, SECONDS, Verdict, decide
from oasis.teacher.proofs import Proof, prove
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.printer import brief


@dataclass(kw_only=True)
class Teaching(OneByOne):
    """The teacher, who decides lemmas and proves those that are theorems.

    Attributes:
        shortest: whether to look for a proof that no other beats.
        longest: moves of the longest script that is written down.
        name: what a person types.
    """

    counts: ClassVar = ("seconds",)
    shortest: bool = False
    longest: int = LONGEST
    name: str = "teacher"

    def trying_one(self, lemma: Formula, budget: Budget) -> Generator[Attempt, None, None]:
        """Decide a lemma, prove it, and shorten the proof if that is wanted, all within the time."""
        seconds = SECONDS if budget.seconds is None else budget.seconds
        limit, began = Limit(seconds, MEMORY), monotonic()
        came: dict[str, Any] = {"lemma": lemma, "by": self.name}
        try:
            decision = decide(lemma, seconds=seconds)
            if decision.verdict is Verdict.THEOREM:
                proof = prove(lemma, limit, self.longest)
                assert isinstance(proof, Proof)
                came |= {"status": PROVED, "length": proof.length, "script": proof.script}
                if self.shortest:
                    left = replace(budget, seconds=max(0.0, seconds - (monotonic() - began)))
                    came |= yield from self._shortened(lemma, proof, left, limit)
            else:
                came |= {"status": OPEN if decision.verdict is Verdict.UNKNOWN else REFUTED, "reason": decision.reason}
        except LimitReached as reached:
            came["reason"] = f"it is a theorem, and no proof was found: {reached}"
        except KeyboardInterrupt:
            came["reason"] = STOPPED
        yield Attempt(**came, cost=Cost(seconds=monotonic() - began))

    def _shortened(
        self, lemma: Formula, proof: Proof, budget: Budget, limit: Limit
    ) -> Generator[Attempt, None, dict[str, Any]]:
        """Look for a shorter proof, yielding how far it is; return what came of it, as far as it is new."""
        search, was_stopped = AOStar(initial(lemma)[0]), False
        came: dict[str, Any]
        try:
            for _ in search.run(budget):
                came = {"length": min(proof.length, search.length or proof.length), "bound": search.bound}
                yield Attempt(lemma=lemma, by=self.name, status=PROVED, cost=search.cost, **came)
        except KeyboardInterrupt:  # there is a proof to show
            was_stopped = True
        came = {"bound": search.bound}
        if (shorter := search.length) is not None and (shorter < proof.length or shorter == search.bound):
            came |= {"length": shorter, "script": search.script() if shorter <= self.longest else None}
        if shorter != search.bound:
            came["reason"] = STOPPED if was_stopped else _reason(limit, search)
        return came


class Certain:
    """The belief that knows: probability 1 if every goal of a state is provable, else 0."""

    version = "exact"
    leaks = True

    def probabilities(self, states: Sequence[State]) -> NDArray[np.float64]:
        """1 or 0 for each state; shape (states,). Raises InputError if a goal could not be decided in `SECONDS`."""
        return np.array([float(all(map(_is_provable, state))) for state in states])


@lru_cache(maxsize=100_000)
def _is_provable(goal: Goal) -> bool:
    formula = chain((hypothesis for _, hypothesis in goal.hypotheses), goal.conclusion)
    decision = decide(formula)
    if decision.verdict is Verdict.UNKNOWN:
        raise InputError(
            f"Whether {brief(formula)} is provable is not known ({decision.reason}); choose another belief than exact."
        )
    return decision.verdict is Verdict.THEOREM


def _reason(limit: Limit, search: AOStar) -> str:
    """What kept a search from its end; where it was the time, of all that there was."""
    try:
        limit.check()
    except LimitReached as reached:
        return str(reached)
    return search.reason
