"""What reinforcement depends on, each setting once, with what a person reads of it. Imports neither torch nor numpy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Final, Self

from oasis.ground.names import NETWORKS, REWARDS
from oasis.ground.settings import DERIVED, Setting, check
from oasis.neural.networks.sizes import LEARNING_RATES
from oasis.neural.training import settings
from oasis.neural.training.settings import PROPL, SAMPLERS, LoopSettings, check_rounds
from tactics.errors import InputError

CREDITS: Final = ("goal", "play", "to-go")
"""What a choice answers for: whether the goal at which it was made was proved by it, held against other choices at this
goal; what the whole play was paid, against other plays of the lemma; or what was paid from the choice on, against what
other plays of the lemma had still to get after as many choices."""
AGGREGATIONS: Final = ("constant", "sequence", "token")
"""How choices of plays of different lengths are weighed against each other (`objective.shares`)."""
LOWER: Final = 0.2
UPPER: Final = 0.28
"""How far below and above 1 the ratio of present to old probability counts (DAPO: Yu et al. 2025, arXiv 2503.14476)."""
GRPO: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    "deepseek": {
        "group": 32,
        "credit": "play",
        "advantage": "std",
        "aggregation": "sequence",
        "upper": 0.2,
        "divergence": 0.02,
        "learning_rate": 5e-6,
        "falling": False,
    },
}
"""What settings of GRPO are that are left out; `deepseek` is what DeepSeek-Prover-V1.5 has (arXiv 2408.08152)."""
BOTH: Final = "both"
"""The sampler of expert iteration that plays each lemma, and then searches if no play proved it."""
_MIXED: Final = 32
_WHOLE: Final = re.compile(r"^dagger(:(?=:)|$)")
"""How checkpoints may name R† with the weights that were its default before a name said all of them."""


@dataclass(frozen=True)
class PoolSettings:
    """Which lemmas are practised. Raises InputError for what cannot be."""

    seed: Annotated[int, Setting("Of the theorems.", within="[0, ∞)", hidden=True)] = 0
    connectives: Annotated[
        tuple[int, ...],
        Setting(
            "Of the theorems that are practised, in turn.",
            within="[1, ∞)",
            metavar="N,...",
            not_with="lemmas",
            about=PROPL,
        ),
    ] = (16, 16, 32, 64)  # what was known of small ones and of large ones stays known
    size: Annotated[
        int,
        Setting("Theorems to draw from.", within="[1, ∞)", names=("--pool",), not_with="lemmas", about=PROPL),
    ] = 3_000
    lemmas: tuple[str, ...] = ()
    """Lemmas of somebody's own as text, instead."""

    def __post_init__(self) -> None:
        check(self)

    def size_of(self, number: int) -> int:
        """The connectives of the theorems of a portion."""
        return self.connectives[number % len(self.connectives)]


@dataclass(frozen=True)
class PlayingSettings(LoopSettings):
    """How a network plays, if it learns from its plays. Raises InputError for what cannot be."""

    group: Annotated[int, Setting("Plays of each lemma.", within="[2, ∞)")] = 16
    sampler: Annotated[
        str,
        Setting(
            "Plays begin at the lemma, or with rmaxts also where a search expects something new.",
            choices=SAMPLERS,
            metavar="plays|rmaxts",
        ),
    ] = "plays"
    drawn: Annotated[int, Setting("Lemmas that are drawn and played together.", within="[1, ∞)")] = 128
    invertible: Annotated[
        str,
        Setting(
            "Moves that cannot lose are made at once, or have to be chosen.",
            choices="oasis.play.committed:INVERTIBLE",
            metavar="eager|free",
        ),
    ] = "eager"
    writing: Annotated[
        str,
        Setting(
            "The network chooses among the legal moves, or writes what it likes, and what is no legal move loses.",
            choices=("masked", "free"),
            metavar="masked|free",
        ),
    ] = "masked"
    temperature: Annotated[float, Setting("What scores are divided by before moves are drawn.", within="(0, ∞)")] = 1.0
    most_moves: Annotated[int, Setting("After which a play is broken off.", within="[1, ∞)", hidden=True)] = 300
    nodes: Annotated[
        int, Setting("Of goals that are learned from together, padding included; more need more memory.", hidden=True)
    ] = 3_000
    start: str = ""
    """Digest of the file with the network that it goes on from; empty for a network of random weights."""
    pool: PoolSettings = field(default_factory=PoolSettings)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.writing == "free" and self.temperature != 1:
            raise InputError(
                "--writing free draws words as likely as they are; leave out --temperature, or take --writing masked."
            )


