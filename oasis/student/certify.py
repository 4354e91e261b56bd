"""Has the proofs that a run reports certified by a prover, and keeps with the run what it says."""

from __future__ import annotations

from dataclasses import astuple

from oasis.backends.base import Backend, Claim
from oasis.store import Store
from oasis.student.report import Word, report
from tactics.parser import parse
from tactics.script import show_script


def certify_run(store: Store, run: int, prover: Backend) -> None:
    """Ask a prover about each lemma's best proof and its exam's, in bulk, and store the answers.

    Raises:
        BackendError: the prover is missing or fails.
    """
    proofs = [
        (position, lemma.formula, script)
        for position, lemma in enumerate(report(store, run).lemmas)
        for script in dict.fromkeys(lemma.proofs)
    ]
    claims = [Claim(parse(formula), script) for _, formula, script in proofs]
    rows = []
    for (position, formula, script), answer in zip(proofs, prover.certify(claims), strict=True):
        text, word = show_script(script), Word(prover.name, answer.version, answer.accepted, answer.reason)
        rows.append((position, text, *astuple(word), word.digest(formula, text)))
    store.add_certificates(run, rows)
