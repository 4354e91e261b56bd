"""Supervised training: a network learns which moves keep a goal provable, and which goals are.

By default the oracle says so, of the goals that its own plays meet. With a sampler nobody does: the network plays the
theorems itself, alone or in a search, and learns which goals were proved and by which moves (expert iteration: Anthony,
Tian and Barber 2017). Each portion of goals is seen once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from numpy.random import default_rng

from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.reinforcement.goals import Goals
from oasis.neural.reinforcement.rollouts import MOST_MOVES
from oasis.neural.reinforcement.sampling import outcomes, sampled
from oasis.neural.training.checkpoint import Checkpoint
from oasis.neural.training.data import Example, Met, Portion, portion, theorems
from oasis.neural.training.settings import LoopSettings, SftSettings
from oasis.neural.training.stream import streamed
from oasis.neural.training.supervised import Supervised
from oasis.neural.training.writing import read, written
from tactics.uncollected import uncollected


class Training(Supervised):
    """A supervised training, of a network with random weights unless one is given that goes on."""

    KIND: ClassVar[str] = "sft"
    SETTINGS: ClassVar[type[LoopSettings]] = SftSettings
    settings: SftSettings

    def __init__(self, settings: SftSettings, file: Path, workers: int = 1, network: Network | None = None) -> None:
        if network is None:
            network = made(settings.network, settings.preset, settings.seed, settings.model, settings.layers)
        super().__init__(settings, file, workers, network)
        self._examples: list[Example] = []

    def data(self) -> Iterator[Portion]:
        """Portions of what plays meet: the oracle's, or those that a sampler makes."""
        settings = self.settings
        if settings.sampler != "oracle":
            yield from self._sampled()
        make = partial(portion, settings.data, form=self.network.form)
        for learned in streamed(make, self.portions, self.workers):
            yield learned
            self.add_to_digest(learned)

    def _sampled(self) -> Iterator[Portion]:
        """Portions of what the network's own plays tell, each played when all before it have been learned from."""
        coming = streamed(partial(theorems, self.settings.data), self.portions + bool(self._examples), self.workers)
        while True:
            is_new = not self._examples
            if is_new:
                self._examples = self._play(next(coming))
            learned = Portion.of(self._examples, self.network.form)
            if is_new:
                self.add_to_digest(learned)
            yield learned
            self._examples = []

    @uncollected()
    def _play(self, met: list[Met]) -> list[Example]:
        """Let the network play theorems; gives what that tells."""
        settings, rng = self.settings, default_rng([self.settings.seed, self.portions])
        goals = Goals(self.network, "eager" if rng.random() < settings.data.eager else "free")
        lemmas = [each.theorem for each in met]
        return outcomes(sampled(settings.sampler, goals, lemmas, settings.group, rng, most=MOST_MOVES))

    def more_to_keep(self) -> tuple[Mapping[str, Any], str]:
        """What the network's own plays told that it is learning from."""
        return {}, written(self._examples)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Be where a checkpoint was, with what the network's own plays told."""
        super().restore(checkpoint)
        self._examples = read(checkpoint.examples)
