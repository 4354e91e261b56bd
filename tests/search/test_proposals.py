"""What a policy of somebody's own may answer, and what is said where it may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import sleep
from typing import Any

import numpy as np
import pytest

from curricula.resolve import resolve_lemma
from oasis.policy import Floats, equal_shares
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget
from tactics.errors import InputError
from tactics.goal import Goal, State, initial
from tactics.rules import legal_moves

GOAL = initial(resolve_lemma("SYJ203.3").formula)[0]


class Answering:
    """A policy whose answers are a function of the number of moves."""

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self._answer = answer

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [self._answer(len(legal_moves(state[0]))) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None


def fails(moves: int) -> Floats:
    raise ZeroDivisionError(f"no {moves}")


def leaves(moves: int) -> Floats:
    raise SystemExit(moves)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda moves: equal_shares(moves + 1), "has to give"),
        (lambda moves: equal_shares(moves)[:-1], "has to give"),
        (lambda moves: None, "has to give"),
        (lambda moves: "half", "has to give"),
        (lambda moves: np.ones((moves, 2)), "has to give"),
        (lambda moves: np.full(moves, np.nan), "has to give"),
        (lambda moves: np.full(moves, np.inf), "has to give"),
        (lambda moves: np.full(moves, -1.0), "has to give"),
        (lambda moves: np.full(moves, 1j), "has to give"),
        (fails, "fails with ZeroDivisionError"),
        (leaves, "fails with SystemExit"),
    ],
)
@pytest.mark.parametrize("name", SEARCHES)
def test_an_answer_that_is_none_is_refused_in_a_sentence(name: str, answer: Callable[[int], Any], said: str) -> None:
    search = SEARCHES[name](GOAL, Answering(answer))
    with pytest.raises(InputError, match=said):
        list(search.run(Budget(expansions=500)))


@pytest.mark.parametrize("name", ["best-first", "sampling"])
def test_a_slow_policy_is_not_asked_long_after_the_time_is_over(name: str) -> None:
    def slowly(moves: int) -> Floats:
        sleep(0.05)
        return equal_shares(moves)

    search = SEARCHES[name](GOAL, Answering(slowly))
    *_, event = search.run(Budget(seconds=0.15))
    assert event.calls < 20
    assert search.reason == "0.15 seconds were not enough"
