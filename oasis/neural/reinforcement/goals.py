"""The goals that plays come to, each once whatever its hypotheses are called, with their moves and what these leave.

Many plays of a lemma come to the same goals. Here each goal is worked out once, and goes through the network once.
"""

from __future__ import annotations

from bisect import bisect
from collections import deque
from collections.abc import Iterable, Sequence
from math import prod
from typing import Final

import numpy as np

from oasis.committed import INVERTIBLE_RULES, UNCHOSEN
from oasis.neural.devices import precision
from oasis.neural.encoding.form import Encoding
from oasis.neural.encoding.moves import Formulas, Option, options
from oasis.neural.networks.network import Network
from oasis.neural.policy import judgements
from oasis.policy import Floats
from tactics.errors import InputError
from tactics.formula import Formula

_ORDER: Final = {rule: place for place, rule in enumerate(INVERTIBLE_RULES)}
_Key = tuple[Formula, frozenset[Formula]]


class Met:
    """A goal that plays come to.

    Attributes:
        number: of the goal, from 0 in the order in which they were met.
        formulas: the goal.
        options: its moves.
        only: the place of the move that is made without asking; None where there is a choice, or no move at all.
        encoding: the goal in the network's form, with its moves; None until the network was asked about it.
        logs: the logarithms of the policy's probabilities of the moves; shape (moves,).
        provable: how likely the network holds it to be provable.
        after: what each of the moves leaves; None until that was asked.
    """

    __slots__ = ("_reached", "after", "encoding", "formulas", "logs", "number", "only", "options", "provable")

    def __init__(self, number: int, formulas: Formulas, moves: tuple[Option, ...], only: int | None) -> None:
        self.number, self.formulas, self.options, self.only = number, formulas, moves, only
        self.encoding: Encoding | None = None
        self.logs: Floats
        self.provable: float
        self.after: list[tuple[Met, ...] | None] = [None] * len(moves)
        self._reached: list[float] = []

    def drawn(self, chance: float) -> int:
        """The place of a move that is drawn by the probabilities, with a number from 0 up to but without 1."""
        if not self._reached:
            self._reached = np.cumsum(np.exp(self.logs)).tolist()
        return min(bisect(self._reached, chance * self._reached[-1]), len(self._reached) - 1)

    @property
    def likeliest(self) -> int:
        """The place of the likeliest move, the first one of several."""
        return int(np.argmax(self.logs))


class Goals:
    """All goals that some plays come to.

    Args:
        network: judges them; it must stand still as long as they are used.
        invertible: `eager` or `free`: whether moves that cannot lose are made without asking (`oasis.committed`).
        temperature: above 0; the policy is the softmax of the network's scores divided by it.

    Attributes:
        asked: how many goals went through the network.
    """

    def __init__(self, network: Network, invertible: str = "eager", temperature: float = 1.0) -> None:
        self._network, self._is_eager, self._temperature = network, invertible == "eager", temperature
        self._device = next(network.module.parameters()).device
        self._met: dict[_Key, Met] = {}
        self.asked = 0

    def met(self, formulas: Formulas) -> Met:
        """A goal."""
        key = formulas[0], frozenset(formulas[1:])
        found = self._met.get(key)
        if found is None:
            moves = options(formulas)
            found = self._met[key] = Met(len(self._met), formulas, moves, self._only(moves))
        return found

    def after(self, goal: Met, place: int) -> tuple[Met, ...]:
        """What the move at a place leaves of a goal."""
        left = goal.after[place]
        if left is None:
            left = goal.after[place] = tuple(map(self.met, goal.options[place].premises))
        return left

    def leads_to(self, goal: Met) -> tuple[Met, ...] | None:
        """The goals at which there is a choice when the moves are made that nobody has to choose, as far as 64 of them.

        None if one of them has no moves, so that the goal is not provable; no goals if it is proved.
        """
        pending, found, most = deque([goal]), [], UNCHOSEN
        while pending:
            each = pending.popleft()
            if not each.options:
                return None
            if each.only is None or not most:
                found.append(each)
            else:
                most -= 1
                pending += self.after(each, each.only)
        return tuple(dict.fromkeys(found))

    def values(self, goals: Iterable[Met]) -> list[float]:
        """How likely the network holds goals to be provable: that all are that they lead to (`leads_to`)."""
        left = [self.leads_to(goal) for goal in goals]
        self.judge(each for of_goal in left for each in of_goal or ())
        return [0.0 if of_goal is None else prod(each.provable for each in of_goal) for of_goal in left]

    def judge(self, goals: Iterable[Met]) -> None:
        """Have the network judge goals at which there is a choice, as far as it has not yet, all at once."""
        unknown = list(dict.fromkeys(goal for goal in goals if goal.encoding is None))
        encodings = [self._network.form(goal.formulas, goal.options) for goal in unknown]
        self.asked += len(unknown)
        with precision(self._device):
            for place, scores, provable in judgements(self._network, encodings):
                goal, scaled = unknown[place], scores / self._temperature
                scaled -= scaled.max()
                if not np.isfinite(scaled).all():
                    raise InputError(
                        "The network has come to judge by what is no number; its file is as it was written last, if it "
                        "was. Train again with a smaller --learning-rate."
                    )
                goal.logs = scaled - np.log(np.exp(scaled).sum())
                goal.encoding, goal.provable = encodings[place], provable

    def _only(self, moves: Sequence[Option]) -> int | None:
        """The place of the move of a goal that is made without asking, if there is one."""
        if self._is_eager:
            certain = [place for place, move in enumerate(moves) if move.rule in _ORDER]
            if certain:
                return min(certain, key=lambda place: _ORDER[moves[place].rule])
        return 0 if len(moves) == 1 else None
