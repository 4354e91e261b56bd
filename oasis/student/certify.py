"""Having the proofs that a run reports certified by provers; what they say is kept with the run."""

from __future__ import annotations

from collections.abc import Sequence

from oasis.backends.base import Backend, BackendError, Claim
from oasis.store import Store
from oasis.student.report import report
from tactics.parser import parse
from tactics.script import show_script


def certify_run(store: Store, run: int, provers: Sequence[Backend]) -> None:
    """Ask every prover about each lemma's best proof and its exam's, in bulk, and store the answers.

    Raises:
        BackendError: a prover is missing or fails; what the others say is stored.
    """
    proofs = [
        (position, lemma.formula, script)
        for position, lemma in enumerate(report(store, run).lemmas)
        for script in dict.fromkeys(lemma.proofs)
    ]
    claims = [Claim(parse(formula), script) for _, formula, script in proofs]
    failed: BackendError | None = None
    for prover in provers:
        try:
            certificates = prover.certify(claims)
        except BackendError as error:
            failed = failed or error
            continue
        store.add_certificates(
            run,
            [
                (position, show_script(script), prover.name, answer.version, answer.accepted, answer.reason)
                for (position, _, script), answer in zip(proofs, certificates, strict=True)
            ],
        )
    if failed is not None:
        raise failed
