"""What is asked of who plays, as settings; `oasis.play.committed` plays by it, and takes longer to import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from oasis.ground.settings import SEEDS, Setting

if TYPE_CHECKING:
    from oasis.play.committed import Choosing


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How who plays chooses moves, and how long a proof may become."""

    judge: Annotated[bool, Setting("Try each move, and make the one that leaves what the policy values most.")] = False
    invertible: Annotated[
        str,
        Setting(
            "Moves that cannot lose are made at once, or have to be chosen.",
            choices=("eager", "free"),
            metavar="eager|free",
        ),
    ] = "eager"
    writing: Annotated[
        str,
        Setting(
            "A network that writes chooses a legal move, or writes a rule and a hypothesis, or anything: what is not "
            "legal loses.",
            choices=("masked", "tactics", "free"),
            metavar="masked|tactics|free",
        ),
    ] = "masked"
    experience: Annotated[bool, Setting("Multiply the policy's probabilities by the odds of the maxims in --db.")] = (
        False
    )
    seed: Annotated[int, Setting("Of the chance of each search, or of lots among equal moves.", within=SEEDS)] = 0
    max_proof: Annotated[
        int, Setting("Moves of the longest script that is written down, or played.", within="[1, ∞)")
    ] = 10_000

    @property
    def choosing(self) -> Choosing:
        """How moves are chosen."""
        from oasis.play.committed import Choosing

        return Choosing(self.judge, self.invertible, self.writing)
