"""What trainings depend on, each setting once, with what a person reads of it. Imports neither torch nor numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Self

from oasis.ground.names import NETWORKS
from oasis.ground.settings import DERIVED, SEEDS, Boards, Setting, check, from_json, of_lemmas
from oasis.neural.networks.sizes import LANGUAGE, LEARNING_RATES, Usual
from tactics.errors import InputError

_ROUNDS: Final = 20
PROPL: Final = "PropL's theorems"
"""What settings are about that say nothing beside lemmas of somebody's own."""


@dataclass(frozen=True)
class DataSettings:
    """What is learned from. Raises InputError for what cannot be."""

    seed: int = 0
    """Of the theorems and of the plays."""
    connectives: Annotated[
        tuple[int, ...],
        Setting(
            "Of the theorems to learn from, for each portion of them in turn.",
            within="[1, ∞)",
            metavar="N,...",
            not_with="lemmas",
            about=PROPL,
        ),
    ] = (16, 16, 16, 16, 16, 32)  # with some larger ones, networks judge large goals better
    longest: Annotated[
        int | None,
        Setting(
            "Moves that a theorem's shortest proof may have; 0 for as many as it takes.",
            within="[0, ∞)",
            not_with="lemmas",
            about=PROPL,
        ),
    ] = 6
    theorems: Annotated[int, Setting("In each round, each played three times.", within="[1, ∞)")] = 400
    plays: Annotated[int, Setting("Of each theorem.", within="[1, ∞)", hidden=True)] = 3
    eager: Annotated[
        float, Setting("Share of the plays in which rules that cannot lose come first.", within="[0, 1]", hidden=True)
    ] = 0.5
    certain: Annotated[
        float,
        Setting(
            "Of the goals without a losing move that is learned from.",
            within="[0, 1]",
            metavar="SHARE",
            shown="0.3 for networks that write, else 0",
        ),
    ] = 0.0  # who chooses among legal moves cannot err there; who writes has to learn what is legal
    parts: Annotated[
        int,
        Setting(
            "Subformulas of a goal that are asked about, beside what its moves want; if 0, only moves are asked about, "
            "and the goals that they leave are examples of their own.",
            within="[0, ∞)",
            hidden=True,
        ),
    ] = 0
    astray: Annotated[float, Setting("Share of the oracle's choices made at random.", within="[0, 1]", hidden=True)] = (
        0.0
    )
    lemmas: tuple[str, ...] = ()
    """Theorems of somebody's own as text, instead of uniform ones of so many connectives: they take turns."""

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "longest", self.longest or None)


@dataclass(frozen=True)
class LoopSettings:
    """What every training depends on. Raises InputError for what cannot be."""

    seed: Annotated[int, Setting("Of all chance.", within=SEEDS)] = 0
    steps: Annotated[int, Setting("Steps of the optimizer.", within="[1, ∞)")] = 6_000
    learning_rate: Annotated[float, Setting("The highest one; it rises and falls with the steps.", within="(0, 1)")] = (
        3e-3
    )
    warm_up: Annotated[int, Setting("Steps in which the learning rate rises evenly.", within="[1, ∞)", hidden=True)] = (
        100
    )
    weight_decay: Annotated[float, Setting("AdamW's (Loshchilov and Hutter 2019).", within="[0, ∞)", hidden=True)] = (
        0.01
    )
    largest_gradient: Annotated[
        float, Setting("The norm to which a larger gradient is cut.", within="(0, ∞)", hidden=True)
    ] = 1.0
    nodes: Annotated[
        int,
        Setting(
            "Of the goals of a step, some 15 each, padding included; more of them keep a GPU busier.", within="[1, ∞)"
        ),
    ] = 3_000
    exam: Annotated[
        int | None,
        Setting(
            "Theorems of each fixed set that the network is examined on, the first ones; fewer take less time.",
            within="[1, ∞)",
            shown="all",
        ),
    ] = None

    def __post_init__(self) -> None:
        check(self)

    @property
    def imported(self) -> str:
        """The code of somebody's own that the training runs, as `module:object`; empty if it runs none."""
        return ""

    @classmethod
    def from_json(cls, content: Any) -> Self:
        """Settings as `asdict` gives them. Raises InputError for other content."""
        return from_json(cls, content)


