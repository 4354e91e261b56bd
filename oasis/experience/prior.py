"""What maxims say of moves as odds: a value of its own, which can be written down and read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import exp, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from oasis.experience.maxims import Maxim
from oasis.experience.scope import Scope, applying
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.rules import RULES, legal_moves

MOST_ODDS: Final = 1e6
"""Neither more nor less than one in so many, however much evidence there is, so that no move is ruled out."""
_MOST_ANSWERS: Final = 100_000


class Prior:
    """The odds of legal moves, by the scopes in which they lie.

    The odds of all scopes that apply to a move are multiplied, but for those that contain another one of them: an
    exception counts in place of what it is an exception from.

    Args:
        odds: of each scope, above 0; 1 says nothing.
    """

    def __init__(self, odds: Mapping[Scope, float]) -> None:
        self._odds = {scope: min(max(odds[scope], 1 / MOST_ODDS), MOST_ODDS) for scope in sorted(odds)}
        self._logs = {scope: log(each) for scope, each in self._odds.items()}
        self._within = {
            scope: {each for each in self._odds if each != scope and scope.contains(each)} for scope in self._odds
        }
        self._of_rule = {rule: [each for each in self._odds if each.is_about(rule)] for rule in RULES}
        self._known: dict[Goal, NDArray[np.float64] | None] = {}

    @classmethod
    def of(cls, maxims: Iterable[Maxim]) -> Prior:
        """What maxims say; of several of one scope the geometric mean."""
        logs: dict[Scope, list[float]] = {}
        for maxim in maxims:
            logs.setdefault(maxim.scope, []).append(log(maxim.evidence.odds))
        return cls({scope: exp(min(sum(found) / len(found), log(MOST_ODDS))) for scope, found in logs.items()})

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
        """All of it as a line, each scope as a list with its odds last; empty if it says nothing."""
        lines: list[list[Any]] = [[*scope, odds] for scope, odds in self._odds.items()]
        return json.dumps(lines) if lines else ""

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
        found = applying(goal, move, self._of_rule[move.rule])
        most = log(MOST_ODDS)
        said = sum(self._logs[scope] for scope in found if self._within[scope].isdisjoint(found))
        return min(max(said, -most), most)
