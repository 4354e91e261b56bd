"""`oasis compare`: which learner is better, on the same lemmas, with as many students of each kind as it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    DATABASE,
    CertifyOption,
    CsvOption,
    DatabaseOption,
    FirstSeedOption,
    ForgetErrorsOption,
    JsonOption,
    LevelsOption,
    QuietOption,
    WorkersOption,
    complete_curriculum,
    read_certifiers,
    read_curriculum,
    was_typed,
)
from oasis.cli.campaigns import (
    EngineOption,
    ExperimentOption,
    Files,
    RayOption,
    ResumeOption,
    SoFarOption,
    campaign,
    certified,
    run,
)
from oasis.cli.narration import narrate
from oasis.cli.rewards import WeightsOption, read_reward

if TYPE_CHECKING:
    from collections.abc import Callable

    from curricula import Curriculum
    from oasis.lab.plan import Plan

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
_OF_STUDENTS = (*_LISTS, "weights", "forget_errors", "episodes", "sweep")
_OF_SEARCHES = ("policy", "budget", "stages")
_LEMMAS_AND_SEEDS = ("curriculum", "levels", "seeds", "seed")
_OF_A_NEW_ONE = (*_OF_STUDENTS, "experience", "search", "ladder", *_OF_SEARCHES, *_LEMMAS_AND_SEEDS)
"""What an experiment that is resumed has already."""
_NOT_OF_LADDERS = ("csv_checkpoints", "plot", "html")
_STUDENTS = 30
_SEARCHES = 10
_CLIMBS = 3
"""Seeds, unless somebody asks for another number."""


def compare(
    context: typer.Context,
    curriculum: Annotated[
        str | None,
        typer.Argument(
            metavar="LEMMA|CURRICULUM",
            help="A lemma (SYJ203.3, its text), a curriculum (thesis, iltp/SYJ203), a file, -, or a comma list.",
            autocompletion=complete_curriculum,
        ),
    ] = None,
    learner: Annotated[
        str,
        typer.Option(
            help="uniform, epsilon-soft, sarsa, q-learning, sarsa-lambda, q-lambda, dyna-q, and-or-q; your own as "
            "module:object, as learners:EXPECTED in learners.py; a comma list."
        ),
    ] = "epsilon-soft,sarsa,q-learning",
    reward: Annotated[
        str,
        typer.Option(
            help="terminating, standard, standard-qed, dagger, or dagger:all for study (see oasis dagger); your own as "
            "module:object, as mine:FewGoals in mine.py; a comma list."
        ),
    ] = "terminating",
    weights: WeightsOption = None,
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
    experience: Annotated[
        str,
        typer.Option(
            metavar="with,without",
            help="Whether the maxims in --db decide where values are equal, or with --search weigh moves; a list.",
        ),
    ] = "without",
    sweep: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUES", help="Vary a setting, as in epsilon=0.1:0.5:0.1; can be repeated."),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Compare searches and not students: best-first, proof-number, …, or all; a comma list.",
        ),
    ] = None,
    ladder: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Compare ladders: table, search, network, with a plus between them, or escalate; a comma list.",
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="With --search: uniform, teacher, the number of a run; a comma list. With --ladder: the network.",
        ),
    ] = "uniform",
    budget: Annotated[
        str,
        typer.Option(
            metavar="NAME=N,…|TIME",
            help="With --search, for each lemma: expansions, calls, seconds of the clock, memory. With --ladder: "
            "processor time for all lemmas together, as 5m.",
        ),
    ] = "expansions=10000",
    stages: Annotated[
        bool,
        typer.Option("--stages", help="With --search: what the policy alone, playing it often, and each search prove."),
    ] = False,
    seeds: Annotated[
        int | None, typer.Option(help="Students (30) or searches (10) of each kind, each with a seed of its own.")
    ] = None,
    seed: FirstSeedOption = 0,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 500,
    levels: LevelsOption = None,
    workers: WorkersOption = None,
    certify: CertifyOption = "all",
    engine: EngineOption = "processes",
    ray_address: RayOption = None,
    db: DatabaseOption = DATABASE,
    resume: ResumeOption = False,
    so_far: SoFarOption = False,
    experiment: ExperimentOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw a picture: .png, .svg or .pdf. Of --ladder there is none."),
    ] = None,
    csv: CsvOption = None,
    csv_checkpoints: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a line for each time the greedy policy was asked.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report: one page that stands alone. Of --ladder there is none."),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare kinds of students on the same lemmas: curves, averages with 95 % intervals, and the exact optimum.

    Every combination of what the lists name is a kind of student; with --search every search with every policy; with
    --ladder what is proved by a table, a search, a network, or one after the other, in the same time. What is done is
    kept: Ctrl-C loses nothing, --so-far shows what there is, and --resume goes on. The same seeds give the same numbers
    on any engine and with any number of workers, but for what depends on time.
    """
    from oasis.cli import compare_ladders, compare_searches, compare_students
    from oasis.lab.climbing.plan import ClimbPlan
    from oasis.lab.engines import engine as engine_named
    from oasis.lab.searching.plan import SearchPlan

    def plans() -> tuple[str, dict[str, Any]]:
        lemmas = _lemmas(curriculum, levels)
        if ladder is not None:
            network = policy if was_typed(context, "policy") else None
            time = budget if was_typed(context, "budget") else None
            chosen = _seeds(_CLIMBS if seeds is None else seeds, seed, "climb")
            return lemmas.name, compare_ladders.plans(lemmas, ladder, network, time, chosen)
        if search is not None:
            chosen = _seeds(_SEARCHES if seeds is None else seeds, seed, "search")
            return lemmas.name, compare_searches.plans(
                lemmas, search, policy, budget, chosen, db, stages=stages, priors=_priors(experience, db, lemmas)
            )
        chosen = _seeds(_STUDENTS if seeds is None else seeds, seed, "student")
        return lemmas.name, {lemmas.name: _plan(context, lemmas, sweep or (), chosen, episodes, forget_errors, db)}

    if not (resume or so_far):
        _refuse_mixture(context, searches=search is not None, ladders=ladder is not None)
    _check_files(plot, html, csv, csv_checkpoints)
    certifiers = read_certifiers(certify)
    chosen = engine_named(engine, workers=workers, address=ray_address)
    with campaign(
        context, plans, db, settled=_OF_A_NEW_ONE, resume=resume, so_far=so_far, experiment=experiment, quiet=quiet
    ) as kept:
        if kept.noun == ClimbPlan.noun:
            _refuse_files(context)
        if not so_far:
            run(kept, chosen, quiet=quiet)
        files = Files(plot, csv, csv_checkpoints, html)
        reports: dict[str, Callable[..., None]] = {
            SearchPlan.noun: compare_searches.report,
            ClimbPlan.noun: compare_ladders.report,
        }
        report = reports.get(kept.noun, compare_students.report)
        report(kept, certified(kept, certifiers, quiet=quiet), as_json, files)


