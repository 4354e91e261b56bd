"""What commands whose experiments are kept have in common: beginning or resuming one, and how it goes on if stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from oasis.cli.arguments import DATABASE, was_typed
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_USAGE, Stopped
from oasis.cli.narration import narrate, narrator

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
SoFarOption = Annotated[
    bool, typer.Option("--so-far", help="Show what came of an unfinished experiment so far, without going on with it.")
]
ExperimentOption = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="With --resume or --so-far: which experiment.")
]


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
    so_far: bool = False,
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
        so_far: whether to show one as if what is not done had not been asked for.
    """
    from oasis.ground.plugins import PluginError
    from oasis.lab.campaign import Campaign
    from oasis.lab.engines import EngineError
    from oasis.store import Store
    from tactics.errors import InputError

    command = context.command_path.partition(" ")[2]  # without the program's name
    if resume and so_far:
        raise InputError("--resume goes on with an experiment, and --so-far does not; leave one of the two out.")
    if experiment is not None and not (resume or so_far):
        raise InputError("--experiment goes with --resume, and says which experiment to go on with, or with --so-far.")
    if resume or so_far:
        _refuse(context, settled, "--so-far shows" if so_far else "--resume goes on with")
    begun = None if resume or so_far else plans()
    with Store(db, create=begun is not None) as store:
        if so_far:
            yield _cut(Campaign.resume(store, experiment, command=command), db, quiet=quiet)
            return
        if begun is None:
            found: Campaign[P] = Campaign.resume(store, experiment, command=command)
        else:
            found = Campaign.start(store, begun[1], command=command, name=begun[0])
        again = go_on(found, db) + _files(context)
        try:
            if not quiet:
                _remark(found)
            yield found
        except KeyboardInterrupt:
            raise Stopped(f"Stopped; {_done(found)}: {again}{_shown(found, db)}", EXIT_INTERRUPTED) from None
        except PluginError:
            narrate(f"{_done(found)}: {again}{_shown(found, db)}")
            raise
        except EngineError as error:
            raise Stopped(f"{error} {_done(found)}: {again}", EXIT_USAGE) from None
        finally:
            if found.finished and not quiet:  # also if what came of it cannot be written
                narrate(f"Kept as experiment {found.number} in {db}; see it again with: {go_on(found, db)}")


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
        narrate(f"{what} of different versions of Oasis need not fit together: {whose}.")


def certified(campaign: Campaign[Any], provers: Iterable[str], *, quiet: bool) -> dict[str, list[Proof]]:
    """Have the shortest proofs certified that were found, and give them by the parts of the experiment that are done.

    A prover that fails now costs a remark and not the report.
    """
    from oasis.lab.proofs import certify, shortest_proofs

    trials = {part: campaign.trials(part) for part in campaign.finished_parts()}
    proofs = [proof for part in trials for proof in shortest_proofs(campaign, part, trials[part])]
    if proofs:
        certify(campaign.store, campaign.number, proofs, provers, narrator(quiet=quiet))
    return {part: shortest_proofs(campaign, part, trials[part]) for part in trials}


def go_on(campaign: Campaign[Any], db: Path) -> str:
    """Give the command that goes on with an experiment, or shows it again."""
    from shlex import quote

    return f"oasis {campaign.command} --resume --experiment {campaign.number}" + (
        f" --db {quote(str(db))}" if db != DATABASE else ""
    )


def _files(context: typer.Context) -> str:
    """The files that were to be written, as options: an experiment that is gone on with is to write them still."""
    from shlex import quote

    return "".join(
        f" {each.opts[0]} {quote(str(context.params[each.name]))}"
        for each in context.command.params
        if each.name in Files._fields and was_typed(context, each.name)
    )


def _done(campaign: Campaign[Any]) -> str:
    return f"{campaign.done} of {campaign.total} {campaign.noun} are done and kept, and it goes on with"


def _shown(campaign: Campaign[Any], db: Path) -> str:
    """Tell, on a line of its own, the command that shows what is done of an experiment, if there is one and enough."""
    from tactics.errors import InputError

    if campaign.command != "compare":
        return ""
    try:
        campaign.so_far()
    except InputError:
        return ""
    return f"\nWhat came of them so far is shown by: {go_on(campaign, db).replace('--resume', '--so-far')}"


def _cut(campaign: Campaign[P], db: Path, *, quiet: bool) -> Campaign[P]:
    """What is done of an experiment, and a remark on how much of it that is."""
    cut = campaign.so_far()
    if not quiet:
        for part, plan in campaign.plans.items():
            of = cut.plans[part]
            narrate(
                f"Experiment {campaign.number} so far, {part}: {len(of.variants)} of {len(plan.variants)} kinds of "
                f"{campaign.noun}, {len(of.seeds)} of {len(plan.seeds)} of each; go on with: {go_on(campaign, db)}"
            )
            kinds = {variant.name for variant in of.variants}
            for name, done in campaign.done_of(part).items():
                if name not in kinds:
                    narrate(
                        f"{name} is left out, of which {done} of {len(plan.seeds)} are done: kinds are compared by "
                        f"{campaign.noun} of the same seeds, and of the others there are more."
                    )
    return cut


def _refuse(context: typer.Context, settled: Iterable[str], how: str) -> None:
    """Raise InputError for what an experiment that is resumed has already."""
    from tactics.errors import InputError

    for name in settled:
        if was_typed(context, name):
            parameter = next(each for each in context.command.params if each.name == name)
            what = "a lemma" if parameter.param_type_name == "argument" else "--" + name.replace("_", "-")
            raise InputError(f"{how} an experiment as it was begun; leave {what} out.")


def _remark(campaign: Campaign[Any]) -> None:
    from oasis.cli.progress import remark_on_compiling
    from oasis.cli.rewards import remark_on_rewards
    from oasis.lab.words import amount

    plans = list(campaign.plans.values())
    kinds = sum(len(plan.variants) for plan in plans)
    trials = {len(plan.seeds) for plan in plans}
    each = f", {trials.pop()} of each" if len(trials) == 1 else ""
    narrate(
        f"Experiment {campaign.number}: {campaign.name}, {kinds} kinds of {campaign.noun}{each}, "
        f"{amount(campaign.effort, plans[0].unit)} in all"
    )
    remark_on_compiling(settings for plan in plans for settings in plan.settings)
    remark_on_rewards(settings for plan in plans for settings in plan.settings)
    if not campaign.same_version:
        narrate(f"It was begun with Oasis {campaign.begun_with}, which is not this version.")
