"""What reinforcement depends on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final, Self

from oasis.dagger.rewarding import is_brought_along, recorded
from oasis.neural.reinforcement.advantages import ADVANTAGES
from oasis.neural.reinforcement.lemmas import PoolSettings
from oasis.neural.reinforcement.objective import AGGREGATIONS, LOWER, UPPER
from oasis.neural.training.loop import LoopSettings
from oasis.play.committed import INVERTIBLE
from tactics.errors import InputError, check_choice, check_whole

CREDITS: Final = ("goal", "play", "to-go")
"""What a choice answers for: whether the goal at which it was made was proved by it, held against other choices at this
goal; what the whole play was paid, against other plays of the lemma; or what was paid from the choice on, against what
other plays of the lemma had still to get after as many choices."""


_WHOLE: Final = re.compile(r"^dagger(:(?=:)|$)")
"""How checkpoints may name R† with the weights that were its default before a name said all of them."""


@dataclass(frozen=True)
class ReinforcementSettings(LoopSettings):
    """What a reinforcement depends on.

    Attributes:
        falling: whether the learning rate falls evenly to 0; else it stays where it is after the first steps.
        start: digest of the file with the network that it goes on from; empty for a network of random weights.
        pool: the lemmas that are practised.
        reward: what plays are paid, by name.
        drawn: lemmas that are drawn and played together.
        group: plays of each.
        mixed: lemmas with plays that end differently, of which there are to be so many in an update.
        rounds: of lemmas that are drawn for it at most.
        epochs: steps of the optimizer in an update, all on the same plays.
        invertible: `eager` or `free`, as in `oasis.play.committed.Choosing`.
        temperature: above 0; the policy is the softmax of the network's scores divided by it.
        most_moves: after which a play is broken off.
        aggregation: how choices of plays of different lengths are weighed, one of `AGGREGATIONS`.
        usual: choices in a play, for the aggregation `constant`.
        lower: how far below 1 a ratio of probabilities counts.
        upper: how far above 1.
        entropy: weight of the policy's entropy.
        divergence: weight of its divergence from the network that it goes on from.
        every: updates between two exams.
        nodes: of goals that are learned from together, padding included; more need more memory.

    Raises InputError for what cannot be.
    """

    steps: int = 600
    learning_rate: float = 1e-3
    warm_up: int = 10
    weight_decay: float = 0.0
    falling: bool = True
    start: str = ""
    pool: PoolSettings = field(default_factory=PoolSettings)
    reward: str = "terminating"
    drawn: int = 128
    group: int = 16
    mixed: int = 32
    rounds: int = 4
    epochs: int = 2
    invertible: str = "eager"
    temperature: float = 1.0
    most_moves: int = 300
    aggregation: str = "constant"
    usual: float = 4.0
    lower: float = LOWER
    upper: float = UPPER
    entropy: float = 0.0
    divergence: float = 0.0
    every: int = 10
    nodes: int = 3_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.reward, str):
            raise InputError(f"The reward is {self.reward!r:.20}; give the name of one.")
        object.__setattr__(self, "reward", recorded(self.reward))
        check_whole("seed", self.seed, 0)
        self.check_counts("drawn", "rounds", "epochs", "most_moves", "every", "nodes")
        check_whole("group", self.group, 2)
        check_whole("mixed", self.mixed, 0)
        if not 0 <= self.mixed <= self.drawn * self.rounds:
            raise InputError(
                f"mixed is {self.mixed}; of {self.drawn} lemmas in {self.rounds} rounds at most "
                f"{self.drawn * self.rounds} can be."
            )
        check_choice("invertible", self.invertible, INVERTIBLE)
        check_choice("aggregation", self.aggregation, AGGREGATIONS)
        for name in ("temperature", "usual"):
            if not 0 < getattr(self, name) < inf:
                raise InputError(f"{name} is {getattr(self, name):g}; give a number above 0.")
        if not 0 < self.lower < 1:
            raise InputError(f"lower is {self.lower:g}; give a number between 0 and 1.")
        for name in ("upper", "entropy", "divergence"):
            if not 0 <= getattr(self, name) < inf:
                raise InputError(f"{name} is {getattr(self, name):g}; give a number from 0 on.")

    @property
    def imported(self) -> str:
        """The reward, if it is somebody's own."""
        return self.reward if is_brought_along(self.reward) else ""

    @property
    def updates(self) -> int:
        """How many there are to be."""
        return -(-self.steps // self.epochs)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        """Settings as `asdict` gives them. Raises KeyError or TypeError for other content."""
        pool: dict[str, Any] = dict(content["pool"])
        pool |= {name: tuple(value) for name, value in pool.items() if isinstance(value, list)}
        reward = content["reward"]
        meant = _WHOLE.sub("dagger:all", reward) if isinstance(reward, str) else reward
        return cls(**{**content, "reward": meant, "pool": PoolSettings(**pool)})


@dataclass(frozen=True)
class GrpoSettings(ReinforcementSettings):
    """What GRPO depends on besides.

    Attributes:
        credit: what a choice answers for, one of `CREDITS`.
        advantage: what that is compared with, one of `ADVANTAGES`.

    Raises InputError for what cannot be.
    """

    credit: str = "goal"
    advantage: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("credit", self.credit, CREDITS)
        check_choice("advantage", self.advantage, ADVANTAGES)


@dataclass(frozen=True)
class PpoSettings(ReinforcementSettings):
    """What PPO depends on besides.

    Attributes:
        trace_decay: λ of the generalized advantages, from 0 to 1.
        value: weight of the critic's loss.

    Raises InputError for what cannot be.
    """

    trace_decay: float = 0.95
    value: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.trace_decay <= 1:
            raise InputError(f"trace_decay is {self.trace_decay:g}; give a number from 0 to 1.")
        if not 0 <= self.value < inf:
            raise InputError(f"value is {self.value:g}; give a number from 0 on.")
