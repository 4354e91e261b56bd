"""PPO: plays are held against a critic (Schulman et al. 2017, arXiv 1707.06347).

Where plays are paid for proofs alone, the critic is the provability head. How likely a play is to end in a proof is the
product of how likely its open goals are to be proved, as if they were independent; the head learns of each goal at
which there was a choice whether it was proved. It learns from plays alone: what it holds to be likely is that this
policy proves a goal in so many moves, which is less than that there is a proof. So a play that was cut is lost here,
for the critic and in what it is paid.

Where a reward pays for more, the critic is another network, which learns what is paid from a state on, with all goals
that are open there (`oasis.neural.reinforcement.critic`). A play that was cut is not lost then: what the critic expects
from its last state counts as if it were paid there, as in the paper (equation 11). The provability head goes on
learning what was proved, so that it means what it meant.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.advantages import generalized, mixed
from oasis.neural.reinforcement.critic import Critic
from oasis.neural.reinforcement.learning import Weights
from oasis.neural.reinforcement.settings import PpoSettings, ReinforcementSettings
from oasis.neural.reinforcement.train import Played, Reinforcement, Weighed, copied


class Ppo(Reinforcement):
    """A training by PPO; see `Reinforcement`."""

    KIND: ClassVar[str] = "ppo"
    SETTINGS: ClassVar[type[ReinforcementSettings]] = PpoSettings
    settings: PpoSettings

    def __init__(self, settings: PpoSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        self.with_values = self.payer.coin is not None
        self.critic = None if self.with_values else Critic(copied(network), settings.nodes)

    @property
    def weights(self) -> Weights:
        """The clip, and what counts beside the surrogate."""
        each = self.settings
        return Weights(each.lower, each.upper, each.entropy, each.divergence, each.value, each.temperature)

    def weighed(self, played: Played) -> Weighed:
        """The generalized advantages, with mean 0 and deviation 1 over all choices that the policy drew.

        Told apart are those of lemmas not all of whose plays were paid the same; all are learned from.
        """
        plays = played.plays
        if not len(plays.play):
            return Weighed(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.bool_))
        paid, states, ends = played.paid, None, np.zeros(len(plays))
        if self.critic is not None:
            states = self.critic.states(plays)
            of_states = self.critic.expected(states)
            values, ends = of_states[states.of_choices], np.where(plays.is_cut, of_states[states.of_ends], 0.0)
        else:
            assert self.payer.coin is not None
            lost, proved = self.payer.coin
            values = lost + (proved - lost) * plays.value
            has_choices = np.diff(plays.starts) > 0
            paid = np.zeros(len(values))
            paid[plays.starts[1:][has_choices] - 1] = np.where(plays.proved, proved, lost)[has_choices]
        of_plays = [*zip(plays.split(paid), plays.split(values), ends.tolist(), strict=True)]
        decay = self.settings.trace_decay
        found = np.concatenate([generalized(amounts, expected, 1.0, decay, end) for amounts, expected, end in of_plays])
        differ = mixed(np.array([amounts.sum() + end for amounts, _, end in of_plays]), plays.lemma)
        drawn = found[plays.drawn]
        return Weighed(
            (found - drawn.mean()) / max(float(drawn.std()), 1e-6),
            differ[played.lemma],
            np.ones(len(found), np.bool_),
            found + values,
            states,
        )