def _refuse_mixture(context: typer.Context, *, searches: bool, ladders: bool) -> None:
    """Raise InputError for options of one sort of comparison with another sort."""
    from oasis.escalation.ladder import ESCALATE, LADDERS
    from tactics.errors import InputError

    if ladders:
        for name in (*_OF_STUDENTS, "search", "experience", "stages"):
            if was_typed(context, name):
                raise InputError(f"--{name.replace('_', '-')} does not go with --ladder; leave one of the two out.")
        _refuse_files(context)
        return
    asked = context.params["learner"]
    if {ESCALATE, *LADDERS} & {*asked.replace("+", ",").split(",")}:
        raise InputError(f"What is asked for are ladders, and no learners; write --ladder {asked}.")
    for name in (*_OF_STUDENTS, "csv_checkpoints") if searches else _OF_SEARCHES:
        if was_typed(context, name):
            option = "--" + name.replace("_", "-")
            raise InputError(
                f"{option} is about students, and --search compares searches; leave one of the two out."
                if searches
                else f"{option} goes with --search{'' if name == 'stages' else ' or --ladder'}."
            )


def _refuse_files(context: typer.Context) -> None:
    """Raise InputError for files that are not made of ladders."""
    from tactics.errors import InputError

    for name in _NOT_OF_LADDERS:
        if was_typed(context, name):
            raise InputError(f"--{name.replace('_', '-')} does not go with --ladder; take --csv or --json.")


