"""Has proofs certified by provers, and keeps what they say, whoever found the proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from oasis.backends.certifying import certificates
from oasis.store import Store
from oasis.student.report import report, words_of
from tactics.claims import Claim
from tactics.parser import parse
from tactics.printer import show
from tactics.script import show_script


def certify(
    store: Store, claims: Iterable[Claim], provers: Iterable[str], say: Callable[[str], object], *, again: bool = True
) -> None:
    """Ask provers about claims, in bulk, and store the answers.

    Args:
        store: keeps what they say.
        claims: each different one is asked about once.
        provers: by their names.
        say: is told, in a sentence, which of them failed.
        again: whether to ask a prover also about what it has judged before.
    """
    texts = {claim: (show(claim.formula, quantified=True), show_script(claim.script)) for claim in claims}
    words = {} if again else {formula: words_of(store, formula)[0] for formula, _ in texts.values()}
    for prover in provers:
        asked = [
            claim
            for claim, (formula, script) in texts.items()
            if again or prover not in {word.prover for word in words[formula].get(script, ())}
        ]
        store.add_certificates(
            [
                (*texts[claim], each.prover, each.version, each.accepted, each.reason)
                for claim, answers in certificates(asked, [prover], say).items()
                for each in answers
            ]
        )


def certify_run(store: Store, run: int, provers: Sequence[str], say: Callable[[str], object]) -> None:
    """Have each lemma's best proof, its exam's, and the one that was shown certified."""
    lemmas = report(store, run).lemmas
    certify(store, (Claim(parse(lemma.formula), proof) for lemma in lemmas for proof in lemma.proofs), provers, say)
