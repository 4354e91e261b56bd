"""What commands whose experiments are kept have in common: beginning or resuming one, and how it goes on if stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from oasis.cli.arguments import DATABASE, was_typed
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_USAGE, Stopped

if TYPE_CHECKING:
    from oasis.lab.campaign import Campaign
    from oasis.lab.engines import Engine
    from oasis.lab.proofs import Proof
    from oasis.lab.work import Work

P = TypeVar("P", bound="Work[Any]")

EngineOption = Annotated[str, typer.Option(help="Where: processes, serial, or ray.")]
RayOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="With --engine ray: of a cluster; else one is made here.")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the newest unfinished experiment; a finished one is shown.")
]
ExperimentOption = Annotated[int | None, typer.Option(metavar="NUMBER", help="With --resume: which experiment.")]


class Files(NamedTuple):
    """What is to be written; None for what is not."""

    plot: Path | None
    csv: Path | None
    csv_checkpoints: Path | None
    html: Path | None


@contextmanager
def campaign(
    context: typer.Context,
    plans: Callable[[], tuple[str, Mapping[str, P]]],
    db: Path,
    *,
    settled: Iterable[str],
    resume: bool,
    experiment: int | None,
    quiet: bool,
) -> Iterator[Campaign[P]]:
    """Begin the experiment of a command, or resume one; whatever stops it inside, it says how it goes on.

    Args:
        context: of the command.
        plans: gives the name and the plans of a new experiment.
        db: where it is kept.
        settled: the names of what an experiment that is resumed has already, so that it may not be typed.
        resume: whether to resume.
        experiment: which to resume; the newest unfinished one for None.
        quiet: whether not to remark on it.
    """
    from oasis.lab.campaign import Campaign
    from oasis.lab.engines import EngineError
    from oasis.store import Store
    from tactics.errors import InputError

    command = context.command_path.partition(" ")[2]  # without the program's name
    if experiment is not None and not resume:
        raise InputError("--experiment goes with --resume: it says which experiment to go on with.")
    if resume:
        _refuse(context, settled)
    begun = None if resume else plans()
    with Store(db, create=not resume) as store:
        if begun is None:
            found: Campaign[P] = Campaign.resume(store, experiment, command=command)
        else:
            found = Campaign.start(store, begun[1], command=command, name=begun[0])
        try:
            if not quiet:
                _remark(found)
            yield found
        except KeyboardInterrupt:
            raise Stopped(f"Stopped; {_done(found)}: {go_on(found, db)}", EXIT_INTERRUPTED) from None
        except EngineError as error:
            raise Stopped(f"{error} {_done(found)}: {go_on(found, db)}", EXIT_USAGE) from None
    if not quiet:
        print(f"Kept as experiment {found.number} in {db}; see it again with: {go_on(found, db)}", file=sys.stderr)


def run(campaign: Campaign[Any], engine: Engine, *, quiet: bool) -> None:
    """Do what is left, showing how it goes."""
    from oasis.cli.progress import watch_count

    plan = next(iter(campaign.plans.values()))
    long = len({plan.effort for plan in campaign.plans.values()}) > 1
    with closing(campaign.run(engine)) as made:
        if long:
            # A trial of one plan may take a thousand times as long as one of another.
            watch_count((progress.effort for progress in made), campaign.effort, plan.unit, quiet=quiet)
        else:
            watch_count((progress.done for progress in made), campaign.total, campaign.noun, quiet=quiet)
    makers = campaign.makers
    if len(makers) > 1 and not quiet:
        whose = ", ".join(f"{maker.trials} are of {maker}" for maker in makers)
        what = campaign.noun.capitalize()
        print(f"{what} of different versions of Oasis need not fit together: {whose}.", file=sys.stderr)


def certified(campaign: Campaign[Any], provers: Iterable[str], *, quiet: bool) -> dict[str, list[Proof]]:
    """Have the shortest proofs certified that were found, and give them by the parts of the experiment that are done.

    A prover that fails now costs a remark and not the report.
    """
    from oasis.backends.base import BackendError
    from oasis.backends.registry import backend
    from oasis.lab.proofs import certify, shortest_proofs

    trials = {part: campaign.trials(part) for part in campaign.finished_parts()}
    proofs = [proof for part in trials for proof in shortest_proofs(campaign, part, trials[part])]
    for name in provers if proofs else ():
        with backend(name) as prover:
            try:
                certify(campaign.store, campaign.number, proofs, prover)
            except BackendError as error:
                if not quiet:
                    print(f"Not certified by {name}: {error}", file=sys.stderr)
    return {part: shortest_proofs(campaign, part, trials[part]) for part in trials}


def go_on(campaign: Campaign[Any], db: Path) -> str:
    """Give the command that goes on with an experiment, or shows it again."""
    from shlex import quote

    return f"oasis {campaign.command} --resume --experiment {campaign.number}" + (
        f" --db {quote(str(db))}" if db != DATABASE else ""
    )


def _done(campaign: Campaign[Any]) -> str:
    return f"{campaign.done} of {campaign.total} {campaign.noun} are done and kept, and it goes on with"


def _refuse(context: typer.Context, settled: Iterable[str]) -> None:
    """Raise InputError for what an experiment that is resumed has already."""
    from tactics.errors import InputError

    for name in settled:
        if was_typed(context, name):
            parameter = next(each for each in context.command.params if each.name == name)
            what = "a lemma" if parameter.param_type_name == "argument" else "--" + name.replace("_", "-")
            raise InputError(f"--resume goes on with an experiment as it was begun; leave {what} out.")


def _remark(campaign: Campaign[Any]) -> None:
    from oasis.cli.progress import remark_on_compiling
    from oasis.cli.rewards import remark_on_rewards

    plans = list(campaign.plans.values())
    kinds = sum(len(plan.variants) for plan in plans)
    trials = {len(plan.seeds) for plan in plans}
    each = f", {trials.pop()} of each" if len(trials) == 1 else ""
    print(
        f"Experiment {campaign.number}: {campaign.name}, {kinds} kinds of {campaign.noun}{each}, "
        f"{campaign.effort:,} {plans[0].unit} in all",
        file=sys.stderr,
    )
    remark_on_compiling(settings for plan in plans for settings in plan.settings)
    remark_on_rewards(settings for plan in plans for settings in plan.settings)
    if not campaign.same_version:
        print(f"It was begun with Oasis {campaign.begun_with}, which is not this version.", file=sys.stderr)
