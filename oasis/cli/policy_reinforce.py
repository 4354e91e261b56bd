"""`oasis policy grpo` and `oasis policy ppo`: a network plays, and learns from how its plays end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from oasis.cli import policy_train
from oasis.cli.arguments import Output
from oasis.cli.options import Given, Without, command
from oasis.cli.policy_train import Carrying, check_new, check_nothing_told, own_lemmas, train
from oasis.ground.names import NETWORKS
from oasis.ground.settings import Setting
from oasis.neural.networks.sizes import LEARNING_RATES
from oasis.neural.reinforcement.settings import GRPO, GrpoSettings, PoolSettings, PpoSettings

if TYPE_CHECKING:
    from oasis.neural.reinforcement.train import Reinforcement


@dataclass(frozen=True)
class Start(policy_train.Start):
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
class Own(policy_train.Own):
    """Lemmas of somebody's own."""

    lemmas: Annotated[str | None, Setting("Practise the lemmas of a curriculum instead.")] = None


@dataclass(frozen=True)
class Usual:
    """What is as usual."""

    preset: Annotated[
        str, Setting("What the options are that are left out: default or deepseek.", choices=tuple(GRPO))
    ] = "default"


@command
def grpo(
    *,
    start: Given[Start],
    usual: Given[Usual],
    own: Given[Own],
    pool: Given[PoolSettings],
    settings: Given[GrpoSettings],
    carrying: Annotated[Given[Carrying], Without("workers")],
    output: Output,
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

    if carrying.made().resume is not None:
        check_nothing_told(usual)
    training = _training(Grpo, start, own, pool, settings, carrying, GRPO[usual.made().preset], output)
    train(training, carrying.made(), output)


@command
def ppo(
    *,
    start: Given[Start],
    own: Given[Own],
    pool: Given[PoolSettings],
    settings: Annotated[Given[PpoSettings], Without("reward")],
    carrying: Annotated[Given[Carrying], Without("workers")],
    output: Output,
) -> None:
    """Let a network practise, held against a critic: the head that says how likely a goal is to be proved (PPO).

    Plays are paid for proofs alone. All else is as in oasis policy grpo.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    from oasis.neural.reinforcement.ppo import Ppo

    training = _training(Ppo, start, own, pool, settings, carrying, {}, output)
    train(training, carrying.made(), output)


def _training(
    kind: type[Reinforcement],
    start: Given[Start],
    own: Given[Own],
    pool: Given[PoolSettings],
    settings: Given[Any],
    carrying: Given[Carrying],
    otherwise: Mapping[str, Any],
    output: Output,
) -> Reinforcement:
    """Return the training that was asked for, or the one that is gone on with; `otherwise` tells what was not typed."""
    from oasis.neural.files import checkpoint_file
    from oasis.neural.networks import presets
    from oasis.neural.reinforcement.lemmas import sorted_out
    from oasis.neural.training.checkpoint import load
    from oasis.neural.training.header import digest
    from oasis.rewards.named import reward

    how, begun = carrying.made(), start.made()
    if how.resume is not None:
        check_nothing_told(start, own, pool, settings, carrying, but=["reward"])
        return kind.resumed(how.resume, 0, settings.values.get("reward", ""))
    check_new(how.output)
    made = settings.made(**otherwise)
    reward(made.reward)  # which says if there is none, before lemmas are looked at
    if begun.checkpoint is None:
        network, known_by = presets.made(begun.network, begun.size, made.seed), ""
    else:
        with checkpoint_file(begun.checkpoint) as file:
            network, known_by = load(file).network, digest(file)
    lemmas = own_lemmas(own.made(), sorted_out, "practise", output)
    practised = pool.made(seed=made.seed, lemmas=lemmas)
    return kind(replace(made, pool=practised, start=known_by), how.output, 0, network)
