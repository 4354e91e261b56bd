"""PropL's formulas by number, and uniform chance among them (An et al. 2024, arXiv 2404.07382, "Learn from Failure").

The formulas of n connectives, each ∧, ∨ or →, and n + 1 leaves, each True, False or one of the atoms p1 to p5, are the
binary trees with n inner nodes and their labels. In Polish notation a tree is a word of n connectives and n + 1 leaves,
and here the trees are numbered from 0 in the order of such words, leaves before connectives:

    number = shape · 3^n · (p + 2)^(n + 1) + connectives · (p + 2)^(n + 1) + leaves

for p atoms, where `shape` is the place of the word among the C(n) ones (C(n) is Catalan's number), and `connectives`
and `leaves` have the labels for digits, the first one of the word foremost. The paper has the same formula and does
not say in which order its shapes and labels come, so its numbers need not be these.

A leaf True is one leaf, although it stands for the formula `False -> False`, as everywhere in this project. So the same
formula comes about where a tree has a connective → with two leaves False, and some formulas have several numbers:
`number` gives one of them, that of the tree in which each `False -> False` is the leaf True if n allows it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import comb, log10
from typing import Final

from tactics.errors import InputError
from tactics.formula import FALSE, TRUTH, And, Atom, Binary, Formula, Implies, Or
from tactics.printer import brief

CONNECTIVES: Final = 16
"""n, unless somebody asks for another one: PropL's."""
ATOMS: Final = 5
"""p, likewise."""

_CONNECTIVES: Final[tuple[type[Binary], ...]] = (And, Or, Implies)
_DIGITS: Final = {connective: digit for digit, connective in enumerate(_CONNECTIVES)}
_BITS: Final = 53
"""Of a random number from 0 to 1."""


def formulas(n: int = CONNECTIVES, atoms: int = ATOMS) -> int:
    """How many numbers there are: C(n) · 3^n · (atoms + 2)^(n + 1)."""
    count: int = _catalan(n) * 3**n * (atoms + 2) ** (n + 1)
    return count


def formula(number: int, n: int = CONNECTIVES, atoms: int = ATOMS) -> Formula:
    """The formula of a number, in linear time but for the arithmetic of large integers.

    Args:
        number: from 0 to `formulas(n, atoms)` - 1.
        n: connectives, at least 0.
        atoms: different atoms that may occur, at least 0: p1, p2 and so on.

    Raises:
        InputError: there is no such number.
    """
    kinds = _leaves(atoms)
    rest, leaves = divmod(number, len(kinds) ** (n + 1))
    shape, connectives = divmod(rest, 3**n)
    if number < 0 or shape >= _catalan(n):
        raise InputError(
            f"{_told(number)} is not the number of a formula of {n} connectives and {atoms} atoms; choose one from 0 "
            f"that is below {_told(formulas(n, atoms))}."
        )
    built: list[Formula] = []
    for is_leaf in reversed(_word(shape, n)):
        if is_leaf:
            leaves, digit = divmod(leaves, len(kinds))
            built.append(kinds[digit])
        else:
            connectives, digit = divmod(connectives, 3)
            left = built.pop()
            built.append(_CONNECTIVES[digit](left, built.pop()))
    return built.pop()


