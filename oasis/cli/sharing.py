"""`oasis sharing`: what it buys a student that two states count as the same."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import JsonOption, complete_curriculum, output_stream, read_stdin
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_MISSING, Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.lab.findings import Finding, Summary
    from oasis.lab.sharing import Sharing
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
    learner: Annotated[str, typer.Option(help="epsilon-soft, sarsa or q-learning.")] = "epsilon-soft",
    reward: Annotated[str, typer.Option(help="terminating, standard or standard-qed.")] = "terminating",
    actions: Annotated[str, typer.Option(help="What is on offer: legal, blind or simplify.")] = "legal",
    forget_errors: Annotated[
        bool,
        typer.Option("--forget-errors", help="With --actions blind, as in the thesis: give up what does not apply."),
    ] = False,
    epsilon: Annotated[float, typer.Option(help="Share of actions chosen at random, 0 to 1.")] = 0.4,
    alpha: Annotated[float, typer.Option(help="Step size, above 0 and up to 1; epsilon-soft averages.")] = 0.7,
    gamma: Annotated[float, typer.Option(help="Discount, 0 to 1.")] = 0.9,
    max_steps: Annotated[int, typer.Option(help="Steps after which an episode is abandoned.")] = 200,
    seed: Annotated[int, typer.Option(help="The first student's seed; the others count on from it.")] = 0,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture: .png, .svg or .pdf.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a line for each episode.")] = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")] = False,
) -> None:
    """Compare the state spaces: renamed copies of a lemma, the lemma itself, and lessons where sharing pays or not.

    The same students work in each space, with one memory for all lemmas of an experiment. Averages come with 95 %
    intervals. Ctrl-C ends the lessons and shows what the students done so far came to.
    """
    from random import Random

    from curricula import resolve_lemma
    from oasis.cli.render import print_json, write_csv
    from oasis.lab.findings import findings
    from oasis.lab.merging import EPISODES, distinct, met_at_random
    from oasis.lab.plots import PlotsMissing, check_plot, save_plot
    from oasis.lab.sharing import Sharing
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
    try:
        if plot is not None:
            check_plot(plot)
    except PlotsMissing as error:
        raise Stopped(str(error), EXIT_MISSING) from None
    lessons = Sharing(resolve_lemma(lemma, stdin=read_stdin), settings, copies=copies, students=seeds)
    if not quiet:
        _remark(lessons)
    try:
        _teach(lessons, quiet)
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
        _print_text(
            f"Averages of {lessons.done} students in each space with 95 % intervals: states in memory at the end, "
            "episodes that ended in a proof, the first of these (the median), and steps an episode."
        )
        print()
        for each in found.values():
            _print_section(each.experiment.title, *_table(each), each.sentences)
        title = f"What a random player meets in {EPISODES:,} episodes of {lessons.lemma.name}"
        _print_section(title, _MERGED, [[f"{count:,}" for count in merged]], merged.sentences())
    if csv is not None:
        with output_stream(csv) as stream:
            write_csv(list(lessons.rows()), stream)
    if plot is not None:
        save_plot(plot, lessons, found)
    if lessons.done < seeds:
        raise Stopped(f"Stopped after {lessons.done} of {seeds} students; the figures are theirs.", EXIT_INTERRUPTED)


def _teach(lessons: Sharing, quiet: bool) -> None:
    """All lessons, with progress on stderr: a bar in a terminal, a line for every tenth student elsewhere."""
    from rich.console import Console
    from rich.progress import track

    if not quiet and sys.stderr.isatty():
        console = Console(stderr=True)
        for _ in track(lessons, "students", total=lessons.students, console=console, transient=True):
            pass
        return
    for done in lessons:
        if not quiet and (done % 10 == 0 or done == lessons.students):
            print(f"{done} of {lessons.students} students", file=sys.stderr, flush=True)


def _remark(lessons: Sharing) -> None:
    settings = lessons.settings
    print(
        f"{lessons.students} students in each space: {settings.learner}, {settings.reward}, {settings.actions}, "
        f"ε {settings.epsilon:g}, seeds from {settings.seed}",
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


def _print_section(title: str, header: list[str], rows: list[list[str]], sentences: Sequence[str]) -> None:
    from oasis.cli.render import print_table

    _print_text(title)
    print_table(header, rows, numeric=set(header) - {"space"})
    for sentence in sentences:
        _print_text(sentence, "  · ")
    print()


def _print_text(text: str, mark: str = "") -> None:
    """A paragraph, its lines broken to fit a terminal."""
    from shutil import get_terminal_size
    from textwrap import fill

    width = min(get_terminal_size().columns, 100) if sys.stdout.isatty() else 1000
    print(fill(text, width, initial_indent=mark, subsequent_indent=" " * len(mark)))
