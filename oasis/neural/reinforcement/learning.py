"""What is learned from plays that were made: their choices with advantages, and the losses that come of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from oasis.neural.devices import precision
from oasis.neural.encoding.batch import chunked
from oasis.neural.encoding.form import Encoding
from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.goals import Met, Numbers, rest
from oasis.neural.reinforcement.objective import clipped, divergence, entropy, surrogate, value_loss
from oasis.neural.reinforcement.rollouts import Plays
from oasis.neural.training.loss import logsumexp
from oasis.play.policy import Floats


class Choices(NamedTuple):
    """Choices that plays made, as arrays of shape (choices,) but for the goals.

    Attributes:
        goals: at which they were made, each once.
        is_free: whether what is no legal move could be chosen there, too.
        goal: the place of the goal of each among these, in ascending order.
        place: of the move that was chosen among the goal's.
        old: the logarithm of the probability with which it was.
        advantage: of each.
        share: its weight in the sum that is made larger.
        closed: whether the goal was proved by it.
    """

    goals: list[Met]
    is_free: bool
    goal: NDArray[np.int64]
    place: NDArray[np.int64]
    old: Floats
    advantage: Floats
    share: Floats
    closed: NDArray[np.bool_]

    @classmethod
    def of(cls, plays: Plays, learned: Numbers, advantages: Floats, shares: Floats) -> Choices:
        """Choices of plays, by their numbers, at least one."""
        numbers, first, number = np.unique(plays.goal[learned], return_index=True, return_inverse=True)
        met = np.argsort(first)  # goals in the order in which the plays come to them
        goals = [plays.goals.all[each] for each in numbers[met].tolist()]
        goal = np.argsort(met)[number]
        order = np.argsort(goal, kind="stable")
        goal, place = goal[order], plays.place[learned][order]
        starts = np.cumsum([0, *(len(each.logs) for each in goals)])
        old = np.concatenate([each.logs for each in goals])[starts[goal] + place]
        return cls(
            goals, plays.goals.is_free, goal, place, old, advantages[order], shares[order], plays.closed[learned][order]
        )


@dataclass(frozen=True)
class Weights:
    """What counts beside the surrogate, and where that is clipped.

    Attributes:
        lower: below 1, for the ratio of present to old probability.
        upper: above it.
        entropy: of the entropy of the policy, which is made larger.
        divergence: of the divergence from the reference.
        value: of the loss of the head that judges goals.
        temperature: what scores are divided by.
    """

    lower: float
    upper: float
    entropy: float
    divergence: float
    value: float
    temperature: float


class Tally:
    """Sums over the choices of some steps, each with its weight.

    Attributes:
        sums: of the weights, and by them of the surrogate, the entropy, the divergence and the critic's loss.
        clipped: how many choices contributed nothing because of the clip.
        choices: how many there were.
        error: of a critic that is another network (`oasis.neural.reinforcement.critic`), in its units; None if none is.
    """

    def __init__(self) -> None:
        self.sums = np.zeros(5)
        self.clipped = self.choices = 0
        self.error: float | None = None

    def means(self) -> dict[str, float]:
        """The means, by name, and the share that was clipped."""
        total, *sums = self.sums.tolist()
        means = zip(("surrogate", "entropy", "divergence", "value"), sums, strict=True)
        found = {name: of / total if total else 0.0 for name, of in means}
        found |= {} if self.error is None else {"value": self.error}
        return found | {"clipped": self.clipped / max(self.choices, 1)}


def losses(
    network: Network,
    reference: Network | None,
    choices: Choices,
    weights: Weights,
    nodes: int,
    device: torch.device,
    tally: Tally,
) -> Iterator[Tensor]:
    """The loss of choices, in parts whose goals go through the network together.

    Args:
        network: that learns.
        reference: that is to be kept to; None if it has no weight.
        choices: that are learned from.
        weights: of what else counts.
        nodes: of the goals that go through the network together.
        device: where the network is.
        tally: takes note of what comes of it.
    """
    starts = np.searchsorted(choices.goal, np.arange(len(choices.goals) + 1))
    encodings = [_encoding(goal) for goal in choices.goals]
    for places in chunked(np.array([len(each.tokens) for each in encodings]), nodes):
        goals = [encodings[place] for place in places]
        moves = np.array([len(goal.moves) + choices.is_free for goal in goals])
        made = np.concatenate([np.arange(starts[place], starts[place + 1]) for place in places])
        at = np.repeat(np.arange(len(goals)), starts[places + 1] - starts[places])
        move = (np.cumsum(moves) - moves)[at] + choices.place[made]

        def on_device(array: NDArray[np.generic]) -> Tensor:
            return torch.from_numpy(array).to(device)

        goal_of_move = on_device(np.repeat(np.arange(len(goals)), moves))
        chosen, goal = on_device(move), on_device(at)
        old, advantage, share = (
            on_device(array[made]).float() for array in (choices.old, choices.advantage, choices.share)
        )
        how = (choices.is_free, weights.temperature, device)
        logs, log_odds = _judged(network, goals, goal_of_move, *how)
        present = logs[chosen]
        gain = surrogate(present, old, advantage, weights.lower, weights.upper)
        uncertainty = entropy(logs, goal_of_move, len(goals))[goal]
        apart = wrong = torch.zeros_like(gain)
        if reference is not None:
            with torch.no_grad():
                kept, _ = _judged(reference, goals, goal_of_move, *how)
            apart = divergence(present, old, kept[chosen])
        if weights.value:
            wrong = value_loss(log_odds[goal], on_device(choices.closed[made]))
        parts = torch.stack([torch.ones_like(gain), gain, uncertainty, apart, wrong])
        tally.sums += (parts.detach() @ share).double().cpu().numpy()
        tally.clipped += int(clipped(present, old, advantage, weights.lower, weights.upper).sum())
        tally.choices += len(made)
        whole = gain + weights.entropy * uncertainty - weights.divergence * apart - weights.value * wrong
        yield -(share * whole).sum()


def _judged(
    network: Network,
    goals: Sequence[Encoding],
    goal_of_move: Tensor,
    is_free: bool,
    temperature: float,
    device: torch.device,
) -> tuple[Tensor, Tensor]:
    """The logarithms of the probabilities of what can be chosen, goal after goal, and the log-odds of goals."""
    with precision(device):
        judgement = network.judged(goals)
    if is_free:
        of_goals = torch.split(judgement.moves.float(), [len(goal.moves) for goal in goals])
        return torch.cat([each for logs in of_goals for each in (logs, rest(logs)[None])]), judgement.provable.float()
    scores = judgement.moves.float() / temperature
    return scores - logsumexp(scores, goal_of_move, len(goals))[goal_of_move], judgement.provable.float()


def _encoding(goal: Met) -> Encoding:
    assert goal.encoding is not None  # who chose there was judged there
    return goal.encoding
