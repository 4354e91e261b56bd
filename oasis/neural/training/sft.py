"""Supervised training: a network learns from the oracle which moves keep a goal provable, and which goals are.

The goals are those that the oracle's own plays meet, each portion of them seen once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.training.data import Portion, portion
from oasis.neural.training.settings import LoopSettings, SftSettings
from oasis.neural.training.stream import streamed
from oasis.neural.training.supervised import Supervised


class Training(Supervised):
    """A supervised training, of a network with random weights unless one is given that goes on."""

    KIND: ClassVar[str] = "sft"
    SETTINGS: ClassVar[type[LoopSettings]] = SftSettings

    def __init__(self, settings: SftSettings, file: Path, workers: int = 1, network: Network | None = None) -> None:
        network = made(settings.network, settings.preset, settings.seed) if network is None else network
        super().__init__(settings, file, workers, network)

    def data(self) -> Iterator[Portion]:
        """Portions of what the oracle's plays meet."""
        make = partial(portion, self.settings.data, form=self.network.form)
        for learned in streamed(make, self.portions, self.workers):
            yield learned
            self.add_to_digest(learned)
