"""`oasis policy imitate`: a network plays, and learns from what the oracle says of the goals that it comes to."""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, LevelsOption, QuietOption, seed_option, was_typed
from oasis.cli.policy_train import (
    DEFAULT_FILE,
    BoardOption,
    CheckpointOption,
    ConnectivesOption,
    DataWorkersOption,
    DeviceOption,
    OwnLemmasOption,
    ResumeOption,
    ThreadsOption,
    check_new,
    check_nothing_told,
    read_connectives,
    train,
    with_own_theorems,
)


def imitate(
    context: typer.Context,
    checkpoint: Annotated[
        str | None, typer.Argument(metavar="[CHECKPOINT]", help="The network to go on from: a file, or tiny.")
    ] = None,
    rounds: Annotated[
        int, typer.Option(help="In which the network plays, trained in between; not more than there are steps.")
    ] = 20,
    beta: Annotated[
        float,
        typer.Option(help="Choices that the oracle makes: all in the first round, times this in each further one."),
    ] = 0.5,
    greedy: Annotated[
        bool, typer.Option("--greedy", help="Play the likeliest move instead of drawing by the probabilities.")
    ] = False,
    connectives: ConnectivesOption = "16,16,16,16,16,32",
    longest: Annotated[
        int, typer.Option(metavar="MOVES", help="In the shortest proof of a theorem to learn from; 0 for any.")
    ] = 6,
    lemmas: OwnLemmasOption = None,
    levels: LevelsOption = None,
    theorems: Annotated[int, typer.Option(help="In each round, each played three times.")] = 400,
    seed: Annotated[int, seed_option("Of the theorems, the plays and the order of the goals.")] = 1,
    steps: Annotated[int, typer.Option(help="Steps of the optimizer in all rounds together.")] = 2000,
    learning_rate: Annotated[float, typer.Option(help="The highest one; it rises and falls with the steps.")] = 2e-4,
    output: CheckpointOption = DEFAULT_FILE,
    resume: ResumeOption = None,
    workers: DataWorkersOption = 1,
    threads: ThreadsOption = 1,
    device: DeviceOption = "auto",
    tensorboard: BoardOption = None,
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
    from oasis.neural.training.settings import CERTAIN, DataSettings, ImitationSettings
    from tactics.errors import InputError

    if (checkpoint is None) == (resume is None):
        raise InputError("Name the checkpoint to go on from, as in oasis policy imitate tiny, or one with --resume.")
    if checkpoint is not None:
        check_new(output)
        with checkpoint_file(checkpoint) as file:
            network = load(file).network
            data = DataSettings(
                seed=seed,
                theorems=theorems,
                connectives=read_connectives(connectives),
                longest=longest or None,
                certain=CERTAIN if isinstance(network, Writing) else 0.0,
            )
            data = with_own_theorems(context, data, lemmas, levels, workers, quiet=quiet)
            settings = ImitationSettings(
                start=digest(file),
                rounds=rounds if was_typed(context, "rounds") else min(rounds, steps),
                beta=beta,
                greedy=greedy,
                seed=seed,
                steps=steps,
                learning_rate=learning_rate,
                data=data,
            )
            training = Imitation(settings, output, workers, network)
    else:
        assert resume is not None
        told = ("rounds", "beta", "greedy", "connectives", "longest", "lemmas", "levels", "theorems", "seed", "steps")
        check_nothing_told(context, (*told, "learning_rate", "output"))
        training = Imitation.resumed(resume, workers)
    train(training, threads, device, tensorboard, db, as_json=as_json, quiet=quiet)
