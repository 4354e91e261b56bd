"""The λ-term of each proof, as text: what was proved, and the term of natural deduction that proves it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oasis.backends.export.base import MAX_CHARACTERS, Export, Proof, Text, named, one_line
from tactics.extraction import proof_term
from tactics.printer import UNICODE, show
from tactics.term import check, show_term

_LEGEND: Final = """\
λh : A. t      takes a proof h of A; proves an implication
⟨t, u⟩         a pair; proves a conjunction; fst and snd take its sides
inl t, inr t   the left or the right side; proves a disjunction; case … of … looks which one it was
absurd t       proves anything from a proof t of ⊥; ¬A is A → ⊥
"""


def _write(proofs: Sequence[Proof]) -> str:
    """A legend, then for each lemma its statement and its term, which was checked."""
    text = Text()
    text.add(_LEGEND)
    for proof in proofs:
        text.subject = one_line(proof.name)
        with named(proof.name):
            term = proof_term(proof.formula, proof.script)
            check(term, proof.formula)
            statement = show(proof.formula, UNICODE, quantified=True, limit=MAX_CHARACTERS)
            shown = show_term(term, limit=MAX_CHARACTERS)
        text.line()
        text.line(f"{text.subject} : {statement}")
        text.line(f"= {shown}")
    return str(text)


TERM: Final = Export(".txt", _write)