@dataclass(frozen=True)
class ReinforcementSettings(PlayingSettings):
    """What a reinforcement depends on. Raises InputError for what cannot be."""

    reward: Annotated[
        str,
        Setting(
            "What plays are paid: terminating, standard, dagger, dagger:PRESET or module:object. Beside --resume only "
            "to trust a module:object that the checkpoint names."
        ),
    ] = "terminating"
    mixed: Annotated[
        int,
        Setting(
            "Lemmas of which plays are told apart, of which an update needs so many.",
            within="[0, ∞)",
            shown=f"{_MIXED}, or all that can be drawn",
        ),
    ] = DERIVED
    rounds: Annotated[int, Setting("How often lemmas are drawn for an update at most.", within="[1, ∞)")] = 4
    epochs: Annotated[int, Setting("Steps of the optimizer on the same plays.", within="[1, ∞)")] = 2
    aggregation: Annotated[
        str,
        Setting(
            "How plays of different lengths weigh: constant, sequence or token.",
            choices=AGGREGATIONS,
        ),
    ] = "constant"
    lower: Annotated[float, Setting("How far below 1 a ratio of probabilities counts.", within="(0, 1)")] = LOWER
    upper: Annotated[float, Setting("How far above 1.", within="[0, ∞)")] = UPPER
    entropy: Annotated[float, Setting("Weight of the policy's entropy.", within="[0, ∞)")] = 0.0
    divergence: Annotated[
        float,
        Setting("Weight of the divergence from the first network.", within="[0, ∞)", names=("--divergence", "--kl")),
    ] = 0.0
    learning_rate: Annotated[
        float, Setting("The highest one; it falls evenly with the steps, in deepseek it stays.")
    ] = 1e-3
    steps: int = 600
    every: Annotated[int, Setting("Updates between two exams.", within="[1, ∞)")] = 10
    seed: Annotated[int, Setting("Of the theorems, the plays, and a new network's weights.")] = 0
    warm_up: int = 10
    weight_decay: float = 0.0
    falling: Annotated[
        bool, Setting("The learning rate falls evenly to 0; else it stays after the first steps.", hidden=True)
    ] = True
    usual: Annotated[
        float, Setting("Choices in a play, for the aggregation `constant`.", within="(0, ∞)", hidden=True)
    ] = 4.0

    def __post_init__(self) -> None:
        from oasis.rewards.named import recorded

        super().__post_init__()
        object.__setattr__(self, "reward", recorded(self.reward))
        most = self.drawn * self.rounds
        if self.mixed is None:
            object.__setattr__(self, "mixed", min(_MIXED, most))
        if self.mixed > most:
            raise InputError(
                f"--mixed is {self.mixed}; of {self.drawn} lemmas in {self.rounds} rounds at most {most} can be."
            )

    @property
    def imported(self) -> str:
        """The reward, if it is somebody's own."""
        return self.reward if REWARDS.is_own(self.reward) else ""

    @classmethod
    def from_json(cls, content: Any) -> Self:
        """Settings as `asdict` gives them. Raises InputError for other content."""
        reward = content["reward"]
        meant = _WHOLE.sub("dagger:all", reward) if isinstance(reward, str) else reward
        return super().from_json({**content, "reward": meant})


@dataclass(frozen=True)
class GrpoSettings(ReinforcementSettings):
    """What GRPO depends on besides. Raises InputError for what cannot be."""

    reward: str = "terminating"
    credit: Annotated[
        str,
        Setting(
            "What a choice answers for: whether its goal was proved, the whole play, or what was paid from it on.",
            choices=CREDITS,
            metavar="goal|play|to-go",
            shown="goal, or to-go for rewards that pay on the way",
        ),
    ] = DERIVED
    advantage: Annotated[
        str,
        Setting(
            "How far above the mean: mean, leave-one-out, or std for deviations.",
            choices="oasis.neural.reinforcement.advantages:ADVANTAGES",
        ),
    ] = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.credit is None:
            object.__setattr__(self, "credit", "goal" if self.reward == GrpoSettings.reward else "to-go")


