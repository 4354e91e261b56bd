"""`oasis policy calibrate`: a network's word that a goal is provable is made to mean what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from oasis.cli.arguments import Output, seed_option
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.options import command
from oasis.cli.policy_train import enlist
from oasis.cli.render import print_columns, print_json
from tactics.errors import InputError


@command
def calibrate(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The checkpoint of a network.")],
    theorems: Annotated[int, typer.Option(help="Of PropL's training set, to play and judge.")] = 1_000,
    seed: Annotated[int, seed_option("Of the random plays among them.")] = 0,
    into: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here, and leave the checkpoint as it is."),
    ] = None,
    output: Output,
) -> None:
    """Fit a temperature to how sure a network is that goals are provable, and keep it in its checkpoint.

    Log-odds are divided by it (temperature scaling, Guo et al. 2017); it is the most likely one for goals of theorems
    that no test set holds. Which of two goals is judged the better one stays as it is; how sure the network is changes,
    and with it the reward R† that takes it as a belief.
    """
    from oasis.neural.installed import check_installed

    check_installed()
    import torch

    from oasis.cli.progress import finished
    from oasis.ground.files import check_new
    from oasis.neural.checkpoints import register_again
    from oasis.neural.files import checkpoint_file
    from oasis.neural.training.checkpoint import load, save
    from oasis.neural.training.cooling import Cooling, with_temperature
    from oasis.neural.training.header import digest

    if into is not None:
        check_new(into)
    torch.set_num_threads(1)  # more than one make so small a network slower
    with checkpoint_file(str(file)) as path:
        if into is None and path != file:
            raise InputError(f"{file} comes along and stays as it is; write to a file of your own with -o.")
        checkpoint, before = load(path), digest(path)
    cooling = Cooling(checkpoint, theorems, seed)
    if not finished(cooling.play(), theorems, "theorems", quiet=output.quiet):
        raise Stopped("Interrupted, so nothing is written.", EXIT_INTERRUPTED)
    found = cooling.fitted()
    written = into or file
    save(written, with_temperature(checkpoint, found))
    if output.db.exists():
        enlist(output.db, written, lambda store: register_again(store, file, before, written))
    if output.as_json:
        print_json({"file": str(written), **found.to_json()})
        return
    print(f"{written}: temperature {found.temperature:.3f}, the most likely one for {found.before.states:,} goals")
    rows = [("1", found.before), (f"{found.temperature:.3f}", found.after)]
    scores = {"accuracy": "accuracy", "AUC": "auc", "log loss": "log_loss", "Brier score": "brier", "ECE": "ece"}
    columns = {f">{name}": lambda row, of=of: f"{getattr(row[1], of):.4f}" for name, of in scores.items()}
    print_columns(rows, {">temperature": lambda row: row[0], **columns})
