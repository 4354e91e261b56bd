"""`oasis compare`: which learner is better, on the same lemmas, with as many students of each kind as it takes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    CertifyOption,
    CsvOption,
    DatabaseOption,
    FirstSeedOption,
    ForgetErrorsOption,
    HtmlOption,
    JsonOption,
    LevelsOption,
    PlotOption,
    QuietOption,
    WorkersOption,
    complete_curriculum,
    output_stream,
    read_certifiers,
    read_stdin,
)
from oasis.cli.campaigns import EngineOption, ExperimentOption, RayOption, ResumeOption, campaign, certified, run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oasis.lab.campaign import Campaign
    from oasis.lab.comparison.summary import Comparison
    from oasis.lab.plan import Plan
    from oasis.lab.proofs import Proof
    from oasis.lab.trials import Trial

_LISTS = (
    "learner",
    "reward",
    "state_space",
    "actions",
    "epsilon",
    "alpha",
    "gamma",
    "trace_decay",
    "planning",
    "initial_value",
    "max_steps",
    "order",
)
"""Options that take a comma list or a range, each value making variants of its own."""
_OF_A_NEW_ONE = (*_LISTS, "curriculum", "forget_errors", "seeds", "seed", "episodes", "levels", "sweep")
"""What an experiment that is resumed has already."""


def compare(
    context: typer.Context,
    curriculum: Annotated[
        str | None,
        typer.Argument(
            metavar="LEMMA|CURRICULUM",
            help="A lemma (SYJ203.3, thesis/43, its text), a curriculum (thesis, textbook, iltp/SYJ203), a file, or -.",
            autocompletion=complete_curriculum,
        ),
    ] = None,
    learner: Annotated[
        str,
        typer.Option(
            help="uniform, epsilon-soft, sarsa, q-learning, sarsa-lambda, q-lambda, dyna-q, and-or-q; a comma list."
        ),
    ] = "epsilon-soft,sarsa,q-learning",
    reward: Annotated[str, typer.Option(help="terminating, standard, standard-qed; a comma list.")] = "terminating",
    state_space: Annotated[str, typer.Option(help="simple, name, match; a comma list.")] = "simple",
    actions: Annotated[str, typer.Option(help="legal, blind, simplify; a comma list.")] = "legal",
    forget_errors: ForgetErrorsOption = False,
    epsilon: Annotated[
        str, typer.Option(help="Share of random actions: numbers, or schedules as 0.5..0.05 or 1/n; a comma list.")
    ] = "0.4",
    alpha: Annotated[str, typer.Option(help="Step size: numbers or schedules; a comma list.")] = "0.7",
    gamma: Annotated[str, typer.Option(help="Discount, 0 to 1; a comma list.")] = "0.9",
    trace_decay: Annotated[str, typer.Option(help="λ of sarsa-lambda and q-lambda, 0 to 1; a comma list.")] = "0.9",
    planning: Annotated[str, typer.Option(help="Planning steps of dyna-q; a comma list.")] = "20",
    initial_value: Annotated[str, typer.Option(help="Q before the first update; a comma list.")] = "0",
    max_steps: Annotated[str, typer.Option(help="Steps after which an episode is abandoned; a comma list.")] = "200",
    order: Annotated[
        str, typer.Option(help="Order of the lemmas: fixed, shuffled, easiest, progress, afresh; a comma list.")
    ] = "fixed",
    sweep: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUES", help="Vary a setting, as in epsilon=0.1:0.5:0.1; can be repeated."),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Students of each kind, each with a seed of its own.")] = 30,
    seed: FirstSeedOption = 0,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 500,
    levels: LevelsOption = None,
    workers: WorkersOption = None,
    certify: CertifyOption = "all",
    engine: EngineOption = "processes",
    ray_address: RayOption = None,
    db: DatabaseOption = DATABASE,
    resume: ResumeOption = False,
    experiment: ExperimentOption = None,
    plot: PlotOption = None,
    csv: CsvOption = None,
    csv_checkpoints: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a line for each time the greedy policy was asked.")
    ] = None,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare kinds of students on the same lemmas: curves, averages with 95 % intervals, and the exact optimum.

    Every combination of what the lists name is a kind of student. What is done is kept: Ctrl-C loses nothing, and
    --resume goes on. The same seeds give the same numbers on any engine and with any number of workers.
    """
    from oasis.lab.comparison.summary import compare as summarise
    from oasis.lab.comparison.truth import truths
    from oasis.lab.engines import engine as engine_named

    def plans() -> tuple[str, dict[str, Plan]]:
        plan = _plan(context, curriculum, sweep or (), seeds, seed, episodes, levels, forget_errors)
        return plan.name, {plan.name: plan}

    _check_files(plot, html)
    certifiers = read_certifiers(certify)
    chosen = engine_named(engine, workers=workers, address=ray_address)
    with campaign(context, plans, db, settled=_OF_A_NEW_ONE, resume=resume, experiment=experiment, quiet=quiet) as kept:
        run(kept, chosen, quiet=quiet)
        ((part, plan),) = kept.plans.items()
        trials = kept.trials(part)
        result = summarise(plan, trials, truths(plan))
        proofs = certified(kept, certifiers, quiet=quiet)[part]
        _show(kept, result, trials, proofs, as_json)
        _write_files(kept, result, trials, proofs, plot, csv, csv_checkpoints, html)


