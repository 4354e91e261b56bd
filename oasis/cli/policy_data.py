"""`oasis policy data`: labelled goals as lines of JSON, for whoever trains something else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from oasis.cli.arguments import QuietOption, output_stream, read_curriculum
from oasis.cli.campaigns import Levels
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrator, tell_left_out
from oasis.cli.options import Given, Only, command
from oasis.ground.settings import SEEDS, Setting
from oasis.ground.signals import interrupts_wait
from oasis.neural.training.settings import DataSettings
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.neural.training.lemmas import Looked

PROPL = "propl"


@dataclass(frozen=True, kw_only=True)
class Wanted(Levels):
    """Which goals are written, and where."""

    source: Annotated[
        str,
        Setting(
            "Any curriculum, or propl for uniform theorems with short proofs, as many as asked for.",
            metavar="CURRICULUM|propl",
            complete="curricula:complete",
            positional=True,
        ),
    ]
    output: Annotated[Path | None, Setting("A file instead of standard output.", names=("--output", "-o"))] = None
    split: Annotated[
        str,
        Setting(
            "train, validation or test: no theorem is in two of them, up to renaming.",
            choices="oasis.neural.training.reserved:SPLITS",
        ),
    ] = "train"
    count: Annotated[int, Setting("Theorems of propl.", within="[1, ∞)")] = 1000
    plays: Annotated[int, Setting("Of each theorem.", within="[1, ∞)")] = 3
    seed: Annotated[int, Setting("Of the theorems of propl, and of the plays.", within=SEEDS)] = 0
    workers: Annotated[int, Setting("Processes that label goals, besides this one.", within="[0, ∞)")] = 1


@command
def data(
    *,
    wanted: Given[Wanted],
    propl: Annotated[Given[DataSettings], Only("connectives", "longest")],
    quiet: QuietOption = False,
) -> None:
    """Write the goals with a losing move that plays of theorems come to, a line of JSON each.

    A line has the lemma, the goal, and its moves; of each move whether it keeps the goal provable, and the goals that
    it leaves with whether they are provable. What is not written is told with the reason. A file whose name ends in
    .gz is compressed. Ctrl-C leaves complete lines, and says how many.
    """
    from oasis.cli.progress import watch_count
    from oasis.neural.training.lemmas import of_curriculum, of_propl

    asked = wanted.made()
    settings = propl.made(seed=asked.seed, plays=asked.plays)
    if asked.source == PROPL:
        total, found = asked.count, of_propl(settings, asked.workers)
    else:
        for name in [*(each for each in wanted.values if each == "count"), *propl.values]:
            raise InputError(f"--{name} is about propl; leave it out for {asked.source}.")
        chosen = read_curriculum(asked.source, asked.levels).lemmas
        total, found = len(chosen), of_curriculum(chosen, settings, asked.workers)
    writing = _Writing(asked.split)
    with _lines(asked.output) as stream, interrupts_wait(lambda _: writing.stop()):
        watch_count(writing.write(found, stream, total, endless=asked.source == PROPL), total, "lemmas", quiet=quiet)
    say = narrator(quiet=quiet)
    tell_left_out(writing.left_out, say)
    where = "" if asked.output is None else f" in {asked.output}"
    if writing.is_stopped:
        raise Stopped(f"Stopped; {writing.lines:,} complete lines{where}.", EXIT_INTERRUPTED)
    say(f"{writing.lines:,} goals of {writing.theorems:,} theorems, {writing.moves:,} moves{where}.")


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

    if path is not None and path.exists():
        raise InputError(f"{path} is there already; name another file with -o.")
    if path is None or path.suffix != ".gz":
        with output_stream(path) as stream:
            yield stream
        return
    try:
        with gzip.open(path, "xt", encoding="utf-8", newline="") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); name another file.") from None
