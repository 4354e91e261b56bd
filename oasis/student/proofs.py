"""Proofs by name: those of a run, or the shortest one known of a lemma."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curricula import resolve_lemma
from oasis.backends.export import Proof
from oasis.store import Store
from oasis.student.report import report
from tactics.errors import InputError
from tactics.parser import parse
from tactics.printer import show
from tactics.script import Script, parse_script


def run_proofs(db: Path, run: int) -> list[Proof]:
    """The best proof of every lemma of a run that has one. Raises InputError if none has."""
    with Store(db, create=False) as store:
        lemmas = report(store, run).lemmas
    proofs = [Proof(lemma.name, parse(lemma.formula), lemma.best) for lemma in lemmas if lemma.best is not None]
    if not proofs:
        raise no_proof(run)
    return proofs


def no_proof(run: int) -> InputError:
    """The error for a run of which proofs are needed and that has none."""
    return InputError(f"Run {run} has no proof; train for more episodes, or on easier lemmas.")


def lemma_proof(db: Path, text: str, script: Script | None, *, stdin: Callable[[], str] | None = None) -> Proof:
    """A lemma with the script typed, or else its shortest proof in the database. Raises InputError if there is none."""
    lemma = resolve_lemma(text, stdin=stdin)
    if script is None and db.exists():
        with Store(db, create=False) as store:
            known = store.best_proof(show(lemma.formula, quantified=True))
            script = None if known is None else parse_script(known)
    if script is None:
        raise InputError(f"No proof of {lemma.name} is in {db}; give one with --script, or train on it first.")
    return Proof(lemma.name, lemma.formula, script)
