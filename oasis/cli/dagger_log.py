"""`oasis dagger log`: every term of every step that a student makes, as CSV."""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    EpsilonOption,
    GammaOption,
    InitialValueOption,
    LearnerOption,
    LevelsOption,
    OutputOption,
    QuietOption,
    complete_curriculum,
    output_stream,
    read_curriculum,
    seed_option,
)
from oasis.cli.dagger_study import StateSpaceOption, WeightsOption
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.rewards import read_weights


def log(
    curriculum: Annotated[
        str,
        typer.Argument(
            metavar="LEMMA|CURRICULUM",
            help="What to practise: a lemma, a curriculum, a file, or - for standard input.",
            autocompletion=complete_curriculum,
        ),
    ],
    weights: WeightsOption = "all",
    learner: LearnerOption = "q-learning",
    state_space: StateSpaceOption = "simple",
    epsilon: EpsilonOption = "0.4",
    gamma: GammaOption = 0.9,
    initial_value: InitialValueOption = 0.0,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 20,
    seed: Annotated[int, seed_option("Of the student's chance.")] = 0,
    levels: LevelsOption = None,
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
    from oasis.student.settings import Settings

    settings = Settings(
        learner=learner,
        reward=described(read_weights(weights)),
        state_space=state_space,
        epsilon=epsilon,
        gamma=gamma,
        initial_value=initial_value,
        episodes=episodes,
        seed=seed,
    )
    lemmas = read_curriculum(curriculum, levels).lemmas
    with output_stream(output) as stream:
        try:
            total = episodes * len(lemmas)
            watch_count(logged(settings, lemmas, stream), total, "episodes", quiet=quiet or output is None)
        except KeyboardInterrupt:
            raise Stopped("Interrupted; the episodes that were over are written.", EXIT_INTERRUPTED) from None
