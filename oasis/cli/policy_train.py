"""`oasis policy sft`: a network learns from the oracle, and is written to a file; and what every training shares."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.interrupts import interrupts_wait
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.neural.training.loop import Loop
    from oasis.neural.training.progress import Told
    from oasis.neural.training.settings import DataSettings

DEFAULT_FILE = Path("policy.safetensors")
_NAMED = 3
"""Lemmas that are named of those left out for one reason."""

CheckpointOption = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The checkpoint to write.")]
ResumeOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Go on with the training that this checkpoint is of.")
]
ConnectivesOption = Annotated[
    str, typer.Option(metavar="N,...", help="Of the theorems to learn from, for each portion of them in turn.")
]
OwnLemmasOption = Annotated[
    str | None,
    typer.Option(
        metavar="CURRICULUM",
        help="Learn from the theorems of a curriculum instead, in turn.",
        autocompletion=complete_curriculum,
    ),
]
DataWorkersOption = Annotated[int, typer.Option(min=0, help="Processes that make data, besides the one that trains.")]
ThreadsOption = Annotated[int, typer.Option(min=1, help="Threads of the process that trains.")]
DeviceOption = Annotated[
    str, typer.Option(metavar="auto|cpu|cuda", help="Where the network is trained: auto takes a GPU if there is one.")
]
BoardOption = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write curves for TensorBoard as well.")]


def sft(
    context: typer.Context,
    network: Annotated[str, typer.Option(help="What kind of network: relational or decoder.")] = "relational",
    preset: Annotated[str, typer.Option(help="How large it is: tiny, small, base or large.")] = "tiny",
    seed: Annotated[int, seed_option("Of the first weights, the data and their order.")] = 0,
    steps: Annotated[int, typer.Option(help="Steps of the optimizer, of some 200 goals each.")] = 6000,
    nodes: Annotated[
        int,
        typer.Option(help="Of the goals of a step, some 15 each, padding included; more of them keep a GPU busier."),
    ] = 3000,
    connectives: ConnectivesOption = "16,16,16,16,16,32",
    longest: Annotated[
        int, typer.Option(min=0, help="Moves that a theorem's shortest proof may have; 0 for as many as it takes.")
    ] = 6,
    lemmas: OwnLemmasOption = None,
    levels: LevelsOption = None,
    certain: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Of the goals without a losing move that is learned from; 0.3 for networks that write, else 0.",
        ),
    ] = None,
    learning_rate: Annotated[
        float | None,
        typer.Option(
            help="The highest one; it rises and falls with the steps.",
            show_default="0.003, 0.002 for small, 0.0003 for base and large",
        ),
    ] = None,
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
    """Train a network on ordinary theorems (proofs of at most 6 moves), where the oracle says which moves are right.

    They are uniform formulas as in PropL, of 16 connectives and some of 32, or with --lemmas the theorems of any
    curriculum in which a move can be wrong; which lemmas are left out is told, with the reason. Nothing of the
    published test sets is learned from, up to renaming.

    Ctrl-C ends the training with a checkpoint that --resume goes on with, and so does a kill, with the last checkpoint
    that was written.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    from oasis.neural.networks.presets import writes
    from oasis.neural.networks.sizes import LEARNING_RATES
    from oasis.neural.training.settings import CERTAIN, DataSettings, SftSettings
    from oasis.neural.training.sft import Training

    if resume is None:
        check_new(output)
        if certain is None:
            certain = CERTAIN if writes(network) else 0.0
        data = DataSettings(
            seed=seed, connectives=read_connectives(connectives), longest=longest or None, certain=certain
        )
        data = with_own_theorems(context, data, lemmas, levels, workers, quiet=quiet)
        settings = SftSettings(
            network=network,
            preset=preset,
            seed=seed,
            steps=steps,
            nodes=nodes,
            learning_rate=LEARNING_RATES.get(preset, 3e-3) if learning_rate is None else learning_rate,
            data=data,
        )
        training = Training(settings, output, workers)
    else:
        told = ("network", "preset", "seed", "steps", "nodes", "connectives", "longest", "lemmas", "levels", "certain")
        check_nothing_told(context, (*told, "learning_rate", "output"))
        training = Training.resumed(resume, workers)
    train(training, threads, device, tensorboard, db, as_json=as_json, quiet=quiet)


def with_own_theorems(
    context: typer.Context, data: DataSettings, lemmas: str | None, levels: str | None, workers: int, *, quiet: bool
) -> DataSettings:
    """Return what is learned from: the theorems of a curriculum if one is named, else what it was.

    Raises InputError for options that do not go together, and if the curriculum has nothing to learn from.
    """
    from tactics.errors import InputError

    if lemmas is None:
        if levels is not None:
            raise InputError("--levels goes with --lemmas.")
        return data
    for option in ("connectives", "longest"):
        if was_typed(context, option):
            raise InputError(f"--{option} is about PropL's theorems; leave it out beside --lemmas.")
    return replace(data, lemmas=_own_theorems(lemmas, levels, data, workers, quiet=quiet))