def _plan(
    context: typer.Context,
    curriculum: str | None,
    sweeps: list[str] | tuple[()],
    seeds: int,
    seed: int,
    episodes: int,
    levels: str | None,
    forget_errors: bool,
) -> Plan:
    """What is to be done, from what was typed."""
    from curricula import parse_levels, resolve
    from oasis.lab.comparison.grid import checkpoints, variants
    from oasis.lab.plan import Plan
    from oasis.student.settings import Settings
    from tactics.errors import InputError

    if curriculum is None:
        raise InputError("Name a lemma or a curriculum, as in: oasis compare SYJ203.3")
    if seeds < 2:
        raise InputError(f"--seeds must be at least 2, not {seeds}: one student alone has no interval.")
    found = resolve(curriculum, levels=parse_levels(levels) if levels else None, stdin=read_stdin)
    lists = {name: str(context.params[name]) for name in _LISTS}
    base = Settings(episodes=episodes, seed=seed)
    made = variants(base, lists, sweeps, forget_errors=forget_errors, lemmas=len(found.lemmas))
    return Plan(
        found.name, found.lemmas, made, tuple(range(seed, seed + seeds)), checkpoints(episodes * len(found.lemmas))
    )


def _check_files(plot: Path | None, html: Path | None) -> None:
    """What cannot be written is refused before any work."""
    from oasis.lab.plots.style import check_plot
    from oasis.lab.report.page import check_page

    if plot is not None:
        check_plot(plot)
    if html is not None:
        check_page(html)


def _show(
    campaign: Campaign[Plan], result: Comparison, trials: Mapping[str, Trial], proofs: list[Proof], as_json: bool
) -> None:
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.lab.comparison.conclusions import conclusions
    from oasis.lab.comparison.tables import tables
    from oasis.lab.proofs import table as table_of_proofs

    sentences = conclusions(result, trials)
    if as_json:
        print_json(
            {
                **campaign.to_json(),
                **result.to_json(),
                "proofs": [proof.to_json() for proof in proofs],
                "sentences": sentences,
            }
        )
        return
    print_text(
        f"Averages of {len(result.plan.seeds)} students of each kind with 95 % intervals; what each number is: "
        "--html FILE or --json."
    )
    print()
    for table in (*tables(result), table_of_proofs(result.plan, proofs)):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    for sentence in sentences:
        print_text(sentence, "  · ")


def _write_files(
    campaign: Campaign[Plan],
    result: Comparison,
    trials: Mapping[str, Trial],
    proofs: list[Proof],
    plot: Path | None,
    csv: Path | None,
    csv_checkpoints: Path | None,
    html: Path | None,
) -> None:
    from shlex import join

    from oasis.lab.plots.comparison import save_plot
    from oasis.lab.proofs import table
    from oasis.lab.report.comparison import page, write_checkpoints, write_episodes
    from oasis.lab.report.page import write

    if csv is not None:
        with output_stream(csv) as stream:
            write_episodes(result.plan, trials, stream)
    if csv_checkpoints is not None:
        with output_stream(csv_checkpoints) as stream:
            write_checkpoints(result.plan, trials, stream)
    if plot is not None:
        save_plot(plot, result)
    if html is not None:
        write(
            html, page(result, trials, join(["oasis", *sys.argv[1:]]), campaign.made_by, [table(result.plan, proofs)])
        )
