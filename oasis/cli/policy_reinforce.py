"""`oasis policy grpo`, `ppo` and `expert`: a network plays, and learns from how its plays end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from oasis.cli.arguments import Output
from oasis.cli.options import Given, Without, command
from oasis.cli.policy_train import own_lemmas, train
from oasis.cli.render import print_columns
from oasis.neural.installed import check_installed
from oasis.neural.reinforcement.settings import (
    GRPO,
    ExpertSettings,
    GrpoSettings,
    Own,
    PoolSettings,
    PpoSettings,
    ReinforcementSettings,
    Start,
    Usual,
)
from oasis.neural.training.settings import Carrying

if TYPE_CHECKING:
    from oasis.neural.reinforcement.expert import Expert
    from oasis.neural.reinforcement.train import Reinforcement
    from oasis.neural.training.loop import Loop


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
    check_installed()
    from oasis.neural.reinforcement.grpo import Grpo

    _practise(Grpo, start, own, pool, settings, carrying, output, usual)


@command
def ppo(
    *,
    start: Given[Start],
    own: Given[Own],
    pool: Given[PoolSettings],
    settings: Given[PpoSettings],
    carrying: Annotated[Given[Carrying], Without("workers")],
    output: Output,
) -> None:
    """Let a network practise, held against a critic, which says what is to be expected of a play (PPO).

    Where plays are paid for proofs alone, the critic is the head that says how likely a goal is to be proved; with
    another --reward it is a network of its own, which learns what is paid from a state on. All else is as in oasis
    policy grpo.
    """
    check_installed()
    from oasis.neural.reinforcement.ppo import Ppo

    _practise(Ppo, start, own, pool, settings, carrying, output)


@command
def expert(
    *,
    start: Given[Start],
    own: Given[Own],
    pool: Given[PoolSettings],
    settings: Given[ExpertSettings],
    carrying: Annotated[Given[Carrying], Without("workers")],
    output: Output,
) -> None:
    """Let a network learn from its own proofs, round after round: it plays, and learns the moves that prove.

    The network plays each lemma, and searches if all plays failed; one that writes moves writes whole proofs. It
    learns the moves that proved goals in all rounds so far (expert iteration); with --practice, steps of GRPO follow.
    A table says how many theorems 1, 8, 32 and 128 plays prove, alone and in a search by RMaxTS, at the start and after
    each part. The theorems of the exam and of the published test sets are never practised, up to renaming.

    The file holds the network as it is at the end. Ctrl-C ends the training with a checkpoint that --resume goes on
    with, and so does a kill, with the last checkpoint, which every exam writes.
    """
    check_installed()
    from oasis.neural.reinforcement.expert import Expert

    training = _practise(Expert, start, own, pool, settings, carrying, output)
    if isinstance(training, Expert) and not output.as_json:
        shares = {f">pass@{k}": partial(_percent, k) for k in training.ks}
        print_columns(training.table, {"round": "round", "stage": "stage", **shares})


def _percent(k: int, row: dict[str, Any]) -> str:
    return f"{row['pass'][k]:.1%}"


def _practise(
    kind: type[Reinforcement | Expert],
    start: Given[Start],
    own: Given[Own],
    pool: Given[PoolSettings],
    settings: Given[Any],
    carrying: Given[Carrying],
    output: Output,
    usual: Given[Usual] | None = None,
) -> Loop:
    """Begin a training or go on with one, as usual for what is trained if that is told."""
    from oasis.neural.files import begun_from
    from oasis.neural.networks import presets
    from oasis.neural.networks.network import Writing
    from oasis.neural.reinforcement.lemmas import sorted_out
    from oasis.rewards.named import reward

    def begin(how: Carrying) -> Loop:
        made, begun = settings.made(**({} if usual is None else GRPO[usual.made().preset])), start.made()
        if isinstance(made, ReinforcementSettings):
            reward(made.reward)  # which says if there is none, before lemmas are looked at
        if begun.checkpoint is None:
            network, known_by = presets.made(begun.network, begun.size, made.seed), ""
        else:
            network, known_by = begun_from(begun.checkpoint)
        if isinstance(made, ExpertSettings) and isinstance(network, Writing):
            made = settings.made(writing="free")
        lemmas = own_lemmas(own.made(), sorted_out, "practise", output)
        practised = pool.made(seed=made.seed, lemmas=lemmas)
        return kind(replace(made, pool=practised, start=known_by), how.output, how.workers, network)

    begun_with = [each for each in (usual, start, own, pool, settings) if each is not None]
    return train(kind, begin, begun_with, carrying, output)