def _own_theorems(
    name: str, levels: str | None, settings: DataSettings, workers: int, *, quiet: bool
) -> tuple[str, ...]:
    """The theorems of a curriculum from which there is something to learn, as text; says what is left out, and why.

    Raises InputError if nothing is left.
    """
    from oasis.cli.progress import watch_count
    from oasis.neural.training.lemmas import to_learn
    from tactics.errors import InputError
    from tactics.printer import show

    curriculum = read_curriculum(name, levels)
    text = {lemma.name: lemma.formula for lemma in curriculum.lemmas}
    left_out: dict[str, list[str]] = {}
    chosen: list[str] = []

    def looking() -> Iterator[int]:
        for done, looked in enumerate(to_learn(curriculum.lemmas, settings, workers), 1):
            if looked.reason:
                left_out.setdefault(looked.reason, []).append(looked.lemma)
            else:
                chosen.append(show(text[looked.lemma]))
            yield done

    watch_count(looking(), len(curriculum.lemmas), "lemmas looked at", quiet=quiet)
    if not quiet:
        narrate_left_out(left_out)
    if not chosen:
        why = "; ".join(f"{len(names):,}: {reason}" for reason, names in left_out.items())
        raise InputError(f"There is nothing to learn from in {curriculum.name} ({why}); name another curriculum.")
    return tuple(chosen)


def narrate_left_out(left_out: Mapping[str, Sequence[str]]) -> None:
    """Say which lemmas are left out, and why."""
    for reason, names in left_out.items():
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        narrate(f"Left out, {reason}: {', '.join(names[:_NAMED])}{more}.")


def train(
    training: Loop, threads: int, device: str, tensorboard: Path | None, db: Path, *, as_json: bool, quiet: bool
) -> None:
    """Train to the end, show how it goes, let the database know of the file, and say what came of it.

    Of several processes only the first one speaks.
    """
    import torch

    from oasis.cli.progress import watch_policy
    from oasis.cli.render import print_json
    from oasis.ground.limits import is_out_of_memory
    from oasis.neural.devices import device_named
    from oasis.neural.training.board import Board
    from oasis.neural.training.ranks import together
    from tactics.errors import InputError

    torch.set_num_threads(threads)
    with together(device_named(device)) as ranks, interrupts_wait(lambda _: training.stop()):
        training.join(ranks)
        quiet = quiet or not ranks.is_first
        if not quiet:
            narrate(
                f"{training.parameters:,} parameters; {training.settings.steps:,} steps, to be written to "
                f"{training.file}."
            )
        with nullcontext() if tensorboard is None or not ranks.is_first else Board(tensorboard) as board:
            try:
                last = watch_policy(training, board, lambda solved: _register(db, training, solved), quiet=quiet)
            except (MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error):
                    raise
                raise InputError(_without_memory(training)) from error
    if not ranks.is_first:
        return
    if not quiet and (remark := training.remark()):
        narrate(remark)
    if as_json:
        print_json(training.to_json() | {"last": vars(last)})
    if not training.is_over:
        again = f"go on with oasis policy {training.KIND} --resume {training.file}"
        raise Stopped(f"Stopped after step {training.step:,}; {again}", EXIT_INTERRUPTED)
    if not as_json:
        _print_result(training, last)


def _without_memory(training: Loop) -> str:
    """What to do when memory ran out."""
    again = f"go on with oasis policy {training.KIND} --resume {training.file}"
    return (
        f"The memory was not enough for step {training.step + 1:,}. Close other programs and "
        f"{again if training.file.exists() else 'train again'}, or train a smaller network."
    )


def _register(db: Path, training: Loop, solved: float) -> None:
    """Let the database know of the file that was written; a training is not lost because that cannot be."""
    from oasis.lab.checkpoints import register
    from oasis.store import Store, StoreError

    try:
        with Store(db) as store:
            register(store, training, solved)
    except StoreError as error:
        narrate(f"{training.file} is not listed: {error}")


def check_new(output: Path) -> None:
    """Raises InputError for a checkpoint that is there already, or cannot be written."""
    from tactics.errors import InputError

    if output.is_dir():
        raise InputError(f"{output} is a folder; name a file in it, as in -o {output / 'policy.safetensors'}.")
    if output.exists():
        raise InputError(f"{output} is there already; name another file with -o, or go on with --resume {output}.")
    if not os.access(output.absolute().parent, os.W_OK):
        raise InputError(f"{output} cannot be written; name a file in a folder that is there and may be written to.")


def check_nothing_told(context: typer.Context, names: Sequence[str]) -> None:
    """Raises InputError if --resume stands beside an option that says how a training begins."""
    from tactics.errors import InputError

    if typed := [name for name in names if was_typed(context, name)]:
        option = typed[0].replace("_", "-")
        raise InputError(f"--resume goes on as the training began; leave out --{option}, or train another network.")


def read_connectives(text: str) -> tuple[int, ...]:
    """The numbers of --connectives."""
    from tactics.errors import InputError

    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        raise InputError(f"--connectives is {text!r}; give whole numbers with commas, as in 16,16,32.") from None


def _print_result(training: Loop, last: Told) -> None:
    solved = "" if last.solved is None else f"; {last.solved:.0%} of a hundred hard theorems proved, no move taken back"
    kept = f"; {training.kept}" if training.kept else ""
    print(f"{training.file}: {training.step:,} steps; {last.outcome}{kept}{solved}")