@dataclass(frozen=True)
class PpoSettings(ReinforcementSettings):
    """What PPO depends on besides. Raises InputError for what cannot be."""

    trace_decay: Annotated[
        float, Setting("λ: 1 for what became of the play, 0 for what the critic says next.", within="[0, 1]")
    ] = 0.95
    value: Annotated[float, Setting("Weight of the loss of the head that judges goals.", within="[0, ∞)")] = 0.5


@dataclass(frozen=True)
class ExpertSettings(PlayingSettings):
    """What expert iteration depends on. Raises InputError for what cannot be."""

    rounds: Annotated[
        int, Setting("How often the network plays and then learns; at most the number of steps.", within="[1, ∞)")
    ] = 3
    steps: Annotated[int, Setting("Steps of the optimizer on proofs, in all rounds together.")] = 300
    practice: Annotated[
        int, Setting("Steps of GRPO in all rounds together; each round ends with its share.", within="[0, ∞)")
    ] = 0
    sampler: Annotated[
        str,
        Setting(
            "Plays begin at the lemma, or with rmaxts where a search expects something new; both searches if all plays "
            "of a lemma failed.",
            choices=(*SAMPLERS, BOTH),
            metavar="plays|rmaxts|both",
        ),
    ] = BOTH
    drawn: Annotated[int, Setting("Lemmas that are played in a round.")] = 128
    invertible: Annotated[
        str,
        Setting(
            "Moves that cannot lose are made at once, or have to be chosen.",
            shown="free with --writing free, else eager",
        ),
    ] = DERIVED
    writing: Annotated[
        str,
        Setting(
            "The network chooses among the legal moves, or writes whole proofs, where what is no legal move loses.",
            shown="free for networks that write, else masked",
        ),
    ] = "masked"
    samples: Annotated[
        int, Setting("Plays of each theorem in an exam; pass@k has k = 1, 8, 32, 128 up to this.", within="[1, ∞)")
    ] = 128
    exam: Annotated[
        int | None, Setting("Theorems of each of the four fixed sets in an exam, the first of each.", shown="25")
    ] = 25
    learning_rate: float = 3e-4
    warm_up: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.invertible is None:
            object.__setattr__(self, "invertible", "free" if self.writing == "free" else "eager")
        check_rounds(self.rounds, self.steps)

    @property
    def of_practice(self) -> GrpoSettings:
        """Return the settings of its steps of GRPO."""
        own = {each.name: getattr(self, each.name) for each in fields(PlayingSettings)}
        return GrpoSettings(**{**own, "sampler": SAMPLERS[0], "steps": max(self.practice, 1)})


@dataclass(frozen=True)
class Start(settings.Start):
    """The network that practises."""

    checkpoint: Annotated[str | None, Setting("The network to go on from: a file, or tiny; none for a new one.")] = None
    network: Annotated[
        str,
        Setting(
            f"Of a new network, its kind: {NETWORKS.told}.",
            choices="oasis.ground.names:NETWORKS",
            not_with="checkpoint",
            about="a new network",
        ),
    ] = "relational"
    size: Annotated[
        str,
        Setting(
            "Of a new network, how large it is: tiny, small, base or large.",
            choices=tuple(LEARNING_RATES),
            not_with="checkpoint",
            about="a new network",
        ),
    ] = "tiny"


@dataclass(frozen=True)
class Own(settings.Own):
    """Lemmas of somebody's own."""

    lemmas: Annotated[str | None, Setting("Practise the lemmas of a curriculum instead.")] = None


@dataclass(frozen=True)
class Usual:
    """What is as usual."""

    preset: Annotated[
        str, Setting("What the options are that are left out: default or deepseek.", choices=tuple(GRPO))
    ] = "default"
