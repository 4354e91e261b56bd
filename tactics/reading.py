"""What people type, read as a formula: a formula in any notation, or a sequent `A, k : B |- C` of it.

`read` is what every door asks that takes text of a person. It says how text was read that others read otherwise, which
`tactics.parser.parse` leaves out. Files and lists are not this module's concern.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from tactics.formula import Formula, Implies
from tactics.formula import atoms as find_atoms
from tactics.parser import Reading, read_tokens
from tactics.sequent import sequent_parts
from tactics.tokens import NotPropositional, Token, tokenize
from tactics.uncollected import uncollected

_LATIN: Final = str.maketrans("АВЕЅІЈКМНОРСТХУаеорсхуіјѕΑΒΕΖΗΙΚΜΝΟΡΤΧΥον", "ABESIJKMHOPCTXYaeopcxyijsABEZHIKMNOPTXYov")
"""Cyrillic and Greek letters that look like Latin ones."""


@uncollected()
def read(text: str, atoms: Collection[str] = ()) -> Reading:
    """Return the formula that a person means by a text, with a sentence for each thing that others read otherwise.

    A sequent is read as the implication from its hypotheses to its conclusion; Isabelle's `[| A; B |] ==> C` is one.

    Args:
        text: a formula or a sequent.
        atoms: names that are atoms even if people mean a constant by them, such as `false`.

    Raises:
        AmbiguousFormula: people read the text in two ways.
        NotPropositional: the text is of another logic.
        FormulaSyntaxError: the text is no formula; the two above are of this kind, too. Each points at the place.
    """
    reading = _read(text, atoms)
    return reading if text.isascii() else reading._replace(remarks=(*reading.remarks, *_alike(reading.formula)))


def _read(text: str, atoms: Collection[str]) -> Reading:
    tokens = _as_sequent(tokenize(text))
    if not any(token.kind == "turnstile" for token in tokens):
        return read_tokens(text, tokens, atoms)
    *before, last = sequent_parts(text, tokens)
    hypotheses = [_hypothesis(text, part, atoms) for part in before]
    outside = {atom.name for hypothesis in hypotheses for atom in find_atoms(hypothesis.formula)}
    conclusion = read_tokens(text, last, atoms, outside)
    formula = conclusion.formula
    for hypothesis in reversed(hypotheses):
        formula = Implies(hypothesis.formula, formula)
    remarks = [remark for part in (*hypotheses, conclusion) for remark in part.remarks]
    return Reading(formula, tuple(dict.fromkeys(remarks)))


def _alike(formula: Formula) -> Iterator[str]:
    """Return a sentence for each two atoms of a formula that are told apart only by how their letters are encoded."""
    seen: dict[str, str] = {}
    for atom in find_atoms(formula):
        other = seen.setdefault(unicodedata.normalize("NFKC", atom.name).translate(_LATIN), atom.name)
        if other != atom.name:
            yield f"{other} and {atom.name} look alike and are two atoms; write one of them if you mean one."


def _hypothesis(text: str, tokens: Sequence[Token], atoms: Collection[str]) -> Reading:
    """Return the reading of a hypothesis, whose quantifier would mean another one in front of the whole."""
    for token in tokens:
        if token.kind == "forall":
            message = "a hypothesis cannot have a quantifier; leave the hypothesis out"
            raise NotPropositional(message, text, token.position)
    return read_tokens(text, tokens, atoms)


def _as_sequent(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a comma and a turnstile for those of Isabelle's `[| A; B |] ==> C`."""
    kinds = [token.kind for token in tokens]
    if kinds[0] != "assumptions" or "assumed" not in kinds:
        return tokens
    end = kinds.index("assumed")
    if kinds[end + 1] != "entails":
        return tokens
    inside = [token._replace(kind="comma") if token.kind == "semicolon" else token for token in tokens[1:end]]
    return [*inside, tokens[end + 1]._replace(kind="turnstile"), *tokens[end + 2 :]]
