"""`oasis policy grpo` and `oasis policy ppo`: a network plays, and learns from how its plays end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    LevelsOption,
    QuietOption,
    complete_curriculum,
    read_curriculum,
    seed_option,
    was_typed,
)
from oasis.cli.policy_train import (
    DEFAULT_FILE,
    BoardOption,
    CheckpointOption,
    DeviceOption,
    ResumeOption,
    ThreadsOption,
    check_new,
    check_nothing_told,
    narrate_left_out,
    read_connectives,
    train,
)

if TYPE_CHECKING:
    from oasis.neural.networks.network import Network
    from oasis.neural.reinforcement.settings import PoolSettings
    from oasis.neural.reinforcement.train import Reinforcement

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
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
"""What options are where they are not given; `deepseek` is what DeepSeek-Prover-V1.5 has (arXiv 2408.08152)."""

_StartArgument = Annotated[
    str | None,
    typer.Argument(metavar="[CHECKPOINT]", help="The network to go on from: a file, or tiny; none for a new one."),
]
_NetworkOption = Annotated[str, typer.Option(help="Of a new network, its kind: relational or decoder.")]
_SizeOption = Annotated[str, typer.Option(help="Of a new network, how large it is: tiny, small, base or large.")]
_LemmasOption = Annotated[
    str | None,
    typer.Option(
        metavar="CURRICULUM", help="Practise the lemmas of a curriculum instead.", autocompletion=complete_curriculum
    ),
]
_ConnectivesOption = Annotated[str, typer.Option(metavar="N,...", help="Of the theorems that are practised, in turn.")]
_PoolOption = Annotated[int, typer.Option(help="Theorems to draw from.")]
_GroupOption = Annotated[int | None, typer.Option(help="Plays of each lemma.", show_default="16")]
_DrawnOption = Annotated[int, typer.Option(help="Lemmas that are drawn and played together.")]
_MixedOption = Annotated[
    int,
    typer.Option(
        help="Lemmas of which plays are told apart, of which an update needs so many.",
        show_default="32, or all that can be drawn",
    ),
]
_RoundsOption = Annotated[int, typer.Option(help="How often lemmas are drawn for an update at most.")]
_EpochsOption = Annotated[int, typer.Option(help="Steps of the optimizer on the same plays.")]
_InvertibleOption = Annotated[
    str, typer.Option(metavar="eager|free", help="Moves that cannot lose are made at once, or have to be chosen.")
]
_TemperatureOption = Annotated[float, typer.Option(help="What scores are divided by before moves are drawn.")]
_AggregationOption = Annotated[
    str | None,
    typer.Option(help="How plays of different lengths weigh: constant, sequence or token.", show_default="constant"),
]
_LowerOption = Annotated[float, typer.Option(help="How far below 1 a ratio of probabilities counts.")]
_UpperOption = Annotated[float | None, typer.Option(help="How far above 1.", show_default="0.28")]
_EntropyOption = Annotated[float, typer.Option(help="Weight of the policy's entropy.")]
_DivergenceOption = Annotated[
    float | None,
    typer.Option("--divergence", "--kl", help="Weight of the divergence from the first network.", show_default="0"),
]
_RateOption = Annotated[
    float | None,
    typer.Option(help="The highest one; it falls evenly with the steps, in deepseek it stays.", show_default="0.001"),
]
_StepsOption = Annotated[int, typer.Option(help="Steps of the optimizer.")]
_EveryOption = Annotated[int, typer.Option(help="Updates between two exams.")]
_SeedOption = Annotated[int, seed_option("Of the theorems, the plays, and a new network's weights.")]


def grpo(
    context: typer.Context,
    checkpoint: _StartArgument = None,
    preset: Annotated[str, typer.Option(help="What the options are that are left out: default or deepseek.")] = (
        "default"
    ),
    network: _NetworkOption = "relational",
    size: _SizeOption = "tiny",
    lemmas: _LemmasOption = None,
    levels: LevelsOption = None,
    connectives: _ConnectivesOption = "16,16,32,64",
    pool: _PoolOption = 3000,
    reward: Annotated[
        str,
        typer.Option(
            help="What plays are paid: terminating, standard, dagger, dagger:PRESET or module:object. Beside --resume "
            "only to trust a module:object that the checkpoint names."
        ),
    ] = "terminating",
    credit: Annotated[
        str | None,
        typer.Option(
            metavar="goal|play|to-go",
            help="What a choice answers for: whether its goal was proved, the whole play, or what was paid from it on.",
            show_default="goal, or to-go for rewards that pay on the way",
        ),
    ] = None,
    advantage: Annotated[
        str | None,
        typer.Option(help="How far above the mean: mean, leave-one-out, or std for deviations.", show_default="mean"),
    ] = None,
    group: _GroupOption = None,
    drawn: _DrawnOption = 128,
    mixed: _MixedOption = 32,
    rounds: _RoundsOption = 4,
    epochs: _EpochsOption = 2,
    invertible: _InvertibleOption = "eager",
    temperature: _TemperatureOption = 1.0,
    aggregation: _AggregationOption = None,
    lower: _LowerOption = 0.2,
    upper: _UpperOption = None,
    entropy: _EntropyOption = 0.0,
    divergence: _DivergenceOption = None,
    learning_rate: _RateOption = None,
    steps: _StepsOption = 600,
    every: _EveryOption = 10,
    seed: _SeedOption = 0,
    output: CheckpointOption = DEFAULT_FILE,
    resume: ResumeOption = None,
    threads: ThreadsOption = 1,
    device: DeviceOption = "auto",
    tensorboard: BoardOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a network practise: it plays each lemma many times, and moves that did better than others become likelier.

    No oracle says what is right; what counts is how plays end (GRPO). The lemmas are theorems of 16, 32 and 64
    connectives, drawn by how likely their plays are to end differently; nothing of the published test sets is
    practised, up to renaming. Every so many updates the network is examined on four fixed sets, and the file holds the
    best one by all of them. Ctrl-C ends the training with a checkpoint that --resume goes on with, and so does a kill,
    with the last checkpoint that was written.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    from oasis.neural.reinforcement.grpo import Grpo
    from oasis.neural.reinforcement.settings import GrpoSettings
    from tactics.errors import check_choice

    check_choice("--preset", preset, PRESETS)
    if credit is None and reward != "terminating" and preset == "default":
        credit = "to-go"
    training = _training(context, Grpo, GrpoSettings, {**PRESETS[preset], **({"credit": credit} if credit else {})})
    train(training, threads, device, tensorboard, db, as_json=as_json, quiet=quiet)


def ppo(
    context: typer.Context,
    checkpoint: _StartArgument = None,
    network: _NetworkOption = "relational",
    size: _SizeOption = "tiny",
    lemmas: _LemmasOption = None,
    levels: LevelsOption = None,
    connectives: _ConnectivesOption = "16,16,32,64",
    pool: _PoolOption = 3000,
    trace_decay: Annotated[
        float, typer.Option(help="λ: 1 for what became of the play, 0 for what the critic says next.")
    ] = 0.95,
    value: Annotated[float, typer.Option(help="Weight of the critic's loss.")] = 0.5,
    group: _GroupOption = None,
    drawn: _DrawnOption = 128,
    mixed: _MixedOption = 32,
    rounds: _RoundsOption = 4,
    epochs: _EpochsOption = 2,
    invertible: _InvertibleOption = "eager",
    temperature: _TemperatureOption = 1.0,
    aggregation: _AggregationOption = None,
    lower: _LowerOption = 0.2,
    upper: _UpperOption = None,
    entropy: _EntropyOption = 0.0,
    divergence: _DivergenceOption = None,
    learning_rate: _RateOption = None,
    steps: _StepsOption = 600,
    every: _EveryOption = 10,
    seed: _SeedOption = 0,
    output: CheckpointOption = DEFAULT_FILE,
    resume: ResumeOption = None,
    threads: ThreadsOption = 1,
    device: DeviceOption = "auto",
    tensorboard: BoardOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a network practise, held against a critic: the head that says how likely a goal is to be proved (PPO).

    Plays are paid for proofs alone. All else is as in oasis policy grpo.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    from oasis.neural.reinforcement.ppo import Ppo
    from oasis.neural.reinforcement.settings import PpoSettings

    training = _training(context, Ppo, PpoSettings, {})
    train(training, threads, device, tensorboard, db, as_json=as_json, quiet=quiet)


def _training(
    context: typer.Context, kind: type[Reinforcement], kind_of_settings: type[Any], own: Mapping[str, Any]
) -> Reinforcement:
    """The training that the options of a command tell of, or the one that is gone on with.

    Args:
        context: with the options; those that are called like a setting are that setting.
        kind: of training.
        kind_of_settings: of such a training.
        own: settings that are what they are unless an option says otherwise.
    """
    from oasis.dagger.rewarding import reward
    from oasis.neural.files import checkpoint_file
    from oasis.neural.networks.presets import made
    from oasis.neural.training.checkpoint import load
    from oasis.neural.training.header import digest
    from tactics.errors import InputError

    told = context.params
    if told["resume"] is not None:
        if told["checkpoint"] is not None:
            raise InputError("--resume goes on with a training of its own; leave out the checkpoint to go on from.")
        others = ("checkpoint", "reward", "resume", "threads", "device", "tensorboard", "db", "as_json", "quiet")
        check_nothing_told(context, [name for name in told if name not in others])
        return kind.resumed(told["resume"], 0, told["reward"] if was_typed(context, "reward") else "")
    check_new(told["output"])
    start: Network
    if told["checkpoint"] is None:
        start, known_by = made(told["network"], told["size"], told["seed"]), ""
    else:
        if typed := [name for name in ("network", "size") if was_typed(context, name)]:
            raise InputError(f"--{typed[0]} is about a new network; leave it out beside a checkpoint.")
        with checkpoint_file(told["checkpoint"]) as file:
            start, known_by = load(file).network, digest(file)
    if "reward" in told:
        reward(told["reward"])  # which says if there is none, before lemmas are looked at
    names = {each.name for each in fields(kind_of_settings)} - {"pool"}
    given = {name: value for name, value in told.items() if name in names and value is not None}
    if not was_typed(context, "mixed"):
        given["mixed"] = min(told["mixed"], told["drawn"] * told["rounds"])
    settings = kind_of_settings(**{**own, **given, "pool": _pool(context), "start": known_by})
    return kind(settings, told["output"], 0, start)


def _pool(context: typer.Context) -> PoolSettings:
    """The lemmas that the options tell of; says which are left out, and why. Raises InputError if none is left."""
    from oasis.neural.reinforcement.lemmas import LeftOut, sorted_out
    from oasis.neural.reinforcement.settings import PoolSettings
    from tactics.errors import InputError
    from tactics.printer import show

    told = context.params
    settings = PoolSettings(told["seed"], read_connectives(told["connectives"]), told["pool"])
    if told["lemmas"] is None:
        if told["levels"] is not None:
            raise InputError("--levels goes with --lemmas.")
        return settings
    if typed := [name for name in ("connectives", "pool") if was_typed(context, name)]:
        raise InputError(f"--{typed[0]} is about PropL's theorems; leave it out beside --lemmas.")
    curriculum = read_curriculum(told["lemmas"], told["levels"])
    left_out: dict[str, list[str]] = {}
    texts: list[str] = []
    for each in sorted_out(curriculum.lemmas):
        if isinstance(each, LeftOut):
            left_out.setdefault(each.reason, []).append(each.lemma)
        else:
            texts.append(show(each.formula))
    if not told["quiet"]:
        narrate_left_out(left_out)
    if not texts:
        why = "; ".join(f"{len(names):,}: {reason}" for reason, names in left_out.items())
        raise InputError(f"There is nothing to practise in {curriculum.name} ({why}); name another curriculum.")
    return PoolSettings(seed=told["seed"], lemmas=tuple(texts))
