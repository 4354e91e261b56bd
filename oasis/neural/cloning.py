"""Behavioural cloning: a network learns from proofs the moves that they make where there is a choice.

No oracle says what is right: at each goal that counts which the proofs do there (Pomerleau 1991). Who proves more with
what was learned, and learns from that again, iterates as experts do (Anthony, Tian and Barber 2017).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from oasis.neural.encoding.batch import LARGEST, chunked
from oasis.neural.encoding.form import Encoding, Form
from oasis.neural.encoding.moves import Option, Unordered, formulas_of, options, unordered
from oasis.neural.networks.network import Network
from oasis.neural.training.descent import Descent
from oasis.neural.training.loss import labelled_loss
from oasis.play.committed import EAGER
from tactics.formula import Formula
from tactics.goal import Goal, Move, initial, principal
from tactics.rules import apply
from tactics.script import Script

RATE: Final = 1e-3
"""The highest learning rate; it falls evenly to 0 with the time."""
_DECAY: Final = 0.01
"""Of the weights."""
_WARM_UP: Final = 20
"""Steps in which the rate rises."""
_NODES: Final = 3_000
"""In a batch, padding included."""
_KNOWN: Final = 0.01
"""The mean loss at which there is nothing left to learn."""


class Choice(NamedTuple):
    """A goal at which there is a choice, and what proofs do there.

    Attributes:
        goal: in the form of a network.
        options: its moves.
        chosen: of each of them whether a proof makes it; shape (moves,).
    """

    goal: Encoding
    options: tuple[Option, ...]
    chosen: NDArray[np.bool_]


class Demonstrations:
    """The goals at which proofs choose, each once, whatever its hypotheses are called.

    Moves that cannot lose are made without asking (`oasis.play.committed`), so nothing is learned where there is one,
    nor from a goal that is too large for a look (`LARGEST`).

    Args:
        form: of the network that is to learn from them.
    """

    def __init__(self, form: Form) -> None:
        self._form = form
        self._found: dict[Unordered, Choice | None] = {}
        self._known: dict[Formula, Script] = {}
        self._reading: Iterator[None] = iter(())

    @property
    def choices(self) -> list[Choice]:
        """What has been read."""
        return [each for each in self._found.values() if each is not None]

    def read(self, proofs: Mapping[Formula, Script], is_over: Callable[[], bool] = lambda: False) -> None:
        """Go through those proofs that are new, short ones first, until it is over; then the rest is left for later.

        Proofs of thousands of moves take seconds, so each is gone through once, and if need be with pauses.
        """
        for lemma, script in sorted(proofs.items(), key=lambda proof: len(proof[1])):
            self._finish(is_over)
            if is_over():
                return
            if self._known.get(lemma) is not script:
                self._known[lemma] = script
                self._reading = self._moves(lemma, script)
        self._finish(is_over)

    def _finish(self, is_over: Callable[[], bool]) -> None:
        """Read on in the proof that has been begun, unless it is over."""
        while not is_over() and next(self._reading, self) is not self:
            pass

    def _moves(self, lemma: Formula, script: Script) -> Iterator[None]:
        """Go through a proof, move by move."""
        state = initial(lemma)
        for move in script:
            if len(EAGER.candidates(state[0])) > 1:
                self._take_in(state[0], move)
            state = apply(state, move)
            yield

    def _take_in(self, goal: Goal, move: Move) -> None:
        """Note what a proof does at a goal."""
        formulas = formulas_of(goal)
        if len(formulas) > LARGEST:
            return
        key = unordered(formulas)
        if key not in self._found:
            moves = options(formulas)
            encoding = self._form(formulas, moves)
            is_large = len(encoding.tokens) > LARGEST
            self._found[key] = None if is_large else Choice(encoding, moves, np.zeros(len(moves), np.bool_))
        if (found := self._found[key]) is not None:
            applied_to = principal(goal, move)
            for place, option in enumerate(found.options):
                found.chosen[place] |= option.rule == move.rule and option.principal is applied_to


def clone(
    network: Network,
    proofs: Demonstrations,
    *,
    seed: int,
    seconds: float,
    clock: Callable[[], float],
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Train a network to choose as proofs do, until it does or the time is over.

    A network whose gradient comes to be no number stays what it was.

    Args:
        network: trained, from what it is.
        proofs: in the form of the network.
        seed: of the order of the batches.
        seconds: at most, but for a step.
        clock: by which they are counted.
        stop: whether somebody asks for the end.

    Returns the number of goals that went through the network.
    """
    began, shown = clock(), proofs.choices
    if not shown:
        return 0
    sizes = np.array([len(each.goal.tokens) for each in shown])
    before = [parameter.detach().clone() for parameter in network.module.parameters()]
    descent = Descent(network, _DECAY)
    lots = random.Random(f"cloning {seed}")
    step, passed, far = 0, 0, inf
    while far > _KNOWN * len(shown):
        batches = list(chunked(sizes, _NODES))
        lots.shuffle(batches)
        far = 0.0
        for batch in batches:
            left = 1 - (clock() - began) / seconds
            if left <= 0 or stop():
                return passed
            goals, answers = [shown[place].goal for place in batch], [shown[place].chosen for place in batch]
            error = labelled_loss(network, goals, answers, np.ones(len(batch), np.bool_)).policy
            far += float(error.detach())
            passed += len(batch)
            descent.begin()
            (error / len(batch)).backward()  # type: ignore[no-untyped-call]
            step += 1
            if not descent.step(RATE * min(1.0, step / _WARM_UP) * left):
                with torch.no_grad():
                    for parameter, kept in zip(network.module.parameters(), before, strict=True):
                        parameter.copy_(kept)
                return passed
    return passed
