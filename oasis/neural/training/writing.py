"""Examples as lines of text, as checkpoints hold them, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from itertools import starmap
from typing import Final

from oasis.neural.encoding.moves import options
from oasis.neural.training.data import Example
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show

_NUMBERS: Final = {False: 0, True: 1, None: -1}


def written(examples: Iterable[Example]) -> str:
    """A line for each example: its conclusion and hypotheses, whether it is provable, and which moves keep.

    A move of which nobody knows has -1.
    """
    text: Callable[[Formula], str] = cache(show)
    rows = ([[*map(text, each.formulas)], each.provable, [*map(_NUMBERS.get, each.keeps)]] for each in examples)
    return "".join(json.dumps(row) + "\n" for row in rows)


def read(text: str) -> list[Example]:
    """The examples that `written` made lines of. Raises TypeError or ValueError for other text."""
    formula: Callable[[str], Formula] = cache(parse)

    def example(texts: list[str], provable: bool, keeps: list[int]) -> Example:
        formulas = tuple(map(formula, texts))
        moves = options(formulas) if keeps else ()
        if not formulas or len(moves) != len(keeps) or (keeps and 1 not in keeps):
            raise ValueError("these lines hold no examples")
        return Example(formulas, bool(provable), moves, tuple([None if keep < 0 else bool(keep) for keep in keeps]))

    return list(starmap(example, map(json.loads, text.splitlines())))
