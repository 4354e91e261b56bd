"""Sentences side by side: padded to one length, and their moves as a tree of words, so that no word is read twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.neural.encoding.batch import padded
from oasis.neural.encoding.sentences import NOTHING, TOKENS, Sentence


class Page(NamedTuple):
    """Sentences as arrays.

    Attributes:
        tokens: of each sentence; `NOTHING` after its end; shape (goals, tokens).
        lengths: of each sentence; shape (goals,).
        stems: the different words with which moves of more than one word begin; `NOTHING` where a goal has no more;
            shape (goals, stems).
        moves: of all goals, one after the other: the goal, the first word, the second or `NOTHING`, and the place of
            the first one among the stems; shape (moves, 4).
    """

    tokens: NDArray[np.int64]
    lengths: NDArray[np.int64]
    stems: NDArray[np.int64]
    moves: NDArray[np.int64]


def page(goals: Sequence[Sentence]) -> Page:
    """Sentences, at least one, side by side."""
    tokens, there = padded([goal.tokens for goal in goals])
    words = np.concatenate([goal.moves for goal in goals]).astype(np.int64)
    of_goal = np.repeat(np.arange(len(goals)), [len(goal.moves) for goal in goals])
    goes_on = words[:, 1] != NOTHING
    begun, stem = np.unique(of_goal[goes_on] * TOKENS + words[goes_on, 0], return_inverse=True)
    goal_of_stem = begun // TOKENS
    place = np.arange(len(begun)) - np.searchsorted(goal_of_stem, goal_of_stem)
    stems = np.full((len(goals), int(place.max(initial=-1)) + 1), NOTHING, np.int64)
    stems[goal_of_stem, place] = begun % TOKENS
    place_of_move = np.zeros(len(words), np.int64)
    place_of_move[goes_on] = place[stem]
    return Page(tokens, there.sum(1), stems, np.column_stack([of_goal, words, place_of_move]))
