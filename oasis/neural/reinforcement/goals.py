"""The goals that plays come to, each once whatever its hypotheses are called, with their moves and what these leave.

Many plays of a lemma come to the same goals. Here each goal is worked out once, and goes through the network once; and
once a move was made, it is known what is left when all is done after it that nobody has to choose. Plays know goals by
their numbers, so what many plays do at once is looked up in arrays.

Where a network writes freely, whatever is no legal move is one more thing to choose, with all the probability that the
legal moves leave; its place is behind theirs, and it leaves a goal without moves.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from enum import IntEnum
from math import prod
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from oasis.neural.devices import precision
from oasis.neural.encoding.batch import LARGEST
from oasis.neural.encoding.form import Encoding
from oasis.neural.encoding.moves import Formulas, Option, Unordered, options, unordered
from oasis.neural.networks.network import Network
from oasis.neural.policy import judgements
from oasis.play.committed import UNCHOSEN
from oasis.play.policy import Floats
from tactics.errors import InputError
from tactics.formula import FALSE
from tactics.rules import first_safe

Numbers = NDArray[np.int64]
_LEAST: Final = 1e-6
"""Probability that is left to what is no legal move, at least: of less, rounding is the greater part."""


class Kind(IntEnum):
    """Who makes the next move at a goal: nobody has to choose it, there is a choice, or there is no move."""

    UNCHOSEN = 0
    CHOICE = 1
    DEAD_END = 2


class Met:
    """A goal that plays come to.

    Attributes:
        number: of the goal, from 0 in the order in which they were met.
        formulas: the goal.
        options: its moves.
        only: the place of the move that is made without asking; None where there is a choice, or no move at all.
        encoding: the goal in the network's form, with its moves; None until the network was asked about it.
        logs: the logarithms of the policy's probabilities of the moves, and of what is none if that can be written;
            shape (moves,) or (moves + 1,).
        provable: how likely the network holds it to be provable.
        after: what each of the moves leaves; None until that was asked.
    """

    __slots__ = ("after", "encoding", "formulas", "logs", "number", "only", "options", "provable")

    def __init__(self, number: int, formulas: Formulas, moves: tuple[Option, ...], only: int | None) -> None:
        self.number, self.formulas, self.options, self.only = number, formulas, moves, only
        self.encoding: Encoding | None = None
        self.logs: Floats
        self.provable: float
        self.after: list[tuple[Met, ...] | None] = [None] * len(moves)


class Goals:
    """All goals that some plays come to.

    Args:
        network: judges them; it must stand still as long as they are used.
        invertible: `eager` or `free`: whether moves that cannot lose are made without asking (`oasis.play.committed`).
        temperature: above 0; the policy is the softmax of the network's scores divided by it.
        writing: `masked` or `free`: whether the network chooses among the legal moves, or writes what it likes, with
            temperature 1.

    Attributes:
        is_free: whether the network writes what it likes.
        all: the goals by their numbers.
        asked: how many goals went through the network.
    """

    def __init__(
        self, network: Network, invertible: str = "eager", temperature: float = 1.0, writing: str = "masked"
    ) -> None:
        self._network, self._is_eager, self._temperature = network, invertible == "eager", temperature
        self.is_free = writing == "free"
        self._device = next(network.module.parameters()).device
        self._met: dict[Unordered, Met] = {}
        self.all: list[Met] = []
        self.asked = 0
        # Of each goal its kind, whether the network has looked at it, its number of moves (1 where nobody chooses), and
        # where they begin in what follows.
        self._kinds, self._seen, self._counts, self._first = array("b"), array("b"), array("q"), array("q")
        # Of each move by which chance it is drawn at the latest; and in rows how many moves it brings about (0: not
        # known yet), how many goals these leave, and where they begin among the numbers of goals left.
        self._reached, self._moves, self._left = array("d"), array("q"), array("q")

    def met(self, formulas: Formulas) -> Met:
        """A goal."""
        key = unordered(formulas)
        found = self._met.get(key)
        if found is None:
            moves = options(formulas)
            found = self._met[key] = Met(len(self.all), formulas, moves, self._only(moves))
            self.all.append(found)
            kind = Kind.UNCHOSEN if found.only is not None else Kind.CHOICE if moves else Kind.DEAD_END
            count = 1 if kind is Kind.UNCHOSEN else len(moves) + self.is_free
            self._kinds.append(kind)
            self._seen.append(False)
            self._counts.append(count)
            self._first.append(len(self._reached))
            self._reached.extend([0.0] * count)
            self._moves.extend([0] * 3 * count)
        return found

    def after(self, goal: Met, place: int) -> tuple[Met, ...]:
        """What the move at a place leaves of a goal; what is no move leaves what nobody can prove."""
        if place == len(goal.options):
            return (self.met((FALSE,)),)
        left = goal.after[place]
        if left is None:
            left = goal.after[place] = tuple(map(self.met, goal.options[place].premises))
        return left

    def follower(self, state: tuple[int, ...], place: int) -> tuple[int, ...]:
        """The state, as `settled` gives it, after a move in focus."""
        *others, goal = [self.all[number] for number in state]
        return self.settled([*others, *reversed(self.after(goal, place))])

    def settled(self, pending: list[Met]) -> tuple[int, ...]:
        """The numbers of open goals, the one in focus last, when the moves are made that nobody has to choose.

        Of these `UNCHOSEN` at most are made, for there may be exponentially many.
        """
        for _ in range(UNCHOSEN):
            if not pending or (only := pending[-1].only) is None:
                break
            pending += reversed(self.after(pending.pop(), only))
        return tuple([each.number for each in pending])

    def kinds(self, goals: Numbers) -> NDArray[np.int8]:
        """The kind of each goal."""
        return np.asarray(self._kinds)[goals]

    def seen(self, goals: Numbers) -> NDArray[np.bool_]:
        """Whether the network has looked at each goal: it was asked about it, and it is not too large (`LARGEST`)."""
        return np.asarray(self._seen)[goals] > 0

    def made(self, goals: Numbers, places: Numbers) -> Numbers:
        """How many moves are made with those at some places of goals, one of which is not chosen being at place 0.

        After it come those that nobody has to choose, until there is a choice or a dead end, nothing is left of the
        goal, or there were more than `UNCHOSEN` of them.
        """
        rows = self._rows(goals, places)
        if (unknown := rows[:, 0] == 0).any():
            for goal, place in dict.fromkeys(zip(goals[unknown].tolist(), places[unknown].tolist(), strict=True)):
                self._work_out(self.all[goal], place)
            rows = self._rows(goals, places)
        return rows[:, 0]

    def left(self, goals: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
        """What is left of goals when these moves have been `made`.

        Returns:
            How many goals are left of each; and their numbers, goal after goal, of each the one in focus last.
        """
        _, numbers, starts = self._rows(goals, places).T
        return numbers, np.asarray(self._left)[spread(starts, numbers)]

    def drawn(self, goals: Numbers, chances: Floats) -> Numbers:
        """The places of moves that are drawn by the probabilities, with numbers from 0 up to but without 1."""
        first, moves = np.asarray(self._first)[goals], np.asarray(self._counts)[goals]
        reached = np.asarray(self._reached)
        passed = reached[spread(first, moves)] <= np.repeat(chances * reached[first + moves - 1], moves)
        places: Numbers = np.minimum(np.add.reduceat(passed, np.cumsum(moves) - moves, dtype=np.int64), moves - 1)
        return places

    def likeliest(self, goals: Numbers) -> Numbers:
        """The places of the likeliest moves, the first one of several."""
        return np.array([int(np.argmax(self.all[goal].logs)) for goal in goals.tolist()], np.int64)

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
                if self.is_free:
                    scaled = np.append(scaled, rest(torch.from_numpy(scaled)).numpy())
                scaled -= scaled.max()
                if not np.isfinite(scaled).all():
                    raise InputError(
                        "The network has come to judge by what is no number; its file is as it was written last, if it "
                        "was. Train again with a smaller --learning-rate."
                    )
                goal.logs = scaled - np.log(np.exp(scaled).sum())
                goal.encoding, goal.provable = encodings[place], provable
                self._seen[goal.number] = len(goal.encoding.tokens) <= LARGEST
                if goal.only is not None:
                    continue  # nobody draws a move here
                first = self._first[goal.number]
                self._reached[first : first + len(scaled)] = array("d", np.cumsum(np.exp(goal.logs)).tolist())

    def _only(self, moves: Sequence[Option]) -> int | None:
        """The place of the move of a goal that is made without asking, if there is one."""
        if self._is_eager and (certain := first_safe(moves)) is not None:
            return moves.index(certain)
        return 0 if len(moves) == 1 and not self.is_free else None

    def _rows(self, goals: Numbers, places: Numbers) -> Numbers:
        """What is known of moves; shape (goals, 3)."""
        rows: Numbers = np.asarray(self._moves).reshape(-1, 3)[np.asarray(self._first)[goals] + places]
        return rows

    def _work_out(self, goal: Met, place: int) -> None:
        """Note what is left by a move."""
        row = 3 * (self._first[goal.number] + place)
        left = [*reversed(self.after(goal, place if goal.only is None else goal.only))]
        made = 1
        while left and (only := left[-1].only) is not None and made <= UNCHOSEN:
            goal = left.pop()
            left += reversed(self.after(goal, only))
            made += 1
        self._moves[row : row + 3] = array("q", (made, len(left), len(self._left)))
        self._left.extend([each.number for each in left])


def rest(logs: Tensor) -> Tensor:
    """Return the logarithm of the probability that is left beside that of some moves of a goal; shape ().

    Args:
        logs: logarithms of the probabilities of the moves; shape (moves,).
    """
    return torch.log1p(-logs.exp().sum().clamp(max=1 - _LEAST))


def spread(starts: Numbers, lengths: Numbers) -> Numbers:
    """The numbers from each start on, so many of each."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)
