"""`oasis policy data`: labelled goals as lines of JSON, for whoever trains something else."""

from __future__ import annotations

from typing import Annotated

from oasis.cli.arguments import QuietOption, read_curriculum
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Levels
from oasis.cli.narration import narrator, tell_left_out
from oasis.cli.options import Given, Only, command
from oasis.ground.files import check_new, output_stream
from oasis.ground.signals import interrupts_wait
from oasis.neural.training.settings import DataSettings, Wanted
from tactics.errors import InputError


@command
def data(
    *,
    wanted: Given[Wanted],
    levels: Given[Levels],
    propl: Annotated[Given[DataSettings], Only("connectives", "longest")],
    quiet: QuietOption = False,
) -> None:
    """Write the goals with a losing move that plays of theorems come to, a line of JSON each.

    A line has the lemma, the goal, and its moves; of each move whether it keeps the goal provable, and the goals that
    it leaves with whether they are provable. What is not written is told with the reason. A file whose name ends in
    .gz is compressed. Ctrl-C leaves complete lines, and says how many.
    """
    from oasis.cli.progress import watch_count
    from oasis.neural.training.lemmas import Lines, of_curriculum, of_propl

    asked = wanted.made()
    if asked.output is not None:
        check_new(asked.output)
    settings = propl.made(seed=asked.seed, plays=asked.plays)
    if asked.is_propl:
        total, found = asked.count, of_propl(settings, asked.workers)
    else:
        for name in [*(each for each in wanted.values if each == "count"), *propl.values]:
            raise InputError(f"--{name} is about propl; leave it out for {asked.source}.")
        chosen = read_curriculum(asked.source, levels.made().levels).lemmas
        total, found = len(chosen), of_curriculum(chosen, settings, asked.workers)
    writing = Lines(asked.split)
    with output_stream(asked.output) as stream, interrupts_wait(lambda _: writing.stop()):
        watch_count(writing.write(found, stream, total, endless=asked.is_propl), total, "lemmas", quiet=quiet)
    say = narrator(quiet=quiet)
    tell_left_out(writing.left_out, say)
    where = "" if asked.output is None else f" in {asked.output}"
    if writing.is_stopped:
        raise Stopped(f"Stopped; {writing.lines:,} complete lines{where}.", EXIT_INTERRUPTED)
    say(f"{writing.lines:,} goals of {writing.theorems:,} theorems, {writing.moves:,} moves{where}.")
