"""PPO: plays are held against a critic (Schulman et al. 2017, arXiv 1707.06347), which is the provability head.

How likely a play is to end in a proof is the product of how likely its open goals are to be proved, as if they were
independent; the critic learns of each goal at which there was a choice whether it was proved. It learns from plays
alone: what it holds to be likely is that this policy proves a goal in so many moves, which is less than that there is a
proof. So a play that was cut is lost here, for the critic and in what it is paid.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.advantages import generalized
from oasis.neural.reinforcement.learning import Weights
from oasis.neural.reinforcement.settings import PpoSettings
from oasis.neural.reinforcement.train import Played, Reinforcement, Weighed
from oasis.neural.training.settings import LoopSettings
from tactics.errors import InputError


class Ppo(Reinforcement):
    """A training by PPO; see `Reinforcement`.

    Raises InputError for a reward that pays for more than how a play ends, which the critic does not foretell.
    """

    KIND: ClassVar[str] = "ppo"
    SETTINGS: ClassVar[type[LoopSettings]] = PpoSettings
    settings: PpoSettings
    with_values = True

    def __init__(self, settings: PpoSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        if self.payer.coin is None:
            raise InputError(
                f"{settings.reward} pays for more than how a play ends, and the critic foretells proofs alone; train "
                "with oasis policy grpo."
            )

    @property
    def weights(self) -> Weights:
        """The clip, and what counts beside the surrogate."""
        each = self.settings
        return Weights(each.lower, each.upper, each.entropy, each.divergence, each.value, each.temperature)

    def weighed(self, played: Played) -> Weighed:
        """The generalized advantages, of all choices together with mean 0 and deviation 1; all are learned from.

        Told apart are those of lemmas of which some plays ended in a proof and others did not.
        """
        plays = played.plays
        if not len(plays.play):
            return Weighed(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.bool_))
        assert self.payer.coin is not None
        lost, proved = self.payer.coin
        values = lost + (proved - lost) * plays.value
        ends = np.zeros(len(values))
        has_choices = np.diff(plays.starts) > 0
        ends[plays.starts[1:][has_choices] - 1] = np.where(plays.proved, proved, lost)[has_choices]
        of_plays = [
            generalized(paid, expected, 1.0, self.settings.trace_decay)
            for paid, expected in zip(plays.split(ends), plays.split(values), strict=True)
        ]
        found = np.concatenate(of_plays)
        is_mixed = (played.proved > 0) & (played.proved < self.settings.group)
        told_apart = is_mixed[played.lemma]
        return Weighed((found - found.mean()) / max(float(found.std()), 1e-6), told_apart, np.ones_like(told_apart))
