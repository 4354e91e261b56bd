"""What can be shown for a formula that somebody wants proved: a script, how long one would be, or why there is none.

Brings together who decides (`decide`), who finds proofs (`proofs`) and who finds shortest ones (`values`).
"""

from __future__ import annotations

from dataclasses import dataclass

from oasis.teacher.deciding.decide import MEMORY, SECONDS, Verdict, decide
from oasis.teacher.exact.values import shortest_script
from oasis.teacher.limits import Limit, LimitReached
from oasis.teacher.proofs import MAX_PROOF, Proof, prove
from tactics.formula import Formula


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
            script = shortest_script(formula, limit)
            assert script is not None
            return Answer(Verdict.THEOREM, Proof(len(script), script if len(script) <= max_proof else None), True)
    except LimitReached as reached:
        return Answer(Verdict.THEOREM, proof, reason=str(reached))
    return Answer(Verdict.THEOREM, proof)
