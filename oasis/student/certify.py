"""Has the proofs that a run reports certified by a prover, and keeps with the run what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple

from oasis.backends.certifying import certificates
from oasis.store import Store
from oasis.student.report import Word, report
from tactics.claims import Claim
from tactics.parser import parse
from tactics.script import show_script


def certify_run(store: Store, run: int, provers: Sequence[str], say: Callable[[str], object]) -> None:
    """Ask provers about each lemma's best proof and its exam's, in bulk, and store the answers.

    Args:
        store: where the run is.
        run: its number.
        provers: by their names.
        say: is told, in a sentence, which of them failed.
    """
    proofs = [
        (position, lemma.formula, script)
        for position, lemma in enumerate(report(store, run).lemmas)
        for script in dict.fromkeys(lemma.proofs)
    ]
    claims = [Claim(parse(formula), script) for _, formula, script in proofs]
    said = certificates(claims, provers, say)
    rows = []
    for (position, formula, script), claim in zip(proofs, claims, strict=True):
        text = show_script(script)
        for answer in said[claim]:
            word = Word(answer.prover, answer.version, answer.accepted, answer.reason)
            rows.append((position, text, *astuple(word), word.digest(formula, text)))
    store.add_certificates(run, rows)
