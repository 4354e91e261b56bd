"""GRPO: plays are held against each other (Shao et al. 2024, arXiv 2402.03300).

What the textbook has and is an option here: the division by the standard deviation and by the length of a play (against
it, Dr. GRPO: Liu et al. 2025, arXiv 2503.20783), and the divergence from the first network. Groups whose plays all end
alike are dropped, and more lemmas are drawn in their place (DAPO: Yu et al. 2025, arXiv 2503.14476).

The plays of a lemma come to the same goals again and again, and whether a move closes its goal has nothing to do with
what is open besides. So with the credit `goal`, which is the default, the choices at one goal are a group, and what
counts is whether the goal was proved. Where states come up again this is known as step-level grouping (GiGPO: Feng et
al. 2025, arXiv 2505.10978).
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.advantages import relative
from oasis.neural.reinforcement.learning import Weights
from oasis.neural.reinforcement.settings import GrpoSettings, ReinforcementSettings
from oasis.neural.reinforcement.train import Played, Reinforcement, Weighed
from oasis.play.policy import Floats
from tactics.errors import InputError


class Grpo(Reinforcement):
    """A training by GRPO; see `Reinforcement`.

    Raises InputError for the credit `goal` with a reward that pays for more than how a play ends.
    """

    KIND: ClassVar[str] = "grpo"
    SETTINGS: ClassVar[type[ReinforcementSettings]] = GrpoSettings
    settings: GrpoSettings

    def __init__(self, settings: GrpoSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        if settings.credit == "goal" and self.payer.coin is None:
            raise InputError(
                f"{settings.reward} pays for more than how a play ends, so no goal can be paid by itself; take "
                "--credit to-go or --credit play."
            )

    @property
    def weights(self) -> Weights:
        """The clip, and what counts beside the surrogate."""
        each = self.settings
        return Weights(each.lower, each.upper, each.entropy, each.divergence, 0.0, each.temperature)

    def weighed(self, played: Played) -> Weighed:
        """How much better each choice did than those that it is held against; learned from where any did."""
        advantages = self._of_choices(played)
        told_apart = advantages != 0
        if self.settings.entropy or self.settings.divergence:  # of which all choices of their lemmas have a say
            is_mixed = np.zeros(len(played.lemmas), np.bool_)
            is_mixed[played.lemma[told_apart]] = True
            return Weighed(advantages, told_apart, is_mixed[played.lemma])
        return Weighed(advantages, told_apart, told_apart)

    def _of_choices(self, played: Played) -> Floats:
        """The advantages; those of choices that the policy did not draw are 0, and no others are held against them."""
        settings, plays = self.settings, played.plays
        advantages = np.zeros(len(plays.play))
        if settings.credit == "play":
            totals = np.array([paid.sum() for paid in plays.split(played.paid)])
            return np.where(plays.drawn, relative(totals, plays.lemma, settings.advantage)[plays.play], 0.0)
        if settings.credit == "to-go":
            returns = np.concatenate([np.cumsum(paid[::-1])[::-1] for paid in plays.split(played.paid)])
            number = np.arange(len(plays.play)) - plays.starts[plays.play]
            alike = played.lemma * (number.max(initial=0) + 1) + number
        else:
            assert self.payer.coin is not None
            lost, proved = self.payer.coin
            returns, alike = np.where(plays.closed, proved, lost), plays.goal
        _, group = np.unique(alike[plays.drawn], return_inverse=True)
        advantages[plays.drawn] = relative(returns[plays.drawn], group, settings.advantage)
        return advantages
