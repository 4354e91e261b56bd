"""What people type, read as a formula: a formula in any notation, or a sequent `A, k : B |- C` of it.

`read` is what every door asks that takes text of a person. It says how text was read that others read otherwise, which
`tactics.parser.parse` leaves out. Files and lists are not this module's concern.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from tactics.formula import Formula, Implies, nested
from tactics.formula import atoms as find_atoms
from tactics.parser import FormulaSyntaxError, Reading, read_tokens
from tactics.sequent import sequent_parts
from tactics.tokens import NotPropositional, Token, tokenize
from tactics.uncollected import uncollected

_LATIN: Final = str.maketrans("АВЕЅІЈКМНОРСТХУаеорсхуіјѕΑΒΕΖΗΙΚΜΝΟΡΤΧΥον", "ABESIJKMHOPCTXYaeopcxyijsABEZHIKMNOPTXYov")
"""Cyrillic and Greek letters that look like Latin ones."""
_LETTERS: Final = {"F": ("False", {"E", "G"}), "T": ("True", {"S", "U"})}
"""Letters that some write for a constant, and their neighbours, beside which they plainly are atoms."""
_JOINED: Final = re.compile(r"([A-Z]\d*)v([A-Z]\d*)|([a-z]\d*)v([a-z]\d*)")
_CONTEXTS: Final = frozenset("ΓΔΣ")


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
    tokens = _as_sequent(tokenize(text))
    reading = _read(text, tokens, atoms)
    remarks = [*reading.remarks, *_letters(reading.formula, tokens)]
    return reading._replace(remarks=(*remarks, *([] if text.isascii() else _alike(reading.formula))))


def _read(text: str, tokens: Sequence[Token], atoms: Collection[str]) -> Reading:
    if not any(token.kind == "turnstile" for token in tokens):
        return read_tokens(text, tokens, atoms)
    *before, last = sequent_parts(text, tokens)
    hypotheses = [_hypothesis(text, part, atoms) for part in before]
    outside = {atom.name for hypothesis in hypotheses for atom in find_atoms(hypothesis.formula)}
    conclusion = read_tokens(text, last, atoms, outside)
    formula = nested(Implies, [*(hypothesis.formula for hypothesis in hypotheses), conclusion.formula])
    remarks = [remark for part in (*hypotheses, conclusion) for remark in part.remarks]
    return Reading(formula, tuple(dict.fromkeys(remarks)))


def _letters(formula: Formula, tokens: Sequence[Token]) -> Iterator[str]:
    """Return a sentence for each atom that others read as a constant or as a formula, unless a quantifier binds it."""
    if any(token.kind == "forall" for token in tokens):
        return
    names = {token.text for token in tokens if token.kind == "name"}
    for name in (atom.name for atom in find_atoms(formula) if atom.name in names):
        constant, neighbours = _LETTERS.get(name, ("", names))
        if not names & neighbours:
            yield f"{name} is read as an atom; write {constant} for the constant."
        elif joined := _JOINED.fullmatch(name):
            yield f"{name} is read as one atom; write {' v '.join(filter(None, joined.groups()))} for a disjunction."
        elif len(name) == 2 and name[1] == "'" and name[0] in names:
            yield f"{name} is read as an atom of its own; write ~{name[0]} for not {name[0]}."


def _alike(formula: Formula) -> Iterator[str]:
    """Return a sentence for each two atoms of a formula that are told apart only by how their letters are encoded."""
    seen: dict[str, str] = {}
    for atom in find_atoms(formula):
        other = seen.setdefault(unicodedata.normalize("NFKC", atom.name).translate(_LATIN), atom.name)
        if other != atom.name:
            yield f"{other} and {atom.name} look alike and are two atoms; write one of them if you mean one."


def _hypothesis(text: str, tokens: Sequence[Token], atoms: Collection[str]) -> Reading:
    """Return the reading of a hypothesis, whose quantifier would mean another one in front of the whole."""
    if len(tokens) == 2 and tokens[0].text in _CONTEXTS:
        message = f"{tokens[0].text} stands for hypotheses that are not written; leave it out or write them"
        raise FormulaSyntaxError(message, text, tokens[0].position)
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
