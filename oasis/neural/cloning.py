"""Behavioural cloning: a network learns from proofs the moves that they make where there is a choice.

No oracle says what is right: at each goal that counts which the proofs do there (Pomerleau 1991). Who proves more with
what was learned, and learns from that again, iterates as experts do (Anthony, Tian and Barber 2017).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

import numpy as np
import torch

from oasis.committed import EAGER
from oasis.neural.encoding.batch import LARGEST, chunked
from oasis.neural.encoding.moves import Formulas, Option, Unordered, formulas_of, options, unordered
from oasis.neural.networks.network import Network
from oasis.neural.training.loss import labelled_loss
from tactics.formula import Formula
from tactics.goal import initial, principal
from tactics.rules import apply
from tactics.script import Script

RATE: Final = 1e-3
"""The highest learning rate; it falls evenly to 0 with the time."""
_BETAS: Final = (0.9, 0.98)
_DECAY: Final = 0.01
_WARM_UP: Final = 20
"""Steps in which the rate rises."""
_LARGEST_GRADIENT: Final = 1.0
_NODES: Final = 3_000
"""In a batch, padding included."""
_KNOWN: Final = 0.01
"""The mean loss at which there is nothing left to learn."""


@dataclass
class Choice:
    """A goal at which there is a choice, and what proofs do there.

    Attributes:
        formulas: the goal.
        options: its moves.
        chosen: of each of them whether a proof makes it.
    """

    formulas: Formulas
    options: tuple[Option, ...]
    chosen: list[bool] = field(default_factory=list)


def choices(proofs: Mapping[Formula, Script]) -> list[Choice]:
    """The goals at which proofs choose, each once, whatever its hypotheses are called.

    Moves that cannot lose are made without asking (`oasis.committed`), so nothing is learned where there is one.
    """
    found: dict[Unordered, Choice] = {}
    for lemma, script in proofs.items():
        state = initial(lemma)
        for move in script:
            goal = state[0]
            if len(EAGER.candidates(goal)) > 1:
                formulas = formulas_of(goal)
                key = unordered(formulas)
                if key not in found:
                    moves = options(formulas)
                    found[key] = Choice(formulas, moves, [False] * len(moves))
                applied_to = principal(goal, move)
                for place, option in enumerate(found[key].options):
                    found[key].chosen[place] |= option.rule == move.rule and option.principal is applied_to
            state = apply(state, move)
    return list(found.values())


def clone(
    network: Network,
    proofs: Mapping[Formula, Script],
    *,
    seed: int,
    seconds: float,
    clock: Callable[[], float],
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Train a network to choose as proofs do, until it does or the time is over.

    A network whose gradient comes to be no number stays what it was. What is too large for a look (`LARGEST`) is left
    out.

    Args:
        network: trained, from what it is.
        proofs: of lemmas.
        seed: of the order of the batches.
        seconds: at most, but for a step.
        clock: by which they are counted.
        stop: whether somebody asks for the end.

    Returns the number of goals that went through the network.
    """
    began = clock()
    encoded = [(network.form(each.formulas, each.options), np.array(each.chosen, np.bool_)) for each in choices(proofs)]
    shown = [each for each in encoded if len(each[0].tokens) <= LARGEST]
    goals, chosen = [goal for goal, _ in shown], [answer for _, answer in shown]
    sizes = np.array([len(goal.tokens) for goal in goals])
    parameters = list(network.module.parameters())
    before = [parameter.detach().clone() for parameter in parameters]
    optimizer = torch.optim.AdamW(parameters, lr=0.0, betas=_BETAS, weight_decay=_DECAY)
    lots = random.Random(f"cloning {seed}")
    step, passed, far = 0, 0, inf if shown else 0.0
    while far > _KNOWN * len(shown):
        batches = list(chunked(sizes, _NODES))
        lots.shuffle(batches)
        far = 0.0
        for batch in batches:
            left = 1 - (clock() - began) / seconds
            if left <= 0 or stop():
                return passed
            asked, answers = [goals[place] for place in batch], [chosen[place] for place in batch]
            error = labelled_loss(network, asked, answers, np.ones(len(batch), np.bool_)).policy
            far += float(error.detach())
            passed += len(batch)
            optimizer.zero_grad()
            (error / len(batch)).backward()  # type: ignore[no-untyped-call]
            if not torch.nn.utils.clip_grad_norm_(parameters, _LARGEST_GRADIENT).isfinite():
                with torch.no_grad():
                    for parameter, kept in zip(parameters, before, strict=True):
                        parameter.copy_(kept)
                return passed
            step += 1
            optimizer.param_groups[0]["lr"] = RATE * min(1.0, step / _WARM_UP) * left
            optimizer.step()
    return passed
