"""Has the proofs that a run reports certified by provers, and keeps with the run what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from oasis.backends.base import Backend, BackendError, Claim
from oasis.store import Store
from oasis.student.report import Word, report
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
            answers = prover.certify(claims)
        except BackendError as error:
            failed = failed or error
            continue
        rows = []
        for (position, formula, script), answer in zip(proofs, answers, strict=True):
            text, word = show_script(script), Word(prover.name, answer.version, answer.accepted, answer.reason)
            rows.append((position, text, *astuple(word), word.digest(formula, text)))
        store.add_certificates(run, rows)
    if failed is not None:
        raise failed
