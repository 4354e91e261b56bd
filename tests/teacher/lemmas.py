"""Random formulas of 3 to 30 connectives, theorems or not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from curricula.generator import RandomSettings, random_lemmas
from curricula.lemma import Lemma

_SIZES: Final = range(3, 31)


def lemmas(kind: str, count: int, seed: int = 0) -> Iterator[Lemma]:
    """Theorems, non-theorems or formulas of any kind, about as many of each size."""
    each = -(-count // len(_SIZES))
    drawn = (
        lemma
        for size in _SIZES
        for lemma in random_lemmas(RandomSettings(size=size, atoms=3 + size // 12, kind=kind, count=each, seed=seed))
    )
    return islice(drawn, count)
