"""`oasis policy sft`: a network learns from the oracle, and is written to a file."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import JsonOption, QuietOption, was_typed
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.neural.training.sft import Training

DEFAULT_FILE = Path("policy.safetensors")


def sft(
    context: typer.Context,
    network: Annotated[str, typer.Option(help="What kind of network: relational.")] = "relational",
    preset: Annotated[str, typer.Option(help="How large it is: tiny, small, base or large.")] = "tiny",
    seed: Annotated[int, typer.Option(help="Of the first weights, the data and their order.")] = 0,
    steps: Annotated[int, typer.Option(help="Steps of the optimizer, of some 200 goals each.")] = 6000,
    connectives: Annotated[
        str, typer.Option(metavar="N,...", help="Of the theorems to learn from, for each portion of them in turn.")
    ] = "16,16,16,16,16,32",
    learning_rate: Annotated[float, typer.Option(help="The highest one; it rises and falls with the steps.")] = 3e-3,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The checkpoint to write.")
    ] = DEFAULT_FILE,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the training that this checkpoint is of.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes that make data, besides the one that trains.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Threads of the process that trains.")] = 1,
    tensorboard: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write curves for TensorBoard as well.")
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Train a network on ordinary theorems (proofs of at most 6 moves), where the oracle says which moves keep.

    They are uniform formulas as in PropL, of 16 connectives and some of 32; nothing of the published test sets is
    learned from, up to renaming. Ctrl-C ends the training with a checkpoint that --resume goes on with, and so does a
    kill, with the last checkpoint that was written.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    import torch

    from oasis.cli.progress import watch_policy
    from oasis.cli.render import print_json
    from oasis.neural.training.board import Board
    from oasis.neural.training.data import DataSettings
    from oasis.neural.training.sft import SftSettings, Training
    from tactics.errors import InputError

    torch.set_num_threads(threads)
    if resume is None:
        if output.exists():
            raise InputError(f"{output} is there already; name another file with -o, or go on with --resume {output}.")
        if not os.access(output.absolute().parent, os.W_OK):
            raise InputError(
                f"{output} cannot be written; name a file in a folder that is there and may be written to."
            )
        settings = SftSettings(
            network, preset, seed, steps, learning_rate, data=DataSettings(seed=seed, connectives=_numbers(connectives))
        )
        training = Training(settings, output, workers)
    else:
        told = ("network", "preset", "seed", "steps", "connectives", "learning_rate", "output")
        if typed := [name for name in told if was_typed(context, name)]:
            option = typed[0].replace("_", "-")
            raise InputError(f"--resume goes on as the training began; leave out --{option}, or train another network.")
        training = Training.resumed(resume, workers)
    if not quiet:
        narrate(
            f"{training.parameters:,} parameters; {training.settings.steps:,} steps, to be written to {training.file}."
        )
    with nullcontext() if tensorboard is None else Board(tensorboard) as board, _interrupts_end(training):
        last = watch_policy(training, board, quiet=quiet)
    content = training.to_json() | {"last": vars(last)}
    if as_json:
        print_json(content)
    if training.step < training.settings.steps:
        again = f"go on with oasis policy sft --resume {training.file}"
        raise Stopped(f"Stopped after step {training.step:,}; {again}", EXIT_INTERRUPTED)
    if not as_json:
        solved = 0.0 if last.solved is None else last.solved
        print(
            f"{training.file}: {training.step:,} steps; right at the end {last.choices:.2%} of the choices and "
            f"{last.verdicts:.2%} of the verdicts; {solved:.0%} of a hundred hard theorems proved, no move taken back"
        )


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of --connectives."""
    from tactics.errors import InputError

    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        raise InputError(f"--connectives is {text!r}; give whole numbers with commas, as in 16,16,32.") from None


@contextmanager
def _interrupts_end(training: Training) -> Iterator[None]:
    """Let Ctrl-C end the training after the step that is being made; a second one ends the program."""

    def stop(_: int, __: object) -> None:
        training.stopping = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