@dataclass(frozen=True)
class SupervisedSettings(LoopSettings):
    """What a supervised training depends on; its learning rate falls as a cosine to 0."""

    data: DataSettings = field(default_factory=DataSettings)


SAMPLERS: Final = ("plays", "rmaxts")
"""Who makes the plays that a network learns from: itself from the beginning, or RMaxTS, in which it plays."""


@dataclass(frozen=True)
class SftSettings(SupervisedSettings):
    """What a training from the oracle's own plays depends on. Raises InputError for what cannot be."""

    network: Annotated[
        str, Setting(f"What kind of network: {NETWORKS.told}.", choices="oasis.ground.names:NETWORKS")
    ] = "relational"
    preset: Annotated[str, Setting("How large it is: tiny, small, base or large.", choices=tuple(LEARNING_RATES))] = (
        "tiny"
    )
    model: Annotated[
        str | None,
        Setting(
            "What a network begins with if its kind begins with a model; for lm and lm-writer: SmolLM2-135M, a "
            "Llama in a folder, or random weights.",
            metavar="smollm2|FOLDER|none",
            shown=LANGUAGE.model,
        ),
    ] = DERIVED
    layers: Annotated[
        int | None, Setting("How many of its lowest layers.", within="[1, 128]", shown=f"{LANGUAGE.layers}")
    ] = DERIVED
    seed: Annotated[int, Setting("Of the first weights, the data and their order.")] = 0
    steps: Annotated[
        int,
        Setting(
            "Optimizer steps, of some 200 goals each, 16 for lm and lm-writer.",
            shown=f"{Usual().steps:,}, {LANGUAGE.steps:,} for lm and lm-writer",
        ),
    ] = DERIVED
    nodes: Annotated[
        int,
        Setting(
            "Of a step's goals, padding included; for lm and lm-writer, tokens.",
            within="[1, ∞)",
            shown=f"{Usual().nodes:,}, {LANGUAGE.nodes:,} for lm and lm-writer",
        ),
    ] = DERIVED
    warm_up: int = DERIVED
    learning_rate: Annotated[
        float,
        Setting(
            "The highest one; it rises and falls with the steps.",
            shown="0.003, 0.002 for small, 0.0003 for base, large, lm and lm-writer",
        ),
    ] = DERIVED

    sampler: Annotated[
        str,
        Setting(
            "Whose plays say which moves are right: the oracle's, or the network's own, also in a search.",
            choices=("oracle", *SAMPLERS),
            metavar="oracle|plays|rmaxts",
        ),
    ] = "oracle"
    group: Annotated[int, Setting("The network's own plays of each theorem.", within="[2, ∞)", only_with="sampler")] = (
        16
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        from oasis.neural.networks.presets import usual_of

        usual = usual_of(self.network)
        if usual.model is not None and self.preset != "tiny":
            raise InputError(
                f"--preset does not fit --network {self.network}; leave it out, and set the size with --layers."
            )
        if usual.model is None and (self.model is not None or self.layers is not None):
            raise InputError(
                "--model and --layers are for networks that begin with a model, as --network lm; leave them out for "
                f"{self.network}."
            )
        begun = self.preset if usual.model is None else usual.model if self.model is None else self.model
        derived = {**usual._asdict(), "learning_rate": usual.learning_rate(begun)}
        for name in ("steps", "nodes", "warm_up", "learning_rate", "model", "layers"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, derived[name])
        check(self)  # a kind of somebody's own may tell what cannot be

    @classmethod
    def from_json(cls, content: Any) -> Self:
        """Settings as `asdict` gives them, in a file that imports nothing. Raises InputError for other content."""
        from oasis.neural.networks.presets import check_trusted

        if isinstance(content, Mapping):
            check_trusted(str(content.get("network", "")))
        return super().from_json(content)


def check_rounds(rounds: int, steps: int) -> None:
    """Raise InputError for more rounds than steps."""
    if rounds > steps:
        raise InputError(f"--rounds is {rounds}; give a whole number from 1 to {steps:,}, that of the steps.")


@dataclass(frozen=True)
class ImitationSettings(SupervisedSettings):
    """What an imitation depends on. Raises InputError for what cannot be."""

    rounds: Annotated[
        int,
        Setting(
            "In which the network plays, trained in between; not more than there are steps.",
            within="[1, ∞)",
            shown=f"{_ROUNDS}, or one for each step",
        ),
    ] = DERIVED
    beta: Annotated[
        float,
        Setting(
            "Choices that the oracle makes: all in the first round, times this in each further one.", within="[0, 1]"
        ),
    ] = 0.5
    greedy: Annotated[bool, Setting("Play the likeliest move instead of drawing by the probabilities.")] = False
    seed: Annotated[int, Setting("Of the theorems, the plays and the order of the goals.")] = 1
    steps: Annotated[int, Setting("Steps of the optimizer in all rounds together.")] = 2_000
    learning_rate: float = 2e-4
    choices: Annotated[int, Setting("Of a play, after which it is broken off.", within="[1, ∞)", hidden=True)] = 100
    start: str = ""
    """Digest of the file with the network that it goes on from."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounds is None:
            object.__setattr__(self, "rounds", min(_ROUNDS, self.steps))
        check_rounds(self.rounds, self.steps)

    def share_of_oracle(self, number: int) -> float:
        """The share of choices that the oracle makes in a round; rounds are numbered from 0."""
        return float(self.beta**number)


@dataclass(frozen=True)
class Start:
    """The network that goes on."""

    checkpoint: Annotated[
        str | None,
        Setting("The network to go on from: a file, or tiny.", metavar="[CHECKPOINT]", positional=True),
    ] = None


@dataclass(frozen=True)
class Own:
    """Lemmas of somebody's own."""

    lemmas: Annotated[
        str | None,
        of_lemmas("Learn from the theorems of a curriculum instead, in turn.", "CURRICULUM", positional=False),
    ] = None
    levels: Annotated[str | None, Setting("Levels of a family, as in 1-3 or 1,4.", only_with="lemmas")] = None


@dataclass(frozen=True)
class Carrying(Boards):
    """How a training is carried out, which all but the file may be told anew beside --resume."""

    output: Annotated[Path, Setting("The checkpoint to write.", names=("--output", "-o"), metavar="FILE")] = Path(
        "policy.safetensors"
    )
    resume: Annotated[Path | None, Setting("Go on with the training that this checkpoint is of.", metavar="FILE")] = (
        None
    )
    workers: Annotated[int, Setting("Processes that make data, besides the one that trains.", within="[0, ∞)")] = 1
    threads: Annotated[int, Setting("Threads of the process that trains.", within="[1, ∞)")] = 1
    device: Annotated[
        str,
        Setting("Where the network is trained: auto takes a GPU if there is one.", metavar="auto|cpu|cuda"),
    ] = "auto"
    precision: Annotated[
        str,
        Setting(
            "What matrices are multiplied in: auto takes bfloat16 on a GPU. Weights keep 32 bits.",
            choices="oasis.neural.devices:PRECISIONS",
            metavar="auto|float32|bfloat16",
        ),
    ] = "auto"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which labelled goals are written, and where."""

    source: Annotated[
        str,
        of_lemmas(
            "Any curriculum, or propl for uniform theorems with short proofs, as many as asked for.", "CURRICULUM|propl"
        ),
    ]
    output: Annotated[Path | None, Setting("A file instead of standard output.", names=("--output", "-o"))] = None
    split: Annotated[
        str,
        Setting(
            "train, validation or test: no theorem is in two of them, up to renaming.",
            choices="oasis.neural.training.reserved:SPLITS",
        ),
    ] = "train"
    count: Annotated[int, Setting("Theorems of propl.", within="[1, ∞)")] = 1000
    plays: Annotated[int, Setting("Of each theorem.", within="[1, ∞)")] = 3
    seed: Annotated[int, Setting("Of the theorems of propl, and of the plays.", within=SEEDS)] = 0
    workers: Annotated[int, Setting("Processes that label goals, besides this one.", within="[0, ∞)")] = 1

    @property
    def is_propl(self) -> bool:
        """Whether they are of uniform theorems, of which there is no end."""
        return self.source == "propl"
