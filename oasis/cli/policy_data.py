"""`oasis policy data`: labelled goals as lines of JSON, for whoever trains something else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from oasis.cli.arguments import (
    LevelsOption,
    OutputOption,
    QuietOption,
    complete_curriculum,
    read_curriculum,
    seed_option,
    was_typed,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate, narrate_left_out
from oasis.ground.signals import interrupts_wait

if TYPE_CHECKING:
    from oasis.neural.training.lemmas import Looked

PROPL = "propl"


def data(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="CURRICULUM|propl",
            help="Any curriculum, or propl for uniform theorems with short proofs, as many as asked for.",
            autocompletion=complete_curriculum,
        ),
    ],
    output: OutputOption = None,
    split: Annotated[
        str, typer.Option(help="train, validation or test: no theorem is in two of them, up to renaming.")
    ] = "train",
    count: Annotated[int, typer.Option(min=1, help="Theorems of propl.")] = 1000,
    connectives: Annotated[
        str, typer.Option(metavar="N,...", help="Of the theorems to learn from, for each portion of them in turn.")
    ] = "16,16,16,16,16,32",
    longest: Annotated[
        int, typer.Option(metavar="MOVES", help="In the shortest proof of a theorem of propl; 0 for any.")
    ] = 6,
    plays: Annotated[int, typer.Option(help="Of each theorem.")] = 3,
    seed: Annotated[int, seed_option("Of the theorems of propl, and of the plays.")] = 0,
    levels: LevelsOption = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes that label goals, besides this one.")] = 1,
    quiet: QuietOption = False,
) -> None:
    """Write the goals with a losing move that plays of theorems come to, a line of JSON each.

    A line has the lemma, the goal, and its moves; of each move whether it keeps the goal provable, and the goals that
    it leaves with whether they are provable. What is not written is told with the reason. A file whose name ends in
    .gz is compressed. Ctrl-C leaves complete lines, and says how many.
    """
    from oasis.cli.progress import watch_count
    from oasis.ground.settings import known
    from oasis.neural.training.lemmas import of_curriculum, of_propl
    from oasis.neural.training.reserved import SPLITS
    from oasis.neural.training.settings import DataSettings
    from tactics.errors import InputError, check_choice

    check_choice("--split", split, SPLITS)
    of_theorems = known(DataSettings)["connectives"].read(connectives)
    settings = DataSettings(seed=seed, plays=plays, connectives=of_theorems, longest=longest)
    if source == PROPL:
        total, found = count, of_propl(settings, workers)
    else:
        for name in ("count", "connectives", "longest"):
            if was_typed(context, name):
                raise InputError(f"--{name} is about propl; leave it out for {source}.")
        lemmas = read_curriculum(source, levels).lemmas
        total, found = len(lemmas), of_curriculum(lemmas, settings, workers)
    writing = _Writing(split)
    with _lines(output) as stream, interrupts_wait(lambda _: writing.stop()):
        watch_count(writing.write(found, stream, total, endless=source == PROPL), total, "lemmas", quiet=quiet)
    if not quiet:
        narrate_left_out(writing.left_out)
    where = "" if output is None else f" in {output}"
    if writing.is_stopped:
        raise Stopped(f"Stopped; {writing.lines:,} complete lines{where}.", EXIT_INTERRUPTED)
    if not quiet:
        narrate(f"{writing.lines:,} goals of {writing.theorems:,} theorems, {writing.moves:,} moves{where}.")


class _Writing:
    """What has been written, and what has not."""

    def __init__(self, split: str) -> None:
        self.split = split
        self.lines = self.theorems = self.moves = 0
        self.left_out: dict[str, list[str]] = {}
        self.is_stopped = False

    def stop(self) -> None:
        """End after the lemma that is being written: what is broken off in a compressed file cannot be read."""
        self.is_stopped = True

    def write(self, found: Iterator[Looked], stream: TextIO, total: int, *, endless: bool) -> Iterator[int]:
        """Write the lines of the split; gives how many lemmas are done, of an endless source those written."""
        for done, looked in enumerate(found, 1):
            reason = looked.reason or (f"in the split {looked.split}" if looked.split != self.split else "")
            if not reason:
                self.theorems += 1
                for line in looked.goals:
                    stream.write(line + "\n")
                    self.lines += 1
                self.moves += looked.moves
            elif not endless:
                self.left_out.setdefault(reason, []).append(looked.lemma)
            yield self.theorems if endless else done
            if self.is_stopped or (endless and self.theorems == total):
                return


@contextmanager
def _lines(path: Path | None) -> Iterator[TextIO]:
    """Where lines go: standard output, or a file that is not there yet, compressed if its name says so."""
    import gzip

    from tactics.errors import InputError

    if path is None:
        yield sys.stdout
        return
    try:
        if path.suffix == ".gz":
            with path.open("xb") as raw, gzip.open(raw, "wt", encoding="utf-8", newline="") as stream:
                yield stream
        else:
            with path.open("x", encoding="utf-8", newline="") as stream:
                yield stream
    except FileExistsError:
        raise InputError(f"{path} is there already; name another file with -o.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); name another file.") from None
