"""`oasis sharing`: what it buys a student that two states count as the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    ActionsOption,
    AlphaOption,
    CertifyOption,
    CsvOption,
    DatabaseOption,
    EpsilonOption,
    FirstSeedOption,
    ForgetErrorsOption,
    GammaOption,
    JsonOption,
    LearnerOption,
    MaxStepsOption,
    PlotOption,
    QuietOption,
    WorkersOption,
    complete_curriculum,
    output_stream,
    read_certifiers,
    read_lemma,
)
from oasis.cli.campaigns import EngineOption, ExperimentOption, RayOption, ResumeOption, campaign, certified, run
from oasis.cli.rewards import RewardOption, WeightsOption, read_reward

if TYPE_CHECKING:
    from oasis.lab.plan import Plan
    from oasis.lab.sharing.experiments import Sharing
    from oasis.lab.sharing.findings import Finding
    from oasis.lab.sharing.merging import Distinct
    from oasis.lab.statistics import Interval

_DEFAULT_LEMMA = "SYJ203.4"
_MERGED = ["text (Simple)", "unordered", "Name", "focus, unordered", "Match"]


_STUDENTS = ("learner", "reward", "actions", "forget_errors", "epsilon", "alpha", "gamma", "max_steps")
_OF_A_NEW_ONE = ("lemma", "copies", "seeds", "seed", "weights", *_STUDENTS)
"""What an experiment that is resumed has already."""


def sharing(
    context: typer.Context,
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
    weights: WeightsOption = None,
    actions: ActionsOption = "legal",
    forget_errors: ForgetErrorsOption = False,
    epsilon: EpsilonOption = "0.4",
    alpha: AlphaOption = "0.7",
    gamma: GammaOption = 0.9,
    max_steps: MaxStepsOption = 200,
    seed: FirstSeedOption = 0,
    workers: WorkersOption = None,
    certify: CertifyOption = "all",
    engine: EngineOption = "processes",
    ray_address: RayOption = None,
    db: DatabaseOption = DATABASE,
    resume: ResumeOption = False,
    experiment: ExperimentOption = None,
    plot: PlotOption = None,
    csv: CsvOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare the state spaces: renamed copies of a lemma, the lemma itself, and others where sharing pays or not.

    The same students work in each space, with one memory for all lemmas of an experiment. Averages come with 95 %
    intervals. What is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """
    from random import Random

    from oasis.cli.render import print_json, print_text
    from oasis.lab.engines import engine as engine_named
    from oasis.lab.plots.style import check_plot
    from oasis.lab.proofs import sentence
    from oasis.lab.sharing.experiments import Sharing, plans
    from oasis.lab.sharing.findings import findings
    from oasis.lab.sharing.merging import EPISODES, distinct, met_at_random
    from oasis.student.settings import Settings

    def planned() -> tuple[str, dict[str, Plan]]:
        settings = Settings(
            learner=learner,
            reward=read_reward(reward, weights),
            actions=actions,
            forget_errors=forget_errors,
            epsilon=epsilon,
            alpha=alpha,
            gamma=gamma,
            max_steps=max_steps,
            seed=seed,
        )
        found = read_lemma(lemma)
        return found.name, plans(found, settings, copies=copies, students=seeds)

    if plot is not None:
        check_plot(plot)
    certifiers = read_certifiers(certify)
    chosen = engine_named(engine, workers=workers, address=ray_address)
    with campaign(
        context, planned, db, settled=_OF_A_NEW_ONE, resume=resume, experiment=experiment, quiet=quiet
    ) as kept:
        run(kept, chosen, quiet=quiet)
        done = Sharing(kept.plans, {part: kept.trials(part) for part in kept.plans})
        found = findings(done)
        met = distinct(met_at_random([done.lemma.formula], EPISODES, Random(done.settings.seed)))
        proofs = [proof for part in certified(kept, certifiers, quiet=quiet).values() for proof in part]
        if as_json:
            print_json(
                {
                    **kept.to_json(),
                    **done.to_json(),
                    "experiments": [each.to_json() for each in found.values()],
                    "merging": {"episodes": EPISODES, **met._asdict(), "sentences": met.sentences()},
                    "proofs": [proof.to_json() for proof in proofs],
                }
            )
        else:
            _show(done, found, met)
            print_text(sentence(proofs))
        _write_files(done, found, csv, plot)


def _show(done: Sharing, found: dict[str, Finding], met: Distinct) -> None:
    from oasis.cli.render import print_section, print_text
    from oasis.lab.sharing.merging import EPISODES

    settings = done.settings
    print_text(
        f"Averages of {len(done.seeds)} students in each space with 95 % intervals ({settings.learner}, "
        f"{settings.reward}, {settings.actions}, ε {settings.epsilon}): states in memory at the end, episodes that "
        "ended in a proof, the first of these (the median), and steps an episode."
    )
    print()
    for each in found.values():
        print_section(each.experiment.title, *_table(each), each.sentences)
    title = f"What a random player meets in {EPISODES:,} episodes of {done.lemma.name}"
    print_section(title, _MERGED, [[f"{count:,}" for count in met]], met.sentences())


def _write_files(done: Sharing, found: dict[str, Finding], csv: Path | None, plot: Path | None) -> None:
    from oasis.cli.render import write_csv
    from oasis.lab.plots.sharing import save_plot

    if csv is not None:
        with output_stream(csv) as stream:
            write_csv(list(done.rows()), stream)
    if plot is not None:
        save_plot(plot, done, found)


def _table(found: Finding) -> tuple[list[str], list[list[str]]]:
    """Header and a row for each space; averages stand with their intervals."""
    from oasis.lab.words import with_interval

    parts = found.experiment.parts
    header = ["space", "states", "proofs", *(parts or ("first proof", "steps"))]
    rows = []
    for summary in found.summaries:
        shares = [f"{share.value:.0%}" for share in summary.parts]
        others = shares if parts else [with_interval(summary.first, ",g"), _interval(summary.steps)]
        rows.append([summary.space.capitalize(), _interval(summary.states), _interval(summary.proofs), *others])
    return header, rows


def _interval(interval: Interval) -> str:
    digits = 0 if interval.value >= 100 else 1
    return f"{interval.value:,.{digits}f} ({interval.low:,.{digits}f}–{interval.high:,.{digits}f})"
