"""`oasis dagger log`: every term of every step that a student makes, as CSV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from oasis.cli import campaigns
from oasis.cli.arguments import DATABASE, DatabaseOption, OutputOption, QuietOption, output_stream
from oasis.cli.dagger_study import OF_STUDENTS, Terms
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.options import Given, Only, Usually, command
from oasis.cli.rewards import read_weights
from oasis.ground.settings import Setting
from oasis.student.settings import Settings


@dataclass(frozen=True)
class Lemmas(campaigns.Lemmas):
    """Which lemmas are practised."""

    curriculum: Annotated[
        str | None, Setting("What to practise: a lemma, a curriculum, a file, or - for standard input.")
    ] = None


@command
def log(
    *,
    lemmas: Given[Lemmas],
    terms: Annotated[Given[Terms], Only("weights")],
    student: Annotated[Given[Settings], OF_STUDENTS, Usually(episodes=20)],
    output: OutputOption = None,
    db: DatabaseOption = DATABASE,
    quiet: QuietOption = False,
) -> None:
    """Let a student practise, and write for every step what each term of R† says of it and pays for it, as CSV.

    A line for each step, with the terms by name, what each paid, and the reward; and one for the end of each episode.
    It does what oasis train with the same settings and seed does, but in plain Python, and keeps no run.
    """
    from oasis.cli.progress import watch_count
    from oasis.dagger.making import described
    from oasis.lab.rewarding.logged import log as logged

    settings = student.made(reward=described(read_weights(terms.made().weights)))
    practised = lemmas.made().read("dagger log SYJ203.2").lemmas
    with output_stream(output) as stream:
        try:
            total = settings.episodes * len(practised)
            watch_count(logged(settings, practised, stream), total, "episodes", quiet=quiet or output is None)
        except KeyboardInterrupt:
            raise Stopped("Interrupted; the episodes that were over are written.", EXIT_INTERRUPTED) from None
