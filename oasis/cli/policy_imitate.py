"""`oasis policy imitate`: a network plays, and learns from what the oracle says of the goals that it comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, QuietOption
from oasis.cli.options import Given, Without, command
from oasis.cli.policy_train import Carrying, Own, Start, check_new, check_nothing_told, train, with_own_theorems
from oasis.neural.training.settings import CERTAIN, DataSettings, ImitationSettings
from tactics.errors import InputError


@command
def imitate(
    *,
    start: Given[Start],
    settings: Annotated[Given[ImitationSettings], Without("nodes")],
    data: Annotated[Given[DataSettings], Without("certain")],
    own: Given[Own],
    carrying: Given[Carrying],
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Go on with a trained network: it plays itself, and the oracle labels the goals that it comes to (DAgger).

    In each round the network learns from what was met in all rounds so far. Where it has lost a proof, it learns only
    that the goals are not provable. Theorems are as in oasis policy sft, those of --lemmas too; nothing of the
    published test sets is learned from, up to renaming. Ctrl-C ends the training with a checkpoint that --resume goes
    on with, and so does a kill, with the last checkpoint that was written.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    from oasis.neural.files import checkpoint_file
    from oasis.neural.networks.network import Writing
    from oasis.neural.training.checkpoint import load
    from oasis.neural.training.header import digest
    from oasis.neural.training.imitate import Imitation

    checkpoint, how = start.made().checkpoint, carrying.made()
    if (checkpoint is None) == (how.resume is None):
        raise InputError("Name the checkpoint to go on from, as in oasis policy imitate tiny, or one with --resume.")
    if how.resume is not None:
        check_nothing_told(settings, data, own, carrying)
        training = Imitation.resumed(how.resume, how.workers)
    else:
        assert checkpoint is not None
        check_new(how.output)
        made = settings.made()
        with checkpoint_file(checkpoint) as file:
            network = load(file).network
            learned = data.made(seed=made.seed, certain=CERTAIN if isinstance(network, Writing) else 0.0)
            learned = with_own_theorems(learned, own.made(), how.workers, quiet=quiet)
            training = Imitation(replace(made, start=digest(file), data=learned), how.output, how.workers, network)
    train(training, how, db, as_json=as_json, quiet=quiet)
