"""`oasis sharing`: what it buys a student that two states count as the same."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    ActionsOption,
    AlphaOption,
    CsvOption,
    EpsilonOption,
    FirstSeedOption,
    ForgetErrorsOption,
    GammaOption,
    JsonOption,
    LearnerOption,
    MaxStepsOption,
    PlotOption,
    QuietOption,
    RewardOption,
    complete_curriculum,
    output_stream,
    read_stdin,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped

if TYPE_CHECKING:
    from oasis.lab.sharing.experiments import Sharing
    from oasis.lab.sharing.findings import Finding, Summary
    from oasis.lab.statistics import Interval

_DEFAULT_LEMMA = "SYJ203.4"
_MERGED = ["text (Simple)", "unordered", "Name", "focus, unordered", "Match"]


def sharing(
    lemma: Annotated[
        str,
        typer.Argument(
            metavar="[LEMMA]",
            help="The lemma to rename, by name (SYJ203.3, thesis/43), as text, a file, or - for standard input.",
            autocompletion=complete_curriculum,
        ),
    ] = _DEFAULT_LEMMA,
    copies: Annotated[int, typer.Option(help="Renamed copies, one episode each.")] = 75,
    seeds: Annotated[int, typer.Option(help="Students in each state space, each with a seed of its own.")] = 75,
    learner: LearnerOption = "epsilon-soft",
    reward: RewardOption = "terminating",
    actions: ActionsOption = "legal",
    forget_errors: ForgetErrorsOption = False,
    epsilon: EpsilonOption = "0.4",
    alpha: AlphaOption = "0.7",
    gamma: GammaOption = 0.9,
    max_steps: MaxStepsOption = 200,
    seed: FirstSeedOption = 0,
    plot: PlotOption = None,
    csv: CsvOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare the state spaces: renamed copies of a lemma, the lemma itself, and lessons where sharing pays or not.

    The same students work in each space, with one memory for all lemmas of an experiment. Averages come with 95 %
    intervals. Ctrl-C ends the lessons and shows what the students done so far came to.
    """
    from random import Random

    from curricula import resolve_lemma
    from oasis.cli.progress import remark_on_compiling, watch_count
    from oasis.cli.render import print_json, print_section, print_text, write_csv
    from oasis.lab.plots.sharing import save_plot
    from oasis.lab.plots.style import check_plot
    from oasis.lab.sharing.experiments import Sharing
    from oasis.lab.sharing.findings import findings
    from oasis.lab.sharing.merging import EPISODES, distinct, met_at_random
    from oasis.student.settings import Settings

    settings = Settings(
        learner=learner,
        reward=reward,
        actions=actions,
        forget_errors=forget_errors,
        epsilon=epsilon,
        alpha=alpha,
        gamma=gamma,
        max_steps=max_steps,
        seed=seed,
    )
    if plot is not None:
        check_plot(plot)
    lessons = Sharing(resolve_lemma(lemma, stdin=read_stdin), settings, copies=copies, students=seeds)
    if not quiet:
        _remark(lessons)
        remark_on_compiling([settings])
    try:
        watch_count(lessons, seeds, "students", quiet=quiet)
    except KeyboardInterrupt:
        if lessons.done < 2:
            raise
    found = findings(lessons)
    merged = distinct(met_at_random([lessons.lemma.formula], EPISODES, Random(seed)))
    if as_json:
        experiments = [each.to_json() for each in found.values()]
        merging = {"episodes": EPISODES, **merged._asdict(), "sentences": merged.sentences()}
        print_json({**lessons.to_json(), "experiments": experiments, "merging": merging})
    else:
        print_text(
            f"Averages of {lessons.done} students in each space with 95 % intervals: states in memory at the end, "
            "episodes that ended in a proof, the first of these (the median), and steps an episode."
        )
        print()
        for each in found.values():
            print_section(each.experiment.title, *_table(each), each.sentences)
        title = f"What a random player meets in {EPISODES:,} episodes of {lessons.lemma.name}"
        print_section(title, _MERGED, [[f"{count:,}" for count in merged]], merged.sentences())
    if csv is not None:
        with output_stream(csv) as stream:
            write_csv(list(lessons.rows()), stream)
    if plot is not None:
        save_plot(plot, lessons, found)
    if lessons.done < seeds:
        raise Stopped(f"Stopped after {lessons.done} of {seeds} students; the figures are theirs.", EXIT_INTERRUPTED)


def _remark(lessons: Sharing) -> None:
    settings = lessons.settings
    print(
        f"{lessons.students} students in each space: {settings.learner}, {settings.reward}, {settings.actions}, "
        f"ε {settings.epsilon}, seeds from {settings.seed}",
        file=sys.stderr,
    )


def _table(found: Finding) -> tuple[list[str], list[list[str]]]:
    """Header and a row for each space; averages stand with their intervals."""
    parts = found.experiment.parts
    header = ["space", "states", "proofs", *(parts or ("first proof", "steps"))]
    rows = []
    for summary in found.summaries:
        shares = [f"{share.value:.0%}" for share in summary.parts]
        others = shares if parts else [_first(summary), _interval(summary.steps)]
        rows.append([summary.space.capitalize(), _interval(summary.states), _interval(summary.proofs), *others])
    return header, rows


def _interval(interval: Interval) -> str:
    digits = 0 if interval.value >= 100 else 1
    return f"{interval.value:,.{digits}f} ({interval.low:,.{digits}f}–{interval.high:,.{digits}f})"


def _first(summary: Summary) -> str:
    value, low, high = ("never" if bound >= summary.never else f"{bound:g}" for bound in summary.first)
    return f"{value} ({low}–{high})"
