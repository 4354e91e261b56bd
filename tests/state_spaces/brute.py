"""The definition of sameness, tried out: every bijection of atoms, on plain text.

This is what the canonical labelling is compared with, so it shares no code with it. It takes time factorial in the
number of atoms: five are fine, eight are not.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Final

from tactics.formula import And, Atom, Binary, Formula, Or
from tactics.goal import State

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"

Texts = list[tuple[list[str], str]]
"""For each goal the texts of its hypotheses and of its conclusion, one letter an atom."""


def isomorphic(one: State, other: State) -> bool:
    """Return True if one bijection of atoms makes all goals equal, whatever the hypotheses' names and order."""
    return next(bijections(one, other), None) is not None


def bijections(one: State, other: State) -> Iterator[dict[str, str]]:
    """Yield all bijections from the atoms of a state to those of another that make their goals equal."""
    own, others = _names(one), _names(other)
    for letters, _ in _matches(one, other):
        yield {name: others[_LETTERS.index(letter)] for name, letter in zip(own, letters, strict=True)}


def corresponding(one: State, other: State) -> set[tuple[str, str]]:
    """Return the pairs of hypotheses of the focused goals, by name, that some bijection makes equal."""
    if not one or not other:
        return set()
    (there, _), *_ = _texts(other)
    pairs: set[tuple[str, str]] = set()
    for _, ((here, _), *_) in _matches(one, other):
        for (name, _), text in zip(one[0].hypotheses, here, strict=True):
            images = zip(other[0].hypotheses, there, strict=True)
            pairs.update((name, image) for (image, _), image_text in images if image_text == text)
    return pairs


def form(state: State) -> str:
    """Return the least text of a state under any naming of its atoms: equal exactly for the same states."""
    texts = _texts(state)
    return min(str(_sorted(_renamed(texts, letters))) for letters in _bijections(len(_names(state))))


def _matches(one: State, other: State) -> Iterator[tuple[tuple[str, ...], Texts]]:
    """Yield the bijections as new letters of the one's atoms, each with the one's texts in these letters."""
    if len(_names(one)) != len(_names(other)):
        return
    before, after = _texts(one), _sorted(_texts(other))
    for letters in _bijections(len(_names(one))):
        texts = _renamed(before, letters)
        if _sorted(texts) == after:
            yield letters, texts


def _bijections(atoms: int) -> Iterator[tuple[str, ...]]:
    return permutations(_LETTERS[:atoms])


def _texts(state: State) -> Texts:
    letters = dict(zip(_names(state), _LETTERS, strict=False))
    return [
        ([_text(formula, letters) for _, formula in goal.hypotheses], _text(goal.conclusion, letters)) for goal in state
    ]


def _renamed(texts: Texts, letters: tuple[str, ...]) -> Texts:
    table = str.maketrans(_LETTERS[: len(letters)], "".join(letters))
    return [([text.translate(table) for text in hypotheses], end.translate(table)) for hypotheses, end in texts]


def _sorted(texts: Texts) -> Texts:
    return [(sorted(hypotheses), conclusion) for hypotheses, conclusion in texts]


def _text(formula: Formula, letters: Mapping[str, str]) -> str:
    if isinstance(formula, Binary):
        sign = "∧" if isinstance(formula, And) else "∨" if isinstance(formula, Or) else "→"
        return f"({_text(formula.left, letters)}{sign}{_text(formula.right, letters)})"
    return letters[formula.name] if isinstance(formula, Atom) else "⊥"


def _names(state: State) -> list[str]:
    formulas = [each for goal in state for each in (goal.conclusion, *(formula for _, formula in goal.hypotheses))]
    return sorted({name for formula in formulas for name in _atoms(formula)})


def _atoms(formula: Formula) -> set[str]:
    if isinstance(formula, Binary):
        return _atoms(formula.left) | _atoms(formula.right)
    return {formula.name} if isinstance(formula, Atom) else set()
