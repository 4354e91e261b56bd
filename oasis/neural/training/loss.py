"""How far a network is from the labels: what is made smaller in supervised training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from oasis.neural.devices import precision
from oasis.neural.encoding.entail import Entailment
from oasis.neural.encoding.form import Encoding
from oasis.neural.networks.network import Judgement, Network

_NEVER: Final = -1e9


class Loss(NamedTuple):
    """Sums over a batch.

    Attributes:
        policy: -log of the probability that the policy gives to all moves that keep the goal, among the moves, or where
            these are written among all that might be written; over goals with moves.
        provability: binary cross-entropy of whether goals are provable, over all goals; if questions have
            answers, the number of goals times the mean over all questions.
        choices: goals with moves.
        right_choices: those whose likeliest move keeps.
        right_verdicts: goals that are more likely than not what they are.
    """

    policy: Tensor
    provability: Tensor
    choices: int
    right_choices: Tensor
    right_verdicts: Tensor


def labelled_loss(
    network: Network, goals: Sequence[Encoding], keeps: Sequence[NDArray[np.bool_]], provable: NDArray[np.bool_]
) -> Loss:
    """The loss of what a network says of some goals, in 32 bits.

    Args:
        network: judges them.
        goals: of nearly one length, at least one.
        keeps: of each move of each goal whether it keeps the goal provable.
        provable: of each goal whether it is; shape (goals,).
    """
    device = next(network.module.parameters()).device
    with precision(device):
        judgement = network.judged(goals)
    known = [goal.answers for goal in goals if isinstance(goal, Entailment)]
    return loss(
        judgement._replace(moves=judgement.moves.float(), provable=judgement.provable.float()),
        torch.from_numpy(np.repeat(np.arange(len(goals)), [len(each) for each in keeps])).to(device),
        torch.from_numpy(np.concatenate(keeps)).to(device),
        torch.from_numpy(provable).to(device),
        torch.from_numpy(np.concatenate(known)).to(device) if any(map(len, known)) else None,
    )


def loss(
    judgement: Judgement, goal_of_move: Tensor, keeps: Tensor, provable: Tensor, answers: Tensor | None = None
) -> Loss:
    """Return the loss of a judgement.

    Args:
        judgement: of some goals.
        goal_of_move: the goal of each move; shape (moves,).
        keeps: of each move whether it keeps its goal provable, as at least one of each goal does; shape (moves,).
        provable: of each goal whether it is; shape (goals,).
        answers: to all questions, if they are known; shape (questions,).
    """
    goals = len(provable)
    has_moves = torch.zeros(goals, dtype=torch.bool, device=provable.device)
    has_moves[goal_of_move] = True
    all_moves = logsumexp(judgement.moves, goal_of_move, goals)
    good_moves = logsumexp(judgement.moves.masked_fill(~keeps, _NEVER), goal_of_move, goals)
    with torch.no_grad():
        best = _largest(judgement.moves, goal_of_move, goals)
        best_good = _largest(judgement.moves.masked_fill(~keeps, _NEVER), goal_of_move, goals)
        right_choices = (has_moves & (best_good == best)).sum()
        right_verdicts = ((judgement.provable > 0) == provable).sum()
    said, true = (judgement.provable, provable) if answers is None else (judgement.answers, answers)
    assert said is not None
    verdicts = functional.binary_cross_entropy_with_logits(said, true.to(said.dtype), reduction="sum")
    verdicts = verdicts * (goals / len(said))
    total = torch.zeros_like(all_moves) if judgement.is_written else all_moves
    policy = torch.where(has_moves, total - good_moves, 0.0).sum()
    return Loss(policy, verdicts, int(has_moves.sum()), right_choices, right_verdicts)


def logsumexp(scores: Tensor, goal: Tensor, goals: int) -> Tensor:
    """The log of the sum of the exponentials of each goal's scores; of no use for a goal without any."""
    largest = _largest(scores.detach(), goal, goals)
    total = torch.zeros(goals, dtype=scores.dtype, device=scores.device)
    total = total.index_add(0, goal, (scores - largest[goal]).exp())
    return total.clamp(min=torch.finfo(scores.dtype).tiny).log() + largest


def _largest(scores: Tensor, goal: Tensor, goals: int) -> Tensor:
    lowest = torch.full((goals,), 2 * _NEVER, dtype=scores.dtype, device=scores.device)
    return lowest.scatter_reduce(0, goal, scores, "amax")