def _lemmas(curriculum: str | None, levels: str | None) -> Curriculum:
    from tactics.errors import InputError

    if curriculum is None:
        raise InputError("Name a lemma or a curriculum, as in: oasis compare SYJ203.3")
    return read_curriculum(curriculum, levels)


def _seeds(number: int, first: int, noun: str) -> tuple[int, ...]:
    from tactics.errors import InputError

    if number < 2:
        raise InputError(f"--seeds must be at least 2, not {number}: one {noun} alone has no interval.")
    return tuple(range(first, first + number))


def _plan(
    context: typer.Context,
    lemmas: Curriculum,
    sweeps: list[str] | tuple[()],
    seeds: tuple[int, ...],
    episodes: int,
    forget_errors: bool,
    db: Path,
) -> Plan:
    """What students are to do, from what was typed."""
    from oasis.lab.comparison.grid import EXPERIENCE, WITH, checkpoints, merged, variants
    from oasis.lab.plan import Plan
    from oasis.student.settings import Settings

    lists = {name: str(context.params[name]) for name in (*_LISTS, EXPERIENCE)}
    lists["reward"] = read_reward(lists["reward"], context.params["weights"])
    asked = [lists[EXPERIENCE], *(each.partition("=")[2] for each in sweeps)]
    experience = _prior(db, lemmas) if any(WITH in _parts(each) for each in asked) else ""
    base = Settings(episodes=episodes, seed=seeds[0], experience=experience)
    number = len(lemmas.lemmas)
    made = variants(base, lists, sweeps, forget_errors=forget_errors, lemmas=number)
    once = {} if context.params["quiet"] else merged(base, lists, sweeps)
    for learner, idle in once.items():
        narrate(f"{learner} is there once, whatever is given for {' and '.join(idle).replace('_', ' ')}.")
    return Plan(lemmas.name, lemmas.lemmas, made, seeds, checkpoints(episodes * number))


def _priors(text: str, db: Path, lemmas: Curriculum) -> list[str]:
    """What the maxims of a file say, or nothing, for each name of a list. Raises InputError for other names."""
    from oasis.lab.comparison.grid import WITH, WITHOUT
    from tactics.errors import check_choice

    names = _parts(text)
    for name in names:
        check_choice("--experience", name, (WITH, WITHOUT))
    return [_prior(db, lemmas) if name == WITH else "" for name in names]


def _prior(db: Path, lemmas: Curriculum) -> str:
    """What the maxims of a file say, and a remark if they were learned from lemmas that they are tried on."""
    from oasis.experience.library import Library
    from oasis.lab.words import conjunction
    from oasis.store import Store

    with Store(db, create=False) as store:
        library = Library(store)
        prior, sources = library.prior(), {maxim.source for maxim in library.maxims().values()}
    if known := [lemma.name for lemma in lemmas.lemmas if lemma.name in sources]:
        narrate(
            f"Maxims were learned from {conjunction(known)}: what they are worth there says nothing of other lemmas."
        )
    return prior.text


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _check_files(plot: Path | None, html: Path | None, *others: Path | None) -> None:
    """What cannot be written is refused before any work."""
    from oasis.lab.plots.style import check_place, check_plot
    from oasis.lab.report.page import check_page

    if plot is not None:
        check_plot(plot)
    if html is not None:
        check_page(html)
    for each in filter(None, others):
        check_place(each)
