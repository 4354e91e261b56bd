"""Examples as lines of text, as checkpoints hold them, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from itertools import starmap
from typing import Any, Final

from oasis.neural.encoding.moves import options
from oasis.neural.training.data import Example
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show

_NUMBERS: Final = {False: 0, True: 1, None: -1}


def written(examples: Iterable[Example]) -> str:
    """A line for each example: its conclusion and hypotheses, whether it is provable, which moves keep, and answers.

    A move of which nobody knows has -1. Answers are left out if there are none.
    """
    text: Callable[[Formula], str] = cache(show)

    def row(each: Example) -> list[Any]:
        answers = {text(formula): answer for formula, answer in each.answers}
        moves = [*map(_NUMBERS.get, each.keeps)]
        return [[*map(text, each.formulas)], each.provable, moves, *([answers] if answers else [])]

    return "".join(json.dumps(row(each)) + "\n" for each in examples)


def read(text: str) -> list[Example]:
    """The examples that `written` made lines of. Raises TypeError or ValueError for other text."""
    formula: Callable[[str], Formula] = cache(parse)

    def example(texts: list[str], provable: bool, keeps: list[int], answers: dict[str, bool] | None = None) -> Example:
        formulas = tuple(map(formula, texts))
        moves = options(formulas) if keeps else ()
        if not formulas or len(moves) != len(keeps) or (keeps and 1 not in keeps):
            raise ValueError("these lines hold no examples")
        known = tuple([None if keep < 0 else bool(keep) for keep in keeps])
        questions = tuple([(formula(each), bool(answer)) for each, answer in dict(answers or {}).items()])
        wanted = {move.wanted for move in moves} - {None}
        if questions and (questions[0][0] is not formulas[0] or not wanted <= {each for each, _ in questions}):
            raise ValueError("these lines hold other answers")
        return Example(formulas, bool(provable), moves, known, questions)

    return list(starmap(example, map(json.loads, text.splitlines())))
