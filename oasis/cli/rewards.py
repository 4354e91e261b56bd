"""Rewards on the command line: their names, as in `--reward dagger:sound:P=0.3`, and remarks on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oasis.dagger.weights import Weights
    from oasis.student.settings import Settings

RewardOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="terminating, standard, standard-qed; or dagger, the reward R†, as in dagger:seed:P=0.3 (see oasis "
        "dagger); or module:object.",
    ),
]
WeightsOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|PRESET",
        help="With --reward dagger: the weights of its terms, sound, seed, sparse, correct, or a .toml file.",
    ),
]


def read_weights(text: str) -> Weights:
    """The weights of a preset, a file, or a name such as `dagger:sound:P=0.3`. Raises InputError."""
    from oasis.dagger.making import PREFIX, weights_of
    from oasis.dagger.weights import weights_named

    return weights_of(text) if text.partition(":")[0] == PREFIX else weights_named(text)


def read_reward(names: str, weights: str | None) -> str:
    """The reward, or the comma list of them, with what --weights says of R†. Raises InputError."""
    from oasis.dagger.making import PREFIX, described
    from tactics.errors import InputError

    if weights is None:
        return names
    each = [name.strip() for name in names.split(",")]
    if PREFIX not in each:
        raise InputError(f"--weights says all about --reward {PREFIX}, and does not go with --reward {names}.")
    return ",".join(described(read_weights(weights)) if name == PREFIX else name for name in each)


def remark_on_reward(settings: Settings) -> None:
    """Say that a reward that was asked for makes no difference to a learner, or that it gives the solution away."""
    from oasis.student.learners import learner

    if settings.reward != type(settings).reward and not learner(settings.learner).rewarded:
        narrate(
            f"{settings.learner} asks for no reward, so --reward {settings.reward} changes nothing; choose another "
            "--learner, such as q-learning."
        )
    else:
        remark_on_leaks([settings.reward])


def remark_on_leaks(rewards: Iterable[str]) -> None:
    """Say which of some rewards give the solution away."""
    from oasis.rewarding import reward

    for name in dict.fromkeys(rewards):
        if reward(name).leaks:
            narrate(f"The reward {name} knows which goals are provable: what is learned from it was told, not found.")