def number(formula: Formula, n: int = CONNECTIVES, atoms: int = ATOMS) -> int:
    """A number of a formula: `formula(number(f, n), n)` is f for each formula f that has one.

    A subformula `False -> False` is read as the leaf True; where the formula has less than n connectives then, the last
    ones of them, from left to right, are read as connectives with two leaves. So `number(formula(i, n), n)` is i where
    the tree of i has no such connective, and else the number of another tree of the same formula.

    Raises:
        InputError: the formula has not n connectives in any reading, or other atoms than p1, p2, … as many as allowed.
    """
    kinds = {leaf: digit for digit, leaf in enumerate(_leaves(atoms))}
    # Connectives too many if no True is read as a leaf: so many of them are.
    truths = formula.size // 2 - n
    word: list[bool] = []
    connectives = leaves = 0
    pending = [formula] if truths <= n + 1 else []  # else it has too many connectives, and may be too large to walk
    while pending:
        node = pending.pop()
        is_leaf = not isinstance(node, Binary) or (node is TRUTH and truths > 0)
        word.append(is_leaf)
        if is_leaf:
            if node not in kinds:
                raise InputError(f"{brief(node)} is no leaf of PropL's formulas; name the atoms p1 to p{atoms}.")
            truths -= node is TRUTH
            leaves = leaves * len(kinds) + kinds[node]
        else:
            assert isinstance(node, Binary)
            connectives = connectives * 3 + _DIGITS[type(node)]
            pending += [node.right, node.left]
    if truths:
        raise InputError(f"{brief(formula)} has not {n} connectives; give their number with it.")
    found: int = (_shape(word, n) * 3**n + connectives) * len(kinds) ** (n + 1) + leaves
    return found


def sample(seed: int, count: int, n: int = CONNECTIVES, atoms: int = ATOMS) -> Iterator[int]:
    """So many numbers of formulas, drawn independently and uniformly, so that one may come twice.

    They are the same for a seed in every process and version of Python.

    Args:
        seed: any integer; a larger count only adds numbers at the end.
        count: how many.
        n: connectives.
        atoms: atoms that may occur.
    """
    draw = numbers_below(formulas(n, atoms), random.Random(seed).random)
    return (draw() for _ in range(count))


def numbers_below(most: int, draw: Callable[[], float]) -> Callable[[], int]:
    """Uniform integers from 0 to `most` - 1; `draw` gives multiples of 2^-53 from 0 up to but without 1."""
    words = -(-most.bit_length() // _BITS)
    surplus = words * _BITS - most.bit_length()

    def number() -> int:
        while True:
            bits = 0
            for _ in range(words):
                bits = bits << _BITS | int(draw() * 2**_BITS)
            if (drawn := bits >> surplus) < most:
                return drawn

    return number


def _leaves(atoms: int) -> tuple[Formula, ...]:
    return TRUTH, FALSE, *(Atom(f"p{i}") for i in range(1, atoms + 1))


def _told(number: int) -> str:
    """A number, or about how many digits it has where it is long."""
    return f"{number}" if number < 10**40 else f"a number of {int(number.bit_length() * log10(2)) + 1} digits"


def _catalan(n: int) -> int:
    return comb(2 * n, n) // (n + 1)


def _word(shape: int, n: int) -> list[bool]:
    """Which signs of the word of a shape are leaves.

    What is left of a word, a connectives and b leaves, is one of (b - a) / (a + b) · C(a + b, a): it stands for b - a
    trees in a row. Of these begin with a connective the a (b - a + 1) / (b - a) (a + b - 1)th part.
    """
    word: list[bool] = []
    connectives, trees, words = n, 1, _catalan(n)
    while connectives:
        with_connective = words * connectives * (trees + 1) // (trees * (2 * connectives + trees - 1))
        with_leaf = words - with_connective
        is_leaf = shape < with_leaf
        word.append(is_leaf)
        if is_leaf:
            words, trees = with_leaf, trees - 1
        else:
            shape -= with_leaf
            words, trees, connectives = with_connective, trees + 1, connectives - 1
    return word + [True] * trees


def _shape(word: list[bool], n: int) -> int:
    """The place of a word among those of n connectives; `_word` backwards."""
    shape, connectives, trees, words = 0, n, 1, _catalan(n)
    for is_leaf in word:
        if not connectives:
            break
        with_connective = words * connectives * (trees + 1) // (trees * (2 * connectives + trees - 1))
        if is_leaf:
            words, trees = words - with_connective, trees - 1
        else:
            shape += words - with_connective
            words, trees, connectives = with_connective, trees + 1, connectives - 1
    return shape
