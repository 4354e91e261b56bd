"""What can be shown for a formula that somebody wants proved: a script, how long one would be, or why there is none.

Brings together the teacher, who decides and proves, and the search that finds shortest proofs; and the belief that is
certain, for rewards that may give the solution away.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import chain
from oasis.ground.limits import Limit, LimitReached
from oasis.search.ao_star import AOStar
from oasis.search.search import Budget
from oasis.teacher.deciding.decide import MEMORY, SECONDS, Verdict, decide
from oasis.teacher.proofs import MAX_PROOF, Proof, prove
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.printer import brief

STOPPED: Final = "it was stopped"
"""The reason where somebody broke off the search for a shortest proof."""


@dataclass(frozen=True)
class Answer:
    """What became of an attempt to prove a formula.

    Attributes:
        verdict: whether it is a theorem.
        proof: the shortest proof that was found, perhaps without its script; None if none was.
        shortest: whether no proof is shorter; False where that is not known.
        bound: moves that every proof has at least, as far as that is known; 1 is always true.
        reason: which limit kept from finding more; empty if none did.
    """

    verdict: Verdict
    proof: Proof | None = None
    shortest: bool = False
    bound: int = 1
    reason: str = ""


def answer(formula: Formula, *, shortest: bool = False, max_proof: int = MAX_PROOF, seconds: float = SECONDS) -> Answer:
    """Decide a formula and prove it if it is a theorem, by a shortest proof if that is wanted, all in so many seconds.

    A proof that has more than `max_proof` moves comes without its script.
    """
    limit, began = Limit(seconds, MEMORY), monotonic()
    decision = decide(formula, seconds=seconds)
    if decision.verdict is not Verdict.THEOREM:
        return Answer(decision.verdict, reason=decision.reason)
    try:
        proof = prove(formula, limit, max_proof)
        assert isinstance(proof, Proof)
    except LimitReached as reached:
        return Answer(Verdict.THEOREM, reason=str(reached))
    if not shortest:
        return Answer(Verdict.THEOREM, proof)
    search = AOStar(initial(formula)[0])
    with suppress(KeyboardInterrupt):  # there is a proof to show
        for _ in search.run(Budget(seconds=max(0.0, seconds - (monotonic() - began)), memory=MEMORY)):
            pass
    length, is_shortest = search.length, search.length == search.bound
    if length is not None and (length < proof.length or is_shortest):
        proof = Proof(length, search.script() if length <= max_proof else None)
    return Answer(Verdict.THEOREM, proof, is_shortest, search.bound, "" if is_shortest else _reason(limit, search))


def shortest_length(formula: Formula, seconds: float = SECONDS) -> int | None:
    """The number of moves in a shortest proof; None if there is none, or if that is not known in so many seconds."""
    search = AOStar(initial(formula)[0])
    for _ in search.run(Budget(seconds=seconds, memory=MEMORY)):
        pass
    return search.length if search.length == search.bound else None


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
    return search.reason or STOPPED
