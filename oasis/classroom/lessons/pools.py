"""Pools: several lemmas for one exercise, of which each student has one.

Who has which is drawn by `oasis.classroom.desk.drawing`, and whether they are equally hard is looked at by
`oasis.classroom.lessons.checking`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curricula import Curriculum
from state_spaces.name import formula_key
from tactics.errors import InputError
from tactics.formula import Formula


class Variant(NamedTuple):
    """A lemma of a pool.

    Attributes:
        name: of the lemma.
        formula: in its own letters.
        key: the same for lemmas that differ in their letters alone.
    """

    name: str
    formula: Formula
    key: bytes


def pool_of(lemma: Curriculum, others: Sequence[Curriculum]) -> tuple[Variant, ...]:
    """Return the variants of an exercise, its own lemma first; nothing if there are no others.

    Raises InputError if the exercise has several lemmas, or two in the pool have one name.
    """
    if not others:
        return ()
    if len(lemma) > 1:
        raise InputError(f"{lemma.name} has {len(lemma)} lemmas, and a pool is of one exercise; name one of them.")
    found = [each for curriculum in (lemma, *others) for each in curriculum]
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"two lemmas of the pool are called {name}; leave one out, or name it as in 'second : p -> p'."
            )
    return tuple(Variant(each.name, each.formula, formula_key(each.formula)) for each in found)


def different(pool: Sequence[Variant]) -> tuple[Variant, ...]:
    """Return the variants without those that are an earlier one in other letters: these count as one."""
    first = {variant.key: variant for variant in reversed(pool)}
    return tuple(variant for variant in pool if first[variant.key] is variant)
