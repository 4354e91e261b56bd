"""What maxims say of moves as odds: a value of its own, which can be written down and read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oasis.experience.maxims import PREFER, Maxim
from oasis.experience.scope import Scope, applying
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.rules import legal_moves

MOST_ODDS: Final = 1e6
"""Neither more nor less than one in so many, however much evidence there is, so that no move is ruled out."""
_MOST_ANSWERS: Final = 100_000


class Prior:
    """The odds of legal moves, by the scopes in which they lie.

    Of the scopes that apply to a move the most special ones count, and of several the geometric mean of their odds.

    Args:
        odds: of each scope, above 0; 1 says nothing.
    """

    def __init__(self, odds: Mapping[Scope, float]) -> None:
        self._odds = {scope: min(max(odds[scope], 1 / MOST_ODDS), MOST_ODDS) for scope in sorted(odds)}
        self._logs = {scope: log(each) for scope, each in self._odds.items()}
        self._of_rule: dict[str, list[Scope]] = {}
        for scope in self._odds:
            self._of_rule.setdefault(scope.rule, []).append(scope)
        self._known: dict[Goal, NDArray[np.float64] | None] = {}

    @classmethod
    def of(cls, maxims: Iterable[Maxim]) -> Prior:
        """What maxims say; of several of one scope the geometric mean.

        No maxim acts against its words, whatever its evidence is.
        """
        logs: dict[Scope, list[float]] = {}
        for maxim in maxims:
            logs.setdefault(maxim.scope, []).append(_log_odds(maxim))
        return cls({scope: exp(sum(found) / len(found)) for scope, found in logs.items()})

    @classmethod
    def read(cls, text: str) -> Prior:
        """The prior of which `text` was written; empty text says nothing of any move. Raises InputError."""
        odds: dict[Scope, float] = {}
        try:
            for *scope, number in json.loads(text or "[]"):
                odds[Scope.read(*scope)] = float(number)
            is_fit = all(0 < each < float("inf") for each in odds.values())
        except (TypeError, ValueError, RecursionError, OverflowError):
            is_fit = False
        if not is_fit:
            raise InputError(f"{text[:80]!r} is no prior over moves; begin anew with --experience.")
        return cls(odds)

    @property
    def text(self) -> str:
        """All of it as a line: a list of conclusion, hypothesis, rule and odds; empty if it says nothing."""
        return json.dumps([[*scope, odds] for scope, odds in self._odds.items()]) if self._odds else ""

    def __len__(self) -> int:
        """The number of scopes."""
        return len(self._odds)

    def odds(self, goal: Goal) -> NDArray[np.float64] | None:
        """The odds of each legal move of a goal, in their order; None where nothing is said of any."""
        if goal not in self._known:
            if len(self._known) >= _MOST_ANSWERS:
                self._known.clear()
            found = [self._log(goal, move) for move in legal_moves(goal)] if self._logs else []
            self._known[goal] = np.exp(found) if any(found) else None
        return self._known[goal]

    def _log(self, goal: Goal, move: Move) -> float:
        """The logarithm of the odds of a move; 0 where nothing is said of it."""
        found = applying(goal, move, self._of_rule.get(move.rule, ()))
        depth = max((scope.depth for scope in found), default=0)
        chosen = [self._logs[scope] for scope in found if scope.depth == depth]
        return sum(chosen) / len(chosen) if chosen else 0.0


def _log_odds(maxim: Maxim) -> float:
    found = min(maxim.strength, log(MOST_ODDS))
    return found if maxim.category == PREFER else -found
