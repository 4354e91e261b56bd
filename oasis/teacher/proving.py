"""What can be shown for a formula that somebody wants proved: a script, how long one would be, or why there is none.

Brings together who decides (`decide`), who finds proofs (`proofs`) and who finds shortest ones (`values`).
"""

from __future__ import annotations

from dataclasses import dataclass

from oasis.limits import Limit, LimitReached
from oasis.teacher.deciding.decide import MEMORY, SECONDS, Verdict, decide
from oasis.teacher.exact.values import lengths
from oasis.teacher.proofs import MAX_PROOF, Proof, prove
from tactics.formula import Formula
from tactics.goal import initial


@dataclass(frozen=True)
class Answer:
    """What became of an attempt to prove a formula.

    Attributes:
        verdict: whether it is a theorem.
        proof: the shortest proof that was found, perhaps without its script; None if none was.
        shortest: whether no proof is shorter; False where that is not known.
        reason: which limit kept from finding more; empty if none did.
    """

    verdict: Verdict
    proof: Proof | None = None
    shortest: bool = False
    reason: str = ""


def answer(formula: Formula, *, shortest: bool = False, max_proof: int = MAX_PROOF, seconds: float = SECONDS) -> Answer:
    """Decide a formula and prove it if it is a theorem, by a shortest proof if that is wanted, all in so many seconds.

    A proof that has more than `max_proof` moves comes without its script.
    """
    limit = Limit(seconds, MEMORY)
    decision = decide(formula, seconds=seconds)
    if decision.verdict is not Verdict.THEOREM:
        return Answer(decision.verdict, reason=decision.reason)
    proof: Proof | None = None
    try:
        found = prove(formula, limit, max_proof)
        assert isinstance(found, Proof)
        proof = found
        if shortest:
            return Answer(Verdict.THEOREM, _shortest(formula, limit, max_proof), True)
    except LimitReached as reached:
        return Answer(Verdict.THEOREM, proof, reason=str(reached))
    return Answer(Verdict.THEOREM, proof)


def _shortest(formula: Formula, limit: Limit, max_proof: int) -> Proof:
    """A shortest proof of a theorem. Raises LimitReached."""
    known, state = lengths(formula, limit), initial(formula)
    length = known.shortest_proof(state)
    assert length is not None
    return Proof(length, known.shortest_script(state, limit) if length <= max_proof else None)
