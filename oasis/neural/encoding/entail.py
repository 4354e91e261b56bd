"""A goal as questions whether formulas follow from its hypotheses, in words of a language model.

A move that can lose keeps a provable goal exactly if one formula follows from the same hypotheses: A for `left` and B
for `right` of A ∨ B, and C → D for `imply4` on (C → D) → B (Dyckhoff 1992). So a goal is its hypotheses, written once,
and then `Show X ?` for its conclusion and for each formula that a move wants, every formula once; at each `?` a network
says yes or no: `given -> A B ; Show or B C ? Show B ? Show C ?`. Moves that cannot lose are not asked about.

Formulas are in Polish notation (`oasis.neural.encoding.sentences`). Hypotheses stand in canonical order, and atoms are
called A, B and so on as they occur, so that neither names nor order count. With answers, for training,
hypotheses and questions keep the order in which they are given. Behind Z comes A', and behind Z' A'', so that no two
atoms are ever called the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.neural.encoding.moves import Formulas, Option
from oasis.neural.encoding.nodes import NONE
from oasis.neural.encoding.sentences import (
    CONNECTIVES,
    FALSE_WORD,
    LEFT_OUT,
    LONGEST,
    TRUE_WORD,
    in_order,
    notations,
    takes_hypothesis,
)
from tactics.formula import And, Atom, Formula, Implies, Or

WORDS: Final = (
    *(" given", ";", " Show", "?", " yes", " no", " and", " or", " ->", " false", " true", " ...", "'"),
    *(f" {letter}" for letter in ascii_uppercase),
)
"""What tokens stand for; each is one token of a language model."""
GIVEN, END, SHOW, QUESTION, YES, NO = range(6)
_OF_SENTENCES: Final = {
    CONNECTIVES[And]: WORDS.index(" and"),
    CONNECTIVES[Or]: WORDS.index(" or"),
    CONNECTIVES[Implies]: WORDS.index(" ->"),
    FALSE_WORD: WORDS.index(" false"),
    TRUE_WORD: WORDS.index(" true"),
    LEFT_OUT: WORDS.index(" ..."),
}
"""Our tokens by those of sentences."""
_PRIME, _LETTERS = WORDS.index("'"), WORDS.index(" A")


class Entailment(NamedTuple):
    """A goal as tokens, and what is asked of it.

    Attributes:
        tokens: shape (tokens,).
        questions: the place of each question mark, that of the conclusion first; shape (questions,).
        moves: of each the number of the question about what it wants; `NONE` if it cannot lose; shape (moves,).
        answers: to the questions, if they are known; else none; shape (questions,) or (0,).
    """

    tokens: NDArray[np.uint8]
    questions: NDArray[np.int32]
    moves: NDArray[np.int16]
    answers: NDArray[np.bool_]


def entail(
    formulas: Formulas, moves: Iterable[Option] = (), answers: Mapping[Formula, bool] | None = None
) -> Entailment:
    """Return a goal as questions.

    Args:
        formulas: the goal.
        moves: that are asked about.
        answers: whether formulas follow from the hypotheses: the conclusion first, all that the moves want, and any
            others. If they are given, hypotheses and questions stand in the order in which they come here.
    """
    moves = list(moves)
    hypotheses, wanted = formulas[1:], answers
    if wanted is None:
        hypotheses = tuple(in_order(formulas))
        place = {formula: number for number, formula in enumerate(hypotheses)}
        by_place = sorted(moves, key=lambda move: place[move.principal] if takes_hypothesis(move.rule) else NONE)
        wanted = dict.fromkeys([formulas[0], *filter(None, [move.wanted for move in by_place])], False)
    of_formulas = notations([*hypotheses, *wanted], LONGEST - 1 - len(hypotheses) - 2 * len(wanted))
    words: dict[int | Atom, list[int]] = {given: [ours] for given, ours in _OF_SENTENCES.items()}
    for atom in dict.fromkeys(part for notation in of_formulas for part in notation if isinstance(part, Atom)):
        primes, letter = divmod(len(words) - len(_OF_SENTENCES), len(ascii_uppercase))
        words[atom] = [_LETTERS + letter, *[_PRIME] * primes]
    tokens, questions = [GIVEN], []
    for number, notation in enumerate(of_formulas):
        is_asked = number >= len(hypotheses)
        tokens += [SHOW] * is_asked
        for part in notation:
            tokens += words[part]
        if is_asked:
            questions.append(len(tokens))
        tokens.append(QUESTION if is_asked else END)
    number_of = {formula: number for number, formula in enumerate(wanted)}
    asked = [NONE if move.wanted is None else number_of[move.wanted] for move in moves]
    return Entailment(
        np.array(tokens, np.uint8),
        np.array(questions, np.int32),
        np.array(asked, np.int16),
        np.array([*(answers or {}).values()], np.bool_),
    )
